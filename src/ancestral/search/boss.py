"""BOSS (Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023): a CPDAG by a search over orders of the variables.

It assumes that nothing is latent and nothing was selected on. Given an order, each variable chooses its parents among
those before it, by score; variables are moved in the order while that lowers the sum of scores (`_order_cy`). This is
done from several random orders. The answer is the class of the best DAG, within what is known (`known_dags`).
"""

from collections.abc import Iterator

import numpy as np

from ancestral.graphs.mixed import circled
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import orient_cpdag
from ancestral.scores._score_cy import ScoredGraph
from ancestral.scores.fit import GAMMA
from ancestral.search.base import Problem
from ancestral.search.dag_search import ORDERS, ordered_dags
from ancestral.search.known_dags import keeping
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import order_search
from ancestral.search.stage import GraphStage, Phase

__all__ = ["boss"]


def boss(problem: Problem) -> Iterator[GraphStage]:
    """Yield a stage after each random order that leads to a better DAG; the last one is complete, and a CPDAG."""
    blocks, pulse, constraints = problem.column_blocks(), problem.watch.pulse(), problem.constraints
    search = order_search(blocks, Limits.of(constraints, len(problem.names)), GAMMA, pulse)
    scored = ScoredGraph(blocks.correlation, blocks.starts, float(blocks.rows), gamma=GAMMA)
    best, score = None, np.inf
    for number, (_, dag) in enumerate(ordered_dags(problem, search), start=1):
        dag = keeping(dag, constraints, search)
        scored.load(dag)
        better, complete = scored.total < score, number == ORDERS
        if better:
            best, score = dag, scored.total
        if not better and not complete:
            continue
        assert best is not None, "the first one is better than none"
        yield GraphStage(
            phase=Phase.ORDER,
            complete=complete,
            names=problem.names,
            columns=problem.columns,
            oriented=orient_cpdag(circled(best), TrueGraph(best), pulse, constraints),
            sufficient=True,
            score=score,
            member=best,
        )
