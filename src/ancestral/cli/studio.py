"""`ancestral studio`: a page on this machine to search data, ask and compare, without programming."""

from pathlib import Path
from typing import Annotated

import typer

from ancestral.cli.discover import data_path
from ancestral.cli.output import note

__all__ = ["EXAMPLES", "studio"]

EXAMPLES = """Examples:

ancestral studio study.csv

ancestral studio --project my-study

ancestral studio study.csv --port 8000 --no-browser
"""


def studio(
    data: Annotated[
        Path | None,
        typer.Argument(
            parser=data_path,
            help="A file with data to begin with; it is copied into the project folder.",
            metavar="DATA",
            show_default=False,
        ),
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option(
            help="The folder that keeps the data, what is known, and the answers; by default one named after the data, "
            "or ancestral-studio.",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(help="The port of the server on this machine; 0 for any that is free.", min=0, max=65535)
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Open the studio: a page on this machine to search data, ask about the answer, and compare answers.

    Nothing leaves this machine. Everything is kept in the project folder, as files that the other commands read. Ctrl-C
    ends it; docs/studio.md says more.
    """
    from ancestral.errors import OptionError
    from ancestral.studio.serving import serve

    if data is not None and not data.is_file():
        raise OptionError(f"{data}: must be a file with data; check the name and the folder")
    folder = project or Path("ancestral-studio" if data is None else f"{data.name.split('.')[0] or 'data'}-studio")
    serve(
        folder,
        data,
        port=port,
        browser=browser,
        tell=lambda address: note(f"the studio of {folder} is at {address}\nCtrl-C ends it"),
    )
