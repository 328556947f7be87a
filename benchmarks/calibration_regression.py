"""Whether the p-values of the test "regression" are calibrated, its power, and what it does for graphs of mixed data.

    python -m benchmarks.calibration_regression [--repeats 800] [--seed 1] [--graphs 24] [--only graphs]

For pairs of columns of each kind, for 50 to 2,000 rows and |Z| = 0, 1, 3, 5: the share of samples in which
the test calls x and y dependent although they are independent given Z, and its power, beside those of the test "mixed".
Then the graphs that ICD finds in simulated mixed data with either test. Writes docs/calibration-regression.md; with
`--only`, the other section stays as it is.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl

import ancestral as an
from ancestral.data import Table
from ancestral.independence.base import Test
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.regression import RegressionTest
from benchmarks.calibration import mixture
from benchmarks.levels import Columns, printed_table, section, share_below

ROWS, WIDTHS = (50, 200, 500, 2_000), (0, 1, 3, 5)
LETTERS = np.array(["a", "b", "c"])

#: What the test is, and when to take it.
WHEN = """\
`test="regression"` is for tables of numbers and labels. It compares the regression of x on Z with that on Z and y, and
the regression of y on Z with that on Z and x: linear ones for numbers, multinomial logistic ones for labels. x and y
count as independent if either comparison says so, so that one right model is enough: of the two p-values the larger one
is reported.

Take it instead of `mixed`, the default for such tables,

- if there are many rows, ten thousand or more: `mixed` treats indicators of labels as normal, and what that misses
  shows as false edges there (below, and in [accuracy-by-rows.md](accuracy-by-rows.md));
- if most columns are labels and sets are large: there `mixed` calls independent labels dependent too often, in 500 rows
  given five variables in a tenth of the samples instead of a twentieth.

