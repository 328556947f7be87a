"""Costs that do not depend on the machine: questions, and instructions where valgrind is installed: `make count`.

    python -m benchmarks.counting

1. Questions to search and to verify in fixed cases of each test, and the smaller sets that were built on the way.
2. Questions with the oracle on the paper's DAGs (section 4.1: rho = 2, 25 DAGs each): the mean, for each setting.
3. Instructions of one search, by callgrind: a process that searches six times less one that searches once, over five.
   The last digits vary with memory addresses.

docs/speed.md holds the tables, so a regression shows as a difference.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

import ancestral as an
from ancestral.graphs.names import by_name
from ancestral.parallel.clock import Watch
from ancestral.search._asking_cy import Asking
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.icd import icd
from ancestral.search.progress import RadiusProgress
from ancestral.search.stage import Stage
from benchmarks.measure import SCRATCH, table

DAGS = 25
#: Settings of a search, and sizes of DAGs; with "off", 35 nodes would take half a minute.
WAYS = [
    (SearchOptions(possible_ancestors="all", stable=False, verify=False), (15, 20, 25, 35)),
    (SearchOptions(possible_ancestors="all"), (15, 20, 25, 35)),
    (SearchOptions(possible_ancestors="distant"), (15, 20, 25, 35)),
    (SearchOptions(possible_ancestors="off", stable=False, verify=False), (15, 20, 25)),
    (SearchOptions(possible_ancestors="off"), (15, 20, 25)),
]


def drawn(simulate: Callable[..., Any], nodes: int, rows: int) -> Any:
    """Rows of a fixed DAG."""
    return simulate(an.simulate.random_dag(nodes=nodes, degree=2, seed=3), rows=rows, seed=3)


#: What is searched; each is small enough for callgrind.
CASES: dict[str, Callable[[], Any]] = {
    "gaussian 70 x 1000": partial(drawn, an.simulate.linear_gaussian, 70, 1_000),
    "gaussian 300 x 10000": partial(drawn, an.simulate.linear_gaussian, 300, 10_000),
    "discrete 50 x 5000": partial(drawn, an.simulate.discrete, 50, 5_000),
    "mixed 20 x 1000": partial(drawn, an.simulate.mixed, 20, 1_000),
    "oracle 70": lambda: an.Oracle(an.simulate.random_dag(nodes=70, degree=2, seed=3)),
}


def search(case: str, times: int) -> an.Discovery:
    """Search a case `times` times and return the last result. Gaussian rows are turned into moments first."""
    source = CASES[case]()
    if case.startswith("gaussian"):
        source = an.Moments.of(source)
    for _ in range(times):
        found = an.discover(source, algorithm="icd", progress=False)
    return found


def by_radius(counts: Any) -> str:
    """Counts by radius in one line."""
    return " ".join(f"{radius}:{count}" for radius, count in sorted(counts.items()))


def instructions(case: str, times: int) -> int:
    """Instructions of a process that searches `times` times, counted by callgrind."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    out = SCRATCH / "callgrind.out"
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    call = f"from benchmarks.counting import search; search({case!r}, {times})"
    fixed = os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    subprocess.run([*tool, sys.executable, "-c", call], check=True, env=fixed, capture_output=True)
    summary = next(line for line in out.read_text().splitlines() if line.startswith(("summary:", "totals:")))
    return int(summary.split()[1])


def listened(case: str) -> tuple[an.Discovery, set[Any]]:
    """A search, and the kernels that asked questions in it."""
    askers: set[Any] = set()
    follow = Watch.follow

    def listening(watch: Watch, progress: RadiusProgress) -> None:
        askers.update(progress.askers)
        follow(watch, progress)

    with patch.object(Watch, "follow", listening):
        return search(case, 1), askers


def questions() -> Iterator[tuple[str, ...]]:
    """The first table, row by row."""
    for case in CASES:
        found, askers = listened(case)
        grown = sum(asker.grown for asker in askers if isinstance(asker, Asking))
        verified, edges = found.verify_tests.total(), len(found.pag.edges())
        yield case, f"{found.tests.total():,}", str(verified), f"{grown:,}", str(edges), by_radius(found.tests)


def last_stage(dag: an.DAG, way: SearchOptions) -> Stage:
    """The complete stage of a search with the oracle."""
    names = sorted(dag.observed, key=by_name)
    *_, last = icd(Problem(questions=an.Oracle(dag).questions(names), names=names, columns=dag.observed, options=way))
    return last


def ways() -> Iterator[tuple[str, ...]]:
    """The second table, row by row."""
    for way, sizes in WAYS:
        for nodes in sizes:
            dags = [an.simulate.random_dag(nodes=nodes, degree=2, seed=seed) for seed in range(DAGS)]
            stages = [last_stage(dag, way) for dag in dags]
            asked = np.mean([stage.tests.total() for stage in stages])
            verified = np.mean([stage.verify_tests.total() for stage in stages])
            kind = (way.possible_ancestors, str(way.verify), str(way.stable))
            yield (*kind, str(nodes), f"{asked:.1f}", f"{verified:.1f}")


def counted() -> Iterator[tuple[str, ...]]:
    """The third table, row by row."""
    for case in ("gaussian 70 x 1000", "oracle 70"):
        asked = search(case, 1).tests.total()
        each = (instructions(case, 6) - instructions(case, 1)) / 5
        yield case, f"{each / 1e6:.2f}", f"{each / asked:,.0f}"


def main() -> None:
    """Print the tables."""
    print("## Questions\n")
    table(("case", "questions", "to verify", "sets grown", "edges", "by radius"), questions())
    print("## Questions with the oracle, mean of 25 DAGs\n")
    table(("possible_ancestors", "verify", "stable", "nodes", "questions", "to verify"), ways())
    print("## Instructions\n")
    if shutil.which("valgrind"):
        table(("case", "millions per search", "per question"), counted())
    else:
        print("valgrind is not installed: sudo apt-get install valgrind\n")


if __name__ == "__main__":
    main()
