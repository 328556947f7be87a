r"""A graph in the language of graphviz, DOT: a circle is `odot`, an arrowhead `normal`, a tail `none`.

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

__all__ = ["dot"]

_SHAPES = {CIRCLE: "odot", ARROW: "normal", TAIL: "none"}
_ENTITY = re.compile(r"&(?=#?\w+;)")


def dot(graph: MixedGraph) -> str:
    """The graph for graphviz: `dot -Tsvg` draws it."""
    lines = [f"  {_quoted(name)};" for name in graph.nodes]
    for a, edge, b in graph.edges():
        at_a, at_b = parse_symbol(edge)
        shapes = f"[arrowtail={_SHAPES[at_a]}, arrowhead={_SHAPES[at_b]}]"
        lines.append(f"  {_quoted(a)} -> {_quoted(b)} {shapes};")
    return "\n".join(["digraph {", "  edge [dir=both];", *lines, "}"])


def _quoted(name: str) -> str:
    """A name between quotes such that it is shown as it is: a label reads backslashes and HTML entities."""
    shown = name.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n")
    return f'"{_ENTITY.sub("&amp;", shown)}"'
