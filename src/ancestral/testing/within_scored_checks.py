"""The checks of an algorithm that asks within a graph by score: what its stages promise, on data of difficult graphs.

It needs data to score, so no oracle can tell it the truth, and what it claims may be false. The checks are about the
form of stages and what is asked; those of `data_search_checks` come beside them.
"""

from collections.abc import Callable
from itertools import combinations, pairwise, product
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ancestral.graphs import DAG
from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.parallel.tuning import Tuning
from ancestral.search.base import SearchOptions
from ancestral.search.stage import AskedStage, FoundBy
from ancestral.testing.checks import require
from ancestral.testing.data_search_checks import DATA_CHECKS, Case, DataSearch
from ancestral.testing.same_stages import require_same_stages

__all__ = ["WITHIN_SCORED_CHECKS"]


def _stages(case: Case, **problem: Any) -> list[AskedStage]:
    """The stages of a search."""
    out = []
    for stage in case.stages(**problem):
        require(isinstance(stage, AskedStage), f"It yielded a {type(stage).__name__}, not an AskedStage.")
        assert isinstance(stage, AskedStage)
        out.append(stage)
    return out


def _steps(search: DataSearch) -> None:
    """It yields `AskedStage`s of declared phases, with growing radii; the last one, and no other, is complete."""
    phases = search.algorithm.phases
    for case in search.cases:
        for options in (SearchOptions(), SearchOptions(stable=False)):
            found = _stages(case, options=options)
            require(bool(found), f"It yielded no stage on {case}.")
            for stage in found:
                require(stage.phase in phases, f"It yielded phase {str(stage.phase)!r}, which is not declared.")
                require(stage.sufficient == search.algorithm.sufficient, "sufficient must be that of the entry.")
            places = [(phases.index(stage.phase), stage.radius) for stage in found]
            require(all(a < b for a, b in pairwise(places)), f"Phases and radii do not grow: {places}, on {case}.")
            complete = [stage.complete for stage in found]
            require(complete == [False] * (len(found) - 1) + [True], f"complete was {complete} on {case}.")


def _few_variables(search: DataSearch) -> None:
    """A search of two or three variables comes to an end."""
    for text in ("a -> b", "a -> b, c", "a, b"):
        require(_stages(Case(search, DAG.parse(text)))[-1].complete, f"It is not complete on {text!r}.")


def _early_stages(search: DataSearch) -> None:
    """If it is not anytime, it makes no claim but missing edges before its last stage."""
    if search.algorithm.anytime:
        return
    for case in search.cases:
        for stage in _stages(case)[:-1]:
            marks = stage.oriented.marks
            require(bool(np.isin(marks, (NONE, CIRCLE)).all()), f"It oriented an edge at radius {stage.radius}.")


def _only_removals(search: DataSearch) -> None:
    """Stages lose edges and never gain any; each missing edge keeps the set that separates it."""
    for case in search.cases:
        before: dict[Any, Any] = {}
        for stage in _stages(case):
            missing = [pair for pair in combinations(stage.names, 2) if stage.pag.edge(*pair) is None]
            sets = {pair: stage.separation(*pair) for pair in missing}
            for (a, b), separation in sets.items():
                require(separation is not None, f"{a} and {b} have no separating set, on {case}.")
            require(before.items() <= sets.items(), f"An edge came back, or its set changed, on {case}.")
            before = sets


def _implied_pairs(search: DataSearch) -> None:
    """A pair is asked about, or the graph by score implies its separation, from the first stage on; never both."""
    for case in search.cases:
        implied = []
        for stage in _stages(case):
            found = stage.separations
            implied.append(sorted(map(tuple, found.pairs[found.found_by == FoundBy.SCORE_GRAPH].tolist())))
            asked = comb(len(stage.names), 2) - len(implied[-1])
            require(stage.tests[0] == asked, f"It asked about {stage.tests[0]} pairs, not {asked}, on {case}.")
        require(implied.count(implied[0]) == len(implied), f"Later stages have other implied pairs, on {case}.")


def _max_radius(search: DataSearch) -> None:
    """With `max_radius` no larger set is asked about."""
    for case in search.cases[::3]:
        for most in (0, 1):
            for stage in _stages(case, options=SearchOptions(max_radius=most)):
                largest = max([*stage.tests, 0])
                require(largest <= most, f"It asked about sets of {largest} nodes with max_radius={most}, on {case}.")


def _threads(search: DataSearch) -> None:
    """Several threads ask and find the same as one."""
    for case in search.cases[::3]:
        helpers = [case.problem().questions for _ in range(2)]
        together = _stages(case, helpers=helpers, tuning=Tuning(min_sets_for_threads=0))
        require_same_stages(_stages(case), together, f"with threads, on {case}")


def _resumes_from_stages(search: DataSearch) -> None:
    """A search that resumes from any of its stages ends as if it had not been stopped."""
    for case, most in product(search.cases, (None, 1)):
        options = SearchOptions(max_radius=most)
        whole = _stages(case, options=options)
        for number, stage in enumerate(whole[:-1]):
            again = _stages(case, options=options, start=stage)
            require_same_stages(whole[number + 1 :], again, f"when resumed from stage {number}, on {case}")


def _resumed_files(search: DataSearch) -> None:
    """A run that is resumed from the file of any stage ends with the same file as one that was not stopped."""
    for case in search.cases[::3]:
        with TemporaryDirectory() as folder:
            whole, part = Path(folder, "whole.json"), Path(folder, "part.json")
            case.found(save=whole)
            for count in range(len(case.whole)):
                part.unlink(missing_ok=True)
                with search.stopped_after(count):
                    case.found(save=part)
                case.found(resume=part)
                same = part.read_bytes() == whole.read_bytes()
                require(same, f"Resumed after {count} stages, the file is another one, on {case}.")


#: The checks of such an algorithm, besides that of its entry.
WITHIN_SCORED_CHECKS: tuple[Callable[[DataSearch], None], ...] = (
    _steps,
    _few_variables,
    _early_stages,
    _only_removals,
    _implied_pairs,
    _max_radius,
    _threads,
    _resumes_from_stages,
    _resumed_files,
    *DATA_CHECKS,
)
