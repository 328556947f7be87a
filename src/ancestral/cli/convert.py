"""`ancestral convert`: a graph in the format of another program."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ancestral.cli.output import ended_line, note, print_result
from ancestral.cli.places import check_places

if TYPE_CHECKING:
    from ancestral import Discovery
    from ancestral.graphs import MixedGraph

__all__ = ["EXAMPLES", "convert"]

EXAMPLES = """Examples:

ancestral convert run.json --to dagitty

ancestral convert truth.txt --out truth.graphml

ancestral convert truth.graphml --to dot

ancestral convert run.json --out graph.csv
"""

Form = Literal["text", "dot", "graphml", "pcalg", "tetrad", "tetrad-json", "dagitty"]
Kind = Literal["dag", "mag", "cpdag", "pag"]


def convert(
    graph: Annotated[
        Path,
        typer.Argument(
            help="A run file, or a file with a graph in any of the formats.", metavar="GRAPH", show_default=False
        ),
    ],
    to: Annotated[
        Form | None,
        typer.Option("--to", help="The format to write; without it, what the end of --out tells.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "--output", help="Write into this file, all of it or nothing.", show_default=False),
    ] = None,
    given: Annotated[
        Form | None,
        typer.Option("--from", help="The format of GRAPH, where it is not found out rightly.", show_default=False),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option(help="The kind of graph, where GRAPH does not say it.", show_default=False),
    ] = None,
) -> None:
    """Write a graph in the format of another program.

    Formats: text (as everywhere here), dot (.dot, .gv), graphml (.graphml), pcalg (a matrix, .csv), tetrad (.tetrad),
    tetrad-json (.json) and dagitty (.dagitty). What a format cannot say is refused with the reason.
    """
    from ancestral.errors import AncestralError, GraphError, OptionError
    from ancestral.io.files import check_writable, write_atomically
    from ancestral.io.interop.texts import FORMATS, format_of_name, write_as

    form = to or (format_of_name(out.name) if out is not None else None)
    if form is None:
        where = f"the end of {str(out)!r} tells no format" if out is not None else "no format is asked for"
        raise OptionError(f"{where}; say --to with one of {', '.join(FORMATS)}")
    if out is not None:
        check_places(writes={"--out": out}, reads={"the graph": graph})
        check_writable(out)
    read = _read(graph, given, kind)
    try:
        said = write_as(form, read)
        content = ended_line(said).encode("utf-8")
    except UnicodeEncodeError as error:
        what = error.object[error.start : error.end]
        raise GraphError(
            f"{graph}: a name holds {what!a}, half a character, which no file can hold; rename it"
        ) from None
    except AncestralError as error:
        raise GraphError(f"{graph}: {error}") from None
    if out is None:
        print_result(said)
        return
    write_atomically(out, content)
    note(f"graph written to {out} as {form}")


def _read(path: Path, given: Form | None, kind: Kind | None) -> "MixedGraph | Discovery":
    """The graph in a file, or the run."""
    import ancestral as an
    from ancestral.io.interop.texts import format_of_content, read_as
    from ancestral.io.packed import begins_with, read_bytes
    from ancestral.io.run import FORMAT

    if given is None and begins_with(path, FORMAT):
        found = an.load(path)
        if kind not in (None, type(found.pag).__name__.lower()):
            raise an.OptionError(f"{path}: is a run that found a {type(found.pag).__name__}; leave out --kind {kind}")
        return found
    content = read_bytes(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise an.GraphError(f"{path}: line {line} is not written in UTF-8; save the file as UTF-8 text") from None
    form = given or format_of_content(text, path.name.removesuffix(".gz"))
    try:
        return read_as(form, text, kind)
    except an.AncestralError as error:
        raise an.GraphError(f"{path}, read as {form}: {error}") from None
