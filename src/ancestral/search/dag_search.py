"""DAGs by score, for searches that begin with one: of an order search, or of the greedy equivalence search.

The score is the extended BIC of a linear Gaussian model, as in the scored search.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ancestral.knowledge import Constraints
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.scores._order_cy import OrderSearch
from ancestral.scores.equivalence_search import greedy_equivalence_search
from ancestral.scores.fit import GAMMA
from ancestral.scores.ties import first_lowest
from ancestral.search.base import Problem
from ancestral.search.known_dags import arranged, in_order, precedence
from ancestral.search.progress import StepProgress
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import order_search, ordered_dag

__all__ = ["ORDERS", "best_ordered_dag", "greedy_dag", "ordered_dags"]

Marks = NDArray[np.uint8]

#: How many random orders an order search begins with.
ORDERS = 5

#: Of the random orders.
SEED = 0


def ordered_dags(problem: Problem, search: OrderSearch) -> Iterator[tuple[float, Marks]]:
    """The score and the marks of the DAG that a search comes to from each of several random orders."""
    n, rng = len(problem.names), np.random.default_rng(SEED)
    before = precedence(problem.constraints, n)
    progress = StepProgress("order search", total=ORDERS)
    problem.watch.follow(progress)
    for _ in range(ORDERS):
        problem.watch.look()
        yield ordered_dag(search, arranged(rng.permutation(n), before))
        progress.done += 1


def best_ordered_dag(problem: Problem) -> Marks:
    """The marks of the best DAG that an order search finds, within the order that is known."""
    search = order_search(problem.column_blocks(), _limits_of_order(problem), GAMMA, problem.watch.pulse())
    return first_lowest(ordered_dags(problem, search), lambda found: found[0])[1]


def greedy_dag(problem: Problem) -> Marks:
    """The marks of a DAG in the class that the greedy equivalence search comes to.

    No edge is inserted against the order that is known. Where colliders direct edges against it all the same, the
    parents of all variables are chosen again, within that order.
    """
    problem.watch.follow(StepProgress("greedy equivalence search", total=1))
    problem.watch.look()
    blocks, pulse, limits = problem.column_blocks(), problem.watch.pulse(), _limits_of_order(problem)
    scores = LocalScores(
        blocks.correlation, blocks.starts, float(blocks.rows), gamma=GAMMA, banned=limits.banned, pulse=pulse
    )
    _, dag = greedy_equivalence_search(scores, pulse)
    return in_order(dag, precedence(problem.constraints, len(problem.names)), scores)


def _limits_of_order(problem: Problem) -> Limits:
    """What is left to a DAG that only has to agree with the order that is known."""
    before = precedence(problem.constraints, len(problem.names))
    return Limits.of(Constraints.of_no_causes(before.T), len(before))
