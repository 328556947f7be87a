"""False edges between two independent series: how often a search joins what has nothing to do with each other.

    python -m benchmarks.series_size [--repeats 2000] [--rows 500] [--seed 1]

Two independent autoregressive processes of order 1 with the same autocorrelation, searched in windows of 3 lags at
alpha .01. Counted are the final graphs with an edge between the two processes that ends at t: for each pair of nodes,
and for any of them. Writes docs/series-size.md.
"""

import argparse
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ancestral import DataWarning, discover_series
from ancestral.graphs.window import node_at
from ancestral.series.result import SeriesDiscovery
from benchmarks.levels import Share, page

ALPHA, LAGS = 0.01, 3

AUTOCORRELATIONS = (0.0, 0.5, 0.9, 0.95)

#: The pairs of nodes of the two processes that end at t.
PAIRS = (
    (node_at("x", 0), node_at("y", 0)),
    *((node_at(a, lag), node_at(b, 0)) for lag in range(1, LAGS + 1) for a, b in (("x", "y"), ("y", "x"))),
)

#: What the columns of the page mean.
EXPLANATION = """\
Two independent series, each 500 steps long unless the command says otherwise, in windows of 3 lags, at alpha .01.
"given nothing" and "given y[t-1]" are the shares of samples in which one question about x[t-1] and y[t] is answered
"dependent": without the own past of y, the memory of the two series is taken for a dependence.

The other columns are about the final graphs of `discover_series`, which gives the ancestors that it has found in every
question. "any edge" is the share of graphs with at least one edge between the two series that ends at t, of 7 that
there could be. "most" and "mean" are the largest and the average share among these 7 pairs of nodes; the columns after
them are the pairs one by one. A star marks a share more than three standard errors above 2 · alpha = .02, which is the
most that a pair should have. "any edge" has no such bound: 7 tests of the right size give up to 7 · alpha = .07.
"own past": whether `own_past="all"` was stated, which is true here unless the autocorrelation is 0.
"""


def autoregressive(rng: np.random.Generator, rows: int, share: float) -> NDArray[np.float64]:
    """Two independent stationary processes of order 1, of variance 1, as columns."""
    noise = rng.standard_normal((rows, 2))
    out = np.empty_like(noise)
    out[0] = noise[0]
    for step in range(1, rows):
        out[step] = share * out[step - 1] + np.sqrt(1 - share**2) * noise[step]
    return out


def searched(values: NDArray[np.float64], own_past: bool) -> SeriesDiscovery:
    """The search of two series, x and y."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # strong memory may look like a trend
        return discover_series(
            values, names=["x", "y"], lags=LAGS, alpha=ALPHA, test="fisher-z", own_past="all" if own_past else None
        )


@dataclass
class Counts:
    """What was found in samples of one kind: `joined[i, k]` tells whether sample i has an edge of pair k.

    `rejected[i]`: whether one question about x[t-1] and y[t] was answered "dependent", given nothing and given y[t-1].
    """

    joined: NDArray[np.bool_]
    rejected: NDArray[np.bool_]

    @property
    def any_edge(self) -> float:
        """The share of graphs with any edge between the series."""
        return float(self.joined.any(axis=1).mean())

    @property
    def pairs(self) -> list[Share]:
        """The share of graphs with an edge, for each pair."""
        return [Share(float(share), 2 * ALPHA, len(self.joined)) for share in self.joined.mean(axis=0)]


def count(share: float, own_past: bool, repeats: int, rows: int, seed: int) -> Counts:
    """Search samples drawn one after the other; the same samples whatever is stated."""
    rng = np.random.default_rng([seed, round(1000 * share)])
    joined = np.zeros((repeats, len(PAIRS)), dtype=bool)
    rejected = np.zeros((repeats, 2), dtype=bool)
    for number in range(repeats):
        found = searched(autoregressive(rng, rows, share), own_past)
        joined[number] = [found.window.edge(a, b) is not None for a, b in PAIRS]
        names = found.test.names
        x, y, past = (names.index(name) for name in (node_at("x", 1), node_at("y", 0), node_at("y", 1)))
        questions = found.test.questions(names)
        for column, given in enumerate(((), (past,))):
            rejected[number, column] = found.test.evidence(questions, x, y, given).p_value <= ALPHA
    return Counts(joined, rejected)


def table(repeats: int, rows: int, seed: int) -> Iterator[str]:
    """The rows of the page."""
    for share in AUTOCORRELATIONS:
        for own_past in (False, True):
            if own_past and not share:
                continue  # a false statement
            found = count(share, own_past, repeats, rows, seed)
            questions = [f"{part:.4f}" for part in found.rejected.mean(axis=0)]
            pairs = found.pairs
            most = max(pairs, key=lambda pair: pair.share)
            mean = f"{np.mean([pair.share for pair in pairs]):.4f}"
            cells = [f"{share:g}", "yes" if own_past else "no", *questions, f"{found.any_edge:.4f}", str(most), mean]
            yield f"| {' | '.join([*cells, *map(str, pairs)])} |"


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/series-size.md"))
    options = parser.parse_args()
    heads = ["autocorrelation", "own past", "given nothing", "given y[t-1]", "any edge", "most", "mean"]
    page(
        "False edges between independent series",
        f"python -m benchmarks.series_size --repeats {options.repeats} --rows {options.rows} --seed {options.seed}",
        EXPLANATION,
        [*heads, *(f"{a}, {b}" for a, b in PAIRS)],
        table(options.repeats, options.rows, options.seed),
        options.report,
    )


if __name__ == "__main__":
    main()
