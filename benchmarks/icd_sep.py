"""ICD-Sep sets: what a question costs of ICD with conditions 1 and 2, and of FCI, on DAGs of the paper's kind.

    python -m benchmarks.bench --only sets

Both as printed, with the perfect test and with Fisher's z, by one thread and with everything that a search does. FCI is
stopped after some seconds; its questions until then give its cost.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import ancestral as an
from ancestral.reproduce.searches import FCI, ICD_12
from benchmarks.measure import apart, questions, rounds, short, table

NODES = (15, 20, 25, 35)
SEEDS = range(5)
ROWS = 1_000
#: Seconds after which a search is stopped.
LIMIT = 5.0

#: The tests, by what they are called in the table.
TESTS = ("oracle", "fisher-z")


def source(test: str, nodes: int, seed: int) -> Any:
    """What is searched: a DAG, or the moments of rows drawn from it."""
    dag = an.simulate.random_dag(nodes, 2, seed=seed)
    if test == "oracle":
        return an.Oracle(dag)
    return an.Moments.of(an.simulate.linear_gaussian(dag, rows=ROWS, seed=seed))


def _searched(data: Any, options: dict[str, Any]) -> an.Discovery:
    """The search, which finds colliders as in the papers, by the first separating sets."""
    return an.discover(data, colliders="first", **options, time_limit=LIMIT, progress=False)


def cost(test: str, nodes: int) -> list[tuple[int, float]]:
    """Questions and seconds of ICD and of FCI, of all seeds together; the best of several runs each."""
    out = []
    for options in (ICD_12, FCI):
        asked, seconds = 0, 0.0
        for seed in SEEDS:
            search = partial(_searched, source(test, nodes, seed), options)
            asked += questions(search())
            (taken,) = rounds(search, budget=0.2)
            seconds += min(taken)
        out.append((asked, seconds))
    return out


def report() -> None:
    """Print the table."""

    def lines() -> Iterator[tuple[str, ...]]:
        for test, nodes in product(TESTS, NODES):
            ours, fci = apart(cost, test, nodes)
            each = [seconds / asked * 1e6 for asked, seconds in (ours, fci)]
            yield (
                *(test, str(nodes), f"{ours[0]:,}", f"{fci[0]:,}", short(each[0]), short(each[1])),
                *(f"{each[0] / each[1]:.2f}", f"{fci[1] / ours[1]:.2f}"),
            )

    print(f"## ICD-Sep sets: {len(SEEDS)} DAGs of each size, {ROWS:,} rows for fisher-z\n")
    head = (
        "test",
        "nodes",
        "questions of ICD",
        "of FCI",
        "µs each, ICD",
        "µs each, FCI",
        "ratio",
        "FCI / ICD, seconds",
    )
    table(head, lines())
