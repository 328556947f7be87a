"""Memory and seconds of searching, saving, loading and resuming runs of many variables.

    python -m benchmarks.saving                          # 2,000, 5,000 and 20,000 variables
    python -m benchmarks.saving --variables 2000 --seed 1

Linear-Gaussian data, 500 rows, of a sparse random graph: each variable has two earlier ones as causes, on average one.
`fisher-z`, alpha 0.001, everything else by default. Each line is a process of its own; its peak memory,
data included, is compared with one matrix of doubles over all pairs of variables.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from benchmarks.measure import SCRATCH, apart, forget_peak, peak_memory, short, table

VARIABLES = (2_000, 5_000, 20_000)
ROWS = 500
HEAD = ("variables", "what", "seconds", "peak MB", "matrices", "file MB", "edges", "radius")


def rows_of(variables: int, seed: int, rows: int = ROWS) -> NDArray[np.float64]:
    """Rows drawn from the graph."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(variables, rows))
    for v in range(1, variables):
        for cause in rng.integers(0, v, size=2):
            if rng.random() < 0.5:
                values[v] += rng.uniform(0.5, 1.0) * values[cause]
        values[v] /= values[v].std()
    return values.T


def measured(what: str, variables: int, seed: int) -> tuple[str, ...]:
    """One row of the table."""
    path = SCRATCH / f"saving-{variables}.json"
    names = [f"x{i}" for i in range(variables)]
    options: dict[str, Any] = {"algorithm": "icd", "alpha": 0.001, "progress": False}
    source = None if what == "load" else an.Table.of(rows_of(variables, seed), names=names, kinds="continuous")
    forget_peak()
    start = time.perf_counter()
    if what == "search":
        found = an.discover(source, **options)
    elif what == "search and save":
        found = an.discover(source, save=path, **options)
    elif what == "load":
        found = an.load(path)
    elif what == "stop after radius 0":
        path.unlink(missing_ok=True)
        found = an.discover(source, save=path, max_radius=0, **options)
    else:
        found = an.discover(source, resume=path, **options)
    seconds = time.perf_counter() - start
    peak = peak_memory()
    matrix = 8 * variables**2 / 1024**2
    size = f"{path.stat().st_size / 1e6:,.0f}" if what != "search" else ""
    cells = (short(seconds), f"{peak:,.0f}", f"{peak / matrix:.2f}", size)
    return (f"{variables:,}", what, *cells, f"{found.history[-1].edges:,}", str(found.radius))


def report(variables: Sequence[int], seed: int) -> None:
    """Print the table; a resumed run must end with the file of one that was not stopped."""
    Path(SCRATCH).mkdir(parents=True, exist_ok=True)

    def lines() -> Any:
        for n in variables:
            path = SCRATCH / f"saving-{n}.json"
            path.unlink(missing_ok=True)
            for what in ("search", "search and save", "load"):
                yield apart(measured, what, n, seed)
            whole = path.rename(path.with_suffix(".whole"))
            for what in ("stop after radius 0", "resume"):
                yield apart(measured, what, n, seed)
            assert _same(path, whole), "a resumed run must end with the same file"
            path.unlink()
            whole.unlink()

    table(HEAD, lines())


def _same(one: Path, other: Path) -> bool:
    with one.open("rb") as first, other.open("rb") as second:
        while True:
            some, others = first.read(1 << 20), second.read(1 << 20)
            if some != others:
                return False
            if not some:
                return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, nargs="+", default=VARIABLES)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    report(chosen.variables, chosen.seed)
