"""Questions along a stack and many at a time against one at a time, each by plain elimination of a small matrix."""

from typing import Any

import numpy as np
import pytest
from scipy.special import chdtrc, chdtri

from ancestral.independence._blocks_cy import Blocks
from ancestral.independence._custom_cy import Custom
from ancestral.independence._gaussian_cy import PartialCorrelations
from ancestral.search._every_pair_cy import EveryPair, mirror
from ancestral.search._icd_sep_cy import IcdSep
from tests.support.reference import random_marks

EDGES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)]
SINGULAR = 1e-10


def squared_partial_correlation(correlation: np.ndarray, x: int, y: int, given: tuple[int, ...]) -> float:
    """By Schur complements, node after node; NaN where a node, x or y is determined by those before."""
    nodes = [*given, x, y]
    left = correlation[np.ix_(nodes, nodes)].copy()
    for k in range(len(given)):
        if left[k, k] < SINGULAR:
            return float("nan")
        left = left - np.outer(left[:, k], left[k]) / left[k, k]
    if left[-1, -1] < SINGULAR or left[-2, -2] < SINGULAR:
        return float("nan")
    return float(left[-1, -2] ** 2 / (left[-1, -1] * left[-2, -2]))


class OneByOne:
    """The same test as a function of the user's own: every question by itself; prefers what is correlated.

    The threshold is the same for all sizes, so 1 − ρ² serves as a p-value; NaN where the question is not supported.
    """

    def __init__(self, correlation: np.ndarray, threshold: list[float]) -> None:
        self.correlation, self.largest = correlation, len(threshold)
        self.unsupported = np.zeros(len(correlation) + 1, dtype=int)
        self.questions = Custom(range(len(correlation)), self.answer, 1.0 - threshold[0], lambda said, *_: said)
        for x in range(len(correlation)):
            for y in range(x):
                self.questions.ask(x, y, [])

    def answer(self, x: int, y: int, given: tuple[int, ...]) -> float:
        if not given:
            return 1.0 - float(abs(self.correlation[x, y]))
        few = len(given) < self.largest
        squared = squared_partial_correlation(self.correlation, x, y, given) if few else float("nan")
        self.unsupported[len(given)] += np.isnan(squared)
        return 1.0 - squared


def separated(sets: IcdSep, marks: np.ndarray, radius: int) -> tuple[Any, ...]:
    pairs = np.ascontiguousarray(np.argwhere(np.triu(marks)), dtype=np.intc)
    answers, members = np.zeros(len(pairs), dtype=np.uint8), np.zeros((len(pairs), radius), dtype=np.intc)
    evidence, unanswered = np.full((len(pairs), 2), np.nan), np.full(len(pairs), -1)
    middle = len(pairs) // 2
    sets.separate(pairs, middle, len(pairs), answers, members, evidence, unanswered)
    sets.separate(pairs, 0, middle, answers, members, evidence, unanswered)
    return answers, members, evidence[:, 0], unanswered


