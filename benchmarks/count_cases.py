"""What `make count` counts: fixed searches of each kind, and their numbers that do not depend on the machine.

A count is a whole number, or one for each radius or phase written in a line. Together the cases reach every algorithm,
every built-in test, the oracle with each choice of candidate sets, time series, and streams.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest.mock import patch

import polars as pl

import ancestral as an
from ancestral.graphs.names import by_name
from ancestral.independence.registry import TESTS
from ancestral.parallel.clock import Watch
from ancestral.search._asking_cy import Asking
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.icd import icd
from ancestral.search.progress import RadiusProgress, StepProgress
from ancestral.search.stage import Stage

__all__ = ["CASES", "Case", "Counts", "counts_of", "prepared"]

#: Counts of a case by name.
Counts = Mapping[str, int | str]

#: DAGs of the paper over which the questions of the oracle are summed up.
DAGS = 25
#: Rows in each frame of a stream.
FRAME_ROWS = 1_000


@dataclass(frozen=True)
class Case:
    """A search that is counted.

    - `source`: makes what is searched; without options, the last stages of searches.
    - `options`: those of `discover`, or of `discover_series` if `series`.
    - `stream`: whether the source is a list of frames that come one after the other.
    - `quick`: whether a test of the suite counts it, too.
    - `measured`: whether its instructions are counted, which takes minutes.
    """

    source: Callable[[], Any]
    options: Mapping[str, Any]
    series: bool = False
    stream: bool = False
    quick: bool = True
    measured: bool = False


def drawn(simulate: Callable[..., Any], nodes: int, rows: int, **options: Any) -> Any:
    """Rows of a fixed DAG."""
    return simulate(an.simulate.random_dag(nodes=nodes, degree=2, seed=3), rows=rows, seed=3, **options)


def moments(nodes: int, rows: int) -> Any:
    """The moments of rows of numbers."""
    return an.Moments.of(drawn(an.simulate.linear_gaussian, nodes, rows))


def oracle(nodes: int) -> Any:
    """The oracle of a fixed DAG."""
    return an.Oracle(an.simulate.random_dag(nodes=nodes, degree=2, seed=3))


def with_gaps(nodes: int, rows: int) -> Any:
    """Rows of numbers of which every seventeenth of a column is missing, in other rows than in the next column."""
    frame = drawn(an.simulate.linear_gaussian, nodes, rows)
    row = pl.int_range(pl.len())
    return frame.with_columns(
        pl.when((row + i) % 17 != 0).then(pl.col(name)).alias(name) for i, name in enumerate(frame.columns)
    )


def in_frames(simulate: Callable[..., Any], nodes: int, rows: int) -> list[Any]:
    """Rows in frames, for a stream."""
    return list(drawn(simulate, nodes, rows).iter_slices(FRAME_ROWS))


def series() -> Any:
    """Rows of a fixed process."""
    return an.simulate.linear_series(an.simulate.random_series_dag(5, seed=3, lags=2), rows=400, seed=3)


#: What is drawn for a test of the registry; numbers for the others.
_ROWS_FOR = {
    "labels": partial(drawn, an.simulate.discrete, 12, 500),
    "g": partial(drawn, an.simulate.discrete, 12, 500),
    "chi2": partial(drawn, an.simulate.discrete, 12, 500),
    "mixed": partial(drawn, an.simulate.mixed, 12, 500),
    "copula": partial(drawn, an.simulate.ordinal, 12, 500),
    "regression": partial(drawn, an.simulate.mixed, 8, 300),
}
_NUMBERS = partial(drawn, an.simulate.linear_gaussian, 12, 500)
_FEW_NUMBERS = partial(drawn, an.simulate.nonlinear, 8, 300)

_ICD = {"algorithm": "icd"}
_PAPER = {"algorithm": "icd", "stable": False, "verify": False}

#: The cases by name.
CASES: dict[str, Case] = {
    "gaussian 70 x 1000": Case(partial(moments, 70, 1_000), _ICD, measured=True),
    "gaussian 300 x 10000": Case(partial(moments, 300, 10_000), _ICD),
    "discrete 50 x 5000": Case(partial(drawn, an.simulate.discrete, 50, 5_000), {**_ICD, "test": "g"}),
    "discrete 20 x 1000": Case(partial(drawn, an.simulate.discrete, 20, 1_000), {**_ICD, "test": "g"}, measured=True),
    "mixed 20 x 1000": Case(partial(drawn, an.simulate.mixed, 20, 1_000), _ICD, measured=True),
    "missing 20 x 1000": Case(partial(with_gaps, 20, 1_000), {**_ICD, "missing": "testwise"}),
    "oracle 70": Case(partial(oracle, 70), _ICD, measured=True),
    "oracle 70, all": Case(partial(oracle, 70), {**_ICD, "possible_ancestors": "all"}),
    "oracle 15, off": Case(partial(oracle, 15), {**_ICD, "possible_ancestors": "off"}, measured=True),
    "oracle 15, as printed": Case(partial(oracle, 15), {**_PAPER, "possible_ancestors": "off"}),
    **{
        f"algorithm {name}": Case(
            partial(drawn, an.simulate.linear_gaussian, 15, 500),
            {"algorithm": name, "test": "fisher-z", **({} if entry.asks else {"resamples": 0})},
            measured=name in ("fci", "rfci", "fci+", "pc", "scored"),
        )
        for name, entry in ALGORITHMS.items()
    },
    **{
        f"test {name}": Case(
            _ROWS_FOR.get(name, _FEW_NUMBERS if name in ("basis", "kernel") else _NUMBERS), {**_ICD, "test": name}
        )
        for name in TESTS
    },
    "series 5 x 400": Case(series, {"lags": 2}, series=True, measured=True),
    "stream of numbers": Case(partial(in_frames, an.simulate.linear_gaussian, 15, 5_000), _ICD, stream=True),
    "stream of labels": Case(partial(in_frames, an.simulate.discrete, 12, 5_000), _ICD, stream=True, measured=True),
    "stream, mixed": Case(partial(in_frames, an.simulate.mixed, 15, 5_000), _ICD, stream=True, measured=True),
    **{
        f"{DAGS} DAGs of {nodes}, {way.possible_ancestors}{'' if way.verify else ', as printed'}": Case(
            lambda nodes=nodes, way=way: [last_stage(nodes, seed, way) for seed in range(DAGS)],  # type: ignore[misc]
            {},
            quick=False,
        )
        for way, sizes in (
            (SearchOptions(possible_ancestors="all", stable=False, verify=False), (15, 20, 25, 35)),
            (SearchOptions(possible_ancestors="all"), (15, 20, 25, 35)),
            (SearchOptions(possible_ancestors="distant"), (15, 20, 25, 35)),
            (SearchOptions(possible_ancestors="off", stable=False, verify=False), (15, 20, 25)),
            (SearchOptions(possible_ancestors="off"), (15, 20, 25)),
        )
        for nodes in sizes
    },
}


def last_stage(nodes: int, seed: int, way: SearchOptions) -> Stage:
    """The complete stage of a search with the oracle of a DAG as in section 4.1 of the paper (rho = 2)."""
    dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=seed)
    names = sorted(dag.observed, key=by_name)
    *_, last = icd(Problem(questions=an.Oracle(dag).questions(names), names=names, columns=dag.observed, options=way))
    return last


def prepared(name: str) -> Callable[[], Any]:
    """A function that searches a case; what is searched is made first."""
    case = CASES[name]
    source = case.source()
    look = an.discover_series if case.series else an.discover
    return lambda: look(iter(source) if case.stream else source, progress=False, **case.options)


def counts_of(name: str) -> Counts:
    """The counts of a case."""
    if not CASES[name].options:
        return _summed(CASES[name].source())
    askers: set[Any] = set()
    parts: Counter[str] = Counter()
    follow = Watch.follow

    def listening(watch: Watch, progress: Any) -> None:
        if isinstance(progress, RadiusProgress):
            askers.update(progress.askers)
        elif isinstance(progress, StepProgress):
            parts[str(progress.label)] += progress.total
        follow(watch, progress)

    with patch.object(Watch, "follow", listening):
        found = prepared(name)()
    out: dict[str, int | str] = {
        "questions": found.tests.total(),
        "to verify": found.verify_tests.total(),
        "sets grown": sum(asker.grown for asker in askers if isinstance(asker, Asking)),
        "edges": len(found.pag.edges()),
        "by radius": _in_a_line(found.tests),
    }
    return out | ({"parts": _in_a_line(parts)} if parts else {})


def _summed(stages: list[Stage]) -> Counts:
    """The counts of several searches together."""
    asked: Counter[int] = sum((stage.tests for stage in stages), Counter())
    return {
        "questions": asked.total(),
        "to verify": sum(stage.verify_tests.total() for stage in stages),
        "edges": sum(len(stage.pag.edges()) for stage in stages),
        "by radius": _in_a_line(asked),
    }


def _in_a_line(counts: Mapping[Any, int]) -> str:
    """Counts by radius, or by phase, in one line."""
    return " ".join(f"{key}:{count}" for key, count in sorted(counts.items()))
