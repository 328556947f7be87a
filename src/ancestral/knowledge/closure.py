"""What follows from knowledge: for each ordered pair, whether x causes y, and whether x causes neither y nor selection.

A(x, y) is "x causes y" by `required` and `causes`, transitive and reflexive; N(x, y) is "x does not cause y" as stated.
Then

- A(a, x), N(a, b) and A(y, b) imply N(x, y): if x caused y, then a would cause b;
- A(x, y), for x other than y, implies N(y, x).

An arrowhead at x says not only that x does not cause y, but also that x is not a cause of selection: x is `free` of it.
A variable with a "does not cause" statement is free of selection, and so are the variables that it is known to cause.
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
    """What knowledge implies for variables x and y, given by their positions.

    - `no_cause[x, y]`: x causes neither y nor what the sample was selected on: an arrowhead at x on x–y.
    - `cause[x, y]`: x causes y: a tail at x on x–y.
    - `required`, `no_edge`: pairs that must be adjacent, or must not be, as rows x, y with x < y.
    """

    no_cause: Truths
    cause: Truths
    required: Pairs
    no_edge: Pairs

    def of_some(self, where: Pairs) -> "Constraints":
        """The constraints on these variables alone, given by their positions in increasing order."""
        if len(where) == len(self.cause):
            return self
        place = np.full(len(self.cause), -1, dtype=np.intc)
        place[where] = np.arange(len(where))
        required, no_edge = (place[pairs] for pairs in (self.required, self.no_edge))
        chosen = np.ix_(where, where)
        return Constraints(
            self.no_cause[chosen],
            self.cause[chosen],
            required[(required >= 0).all(axis=1)],
            no_edge[(no_edge >= 0).all(axis=1)],
        )

    @classmethod
    def of(cls, knowledge: Any, names: Sequence[str], selection_bias: bool) -> "Constraints":
        """The constraints that a `Knowledge` implies for variables with these names; it must name no others."""
        n = len(names)
        at = {name: i for i, name in enumerate(names)}
        steps = np.zeros((n, n), dtype=bool)
        for x, y in (*knowledge.required, *knowledge.causes):
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
        """The pairs x, y such that x causes y by a tail or a directed path of a graph, and is known not to."""
        causes = reachable(directed_steps(marks)) | (marks.T == TAIL)
        return [(int(x), int(y)) for x, y in np.argwhere(causes & self.no_cause)]

    def rows(self, marks: NDArray[np.uint8]) -> Pairs:
        """The marks it gives to the edges of a graph: rows x, y, mark at x, mark at y (0 if none), with x < y."""
        pairs, _ = joined(marks)
        x, y = pairs.T
        at = [np.where(self.no_cause[u, v], ARROW, np.where(self.cause[u, v], TAIL, 0)) for u, v in ((x, y), (y, x))]
        rows = np.column_stack([x, y, *at]).astype(np.intc)
        return rows[rows[:, 2:].any(axis=1)]

    def denying_steps(self, marks: NDArray[np.uint8]) -> Truths:
        """The edges u --> v on a directed path from some x to some y that x is known not to cause, as steps."""
        steps = directed_steps(marks)
        reached = reachable(steps)
        out = np.zeros_like(steps)
        for x, y in np.argwhere(reached & self.no_cause):
            out |= steps & reached[x][:, None] & reached[:, y][None, :]
        return out

    def is_kept_by(self, marks: NDArray[np.uint8]) -> bool:
        """Whether a graph satisfies all constraints, in its marks, directed paths, edges and missing edges."""
        required = marks[self.required[:, 0], self.required[:, 1]]
        no_edge = marks[self.no_edge[:, 0], self.no_edge[:, 1]]
        denied = self.denied(marks) or (self.cause & (marks.T == ARROW)).any()
        return not denied and bool((required != NONE).all() and (no_edge == NONE).all())

    def requires(self, pairs: Pairs) -> Truths:
        """For each of these rows x, y, whether the pair is required to be adjacent."""
        given, required = (
            rows[:, 0].astype(np.int64) * len(self.cause) + rows[:, 1] for rows in (pairs, self.required)
        )
        return np.isin(given, required)


def _product(one: Truths, other: Truths) -> Truths:
    """The composition of two relations: at x, y, whether some z has one[x, z] and other[z, y]."""
    return (one.astype(np.float32) @ other.astype(np.float32)) > 0


def _rows(pairs: Sequence[tuple[str, str]], at: dict[str, int]) -> Pairs:
    """Pairs of names as rows of positions x < y, each once, in order."""
    rows = sorted({(min(at[x], at[y]), max(at[x], at[y])) for x, y in pairs})
    return np.array(rows, dtype=np.intc).reshape(-1, 2)
