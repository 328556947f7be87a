"""Level and power of the tests where values are missing: complete rows, rows complete for a question, imputation.

    python -m benchmarks.calibration_missing [--repeats 240] [--seed 1] [--cells 0 1 …]

Columns x and y are independent given Z; w is a further column that x causes. Values are missing completely at random
(MCAR) in all columns, or at random (MAR): x is missing where y + w is large, which are observed. For each way to
deal with gaps: the share of samples in which x and y are called dependent given Z, and the power against a moderate
dependence. Writes docs/calibration-missing.md.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ancestral.independence import choose_test
from benchmarks.calibration_regression import LETTERS, conditions, label
from benchmarks.levels import Columns, page, share_below

#: The ways to deal with gaps, and the one without any, for comparison.
WAYS = ("complete", "drop", "testwise", "impute")

#: What the columns of the page mean.
EXPLANATION = """\
x and y are independent given Z; w is a further column that x causes. MCAR: this share of the values of every column is
missing, at random. MAR: x is missing in this share of the rows, those in which y + w is large, up to noise; both
are observed. Each cell is the share of samples in which the test calls x and y dependent given Z at .05, and behind the
slash its power against a moderate dependence; a star marks a share more than three standard errors above .05.
"complete" is the test on the same samples before values were removed; "–" stands for a way that leaves too few rows.
Of 1,000 rows there are half as many samples, and for power a quarter. `copula` is for complete rows only.
"""


def numbers(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """All columns continuous."""
    z = rng.standard_normal((rows, k))
    x = z @ np.full(k, 0.5) + rng.standard_normal(rows)
    y = z @ np.full(k, 0.5) + effect * x + rng.standard_normal(rows)
    return {"x": x, "y": y, "w": x + rng.standard_normal(rows)} | {f"z{i}": z[:, i] for i in range(k)}


def both(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """x continuous, y a label of three levels, conditions alternately labels and numbers."""
    given, lean = conditions(rng, rows, k)
    x = 0.5 * lean + rng.standard_normal(rows)
    y = label(rng, 0.5 * lean + 2 * effect * x)
    return {"x": x, "y": LETTERS[y], "w": x + rng.standard_normal(rows)} | given


def labels(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Labels of three levels."""
    z = [rng.integers(0, 3, rows) for _ in range(k)]
    lean = sum((v - 1.0 for v in z), start=np.zeros(rows))
    x = label(rng, 0.6 * lean)
    y = label(rng, 0.6 * lean + 3 * effect * (x - 1))
    w = label(rng, 1.5 * (x - 1.0))
    return {"x": LETTERS[x], "y": LETTERS[y], "w": LETTERS[w]} | {f"z{i}": LETTERS[v] for i, v in enumerate(z)}


#: How the columns for a test are drawn, and the numbers of rows and sizes of Z that are measured.
MODELS: dict[str, tuple[Callable[..., Columns], tuple[tuple[int, int], ...]]] = {
    "fisher-z": (numbers, ((200, 0), (200, 1), (200, 3), (1_000, 1), (1_000, 3))),
    "rank": (numbers, ((200, 1), (200, 3))),
    "basis": (numbers, ((200, 1), (200, 3))),
    "mixed": (both, ((200, 1), (200, 3), (1_000, 1))),
    "regression": (both, ((200, 1), (200, 3))),
    "g": (labels, ((200, 1), (1_000, 3))),
    "labels": (labels, ((200, 1), (1_000, 3))),
}


class Cell(NamedTuple):
    """What samples are drawn from, and the test that is asked."""

    test: str
    rows: int
    k: int
    why: str
    share: float


#: All cells of the page. A tenth of missing values is measured for `fisher-z` in 200 rows only.
CELLS = [
    Cell(test, rows, k, why, share)
    for test, (_, sizes) in MODELS.items()
    for rows, k in sizes
    for why, share in (("MCAR", 0.1), ("MCAR", 0.3), ("MAR", 0.3))
    if share == 0.3 or (test == "fisher-z" and rows == 200)
]


def with_gaps(columns: Columns, why: str, share: float, rng: np.random.Generator) -> pl.DataFrame:
    """The columns with missing values."""
    rows = len(columns["x"])
    frame = pl.DataFrame(columns)
    if why == "MCAR":
        gaps = {name: rng.random(rows) < share for name in columns}
    else:
        parts = [np.unique(columns[name], return_inverse=True)[1].astype(float) for name in ("y", "w")]
        lean = sum(((part - part.mean()) / part.std() for part in parts), start=0.5 * rng.standard_normal(rows))
        gaps = {"x": lean > np.quantile(lean, 1 - share)}
    return frame.with_columns(
        pl.when(pl.Series(gap)).then(None).otherwise(pl.col(name)).alias(name) for name, gap in gaps.items()
    )


def p_values(cell: Cell, effect: float, repeats: int, seed: int) -> np.ndarray:
    """The p-values of x and y given Z, a column for each of `WAYS`; NaN where a test cannot tell."""
    draw, _ = MODELS[cell.test]
    rng = np.random.default_rng([seed, CELLS.index(cell), int(100 * effect)])
    order = ["x", "y", "w", *(f"z{j}" for j in range(cell.k))]
    out = np.full((repeats, len(WAYS)), np.nan)
    for i in range(repeats):
        columns = draw(rng, cell.rows, cell.k, effect)
        holed = with_gaps(columns, cell.why, cell.share, rng)
        for w, way in enumerate(WAYS):
            source, options = (pl.DataFrame(columns), {}) if way == "complete" else (holed, {"missing": way})
            test = choose_test(source, test=cell.test, alpha=0.05, **options)  # type: ignore[arg-type]
            out[i, w] = test.evidence(test.questions(order), 0, 1, range(3, 3 + cell.k)).p_value
    return out


def table(repeats: int, seed: int, numbers_of_cells: Sequence[int]) -> Iterator[str]:
    """The rows of the table, for the cells with these numbers."""
    for cell in (CELLS[number] for number in numbers_of_cells):
        several = repeats if cell.rows < 1_000 else repeats // 2
        level = p_values(cell, 0.0, several, seed)
        power = p_values(cell, 0.15 if cell.rows < 1_000 else 0.07, several // 4, seed)
        shown = [f"`{cell.test}`", f"{cell.rows:,}", str(cell.k), f"{cell.why} {cell.share:.0%}"]
        for null, other in zip(level.T, power.T, strict=True):
            found, strong = share_below(null, 0.05), share_below(other, 0.05)
            shown.append(f"{found} / {strong.share:.2f}" if found.samples and strong.samples else "–")
        yield f"| {' | '.join(shown)} |"


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/calibration-missing.md"))
    parser.add_argument("--cells", type=int, nargs="*", default=list(range(len(CELLS))), help="only these of CELLS")
    options = parser.parse_args()
    command = f"python -m benchmarks.calibration_missing --repeats {options.repeats} --seed {options.seed}"
    if len(options.cells) < len(CELLS):
        command += f" --cells {' '.join(map(str, options.cells))}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page(
            "Calibration where values are missing",
            command,
            EXPLANATION,
            ("test", "rows", "size of Z", "missing", *(f"`{way}`" for way in WAYS)),
            table(options.repeats, options.seed, options.cells),
            options.report,
        )


if __name__ == "__main__":
    main()
