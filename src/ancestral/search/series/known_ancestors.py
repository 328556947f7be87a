"""Known ancestors: nodes that are given in every question about a pair, since they cause one of the two.

Ancestors of x or y, added to a set that separates x and y, never connect them, as long as nothing was selected on: a
path that z opens has a collider c that causes z and nothing in the set; of such colliders take the one nearest to y;
then c causes z, which causes x, say, by a path without a node of the set, and x and y were connected before. So to give
them always loses no separation, and on data it takes the memory of a process out of every question.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.search.lookup import Given

__all__ = ["KnownAncestors"]


class KnownAncestors:
    """Which nodes are known to cause which: `causes[a, x]`, a matrix over positions."""

    def __init__(self, causes: NDArray[np.bool_]) -> None:
        self.causes = causes
        self._sets: dict[tuple[int, int], Given] = {}
        self._of_node = [frozenset(np.flatnonzero(column).tolist()) for column in causes.T]

    @classmethod
    def found(cls, marks: NDArray[np.uint8], stated: NDArray[np.bool_]) -> "KnownAncestors":
        """The nodes with a directed path to each node of a graph, and those that are stated to cause it."""
        causes = reachable(directed_steps(marks)) | stated
        np.fill_diagonal(causes, False)
        return cls(causes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownAncestors) and np.array_equal(self.causes, other.causes)

    __hash__ = None  # type: ignore[assignment]

    def of(self, x: int, y: int) -> Given:
        """The known ancestors of x or y, without the two, in increasing order."""
        key = (x, y) if x < y else (y, x)
        if key not in self._sets:
            self._sets[key] = tuple(sorted((self._of_node[x] | self._of_node[y]) - {x, y}))
        return self._sets[key]
