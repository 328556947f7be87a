"""Whether p-values of the tests are calibrated, and the power of the tests.

    python -m benchmarks.calibration [--repeats 4000] [--seed 1]

Where x and y are independent given Z, a test at level alpha should call them dependent in a share alpha of samples. For
each test, for 50 and 500 rows and for |Z| = 0, 2, 5: the share of samples called dependent at .01 and .05, marked where
it is more than three standard errors off, and the power against a moderate dependence. Samples for which
the test reports that it cannot decide are counted apart. Writes docs/calibration.md.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from ancestral.data import Moments, Table
from ancestral.independence.base import Test
from ancestral.independence.contingency import GTest
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.scores import normal_scores

Columns = dict[str, np.ndarray]
SIZES = [(rows, k) for rows in (50, 500) for k in (0, 2, 5)]


#: What the columns of the page mean.
EXPLANATION = """\
x and y are independent given Z. "at .01" and "at .05" are the shares of samples in which the test calls them dependent
at that level; a star marks a share more than three standard errors away from the level. Power is the share called
dependent at .05 where there is a moderate dependence. "cannot tell" is the share of samples too small for the test.
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


def binary(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Two levels each; x and y depend on every condition."""
    z = rng.integers(0, 2, (rows, k))

    def drawn(logit: np.ndarray) -> np.ndarray:
        return np.asarray(rng.random(rows) < 1 / (1 + np.exp(-logit)), dtype=np.int64)

    x = drawn((z - 0.5) @ np.full(k, 0.8))
    y = drawn((z - 0.5) @ np.full(k, -0.8) + 4 * effect * (x - 0.5))
    return {"x": x, "y": y} | {f"z{i}": z[:, i] for i in range(k)}


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
    "g": (binary, lambda columns: GTest(Table.of(pl.DataFrame(columns)), 0.05)),
    "chi2": (binary, lambda columns: GTest(Table.of(pl.DataFrame(columns)), 0.05, pearson=True)),
    "mixed": (mixture, lambda columns: LikelihoodRatio(Table.of(pl.DataFrame(columns)), 0.05)),
    "mixed, all continuous": (gaussian, lambda columns: LikelihoodRatio(Table.of(pl.DataFrame(columns)), 0.05)),
}


def p_values(model: str, rows: int, k: int, effect: float, repeats: int, seed: int) -> np.ndarray:
    """The p-values of x and y given all conditions in `repeats` samples; NaN where the test cannot decide."""
    draw, make = MODELS[model]
    rng = np.random.default_rng([seed, rows, k, int(100 * effect)])
    out = np.empty(repeats)
    for i in range(repeats):
        test = make(draw(rng, rows, k, effect))
        names = test.names
        out[i] = test.evidence(test.questions(names), 0, 1, range(2, 2 + k)).p_value
    return out


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/calibration.md"))
    options = parser.parse_args()
    lines = [
        "# Calibration of the tests",
        "",
        f"`python -m benchmarks.calibration --repeats {options.repeats} --seed {options.seed}`",
        "",
        *EXPLANATION.splitlines(),
        "",
        "| test | rows | size of Z | at .01 | at .05 | power | cannot tell |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines), flush=True)
    for model in MODELS:
        for rows, k in SIZES:
            p = p_values(model, rows, k, 0.0, options.repeats, options.seed)
            decided = p[~np.isnan(p)]
            shares = []
            for alpha in (0.01, 0.05):
                share = float(np.mean(decided <= alpha)) if len(decided) else float("nan")
                off = len(decided) and abs(share - alpha) > 3 * np.sqrt(alpha * (1 - alpha) / len(decided))
                shares.append(f"{share:.4f}{' *' if off else ''}")
            power = p_values(model, rows, k, 0.3, options.repeats // 4, options.seed)
            powerful = np.mean(power[~np.isnan(power)] <= 0.05) if (~np.isnan(power)).any() else float("nan")
            row = f"| {model} | {rows} | {k} | {shares[0]} | {shares[1]} | {powerful:.2f} | {np.isnan(p).mean():.2f} |"
            lines.append(row)
            print(row, flush=True)
    options.report.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
