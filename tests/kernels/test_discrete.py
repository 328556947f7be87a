"""Contingency statistics against scipy, stratum by stratum."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from ancestral.independence._discrete_cy import Contingency


def by_strata(codes: np.ndarray, x: int, y: int, given: list[int], pearson: bool) -> tuple[float, int]:
    """The statistic and its degrees of freedom, each stratum by scipy on its non-empty margins."""
    complete = (codes[[x, y, *given]] >= 0).all(axis=0)
    total, df = 0.0, 0
    for stratum in np.unique(codes[given][:, complete], axis=1).T if given else [()]:
        inside = complete.copy()
        for z, value in zip(given, stratum, strict=True):
            inside &= codes[z] == value
        table = np.zeros((9, 9))
        np.add.at(table, (codes[x, inside], codes[y, inside]), 1)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(table.shape) > 1:
            found = chi2_contingency(table, correction=False, lambda_=None if pearson else "log-likelihood")
            total, df = total + found.statistic, df + found.dof
    return total, df


@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_statistics(pearson: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels = [2, 3, 4, 2, 3, 1]
    rows = 400
    codes = np.stack([rng.integers(0, k, rows) for k in levels])
    codes[1] = np.where(rng.random(rows) < 0.4, codes[0], codes[1])
    codes[2, codes[3] == 1] = 0  # single-level strata and empty cells
    codes[4, :5] = -1  # missing
    questions = Contingency(codes, levels, np.full(1000, 10.0), pearson, 1)
    for x, y, given in [(0, 1, []), (0, 1, [2]), (1, 2, [3]), (0, 4, [1, 3]), (2, 4, [0, 1]), (1, 4, [5])]:
        statistic, df = by_strata(codes, x, y, given, pearson)
        assert questions.measured(x, y, given)
        assert questions.statistic == pytest.approx(statistic, rel=1e-9)
        assert questions.df == df
        assert questions.used == ((codes[[x, y, *given]] >= 0).all(axis=0)).sum()
        assert questions.ask(x, y, given) is bool(statistic <= 10.0)


def test_what_cannot_be_told_is_dependent_and_counted() -> None:
    codes = np.array([[0, 1] * 20, [0, 1] * 20, [0, 0, 1, 1] * 10, [0] * 40])
    questions = Contingency(codes, [2, 2, 2, 1], np.full(50, 1e9), False, 5)
    assert questions.ask(0, 2, [1]) is False  # x is the same as the condition: no degree of freedom is left
    assert questions.ask(0, 3, []) is False  # a constant
    strict = Contingency(codes, [2, 2, 2, 1], np.full(50, 1e9), False, 15)
    assert strict.ask(0, 2, []) is True
    assert strict.ask(0, 2, [3]) is True
    assert Contingency(codes, [2, 2, 2, 1], np.full(50, 1e9), False, 21).ask(0, 1, [2]) is False  # 42 rows are needed
    assert questions.unsupported.tolist() == [1, 1, 0, 0, 0]
