"""Time that the package adds to a user's own test, and to reading a file."""

from pathlib import Path

import numpy as np
import polars as pl

import ancestral as an
from ancestral.independence.fisher_z import FisherZ
from benchmarks.measure import SCRATCH, apart, peak_memory, ratio, rounds, short, table

COLUMNS, ROWS = 1000, 10_000


def own_test(nodes: int) -> tuple[int, float, float]:
    """Questions, seconds of a Python function that looks its answers up, and nanoseconds that the search adds to each.

    What the function takes by itself is measured by calling it with the same arguments, without a search.
    """
    dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=1)
    moments = an.Moments.of(an.simulate.linear_gaussian(dag, rows=1_000, seed=1))
    test = FisherZ(moments, 0.01)
    asker = test.questions(test.names)
    position = {name: i for i, name in enumerate(test.names)}
    answers: dict[tuple[str, str, tuple[str, ...]], float] = {}

    def computed(x: str, y: str, given: tuple[str, ...]) -> float:
        i, j = sorted((position[x], position[y]))
        answers[x, y, given] = test.evidence(asker, i, j, sorted(position[z] for z in given)).p_value
        return answers[x, y, given]

    def looked_up(x: str, y: str, given: tuple[str, ...]) -> float:
        return answers[x, y, given]

    def alone() -> None:
        for x, y, given in arguments:
            looked_up(x, y, given)

    an.discover(computed, names=test.names, progress=False)
    arguments = list(answers)
    ours, theirs = rounds(lambda: an.discover(looked_up, names=test.names, progress=False), alone)
    return len(arguments), min(theirs), (min(ours) - min(theirs)) / len(arguments) * 1e9


def from_file(path: Path) -> tuple[float, float, float, float]:
    """Seconds to read and search, the peak of memory; seconds of polars and np.corrcoef, and our ratio to them."""

    def plain() -> object:
        return np.corrcoef(pl.read_parquet(path).to_numpy(), rowvar=False)

    an.discover(path, algorithm="icd", progress=False)
    peak = peak_memory()
    ours, theirs = rounds(lambda: an.discover(path, algorithm="icd", progress=False), plain)
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
