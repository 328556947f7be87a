"""What every algorithm promises that is tried on data: about what must make no difference, stopping, and files.

Such an algorithm may be wrong about the graph that the data come from. So nothing is compared with the truth.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ancestral.discovery import discover
from ancestral.graphs import DAG, PAG
from ancestral.graphs.marks import CIRCLE
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.knowledge import Knowledge
from ancestral.parallel.clock import Stopped, Watch
from ancestral.resampling.bootstrap import bootstrap
from ancestral.result import Discovery, load
from ancestral.search.algorithms import ALGORITHMS, Algorithm
from ancestral.search.base import Problem
from ancestral.search.stage import Stage
from ancestral.simulate import linear_gaussian
from ancestral.testing.checks import require

__all__ = ["DATA_CHECKS", "Case", "DataSearch", "gaussian_rows"]

#: Rows of the data that are drawn: edges are found, and some are missed.
ROWS = 400

#: Graphs to try an algorithm on: with these, the checks of a search of a millisecond take a few seconds.
MOST_GRAPHS = 12

#: How often a search looks at its watch before it is stopped.
PATIENCE = (0, 1, 2, 5, 20, 100)


def gaussian_rows(dag: DAG) -> Any:
    """Rows of a linear Gaussian model of a graph; always the same ones."""
    return linear_gaussian(dag, rows=ROWS, seed=len(dag.nodes))


class Case:
    """A graph, data of it, and what the algorithm finds."""

    def __init__(self, search: "DataSearch", dag: DAG) -> None:
        self.search = search
        self.dag = dag

    @cached_property
    def data(self) -> Any:
        """The data."""
        return self.search.data(self.dag)

    @cached_property
    def test(self) -> Any:
        """The test of the data."""
        return choose_test(self.data)

    def problem(self, **more: Any) -> Problem:
        """What the algorithm is given."""
        names = in_order(self.test.names)
        given = {"questions": self.test.questions(names), "names": names, "columns": self.test.names}
        return Problem(**{**given, "test": self.test, **more})

    def stages(self, **more: Any) -> list[Stage]:
        """All stages."""
        return list(self.search.algorithm.run(self.problem(**more)))

    @cached_property
    def whole(self) -> list[Stage]:
        """All stages of a search that nothing stops."""
        return self.stages()

    def found(self, data: Any = None, **options: Any) -> Discovery:
        """What the front door finds."""
        source = self.data if data is None else data
        return discover(source, algorithm=self.search.name, resamples=0, progress=False, **options)

    def __str__(self) -> str:
        return str(self.dag).replace("\n", ", ")


@dataclass(frozen=True)
class DataSearch:
    """An algorithm that needs data, the name under which it runs, and the graphs whose data it is tried on."""

    name: str
    algorithm: Algorithm
    dags: Sequence[DAG]
    data: Callable[[DAG], Any] = gaussian_rows

    @cached_property
    def cases(self) -> list[Case]:
        """The graphs without selection, at most `MOST_GRAPHS` of them."""
        fitting = [dag for dag in self.dags if not dag.selection and len(dag.observed) > 1]
        step = max(1, len(fitting) // MOST_GRAPHS)
        return [Case(self, dag) for dag in fitting[::step][:MOST_GRAPHS]]

    @contextmanager
    def stopped_after(self, count: int) -> Iterator[None]:
        """Let the search be stopped after this many stages."""

        def run(problem: Problem) -> Iterator[Stage]:
            for number, stage in enumerate(self.algorithm.run(problem)):
                if number == count:
                    break
                yield stage
            raise Stopped

        ALGORITHMS[self.name] = replace(self.algorithm, run=run)
        try:
            yield
        finally:
            ALGORITHMS[self.name] = self.algorithm


# -- what must make no difference -------------------------------------------------------------------------------------


def _order_of_columns(search: DataSearch) -> None:
    """The order of columns makes no difference to what is found."""
    for number, case in enumerate(search.cases):
        order = np.random.default_rng(number).permutation(len(case.test.names))
        one, other = case.found(), case.found(case.data[[case.test.names[i] for i in order]])
        require(one.pag == other.pag, f"The graph changed when columns changed places, on {case}.")
        require(_same_score(one.score, other.score), f"The score changed when columns changed places, on {case}.")


def _workers(search: DataSearch) -> None:
    """The number of workers makes no difference to what is found."""
    for case in search.cases[::3]:
        one, other = case.found(), case.found(workers=2)
        same = one.pag == other.pag and _same_score(one.score, other.score)
        require(same, f"With two workers it found another graph, on {case}.")


def _same_score(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9))


def _knowledge(search: DataSearch) -> None:
    """Every stage keeps to what is known, whether the data agree with it or not, unless knowledge is refused."""
    if "knowledge" in search.algorithm.fixed_options:
        return
    for case in search.cases:
        for known in _statements(case.test.names, case.whole[-1].pag):
            names = in_order(case.test.names)
            constraints = known.constraints(names, not search.algorithm.sufficient)
            for stage in case.stages(constraints=constraints):
                kept = constraints.is_kept_by(stage.oriented.marks)
                require(kept, f"The graph denies {known.as_dict()}, on {case}.")


def _statements(names: Sequence[str], found: PAG) -> Iterator[Knowledge]:
    """Statements of each kind, about edges that are found and about pairs that are not adjacent."""
    half = len(names) // 2
    yield Knowledge(tiers=[names[:half], names[half:]])
    yield Knowledge(tiers=[names[half:], names[:half]])
    yield Knowledge(exogenous=[names[-1]])
    edges = [(a, b) for a, _, b in found.edges()][:1]
    missing = [pair for pair in combinations(names, 2) if found.edge(*pair) is None][:1]
    yield from (Knowledge(no_edge=[pair]) for pair in edges)
    for a, b in edges + missing:
        yield Knowledge(required=[(a, b)])
        yield Knowledge(causes=[(a, b)])
        yield Knowledge(forbidden=[(a, b)])


def _resamples(search: DataSearch) -> None:
    """A bootstrap of it runs."""
    for case in search.cases[:1]:
        found = bootstrap(case.data, algorithm=search.name, repeats=2, seed=1, progress=False)
        require(found.repeats == 2, f"A bootstrap of 2 repeats had {found.repeats}, on {case}.")


# -- stopping and files -----------------------------------------------------------------------------------------------


class _Impatient(Watch):
    """Ends the search at the first look after `left` others."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def check(self) -> None:
        if not self.left:
            self.stop()
        self.left -= 1
        super().check()