def random_correlation(rng: np.random.Generator, n: int, near: float | None) -> np.ndarray:
    """Of a few common causes; with `near`, two columns are alike but for that share, and three others add up."""
    values = rng.standard_normal((40, n)) + rng.standard_normal((40, 3)) @ rng.standard_normal((3, n))
    if near is not None:
        values[:, 1] = values[:, 0] + near * rng.standard_normal(40)
        values[:, 4] = values[:, 2] + values[:, 3] + near * rng.standard_normal(40)
    correlation = np.asarray(np.corrcoef(values, rowvar=False))
    correlation = np.clip((correlation + correlation.T) / 2, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


@pytest.mark.parametrize("near", [None, 1e-2, 1e-7, 0.0])
@pytest.mark.parametrize("accept", [1e-4, 3e-2])
def test_sets_that_share_their_elimination_are_answered_as_by_themselves(near: float | None, accept: float) -> None:
    some, unsupported = 0, 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        correlation = random_correlation(rng, 9, near)
        marks = random_marks(rng, 9, 0.6, EDGES)
        for radius in (1, 2, 3, 4):
            threshold = [accept] * 4 if seed == 3 else [accept] * 8  # too few rows for sets of four
            quick, plain = PartialCorrelations(correlation, threshold), OneByOne(correlation, threshold)
            grown = [IcdSep(marks, q, radius, filter_distant=True) for q in (quick, plain.questions)]
            found, expected = (separated(sets, marks, radius) for sets in grown)
            assert found[0].tolist() == expected[0].tolist()
            same = (found[1] == expected[1]).all(axis=1)
            assert same[found[0] == 1].all()
            assert same.all() or near == 0.0  # where two columns are the same, two sets may come equally close
            np.testing.assert_allclose(found[2], 1.0 - expected[2], atol=1e-5 if near == 1e-7 else 1e-12)
            assert grown[0].asked == grown[1].asked
            assert grown[0].any_sets == grown[1].any_sets
            assert quick.unsupported.tolist() == plain.unsupported.tolist()
            assert found[3].tolist() == expected[3].tolist()
            assert int(expected[3].sum()) == plain.unsupported[radius]
            some += int(found[0].sum())
            unsupported += int(quick.unsupported.sum())
    assert some > 5
    assert unsupported > 0


def test_more_steps_of_elimination_than_there_is_room_for_at_first() -> None:
    n, radius = 13, 10
    correlation = random_correlation(np.random.default_rng(3), n, None)
    marks = np.ones((n, n), dtype=np.uint8) - np.eye(n, dtype=np.uint8)
    quick, plain = PartialCorrelations(correlation, [1e-3] * n), OneByOne(correlation, [1e-3] * n)
    found, expected = (separated(IcdSep(marks, q, radius), marks, radius) for q in (quick, plain.questions))
    assert found[0].tolist() == expected[0].tolist()
    assert found[1].tolist() == expected[1].tolist()
    np.testing.assert_allclose(found[2], 1.0 - expected[2], atol=1e-12)
    assert 0 < found[0].sum() < len(found[0])


def test_what_is_preferred_alike_is_asked_by_position_and_the_closest_is_the_first_of_equals() -> None:
    # all of 2 … 5 are alike; nothing separates 0 and 1, or, where more is accepted, the first one does
    correlation = np.full((6, 6), 0.5)
    correlation[0, 1] = correlation[1, 0] = 0.8
    np.fill_diagonal(correlation, 1.0)
    marks = np.ones((6, 6), dtype=np.uint8)
    np.fill_diagonal(marks, 0)
    for accept, asked in ((0.01, 4), (0.9, 1)):
        sets = IcdSep(marks, PartialCorrelations(correlation, [accept] * 3), 1)
        pairs, answers = np.array([[0, 1]], dtype=np.intc), np.zeros(1, dtype=np.uint8)
        members, evidence = np.zeros((1, 1), dtype=np.intc), np.zeros((1, 2))
        sets.separate(pairs, 0, 1, answers, members, evidence, np.zeros(1, dtype=np.int64))
        assert (int(answers[0]), members.tolist(), sets.asked) == (int(asked == 1), [[2]], asked)


def test_a_workspace_that_is_used_again_forgets_the_graph_before() -> None:
    rng = np.random.default_rng(5)
    used = IcdSep(np.zeros((7, 7), dtype=np.uint8), None, 1, filter_distant=True)
    for radius in (3, 1, 2, 4, 2):
        marks = random_marks(rng, 7, 0.6, EDGES)
        used.begin(marks, radius)
        fresh = IcdSep(marks, None, radius, filter_distant=True)
        for y in range(7):
            for x in range(y):
                assert used.listing(x, y) == fresh.listing(x, y)
        used.remove(*np.argwhere(marks)[0].tolist())  # writes into a copy
        assert marks[tuple(np.argwhere(marks)[0])] != 0


# -- radius 0 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 5, 70])
@pytest.mark.parametrize("accept", [0.05, -1.0])
def test_every_pair_given_nothing(n: int, accept: float) -> None:
    correlation = random_correlation(np.random.default_rng(n), max(n, 5), None)[:n, :n]
    quick = PartialCorrelations(correlation, [accept] * 2)
    plain = Custom(range(n), lambda x, y, given: 1.0 - float(correlation[x, y]) ** 2, 1.0 - accept, None)
    expected = (correlation**2 > accept) & ~np.eye(n, dtype=bool)
    for questions in (quick, plain):
        asker, joined = EveryPair(questions), np.zeros((n, n), dtype=np.uint8)
        asker.separate(joined, n // 2, n)
        asker.separate(joined, 0, n // 2)
        assert (joined == np.triu(expected)).all()
        mirror(joined)
        assert (joined == expected).all()
        assert asker.asked == asker.done == n * (n - 1) // 2
    assert quick.unsupported[0] == (n * (n - 1) // 2 if accept < 0 else 0)


# -- blocks of columns -----------------------------------------------------------------------------------------------


class PlainBlocks:
    """The likelihood ratio of blocks as a function of the user's own: every question by itself, by plain elimination.

    NaN where the question is not supported.
    """

    def __init__(self, starts: list[int], correlation: np.ndarray, rows: int, alpha: float) -> None:
        n = len(starts) - 1
        self.correlation, self.rows = correlation, rows
        self.block = [list(range(starts[v], starts[v + 1])) for v in range(n)]
        self.unsupported = np.zeros(n + 1, dtype=int)
        self.questions = Custom(range(n), self.answer, alpha, lambda said, *_: said)
        for x in range(n):
            for y in range(x):
                self.questions.ask(x, y, [])
        self.unsupported[:] = 0

    def kept_and_log_determinant(self, of: list[int], given: list[int]) -> tuple[int, int, float]:
        """How many columns of `given` and `of` say anything new, and the logarithm of the latter's determinant."""
        columns = [*given, *of]
        left = self.correlation[np.ix_(columns, columns)].copy()
        kept = np.zeros(len(columns), dtype=bool)
        total = 0.0
        for k in range(len(columns)):
            if left[k, k] >= SINGULAR:
                kept[k] = True
                total += float(np.log(left[k, k])) if k >= len(given) else 0.0
                left = left - np.outer(left[:, k], left[k]) / left[k, k]
        return int(kept[: len(given)].sum()), int(kept[len(given) :].sum()), total

    def answer(self, x: int, y: int, given: tuple[int, ...]) -> float:
        z = [c for v in given for c in self.block[v]]
        kept_z, kept_x, _ = self.kept_and_log_determinant(self.block[x], z)
        _, kept_y, without_x = self.kept_and_log_determinant(self.block[y], z)
        _, still_y, with_x = self.kept_and_log_determinant(self.block[y], z + self.block[x])
        left = self.rows - kept_z - 1 - 0.5 * (kept_x + kept_y + 1)
        if left < 1 or kept_x * kept_y == 0:
            self.unsupported[len(given)] += 1
            return float("nan")
        if still_y < kept_y:
            return 0.0
        return float(chdtrc(kept_x * kept_y, max(0.0, left * (without_x - with_x))))


@pytest.mark.parametrize("near", [None, 1e-2, 0.0])
@pytest.mark.parametrize("alpha", [0.01, 0.3])
def test_blocks_that_share_their_elimination_are_answered_as_by_themselves(near: float | None, alpha: float) -> None:
    starts = [0, 1, 2, 4, 5, 8, 9, 11, 12]
    quantiles = np.array([0.0, *chdtri(np.arange(1, 10), alpha)])
    some, unsupported = 0, 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        correlation = random_correlation(rng, 12, near)
        marks = random_marks(rng, 8, 0.6, EDGES)
        rows = 8 if seed == 3 else 40  # too few rows for large sets
        for radius in (1, 2, 3, 4):
            quick, plain = (
                Blocks(starts, correlation, None, rows, quantiles, 2.0, False),
                PlainBlocks(starts, correlation, rows, alpha),
            )
            quick.share(plain.questions)  # the same preferences
            grown = [IcdSep(marks, q, radius, filter_distant=True) for q in (quick, plain.questions)]
            found, expected = (separated(sets, marks, radius) for sets in grown)
            assert found[0].tolist() == expected[0].tolist()
            assert (found[1] == expected[1]).all(axis=1)[found[0] == 1].all()
            assert grown[0].asked == grown[1].asked
            assert quick.unsupported.tolist() == plain.unsupported.tolist()
            assert found[3].tolist() == expected[3].tolist()
            assert int(expected[3].sum()) == plain.unsupported[radius]
            some += int(found[0].sum())
            unsupported += int(quick.unsupported.sum())
            pairs = np.argwhere(np.triu(marks))
            for (x, y), members, separates, statistic in zip(pairs, found[1], *found[::2], strict=True):
                if separates or not np.isnan(statistic):  # asked by itself the question has the same answer, bit by bit
                    assert quick.measured(x, y, members)
                    assert quick.statistic == statistic
    assert some > 5
    assert unsupported > 0
