"""What follows from knowledge: for each ordered pair, whether x causes y, and whether x causes neither y nor selection.

With A for "causes" by required edges, transitive and reflexive, and N for "does not cause" as stated:
  who causes x and not y …      A(a, x), N(a, b), A(y, b)  gives  N(x, y): if x caused y, then a would cause b,
  what caused cannot cause      A(x, y)  gives  N(y, x), as far as the two are concerned.
An arrowhead at x says more than that x does not cause y: it did not drive the selection, `free` of it. Whoever is
stated not to cause something is free; and so is all that the free cause.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.graphs.csr import joined
from ancestral.graphs.marks import ARROW, NONE, TAIL

__all__ = ["Constraints"]

Truths = NDArray[np.bool_]
Pairs = NDArray[np.intc]


@dataclass(frozen=True, eq=False)
class Constraints:
    """For positions x and y.

    - `no_cause[x, y]`: x causes neither y nor what the sample was selected on: an arrowhead at x on x–y.
    - `cause[x, y]`: x causes y: a tail at x on x–y.
    - `required`, `no_edge`: rows x, y with x < y of pairs that must be adjacent, or must not.
    """

    no_cause: Truths
    cause: Truths
    required: Pairs
    no_edge: Pairs

    def of_some(self, where: Pairs) -> "Constraints":
        """What it says about these positions, which are given in order, and of no others."""
        if len(where) == len(self.cause):
            return self
        place = np.full(len(self.cause), -1, dtype=np.intc)
        place[where] = np.arange(len(where))
        required, no_edge = (place[pairs] for pairs in (self.required, self.no_edge))
        few = np.ix_(where, where)
        return Constraints(
            self.no_cause[few],
            self.cause[few],
            required[(required >= 0).all(axis=1)],
            no_edge[(no_edge >= 0).all(axis=1)],
        )

    @classmethod
    def of(cls, knowledge: Any, names: Sequence[str], selection_bias: bool) -> "Constraints":
        """All that knowledge says about variables with these names; it must speak of no others."""
        n = len(names)
        at = {name: i for i, name in enumerate(names)}
        steps = np.zeros((n, n), dtype=bool)
        for x, y in knowledge.required:
            steps[at[x], at[y]] = True
        causes = reachable(steps)  # reflexive
        stated = np.zeros((n, n), dtype=bool)
        rank = np.full(n, -1)
        for i, tier in enumerate(knowledge.tiers):
            rank[[at[name] for name in tier]] = i
        stated |= (rank[:, None] > rank[None, :]) & (rank >= 0)[None, :]
        for x, y in knowledge.forbidden:
            stated[at[x], at[y]] = True
        for x in knowledge.exogenous:
            stated[:, at[x]] = True
        np.fill_diagonal(stated, False)
        free: Truths = np.ones(n, dtype=bool)
        if selection_bias:
            free = np.asarray(stated.any(axis=1))
        if steps.any():
            stated = _product(_product(causes.T, stated), causes.T) | (causes.T & ~causes)
            free = np.asarray((causes & free[:, None]).any(axis=0))
        cause = causes & ~np.eye(n, dtype=bool)
        return cls(stated & free[:, None], cause, _rows(knowledge.required, at), _rows(knowledge.no_edge, at))

    def denied(self, marks: NDArray[np.uint8]) -> list[tuple[int, int]]:
        """The x, y of which a graph says that x causes y, by a tail or by directed edges, and which is known not to."""
        said = (reachable(directed_steps(marks)) | (marks.T == TAIL)) & self.no_cause
        return [(int(x), int(y)) for x, y in np.argwhere(said)]

    @staticmethod
    def directed_path(marks: NDArray[np.uint8], x: int, y: int) -> list[int]:
        """The nodes of a shortest directed path from x to y; empty where there is none."""
        steps = directed_steps(marks)
        came_from = {x: -1}
        queue = [x]
        for u in queue:
            for v in np.flatnonzero(steps[u]).tolist():
                if v not in came_from:
                    came_from[v] = u
                    queue.append(v)
        path = [y] if y in came_from else []
        while path and path[-1] != x:
            path.append(came_from[path[-1]])
        return path[::-1]

    def rows(self, marks: NDArray[np.uint8]) -> Pairs:
        """What it says about the edges of a graph: rows x, y, mark at x, mark at y (0: nothing), with x < y."""
        pairs, _ = joined(marks)
        x, y = pairs.T
        at = [np.where(self.no_cause[u, v], ARROW, np.where(self.cause[u, v], TAIL, 0)) for u, v in ((x, y), (y, x))]
        rows = np.column_stack([x, y, *at]).astype(np.intc)
        return rows[rows[:, 2:].any(axis=1)]

    def denying_steps(self, marks: NDArray[np.uint8]) -> Truths:
        """The directed edges u --> v of a graph on a way from an x to a y that x is known not to cause."""
        steps = directed_steps(marks)
        reached = reachable(steps)
        out = np.zeros_like(steps)
        for x, y in np.argwhere(reached & self.no_cause):
            out |= steps & reached[x][:, None] & reached[:, y][None, :]
        return out

    def is_kept_by(self, marks: NDArray[np.uint8]) -> bool:
        """Whether a graph denies nothing of it: no mark, no directed path, no edge, no missing edge."""
        adjacent = marks[self.required[:, 0], self.required[:, 1]]
        apart = marks[self.no_edge[:, 0], self.no_edge[:, 1]]
        denied = self.denied(marks) or (self.cause & (marks.T == ARROW)).any()
        return not denied and bool((adjacent != NONE).all() and (apart == NONE).all())

    def requires(self, pairs: Pairs) -> Truths:
        """Which of these rows x, y are required."""
        asked, wanted = (rows[:, 0].astype(np.int64) * len(self.cause) + rows[:, 1] for rows in (pairs, self.required))
        return np.isin(asked, wanted)


def _product(one: Truths, other: Truths) -> Truths:
    """Whether there is a step of one and then a step of the other."""
    return (one.astype(np.float32) @ other.astype(np.float32)) > 0


def _rows(pairs: Sequence[tuple[str, str]], at: dict[str, int]) -> Pairs:
    rows = sorted({(min(at[x], at[y]), max(at[x], at[y])) for x, y in pairs})
    return np.array(rows, dtype=np.intc).reshape(-1, 2)
