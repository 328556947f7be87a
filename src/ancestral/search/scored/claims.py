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
from ancestral.scores.ties import first_lowest
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import legal_graph

__all__ = ["Claim", "Denial", "claims_of", "cost_to_deny", "deny"]

Marks = NDArray[np.uint8]


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
    """What the score is worse by in the best graph that was found in which a claim is false, and perhaps its marks."""

    loss: float
    marks: Marks | None = None


def claims_of(pag: Marks) -> Iterator[Claim]:
    """The claims of a PAG, given by its marks: each edge, and each mark that is not a circle."""
    for a, b in np.argwhere(np.triu(pag != NONE, 1)).tolist():
        yield Claim(a, b)
        for x, y in ((b, a), (a, b)):
            if pag[x, y] in (ARROW, TAIL):
                yield Claim(x, y, int(pag[x, y]))


def cost_to_deny(climb: Climb, claim: Claim) -> float:
    """What the cheapest single change costs that denies a claim of the graph that a climb is at.

    It is -inf if there is none: then the claim rests on others, and little is known of its cost.
    """
    costs = [
        climb.weigh_change(claim.x, claim.y, kind)
        for kind in range(4)
        if claim.denying_types >> kind & 1 and climb.may_change_to(claim.x, claim.y, kind)
    ]
    return min(costs, default=-np.inf)


def deny(climb: Climb, limits: Limits, claim: Claim, wanted: float = -np.inf) -> Denial | None:
    """Deny a claim of the graph that a climb is at, and go back to it; None if knowledge does not allow it.

    The marks of the best graph without the claim are kept if the score is then worse by less than `wanted`.
    """
    x, y = claim.x, claim.y
    types = claim.denying_types & int(limits.types[x, y])
    if not types:
        return None
    score = climb.total
    climb.begin_excursion(x, y, types, _reversed(types))
    try:
        if not _force(climb, limits, x, y, types):
            return None
        climb.climb()
        loss = climb.total - score
        return Denial(loss, climb.matrix() if loss < wanted else None)
    finally:
        climb.end_excursion()


def _force(climb: Climb, limits: Limits, x: int, y: int, types: int) -> bool:
    """Give a pair the best of these types; if none is legal, repair the graph around one. Whether there is a graph."""
    legal = [kind for kind in range(4) if types >> kind & 1 and climb.may_change_to(x, y, kind)]
    if legal:
        best = first_lowest(legal, lambda kind: climb.weigh_change(x, y, kind))
        return climb.change_types([(x, y)], [best])
    restricted = limits.types.copy()
    restricted[x, y], restricted[y, x] = types, _reversed(types)
    kind = next(kind for kind in (BACK, BOTH, FORTH, NO_EDGE) if types >> kind & 1)
    repaired = legal_graph(retyped(climb.matrix(), x, y, kind), Limits(restricted, limits.no_cause))
    if (repaired[x, y] == NONE) != (types == 1 << NO_EDGE):
        return False
    climb.take_over(repaired)
    return True


def _reversed(types: int) -> int:
    """A set of types for the pair in the other order."""
    assert 0 < types <= ANY_TYPE
    return int(reversed_types(np.array([types], dtype=np.uint8))[0])
