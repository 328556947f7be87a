"""Whether tests keep their level where rows have weights or are in clusters, and what it costs to ignore that.

    python -m benchmarks.calibration_design [--repeats 1000] [--seed 1] [--only fisher-z]

x and y are independent given Z in the population. For each cell: the share of samples called dependent at .01 and .05
with `weights` or `clusters`, marked where it is more than three standard errors above the level; the same at .05 if the
design is ignored (for weights: if rows are not weighted); and the power against a moderate dependence at .05. Writes
docs/calibration-design.md.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ancestral.data import Moments, Table
from ancestral.independence.registry import TESTS
from benchmarks.levels import Columns, page, share_below

__all__ = ["CELLS", "Cell", "clustered", "p_values", "weighted"]

#: What the columns of the page mean.
EXPLANATION = """\
x and y are independent given Z in the population. "at .01" and "at .05" are the shares of samples in which the test,
told the design, calls them dependent at that level; a star marks a share more than three standard errors above the
level. "ignored" is the same share at .05 if the test is not told. Power is the share called dependent at .05 where
there is a dependence; "cannot tell" is the share of samples which the test says cannot support the question.

Clusters: x, y and the given variables have this intraclass correlation. Weights: rows were selected with probabilities
that depend on x and y, the weights are their inverses, and the design effect of Kish is about 2. Discrete columns are
normal variables that were cut into two or three levels. "rank of levels": x is a number, y has labels, and the given
variables have ordered levels, labels, and so on in turn. "copula": numbers and ordered levels in turn; x and y are
independent given the normal variables behind them. "basis" and "kernel" have the columns of "mixed". Of 10,000 rows
there are a quarter as many samples.
"""


@dataclass(frozen=True)
class Cell:
    """One row of the page: a test, a design ("weights", or the intraclass correlation), rows, clusters and given."""

    test: str
    design: str
    rows: int
    clusters: int
    given: int

    @property
    def name(self) -> str:
        """The name of the test."""
        return self.test.split()[0]

    @property
    def correlation(self) -> float:
        """The intraclass correlation; 0 with weights."""
        return 0.0 if self.design == "weights" else float(self.design.removeprefix("icc "))


def _cells() -> Iterator[Cell]:
    for test in ("fisher-z", "rank", "mixed", "g", "chi2"):
        sizes = (0, 1, 3, 5) if test in ("fisher-z", "mixed") else (0, 1, 3)
        for icc in (".1", ".3"):
            for clusters in (20, 40, 100):
                for k in sizes if clusters == 40 else sizes[::2]:
                    yield Cell(test, f"icc {icc}", 25 * clusters, clusters, k)
        for rows in (200, 1000, 10_000):
            for k in sizes if rows == 1000 else sizes[::2]:
                yield Cell(test, "weights", rows, 0, k)
    for test in ("rank of levels", "copula", "basis", "kernel"):
        for k in (0, 1, 3):
            yield Cell(test, "icc .1", 1000, 40, k)
            yield Cell(test, "icc .3", 1000, 40, k)
            yield Cell(test, "weights", 1000, 0, k)


CELLS: list[Cell] = list(_cells())


def _levels_of(test: str, position: int) -> int:
    """The number of levels of the variable at this position (x, y, z1, …) as a test takes it; 0 for numbers."""
    if test in ("mixed", "basis", "kernel", "copula"):
        return 3 if position % 2 else 0
    if test == "rank of levels":
        return 3 if position else 0
    return 0 if test in ("fisher-z", "rank") else 3 if position == 0 else 2


def _ordered(test: str, position: int) -> bool:
    """Whether the levels of the variable at this position have an order."""
    return test == "copula" or (test == "rank of levels" and position % 2 == 0)


def _level(values: np.ndarray, levels: int) -> np.ndarray:
    """A standard normal variable cut at fixed quantiles: 0, 1, or 0, 1, 2."""
    return np.searchsorted({2: [0.0], 3: [-0.4307, 0.4307]}[levels], values)


def _linear(parts: Callable[[], np.ndarray], test: str, k: int, effect: float) -> Columns:
    """x and y that depend on z1 … zk as they are measured, and y on x if there is an effect.

    For "copula", on the normal variables behind what is measured.
    """
    out: Columns = {}
    lean = np.zeros(1)
    for i in range(k):
        values, levels = parts(), _levels_of(test, i + 2)
        measured = _level(values, levels) if levels else values
        seen = measured - (levels - 1) / 2 if levels and test != "copula" else values
        lean = lean + seen * (0.5 / k**0.5)
        out[f"z{i + 1}"] = measured
    x = lean + parts()
    y = parts() - lean + effect * x
    return {"x": x, "y": y} | out


def _measured(columns: Columns, test: str) -> Columns:
    """The columns as a test takes them: labels where it takes labels."""
    labels = np.array(["a", "b", "c"])
    out: Columns = {}
    for position, (name, values) in enumerate(columns.items()):
        levels = 0 if name in ("w", "c") else _levels_of(test, position)
        if levels and name in ("x", "y"):
            values = _level(values, levels)
        out[name] = labels[values] if levels else values
    return out


def clustered(
    rng: np.random.Generator, test: str, rows: int, clusters: int, icc: float, k: int, effect: float
) -> Columns:
    """Data in clusters of equal size; every variable has a part that its cluster shares. Column "c" names the cluster.

    Columns are as `test` takes them: numbers, or normal variables cut into levels.
    """
    cluster = np.repeat(np.arange(clusters), rows // clusters)

    def part() -> np.ndarray:
        shared = rng.standard_normal(clusters)[cluster] * np.sqrt(icc)
        return np.asarray(shared + rng.standard_normal(rows) * np.sqrt(1 - icc))

    return _measured(_linear(part, test, k, effect) | {"c": cluster}, test)


def weighted(rng: np.random.Generator, test: str, rows: int, k: int, effect: float) -> Columns:
    """Data of which rows were selected by x and y; column "w" has the inverses of the probabilities.

    Both make selection likelier, so that they are dependent among the selected rows and independent in the population.
    """
    kept: list[Columns] = []
    count = 0
    while count < rows:
        drawn = _linear(lambda: rng.standard_normal(4 * rows), test, k, effect)
        scores = [(drawn[name] - drawn[name].mean()) / drawn[name].std() for name in ("x", "y")]
        chance = 0.05 + 0.95 / (1 + np.exp(3.0 - 1.75 * (scores[0] + scores[1])))
        chosen = rng.random(4 * rows) < chance
        drawn["w"] = 1 / chance
        kept.append({name: values[chosen] for name, values in drawn.items()})
        count += int(chosen.sum())
    return _measured({name: np.concatenate([part[name] for part in kept])[:rows] for name in kept[0]}, test)


def p_values(cell: Cell, effect: float, repeats: int, seed: int, *, ignore: bool = False) -> np.ndarray:
    """The p-values of x and y given all others in `repeats` samples; NaN where the data cannot support it.

    `ignore`: weights and clusters are left out.
    """
    number = CELLS.index(cell) if cell in CELLS else 0
    rng = np.random.default_rng([seed, number, int(1000 * effect)])
    out = np.empty(repeats)
    for i in range(repeats):
        if cell.design == "weights":
            columns = weighted(rng, cell.test, cell.rows, cell.given, effect)
        else:
            columns = clustered(rng, cell.test, cell.rows, cell.clusters, cell.correlation, cell.given, effect)
        how = {"w": "weights", "c": "clusters"}
        options: dict[str, Any] = {option: name for name, option in how.items() if name in columns}
        if ignore:
            columns = {name: values for name, values in columns.items() if name not in how}
            options = {}
        there = [name for name in columns if name not in how]
        ordered = [name for position, name in enumerate(there) if _ordered(cell.test, position)]
        kinds = {name: list("abc") for name in ordered if columns[name].dtype.kind == "U"}
        table = Table.of(pl.DataFrame(columns), **options, kinds=kinds or None)
        makers = TESTS[cell.name].makers
        if ignore and makers.of_moments is not None:
            test = makers.of_moments(Moments.of(table), 0.05, None)
        else:
            test = makers.of_table(table, 0.05)
        questions = test.questions(test.names)
        out[i] = test.evidence(questions, 0, 1, range(2, 2 + cell.given)).p_value
    return out


def _row(cell: Cell, repeats: int, seed: int) -> str:
    """One row of the page."""
    repeats = repeats if cell.rows < 10_000 else repeats // 4
    p = p_values(cell, 0.0, repeats, seed)
    ignored = p_values(cell, 0.0, repeats // 4, seed, ignore=True)
    power = p_values(cell, 0.2, repeats // 8, seed)
    return (
        f"{_key(cell)}{share_below(p, 0.01)} | {share_below(p, 0.05)} | {share_below(ignored, 0.05).share:.4f} | "
        f"{share_below(power, 0.05).share:.2f} | {np.isnan(p).mean():.2f} |"
    )


def _key(cell: Cell) -> str:
    """How the row of a cell begins."""
    return f"| {cell.test} | {cell.design} | {cell.rows} | {cell.clusters or ''} | {cell.given} | "


def _table(repeats: int, seed: int, only: str, known: list[str]) -> Iterator[str]:
    """The rows of the page; those of cells that are not measured now are as they are `known`."""
    for cell in CELLS:
        if only in ("", cell.test, cell.design):
            yield _row(cell, repeats, seed)
        else:
            yield from (line for line in known if line.startswith(_key(cell)))


def main() -> None:
    """Measure some tests, or all, and write the page; rows of other tests stay as they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="measure this test, or this design, alone")
    parser.add_argument("--report", type=Path, default=Path("docs/calibration-design.md"))
    options = parser.parse_args()
    known = options.report.read_text(encoding="utf-8").splitlines() if options.report.exists() else []
    page(
        "Calibration of the tests under weights and clusters",
        f"python -m benchmarks.calibration_design --repeats {options.repeats} --seed {options.seed}",
        EXPLANATION,
        ("test", "design", "rows", "clusters", "size of Z", "at .01", "at .05", "ignored", "power", "cannot tell"),
        _table(options.repeats, options.seed, options.only, known),
        options.report,
    )


if __name__ == "__main__":
    main()
