"""What knowledge says about DAGs: which variable comes first, and DAGs that keep to it.

A search by score is told which edges must not be. That is not enough where it is known that x does not cause y: a path
from x to y may lead through others. And it is too much where neither of the two causes the other and something latent
may link them: a DAG that is only to say which variables depend on each other then needs an edge between them.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, reach_each_other, reachable
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.knowledge import Constraints
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.scores.ties import first_lowest

__all__ = ["arranged", "in_order", "keeping", "precedence"]

Marks = NDArray[np.uint8]
Truths = NDArray[np.bool_]

#: A parent must lower the score by this much.
LEAST_GAIN = 1e-6


def precedence(constraints: Constraints | None, n: int) -> Truths:
    """At x, y: whether x is to come before y in every order of n variables; this relation has no cycle.

    A variable that does not cause another comes after it. Statements that no order fulfils, such as that neither of two
    causes the other, are left out; causes come before their effects in any case.
    """
    if constraints is None:
        return np.zeros((n, n), dtype=bool)
    before = constraints.no_cause.T | constraints.cause
    return np.asarray((before & ~reach_each_other(before)) | constraints.cause)


def _joined(pairs: NDArray[np.intc], n: int) -> Truths:
    """These pairs, in both orders, as a matrix."""
    out = np.zeros((n, n), dtype=bool)
    out[pairs[:, 0], pairs[:, 1]] = out[pairs[:, 1], pairs[:, 0]] = True
    return out


def arranged(order: NDArray[np.intp], before: Truths) -> NDArray[np.intp]:
    """An order in which each variable comes after those that precede it; otherwise as early as in this one."""
    waiting, out = order.tolist(), []
    missing = np.count_nonzero(before, axis=0)
    while waiting:
        first = next(v for v in waiting if not missing[v])
        waiting.remove(first)
        out.append(first)
        missing -= before[first]
    return np.array(out, dtype=np.intp)


def keeping(dag: Marks, constraints: Constraints | None, scores: LocalScores) -> Marks:
    """A DAG that keeps to what is known: this one if it does, otherwise one with nearly its order.

    No variable is an ancestor of one that it is known not to cause, and required edges are there. `scores` ban the
    pairs that are known not to be adjacent.
    """
    if constraints is None or constraints.is_kept_by(dag):
        return dag
    required = constraints.cause & _joined(constraints.required, len(dag))
    order = arranged(_order_of(dag), precedence(constraints, len(dag)))
    return _grown(scores, order, constraints.no_cause, required)


def in_order(dag: Marks, before: Truths, scores: LocalScores) -> Marks:
    """A DAG in which no variable has a parent that it precedes: this one, or one with nearly its order."""
    if not (directed_steps(dag) & before.T).any():
        return dag
    nothing = np.zeros_like(before)
    return _grown(scores, arranged(_order_of(dag), before), nothing, nothing)


def _order_of(dag: Marks) -> NDArray[np.intp]:
    """An order in which each node comes after its parents: a node has more ancestors than each of them."""
    return np.argsort(np.count_nonzero(reachable(directed_steps(dag)), axis=0), kind="stable")


def _grown(scores: LocalScores, order: NDArray[np.intp], no_cause: Truths, required: Truths) -> Marks:
    """The DAG in which each variable has its required parents, and of those before it the ones that lower the score.

    Left out are those with an ancestor u such that `no_cause[u, v]`.
    """
    n = len(order)
    out = np.zeros((n, n), dtype=np.uint8)
    ancestors = np.eye(n, dtype=bool)  # of each variable so far, by rows; itself among them
    before = np.zeros(n, dtype=bool)
    for v in order.tolist():
        allowed = before & ~(ancestors & no_cause[:, v]).any(axis=1)
        for u in _parents(scores, v, allowed, np.flatnonzero(required[:, v]).tolist()):
            out[u, v], out[v, u] = ARROW, TAIL
            ancestors[v] |= ancestors[u]
        before[v] = True
    return out


def _parents(scores: LocalScores, v: int, allowed: Truths, required: list[int]) -> list[int]:
    """The required parents of a variable, and allowed ones, added and then removed while that lowers the score."""
    parents = list(required)
    while True:
        gains = np.where(allowed, scores.gains_of(v, parents), 0.0)
        best = int(np.argmax(gains))
        if gains[best] <= LEAST_GAIN:
            break
        parents.append(best)
    while free := [u for u in parents if u not in required]:
        losses = {u: scores.score_of(v, [p for p in parents if p != u]) for u in free}
        worst = first_lowest(free, losses.__getitem__)
        if losses[worst] > scores.score_of(v, parents) - LEAST_GAIN:
            break
        parents.remove(worst)
    return parents
