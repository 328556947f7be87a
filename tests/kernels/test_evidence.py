"""What questions leave behind: the statistic of the last answer, the closest one, the tail of chi-squared."""

import math

import numpy as np
import pytest
from scipy import stats

from ancestral.data import Moments, Table
from ancestral.independence._questions_cy import chi2_log_tail
from ancestral.independence.contingency import GTest
from ancestral.independence.custom import CustomTest
from ancestral.independence.fisher_z import FisherZ


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 10, 25, 64, 301, 5000])
def test_the_log_tail_of_chi_squared(df: int) -> None:
    for statistic in [0.0, 1e-3, 0.4, 1.0, df / 3, float(df), 1.5 * df, 10.0 * df, 60.0, 400.0, 3e4]:
        expected = stats.chi2.logsf(statistic, df)
        if not math.isfinite(expected):  # scipy has no more digits there
            expected = math.log(stats.chi2.pdf(statistic, df) or 1e-323) if statistic < 1400 else math.nan
        if math.isfinite(expected) and expected > -600:
            assert chi2_log_tail(statistic, df) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 5, 10])
def test_the_log_tail_goes_on_falling_where_the_tail_is_zero(df: int) -> None:
    tails = [chi2_log_tail(statistic, df) for statistic in (1e3, 1e4, 1e5, 1e6)]
    assert tails == sorted(tails, reverse=True)
    assert tails[-1] == pytest.approx(-5e5, rel=1e-3)


def test_marginals_are_the_evidence_of_every_pair_given_nothing() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5))
    test = FisherZ(Moments.of(values))
    questions = test.questions(test.names)
    weighed = test.p_values(questions.marginals(), np.zeros(10, dtype=np.int64))
    for (x, y), p_value in zip(questions.pairs().tolist(), weighed.p_value, strict=True):
        z = math.atanh(abs(np.corrcoef(values[:, x], values[:, y])[0, 1])) * math.sqrt(57)
        assert p_value == pytest.approx(2 * stats.norm.sf(z), rel=1e-9)


def test_marginals_of_some_pairs_are_those_of_all() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(60, 6)) @ rng.normal(size=(6, 6))
    tests = (
        FisherZ(Moments.of(values)),
        FisherZ(Moments.from_correlation(np.eye(6), rows=3)),  # too few rows
        GTest(Table.of((values > 0).astype(int), kinds="discrete")),
        CustomTest(lambda x, y, given: 0.25, list("abcdef")),
    )
    for test in tests:
        questions = test.questions(test.names)
        for x, y in questions.pairs().tolist():
            questions.ask(x, y, [])
        some = np.array([3, 14, 0, 7])
        np.testing.assert_array_equal(questions.marginals_of(questions.pairs()[some]), questions.marginals()[some])
        assert questions.marginals_of(questions.pairs()[:0]).shape == (0, 2)


def test_marginals_of_a_table_count_as_no_question() -> None:
    rng = np.random.default_rng(2)
    table = Table.of(rng.integers(0, 4, size=(30, 4)), kinds="discrete")  # too few rows for 4 x 4 levels
    test = GTest(table)
    questions = test.questions(test.names)
    assert np.isnan(questions.marginals()[:, 0]).all()
    assert questions.unsupported.sum() == 0
    assert not questions.ask(0, 1, [])
    assert questions.unsupported.sum() == 1
    assert math.isnan(questions.statistic)
