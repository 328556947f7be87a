"""Overlapping sets of variables: random families, all families, and what every graph that agrees with them has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from ancestral import MAG
from tests.support.classes import Marks, mags, skeletons
from tests.support.reference import ARROW, TAIL

Family = tuple[tuple[int, ...], ...]


def random_family(rng: np.random.Generator, names: Sequence[str], share: float = 0.65) -> list[list[str]]:
    """Two or three sets of these names, each of at least two, that together have all."""
    while True:
        drawn = [[name for name in names if rng.random() < share] for _ in range(rng.integers(2, 4))]
        family = [some for some in drawn if len(some) > 1]
        if family and set().union(*family) == set(names):
            return family


def families(n: int) -> Iterator[Family]:
    """All families of sets of at least two of n numbers that have all of them, none inside another."""
    sets = [some for size in range(2, n + 1) for some in combinations(range(n), size)]
    for chosen in range(1, 1 << len(sets)):
        family = tuple(some for i, some in enumerate(sets) if chosen >> i & 1)
        inside = any(set(one) < set(other) for one in family for other in family)
        if not inside and len(set().union(*family)) == n:
            yield family


def families_up_to_isomorphism(n: int) -> Iterator[Family]:
    """One family for each way to rename the numbers."""
    for family in families(n):
        renamed = (
            tuple(sorted(tuple(sorted(order[v] for v in some)) for some in family)) for order in permutations(range(n))
        )
        if tuple(sorted(family)) == min(renamed):
            yield family


@dataclass(frozen=True)
class Agreed:
    """What all graphs say that agree with what was seen.

    `apart[a, b]`: they do not join a and b. `before[a, b]`: a is an ancestor of b or of selection in every DAG of every
    one of them; `not_before[a, b]`: in none.
    """

    apart: NDArray[np.bool_]
    before: NDArray[np.bool_]
    not_before: NDArray[np.bool_]


class EveryMag:
    """All MAGs on n nodes, by their separations and the relations of their nodes."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.names = [f"v{i}" for i in range(n)]
        found = [pair for skeleton in skeletons(n) for pair in mags(skeleton)]
        self.marks: list[Marks] = [marks for marks, _ in found]
        self.tables = np.stack([table for _, table in found])
        self.joined = np.stack([marks != 0 for marks in self.marks])
        self.before = np.stack([self._before(marks) for marks in self.marks])
        # without an arrowhead at it, a node may cause selection, and nobody would see it
        unseen = np.stack([~(marks == ARROW).any(axis=0) for marks in self.marks])
        self.not_before = ~self.before & ~unseen[:, :, None]
        _, self.classes = np.unique(self.tables.reshape(len(found), -1), axis=0, return_index=True)

    def _before(self, marks: Marks) -> NDArray[np.bool_]:
        """Which node is certainly an ancestor of which one, or of selection, which a --- says of both its ends."""
        steps = (marks.T == TAIL) | np.eye(self.n, dtype=bool)
        for _ in range(self.n):
            steps = (steps.astype(int) @ steps.astype(int)) > 0
        selected = ((marks == TAIL) & (marks.T == TAIL)).any(axis=1)
        return np.asarray(steps | selected[:, None], dtype=bool)

    def asked(self, family: Family) -> NDArray[np.bool_]:
        """Which entries of a table of separations are questions inside one of the sets."""
        out = np.zeros(self.tables.shape[1:], dtype=bool)
        for row, (x, y) in enumerate(combinations(range(self.n), 2)):
            for some in family:
                if x in some and y in some:
                    out[row] |= np.array([set(_bits(g)) <= set(some) for g in range(1 << self.n)])
        return out

    def agreed(self, truth: int, family: Family) -> Agreed:
        """What all graphs say whose separations inside the sets are those of this graph."""
        asked = self.asked(family)
        same = (self.tables[:, asked] == self.tables[truth][asked]).all(axis=1)
        return Agreed(~self.joined[same].any(axis=0), self.before[same].all(axis=0), self.not_before[same].all(axis=0))

    def graph(self, number: int) -> MAG:
        """The MAG of this number, with names."""
        return MAG(self.names, self.marks[number])


def _bits(number: int) -> list[int]:
    return [i for i in range(number.bit_length()) if number >> i & 1]
