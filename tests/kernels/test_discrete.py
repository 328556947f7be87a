"""Contingency statistics against scipy, stratum by stratum."""

from decimal import Decimal
from itertools import permutations

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


def random_codes(rng: np.random.Generator, levels: list[int], rows: int, missing: list[int]) -> np.ndarray:
    """Columns that hang together one by one; of those in `missing` some values are."""
    noise = rng.random((len(levels), rows))
    noise[1:] = (noise[1:] + noise[:-1]) / 2
    codes: np.ndarray = (noise * np.array(levels)[:, None]).astype(np.intc)
    for v in missing:
        codes[v, rng.random(rows) < 0.1] = -1
    return codes


@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("rows", [63, 64, 65, 200, 771])
def test_every_way_to_count(rows: int, pearson: bool) -> None:
    rng = np.random.default_rng(rows)
    levels = [2, 3, 4, 5, 6, 2, 3, 2, 9, 1, 2, 2]  # those with nine have no planes
    codes = random_codes(rng, levels, rows, missing=[1, 5, 8, 9])
    questions = Contingency(codes, levels, np.full(1000, 10.0), pearson, 1)
    told = {True: 0, False: 0}
    for number in range(35):
        x, y, *others = map(int, rng.permutation(len(levels)))
        for last in others[4:7]:  # sets that begin alike come one after the other
            given = [*others[: number % 5], last][: number % 5]
            supported = questions.measured(x, y, given)
            told[supported] += 1
            if supported:
                statistic, df = by_strata(codes, x, y, given, pearson)
                assert questions.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
                assert questions.df == df
                assert questions.used == (codes[[x, y, *given]] >= 0).all(axis=0).sum()
            else:
                cells = np.prod([levels[z] for z in given], dtype=int) * (levels[x] - 1) * (levels[y] - 1)
                assert cells > rows or by_strata(codes, x, y, given, pearson)[1] == 0
    assert min(told.values()) > 5


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    rng = np.random.default_rng(1)
    levels = [2, 2, 3, 3, 4, 2, 9]
    codes = random_codes(rng, levels, 300, missing=[3])

    def measured(questions: Contingency, asked: list[int]) -> tuple[float, int, int]:
        questions.measured(asked[0], asked[1], asked[2:])
        return questions.statistic, questions.df, questions.used

    def fresh() -> Contingency:
        return Contingency(codes, levels, np.full(1000, 10.0), False, 1)

    first = fresh()
    sets = [[int(v) for v in rng.permutation(7)[: rng.integers(2, 6)]] for _ in range(40)]
    for asked in sets + sets[::-1]:
        assert measured(first, asked) == measured(fresh(), asked)


def test_g_is_the_same_in_any_order() -> None:
    rng = np.random.default_rng(2)
    levels = [3, 4, 2, 3, 2]
    questions = Contingency(random_codes(rng, levels, 500, missing=[]), levels, np.full(1000, 10.0), False, 1)
    for given in permutations([2, 3, 4]):
        for x, y in ((0, 1), (1, 0)):
            assert questions.measured(x, y, list(given))
            found = questions.statistic
            assert questions.measured(0, 1, [2, 3, 4])
            assert questions.statistic == found


def test_g_loses_no_digits_in_many_rows() -> None:
    table = [[30_011, 20_003], [29_987, 19_999]]
    cells = [(i, j) for i in range(2) for j in range(2)]
    codes = np.concatenate([np.tile([[i], [j]], table[i][j]) for i, j in cells], axis=1)
    questions = Contingency(codes, [2, 2], np.full(3, 10.0), False, 5)
    assert questions.measured(0, 1, [])
    total = Decimal(100_000)
    exact = sum(
        2 * table[i][j] * (table[i][j] * total / (Decimal(sum(table[i])) * (table[0][j] + table[1][j]))).ln()
        for i, j in cells
    )
    assert abs(Decimal(questions.statistic) - Decimal(exact)) < Decimal("1e-10")


def test_more_planes_than_pairs_are_kept_for() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 8, (600, 600))  # seven planes each
    questions = Contingency(codes, [8] * 600, np.full(600, 10.0), False, 1)
    for x, y, given in [(0, 599, []), (7, 3, [577]), (599, 1, [5])]:
        statistic, df = by_strata(codes, x, y, given, pearson=False)
        assert questions.measured(x, y, given)
        assert questions.statistic == pytest.approx(statistic, rel=1e-9)
        assert questions.df == df
