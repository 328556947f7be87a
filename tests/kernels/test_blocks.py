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


# -- rows with gaps ----------------------------------------------------------------------------------------------------


def expected_in_complete_rows(columns: np.ndarray, x: int, y: int, given: list[int]) -> tuple[float, int, int]:
    involved = [c for v in (x, y, *given) for c in range(STARTS[v], STARTS[v + 1])]
    complete = ~np.isnan(columns[involved]).any(axis=0)
    return *expected(np.where(np.isnan(columns), 0.0, columns)[:, complete], x, y, given), int(complete.sum())


@pytest.mark.parametrize("share", [0.0, 0.03, 0.2, 0.4])
@pytest.mark.parametrize("trouble", ["none", "far", "outlier", "selected"])
def test_rows_taken_out_leave_what_the_complete_rows_say(share: float, trouble: str) -> None:
    rows = 400  # more than are summed at a time
    rng = np.random.default_rng(11)
    columns = some_columns(2, rows)
    gone = rng.random(columns.shape) < share
    if trouble == "far":
        columns = columns * [[1e-9], [1.0], [1e9], [1.0], [1e200], [1.0]] + [[1e-6], [1e4], [0.0], [-1e4], [0.0], [0.0]]
    if trouble == "outlier":  # is out of the question where variable 0 is in it, and drowns the others where it is not
        columns[5, :3] = 1e7
        gone[0, :3] = True
    if trouble == "selected":
        columns[3] = np.where(columns[3] > np.quantile(columns[3], 0.3), columns[3], 50.0 + columns[3])
        gone[1] |= columns[3] > 40
    columns[gone] = np.nan
    scale = np.nanmax(np.abs(columns), axis=1, keepdims=True)  # which does not change the likelihood ratio
    questions = Blocks(STARTS, None, columns, rows, np.full(9, 5.0), 2.0, False)
    for x, y, given in [(0, 1, []), (0, 2, [1]), (1, 3, [0, 2]), (3, 0, [2, 1]), (1, 2, [3]), (0, 3, []), (2, 3, [0])]:
        statistic, df, used = expected_in_complete_rows(columns / scale, x, y, given)
        assert questions.measured(x, y, given)
        assert (questions.df, questions.used) == (df, used)
        assert questions.statistic == pytest.approx(statistic, rel=1e-9)
        assert questions.ask(x, y, given) is (statistic <= 5.0)


@pytest.mark.parametrize("constant", [0.0, 1.0, 0.1, 1e9 + 0.3])
def test_a_column_that_is_constant_in_the_complete_rows_is_dropped(constant: float) -> None:
    columns = some_columns(4)
    columns[1, 7:] = constant  # the first column of variable 1 varies only where variable 0 is missing
    columns[0, :7] = np.nan
    questions = Blocks(STARTS, None, columns, 60, np.full(9, 5.0), 2.0, False)
    assert questions.measured(1, 3, [])
    assert (questions.df, questions.used) == (4, 60)
    assert questions.measured(1, 3, [0])
    assert (questions.df, questions.used) == (2, 53)
    columns[2, 7:] = constant
    both = Blocks(STARTS, None, columns, 60, np.full(9, 5.0), 2.0, False)
    assert not both.measured(0, 1, [])
    assert both.measured(1, 3, [])


def test_without_complete_rows_nothing_can_be_told() -> None:
    columns = some_columns(6)
    columns[0, :30] = np.nan
    columns[3, 30:] = np.nan
    columns[4] = np.nan  # missing everywhere
    questions = Blocks(STARTS, None, columns, 60, np.full(9, 5.0), 2.0, False)
    assert questions.ask(0, 2, []) is False
    assert questions.ask(0, 1, [2]) is False
    assert questions.ask(1, 3, []) is False
    assert questions.unsupported.tolist() == [2, 1, 0, 0, 0]
    assert questions.measured(0, 1, [])
