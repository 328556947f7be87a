"""Tetrad's graph text, which causal-learn writes, too.

    Graph Nodes:
    X1;X2;(L1)

    Graph Edges:
    1. X1 o-> X2
    2. (L1) --> X2 pd nl

A node in parentheses is latent, one in brackets is a selection node. What follows an edge (`nl`, `pd`, `dd`, `pl`,
whether it is direct or confounded, and bootstrap probabilities) is skipped. Names stand between semicolons and spaces,
without quotes: so a name with a space, a comma or a semicolon cannot be written.
"""

import re

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import flipped, parse_symbol
from ancestral.io.interop.common import GraphBuilder, HasPag, checked_text, graph_of, refuse_name, role_of
from ancestral.io.kinds import KINDS, unseen_kind

__all__ = ["from_tetrad", "to_tetrad"]

_BRACKETS = {"latent": ("(", ")"), "selection": ("[", "]")}
_FORBIDDEN = re.compile("[\x00-\x20,;]")
# the white space of ASCII only: other spaces may be part of a name
_SPACE = re.compile("[ \t\r\f\v]+")
_NUMBER = re.compile(r"[0-9]+\.(?:[ \t]+|$)")
_END = re.compile(r"\r\n|\r|\n")
_NODES, _EDGES, _ATTRIBUTES = "Graph Nodes:", "Graph Edges:", "Graph Attributes:"


def to_tetrad(graph: MixedGraph | HasPag) -> str:
    """The graph as Tetrad's text.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The text.

    Raises:
        GraphError: If a name cannot be written there.

    Examples:
        >>> from ancestral import PAG
        >>> print(to_tetrad(PAG.parse("X1 o-> X2, X3")))
        Graph Nodes:
        X1;X2;X3
        <BLANKLINE>
        Graph Edges:
        1. X1 o-> X2
    """
    written = graph_of(graph)
    names = {name: _written(name, role_of(written, name)) for name in written.nodes}
    lines = [_NODES, ";".join(names.values()), "", _EDGES]
    # Tetrad finds the nodes of an edge by their names, without parentheses or brackets
    for i, (a, edge, b) in enumerate(written.edges(), start=1):
        # causal-learn's reader drops o-- but not --o
        lines.append(f"{i}. {b} {flipped(edge)} {a}" if edge == "o--" else f"{i}. {a} {edge} {b}")
    if kind := unseen_kind(written):
        lines += ["", _ATTRIBUTES, f"kind: {kind}"]
    return "\n".join(lines)


def from_tetrad(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a text of Tetrad.

    Args:
        text: The text.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the kind that the marks suggest.

    Returns:
        The graph.

    Raises:
        GraphError: If it is not such a text; the message has the line.
        OptionError: If there is no such kind.

    Examples:
        >>> from_tetrad("Graph Nodes:\\nX1;X2,X3\\n\\nGraph Edges:\\n1. X1 --> X2 dd nl\\n2. X2 o-o X3 pd pl")
        PAG.parse('X1 --> X2, X2 o-o X3')
    """
    builder = GraphBuilder()
    section = ""
    seen: set[str] = set()
    after_gap = True
    for number, full in enumerate(_END.split(checked_text(text, "a graph of Tetrad").removeprefix("\ufeff")), start=1):
        line = full.strip(" \t\f\v")
        if line in (_NODES, _EDGES, _ATTRIBUTES):
            section = line
            seen.add(line)
        elif line.endswith(":") and after_gap:
            section = ""
        elif not line:
            pass
        elif section == _NODES:
            _read_nodes(line, number, builder)
        elif section == _EDGES:
            _read_edge(line, number, builder, _NODES in seen)
        elif section == _ATTRIBUTES:
            key, _, value = line.partition(":")
            if key == "kind" and value.strip().lower() in KINDS:
                builder.kind = value.strip().lower()
        # other sections, such as ambiguous triples, do not describe edges; an empty line does not end a section
        after_gap = not line
    if not seen & {_NODES, _EDGES}:
        raise GraphError(
            f"a graph of Tetrad must have a line {_NODES!r} or {_EDGES!r}, got neither; is it in another format?"
        )
    return builder.graph(kind)


def _read_nodes(line: str, number: int, builder: GraphBuilder) -> None:
    for piece in re.split("[,;]", line):
        name = piece.strip(" \t")
        role = next(
            (role for role, (left, right) in _BRACKETS.items() if name[:1] == left and name[-1:] == right), None
        )
        bare = name[1:-1] if role else name
        if not bare:
            raise GraphError(f"line {number}: a node must have a name; separate names by single semicolons")
        if bare in builder.names:
            raise GraphError(f"line {number}: names must differ, got the node {bare!r} twice; rename one of them")
        builder.node(bare, role)


def _read_edge(line: str, number: int, builder: GraphBuilder, listed: bool) -> None:
    pieces = _SPACE.split(_NUMBER.sub("", line, count=1), 3)
    if len(pieces) < 3:
        raise GraphError(f"line {number}: an edge must have two nodes, got {line!r}; write '1. a --> b'")
    a, edge, b = pieces[:3]
    try:
        at_a, at_b = parse_symbol(edge)
    except GraphError as error:
        raise GraphError(f"line {number}: {error}") from None
    a, b = (name if name in builder.names else _bare(name) for name in (a, b))
    for name in (a, b):
        if listed and name not in builder.names:
            raise GraphError(
                f"line {number}: an edge must join nodes of the list, got {name!r}; list it under {_NODES!r}"
            )
    builder.edge(a, b, at_a, at_b)


def _bare(name: str) -> str:
    """The name of a node in parentheses or brackets, as some versions write it also at an edge."""
    return name[1:-1] if len(name) > 2 and (name[0], name[-1]) in _BRACKETS.values() else name


def _written(name: str, role: str | None) -> str:
    """The name as the list of nodes has it, with parentheses or brackets for its role."""
    if _FORBIDDEN.search(name):
        refuse_name(name, "Tetrad's text", "spaces, commas, semicolons and control characters separate names there")
    if role is None:
        if (name[0], name[-1]) in _BRACKETS.values():
            refuse_name(name, "Tetrad's text", "parentheses mean latent there, and brackets selection")
        return name
    left, right = _BRACKETS[role]
    if left in name or right in name:
        refuse_name(name, "Tetrad's text", f"it already has {left!r} or {right!r} in it, which mark its role there")
    return f"{left}{name}{right}"
