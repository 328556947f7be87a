"""The order search against one without trees, and against its definition."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2

from ancestral._pulse_cy import Pulse
from ancestral.scores._order_cy import OrderSearch
from tests.support.ancestral_graphs import confounded_mag, model_correlation, random_correlation, singles

ROWS = 200.0


class Patience:
    """Ends a search that does not end by itself, after so many looks, of which there is one each 20 ms."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def look(self) -> None:
        self.left -= 1
        assert self.left > 0, "the search does not end"


class PlainSearch:
    """Grows and shrinks parents for each variable and prefix, and tries every place for each variable in turn."""

    def __init__(self, correlation: np.ndarray, starts: np.ndarray) -> None:
        self.correlation, self.starts, self.n = correlation, starts, len(starts) - 1

    def columns(self, nodes: list[int]) -> list[int]:
        return [c for v in nodes for c in range(self.starts[v], self.starts[v + 1])]

    def penalty(self, u: int, v: int) -> float:
        widths = np.diff(self.starts)
        level = chi2.sf(np.log(ROWS) + 2 * np.log(self.n), 1)  # as improbable as an edge between two numbers must be
        return float(chi2.isf(level, widths[u] * widths[v]))

    def local(self, v: int, parents: list[int]) -> float:
        own, others = self.columns([v]), self.columns(parents)
        both = self.correlation[np.ix_(own + others, own + others)]
        given = self.correlation[np.ix_(others, others)]
        left = np.linalg.slogdet(both)[1] - (np.linalg.slogdet(given)[1] if others else 0.0)
        return float(ROWS * left + sum(self.penalty(u, v) for u in parents))

    def parents(self, v: int, before: list[int]) -> tuple[float, list[int]]:
        chosen: list[int] = []
        score = self.local(v, chosen)
        while True:  # grow
            tried = [(self.local(v, [*chosen, u]), u) for u in sorted(before) if u not in chosen]
            if not tried or min(tried)[0] >= score - 1e-6:
                break
            score, u = min(tried)
            chosen.append(u)
        while True:  # shrink
            tried = [(self.local(v, [w for w in chosen if w != u]), u) for u in chosen]
            if not tried or min(tried)[0] >= score - 1e-6:
                return score, chosen
            score, u = min(tried)
            chosen.remove(u)

    def total(self, order: list[int]) -> float:
        return sum(self.parents(v, order[:i])[0] for i, v in enumerate(order))

    def search(self, order: list[int]) -> float:
        turns, order, moved = list(order), list(order), True
        while moved:
            moved = False
            for x in turns:
                others = [v for v in order if v != x]
                places = [[*others[:i], x, *others[i:]] for i in range(self.n)]
                scores = [self.total(place) for place in places]
                if min(scores) < self.total(order) - 1e-6:
                    order, moved = places[int(np.argmin(scores))], True
        return self.total(order)


@pytest.mark.parametrize("starts", [[0, 1, 2, 3, 4, 5], [0, 2, 3, 5, 6]])
@pytest.mark.parametrize("seed", range(3))
def test_trees_find_what_a_plain_search_finds(seed: int, starts: list[int]) -> None:
    rng = np.random.default_rng(seed)
    compare_with_plain(random_correlation(rng, starts[-1]), np.array(starts, dtype=np.intc), rng)


@pytest.mark.parametrize("seed", [2, 8, 9])
def test_the_best_parents_are_added_first(seed: int) -> None:
    # in these data, to add the worst first leads to other parents
    rng = np.random.default_rng(seed)
    compare_with_plain(model_correlation(rng, confounded_mag(rng, 5), singles(5)), singles(5), rng)


def compare_with_plain(correlation: np.ndarray, starts: np.ndarray, rng: np.random.Generator) -> None:
    search = OrderSearch(correlation, starts, ROWS, pulse=Pulse(Patience(1000).look))
    for _ in range(2):  # the second search uses the trees of the first
        order = rng.permutation(len(starts) - 1)
        score, parents = search.search(order)
        plain = PlainSearch(correlation, starts)
        assert score == pytest.approx(plain.search(order.tolist()), abs=1e-8)
        local = [plain.local(v, np.flatnonzero(parents[:, v]).tolist()) for v in range(len(starts) - 1)]
        assert score == pytest.approx(sum(local), abs=1e-8)


@pytest.mark.parametrize("starts", [[0, 1, 2, 3, 4, 5, 6], [0, 2, 3, 4, 6]])
def test_what_a_further_parent_gains(starts: list[int]) -> None:
    # correlations of few columns are strong, so that most parents gain something
    offset = np.array(starts, dtype=np.intc)
    correlation = random_correlation(np.random.default_rng(3), starts[-1])
    search, plain = OrderSearch(correlation, offset, ROWS), PlainSearch(correlation, offset)
    for v, u, w in permutations(range(len(starts) - 1), 3):
        gained = plain.local(v, [w]) - plain.local(v, [w, u])
        assert search.gains_of(v, [w])[u] == pytest.approx(max(gained, 0.0), abs=1e-8)


def test_a_parent_that_others_make_needless_is_removed() -> None:
    # c = a + b + noise predicts y = a + b + noise best, until both a and b are its parents
    loads = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0.5, 0], [1, 1, 0, 1]])
    covariance = loads @ loads.T
    scale = np.sqrt(np.diag(covariance))
    banned = np.ones((4, 4), dtype=np.uint8)
    banned[:, 3] = 0
    _, parents = OrderSearch(covariance / np.outer(scale, scale), singles(4), ROWS, banned=banned).search(np.arange(4))
    assert parents[:, 3].tolist() == [True, True, False, False]


def test_parents_may_be_banned() -> None:
    correlation = random_correlation(np.random.default_rng(5), 5)
    banned = np.zeros((5, 5), dtype=np.uint8)
    banned[:, 0] = 1
    _, parents = OrderSearch(correlation, singles(5), ROWS, banned=banned).search(np.arange(5))
    assert not parents[:, 0].any() and parents.any()
