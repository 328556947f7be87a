"""Searches that count rows: discrete and mixed columns, missing values, and how seconds grow with rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import ancestral as an
from ancestral.data.table import Missing
from ancestral.independence.base import Test
from ancestral.independence.choice import choose_test
from benchmarks.measure import SCRATCH, SEARCHED, Searched, apart, exponent, ratio, rounds, searched, short, table

#: Nodes, levels, rows.
DISCRETE = [(50, 2, 1_000), (50, 2, 5_000), (50, 2, 20_000), (50, 2, 100_000), (50, 3, 5_000)]
LARGE_DISCRETE = [(200, 2, 100_000), (200, 3, 100_000)]
#: Nodes, rows.
MIXED = [(30, 1_000), (50, 1_000)]
MISSING = [(30, 1_000), (50, 1_000)]
#: The share of values that are removed.
HOLES = 0.05


@dataclass(frozen=True)
class Rows:
    """A saved frame, and the test for it."""

    path: Path
    test: str
    missing: Missing

    @classmethod
    def saved(cls, name: str, frame: pl.DataFrame, test: str, missing: Missing = "refuse") -> "Rows":
        """Save a frame."""
        SCRATCH.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(SCRATCH / f"{name}.parquet")
        return cls(SCRATCH / f"{name}.parquet", test, missing)

    def maker(self) -> Callable[[], Test]:
        """A function that makes the test of the frame, which is in memory: it checks and codes the columns."""
        frame = pl.read_parquet(self.path)
        kinds = "continuous" if self.test == "fisher-z" else None  # indicators are numbers for this test
        return lambda: choose_test(frame, test=self.test, kinds=kinds, missing=self.missing)


def case(rows: Rows) -> tuple[Searched, float]:
    """The search with a test that exists already, and the seconds that making the test takes."""
    make = rows.maker()
    test = make()
    whole = searched(lambda: an.discover(test, progress=False), 0.4)
    (making,) = rounds(make, budget=0.3)
    return whole, min(making)


def beside(one: Rows, other: Rows) -> float:
    """The ratio of two searches whose tests exist already."""
    first, second = one.maker()(), other.maker()()
    return ratio(*rounds(lambda: an.discover(first, progress=False), lambda: an.discover(second, progress=False)))


def graph(nodes: int) -> an.DAG:
    """A random DAG with mean degree 2 and all nodes observed."""
    return an.simulate.random_dag(nodes=nodes, degree=2, seed=2, latent=0)


def indicators(frame: pl.DataFrame) -> pl.DataFrame:
    """Each column of strings as 0-1 columns for all its levels but the first."""
    labels = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.to_dummies(labels, drop_first=True).cast(pl.Float64)


def with_holes(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without a random share of its values."""
    gone = np.random.default_rng(1).random(frame.shape) < HOLES
    return frame.with_columns(
        pl.when(pl.Series(~gone[:, i])).then(pl.col(name)).alias(name) for i, name in enumerate(frame.columns)
    )


def report(large: bool) -> None:
    """Print the table and how seconds grow with rows."""
    growth: list[tuple[int, float, float]] = []

    def line(what: str, frame: pl.DataFrame, rows: Rows, above: Rows | None = None) -> tuple[str, ...]:
        found, making = apart(case, rows)
        if rows.path.stem.startswith("discrete-50-2"):
            growth.append((frame.height, found.seconds, making))
        times = f"{apart(beside, rows, above):.1f}" if above else ""
        return (what, str(frame.width), f"{frame.height:,}", short(making), *found.cells(), times)

    def lines() -> Iterator[tuple[str, ...]]:
        for nodes, levels, height in DISCRETE + LARGE_DISCRETE * large:
            frame = an.simulate.discrete(graph(nodes), rows=height, levels=levels, seed=1)
            yield line(f"{levels} levels", frame, Rows.saved(f"discrete-{nodes}-{levels}", frame, "g"))
        for nodes, height in MIXED:
            frame = an.simulate.mixed(graph(nodes), rows=height, seed=1)
            wide = indicators(frame)
            plain = Rows.saved("indicators", wide, "fisher-z")
            yield line("indicators as numbers", wide, plain)
            yield line("mixed, half of 3 levels", frame, Rows.saved("mixed", frame, "mixed"), plain)
        for nodes, height in MISSING:
            frame = an.simulate.linear_gaussian(graph(nodes), rows=height, seed=1)
            complete = Rows.saved("complete", frame, "fisher-z")
            holes = Rows.saved("holes", with_holes(frame), "fisher-z", "testwise")
            yield line("complete", frame, complete)
            yield line(f"{HOLES:.0%} missing, testwise", frame, holes, complete)

    print("## From rows: discrete, mixed, missing\n")
    table(("what", "columns", "rows", "making the test, s", *SEARCHED, "search / line above"), lines())
    heights, seconds, making = zip(*growth, strict=True)
    print(
        f"50 columns of two levels: seconds of the search grow like rows^{exponent(heights, seconds):.2f}, "
        f"those of making the test like rows^{exponent(heights, making):.2f}.\n"
    )
