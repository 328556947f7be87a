"""Claims of a PAG, and what it costs to deny one: the evidence for it.

A claim is an edge, an arrowhead or a tail. To deny it, the pair is kept from having the types that agree with it, the
graph is repaired, and a climb nearby looks for the best graph under that condition. What the score loses is the
evidence for the claim. It is not a Bayes factor.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.scores._climb_cy import Climb
from ancestral.scores.edge_types import ANY_TYPE, BACK, BOTH, FORTH, NO_EDGE, retyped, reversed_types
from ancestral.search.scored.climbs import REACH
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import legal_graph

__all__ = ["Claim", "Denial", "claims_of", "deny"]

Marks = NDArray[np.uint8]

#: No compound changes but those that remove an edge: a climb after each claim must be quick.
NO_REACH = -1.0


@dataclass(frozen=True, slots=True)
class Claim:
    """What a PAG says about the edge x–y: that it is there (`mark` 0), or that the mark at y is this one."""

    x: int
    y: int
    mark: int = NONE

    @property
    def denying_types(self) -> int:
        """The types of the pair x, y with which the claim is false, as a set."""
        if self.mark == NONE:
            return 1 << NO_EDGE
        return 1 << BACK if self.mark == ARROW else 1 << FORTH | 1 << BOTH


@dataclass(frozen=True, eq=False)
class Denial:
    """The best graph that was found in which a claim is false, and what the score is then worse by."""

    loss: float
    marks: Marks


def claims_of(pag: Marks) -> Iterator[Claim]:
    """The claims of a PAG, given by its marks: each edge, and each mark that is not a circle."""
    for a, b in np.argwhere(np.triu(pag != NONE, 1)).tolist():
        yield Claim(a, b)
        for x, y in ((b, a), (a, b)):
            if pag[x, y] in (ARROW, TAIL):
                yield Claim(x, y, int(pag[x, y]))


def deny(climb: Climb, limits: Limits, claim: Claim) -> Denial | None:
    """Deny a claim of the graph that a climb is at, and go back to it; None if knowledge does not allow it."""
    x, y = claim.x, claim.y
    types = claim.denying_types & int(limits.types[x, y])
    if not types:
        return None
    before, score = climb.matrix(), climb.total
    restricted = limits.types.copy()
    restricted[x, y], restricted[y, x] = types, _reversed(types)
    climb.allow(x, y, types, _reversed(types))
    climb.set_active(_near(before, climb, x, y))
    climb.set_reach(NO_REACH)
    try:
        if not _force(climb, Limits(restricted, limits.no_cause), x, y, types):
            return None
        climb.climb()
        return Denial(climb.total - score, climb.matrix())
    finally:
        climb.allow(x, y, int(limits.types[x, y]), int(limits.types[y, x]))
        climb.set_active(np.ones(climb.pairs))
        climb.set_reach(REACH)
        climb.load(before)


def _force(climb: Climb, limits: Limits, x: int, y: int, types: int) -> bool:
    """Give a pair the best of these types; if none is legal, repair the graph around one. Whether there is a graph."""
    legal = [kind for kind in range(4) if types >> kind & 1 and climb.may_change_to(x, y, kind)]
    if legal:
        best = min(legal, key=lambda kind: climb.weigh_change(x, y, kind))
        return climb.change_types([(x, y)], [best])
    wanted = next(kind for kind in (BACK, BOTH, FORTH, NO_EDGE) if types >> kind & 1)
    repaired = legal_graph(retyped(climb.matrix(), x, y, wanted), limits)
    if (repaired[x, y] == NONE) != (types == 1 << NO_EDGE):
        return False
    climb.load(repaired)
    return True


def _near(marks: Marks, climb: Climb, x: int, y: int) -> NDArray[np.bool_]:
    """Which candidate pairs have an end at x or y, or next to them."""
    near = (marks[[x, y]] != NONE).any(axis=0)
    near[[x, y]] = True
    return near[np.asarray(climb.first)] | near[np.asarray(climb.second)]


def _reversed(types: int) -> int:
    """A set of types for the pair in the other order."""
    assert 0 < types <= ANY_TYPE
    return int(reversed_types(np.array([types], dtype=np.uint8))[0])
