"""The protocol of a process that searches time series: data sets by their seeds in, a line of JSON for each out.

A line has the seed, the edges that end at t as [first, second, lag of the first, edge], the number of different
questions, CPU seconds, and why the search failed, if it did.
"""

import json
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.limited import limited
from benchmarks.series_data import CELLS, draw

#: CPU seconds after which a search is stopped.
PATIENCE = 100.0

#: Two processes, the lag of the first behind the second, and the edge, read from the first.
Edge = tuple[int, int, int, str]

#: From values to the edges that end at t and the number of different questions.
Search = Callable[[NDArray[np.float64]], tuple[list[Edge], int]]


def serve(methods: Mapping[str, Search], arguments: Sequence[str]) -> None:
    """Search with the method, in the cell and for the seeds that the arguments name; print a line for each seed."""
    method, cell, *seeds = arguments
    search = methods[method]
    search(np.random.default_rng(0).standard_normal((100, 3)))  # imports and first calls are not timed
    for seed in map(int, seeds):
        line = {"seed": seed, **_timed(search, draw(CELLS[cell], seed).values)}
        print(json.dumps(line), flush=True)


def _timed(search: Search, values: NDArray[np.float64]) -> dict[str, object]:
    """Search one data set."""
    outcome = limited(lambda: search(values), PATIENCE)
    edges, questions = outcome.found or ([], 0)
    return {"edges": edges, "questions": questions, "seconds": outcome.seconds, "failed": outcome.failed}
