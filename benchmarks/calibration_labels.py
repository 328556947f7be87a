"""Whether the tests on contingency tables keep their level, and what power they have, from tiny strata to large ones.

    python -m benchmarks.calibration_labels [--repeats 2000] [--seed 1]

x, y and the conditions have 2, 3, 4 or 6 levels, equally frequent (even) or each about a third as frequent as the one
before (skewed); x and y both lean on every condition. For |Z| = 0, 1, 3, 5 and 50 to 10,000 rows: the share of samples
that "labels", "chi2" and "g" call dependent at .01 and .05 where x and y are independent given Z, and the power against
a dependence, on the same samples for all tests. Samples in which a test cannot tell are left out of its shares, and the
share in which it can is stated. Samples of 2,000 rows are drawn half as often, of 10,000 rows a fifth as often. Writes
docs/calibration-labels.md.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.contingency import ROWS_PER_DF
from ancestral.independence.evidence import chi2_quantiles
from benchmarks.levels import LEVELS, page, share_below

Codes = NDArray[np.intc]
TESTS = ("labels", "chi2", "g")


class Cell(NamedTuple):
    """What samples are drawn from."""

    rows: int
    k: int
    levels: int
    skewed: bool


#: All cells of the page.
CELLS = [
    Cell(rows, k, levels, skewed)
    for levels in (2, 3, 4, 6)
    for skewed in (False, True)
    for k in (0, 1, 3, 5)
    for rows in (50, 200, 500, 2000, 10_000)
]

#: Large samples are drawn fewer times, by this factor.
FEWER = {2000: 2, 10_000: 5}

#: A cell in which "labels" is above its level is measured again with so many times the samples.
AGAIN = 4

EXPLANATION = """\
x and y are independent given Z; all have the same number of levels, and x and y lean on each condition. "at .01" and
"at .05" are the shares of samples that a test calls dependent at that level, among those in which it can tell; a star
marks a share more than three standard errors above the level. Power is the share called dependent at .05 where y leans
on x, in half of the samples one way and in half the other, on the same samples for all tests. "speaks" is the share of
samples in which the test can tell at .05; "–" stands for none. A cell in which no test speaks is left out.
"""


def draw(
    rng: np.random.Generator, rows: int, k: int, levels: int, skewed: bool, effect: float, repeats: int = 1
) -> Codes:
    """Samples of x, y and k conditions, as an array (repeats, 2 + k, rows); y leans on x by `effect`."""
    base = 0.35 ** np.arange(levels) if skewed else np.ones(levels)
    base /= base.sum()
    lean = np.linspace(-1.0, 1.0, levels)
    out = np.empty((repeats, 2 + k, rows), dtype=np.intc)
    stratum = np.zeros((repeats, rows), dtype=np.int64)
    for i in range(k):
        out[:, 2 + i] = np.searchsorted(np.cumsum(base)[:-1], rng.random((repeats, rows)))
        stratum = stratum * levels + out[:, 2 + i]
    digits = np.arange(levels**k)[:, None] // levels ** np.arange(k) % levels
    pull = lean[digits].sum(axis=1) / np.sqrt(max(k, 1))
    x_given = np.cumsum(_normalised(base * np.exp(0.7 * np.outer(pull, lean))), axis=1)
    x = _chosen(x_given[stratum], rng.random((repeats, rows)))
    y_scores = -0.7 * pull[:, None, None] * lean + effect * lean[:, None] * lean
    y_given = np.cumsum(_normalised(base * np.exp(y_scores)), axis=2)
    out[:, 0] = x
    out[:, 1] = _chosen(y_given[stratum, x], rng.random((repeats, rows)))
    return out


def _normalised(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _chosen(cumulative: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.asarray((uniform[..., None] > cumulative[..., :-1]).sum(axis=-1))


def questions(test: str, sample: Codes, levels: int, alpha: float, quantiles: NDArray[np.float64]) -> Contingency:
    """The questions of a test about a sample."""
    level = alpha if test == "labels" else 0.0
    return Contingency(sample, [levels] * len(sample), quantiles, test != "g", ROWS_PER_DF, level=level)


def p_values(test: str, samples: Codes, levels: int, alpha: float) -> NDArray[np.float64]:
    """The p-values of x and y given all conditions, one for each sample; NaN where the test cannot tell."""
    quantiles = chi2_quantiles(alpha, max(1000, samples.shape[2]))
    given = list(range(2, samples.shape[1]))
    out = np.full(len(samples), np.nan)
    for i, sample in enumerate(samples):
        asked = questions(test, sample, levels, alpha, quantiles)
        if asked.measured(0, 1, given):
            out[i] = chdtrc(asked.df, asked.statistic)
    return out


def results(cell: Cell, repeats: int, seed: int, effect: float) -> dict[tuple[str, float], NDArray[np.float64]]:
    """The p-values of every test at every level in the samples of a cell; few of a cell in which no test can tell."""
    rng = np.random.default_rng([seed, *map(int, cell), round(100 * effect)])
    out: dict[tuple[str, float], list[NDArray[np.float64]]] = {}
    at_once = max(1, min(repeats // 2, 500_000 // (cell.rows * cell.levels)))
    for number, first in enumerate(range(0, repeats, at_once)):
        samples = draw(rng, *cell, -effect if number % 2 else effect, min(at_once, repeats - first))
        for test in TESTS:
            found: dict[float, NDArray[np.float64]] = {}
            for alpha in LEVELS:  # only what "labels" says depends on the level
                found[alpha] = (
                    found[0.01] if test != "labels" and found else p_values(test, samples, cell.levels, alpha)
                )
                out.setdefault((test, alpha), []).append(found[alpha])
        if first >= 20 and all(np.isnan(part).all() for parts in out.values() for part in parts):
            break
    return {key: np.concatenate(parts) for key, parts in out.items()}


def effect_of(cell: Cell) -> float:
    """A dependence that is neither always nor never found."""
    return float((1.6 * cell.levels - 1.4) * (1.0 + 0.25 * cell.k) * (1.4 if cell.skewed else 1.0) / np.sqrt(cell.rows))


def again(cell: Cell, times: int, seed: int) -> str:
    """What "labels" says in other samples of a cell, which tells chance from fault."""
    null = results(cell, times, seed, 0.0)
    shown = [f"{share_below(null['labels', level], level)} at {level}" for level in LEVELS]
    what = (
        f"{cell.levels} levels, {'skewed' if cell.skewed else 'even'} margins, size of Z {cell.k}, {cell.rows:,} rows"
    )
    return f"Measured again: {what}, in {times:,} other samples (seed {seed}): {', '.join(shown)}."


def table(cells: list[Cell], repeats: int, seed: int) -> Iterator[str]:
    """The rows of the table; then the cells in which "labels" is above its level, measured again."""
    above: list[Cell] = []
    for cell in cells:
        times = repeats // FEWER.get(cell.rows, 1)
        null = results(cell, times, seed, 0.0)
        if all(np.isnan(p).all() for p in null.values()):
            continue
        power = results(cell, max(times // 4, 50), seed, effect_of(cell))
        row = [str(cell.levels), "skewed" if cell.skewed else "even", str(cell.k), f"{cell.rows:,}"]
        for test in TESTS:
            found = share_below(power[test, 0.05], 0.05)
            row += [str(share_below(null[test, level], level)) for level in LEVELS]
            row += [f"{found.share:.2f}" if found.samples else "–", f"{1 - np.isnan(null[test, 0.05]).mean():.2f}"]
        if any(share_below(null["labels", level], level).is_too_large for level in LEVELS):
            above.append(cell)
        yield f"| {' | '.join(row)} |"
    yield ""
    yield f"`labels` is above its level in {len(above) or 'no'} cell{'' if len(above) == 1 else 's'}."
    for cell in above:
        yield again(cell, AGAIN * repeats // FEWER.get(cell.rows, 1), seed + 1)


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/calibration-labels.md"))
    options = parser.parse_args()
    times = [f"{options.repeats // FEWER.get(rows, 1):,}" for rows in (50, 2000, 10_000)]
    page(
        "Calibration of the tests on labels",
        f"python -m benchmarks.calibration_labels --repeats {options.repeats} --seed {options.seed}",
        f"{EXPLANATION}There are {times[0]} samples a cell, of 2,000 rows {times[1]}, of 10,000 rows {times[2]}; for "
        "power a quarter.",
        ["levels", "margins", "size of Z", "rows"]
        + [f"{test} {what}" for test in TESTS for what in ("at .01", "at .05", "power", "speaks")],
        table(CELLS, options.repeats, options.seed),
        options.report,
    )


if __name__ == "__main__":
    main()
