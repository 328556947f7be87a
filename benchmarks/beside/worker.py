"""The protocol of a process that searches tables: a data set on a line of standard input, its result on a line out.

The process is called with the name of a search and the CPU seconds after which it is stopped. A data set is a file of
numbers, labels being numbered from 0, and which columns are labels. A result has the edges found as [first, second,
edge], such as [0, 3, "o->"], CPU seconds, why the search failed if it did, and the versions it ran with. Needs numpy
alone, so that programs in other virtual environments can use it.
"""

import contextlib
import io
import json
import platform
import random
import resource
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.limited import limited

#: Two columns and the edge between them, read from the first.
Edge = tuple[int, int, str]

#: CPU seconds beyond its limit after which a search that cannot be interrupted is ended with its process.
GRACE = 10


@dataclass(frozen=True)
class Rows:
    """The values of a table, and which of its columns are labels."""

    values: NDArray[np.float64]
    labels: tuple[int, ...] = ()


#: From a table to the edges found.
Search = Callable[[Rows], Sequence[Edge]]


def warm_up(labels: bool) -> Rows:
    """A small table, for the first call of a search, which is not timed: it imports what the search needs."""
    rng = np.random.default_rng(0)
    values = rng.uniform(-1, 1, (100, 3))
    values[:, 1] += values[:, 0]
    return Rows(np.floor(values % 3), (0, 1, 2)) if labels else Rows(values)


def serve(searches: Mapping[str, Search], package: str, arguments: Sequence[str]) -> None:
    """Search each data set that comes on standard input; print a line for each."""
    name, patience = arguments
    search, limit = searches[name], float(patience)
    warm = set()
    for one in map(json.loads, sys.stdin):
        rows = Rows(np.load(one["file"]), tuple(one["labels"]))
        discrete = len(rows.labels) == rows.values.shape[1]
        if discrete not in warm:
            with _quiet():
                limited(partial(search, warm_up(discrete)), limit)
            warm.add(discrete)
        print(json.dumps(_line(search, rows, limit) | {"versions": versions(package)}), flush=True)


def versions(package: str) -> dict[str, str]:
    """The versions of Python, numpy and the package that searches."""
    return {
        "Python": platform.python_version(),
        "numpy": np.__version__,
        package: getattr(sys.modules.get(package), "__version__", None) or version(package),
    }


def _line(search: Search, rows: Rows, patience: float) -> dict[str, Any]:
    """Search one table, with the same random numbers each time."""
    random.seed(0)
    np.random.seed(0)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    end = int(spent.ru_utime + spent.ru_stime + patience + GRACE)
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
    with _quiet():
        outcome = limited(partial(search, rows), patience)
    edges = [(int(i), int(j), edge) for i, j, edge in outcome.found or ()]
    return {"edges": edges, "seconds": outcome.seconds, "failed": outcome.failed}


@contextlib.contextmanager
def _quiet() -> Any:
    """Without what searches print and warn of."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
