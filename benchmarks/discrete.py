"""Speed of the tests on contingency tables.

    python -m benchmarks.discrete [--rows 100000] [--peer]

1. Counting: nanoseconds per row and table, for columns of 2, 3 and 5 levels and 0 to 3 conditions, each question asked
   once; beside numpy, which numbers the cells of all rows and counts them with bincount. Processor time.
2. Searching: seconds and questions of `discover(frame, test="g")`, the best of three runs; with --peer beside the FCI
   of causal-learn (`gsq`), which must be installed. Networks with 100 000 rows are searched without the peer.
"""

import argparse
import contextlib
import importlib
import io
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from time import process_time

import numpy as np
import polars as pl

import ancestral as an
from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.contingency import ROWS_PER_DF

COLUMNS = 12
QUESTIONS = 60
#: Nodes, mean degree, levels, rows.
NETWORKS = [
    (50, 2, 2, 5_000),
    (50, 2, 3, 5_000),
    (50, 3, 2, 5_000),
    (50, 3, 3, 5_000),
    (50, 4, 2, 5_000),
    (50, 4, 3, 5_000),
    (200, 2, 2, 100_000),
    (200, 2, 3, 100_000),
    (200, 4, 2, 100_000),
    (200, 4, 3, 100_000),
]


def seconds(work: Callable[[], object], repeats: int = 3, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def by_bincount(codes: np.ndarray, chosen: tuple[int, ...], levels: int) -> np.ndarray:
    """The number of rows in each cell."""
    cell = codes[chosen[0]]
    for v in chosen[1:]:
        cell = cell * levels + codes[v]
    return np.bincount(cell, minlength=levels ** len(chosen))


def counting(rows: int) -> Iterator[str]:
    """The first table, row by row."""
    yield "| levels | conditions | ns per row and table | numpy | ratio |"
    yield "| --- | --- | --- | --- | --- |"
    rng = np.random.default_rng(1)
    for levels in (2, 3, 5):
        codes = rng.integers(0, levels, (COLUMNS, rows), dtype=np.intc)
        thresholds = np.full(rows, 10.0)
        for size in range(4):
            sets = list(permutations(range(COLUMNS), size + 2))
            asked = [sets[i] for i in np.linspace(0, len(sets) - 1, QUESTIONS).astype(int)]
            best = float("inf")
            for _ in range(3):  # each run starts without cached tables
                questions = Contingency(codes, [levels] * COLUMNS, thresholds, False, ROWS_PER_DF)
                once = seconds(lambda: [questions.measured(x, y, given) for x, y, *given in asked], 1, process_time)  # noqa: B023
                best = min(best, once)
            ours = best / QUESTIONS / rows * 1e9
            plain = seconds(lambda: [by_bincount(codes, s, levels) for s in asked[::12]], 3, process_time)  # noqa: B023
            numpy = plain / len(asked[::12]) / rows * 1e9
            yield f"| {levels} | {size} | {ours:.3f} | {numpy:.1f} | {numpy / ours:.0f} |"


def peer_seconds(frame: pl.DataFrame) -> float:
    """How long causal-learn's FCI takes."""
    fci = importlib.import_module("causallearn.search.ConstraintBased.FCI").fci
    data = frame.to_numpy()
    with contextlib.redirect_stdout(io.StringIO()):
        return seconds(lambda: fci(data, "gsq", 0.01, verbose=False, show_progress=False), repeats=1)


def searching(peer: bool) -> Iterator[str]:
    """The second table, row by row."""
    yield "| nodes | degree | levels | rows | seconds | questions | causal-learn | ratio |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for nodes, degree, levels, rows in NETWORKS:
        dag = an.simulate.random_dag(nodes=nodes, degree=degree, seed=2, latent=0)
        frame = an.simulate.discrete(dag, rows=rows, levels=levels, seed=1)
        asked = an.discover(frame, algorithm="icd", test="g").tests.total()
        ours = seconds(lambda: an.discover(frame, algorithm="icd", test="g"))  # noqa: B023
        line = f"| {nodes} | {degree} | {levels} | {rows} | {ours:.3f} | {asked} |"
        if peer and rows < 100_000:
            theirs = peer_seconds(frame)
            line += f" {theirs:.1f} | {theirs / ours:.0f} |"
        yield line


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000, help="for counting")
    parser.add_argument("--peer", action="store_true", help="time causal-learn, too")
    options = parser.parse_args()
    for table in (counting(options.rows), searching(options.peer)):
        for row in table:
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
