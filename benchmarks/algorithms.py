"""The algorithms side by side on Gaussian rows: seconds, questions, and where the time goes, over all phases."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import numpy as np

import ancestral as an
from ancestral.search import fci_plus, pc
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.lookup import QuestionCache
from benchmarks.gaussian import correlation, sample
from benchmarks.measure import Searched, apart, searched, table
from benchmarks.phases import PARTS, Clock

NODES = (100, 300, 1000)
ROWS = 1_000
#: Seconds after which FCI, which does not finish on large graphs, is stopped; its questions until then give its speed.
LIMIT = 5.0
#: Functions that ask questions, beside those that `phases` measures.
MORE = {
    "asking": [*PARTS["asking"], (fci_plus, "augment"), (QuestionCache, "independent")],
    "orienting": [*PARTS["orienting"], (pc, "orient_cpdag")],
}


def case(path: Path, algorithm: str) -> tuple[Searched, dict[str, float]]:
    """The search, and the share of each part in its time."""
    moments = an.Moments.from_correlation(np.load(path), rows=ROWS)
    ours = searched(lambda: an.discover(moments, algorithm=algorithm, progress=False, time_limit=LIMIT), 0.5)
    clock = Clock()
    with ExitStack() as stack:
        for part, places in (PARTS | MORE).items():
            for owner, name in places:
                stack.enter_context(patch.object(owner, name, clock.timed(part, getattr(owner, name))))
        begin = time.perf_counter()
        an.discover(moments, algorithm=algorithm, progress=False, time_limit=LIMIT)
        whole = time.perf_counter() - begin
    shares = {part: float(clock.spent[part]) / whole for part in PARTS}
    return ours, shares | {"bookkeeping": 1 - sum(shares.values())}


def report() -> None:
    """Print the table."""

    def lines() -> Iterator[tuple[str, ...]]:
        for nodes in NODES:
            path = correlation(sample(nodes, ROWS))
            variables = len(np.load(path, mmap_mode="r"))
            for algorithm in ALGORITHMS:
                ours, shares = apart(case, path, algorithm)
                yield (algorithm, str(variables), *ours.cells(), *(f"{share:.0%}" for share in shares.values()))

    print(f"## The algorithms, Gaussian, correlation ready, {ROWS:,} rows\n")
    head = ("algorithm", "variables", "seconds", "questions", "ns each", "peak MB", "of search", "radius")
    table((*head, *PARTS, "bookkeeping"), lines())
