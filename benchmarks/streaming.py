"""Search more rows than fit into memory, in files that are read in batches, with capped memory: `make large`.

    python -m benchmarks.streaming [--rows 50000000] [--columns 20] [--folder FOLDER]

Files of a million rows are written into a folder (8 GB for 50 million rows of 20 numbers), then, each in a process of
its own that may hold 1 GB of data (RLIMIT_DATA): they are only read, and they are searched. The first
reading, which fills the cache of the operating system, is not counted. docs/scale.md holds the output of a run.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq

import ancestral as an
from ancestral.data.read.batches import BATCH_ROWS
from ancestral.independence.choice import choose_test
from benchmarks.measure import apart, forget_peak, peak_memory, questions, table

SEED = 1
PIECE = 1_000_000
RADIUS = 2
CAP = 1 << 30  # bytes


def written(folder: Path, rows: int, columns: int, kind: str) -> int:
    """Write files of rows of one random DAG; their size in bytes.

    Continuous columns are linear in their parents; discrete ones have two levels, with probabilities that depend on
    the parents; in mixed data every other column of a linear model is cut at 0.
    """
    dag = an.simulate.random_dag(nodes=columns, degree=2, seed=SEED, latent=0)
    weights = np.random.default_rng(SEED).uniform(0.2, 0.8, size=columns)
    parents = {b: [a for a, _, c in dag.edges() if c == b] for b in dag.nodes}
    order: list[str] = []
    while len(order) < columns:
        order += [name for name in dag.nodes if name not in order and set(parents[name]) <= set(order)]
    names = sorted(order)
    for i, first in enumerate(range(0, rows, PIECE)):
        count = min(PIECE, rows - first)
        rng = np.random.default_rng([SEED, i])
        values: dict[str, np.ndarray] = {}
        for name, weight in zip(order, weights, strict=True):
            signal = sum((values[parent] for parent in parents[name]), np.zeros(count))
            if kind == "discrete":
                share = 0.5 + 0.45 * weight * signal / max(1, len(parents[name]))
                values[name] = np.where(rng.random(count) < share, 1.0, -1.0)
            else:
                values[name] = weight * signal + rng.normal(size=count)
        frame = pl.DataFrame(values).select(names)
        cut = names if kind == "discrete" else names[::2] if kind == "mixed" else []
        frame = frame.with_columns((pl.col(name) > 0).cast(pl.Int8) for name in cut)
        frame.write_parquet(folder / f"part-{i:04}.parquet")
    return sum(file.stat().st_size for file in folder.iterdir())


def _capped() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (CAP, CAP))


def scanned(folder: Path) -> tuple[float, float]:
    """Wall-clock and processor seconds of reading all rows with pyarrow, in the same batches, without using them."""
    _capped()
    begin, busy = time.perf_counter(), time.process_time()
    for file in sorted(folder.iterdir()):
        for _ in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS):
            pass
    return time.perf_counter() - begin, time.process_time() - busy


def searched(folder: Path) -> tuple[float, float, float, float, int, str]:
    """Wall-clock and processor seconds of reading, seconds of the search, peak MB, questions, the test."""
    _capped()
    an.discover(an.Moments.from_correlation(np.eye(3), rows=100), alpha=0.01, progress=False)  # imports are not counted
    forget_peak()
    begin, busy = time.perf_counter(), time.process_time()
    test = choose_test(f"{folder}/*.parquet")
    read, busy = time.perf_counter() - begin, time.process_time() - busy
    found = an.discover(test, progress=False, max_radius=RADIUS)
    whole = time.perf_counter() - begin
    return read, busy, whole - read, peak_memory(), questions(found), test.name


def measured(rows: int, columns: int, kind: str, where: Path | None) -> tuple[str, ...]:
    """One line of the table."""
    with tempfile.TemporaryDirectory(dir=where) as folder:
        size = written(Path(folder), rows, columns, kind)
        apart(scanned, Path(folder))
        rounds = [(apart(scanned, Path(folder)), apart(searched, Path(folder))) for _ in range(2)]
        (scan, scan_busy), (read, busy, search, peak, asked, test) = min(rounds, key=lambda both: both[1][0])
    return (
        kind,
        f"{rows:,}",
        str(columns),
        f"{size / 1e9:.2f}",
        f"{scan:.1f}",
        f"{read:.1f}",
        f"{read / scan:.2f}",
        f"{scan_busy:.1f}",
        f"{busy:.1f}",
        f"{busy / scan_busy:.2f}",
        test,
        f"{asked:,}",
        f"{search:.2f}",
        f"{peak:.0f}",
    )


def report(rows: int, columns: int, kinds: list[str], where: Path | None) -> None:
    """Print the table."""

    def lines() -> Iterator[tuple[str, ...]]:
        line: Callable[[str], tuple[str, ...]] = lambda kind: measured(rows, columns, kind, where)  # noqa: E731
        yield from map(line, kinds)

    print("## More rows than fit into memory\n")
    head = ("columns are", "rows", "columns", "GB", "reading alone, s", "our pass, s", "ratio")
    busy = ("reading, CPU s", "our pass, CPU s", "ratio")
    table((*head, *busy, "test", "questions", "search, s", "peak MB"), lines())


def main() -> None:
    """Measure and print."""
    kinds = ["continuous", "discrete", "mixed"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--folder", type=Path, help="where the files are written, and removed again")
    options = parser.parse_args()
    report(options.rows, options.columns, options.kinds, options.folder)


if __name__ == "__main__":
    main()
