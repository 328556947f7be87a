"""The finite DAG of a window on a process without a beginning: the past before it becomes latent common causes.

All nodes before the window are latent. So all that they do is to confound: two nodes of the window whose parents before
it are the same, or have a common ancestor, share a latent cause, and nothing else of the past matters (latent
projection, Verma & Pearl 1990). Whether two nodes have a common ancestor depends on their processes and the steps
between them alone. It is decided by walks that always go from the later of two nodes to one of its parents, until both
nodes are the same: at most the largest lag is then ever between them, so that there are finitely many pairs to visit.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from ancestral.graphs.kinds import DAG
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.graphs.window import Window, node_at

__all__ = ["CommonPast", "Place", "window_dag"]

#: A process and a number of steps back: for a parent, its lag; for a node of a window, how long before t it is.
Place = tuple[str, int]


class CommonPast:
    """Which nodes have a common ancestor, where a node is an ancestor of itself.

    `parents` has the parents of each process with their lags, and its processes in a causal order within a step.

    >>> past = CommonPast({"L": [], "a": [("L", 0)], "b": [("L", 2), ("b", 1)]})
    >>> past.joins(("a", 2), ("b", 0)), past.joins(("a", 0), ("b", 0))
    (True, False)
    """

    def __init__(self, parents: Mapping[str, Sequence[Place]]) -> None:
        self._rank = {process: i for i, process in enumerate(parents)}
        self._parents = parents
        self._order = max((lag for causes in parents.values() for _, lag in causes), default=0)
        self._pairs = self._fixpoint()

    def joins(self, one: Place, other: Place) -> bool:
        """Whether two nodes have a common ancestor; they are at most the largest lag of an edge apart."""
        return self._pair(one, other) in self._pairs

    def _pair(self, one: Place, other: Place) -> tuple[str, str, int]:
        """Two nodes up to shifts: the one that cannot be an effect of the other, that one, and the steps between."""
        (early, first), (late, second) = sorted((one, other), key=lambda place: (-place[1], self._rank[place[0]]))
        return early, late, first - second

    def _fixpoint(self) -> set[tuple[str, str, int]]:
        """The least set with all pairs of equal nodes and all pairs from which a step leads into the set."""
        leads_from: dict[tuple[str, str, int], list[tuple[str, str, int]]] = {}
        for early, steps in ((process, steps) for process in self._parents for steps in range(self._order + 1)):
            for late, causes in self._parents.items():
                if steps > 0 or self._rank[early] < self._rank[late]:
                    for cause in causes:
                        leads_from.setdefault(self._pair((early, steps), cause), []).append((early, late, steps))
        found = {(process, process, 0) for process in self._parents}
        queue = list(found)
        for pair in queue:
            fresh = [other for other in leads_from.get(pair, ()) if other not in found]
            found.update(fresh)
            queue += fresh
        return found


def window_dag(
    observed: Sequence[str], latent: Sequence[str], parents: Mapping[str, Sequence[Place]], lags: int
) -> DAG:
    """The DAG of the steps t-`lags` … t, which entails the same separations as the graph of all steps.

    `parents` is as for `CommonPast`. The observed nodes come first, in the order of `Window.names`, then those of the
    latent processes, then a latent node for each two nodes with a common past before the window.
    """
    nodes = [*Window(tuple(observed), lags).names, *Window(tuple(latent), lags).names]
    arrows: list[tuple[str, str]] = []
    before: dict[str, list[Place]] = {}
    for process, causes in parents.items():
        for lag in range(lags + 1):
            node = node_at(process, lag)
            places = [(cause, lag + steps) for cause, steps in causes]
            arrows += [(node_at(*place), node) for place in places if place[1] <= lags]
            before[node] = [place for place in places if place[1] > lags]

    past = CommonPast(parents)
    known = set(nodes)
    confounders: list[str] = []
    for one, other in combinations([node for node in nodes if before[node]], 2):
        if any(past.joins(a, b) for a in before[one] for b in before[other]):
            confounders.append(_fresh(one, other, known))
            arrows += [(confounders[-1], one), (confounders[-1], other)]

    hidden = [*nodes[len(observed) * (lags + 1) :], *confounders]
    return _dag([*nodes, *confounders], arrows, hidden)


def _fresh(one: str, other: str, known: set[str]) -> str:
    """A name for the common past of two nodes that is not among the known names, and is from now on."""
    name = f"past.{one}.{other}"
    while name in known:
        name += "'"
    known.add(name)
    return name


def _dag(nodes: Sequence[str], arrows: Iterable[tuple[str, str]], latent: Sequence[str]) -> DAG:
    """The DAG with these arrows."""
    index = {name: i for i, name in enumerate(nodes)}
    marks = np.zeros((len(nodes), len(nodes)), dtype=np.uint8)
    for cause, effect in arrows:
        marks[index[cause], index[effect]], marks[index[effect], index[cause]] = ARROW, TAIL
    return DAG(nodes, marks, latent=latent)
