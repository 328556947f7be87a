"""What we add around the work of others: around a user's own test, and between a file and its graph."""

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl

import ancestral as an
from benchmarks.measure import SCRATCH, apart, peak_memory, questions, ratio, rounds, short, table

COLUMNS, ROWS = 1000, 10_000


def own_test(nodes: int) -> tuple[int, float, float]:
    """Questions, seconds inside a Python function that answers them, and nanoseconds that we add to each."""
    dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=1)
    frame = an.simulate.linear_gaussian(dag, rows=1_000, seed=1)
    matrix = np.corrcoef(frame.to_numpy(), rowvar=False)
    position = {name: i for i, name in enumerate(frame.columns)}
    normal = NormalDist()
    inside = 0.0

    def partial_correlation(x: str, y: str, given: Sequence[str]) -> float:
        nonlocal inside
        start = time.perf_counter()
        chosen = [position[v] for v in (x, y, *given)]
        precision = np.linalg.inv(matrix[np.ix_(chosen, chosen)])
        r = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
        z = abs(np.arctanh(r)) * np.sqrt(1_000 - len(given) - 3)
        p_value = 2 * normal.cdf(-float(z))
        inside += time.perf_counter() - start
        return p_value

    added = []
    for _ in range(3):
        inside = 0.0
        start = time.perf_counter()
        found = an.discover(partial_correlation, names=frame.columns, progress=False)
        added.append(time.perf_counter() - start - inside)
    asked = questions(found)
    return asked, inside, min(added) / asked * 1e9


def from_file(path: Path) -> tuple[float, float, float, float]:
    """Seconds to read and search, the peak of memory; seconds of polars and np.corrcoef, and our ratio to them."""

    def plain() -> object:
        return np.corrcoef(pl.read_parquet(path).to_numpy(), rowvar=False)

    an.discover(path, progress=False)
    peak = peak_memory()
    ours, theirs = rounds(lambda: an.discover(path, progress=False), plain)
    return min(ours), peak, min(theirs), ratio(ours, theirs)


def report() -> None:
    """Print both tables."""
    print("## A test of one's own, in Python\n")
    lines = ((nodes, *apart(own_test, nodes)) for nodes in (15, 35, 70, 300))
    cells = ((n, f"{asked:,}", short(inside), f"{ns:,.0f}") for n, asked, inside, ns in lines)
    table(("nodes", "questions", "seconds in the function", "ns added to each"), cells)

    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / "wide.parquet"
    dag = an.simulate.random_dag(nodes=COLUMNS, degree=2, seed=1, latent=0)
    an.simulate.linear_gaussian(dag, rows=ROWS, seed=1).write_parquet(path)
    ours, peak, theirs, times = apart(from_file, path)
    print("## From a Parquet file\n")
    head = ("columns", "rows", "read and search, s", "peak MB", "polars and np.corrcoef, s", "ratio")
    table(head, [(COLUMNS, f"{ROWS:,}", short(ours), f"{peak:.0f}", short(theirs), f"{times:.2f}")])
