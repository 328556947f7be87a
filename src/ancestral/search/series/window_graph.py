"""The graph of a window while it loses edges: a pair that is separated takes its copies along.

A set that separates a pair separates each copy of it, if the set is moved along and stays in the window. A pair that is
adjacent at some place of the window is adjacent at every earlier place, so that a pair separated early is separated
late, too. The reverse is false: an edge may be there at the beginning of the window alone, since what came before it is
not measured.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.graphs.window import Places
from ancestral.knowledge import Constraints
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.lookup import Given, Pair
from ancestral.search.stage import FoundBy
from ancestral.search.working_graph import Evidence, WorkingGraph, complete_graph

__all__ = ["Separated", "WindowGraph"]

#: A pair, the set that separates it, and the statistic and degrees of freedom of that question.
Separated = tuple[int, int, Given, tuple[float, float]]


class WindowGraph(WorkingGraph):
    """A graph over the nodes of a window; `open` are the edges to ask about, in the order of asking.

    These are the edges that end at t, and earlier copies of pairs that have no edge there.
    """

    def __init__(self, places: Places, constraints: Constraints) -> None:
        n = len(places.process)
        super().__init__(complete_graph(n), Sepsets(n), constraints)
        self.places = places
        self.open: dict[Pair, None] = dict.fromkeys(places.latest)
        self._required = set(map(tuple, constraints.required.tolist()))
        for pair in self._required:
            self.open.pop(pair, None)
        self.marks[constraints.no_cause.T & (self.marks != NONE)] = ARROW
        self.marks[constraints.cause.T & (self.marks != NONE)] = TAIL

    def separate(self, found: Iterable[Separated], radius: int, found_by: FoundBy) -> bool:
        """Remove edges that sets separate, and those of copies for which the set, moved along, stays in the window.

        An edge stays if it is required, and if a later copy has an edge and the set, moved there, leaves the window.
        Returns whether any edge was removed.
        """
        marks = self.marks.copy()
        gone: list[Pair] = []
        for x, y, given, evidence in found:
            own, copies = self.places.copies(x, y)
            there = [(steps, pair) for steps, pair in enumerate(copies) if marks[pair] != NONE]
            moved = {pair: self.places.shifted(given, steps - own) for steps, pair in there}
            if not self._required.isdisjoint(moved) or any(moved[pair] is None for step, pair in there if step < own):
                continue
            for steps, (u, v) in there:
                nodes = moved[u, v]
                if nodes is None:
                    self.open[u, v] = None
                    continue
                by = found_by if steps == own else FoundBy.COPY
                self.sepsets.record(u, v, nodes, radius, by, evidence)
                marks[u, v] = marks[v, u] = NONE
                self.open.pop((u, v), None)
                gone.append((u, v))
        if not gone:
            return False
        self._continue_with(marks, np.array(gone, dtype=np.intc))
        return True

    def remove_false(self, false: Mapping[Pair, Given], radius: int, found_by: FoundBy, evidence: Evidence) -> bool:
        """Remove single edges with their copies, each with the set that separates it; whether any was removed."""
        found = [(x, y, given, evidence(x, y, given)) for (x, y), given in false.items()]
        return self.separate(found, radius, found_by)
