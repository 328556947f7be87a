"""The graph of a window while it loses edges: a pair that is separated takes its copies along.

A set that separates a pair separates each copy of it, if the set is moved along and stays in the window. A pair that is
adjacent at some place of the window is adjacent at every earlier place, so that a pair separated early is separated
late, too. The reverse is false: an edge may be there at the beginning of the window alone, since what came before it is
not measured.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from ancestral.graphs.marks import NONE
from ancestral.graphs.window import Places
from ancestral.knowledge import Constraints
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.lookup import Given, Pair
from ancestral.search.stage import FoundBy
from ancestral.search.working_graph import Evidence, WorkingGraph, complete_graph

__all__ = ["WindowGraph"]


class WindowGraph(WorkingGraph):
    """A graph over the nodes of a window."""

    def __init__(self, places: Places, constraints: Constraints | None) -> None:
        n = len(places.process)
        super().__init__(complete_graph(n), Sepsets(n), constraints)
        self.places = places

    def asked_pairs(self) -> list[Pair]:
        """The edges to ask about: those that end at t, and earlier copies of pairs that have no edge there."""
        return [
            (x, y)
            for pair in self.places.latest
            for x, y in self._earliest_open(*pair)
        ]

    def _earliest_open(self, x: int, y: int) -> Iterable[Pair]:
        if self.marks[x, y] != NONE:
            return [(min(x, y), max(x, y))]
        copies = self.places.copies(x, y)
        return [(min(u, v), max(u, v)) for _, u, v in copies if self.marks[u, v] != NONE]

    def separate(self, x: int, y: int, given: Given, found_by: FoundBy, evidence: tuple[float, float]) -> bool:
        """Remove the edge of a pair that these nodes separate, and those of its copies for which they stay in the window.

        The edge stays if it is required, and if a later copy has an edge that these nodes, moved along, leave the window
        for. Returns whether it was removed.
        """
        places, own = self.places, self.places.ends(x, y)
        moved = [
            (steps, u, v, places.shifted(given, steps - own))
            for steps, u, v in places.copies(x, y)
            if self.marks[u, v] != NONE
        ]
        pairs = np.array([(min(u, v), max(u, v)) for _, u, v, _ in moved], dtype=np.intc)
        if self.requires(pairs).any() or any(nodes is None for steps, _, _, nodes in moved if steps < own):
            return False
        gone = []
        for steps, u, v, nodes in moved:
            if nodes is not None:
                by = found_by if steps == own else FoundBy.COPY
                self.sepsets.record(u, v, nodes, len(nodes), by, evidence)
                gone.append((min(u, v), max(u, v)))
        self._remove(np.array(gone, dtype=np.intc))
        return True

    def remove_false(self, false: Mapping[Pair, Given], radius: int, found_by: FoundBy, evidence: Evidence) -> bool:
        """Remove single edges with their copies, each with the set that separates it; whether any was removed."""
        return any(
            [
                self.separate(x, y, given, found_by, evidence(x, y, given))
                for (x, y), given in false.items()
                if self.marks[x, y] != NONE
            ]
        )
