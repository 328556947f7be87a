"""The proper back-door graph of one graph of a class, made undirected: minimal adjustment sets, and the best one.

Let H join the ancestors of X and Y, in the graph without the first edges of causal paths, wherever they are adjacent or
connected by colliders, with a way around each node that must not be adjusted for. In H, adjustment sets of ancestors
are those that separate X from Y. The set next to Y is one of them, and no set of ancestors has a smaller asymptotic
variance: of two adjustment sets G and B, G has the smaller one if

- Y is independent of B without G, given G and X: what B has beyond G tells nothing about Y; and
- X is independent of G without B, given B: what G has beyond B tells nothing about X

(Henckel, Perković & Maathuis 2022, theorem 3.1, in linear systems; Rotnitzky & Smucler 2020 for one cause without any
model). Nothing but the set next to Y is joined to Y, which is the first. B separates X from Y, and G is joined to Y, so
B separates X from what G has beyond it, which is the second. It holds for every adjustment set, of ancestors or not, if
Y is also independent of all other nodes that may be adjusted for, given G and X. Without latent variables it always is,
and G is the O-set of Henckel et al., the parents of the nodes on causal paths. With latent variables a best set need
not exist (Smucler, Sapienza & Rotnitzky 2022).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.effects.criterion import Criterion, reached
from ancestral.effects.separators import minimal_separators, moral, next_to
from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.definite_status import connecting_walk
from ancestral.graphs.marks import ARROW, NONE
from ancestral.graphs.member import member_marks

__all__ = ["BackDoorGraph"]

Marks = NDArray[np.uint8]
Nodes = frozenset[int]


@dataclass(frozen=True)
class BackDoorGraph:
    """H, as the docstring of the module has it, for the question of a criterion.

    If the graph of the criterion is not that of a class, one graph need not represent all: so each set is checked.
    """

    criterion: Criterion

    @cached_property
    def member(self) -> Marks:
        """The marks of one graph of the class."""
        return member_marks(self.criterion.marks)

    @cached_property
    def _without_first_edges(self) -> Marks:
        gone = self.criterion.cut | self.criterion.cut.T
        return np.where(gone, np.uint8(NONE), self.member)

    @cached_property
    def ancestors(self) -> Nodes:
        """The ancestors of X and Y, without the causal paths from X to Y; X and Y are included."""
        c = self.criterion
        return reached(directed_steps(self._without_first_edges).T, c.xs | c.ys)

    @cached_property
    def _joined(self) -> NDArray[np.bool_]:
        kept = self._without_first_edges
        return moral(kept == ARROW, kept != NONE, self.ancestors)

    def minimal(self) -> Iterator[Nodes]:
        """Minimal adjustment sets, the one nearest to Y first, which has the smallest asymptotic variance of them."""
        c = self.criterion
        return filter(c.allows, minimal_separators(self._joined, c.ys, c.xs, c.allowed & self.ancestors))

    def next_to_outcome(self) -> Nodes | None:
        """The adjustment set next to Y, the best of all that have only ancestors; None if it is not one."""
        c = self.criterion
        found = next_to(self._joined, c.ys, c.xs, c.allowed & self.ancestors)
        return found if found is not None and c.allows(found) else None

    def tells_more(self, given: Nodes) -> int | None:
        """A node that may be adjusted for, and tells about Y what the given ones and X do not; None if none does."""
        c = self.criterion
        walk = connecting_walk(self.member, c.ys, c.allowed - given, given | c.xs)
        return None if walk is None else walk[-1]
