"""How commands read a graph: a run file, or a file in any format of graphs, detected by its content and name."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ancestral.io.interop.texts import FORMATS

if TYPE_CHECKING:
    from ancestral import Discovery
    from ancestral.graphs import MixedGraph

    FormatName = str
else:
    FormatName = Literal[tuple(FORMATS)]

__all__ = ["FormatName", "KindName", "read_graph"]

KindName = Literal["dag", "mag", "cpdag", "pag"]


def read_graph(path: Path, form: FormatName | None = None, kind: KindName | None = None) -> "MixedGraph | Discovery":
    """The graph in a file, or the run, if it is a run file.

    `form` and `kind` are for files of which the format or the kind of graph is not detected correctly. Raises
    `GraphError` for a file that is not a graph, such as a table of data.
    """
    import ancestral as an
    from ancestral.io.compression import read_bytes, stated_format
    from ancestral.io.interop.texts import format_of_content, read_as

    if form is None and stated_format(path) is not None:  # a run file, or a bootstrap file, which `load` refuses
        found = an.load(path)
        if kind not in (None, type(found.pag).__name__.lower()):
            raise an.OptionError(f"{path}: is a run that found a {type(found.pag).__name__}; leave --kind {kind} out")
        return found
    text = _decoded(path, read_bytes(path))
    chosen = form or format_of_content(text, path.name.removesuffix(".gz"))
    if chosen == "text" and form is None and text.lstrip().startswith("{"):
        return an.load(path)  # raises, with what is wrong with it
    try:
        graph = read_as(chosen, text, kind)
    except an.AncestralError as error:
        way_out = _IS_IT_DATA.format(path=path) if form is None and chosen == "pcalg" else ""
        raise an.GraphError(f"{path}, read as {chosen}: ", *error.args, way_out) from None
    if form is None and not graph.edges() and _are_mostly_numbers(graph.nodes):
        raise an.GraphError(f"{path}: has no edge, and its nodes would be numbers{_IS_IT_DATA.format(path=path)}")
    return graph


_IS_IT_DATA = "; if it is a table of data, learn a graph from it first: ancestral discover {path} --save run.json"


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
