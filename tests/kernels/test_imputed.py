"""Answers of imputed tables, combined by Rubin's rules and by D2, against their formulas with scipy."""

import math

import numpy as np
import pytest
from scipy import stats

from ancestral.independence._blocks_cy import Blocks
from ancestral.independence._imputed_cy import PooledCorrelations, PooledStatistics, chi2_statistic, f_log_tail


@pytest.mark.parametrize(
    ("value", "df", "left"),
    [(3.0, 2, 15.3), (0.2, 1, 9.0), (50.0, 1, 100.0), (1.1, 12, 1e5), (0.9, 40, 12.0), (30.0, 3, 4.5), (0.01, 5, 50.0)],
)
def test_the_tail_of_f_is_that_of_scipy_and_its_chi_squared_value_has_the_same_p_value(
    value: float, df: int, left: float
) -> None:
    expected = float(stats.f.logsf(value, df, left))
    assert f_log_tail(value, df, left) == pytest.approx(expected, rel=1e-8)
    assert chi2_statistic(expected, df) == pytest.approx(stats.chi2.isf(math.exp(expected), df), rel=1e-8)


def test_many_degrees_of_freedom_are_the_limit() -> None:
    assert f_log_tail(2.5, 3, 1e12) == pytest.approx(stats.chi2.logsf(7.5, 3), rel=1e-9)
    assert f_log_tail(0.0, 3, 10.0) == 0.0 and chi2_statistic(0.0, 3) == 0.0


def correlations(count: int, spread: float, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((5, 5))
    return np.stack([np.corrcoef((root + spread * rng.standard_normal((5, 5))) @ rng.standard_normal((5, 40)))
                     for _ in range(count)])  # fmt: skip


def partial(matrix: np.ndarray, x: int, y: int, given: list[int]) -> float:
    inverse = np.linalg.inv(matrix[np.ix_([x, y, *given], [x, y, *given])])
    return float(-inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1]))


@pytest.mark.parametrize("given", [[], [3], [4, 2]])
def test_partial_correlations_are_combined_by_rubins_rules(given: list[int]) -> None:
    several = correlations(6, 0.2)
    questions = PooledCorrelations(several, 90, 0.05)
    z = np.array([np.arctanh(partial(matrix, 0, 1, given)) for matrix in several])
    within, between = 1 / (90 - len(given) - 3), np.var(z, ddof=1) * (1 + 1 / 6)
    t = abs(z.mean()) / math.sqrt(within + between)
    p = 2 * stats.t.sf(t, 5 * ((within + between) / between) ** 2)
    assert questions.ask(0, 1, given) is bool(p > 0.05)
    assert stats.chi2.sf(questions.statistic, 1) == pytest.approx(p, rel=1e-7)
    assert questions.df == 1


def test_equal_tables_are_one_table() -> None:
    one = correlations(1, 0.0)
    questions = PooledCorrelations(np.repeat(one, 4, axis=0), 90, 0.05)
    questions.ask(0, 1, [2])
    assert questions.statistic == pytest.approx(np.arctanh(partial(one[0], 0, 1, [2])) ** 2 * 86, rel=1e-9)


STARTS = [0, 1, 3, 5]


def inner(matrix: np.ndarray) -> Blocks:
    return Blocks(STARTS, matrix, None, 40, np.full(9, 5.0), 2.0, False)


def test_chi_squared_statistics_are_combined_by_d2() -> None:
    several = correlations(5, 0.3, seed=2)
    questions = PooledStatistics([inner(matrix) for matrix in several], 0.05)
    for x, y, given, k in ((0, 1, [], 2), (0, 1, [2], 2), (1, 2, [0], 4)):
        found = []
        for matrix in several:
            single = inner(matrix)
            assert single.measured(x, y, given)
            found.append(single.statistic)
        w = np.array(found)
        r = (1 + 1 / 5) * np.var(np.sqrt(w), ddof=1)
        d2 = (w.mean() / k - 6 / 4 * r) / (1 + r)
        p = stats.f.sf(max(d2, 0.0), k, k ** (-3 / 5) * 4 * (1 + 1 / r) ** 2)
        assert questions.ask(x, y, given) is bool(p > 0.05)
        assert stats.chi2.sf(questions.statistic, k) == pytest.approx(p, rel=1e-7)
        assert questions.df == k


def test_one_table_that_cannot_tell_is_enough_to_have_no_answer() -> None:
    several = correlations(4, 0.1)
    few = Blocks(STARTS, several[0], None, 3, np.full(9, 5.0), 2.0, False)
    questions = PooledStatistics([inner(several[1]), few, inner(several[2])], 0.05)
    assert questions.ask(0, 1, [2]) is False
    assert math.isnan(questions.statistic) and questions.unsupported[1] == 1
    singular = several.copy()
    singular[2, 3] = singular[2, 2]
    singular[2, :, 3] = singular[2, :, 2]
    questions_of_z = PooledCorrelations(singular, 90, 0.05)
    assert questions_of_z.ask(0, 1, [2, 3]) is False
    assert math.isnan(questions_of_z.statistic)
    assert PooledCorrelations(several, 5, 0.05).ask(0, 1, [2, 3]) is False
