"""The likelihood ratio of blocks against determinants and regressions by numpy."""

import numpy as np
import pytest

from ancestral.independence._blocks_cy import Blocks

STARTS = [0, 1, 3, 4, 6]  # four variables, of 1, 2, 1 and 2 columns


def log_det(covariance: np.ndarray, of: list[int], given: list[int]) -> float:
    whole = covariance[np.ix_(of + given, of + given)]
    part = covariance[np.ix_(given, given)]
    return float(np.linalg.slogdet(whole)[1] - (np.linalg.slogdet(part)[1] if given else 0.0))


def expected(columns: np.ndarray, x: int, y: int, given: list[int]) -> tuple[float, int]:
    """The corrected statistic by determinants of covariance matrices."""
    block = [list(range(STARTS[v], STARTS[v + 1])) for v in range(4)]
    z = [c for v in given for c in block[v]]
    rows = columns.shape[1]
    covariance = np.cov(columns)
    both = log_det(covariance, block[x] + block[y], z)
    apart = log_det(covariance, block[x], z) + log_det(covariance, block[y], z)
    p, q = len(block[x]), len(block[y])
    return -(rows - 1 - len(z) - (p + q + 1) / 2) * (both - apart), p * q


def some_columns(seed: int, rows: int = 60) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.ascontiguousarray((rng.standard_normal((rows, 6)) @ rng.standard_normal((6, 6))).T)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rowwise", [False, True])
def test_statistics(seed: int, rowwise: bool) -> None:
    columns = some_columns(seed)
    correlation = None if rowwise else np.corrcoef(columns)
    questions = Blocks(STARTS, correlation, columns if rowwise else None, 60, np.full(9, 5.0), 2.0, False)
    for x, y, given in [(0, 1, []), (0, 2, [1]), (1, 3, [0, 2]), (3, 0, [2, 1]), (1, 2, [3])]:
        statistic, df = expected(columns, x, y, given)
        assert questions.measured(x, y, given)
        assert questions.statistic == pytest.approx(statistic, rel=1e-9)
        assert (questions.df, questions.used) == (df, 60)
        assert questions.ask(x, y, given) is (statistic <= 5.0)


def test_each_question_uses_the_rows_that_are_complete_for_it() -> None:
    columns = some_columns(7)
    columns[0, :5] = np.nan
    columns[1, 3:9] = np.nan
    questions = Blocks(STARTS, None, columns, 60, np.full(9, 5.0), 2.0, False)
    for x, y, given, left in [(0, 2, [], slice(5, None)), (0, 1, [3], slice(9, None)), (2, 3, [], slice(None))]:
        kept = columns[:, left]
        assert questions.measured(x, y, given)
        assert questions.statistic == pytest.approx(expected(kept, x, y, given)[0], rel=1e-9)
        assert questions.used == kept.shape[1]


def test_fishers_z_on_single_columns() -> None:
    columns = some_columns(3)[:4]
    questions = Blocks([0, 1, 2, 3, 4], np.corrcoef(columns), None, 60, np.full(9, 5.0), 1.96, True)
    precision = np.linalg.inv(np.corrcoef(columns))
    r = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    assert questions.measured(0, 1, [2, 3])
    assert np.sqrt(questions.statistic) == pytest.approx(abs(np.arctanh(r)) * np.sqrt(60 - 2 - 3), rel=1e-9)


def test_columns_that_others_explain_are_dropped() -> None:
    columns = some_columns(5)
    columns[2] = columns[1] * 2 + 1  # the second column of variable 1 says nothing new
    questions = Blocks(STARTS, np.corrcoef(columns), None, 60, np.full(9, 5.0), 2.0, False)
    assert questions.measured(0, 1, [])
    assert questions.df == 1
    columns[5] = columns[4] = columns[0]
    copies = Blocks(STARTS, np.corrcoef(columns), None, 60, np.full(9, 5.0), 2.0, False)
    assert copies.ask(0, 3, []) is False  # the same thing twice: as dependent as can be
    assert copies.ask(0, 2, [3]) is False  # nothing is left of 0: the data cannot tell
    assert copies.unsupported.tolist() == [0, 1, 0, 0, 0]
