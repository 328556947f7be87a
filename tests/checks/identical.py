"""Are answers, counts, run files and the order of questions what they were before a change of the kernels?

    python -m tests.checks.identical --record before.json     before the change
    python -m tests.checks.identical --compare before.json    after it

Runs searches of all kinds: perfect and statistical tests, every condition on candidate sets, stable and immediate
removal, verified or not, knowledge, a largest radius, resumed runs, threads, and the processes of an executor. Of each
the file keeps a checksum of the run file (its bytes hold the graph, the reasons and the counts), and the numbers of
questions. It also keeps a checksum of the candidate sets of random graphs, in the order in which they are asked about,
and of the questions that a function of Python was asked. The second command prints what differs, and fails if
anything does.
"""

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import combinations, product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import ancestral as an
from ancestral.search._icd_sep_cy import IcdSep
from tests.support.reference import random_marks

__all__ = ["CASES", "main", "measured"]

MODES = ("off", "distant", "all")
EDGES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]


@cache
def dag(nodes: int, seed: int = 3, selection: int = 0) -> an.DAG:
    """A DAG as in the ICD paper."""
    return an.simulate.random_dag(nodes, 2, seed=seed, selection=selection)


@cache
def rows_of(kind: str, nodes: int, rows: int, seed: int = 3) -> pl.DataFrame:
    """Rows of a random DAG; "gaps" are Gaussian rows of which one value in twenty is missing."""
    if kind == "gaps":
        whole = rows_of("linear_gaussian", nodes, rows, seed)
        gaps = np.random.default_rng(seed).random(whole.shape) < 0.05
        return pl.DataFrame(
            {name: pl.Series(np.where(gaps[:, i], np.nan, whole[name])) for i, name in enumerate(whole.columns)}
        ).fill_nan(None)
    frame: pl.DataFrame = getattr(an.simulate, kind)(dag(nodes, seed), rows=rows, seed=seed)
    return frame


def digest(content: bytes) -> str:
    """A checksum."""
    return hashlib.sha256(content).hexdigest()[:20]


def searched(source: Callable[[], Any], **options: Any) -> dict[str, Any]:
    """What is kept of one run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.json"
        found = an.discover(source(), progress=False, save=file, **{"algorithm": "icd", **options})
        return {
            "file": digest(file.read_bytes()),
            "tests": sorted(found.tests.items()),
            "verify": sorted(found.verify_tests.items()),
        }


def resumed(source: Callable[[], Any], first: int, **options: Any) -> dict[str, Any]:
    """The same for a run that was ended after the radius `first`, and resumed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.json"
        options = {"algorithm": "icd", "progress": False, **options}
        an.discover(source(), save=file, max_radius=first, **options)
        begun = digest(file.read_bytes())
        found = an.discover(source(), resume=file, save=file, **options)
        return {"begun": begun, "file": digest(file.read_bytes()), "tests": sorted(found.tests.items())}


