"""`ancestral convert`: a graph in the format of another program."""

from pathlib import Path
from typing import Annotated

import typer

from ancestral.cli.graphs import KINDS, read_graph
from ancestral.cli.output import ended_line, note, print_result
from ancestral.cli.parsing import choice
from ancestral.cli.places import check_places
from ancestral.io.interop.texts import FORMATS, format_of_name, write_as

__all__ = ["EXAMPLES", "convert"]

EXAMPLES = """Examples:

ancestral convert run.json --to dagitty

ancestral convert truth.txt --out truth.graphml

ancestral convert truth.graphml --to dot

ancestral convert run.json --out graph.csv
"""

_ENDINGS = ", ".join(f"{' or '.join(form.endings)} for {form.name}" for form in FORMATS.values())


def convert(
    graph: Annotated[
        Path,
        typer.Argument(
            help="A run file, or a file with a graph in any of the formats.", metavar="GRAPH", show_default=False
        ),
    ],
    to: Annotated[
        str | None,
        choice(
            "--to",
            FORMATS,
            help=f"The format to write; without it, by the ending of --out: {_ENDINGS}.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "--output", help="Write into this file, or not at all if something goes wrong.", show_default=False
        ),
    ] = None,
    given: Annotated[
        str | None,
        choice("--from", FORMATS, help="The format of GRAPH, if it is not detected correctly.", show_default=False),
    ] = None,
    kind: Annotated[
        str | None,
        choice("--kind", KINDS, help="The kind of graph, if GRAPH does not state it.", show_default=False),
    ] = None,
) -> None:
    """Write a graph in the format of another program.

    A graph that the format cannot express is refused, with the reason.
    """
    from ancestral.errors import AncestralError, GraphError, OptionError
    from ancestral.io.files import check_writable, write_atomically

    form = to or (format_of_name(out.name) if out is not None else None)
    if form is None:
        reason = f"the ending of {str(out)!r} is not that of a format" if out is not None else "no format is given"
        raise OptionError(f"{reason}; pass --to with one of {', '.join(FORMATS)}")
    if out is not None:
        check_places(writes={"--out": out}, reads={"the graph": graph})
        check_writable(out)
    read = read_graph(graph, given, kind)
    try:
        text = write_as(form, read)
        content = ended_line(text).encode("utf-8")
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.end]
        raise GraphError(
            f"{graph}: a name holds {half!a}, half a character, which no file can hold; rename it"
        ) from None
    except AncestralError as error:
        raise GraphError(f"{graph}: ", *error.args) from None
    if out is None:
        print_result(text)
        return
    write_atomically(out, content)
    note(f"graph written to {out} as {form}")
