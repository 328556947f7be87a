"""The cost of counting the rows of a text file independently of its parser: `python -m benchmarks.reading`.

For each kind of file: the seconds of processor time that it takes to read it as a table and as a stream, and of these
the seconds in the walk over its bytes (`data/read/_records_cy`), which decides what a record is. The best of three.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import ancestral as an
from ancestral.data.read import records
from ancestral.data.read._records_cy import Survey

__all__ = ["main"]


def _files(folder: Path, megabytes: int) -> dict[str, Path]:
    """Files of numbers, of levels and of quoted text."""
    rng = np.random.default_rng(1)
    rows = megabytes * 2_800
    names = [f"x{i}" for i in range(20)]
    numbers = pl.DataFrame(rng.normal(size=(rows, 20)), schema=names)
    levels = pl.DataFrame(rng.integers(0, 4, size=(10 * rows, 20)), schema=names)
    words = np.array([f"level, no. {i}" for i in range(5)])
    text = pl.DataFrame({name: words[rng.integers(0, 5, size=2 * rows)] for name in names[:10]})
    out = {}
    for name, frame in (("numbers", numbers), ("levels", levels), ("quoted", text)):
        out[name] = folder / f"{name}.csv"
        frame.write_csv(out[name])
    return out


class _Timed:
    """A survey of records that adds up the time it takes."""

    seconds = 0.0

    def __new__(cls, *arguments: Any) -> Any:
        began = time.thread_time()
        survey = Survey(*arguments)
        cls.seconds += time.thread_time() - began
        return survey


def _measured(read: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the fastest of three runs, and those of counting in it."""
    out = []
    for _ in range(3):
        _Timed.seconds = 0.0
        began = time.process_time()
        read()
        out.append((time.process_time() - began, _Timed.seconds))
    return min(out)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=100)
    megabytes = parser.parse_args().megabytes
    vars(records)["Survey"] = _Timed
    print("| file | MB | read as | seconds | counting | share |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in _files(Path(folder), megabytes).items():
            size = path.stat().st_size / 1e6
            discrete = None if name == "numbers" else "discrete"

            def as_table(path: Path = path, kinds: str | None = discrete) -> object:
                return an.Table.of(path, kinds=kinds)

            def as_stream(path: Path = path, discrete: bool = discrete is not None) -> object:
                return an.Counts.of([path]) if discrete else an.Moments.of([path])

            for way, read in (("table", as_table), ("stream", as_stream)):
                seconds, counting = _measured(read)
                print(f"| {name} | {size:.0f} | {way} | {seconds:.2f} | {counting:.3f} | {counting / seconds:.1%} |")


if __name__ == "__main__":
    main()
