"""Whether p-values of the tests of numbers, and of numbers beside labels, are calibrated, and the power of these tests.

    python -m benchmarks.calibration [--repeats 2000] [--seed 1]

For each test, for 50 to 10,000 rows and for |Z| = 0, 1, 3, 5: the share of samples called dependent at .01 and .05
where x and y are independent given Z, and the power against a moderate dependence. Samples for which the test reports
that it cannot decide are counted apart. Writes docs/calibration.md. `make calibration` also runs the other modules of
this name, each for the tests of one kind of data.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from ancestral.data import Moments, Table
from ancestral.independence.base import Test
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.scores import normal_scores
from benchmarks.levels import Columns, p_values, page, table_row

SIZES = [(rows, k) for rows in (50, 200, 1_000, 10_000) for k in (0, 1, 3, 5)]

#: The coefficient of the dependence that power is measured against, in samples of 50 rows; it shrinks with the root of
#: the number of rows, so that power tells tests apart at every size.
EFFECT = 0.3

#: What the columns of the page mean.
EXPLANATION = """\
x and y are independent given Z. "at .01" and "at .05" are the shares of samples in which the test calls them dependent
at that level; a star marks a share more than three standard errors above the level. Power is the share called dependent
at .05 where there is a moderate dependence, weaker where there are more rows. "cannot tell" is the share of samples too
small for the test. Other kinds of data: [labels](calibration-labels.md), [ordinal columns](calibration-ordinal.md),
[curves](calibration-curves.md), [regressions](calibration-regression.md), [weights and
clusters](calibration-design.md).
"""


def gaussian(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Linear, normal data; `effect` is the coefficient of x on y."""
    z = rng.standard_normal((rows, k))
    x = z @ np.full(k, 0.6) + rng.standard_normal(rows)
    y = z @ np.full(k, -0.5) + effect * x + rng.standard_normal(rows)
    return {"x": x, "y": y} | {f"z{i}": z[:, i] for i in range(k)}


def skewed(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """The same, each column transformed by a monotone function."""
    return {name: np.exp(values) for name, values in gaussian(rng, rows, k, effect).items()}


def mixture(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """x continuous, y of three levels, conditions alternately of both kinds."""
    z = [rng.standard_normal(rows) if i % 2 else rng.integers(0, 3, rows) for i in range(k)]
    lean = sum(((v - v.mean()) / v.std() for v in z), start=np.zeros(rows))
    x = 0.5 * lean + rng.standard_normal(rows)
    scores = np.outer(0.5 * lean + 2 * effect * x, [-1.0, 0.0, 1.0]) + rng.gumbel(size=(rows, 3))
    labels = np.array(["a", "b", "c"])
    named = {f"z{i}": (v if i % 2 else labels[v]) for i, v in enumerate(z)}
    return {"x": x, "y": labels[scores.argmax(axis=1)]} | named


def fisher(columns: Columns, scores: bool = False) -> Test:
    """Fisher's z on the values, or on their normal scores."""
    values = np.column_stack(list(columns.values()))
    return FisherZ(
        Moments.of(Table.of(normal_scores(values) if scores else values, names=list(columns), kinds="continuous")), 0.05
    )


MODELS: dict[str, tuple[Callable[..., Columns], Callable[[Columns], Test]]] = {
    "fisher-z": (gaussian, fisher),
    "rank": (skewed, lambda columns: fisher(columns, scores=True)),
    "mixed": (mixture, lambda columns: LikelihoodRatio(Table.of(pl.DataFrame(columns)), 0.05)),
    "mixed, all continuous": (gaussian, lambda columns: LikelihoodRatio(Table.of(pl.DataFrame(columns)), 0.05)),
}


def sampled(
    draw: Callable[..., Columns],
    make: Callable[[Columns], Test],
    rows: int,
    k: int,
    effect: float,
    rng: np.random.Generator,
) -> Test:
    """The test of a sample."""
    return make(draw(rng, rows, k, effect))


def table(repeats: int, seed: int) -> Iterator[str]:
    """The rows of the page."""
    for name, (draw, make) in MODELS.items():
        for rows, k in SIZES:
            effect = EFFECT * (50 / rows) ** 0.5
            null = p_values(partial(sampled, draw, make, rows, k, 0.0), (seed, rows, k, 0), repeats)
            other = p_values(partial(sampled, draw, make, rows, k, effect), (seed, rows, k, 1), repeats // 4)
            yield table_row((name, f"{rows:,}", k), null, other)


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/calibration.md"))
    options = parser.parse_args()
    page(
        "Calibration of the tests",
        f"python -m benchmarks.calibration --repeats {options.repeats} --seed {options.seed}",
        EXPLANATION,
        ("test", "rows", "size of Z", "at .01", "at .05", "power", "cannot tell"),
        table(options.repeats, options.seed),
        options.report,
    )


if __name__ == "__main__":
    main()
