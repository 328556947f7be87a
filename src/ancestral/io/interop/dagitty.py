r"""dagitty's text: `pag { a @-> b }`, `mag { … }`, `pdag { … }` for a CPDAG, `dag { L [latent] L -> {a b} }`.

A circle is `@`. A variable may be `[latent]` or `[selected]`, which are our latent and selection nodes; exposures,
outcomes, adjusted variables and positions are dagitty's own and skipped. In a `dag`, `a <-> b` is short for a latent
common cause, which gets a node of its own. Names that are not plain words stand in double quotes, where only `\"` is
special: so dagitty cannot write control characters, nor a name that ends in a backslash; it refuses `graph` and
`node`.
"""

import re

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, TAIL, parse_symbol
from ancestral.io.interop.common import GraphBuilder, HasPag, graph_of, refuse_name, role_of
from ancestral.io.interop.language import Node, Syntax, read_language, walk
from ancestral.io.kinds import kind_of

__all__ = ["from_dagitty", "to_dagitty"]

_EDGES = {
    "->": "-->",
    "<-": "<--",
    "<->": "<->",
    "--": "---",
    "@->": "o->",
    "<-@": "<-o",
    "@-@": "o-o",
    "@--": "o--",
    "--@": "--o",
}
_WRITTEN = {ours: theirs for theirs, ours in _EDGES.items()}
_HEADS = {"dag": "dag", "mag": "mag", "pdag": "cpdag", "pag": "pag"}
_WRITTEN_HEADS = {ours: theirs for theirs, ours in _HEADS.items()}
_SYNTAX = Syntax(
    "dagitty",
    word="-?[0-9A-Za-z_.]+",
    edge="@->|<-@|<->|->|--@|--|<-|@-@|@--",
    heads=tuple(_HEADS),
    # a backslash before a quote writes a quote; before anything else it is itself
    quoted=r'"(?:[^"\\]|\\"|\\(?!"))*"',
)
_LATENT = ("latent", "l", "unobserved", "u")
_SELECTED = ("selected", "s")
_ROLE_TEXTS = {"latent": " [latent]", "selection": " [selected]", None: ""}
_PLAIN = re.compile("[0-9A-Za-z_.]+")
_CONTROL = re.compile("[\x00-\x1f\x7f]")


def to_dagitty(graph: MixedGraph | HasPag) -> str:
    """The graph for dagitty, in R (`dagitty("…")`) or in the browser.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The text.

    Raises:
        GraphError: If dagitty cannot write a name.

    Examples:
        >>> from ancestral import DAG, PAG
        >>> print(to_dagitty(PAG.parse('a o-> "b c", "b c" o-o d')))
        pag {
        a
        "b c"
        d
        a @-> "b c"
        "b c" @-@ d
        }
        >>> print(to_dagitty(DAG.parse("L -> a, L -> b", latent=["L"])))
        dag {
        L [latent]
        a
        b
        L -> a
        L -> b
        }
    """
    written = graph_of(graph)
    lines = [_quoted(name) + _ROLE_TEXTS[role_of(written, name)] for name in written.nodes]
    lines += [f"{_quoted(a)} {_WRITTEN[edge]} {_quoted(b)}" for a, edge, b in written.edges()]
    return "\n".join([_WRITTEN_HEADS[kind_of(written)] + " {", *lines, "}"])


def from_dagitty(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a text of dagitty.

    Args:
        text: The text.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the kind that the text states.

    Returns:
        The graph.

    Raises:
        GraphError: If it is not such a text; the message has the line.
        OptionError: If there is no such kind.

    Examples:
        >>> print(from_dagitty('dag { x [exposure, pos="0,1"] ; x -> m -> y ; x <-> y }'))
        "U(x,y)" --> x
        "U(x,y)" --> y
        m --> y
        x --> m
        latent: "U(x,y)"
    """
    read = read_language(text, _SYNTAX)
    builder = GraphBuilder(_HEADS[read.kind])
    confounded: list[tuple[str, str]] = []
    for item in walk(read):
        if isinstance(item, Node):
            builder.node(_unescaped(item.name), _role(item))
            continue
        edge = _EDGES[item.edge]
        pairs = ((_unescaped(a), _unescaped(b)) for a, b in item)
        if edge == "<->" and builder.kind == "dag":
            confounded.extend(pairs)
        else:
            builder.equal_edges(pairs, *parse_symbol(edge))
    for a, b in confounded:
        cause = f"U({a},{b})"
        while cause in builder.names:
            cause += "'"
        builder.node(cause, "latent")
        builder.edge(cause, a, TAIL, ARROW)
        builder.edge(cause, b, TAIL, ARROW)
    return builder.graph(kind)


def _role(node: Node) -> str | None:
    latent, selected = ((set(words) & set(node.attributes)) for words in (_LATENT, _SELECTED))
    if latent and selected:
        raise GraphError(
            f"line {node.line}: a node must have one role, got both latent and selected for {node.name!r}; keep one"
        )
    return "latent" if latent else "selection" if selected else None


def _quoted(name: str) -> str:
    if name in ("graph", "node"):
        refuse_name(name, "dagitty", "it keeps this word for itself")
    if _CONTROL.search(name):
        refuse_name(name, "dagitty", "its names cannot hold line ends or other control characters")
    if name.endswith("\\"):
        refuse_name(name, "dagitty", "a backslash at the end would hide the closing quote")
    if _PLAIN.fullmatch(name):
        return name
    return '"' + name.replace('"', '\\"') + '"'


def _unescaped(written: str) -> str:
    return written.replace('\\"', '"')
