"""The Gaussian search of a given correlation matrix, beside the yardstick on the same matrix.

The yardstick finds colliders by the first separating sets. Our default asks for more, so that witnesses agree; with
`colliders="first"` both do the same.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import ancestral as an
from benchmarks.measure import SCRATCH, SEARCHED, Searched, apart, exponent, ratio, rounds, searched, short, table
from benchmarks.peers import yardstick

VARIABLES = (15, 35, 70, 150, 300, 1000, 3000)
ROWS = (1_000, 10_000)
#: Number of nodes from which growth is fitted: smaller searches are mostly fixed cost.
LARGE = 150


def sample(nodes: int, rows: int) -> Path:
    """Save rows of a random DAG with mean degree 2 and latent nodes, and their correlation matrix; the path."""
    dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=1)
    values = an.simulate.linear_gaussian(dag, rows=rows, seed=1).to_numpy()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / f"gaussian-{nodes}-{rows}.npy"
    np.save(path, values)
    np.save(correlation(path), np.corrcoef(values, rowvar=False))
    return path


def correlation(data: Path) -> Path:
    """The path of the correlation matrix of a sample."""
    return data.with_suffix(".correlation.npy")


def case(path: Path, rows: int, budget: float) -> tuple[Searched, float, float, float, str]:
    """Our search; seconds of the yardstick, our ratios to it, by default and with `colliders="first"`; what differs.

    Moments are checked once, in the first run, which is not timed; each run makes a test of them.
    """
    matrix = np.load(path)
    moments = an.Moments.from_correlation(matrix, rows=rows)
    ours = searched(lambda: an.discover(moments, algorithm="icd", progress=False), budget)
    peer = yardstick()
    if peer is None:
        return ours, float("nan"), float("nan"), float("nan"), ""
    mine, first, theirs = rounds(
        lambda: an.discover(moments, algorithm="icd", progress=False),
        lambda: an.discover(moments, algorithm="icd", colliders="first", progress=False),
        lambda: peer(moments.correlation, rows),
        budget=budget,
    )
    pag = an.discover(moments, algorithm="icd", progress=False).pag
    joined = pag.arranged(moments.names) != 0
    marks, _ = peer(moments.correlation, rows)
    differing = np.count_nonzero(joined != (marks != 0)) // 2
    edges = np.count_nonzero(joined) // 2
    same = "equal" if differing == 0 else f"{differing} of {edges} differ"
    return ours, min(theirs), ratio(mine, theirs), ratio(first, theirs), same


def report(large: bool) -> None:
    """Print the table and how seconds grow with variables."""
    taken: dict[int, list[tuple[int, float]]] = {rows: [] for rows in ROWS}

    def lines() -> Iterator[tuple[str, ...]]:
        for rows in ROWS:
            for nodes in (*VARIABLES, 10_000) if large else VARIABLES:
                path = correlation(sample(nodes, rows))
                variables = len(np.load(path, mmap_mode="r"))
                ours, theirs, times, first, edges = apart(case, path, rows, 0.6)
                taken[rows].append((variables, ours.seconds))
                yield (str(variables), f"{rows:,}", *ours.cells(), short(theirs), f"{times:.2f}", f"{first:.2f}", edges)

    print("## Gaussian, correlation ready\n")
    table(("variables", "rows", *SEARCHED, "yardstick s", "ours / yardstick", "colliders first", "skeletons"), lines())
    for rows, pairs in taken.items():
        slope = exponent(*zip(*[(n, s) for n, s in pairs if n >= 0.9 * LARGE], strict=True))
        print(f"From {LARGE} nodes on, seconds grow like variables^{slope:.2f} at {rows:,} rows.")
    print()
