"""The checks of an algorithm that asks no questions: what its stages promise, on data of graphs made to be difficult.

The checks are about the form of stages and graphs; those of `data_search_checks` come beside them.
"""

import math
from collections.abc import Callable
from itertools import combinations

from ancestral.classes import legal, pag_of
from ancestral.classes.equivalence import cpdag_of
from ancestral.graphs import DAG, is_separated
from ancestral.search.stage import GraphStage, Stage
from ancestral.testing.checks import require
from ancestral.testing.data_search_checks import DATA_CHECKS, Case, DataSearch

__all__ = ["GRAPH_CHECKS"]


# -- stages and graphs ------------------------------------------------------------------------------------------------


def _graph_stages(search: DataSearch) -> None:
    """It yields `GraphStage`s of declared phases over the names it was given; the last, and no other, is complete."""
    phases = search.algorithm.phases
    for case in search.cases:
        found, problem = case.whole, case.problem()
        require(bool(found), f"It yielded no stage on {case}.")
        for stage in found:
            require(isinstance(stage, GraphStage), f"It yielded a {type(stage).__name__}, not a GraphStage.")
            require(stage.phase in phases, f"It yielded phase {stage.phase!r}, which is not declared.")
            expected = (tuple(problem.names), tuple(problem.columns), search.algorithm.sufficient)
            given = (tuple(stage.names), tuple(stage.columns), stage.sufficient)
            require(given == expected, f"names, columns and sufficient must be {expected}, got {given}.")
            require(stage.radius is None and not stage.tests, "A stage without questions has no radius and no tests.")
            scored = stage.score is not None and math.isfinite(stage.score)
            require(scored or search.algorithm.score is None, f"The score must be a finite number, got {stage.score}.")
        complete = [stage.complete for stage in found]
        require(complete == [False] * (len(found) - 1) + [True], f"complete was {complete} on {case}.")


def _legal_graphs(search: DataSearch) -> None:
    """The graph of every stage is that of an equivalence class, and its member belongs to the class."""
    for case in search.cases:
        for stage in case.whole:
            _require_legal(stage, f"on {case}")


def _require_legal(stage: Stage, where: str) -> None:
    assert isinstance(stage, GraphStage)
    if stage.sufficient and not stage.complete:
        return  # its circles are not those of a PAG
    legality = legal(stage.pag)
    require(bool(legality), f"After {stage.phase} the graph is {legality}, {where}.")
    if stage.mag is not None:
        graph = (cpdag_of if stage.sufficient else pag_of)(stage.mag)
        require(graph == stage.pag, f"After {stage.phase} the member is of another class, {where}.")


def _separations(search: DataSearch) -> None:
    """If there is a member, every missing edge has a set that separates the pair in it."""
    for case in search.cases:
        last = case.whole[-1]
        assert isinstance(last, GraphStage)
        if last.mag is None:
            continue
        for a, b in combinations(last.columns, 2):
            separation = last.separation(a, b)
            require((separation is None) == (last.pag.edge(a, b) is not None), f"{a} and {b} lack a set, on {case}.")
            if separation is not None:
                separated = is_separated(last.mag, a, b, given=separation.given)
                require(separated, f"{set(separation.given)} does not separate {a} and {b}, on {case}.")


def _few_variables(search: DataSearch) -> None:
    """A search of two or three variables comes to an end."""
    for text in ("a -> b", "a -> b, c", "a, b"):
        case = Case(search, DAG.parse(text))
        require(case.whole[-1].complete, f"It is not complete on {text!r}.")
        _require_legal(case.whole[-1], f"on {text!r}")


def _resumes(search: DataSearch) -> None:
    """A search that resumes from any of its stages comes to an end with a legal graph."""
    for case in search.cases[::3]:
        for stage in case.whole[:-1]:
            last = case.stages(start=stage)[-1]
            require(last.complete, f"Resumed after {stage.phase}, it is not complete, on {case}.")
            _require_legal(last, f"resumed after {stage.phase}, on {case}")


#: The checks of such an algorithm, besides that of its entry.
GRAPH_CHECKS: tuple[Callable[[DataSearch], None], ...] = (
    _graph_stages,
    _legal_graphs,
    _separations,
    _few_variables,
    _resumes,
    *DATA_CHECKS,
)
