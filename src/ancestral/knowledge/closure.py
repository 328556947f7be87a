"""What follows from knowledge: for each ordered pair, whether x causes y, and whether x causes neither y nor selection.

A(x, y) is "x causes y" by `required` and `causes`, transitive and reflexive; N(x, y) is "x does not cause y" as stated.
Then

- A(a, x), N(a, b) and A(y, b) imply N(x, y): if x caused y, then a would cause b;
- A(x, y), for x other than y, implies N(y, x).

An arrowhead at x says not only that x does not cause y, but also that x is not a cause of selection: x is `free` of it.
A variable with a "does not cause" statement is free of selection, and so are the variables that it is known to cause.
Statements about randomised variables and contexts say of other variables only that they do not cause these: they make
nothing free, but for the randomised variable itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.graphs.csr import joined
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.knowledge.contexts import ASSUMPTIONS

__all__ = ["Constraints", "among"]

Truths = NDArray[np.bool_]
Pairs = NDArray[np.intc]
Positions = NDArray[np.intc]


@dataclass(frozen=True, eq=False)
class Constraints:
    """What knowledge implies for variables x and y, given by their positions.

    - `no_cause[x, y]`: x causes neither y nor what the sample was selected on: an arrowhead at x on x–y.
    - `cause[x, y]`: x causes y.
    - `tail[x, y]`: an edge x–y has a tail at x, since x causes y, or would cause y or the selection if there were one.
    - `arrow[x, y]`: an edge x–y has an arrowhead at x: by `no_cause`, or since y has a tail and is free of selection.
    - `unconfounded[x, y]`: nothing unmeasured stands behind an edge x–y, so it is not x <-> y.
    - `target[c, x]`: c acts on x; on other variables than those it acts on only through these.
    - `required`, `no_edge`: pairs that must be adjacent, or must not be, as rows x, y with x < y.
    - `apart`: pairs that must be independent given nothing; `unasked`: required pairs about which nothing is asked.
    - `contexts`: variables that are neither caused by those of the system nor confounded with them.
    """

    no_cause: Truths
    cause: Truths
    tail: Truths
    arrow: Truths
    unconfounded: Truths
    target: Truths
    required: Pairs
    no_edge: Pairs
    apart: Pairs
    unasked: Pairs
    contexts: Positions

    @property
    def one_way(self) -> Truths:
        """At x, y: whether an edge x–y has a tail at one end; not if both arrowheads are known."""
        return self.unconfounded & ~(self.no_cause & self.no_cause.T)

    def of_some(self, where: Pairs) -> "Constraints":
        """The constraints on these variables alone, given by their positions in increasing order."""
        if len(where) == len(self.cause):
            return self
        place = np.full(len(self.cause), -1, dtype=np.intc)
        place[where] = np.arange(len(where))
        lists = [place[pairs] for pairs in (self.required, self.no_edge, self.apart, self.unasked)]
        chosen = np.ix_(where, where)
        # what acts on a variable that is left out may act on others through it
        elsewhere = np.asarray(np.delete(self.target, where, axis=1).any(axis=1))
        target = self.target & ~elsewhere[:, None]
        required, no_edge, apart, unasked = (rows[(rows >= 0).all(axis=1)] for rows in lists)
        return Constraints(
            self.no_cause[chosen],
            cause=self.cause[chosen],
            tail=self.tail[chosen],
            arrow=self.arrow[chosen],
            unconfounded=self.unconfounded[chosen],
            target=target[chosen],
            required=required,
            no_edge=no_edge,
            apart=apart,
            unasked=unasked,
            contexts=place[self.contexts][place[self.contexts] >= 0],
        )

    @classmethod
    def of_no_causes(cls, no_cause: Truths) -> "Constraints":
        """The constraints where all that is known is which variables cause which others not, nor the selection."""
        nothing, no_pairs = np.zeros_like(no_cause), np.zeros((0, 2), dtype=np.intc)
        return cls(
            no_cause,
            cause=nothing,
            tail=nothing,
            arrow=no_cause,
            unconfounded=nothing,
            target=nothing,
            required=no_pairs,
            no_edge=no_pairs,
            apart=no_pairs,
            unasked=no_pairs,
            contexts=np.zeros(0, dtype=np.intc),
        )

    @classmethod
    def of(cls, knowledge: Any, names: Sequence[str], selection_bias: bool) -> "Constraints":
        """The constraints that a `Knowledge` implies for variables with these names; it must name no others."""
        n = len(names)
        at = {name: i for i, name in enumerate(names)}
        steps = np.zeros((n, n), dtype=bool)
        for x, y in (*knowledge.required, *knowledge.target_pairs, *knowledge.causes):
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
        set_apart = _SetApart.of(knowledge, at)
        if selection_bias:
            free = np.asarray(stated.any(axis=1)) | set_apart.randomised
        stated |= set_apart.no_cause
        if steps.any():
            stated = _product(_product(causes.T, stated), causes.T) | (causes.T & ~causes)
            free = np.asarray((causes & free[:, None]).any(axis=0))
        no_cause = stated & free[:, None]
        cause = causes & ~np.eye(n, dtype=bool)
        unconfounded = set_apart.unconfounded
        for x, y in knowledge.unconfounded:
            unconfounded[at[x], at[y]] = unconfounded[at[y], at[x]] = True
        tail = cause | set_apart.tail
        # an edge would need a tail at x, which would cause y or the selection, and is known to cause neither
        impossible = set_apart.tail & no_cause
        neither = np.argwhere(np.triu(impossible | impossible.T, 1)).astype(np.intc)
        apart = set_apart.randomised[neither].any(axis=1)
        target = np.zeros((n, n), dtype=bool)
        for x, y in knowledge.target_pairs:
            target[at[x], at[y]] = True
        no_edge = _rows(knowledge.no_edge, at)
        unasked = np.argwhere(np.triu(set_apart.designed, 1)).astype(np.intc)
        required = _rows((*knowledge.required, *knowledge.target_pairs), at)
        return cls(
            no_cause,
            cause,
            tail,
            no_cause | (tail & free[:, None]).T,
            unconfounded,
            target,
            required=_sorted(required, unasked),
            no_edge=_sorted(no_edge, neither[~apart]),
            apart=neither[apart],
            unasked=unasked,
            contexts=set_apart.contexts,
        )

    def denied(self, marks: NDArray[np.uint8]) -> list[tuple[int, int]]:
        """The pairs x, y such that x causes y by a tail or a directed path of a graph, and is known not to."""
        causes = reachable(directed_steps(marks)) | (marks.T == TAIL)
        return [(int(x), int(y)) for x, y in np.argwhere(causes & self.no_cause)]

    def rows(self, marks: NDArray[np.uint8]) -> Pairs:
        """The marks it gives to the edges of a graph: rows x, y, mark at x, mark at y (0 if none), with x < y."""
        pairs, _ = joined(marks)
        x, y = pairs.T
        at = [np.where(self.arrow[u, v], ARROW, np.where(self.tail[u, v], TAIL, 0)) for u, v in ((x, y), (y, x))]
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
        apart = marks[self.apart[:, 0], self.apart[:, 1]]
        denied = self.denied(marks) or (self.tail & (marks.T == ARROW)).any() or (apart != NONE).any()
        return not denied and bool((required != NONE).all() and (no_edge == NONE).all())

    def requires(self, pairs: Pairs) -> Truths:
        """For each of these rows x, y, whether the pair is required to be adjacent."""
        return among(pairs, self.required, len(self.cause))


def among(pairs: Pairs, others: Pairs, n: int) -> Truths:
    """For each of these rows x, y, whether it is one of the other rows; all are pairs of n variables."""
    one, other = (rows[:, 0].astype(np.int64) * n + rows[:, 1] for rows in (pairs, others))
    return np.isin(one, other)


@dataclass(frozen=True, eq=False)
class _SetApart:
    """What follows from randomised variables and contexts alone, for variables given by their positions.

    `no_cause`, `tail` and `unconfounded` are as in `Constraints`, but `no_cause` says nothing of selection.
    `randomised`: which variables are; `designed`: pairs of contexts whose relation is not asked about. `contexts` are
    those that are neither caused by the system nor confounded with it.
    """

    randomised: Truths
    no_cause: Truths
    tail: Truths
    unconfounded: Truths
    designed: Truths
    contexts: Positions

    @classmethod
    def of(cls, knowledge: Any, at: Mapping[str, int]) -> "_SetApart":
        n = len(at)
        randomised, context = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        randomised[[at[name] for name in knowledge.randomised]] = True
        context[[at[name] for name in knowledge.contexts]] = True
        exogenous, unconfounded, designed = map(knowledge.assumes, ASSUMPTIONS)
        of_system = context[:, None] & ~context[None, :]
        joined = context[:, None] & context[None, :] & designed
        no_cause = (of_system.T & exogenous) | joined | randomised[None, :]
        set_apart = exogenous and unconfounded
        tail = (of_system & set_apart) | randomised[:, None]
        apart = ((of_system | of_system.T) & unconfounded) | randomised[:, None] | randomised[None, :]
        for matrix in (no_cause, tail, apart, joined):
            np.fill_diagonal(matrix, False)
        contexts = np.flatnonzero(context & set_apart).astype(np.intc)
        return cls(randomised, no_cause, tail, apart, joined, contexts)


def _product(one: Truths, other: Truths) -> Truths:
    """The composition of two relations: at x, y, whether some z has one[x, z] and other[z, y]."""
    return (one.astype(np.float32) @ other.astype(np.float32)) > 0


def _rows(pairs: Sequence[tuple[str, str]], at: dict[str, int]) -> Pairs:
    """Pairs of names as rows of positions x < y, each once, in order."""
    rows = sorted({(min(at[x], at[y]), max(at[x], at[y])) for x, y in pairs})
    return np.array(rows, dtype=np.intc).reshape(-1, 2)


def _sorted(some: Pairs, more: Pairs) -> Pairs:
    """All rows of both, each once, in order."""
    return np.unique(np.concatenate([some, more]), axis=0) if len(more) else some
