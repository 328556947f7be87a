"""Our searches of time series, as they are compared with those of others.

python -m benchmarks.series_ours ours n4-t500-a0.9 5000 5001 ...
"""

import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.window import Window
from benchmarks.series_data import ALPHA, LAGS
from benchmarks.series_scores import Pair, ending_now
from benchmarks.series_worker import Edge, Search, serve


def ours(
    values: NDArray[np.float64], lags: int, alpha: float, *, own_past: bool = False, **options: Any
) -> tuple[dict[Pair, str], int]:
    """The edges that end at t and the number of different questions.

    `own_past` states that the last step of each process is a cause of the present; the other options are those of
    `discover_series`.
    """
    names = _names(values)
    if own_past:
        options["knowledge"] = an.SeriesKnowledge(own_past="all")
    found = an.discover_series(values, names=names, lags=lags, alpha=alpha, **options)
    return ending_now(found.pag, names, lags), found.tests.total()


def lagged_frame(values: NDArray[np.float64], lags: int, alpha: float) -> tuple[dict[Pair, str], int]:
    """What a search without regard to repetition finds in a table with a column for each process and step."""
    names = _names(values)
    window = Window(tuple(names), lags)
    columns = np.concatenate([values[lags - lag : len(values) - lag] for lag in window.steps], axis=1)
    tiers = [window.names[start : start + len(names)] for start in range(0, len(window.names), len(names))]
    found = an.discover(
        columns,
        names=window.names,
        algorithm="icd",
        alpha=alpha,
        knowledge=an.Knowledge(tiers=tiers),
        selection_bias=False,
        progress=False,
    )
    return ending_now(found.pag, names, lags), found.tests.total()


def _names(values: NDArray[np.float64]) -> list[str]:
    """Names of the columns."""
    return [f"x{i}" for i in range(values.shape[1])]


def _search(method: Any, values: NDArray[np.float64], **options: object) -> tuple[list[Edge], int]:
    """Search with the settings of the comparison."""
    edges, questions = method(values, LAGS, ALPHA, **options)
    return [(*pair, edge) for pair, edge in sorted(edges.items())], questions


METHODS: dict[str, Search] = {
    "ours": partial(_search, ours),
    "ours-own-past": partial(_search, ours, own_past=True),
    "lagged-frame": partial(_search, lagged_frame),
}


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of autocorrelation, and of data against knowledge: both are the point here
    serve(METHODS, sys.argv[1:])
