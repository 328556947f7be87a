import re
from itertools import pairwise

import pytest

from ancestral import PAG, to_dot
from ancestral.graphs.marks import SYMBOLS, flipped

STRANGE = ["a", "node", "b c", 'say "hi"', "back\\", "\\n", "R&amp;D", "R&D", "ü", "x->y", "two\nlines", "{x}|<y>"]
ID = r'"(?:[^"\\]|\\.)*"'
MARKS = {"odot": "o", "none": "-"}


def read(text: str) -> PAG:
    """A small reader of the DOT that is written here: labels as graphviz shows them."""
    first, second, *lines, last = text.splitlines()
    assert re.fullmatch(r"digraph (PAG )?\{", first)
    assert (second, last) == ("  edge [dir=both];", "}")
    nodes, edges = [], []
    for line in lines:
        if node := re.fullmatch(rf"  ({ID});", line):
            nodes.append(shown(node[1]))
            continue
        edge = re.fullmatch(rf"  ({ID}) -> ({ID}) \[arrowtail=(\w+), arrowhead=(\w+)\];", line)
        assert edge, line
        left, right = MARKS.get(edge[3], "<"), MARKS.get(edge[4], ">")
        edges.append((shown(edge[1]), f"{left}-{right}", shown(edge[2])))
    return PAG.from_edges(edges, nodes)


def shown(quoted: str) -> str:
    text = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), quoted[1:-1])
    return text.replace("&amp;", "&")


@pytest.mark.parametrize("edge", sorted({*SYMBOLS, *map(flipped, SYMBOLS)}))
def test_marks(edge: str) -> None:
    pag = PAG.parse(f"a {edge} b, c")
    assert read(to_dot(pag)) == pag


def test_names_are_shown_as_they_are() -> None:
    pag = PAG.from_edges([(a, "o->", b) for a, b in pairwise(STRANGE)])
    assert read(to_dot(pag)) == pag


def test_an_arrow_and_a_circle() -> None:
    assert to_dot(PAG.parse("b <-o a")).splitlines()[-2] == '  "a" -> "b" [arrowtail=odot, arrowhead=normal];'
