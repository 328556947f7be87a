"""Searches of tigramite, for the Python of `build/tigramite-venv`.

python -m benchmarks.series_peers lpcmci-1 n4-t500-a0.9 5000 5001 ...
"""

import importlib
import sys
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.series_data import ALPHA, LAGS
from benchmarks.series_worker import Edge, Search, serve


def own_past(processes: int) -> dict[int, dict[tuple[int, int], str]]:
    """What LPCMCI is told: the last step of each process causes the present, so its earlier steps do as well."""
    return {
        effect: {
            (cause, -lag): _stated(cause == effect, lag)
            for cause in range(processes)
            for lag in range(LAGS + 1)
            if lag or cause != effect
        }
        for effect in range(processes)
    }


def _stated(own: bool, lag: int) -> str:
    """What is stated of a pair: `?` in the middle leaves open whether there is an edge."""
    if own:
        return "-->" if lag == 1 else "-?>"
    return "o?>" if lag else "o?o"


def lpcmci(values: NDArray[np.float64], **options: object) -> tuple[list[Edge], int]:
    """The graph of LPCMCI, and the number of questions."""
    search = importlib.import_module("tigramite.lpcmci").LPCMCI(*_given(values))
    graph = search.run_lpcmci(tau_max=LAGS, pc_alpha=ALPHA, **options)["graph"]
    return _edges(graph), _questions(search)


def pcmci_plus(values: NDArray[np.float64]) -> tuple[list[Edge], int]:
    """The graph of PCMCI+, which assumes that nothing is latent, and the number of questions."""
    search = importlib.import_module("tigramite.pcmci").PCMCI(*_given(values))
    graph = search.run_pcmciplus(tau_max=LAGS, pc_alpha=ALPHA)["graph"]
    return _edges(graph), _questions(search)


def _given(values: NDArray[np.float64]) -> tuple[object, object]:
    """The data and the test, partial correlation, in the classes of tigramite."""
    frame = importlib.import_module("tigramite.data_processing").DataFrame(values)
    return frame, importlib.import_module("tigramite.independence_tests.parcorr").ParCorr(significance="analytic")


def _questions(search: Any) -> int:
    """How many different questions a search has asked: its test keeps the answer to each."""
    return len(search.cond_ind_test.cached_ci_results)


METHODS: dict[str, Search] = {
    "lpcmci-1": partial(lpcmci, n_preliminary_iterations=1),
    "lpcmci-4": partial(lpcmci, n_preliminary_iterations=4),
    "lpcmci-own-past": lambda values: lpcmci(
        values, n_preliminary_iterations=1, link_assumptions=own_past(values.shape[1])
    ),
    "pcmci-plus": pcmci_plus,
}


def _edges(graph: NDArray[np.str_]) -> list[Edge]:
    """The edges that end at t, those within a step once; `x`, the mark of a conflict, claims nothing, like `o`."""
    return [
        (int(cause), int(effect), int(lag), str(graph[cause, effect, lag]).replace("x", "o"))
        for cause, effect, lag in np.argwhere(graph != "")
        if lag or cause < effect
    ]


if __name__ == "__main__":
    serve(METHODS, sys.argv[1:])
