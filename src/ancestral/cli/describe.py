"""`ancestral describe`: how a file would be read and searched, what is wrong with it, and what to do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.discover import DATA
from ancestral.cli.exit_codes import Ending
from ancestral.cli.formats import BY_ENDING, written_format
from ancestral.cli.options import given_options, search_options
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.parsing import choice
from ancestral.cli.places import check_new, check_places
from ancestral.cli.samples import data_files, source_of
from ancestral.options import DescribeOptions
from ancestral.printing import counted

if TYPE_CHECKING:
    from ancestral import Description

__all__ = ["EXAMPLES", "describe"]

EXAMPLES = """Examples:

ancestral describe data.csv

ancestral describe data.csv --drop x3 --missing drop --strict

ancestral describe data.csv --format html --output data.html

ancestral describe data.csv --template knowledge.txt
"""

FORMATS = ("text", "csv", "json", "html")


@search_options(DescribeOptions)
def describe(
    data: DATA,
    template: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all names into a new file of knowledge, ready to be sorted into tiers, for --knowledge.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        choice(
            "--format",
            FORMATS,
            help=f"text: to read. csv: a row for each column. json: all of it. html: a page. {BY_ENDING}",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the description into this file instead of standard output.")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="End with exit code 4 if the data have faults for which a search is refused."),
    ] = False,
    **words: Any,
) -> int:
    """Describe a file before it is searched: its columns, its faults, what a search would choose, and what to do.

    Faults of the data are listed, all at once, and do not end the command with an error.
    """
    check_places(writes={"--output": output, "--template": template}, reads={}, data=data_files(data))
    check_new("--template", template)
    chosen = written_format(form, output, FORMATS)
    import ancestral as an
    from ancestral.io.files import check_writable

    for place in (output, template):
        if place is not None:
            check_writable(place)
    described = an.describe(source_of(data), **given_options(words))
    deliveries = Deliveries()
    if template is not None:
        deliveries.deliver("template", template, lambda: described.template(template))
    deliveries.deliver("description", output, lambda: write_result(_as(described, chosen), output))
    deliveries.tell()
    deliveries.end()
    if strict and described.faults:
        note(f"--strict: the data have {counted(len(described.faults), 'fault')}")
        return Ending.DOUBTFUL
    return Ending.COMPLETE


def _as(described: "Description", form: str) -> str:
    if form == "json":
        return described.to_json()
    if form == "html":
        return described.to_html(for_shell=True)
    if form == "csv":
        return str(described.to_frame(library="polars").write_csv())
    return described.text(for_shell=True)