def in_processes(source: Callable[[], Any], **options: Any) -> dict[str, Any]:
    """The same with the workers of an executor."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        return searched(source, executor=executor, **options)


def asked_in_order(graph: an.DAG, **options: Any) -> dict[str, Any]:
    """The questions that a function of Python is asked, one after the other."""
    asked: list[str] = []
    truth = an.Oracle(graph)
    names = sorted(graph.observed)
    answers = truth.questions(names)
    at = {name: i for i, name in enumerate(names)}

    def ask(x: str, y: str, given: tuple[str, ...]) -> float:
        asked.append(f"{x} {y} | {' '.join(given)}")
        return float(answers.ask(at[x], at[y], [at[z] for z in given]))

    found = an.discover(ask, names=names, progress=False, **{"algorithm": "icd", "colliders": "first", **options})
    return {
        "questions": len(asked),
        "order": digest("\n".join(asked).encode()),
        "graph": digest(str(found.pag).encode()),
    }


def listed(seed: int, mode: str) -> dict[str, Any]:
    """The candidate sets of pairs of random graphs, in order: small dense graphs, and sparse ones of many nodes."""
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(6):
        n, density = (int(rng.integers(4, 10)), rng.uniform(0.3, 0.9)) if rng.random() < 0.7 else (80, 0.045)
        marks = random_marks(rng, n, density, EDGES)
        no_cause = (rng.random((n, n)) < 0.2).astype(np.uint8) if rng.random() < 0.3 else None
        no_edge = np.argwhere(np.triu(rng.random((n, n)) < 0.1, 1) & (marks == 0)).astype(np.intc)
        keep = bool(rng.random() < 0.5)
        for radius in range(1, min(n - 1, 7)):
            sets = IcdSep(
                marks,
                None,
                radius,
                mode == "all",
                mode == "distant",
                bool(rng.random() < 0.5),
                keep_triangles=keep,
                no_cause=no_cause,
                no_edge=no_edge if len(no_edge) and rng.random() < 0.5 else None,
            )
            pairs = list(combinations(range(n), 2))
            for x, y in [pairs[i] for i in rng.choice(len(pairs), min(len(pairs), 6), replace=False)]:
                lines.append(f"{n} {radius} {x} {y}: {sets.listing(x, y) if radius < 5 or n < 10 else ''}")
                if marks[x, y] and rng.random() < 0.3:
                    sets.remove(x, y)
    return {"lines": len(lines), "sets": sum(map(len, lines)), "order": digest("\n".join(lines).encode())}


def oracle(nodes: int, seed: int, selection: int = 0) -> an.Oracle:
    """A perfect test."""
    return an.Oracle(dag(nodes, seed, selection))


def moments(nodes: int, rows: int) -> an.Moments:
    """Moments of Gaussian rows."""
    return an.Moments.of(rows_of("linear_gaussian", nodes, rows))


def known(nodes: int, seed: int) -> an.Knowledge:
    """Something true of a DAG: some nodes come later than others."""
    graph = dag(nodes, seed)
    names = sorted(graph.observed, key=lambda name: (len(graph.ancestors(name)), name))  # causes come first
    third = len(names) // 3
    return an.Knowledge(tiers=[names[:third], names[third : 2 * third], names[2 * third :]])


def cases() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Every run, by name."""
    flags = (True, False)
    for mode, verify, stable in product(MODES, flags, flags):
        how = {"possible_ancestors": mode, "verify": verify, "stable": stable}
        name = f"{mode} verify={verify} stable={stable}"
        for seed in (0, 8):
            yield f"oracle 18 seed {seed} {name}", partial(searched, partial(oracle, 18, seed), **how)
        yield f"gaussian 30 {name}", partial(searched, partial(moments, 30, 1_000), alpha=0.05, **how)
        yield f"discrete 15 {name}", partial(searched, partial(rows_of, "discrete", 15, 1_000), **how)
        yield f"order 13 {name}", partial(asked_in_order, dag(13, 5), **how)
    for mode, seed in product(MODES, range(4)):
        yield f"sets {mode} {seed}", partial(listed, seed, mode)
    for mode in MODES:
        how = {"possible_ancestors": mode}
        yield f"mixed 10 {mode}", partial(searched, partial(rows_of, "mixed", 10, 600), **how)
        yield f"testwise 15 {mode}", partial(searched, partial(rows_of, "gaps", 15, 600), missing="testwise", **how)
        yield f"selected {mode}", partial(searched, partial(oracle, 16, 2, 3), **how)
        yield f"largest radius {mode}", partial(searched, partial(oracle, 20, 1), max_radius=3, **how)
        yield f"knowledge {mode}", partial(searched, partial(oracle, 20, 1), knowledge=known(20, 1), **how)
        yield f"known order {mode}", partial(asked_in_order, dag(15, 4), knowledge=known(15, 4), **how)
        yield f"resumed {mode}", partial(resumed, partial(oracle, 18, 1), 2, **how)
        yield (
            f"resumed gaussian {mode}",
            partial(resumed, partial(moments, 25, 500), 1, alpha=0.05, stable=False, **how),
        )
        yield f"threads {mode}", partial(searched, partial(oracle, 22, 7), workers=2, **how)
        yield f"threads gaussian {mode}", partial(searched, partial(moments, 60, 1_000), alpha=0.1, workers=2, **how)
        yield f"processes {mode}", partial(in_processes, partial(oracle, 18, 7), **how)
    yield "gaussian 300", partial(searched, partial(moments, 300, 5_000))
    yield "oracle 70", partial(searched, partial(oracle, 70, 3))
    yield "oracle 70, immediate", partial(searched, partial(oracle, 70, 3), stable=False)
    for algorithm in ("fci", "fci+", "rfci", "pc"):
        yield f"{algorithm} oracle", partial(searched, partial(oracle, 18, 2), algorithm=algorithm)
        yield f"{algorithm} gaussian", partial(searched, partial(moments, 20, 500), algorithm=algorithm)


CASES = dict(cases())


def measured() -> dict[str, dict[str, Any]]:
    """Run every case."""
    return {name: json.loads(json.dumps(run())) for name, run in CASES.items()}


def main() -> int:
    """Record, or compare; the exit code."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--record", type=Path, metavar="FILE")
    way.add_argument("--compare", type=Path, metavar="FILE")
    given = parser.parse_args()
    now = measured()
    if given.record:
        given.record.write_text(json.dumps(now, indent=1))
        print(f"{len(now)} runs recorded")
        return 0
    before = json.loads(given.compare.read_text())
    different = [name for name in now.keys() | before.keys() if now.get(name) != before.get(name)]
    for name in sorted(different):
        print(f"{name}\n  before {before.get(name)}\n  now    {now.get(name)}")
    print(f"{len(now)} runs, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
