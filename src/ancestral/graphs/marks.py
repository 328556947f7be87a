"""The marks at the two ends of an edge, and the three characters that show them.

`marks[x, y]` is the mark at y on the edge x–y. An edge reads from left to right: its left character is the
mark at the left node (`<`, `o` or `-`), its right character the mark at the right node (`>`, `o` or `-`).
A pattern may have `*` for any mark: `*->` is an edge with an arrowhead on the right.
"""

from functools import cache

from ancestral.errors import GraphError
from ancestral.printing import shown

__all__ = ["ARROW", "CIRCLE", "MARK_NAMES", "NONE", "SYMBOLS", "TAIL", "flipped", "matches", "parse_symbol", "symbol"]

#: The codes of marks in matrices; kernels have the same numbers from `_marks.pxd`.
NONE, CIRCLE, ARROW, TAIL = range(4)

#: What the marks are called, by their codes.
MARK_NAMES = ("none", "circle", "arrowhead", "tail")

_LEFT = {CIRCLE: "o", ARROW: "<", TAIL: "-"}
_RIGHT = {CIRCLE: "o", ARROW: ">", TAIL: "-"}
_ANY = frozenset((CIRCLE, ARROW, TAIL))
_SHORT = {"->": "-->", "<-": "<--", "--": "---"}

#: The six kinds of edges, each in the direction in which it is written.
SYMBOLS = ("-->", "<->", "o->", "o-o", "---", "o--")


def symbol(left: int, right: int) -> str:
    """The edge with these marks at its left and right node.

    >>> symbol(CIRCLE, ARROW)
    'o->'
    """
    return f"{_LEFT[left]}-{_RIGHT[right]}"


def flipped(edge: str) -> str:
    """The same edge, read from its other end: `o->` becomes `<-o`."""
    left, right = parse_symbol(edge)
    return symbol(right, left)


def matches(pattern: str) -> tuple[frozenset[int], frozenset[int]]:
    """The marks that a pattern allows at its left and at its right node."""
    if not isinstance(pattern, str):
        raise GraphError(f"an edge must be text, got {shown(pattern)}; write one of {' '.join(SYMBOLS)}")
    return _matches(pattern)


@cache
def _matches(pattern: str) -> tuple[frozenset[int], frozenset[int]]:
    edge = _SHORT.get(pattern, pattern)
    left = {"*": _ANY} | {shown: frozenset((mark,)) for mark, shown in _LEFT.items()}
    right = {"*": _ANY} | {shown: frozenset((mark,)) for mark, shown in _RIGHT.items()}
    if len(edge) != 3 or edge[0] not in left or edge[1] != "-" or edge[2] not in right:
        raise GraphError(
            f"{pattern!r} is not an edge; edges are {' '.join(SYMBOLS)} and their mirror images, with * for any mark"
        )
    return left[edge[0]], right[edge[2]]


def parse_symbol(edge: str) -> tuple[int, int]:
    """The marks at the left and the right node of an edge without `*`."""
    left, right = matches(edge)
    if len(left) > 1 or len(right) > 1:
        raise GraphError(f"{edge!r} is a pattern; an edge needs a mark at each end, one of {' '.join(SYMBOLS)}")
    return min(left), min(right)
