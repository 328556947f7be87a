r"""DOT, the language of graphviz, read and written: a circle is `odot`, an arrowhead `normal`, a tail `none`.

Names are read as graphviz shows them: the label of a node where it has one, otherwise its ID, with `\n` for a new
line and `&amp;` for an ampersand. The ID of the graph may be its kind (`digraph MAG {`); a node may have a `role`,
`latent` or `selection`, or be `observed=no`, as DoWhy writes it. All other attributes only change the drawing and are
skipped. A text is named after the kind of its graph only where a reader would infer another one.
"""

import re
from html.entities import html5
from itertools import chain

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol
from ancestral.io.interop.common import ROLES, GraphBuilder, HasPag, graph_of
from ancestral.io.interop.language import Attributes, Edges, Node, Syntax, read_language, walk
from ancestral.io.kinds import KINDS, unseen_kind

__all__ = ["from_dot", "to_dot"]

_WORD = "[A-Za-z_\u0080-\U0010ffff][A-Za-z_0-9\u0080-\U0010ffff]*|-?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)"
_OF_NODES = ("label", "role", "observed")
_SYNTAX = Syntax("DOT", word=_WORD, edge="->|--", heads=("digraph", "graph"), graphviz=True, of_nodes=_OF_NODES)
_SHAPES = {
    **dict.fromkeys(("odot", "dot"), CIRCLE),
    **dict.fromkeys(("normal", "onormal", "empty", "vee", "open", "halfopen"), ARROW),
    "none": TAIL,
}
#: For each `dir` whether (arrowtail, arrowhead) are drawn; an end that is not drawn is a tail.
_DIRECTIONS = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}
_ESCAPE = re.compile(r"\\(\r\n|.)|&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);", re.DOTALL)
_BROKEN_LINES = {"n": "\n", "l": "\n", "r": "\n", "\n": "", "\r\n": ""}
_WRITTEN_SHAPES = {CIRCLE: "odot", ARROW: "normal", TAIL: "none"}
_WRITTEN_ROLES = {"latent": " [role=latent, style=dashed]", "selection": " [role=selection, shape=box]"}
_ENTITY = re.compile(r"&(?=#?\w+;)")


def to_dot(graph: MixedGraph | HasPag) -> str:
    """The graph for graphviz: `dot -Tsvg` draws it.

    Args:
        graph: A graph, or an object with a `.pag`; names of any characters can be written.

    Returns:
        The text.

    Examples:
        >>> from ancestral import PAG
        >>> print(to_dot(PAG.parse("a o-> b")))
        digraph {
          edge [dir=both];
          "a";
          "b";
          "a" -> "b" [arrowtail=odot, arrowhead=normal];
        }
    """
    written = graph_of(graph)
    kind = unseen_kind(written)
    roles = {name: text for role, text in _WRITTEN_ROLES.items() for name in getattr(written, role, ())}
    lines = [f"  {_quoted(name)}{roles.get(name, '')};" for name in written.nodes]
    for a, edge, b in written.edges():
        at_a, at_b = parse_symbol(edge)
        shapes = f"[arrowtail={_WRITTEN_SHAPES[at_a]}, arrowhead={_WRITTEN_SHAPES[at_b]}]"
        lines.append(f"  {_quoted(a)} -> {_quoted(b)} {shapes};")
    head = "digraph {" if kind is None else f"digraph {kind} {{"
    return "\n".join([head, "  edge [dir=both];", *lines, "}"])


def _quoted(name: str) -> str:
    """The name in quotes; backslashes and HTML entities, which graphviz interprets, are escaped."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    escaped = _ENTITY.sub("&amp;", escaped).replace("\r", "&#13;").replace("\0", "&#0;").replace("\n", "\\n")
    return f'"{escaped}"'


def from_dot(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a text for graphviz.

    Args:
        text: The text.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the kind that the marks suggest.

    Returns:
        The graph.

    Raises:
        GraphError: If it is not such a text; the message has the line.
        OptionError: If there is no such kind.

    Examples:
        >>> from_dot("digraph { a -> b [dir=both, arrowtail=odot]; b -> {c d} }")
        PAG.parse('a o-> b, b --> c, b --> d')
    """
    read = read_language(text, _SYNTAX)
    builder = GraphBuilder(read.name.lower() if read.name is not None and read.name.lower() in KINDS else None)
    items = walk(read)
    shown: dict[str, str] = {}
    for item in items:
        for name in (item.name,) if isinstance(item, Node) else chain(*item.ends):
            if name not in shown:
                shown[name] = _shown(name)
        if isinstance(item, Node):
            label = item.attributes.get("label", "")
            if label and not label.startswith("<"):
                shown[item.name] = _shown(label, shown[item.name])
    for item in items:
        if isinstance(item, Node):
            builder.node(shown[item.name], _role(item))
            continue
        builder.equal_edges(((shown[a], shown[b]) for a, b in item), *_marks(item, read.kind))
    if len(set(shown.values())) < len(shown):
        seen: dict[str, str] = {}
        for name, label in shown.items():
            if label in seen:
                raise GraphError(
                    f"labels of nodes must differ, got {label!r} for both {seen[label]!r} and {name!r}; rename one"
                )
            seen[label] = name
    return builder.graph(kind)


def _role(node: Node) -> str | None:
    role = node.attributes.get("role")
    if role is not None and role not in ROLES:
        raise GraphError(
            f"line {node.line}: the role of a node must be latent or selection, got {role!r}; leave it out for neither"
        )
    return role or ("latent" if node.attributes.get("observed") == "no" else None)


def _marks(edge: Edges, head: str) -> tuple[int, int]:
    """The marks at the tail and at the head of these edges."""
    expected = "->" if head == "digraph" else "--"
    if edge.edge != expected:
        raise GraphError(f"line {edge.line}: an edge of a {head} must be written {expected!r}, got {edge.edge!r}")
    direction = edge.attributes.get("dir", "forward" if expected == "->" else "none")
    if direction not in _DIRECTIONS:
        raise GraphError(f"line {edge.line}: dir must be one of {', '.join(_DIRECTIONS)}, got {direction!r}")
    at_tail, at_head = _DIRECTIONS[direction]
    return (
        _shape(edge.attributes, "arrowtail", edge.line) if at_tail else TAIL,
        _shape(edge.attributes, "arrowhead", edge.line) if at_head else TAIL,
    )


def _shape(attributes: Attributes, end: str, line: int) -> int:
    shape = attributes.get(end, "normal")
    if shape not in _SHAPES:
        raise GraphError(f"line {line}: {end} must be odot (circle), normal (arrowhead) or none (tail), got {shape!r}")
    return _SHAPES[shape]


def _shown(text: str, node: str = "") -> str:
    """The text as graphviz shows it; `\\N` stands for the name of the node."""

    def piece(found: re.Match[str]) -> str:
        escaped, entity = found.groups()
        if escaped is not None:
            return node if escaped == "N" and node else _BROKEN_LINES.get(escaped, escaped)
        if entity.startswith("#"):
            number = int(entity[2:], 16) if entity[1] in "xX" else int(entity[1:])
            return chr(number) if number < 0x110000 else found[0]
        return html5.get(entity + ";", found[0])

    return _ESCAPE.sub(piece, text)
