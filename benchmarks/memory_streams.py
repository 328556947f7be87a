"""What summing up a stream costs beside reading it uncompressed in memory: `python -m benchmarks.memory_streams`.

    python -m benchmarks.memory_streams [--rows 5000000] [--columns 20]

Rows of the laws of `benchmarks.streaming` are kept in memory as an uncompressed stream of Arrow (IPC). *Reading* goes
through its batches and makes a numpy array of doubles of each column, which is the least that any use of the numbers
does. *Our pass* reads the same batches and sums them up. The two take turns; seconds are the best of the rounds, the
ratio is the median over them. Levels take a byte in memory, so that a double is more than was read.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from ancestral.data.read.batches import BATCH_ROWS
from ancestral.independence.choice import choose_test
from benchmarks.measure import apart, ratio, table
from benchmarks.streaming import written

ROUNDS = 5


def _batches(content: Any) -> Iterator[Any]:
    """The record batches of a stream of Arrow in memory."""
    with pa.ipc.open_stream(pa.BufferReader(content)) as reader:
        yield from reader


def _read(content: Any) -> None:
    """Make an array of doubles of each column of each batch."""
    for batch in _batches(content):
        for column in batch.columns:
            np.array(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def measured(rows: int, columns: int, kind: str) -> tuple[str, ...]:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder), rows, columns, kind)
        frames = pl.read_parquet(f"{folder}/*.parquet").to_arrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, frames.schema) as writer:
        writer.write_table(frames.combine_chunks(), max_chunksize=BATCH_ROWS)
    content = sink.getvalue()
    del frames
    works: list[Callable[[], object]] = [lambda: _read(content), lambda: choose_test(_batches(content))]
    wall: list[list[float]] = [[], []]
    busy: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            begin, cpu = time.perf_counter(), time.process_time()
            work()
            wall[i].append(time.perf_counter() - begin)
            busy[i].append(time.process_time() - cpu)
    each = [f"{min(seconds) / rows / columns * 1e9:.2f}" for seconds in (*wall, *busy)]
    return kind, each[0], each[1], f"{ratio(wall[1], wall[0]):.1f}", each[2], each[3], f"{ratio(busy[1], busy[0]):.1f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--columns", type=int, default=20)
    options = parser.parse_args()
    print("## Beside reading uncompressed in memory, ns a value\n")
    head = ("columns are", "reading", "our pass", "ratio", "reading, CPU", "our pass, CPU", "ratio of CPU")
    kinds = ("continuous", "discrete", "mixed")
    table(head, (apart(measured, options.rows, options.columns, kind) for kind in kinds))


if __name__ == "__main__":
    main()
