"""Seconds by number of rows, number of variables and density, for docs/scale.md.

    python -m benchmarks.scale

Linear-Gaussian data of random DAGs (seed 1), `fisher-z`, everything else by default. Rows are drawn and summed up a
million at a time; a search asks the sums.
"""

from time import perf_counter

import numpy as np

import ancestral as an
from benchmarks.measure import apart, short, table

ROWS = (10_000, 100_000, 1_000_000, 10_000_000)
VARIABLES = (100, 300, 1000, 3000)
DENSITIES = (1.0, 2.0, 3.0, 4.0, 5.0)
PORTION = 1_000_000


def with_rows(rows: int) -> tuple[float, float, int]:
    """Seconds to sum up `rows` rows of 20 columns, seconds to search, questions."""
    loadings = np.random.default_rng(1).normal(size=(20, 20)) * (np.random.default_rng(2).random((20, 20)) < 0.12)
    mixing = np.linalg.inv(np.eye(20) - np.triu(loadings, 1))
    names = [f"x{i}" for i in range(20)]
    rng = np.random.default_rng(3)
    total, summing = None, 0.0
    for first in range(0, rows, PORTION):
        portion = rng.normal(size=(min(PORTION, rows - first), 20)) @ mixing
        start = perf_counter()
        some = an.Moments.of(an.Table.of(portion, names=names))
        total = some if total is None else total + some
        summing += perf_counter() - start
    start = perf_counter()
    found = an.discover(total, algorithm="icd", progress=False)
    return summing, perf_counter() - start, found.tests.total()


def with_variables(nodes: int, degree: float, rows: int) -> tuple[int, float, int, int, int]:
    """Variables, seconds, questions, the largest radius and edges of a search."""
    dag = an.simulate.random_dag(nodes=nodes, degree=degree, seed=1)
    moments = an.Moments.of(an.simulate.linear_gaussian(dag, rows=rows, seed=1))
    seconds = []
    for _ in range(3):
        start = perf_counter()
        found = an.discover(moments, algorithm="icd", progress=False)
        seconds.append(perf_counter() - start)
    return len(found.pag.nodes), min(seconds), found.tests.total(), found.radius or 0, len(found.pag.edges())


def report() -> None:
    """Print all three curves."""
    print("20 columns; rows are summed up, the search asks the sums:\n")
    rows = [_summed(n, *apart(with_rows, n)) for n in ROWS]
    table(("rows", "summing, s", "ns a value", "search, s", "questions"), rows)
    head = ("variables", "seconds", "questions", "ns each", "radius", "edges found")
    print("\n1,000 rows, degree 2:\n")
    table(head, [_searched(apart(with_variables, n, 2.0, 1000)) for n in VARIABLES])
    print("\n200 nodes, 1,000 rows, by the average degree:\n")
    table(("degree", *head), [(f"{d:g}", *_searched(apart(with_variables, 200, d, 1000))) for d in DENSITIES])


def _summed(rows: int, summing: float, search: float, questions: int) -> tuple[str, ...]:
    return f"{rows:,}", short(summing), f"{summing / rows / 20 * 1e9:.1f}", short(search), f"{questions:,}"


def _searched(found: tuple[int, float, int, int, int]) -> tuple[str, ...]:
    variables, seconds, questions, radius, edges = found
    return (
        f"{variables:,}",
        short(seconds),
        f"{questions:,}",
        f"{seconds / questions * 1e9:,.0f}",
        str(radius),
        str(edges),
    )


if __name__ == "__main__":
    report()
