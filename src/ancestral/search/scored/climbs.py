"""Climbs from several starts, and how their results are put together.

No local optimum is best everywhere, so `merge` takes over from each the parts that are better. `walk` goes on from
there through graphs with the same score, from which a climb may lead further down.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import NONE
from ancestral.scores._climb_cy import LEAST_GAIN, Climb
from ancestral.scores.edge_types import type_of
from ancestral.search.scored.limits import Limits

__all__ = ["LEAST_GAIN", "WORTH_A_WALK", "Climbs", "Optimum", "differences", "merge", "take_groups", "walk"]

Marks = NDArray[np.uint8]

#: How much the first of two changes may cost, if the second one gives another edge another type.
REACH = 10.0

#: A walk changes the score by less than this at each step: graphs of one class differ by what the fits leave open.
SAME_SCORE = 0.02

#: Districts of more nodes are left alone by walks: to fit them takes long.
WALKED_NODES = 12

#: What a walk has led to is taken over where it lowers the score by this much: smaller differences are noise.
WORTH_A_WALK = 4.0

#: How often a walk tries each edge.
WALK_TURNS = 3

#: Rounds of merging; later ones rarely find anything.
MERGE_ROUNDS = 3


@dataclass(frozen=True)
class Climbs:
    """Climbs over the same data, with the same candidate pairs.

    `pairs` are the pairs whose type may change; a climb begins with those that are `inner`.
    """

    blocks: ColumnBlocks
    limits: Limits
    gamma: float
    pairs: NDArray[np.intp]
    inner: NDArray[np.bool_]

    def begin(self, pulse: Pulse) -> Climb:
        """A climb that is at the graph without edges."""
        climb = Climb(
            self.blocks.correlation,
            self.blocks.starts,
            float(self.blocks.rows),
            gamma=self.gamma,
            types_allowed=self.limits.types.copy(),
            no_cause=self.limits.no_cause,
            pulse=pulse,
            reach=REACH,
        )
        climb.set_candidates(self.pairs)
        return climb

    def climb_from(self, climb: Climb, marks: Marks) -> "Optimum":
        """The graph that a climb comes to from this one, which is ancestral and maximal."""
        climb.load(marks)
        climb.set_active(self.inner)
        climb.climb()
        climb.set_active(np.ones(len(self.pairs)))
        climb.climb()
        return Optimum.of(climb)


@dataclass(frozen=True, eq=False)
class Optimum:
    """A graph that no change lowers the score of, and its score."""

    score: float
    marks: Marks

    @classmethod
    def of(cls, climb: Climb) -> "Optimum":
        """The graph that a climb is at."""
        return cls(climb.total, climb.matrix())


def merge(climb: Climb, others: Sequence[Marks], worth: float = LEAST_GAIN) -> None:
    """Take over parts of other graphs that lower the score by `worth`, and climb on.

    The pairs in which a graph differs fall into groups that share no node; a group is taken over as a whole.
    """
    for _ in range(MERGE_ROUNDS):
        before = climb.total
        for marks in others:
            take_groups(climb, climb.matrix(), marks, worth)
        climb.climb()
        if climb.total > before - LEAST_GAIN:
            return


def take_groups(climb: Climb, before: Marks, marks: Marks, worth: float) -> None:
    """Take over each group of pairs in which another graph differs from `before`, if that is worth it."""
    for group in differences(before, marks):
        climb.change_types(group, [type_of(marks, a, b) for a, b in group], -worth)


def walk(climb: Climb, rng: np.random.Generator) -> None:
    """Change types at random while the score stays the same, and climb."""
    edges = np.argwhere(np.triu(climb.matrix() != NONE, 1))
    tried = np.concatenate([rng.permutation(edges) for _ in range(WALK_TURNS)])
    climb.walk(tried, rng.integers(1, 4, len(tried)), WALKED_NODES, SAME_SCORE)
    climb.climb()


def differences(one: Marks, other: Marks) -> list[list[tuple[int, int]]]:
    """The pairs whose edges differ, in groups that share no node."""
    pairs = [(a, b) for a, b in np.argwhere(np.triu((one != other) | (one.T != other.T), 1)).tolist()]
    group = {v: v for pair in pairs for v in pair}

    def root(v: int) -> int:
        while group[v] != v:
            v = group[v]
        return v

    for a, b in pairs:
        group[root(a)] = root(b)
    out: dict[int, list[tuple[int, int]]] = {}
    for a, b in pairs:
        out.setdefault(root(a), []).append((a, b))
    return list(out.values())
