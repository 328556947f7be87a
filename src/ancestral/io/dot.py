r"""A graph in the language of graphviz, DOT: a circle is `odot`, an arrowhead `normal`, a tail `none`.

A graph whose edges do not show its kind has the kind for a name, and latent and selection nodes have a `role`, so that
`from_dot` reads what was written.

>>> from ancestral.graphs import PAG
>>> print(dot(PAG.parse('a o-> "b c", d')))
digraph {
  edge [dir=both];
  "a";
  "b c";
  "d";
  "a" -> "b c" [arrowtail=odot, arrowhead=normal];
}
"""

import re

from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol
from ancestral.io.kinds import unseen_kind

__all__ = ["dot"]

_SHAPES = {CIRCLE: "odot", ARROW: "normal", TAIL: "none"}
_ENTITY = re.compile(r"&(?=#?\w+;)")
_ROLES = {"latent": " [role=latent, style=dashed]", "selection": " [role=selection, shape=box]"}


def dot(graph: MixedGraph) -> str:
    """The graph for graphviz: `dot -Tsvg` draws it."""
    kind = unseen_kind(graph)
    roles = {name: text for role, text in _ROLES.items() for name in getattr(graph, role, ())}
    lines = [f"  {_quoted(name)}{roles.get(name, '')};" for name in graph.nodes]
    for a, edge, b in graph.edges():
        at_a, at_b = parse_symbol(edge)
        shapes = f"[arrowtail={_SHAPES[at_a]}, arrowhead={_SHAPES[at_b]}]"
        lines.append(f"  {_quoted(a)} -> {_quoted(b)} {shapes};")
    head = "digraph {" if kind is None else f"digraph {kind} {{"
    return "\n".join([head, "  edge [dir=both];", *lines, "}"])


def _quoted(name: str) -> str:
    """A name between quotes such that it is shown as it is: a label reads backslashes and HTML entities."""
    shown = name.replace("\\", "\\\\").replace('"', '\\"')
    shown = _ENTITY.sub("&amp;", shown).replace("\r", "&#13;").replace("\0", "&#0;").replace("\n", "\\n")
    return f'"{shown}"'
