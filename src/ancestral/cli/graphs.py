"""How commands read a graph: a run file, or a file in any format of graphs, detected by its content and name."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ancestral import Discovery, SeriesDiscovery
    from ancestral.graphs import MixedGraph

__all__ = ["KINDS", "GraphFile", "RunFile", "node_names", "read_graph", "read_run", "series_in"]

#: The first argument of commands about a run.
RunFile = Annotated[
    Path, typer.Argument(help="A run file, from discover --save or series --save.", metavar="RUN", show_default=False)
]
#: The first argument of commands that also take a graph.
GraphFile = Annotated[
    Path,
    typer.Argument(
        help="A run file, from discover --save or series --save, or a file with a graph in any format that convert "
        "reads.",
        metavar="RUN",
        show_default=False,
    ),
]

#: The kinds of graphs, as the command line calls them.
KINDS = ("dag", "mag", "cpdag", "pag")


def read_graph(path: Path, form: str | None = None, kind: str | None = None) -> "MixedGraph | Discovery":
    """The graph in a file, or the run, if it is a run file.

    `form` and `kind` are for files of which the format or the kind of graph is not detected correctly. Raises
    `GraphError` for a file that is not a graph, such as a table of data.
    """
    import ancestral as an
    from ancestral.io.compression import stated_format

    if form is None and stated_format(path) is not None:  # a run file, or a bootstrap file, which `load` refuses
        found = an.load(path)
        if kind not in (None, type(found.pag).__name__.lower()):
            raise an.OptionError(f"{path}: is a run that found a {type(found.pag).__name__}; leave --kind {kind} out")
        return found
    try:
        return _read_text_file(path, form, kind)
    except (an.GraphError, an.RunError) as error:
        if form is None and path.is_file() and _may_be_data(path):
            raise type(error)(*error.args, _is_it_data(path, after=str(error))) from None
        raise


def read_run(path: Path) -> "Discovery":
    """The run in a run file; RunError for any other file, which says what it seems to be."""
    from ancestral import Discovery, GraphError, RunError

    try:
        found = read_graph(path)
    except GraphError:
        reason = f"{path}: must be a run file, got neither a run nor a graph"
        way_out = _is_it_data(path, reason) if _may_be_data(path) else f"; {_RUN_FILES}"
        raise RunError(reason + way_out) from None
    if not isinstance(found, Discovery):
        raise RunError(
            f"{path}: must be a run file, got a {type(found).__name__}; reasons are only in runs, and {_RUN_FILES}"
        )
    return found


def series_in(found: object) -> "SeriesDiscovery | None":
    """A run of time series as what it found, which knows its processes; None for any other run, and for a graph."""
    from ancestral import Discovery, SeriesDiscovery

    if not isinstance(found, Discovery) or not found.settings.chosen.windows:
        return None
    return SeriesDiscovery(found)


def node_names(found: object, names: Iterable[str]) -> list[str]:
    """The names of nodes; in a run of time series, a process by its own name is meant at t."""
    series = series_in(found)
    if series is None:
        return list(names)
    from ancestral.graphs.window import Window

    window = Window.of(series.window.nodes)
    return [window.node(name) for name in names]


_RUN_FILES = "run files are written by ancestral discover DATA --save run.json"


def _read_text_file(path: Path, form: str | None, kind: str | None) -> "MixedGraph | Discovery":
    """The graph in a file of text; a run file that is too damaged to be recognised raises what is wrong with it."""
    import ancestral as an
    from ancestral.io.compression import read_bytes
    from ancestral.io.interop.texts import format_of_content, format_of_name, read_as

    text = _decoded(path, read_bytes(path))
    chosen = form or format_of_content(text, path.name.removesuffix(".gz"))
    if chosen == "text" and form is None and text.lstrip().startswith("{"):
        return an.load(path)
    try:
        graph = read_as(chosen, text, kind)
    except an.AncestralError as error:
        named = format_of_name(path.name.removesuffix(".gz"))
        if form is None and chosen == "text" and named not in (None, "text"):
            raise an.GraphError(
                f"{path}: its ending stands for {named}, and its text does not begin as {named} does; read as text: ",
                *error.args,
            ) from None
        raise an.GraphError(f"{path}, read as {chosen}: ", *error.args) from None
    if form is None and not graph.edges() and _are_mostly_numbers(graph.nodes):
        raise an.GraphError(f"{path}: has no edge, and its nodes would be numbers")
    return graph


def _may_be_data(path: Path) -> bool:
    """Whether a file with this name may hold a table of data."""
    from ancestral.data.read.formats import format_of

    return format_of(path) is not None


def _is_it_data(path: Path, after: str) -> str:
    """What to do if the file is a table of data, as the end of a message that says `after`."""
    beginning = " If" if after.endswith("?") else "; if"
    return f"{beginning} it is a table of data, learn a graph from it first: ancestral discover {path} --save run.json"


def _decoded(path: Path, content: bytes) -> str:
    from ancestral import GraphError

    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise GraphError(f"{path}: line {line} is not written in UTF-8; save the file as UTF-8 text") from None


def _are_mostly_numbers(names: tuple[str, ...]) -> bool:
    from ancestral.data.column_kinds import is_number

    return 2 * sum(map(is_number, names)) > len(names)