It costs time, because every question goes through all rows, and some power between labels, because both comparisons
must object. It assumes that a number is linear in the others with errors of equal spread, and that the logits of a
label are; products are not in the models. Algorithms that score graphs need `mixed`.
"""

#: What the columns of the page mean.
EXPLANATION = """\
x and y are independent given Z, whose variables are alternately labels of three levels and numbers. "at .01" and "at
.05" are the shares of samples in which the test calls x and y dependent at that level; a star marks a share more than
three standard errors above it. Power is the share called dependent at .05 where there is a moderate dependence.
"cannot tell" is the share of samples in which the test has no answer: too few rows for the coefficients, or levels that
are separated. The last columns are level at .05 and power of the test `mixed` on the same samples. Of 2,000 rows there
are a quarter as many samples, and for power a quarter again.
"""

#: What the table of graphs means.
GRAPHS = """\
ICD on simulated mixed data (`an.simulate.mixed`, ten nodes, degree 2, some of them latent), alpha 0.01 up to 1,000 rows
and 0.001 above, one thread. F1 of edges counts adjacent pairs; false edges and missed edges are means per graph; marks
found is the share of the marks of the true PAG that the learned graph has; seconds are those of the processor.
"""


LEVEL_HEADER = (
    "x and y", "rows", "size of Z", "at .01", "at .05", "power", "cannot tell", "`mixed` at .05", "`mixed` power",
)  # fmt: skip
GRAPH_HEADER = ("rows", "graphs", "test", "F1 of edges", "false edges", "missed edges", "marks found", "seconds")


def conditions(rng: np.random.Generator, rows: int, k: int) -> tuple[Columns, np.ndarray]:
    """k variables, alternately labels and numbers, and what x and y have of them."""
    z = [rng.standard_normal(rows) if i % 2 else rng.integers(0, 3, rows) for i in range(k)]
    lean = sum(((v - v.mean()) / v.std() for v in z), start=np.zeros(rows))
    return {f"z{i}": (v if i % 2 else LETTERS[v]) for i, v in enumerate(z)}, lean


def label(rng: np.random.Generator, lean: np.ndarray) -> np.ndarray:
    """A label of three levels by a multinomial regression on `lean`."""
    scores = np.outer(lean, [-1.0, 0.0, 1.0]) + rng.gumbel(size=(len(lean), 3))
    return np.asarray(scores.argmax(axis=1))


def labels(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """x and y labels of three levels."""
    given, lean = conditions(rng, rows, k)
    x = label(rng, 0.5 * lean)
    return {"x": LETTERS[x], "y": LETTERS[label(rng, 0.5 * lean + 2 * effect * (x - 1))]} | given


def numbers(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """x and y continuous."""
    given, lean = conditions(rng, rows, k)
    x = 0.5 * lean + rng.standard_normal(rows)
    return {"x": x, "y": 0.5 * lean + effect * x + rng.standard_normal(rows)} | given


def binary_response(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """x continuous, y a label of two levels of which one is rare."""
    given, lean = conditions(rng, rows, k)
    x = 0.5 * lean + rng.standard_normal(rows)
    rare = rng.random(rows) < 1 / (1 + np.exp(1.5 - 0.5 * lean - 2 * effect * x))
    return {"x": x, "y": np.array(["no", "yes"])[rare.astype(int)]} | given


#: The cells by name: each draws the columns of a sample.
CELLS: dict[str, Callable[[np.random.Generator, int, int, float], Columns]] = {
    "number and label": mixture,
    "number and rare label": binary_response,
    "two labels": labels,
    "two numbers": numbers,
}


def p_values(
    cell: str, rows: int, k: int, effect: float, repeats: int, seed: int, *makes: Callable[[Table, float], Test]
) -> np.ndarray:
    """The p-values of x and y given all conditions, a column for each test; NaN where it cannot tell."""
    rng = np.random.default_rng([seed, list(CELLS).index(cell), rows, k, int(100 * effect)])
    out = np.full((repeats, len(makes)), np.nan)
    for i in range(repeats):
        table = Table.of(pl.DataFrame(CELLS[cell](rng, rows, k, effect)))
        for m, make in enumerate(makes):
            test = make(table, 0.05)
            out[i, m] = test.evidence(test.questions(table.names), 0, 1, range(2, 2 + k)).p_value
    return out


def calibration(repeats: int, seed: int) -> Iterator[str]:
    """The rows of the first table."""
    for cell in CELLS:
        for rows in ROWS:
            for k in WIDTHS:
                count, effect = (repeats if rows < 2_000 else repeats // 4), (0.3 if rows < 200 else 0.1)
                p, mixed = p_values(cell, rows, k, 0.0, count, seed, RegressionTest, LikelihoodRatio).T
                power = p_values(cell, rows, k, effect, count // 4, seed, RegressionTest, LikelihoodRatio)
                strong = [share_below(own, 0.05) for own in power.T]
                shown = [f"{own.share:.2f}" if own.samples else "–" for own in strong]
                row = [cell, f"{rows:,}", k, share_below(p, 0.01), share_below(p, 0.05), shown[0]]
                row += [f"{np.isnan(p).mean():.2f}", share_below(mixed, 0.05), shown[1]]
                yield f"| {' | '.join(map(str, row))} |"


def graphs(count: int, seed: int) -> Iterator[str]:
    """The rows of the table of graphs."""
    for rows in (1_000, 10_000, 100_000):
        alpha = 0.01 if rows <= 1_000 else 0.001
        several = count if rows < 100_000 else max(count // 4, 1)
        dags = [an.simulate.random_dag(nodes=10, degree=2, seed=seed + i) for i in range(several)]
        for test in ("mixed", "regression"):
            found = []
            for i, dag in enumerate(dags):
                data = an.simulate.mixed(dag, rows=rows, seed=seed + i)
                start = process_time()
                pag = an.discover(data, algorithm="icd", test=test, alpha=alpha, resamples=0, progress=False).pag
                took = process_time() - start
                both = an.compare(pag, an.pag_of(dag))
                found.append((both.f1, both.false_positives, both.false_negatives, both.orientation, took))
            f1, extra, missed, marks, took = np.mean(np.array(found, dtype=float), axis=0)
            row = (f"{rows:,}", several, f"`{test}`", f"{f1:.3f}", f"{extra:.2f}", f"{missed:.2f}")
            yield f"| {' | '.join(map(str, row))} | {marks:.2f} | {took:.2f} |"


def main() -> None:
    """Print the tables and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--graphs", type=int, default=24)
    parser.add_argument("--only", choices=("level", "graphs"))
    parser.add_argument("--report", type=Path, default=Path("docs/calibration-regression.md"))
    options = parser.parse_args()
    command = f"python -m benchmarks.calibration_regression --seed {options.seed}"
    lines = ["# Calibration of the test `regression`", "", *WHEN.splitlines(), ""]
    if options.only == "graphs":
        lines += section("Level and power", options.report)
    else:
        lines += ["## Level and power", "", f"`{command} --only level --repeats {options.repeats}`", ""]
        lines += [*EXPLANATION.splitlines(), ""]
        lines += [*printed_table(LEVEL_HEADER, calibration(options.repeats, options.seed)), ""]
    if options.only == "level":
        lines += section("Graphs", options.report)
    else:
        lines += ["## Graphs", "", f"`{command} --only graphs --graphs {options.graphs}`", "", *GRAPHS.splitlines(), ""]
        lines += printed_table(GRAPH_HEADER, graphs(options.graphs, options.seed))
    options.report.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
