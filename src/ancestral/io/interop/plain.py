"""Our own notation, one edge a line: `a o-> b`; the text does not state the kind of the graph."""

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.text import read_text
from ancestral.io.interop.common import GraphBuilder, HasPag, checked_text, graph_of

__all__ = ["from_text", "to_text"]


def to_text(graph: MixedGraph | HasPag) -> str:
    """The graph as `print` shows it.

    >>> from ancestral import PAG
    >>> print(to_text(PAG.parse("a o-> b, c")))
    a o-> b
    c
    """
    return str(graph_of(graph))


def from_text(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a text in our own notation.

    Raises GraphError, with the line, for what is not such a text, and OptionError for an unknown `kind`.

    >>> from_text("a --> b, b o-o c")
    PAG.parse('a --> b, b o-o c')
    """
    read = read_text(checked_text(text, "a graph in our own notation").replace("\r\n", "\n"))
    if not read.names:
        raise GraphError("the text must hold at least one node, got none; write edges like 'a --> b', one a line")
    builder = GraphBuilder(None, dict(read.names))
    for a, b, at_a, at_b in read.edges:
        builder.edge(a, b, at_a, at_b)
    for role, names in read.roles.items():
        builder.roles.update(dict.fromkeys(names, role))
    return builder.graph(kind)
