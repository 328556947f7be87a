"""The separations that a DAG implies, for all pairs at once: by parents of one of the two.

A node is separated from every node that is not its descendant by its parents (the local Markov property). Of these,
only those matter to which a walk leads from the other node given the rest of them: what is left still separates, and
none of it can be left out (Tian, Paz & Pearl 1998). So one walk from each parent of a node serves all of its pairs.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.graphs.bits import bits_of
from ancestral.graphs.marks import NONE

__all__ = ["local_separations"]

Rows = NDArray[np.intc]


def local_separations(dag: NDArray[np.uint8]) -> tuple[Rows, Rows, Rows]:
    """For each pair of nodes that a DAG does not join, a minimal set that separates it, of parents of one of the two.

    `dag` are its marks. Returns rows x, y with x < y, the size of the set of each pair, and the members of all sets,
    one set after another.

    >>> from ancestral.graphs import DAG
    >>> pairs, sizes, members = local_separations(DAG.parse("a -> b, b -> c, d -> c").marks)
    >>> pairs.tolist(), sizes.tolist(), members.tolist()
    ([[0, 3], [1, 3], [0, 2]], [0, 0, 1], [1])
    """
    steps, walker = directed_steps(dag), Walker(dag)
    ancestors = np.count_nonzero(reachable(steps), axis=0)  # a descendant has more
    order = np.argsort(ancestors, kind="stable")
    pairs, sizes, members = [], [], []
    for place, y in enumerate(order.tolist()):
        before = np.sort(order[:place])
        others = before[dag[before, y] == NONE]
        parents = np.flatnonzero(steps[:, y])
        reached = np.zeros((len(others), len(parents)), dtype=bool)
        for i, p in enumerate(parents.tolist()):
            rest = bits_of(parents[parents != p].tolist(), walker.words)
            reached[:, i] = np.isin(others, walker.reached(p, rest, rest))
        pairs.append(np.column_stack([np.minimum(others, y), np.maximum(others, y)]))
        sizes.append(np.count_nonzero(reached, axis=1))
        members.append(parents[np.nonzero(reached)[1]])
    joined = [np.concatenate(parts).astype(np.intc) for parts in (pairs, sizes, members)]
    return joined[0], joined[1], joined[2]
