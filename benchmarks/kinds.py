"""Searches that go back to the rows: discrete and mixed columns, missing values, and how seconds grow with rows."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import ancestral as an
from ancestral.data.table import Missing
from ancestral.independence.choose import choose_test
from benchmarks.measure import SCRATCH, SEARCHED, Searched, apart, exponent, rounds, searched, short, table

#: nodes, levels, rows
DISCRETE = [(50, 2, 1_000), (50, 2, 5_000), (50, 2, 20_000), (50, 2, 100_000), (50, 3, 5_000)]
LARGE_DISCRETE = [(200, 2, 100_000), (200, 3, 100_000)]
#: nodes, rows
MIXED = [(30, 1_000), (50, 1_000)]
MISSING = [(30, 1_000), (50, 1_000)]
#: the share of values that are taken out
HOLES = 0.05


def case(path: Path, test: str, missing: Missing) -> tuple[Searched, float]:
    """The search in a saved frame, read before the clock starts; and how many of its seconds go to checking columns."""
    frame = pl.read_parquet(path)
    kinds = "continuous" if test == "fisher-z" else None  # indicators are numbers there
    (checking,) = rounds(lambda: choose_test(frame, test=test, kinds=kinds, missing=missing), budget=0.3)
    whole = searched(lambda: an.discover(frame, test=test, kinds=kinds, missing=missing, progress=False), 0.5)
    return whole, min(checking)


def measured(frame: pl.DataFrame, test: str, missing: Missing = "refuse") -> tuple[Searched, float]:
    """The same for a frame at hand."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / "frame.parquet"
    frame.write_parquet(path)
    return apart(case, path, test, missing)


def graph(nodes: int) -> an.DAG:
    """A random DAG with mean degree 2 and all nodes observed."""
    return an.simulate.random_dag(nodes=nodes, degree=2, seed=2, latent=0)


def indicators(frame: pl.DataFrame) -> pl.DataFrame:
    """Each column of strings as 0-1 columns for all its levels but the first."""
    labels = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.to_dummies(labels, drop_first=True).cast(pl.Float64)


def with_holes(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame, a share of its values taken out at random."""
    gone = np.random.default_rng(1).random(frame.shape) < HOLES
    return frame.with_columns(
        pl.when(pl.Series(~gone[:, i])).then(pl.col(name)).alias(name) for i, name in enumerate(frame.columns)
    )


def report(large: bool) -> None:
    """Print the table and how seconds grow with rows."""
    growth: list[tuple[int, float]] = []

    def line(
        what: str, frame: pl.DataFrame, one: tuple[Searched, float], above: float | None = None
    ) -> tuple[str, ...]:
        found, checking = one
        times = f"{(found.seconds - checking) / above:.1f}" if above else ""
        return (what, str(frame.width), f"{frame.height:,}", short(checking), *found.cells(), times)

    def lines() -> Iterator[tuple[str, ...]]:
        for nodes, levels, rows in DISCRETE + LARGE_DISCRETE * large:
            frame = an.simulate.discrete(graph(nodes), rows=rows, levels=levels, seed=1)
            found = measured(frame, "g")
            if (nodes, levels) == (50, 2):
                growth.append((rows, found[0].seconds))
            yield line(f"{levels} levels", frame, found)
        for nodes, rows in MIXED:
            frame = an.simulate.mixed(graph(nodes), rows=rows, seed=1)
            wide = indicators(frame)
            plain = measured(wide, "fisher-z")
            yield line("indicators as numbers", wide, plain)
            yield line("mixed, half of 3 levels", frame, measured(frame, "mixed"), plain[0].seconds - plain[1])
        for nodes, rows in MISSING:
            frame = an.simulate.linear_gaussian(graph(nodes), rows=rows, seed=1)
            complete = measured(frame, "fisher-z")
            yield line("complete", frame, complete)
            holes = measured(with_holes(frame), "fisher-z", "testwise")
            yield line(f"{HOLES:.0%} missing, testwise", frame, holes, complete[0].seconds - complete[1])

    print("## From rows: discrete, mixed, missing\n")
    table(("what", "columns", "rows", "checking, s", *SEARCHED, "search / line above"), lines())
    print(f"50 columns of two levels: seconds grow like rows^{exponent(*zip(*growth, strict=True)):.2f}.\n")
