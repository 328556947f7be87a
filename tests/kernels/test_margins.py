"""Pearson's statistic given the margins, against all tables that have these margins."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from math import factorial, prod

import numpy as np
import pytest
from scipy.special import chdtrc
from scipy.stats import fisher_exact

from ancestral.data.stats.packing import Packing
from ancestral.independence._configurations_cy import Configurations
from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.evidence import chi2_quantiles

Tables = list[list[list[int]]]
ALPHA = 0.05


def rows_of(tables: Tables) -> np.ndarray:
    """Codes of x, y and the stratum with these counts."""
    cells = [
        (i, j, s)
        for s, table in enumerate(tables)
        for i, row in enumerate(table)
        for j, n in enumerate(row)
        for _ in range(n)
    ]
    return np.array(cells, dtype=np.intc).T


def asked(tables: Tables, alpha: float = ALPHA) -> Contingency:
    codes = rows_of(tables)
    levels = [int(values.max()) + 1 for values in codes]
    return Contingency(codes, levels, chi2_quantiles(alpha, 200), True, 5, level=alpha)


def p_value(tables: Tables, alpha: float = ALPHA) -> float:
    questions = asked(tables, alpha)
    assert questions.measured(0, 1, [2])
    return float(chdtrc(questions.df, questions.statistic))


def all_tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All tables with these margins."""

    def fillings(total: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(room) == 1:
            if total <= room[0]:
                yield (total,)
            return
        for first in range(min(total, room[0]) + 1):
            for others in fillings(total - first, room[1:]):
                yield (first, *others)

    if len(rows) == 1:
        yield (columns,)
        return
    for row in fillings(rows[0], columns):
        for rest in all_tables(rows[1:], tuple(c - n for c, n in zip(columns, row, strict=True))):
            yield (row, *rest)


@cache
def distribution(rows: tuple[int, ...], columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Pearson's statistic of all tables with these margins, and their probabilities."""
    n = sum(rows)
    expected = np.outer(rows, columns) / n
    same = prod(map(factorial, rows)) * prod(map(factorial, columns))
    values, shares = [], []
    for table in all_tables(rows, columns):
        values.append((((np.array(table) - expected) ** 2) / expected).sum())
        shares.append(same / (factorial(n) * prod(factorial(k) for row in table for k in row)))
    return np.array(values), np.array(shares)


def margins(table: list[list[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    counts = np.array(table)
    return tuple(k for k in counts.sum(axis=1).tolist() if k), tuple(k for k in counts.sum(axis=0).tolist() if k)


def statistic_of(tables: Tables) -> float:
    out = 0.0
    for table in tables:
        rows, columns = margins(table)
        if len(rows) > 1 and len(columns) > 1 and np.ptp(distribution(rows, columns)[0]) > 1e-9:
            counts = np.array(table)[np.sum(table, axis=1) > 0][:, np.sum(table, axis=0) > 0]
            expected = np.outer(rows, columns) / counts.sum()
            out += float(((counts - expected) ** 2 / expected).sum())
    return out


def cumulants(tables: Tables) -> np.ndarray:
    """Mean, variance and third cumulant of the sum, by the distributions of all strata in which it varies."""
    out = np.zeros(3)
    for table in tables:
        values, shares = distribution(*margins(table))
        if np.ptp(values) > 1e-9:
            mean = shares @ values
            out += mean, shares @ (values - mean) ** 2, shares @ (values - mean) ** 3
    return out


def tail(tables: Tables) -> tuple[float, float]:
    """The probability of sums greater than the one seen, and of equal ones."""
    values: np.ndarray = np.zeros(1)
    shares: np.ndarray = np.ones(1)
    for table in tables:
        more, of_more = distribution(*margins(table))
        values, where = np.unique(np.round(np.add.outer(values, more).ravel(), 9), return_inverse=True)
        shares = np.bincount(where, np.multiply.outer(shares, of_more).ravel())
    seen = statistic_of(tables)
    return float(shares[values > seen + 1e-6].sum()), float(shares[abs(values - seen) <= 1e-6].sum())


@pytest.mark.parametrize(
    "tables",
    [[[[16, 12], [10, 21]]], [[[15, 9], [8, 17]], [[6, 11], [9, 8]]], [[[9, 6, 5], [6, 10, 7]]]],
)
def test_large_expected_counts_take_the_mean_and_the_variance(tables: Tables) -> None:
    mean, variance, _ = cumulants(tables)
    df = sum((len(table) - 1) * (len(table[0]) - 1) for table in tables)
    questions = asked(tables)
    assert questions.measured(0, 1, [2])
    assert questions.df == df
    assert questions.statistic == pytest.approx(
        df + (statistic_of(tables) - mean) * np.sqrt(2 * df / variance), rel=1e-9
    )


#: Strata of 3 to 12 rows, some of which are too small to tell, or tell nothing.
SMALL: Tables = [
    [[1, 1, 0], [0, 1, 1], [0, 0, 0]],
    [[2, 0, 0], [1, 0, 0], [1, 0, 0]],
    [[1, 0, 0], [0, 2, 0], [0, 0, 0]],
    [[1, 0, 1], [0, 1, 0], [1, 0, 1]],
    [[2, 0, 0], [0, 1, 0], [0, 1, 1]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[3, 1, 0], [1, 2, 1], [0, 0, 2]],
    [[2, 1, 1], [2, 1, 0], [0, 1, 1]],
    [[0, 4, 1], [3, 0, 0], [1, 1, 1]],
    [[3, 0, 1], [0, 2, 1], [2, 0, 1]],
    [[4, 0, 0], [1, 3, 1], [0, 2, 1]],
]


def test_many_small_strata_take_three_cumulants() -> None:
    tables = SMALL * 5
    mean, variance, third = cumulants(tables)
    exact = 8 * variance**3 / third**2
    df = round(exact)
    assert df > 50
    codes = rows_of(tables)
    questions = Contingency(codes, [3, 3, len(tables)], chi2_quantiles(ALPHA, 400), True, 1, level=ALPHA)
    assert questions.measured(0, 1, [2])
    assert questions.df == df
    shifted = exact + (statistic_of(tables) - mean) * np.sqrt(2 * exact / variance)
    assert chdtrc(df, questions.statistic) == pytest.approx(chdtrc(exact, shifted), rel=1e-4)


@pytest.mark.parametrize("seen", range(6))
def test_a_small_table_is_judged_exactly(seen: int) -> None:
    table = [[seen, 7 - seen], [9 - seen, 14 + seen]]
    more, equal = tail([table])
    # Fisher's test has the same tables on the side that was seen, and counts those that are equally likely in full
    assert more + equal <= fisher_exact(table).pvalue + 1e-9
    expected = more + equal / 2
    assert p_value([table]) == pytest.approx(expected, rel=1e-9)


def test_others_are_judged_by_drawn_tables() -> None:
    # drawing ends at 25 tables that are as extreme, so each p-value has a relative error of a fifth
    ratios = []
    for a in range(5, 12):
        for b in range(3):
            for tables in ([[[a, 6, 1], [3, 12 - b, 0]]], [[[3, a], [6, 2]], [[5, 3, b], [1, 6, 0]]]):
                more, equal = tail(tables)
                if 0.01 < more + equal / 2 < 0.2 and equal < more / 4:
                    ratios.append(p_value(tables) / (more + equal / 2))
    assert len(ratios) >= 12
    assert abs(np.mean(ratios) - 1) < 3 * 0.2 / np.sqrt(len(ratios))
    assert np.std(ratios) < 0.3


def test_the_answer_does_not_depend_on_any_order() -> None:
    tables: Tables = [[[5, 2, 1], [2, 5, 0]], [[1, 3, 0], [4, 1, 1]]]
    first = asked(tables)
    assert first.measured(0, 1, [2])
    for order in permutations(range(3)):
        for swapped in (False, True):
            again = [
                [[row[j] for j in order] for row in table[::-1]] for table in (tables[::-1] if swapped else tables)
            ]
            questions = asked(again)
            for x, y in ((0, 1), (1, 0)):
                assert questions.measured(x, y, [2])
                assert (questions.statistic, questions.df) == (first.statistic, first.df)


def test_configurations_are_judged_like_rows() -> None:
    codes = rows_of([[[5, 2, 1], [2, 5, 0]], [[1, 3, 0], [4, 1, 1]], [[20, 3, 9], [11, 8, 14]]])
    alike, counts = np.unique(codes, axis=1, return_counts=True)
    levels, quantiles = [2, 3, 3], chi2_quantiles(ALPHA, 200)
    packing = Packing(tuple(levels))
    words = packing.packed(list(alike))
    rows = Contingency(codes, levels, quantiles, True, 5, level=ALPHA)
    found = Configurations(words, counts, packing.places, levels, codes.shape[1], quantiles, True, 5, ALPHA)
    for asked in (found, found.another(), rows.another()):
        for x, y, given in [(0, 1, []), (0, 1, [2]), (1, 2, [0]), (0, 2, [1])]:
            assert asked.measured(x, y, given) == rows.measured(x, y, given)
            assert (asked.statistic, asked.df, asked.used) == (rows.statistic, rows.df, rows.used)


def test_what_no_table_could_show_cannot_be_told() -> None:
    quantiles = chi2_quantiles(ALPHA, 50)
    rare = rows_of([[[45, 4], [0, 1]]])  # the most extreme table has probability 5/50
    questions = Contingency(rare, [2, 2, 1], quantiles, True, 5, level=ALPHA)
    assert questions.ask(0, 1, []) is False
    rarer = rows_of([[[47, 2], [1, 0]]])  # 2/50: it could be seen, and was not
    other = Contingency(rarer, [2, 2, 1], quantiles, True, 5, level=ALPHA)
    assert other.ask(0, 1, []) is True
    # of two that are equally extreme each has probability 1/20
    mirrored = rows_of([[[2, 1], [1, 2]]])
    assert Contingency(mirrored, [2, 2, 1], quantiles, True, 5, level=0.06).ask(0, 1, []) is False
    assert Contingency(mirrored, [2, 2, 1], quantiles, True, 5, level=0.11).ask(0, 1, []) is True
    constant = rows_of([[[1, 0], [0, 1]], [[2, 1], [0, 0]], [[1, 0], [0, 1]]])
    assert Contingency(constant, [2, 2, 3], quantiles, True, 1, level=ALPHA).ask(0, 1, [2]) is False
    assert questions.unsupported.tolist() == [1, 0, 0, 0]


def test_few_rows_for_many_degrees_of_freedom_cannot_tell() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (5, 300)).astype(np.intc)
    questions = Contingency(codes, [3] * 5, chi2_quantiles(ALPHA, 1000), True, 5, level=ALPHA)
    assert questions.measured(0, 1, [2])  # 12 degrees of freedom
    assert questions.measured(0, 1, [2, 3]) is True  # 36
    assert questions.measured(0, 1, [2, 3, 4]) is False  # 108
    generous = Contingency(codes, [3] * 5, chi2_quantiles(ALPHA, 1000), True, 2, level=ALPHA)
    assert generous.measured(0, 1, [2, 3, 4])
