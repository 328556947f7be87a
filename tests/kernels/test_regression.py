"""Multinomial regressions against a general optimiser, and their correction against cumulants by definition."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from ancestral.independence._regression_cy import Regressions

ROWS = 60


class Columns:
    """A number x, labels y and v of three and two levels, and a number and a label to be given."""

    def __init__(self, seed: int, rows: int = ROWS) -> None:
        rng = np.random.default_rng(seed)
        z = rng.standard_normal(rows)
        label = rng.integers(0, 2, rows)
        self.x = 0.5 * z + rng.standard_normal(rows)
        self.y = (np.outer(0.5 * z + 0.3 * self.x, [-1, 0, 1]) + rng.gumbel(size=(rows, 3))).argmax(axis=1)
        self.v = (z + 0.4 * (self.y == 2) + rng.logistic(size=rows) > 0).astype(int)
        self.blocks = [
            self.x[None, :],
            np.array([self.y == level for level in (1, 2)], dtype=float),
            self.v[None, :].astype(float),
            z[None, :],
            label[None, :].astype(float),
        ]
        self.codes = [None, self.y, self.v, None, label]

    def questions(self, gaps: np.ndarray | None = None) -> Regressions:
        columns = np.concatenate(self.blocks)
        starts = np.cumsum([0, *map(len, self.blocks)])
        codes = np.stack([np.zeros(columns.shape[1]) if c is None else c for c in self.codes]).astype(np.intc)
        levels = [0 if c is None else int(c.max()) + 1 for c in self.codes]
        quantiles = np.full(10, 5.0)
        if gaps is None:
            return Regressions(starts, np.corrcoef(columns), None, columns.shape[1], quantiles, columns, codes, levels)
        held = columns.copy()
        held[:, gaps] = np.nan
        return Regressions(starts, None, held, columns.shape[1], quantiles, columns, codes, levels)

    def design(self, variables: list[int]) -> np.ndarray:
        return np.column_stack([np.ones(self.blocks[0].shape[1]), *(self.blocks[v].T for v in variables)])


def fit(design: np.ndarray, response: np.ndarray) -> tuple[float, np.ndarray]:
    """The maximal log-likelihood by a general optimiser, and the probabilities of all levels in each row."""
    levels, width = int(response.max()) + 1, design.shape[1]

    def scores(flat: np.ndarray) -> np.ndarray:
        return np.column_stack([np.zeros(len(design)), design @ flat.reshape(levels - 1, width).T])

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        score = scores(flat)
        total = np.logaddexp.reduce(score, axis=1)
        share = np.exp(score - total[:, None])
        seen = np.eye(levels)[response]
        return float((total - score[np.arange(len(score)), response]).sum()), ((share - seen).T @ design)[1:].ravel()

    best = minimize(loss, np.zeros((levels - 1) * width), jac=True, method="BFGS", options={"gtol": 1e-10})
    score = scores(best.x)
    return -float(best.fun), np.exp(score - np.logaddexp.reduce(score, axis=1)[:, None])


def expansion(design: np.ndarray, shares: np.ndarray) -> float:
    """(3 ρ13² + 2 ρ23² − 3 ρ4) / 12 from the joint cumulants of the sufficient statistics, by their definition."""
    levels, width = shares.shape[1], design.shape[1]
    size = (levels - 1) * width
    second, third, fourth = np.zeros((size,) * 2), np.zeros((size,) * 3), np.zeros((size,) * 4)
    for row, share in zip(design, shares, strict=True):
        points = np.zeros((levels, size))
        for level in range(1, levels):
            points[level, (level - 1) * width : level * width] = row
        points -= share @ points
        moment2 = np.einsum("l,la,lb->ab", share, points, points)
        second += moment2
        third += np.einsum("l,la,lb,lc->abc", share, points, points, points)
        fourth += np.einsum("l,la,lb,lc,ld->abcd", share, points, points, points, points)
        for one, two in (("ab", "cd"), ("ac", "bd"), ("ad", "bc")):
            fourth -= np.einsum(f"{one},{two}->abcd", moment2, moment2)
    inverse = np.linalg.inv(second)
    rho4 = np.einsum("abcd,ab,cd", fourth, inverse, inverse)
    rho13 = np.einsum("abc,def,ab,cd,ef", third, third, inverse, inverse, inverse, optimize=True)
    rho23 = np.einsum("abc,def,ad,be,cf", third, third, inverse, inverse, inverse, optimize=True)
    return float(3 * rho13 + 2 * rho23 - 3 * rho4) / 12


def of_label(columns: Columns, response: int, other: int, given: list[int]) -> float:
    """The corrected statistic of the regression of a label with and without another variable."""
    codes = columns.codes[response]
    assert codes is not None
    small, large = columns.design(given), columns.design([*given, other])
    without, shares = fit(small, codes)
    df = len(columns.blocks[other]) * int(codes.max())
    expected: float = 1 + (expansion(large, shares) - expansion(small, shares)) / df
    return 2 * (fit(large, codes)[0] - without) / expected


def of_number(columns: Columns, response: int, other: int, given: list[int]) -> float:
    """The corrected statistic of the linear regression of a number with and without another variable."""
    values = columns.blocks[response][0]

    def squares(design: np.ndarray) -> float:
        return float(np.linalg.lstsq(design, values, rcond=None)[1][0])

    small, large = columns.design(given), columns.design([*given, other])
    left = len(values) - small.shape[1] - (large.shape[1] - small.shape[1] + 2) / 2
    return float(left * np.log(squares(small) / squares(large)))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("given", [[3], [3, 4]])
def test_the_larger_p_value_of_two_regressions_counts(seed: int, given: list[int]) -> None:
    columns = Columns(seed)
    questions = columns.questions()
    for x, y in product((0,), (1, 2)):
        expected = min(of_number(columns, x, y, given), of_label(columns, y, x, given))
        for one, two, set_of in ((x, y, given), (y, x, given[::-1])):
            assert questions.measured(one, two, set_of)
            assert questions.statistic == pytest.approx(expected, rel=1e-6)
            assert questions.df == len(columns.blocks[y])
    expected = min(of_label(columns, 1, 2, given), of_label(columns, 2, 1, given))
    assert questions.measured(1, 2, given)
    assert questions.statistic == pytest.approx(expected, rel=1e-6)
    assert questions.df == 2


def test_one_direction_is_enough_given_nothing() -> None:
    columns = Columns(5)
    questions = columns.questions()
    assert questions.measured(0, 1, [])
    assert questions.statistic == pytest.approx(of_number(columns, 0, 1, []), rel=1e-9)
    assert questions.measured(2, 1, [])
    assert questions.statistic == pytest.approx(of_label(columns, 1, 2, []), rel=1e-6)


def test_two_numbers_have_one_linear_regression() -> None:
    columns = Columns(6)
    questions = columns.questions()
    assert questions.measured(0, 3, [1])
    assert questions.statistic == pytest.approx(of_number(columns, 0, 3, [1]), rel=1e-9)
    assert questions.df == 1


def test_incomplete_rows_are_left_out() -> None:
    columns = Columns(7)
    gaps = np.arange(0, ROWS, 9)
    whole = columns.questions(gaps)
    for block, codes in zip(columns.blocks, columns.codes, strict=True):
        assert block.shape[1] == ROWS and (codes is None or len(codes) == ROWS)
    columns.blocks = [np.delete(block, gaps, axis=1) for block in columns.blocks]
    columns.codes = [None if codes is None else np.delete(codes, gaps) for codes in columns.codes]
    assert whole.measured(0, 1, [3])
    assert whole.used == ROWS - len(gaps)
    expected = min(of_number(columns, 0, 1, [3]), of_label(columns, 1, 0, [3]))
    assert whole.statistic == pytest.approx(expected, rel=1e-6)


def test_a_fit_that_was_kept_gives_the_same_answer() -> None:
    columns = Columns(8)
    fresh, used = columns.questions(), columns.questions()
    used.measured(2, 1, [4, 3])  # fits both labels on this set
    for question in ((0, 1, [3, 4]), (0, 2, [4, 3])):
        assert fresh.measured(*question) and used.measured(*question)
        assert used.statistic == pytest.approx(fresh.statistic, rel=1e-9)


def test_separated_levels_and_too_few_rows_leave_the_other_direction() -> None:
    columns = Columns(9)
    columns.codes[2] = (columns.blocks[3][0] > 0).astype(int)  # the given number separates the levels
    columns.blocks[2] = columns.codes[2][None, :].astype(float)
    questions = columns.questions()
    assert questions.measured(0, 2, [3])
    assert questions.statistic == pytest.approx(of_number(columns, 0, 2, [3]), rel=1e-9)
    few = Columns(9, rows=11)
    assert not few.questions().measured(1, 2, [3])  # two regressions, of 8 and of 4 coefficients


def test_a_level_that_another_variable_predicts_perfectly_is_dependent() -> None:
    columns = Columns(10)
    columns.codes[2] = (columns.y == 2).astype(int)
    columns.blocks[2] = columns.codes[2][None, :].astype(float)
    questions = columns.questions()
    assert questions.measured(1, 2, [3])
    assert questions.statistic > 30 and questions.ask(1, 2, [3]) is False