def _stops(search: DataSearch) -> None:
    """A search that is told to stop does so, and the stages before are those of a search that was not."""
    for case in search.cases[::3]:
        for patience in PATIENCE:
            stages: list[Stage] = []
            try:
                for stage in search.algorithm.run(case.problem(watch=_Impatient(patience))):
                    stages.append(stage)
            except Stopped:
                pass
            early = not (stages and stages[-1].complete)
            require(early or patience > 0, f"It went on although its time was over, on {case}.")
            graphs = [stage.pag for stage in stages], [stage.pag for stage in case.whole[: len(stages)]]
            require(graphs[0] == graphs[1], f"The stages before it was stopped are others, on {case}.")


def _run_files(search: DataSearch) -> None:
    """A run file holds the whole run; stopped after any stage, the best graph so far is saved and can be resumed."""
    for case in search.cases[::3]:
        with TemporaryDirectory() as folder:
            whole, part = Path(folder, "whole.json"), Path(folder, "part.json")
            found = case.found(save=whole)
            _require_same_run(found, whole, f"on {case}")
            again = case.found(resume=whole)
            require(again.pag == found.pag, f"A complete run was resumed and changed, on {case}.")
            for count in range(len(case.whole)):
                part.unlink(missing_ok=True)
                with search.stopped_after(count):
                    stopped = case.found(save=part)
                require(stopped.stopped == "time limit", f"stopped is {stopped.stopped!r}, on {case}.")
                stands = case.whole[count - 1].pag if count else None
                same = (
                    stopped.pag == stands if count else bool((stopped.pag.marks[stopped.pag.marks > 0] == CIRCLE).all())
                )
                require(same, f"Stopped after {count} stages, it returned another graph, on {case}.")
                _require_same_run(stopped, part, f"stopped after {count} stages, on {case}")
                require(case.found(resume=part).complete, f"Resumed after {count} stages, it has no end, on {case}.")


def _require_same_run(found: Discovery, path: Path, where: str) -> None:
    """Require that a file has this run, and is the same when it is saved again."""
    again = load(path)
    same = (found.pag, found.history, found.score) == (again.pag, again.history, again.score)
    same &= found.trace.orientations == again.trace.orientations and found.trace.notes == again.trace.notes
    same &= str(found) == str(again)
    require(same, f"The run file has another run, {where}.")
    require(again.to_json() == path.read_text("ascii"), f"Saved again, the file is another one, {where}.")


#: The checks that all such algorithms share.
DATA_CHECKS: tuple[Callable[[DataSearch], None], ...] = (
    _order_of_columns,
    _workers,
    _knowledge,
    _resamples,
    _stops,
    _run_files,
)
