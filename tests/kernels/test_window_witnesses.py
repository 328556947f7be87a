"""What is asked about triples of a window, and what is made of the answers, against their definitions."""

from itertools import combinations
from math import atanh, erfc, sqrt

import numpy as np
import pytest

from ancestral._pulse_cy import Pulse
from ancestral.data import Moments
from ancestral.graphs.mixed import circled
from ancestral.graphs.window import Window
from ancestral.independence.fisher_z import FisherZ
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.series._window_witnesses_cy import WindowWitnesses, unshielded_triples

Given = tuple[int, ...]
ROWS, ALPHA = 80, 0.05


class Case:
    """A random graph over the nodes of a window, with separating sets, known ancestors and data."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.window = Window(tuple("abc"[: int(rng.integers(2, 4))]), int(rng.integers(1, 3)))
        names = tuple(str(name) for name in rng.permutation(self.window.names))
        self.places = self.window.places(names)
        self.n = n = len(names)
        joined = np.triu(rng.random((n, n)) < 0.5, 1)
        self.marks = circled((joined | joined.T).astype(np.uint8))
        self.sepsets = Sepsets(n)
        for x, y in combinations(range(n), 2):
            if not self.marks[x, y] and rng.random() < 0.9:
                others = [v for v in range(n) if v not in (x, y)]
                self.sepsets.record(x, y, rng.permutation(others)[: rng.integers(0, 6)].tolist())
        self.causes = np.triu(rng.random((n, n)) < 0.15, 1)
        self.no_cause = np.tril(rng.random((n, n)) < 0.5, -1)
        values = rng.normal(size=(ROWS, n)) @ rng.normal(size=(n, n))
        self.correlation = np.asarray(np.corrcoef(values.T))
        self.test = FisherZ(Moments.of(values), ALPHA)

    def sepset(self, x: int, y: int) -> Given | None:
        found: Given | None = self.sepsets.find(x, y)
        return found

    def triples(self) -> list[tuple[int, int, int]]:
        """Rows a, c, b, by definition."""
        return [
            (a, c, b)
            for a, c in combinations(range(self.n), 2)
            if not self.marks[a, c] and self.sepset(a, c) is not None
            for b in range(self.n)
            if self.marks[a, b] and self.marks[c, b]
        ]

    def latest(self, a: int, c: int, b: int, among: set[tuple[int, int, int]]) -> tuple[int, int, int]:
        """The copy of a triple that ends nearest to t of those that are unshielded."""
        for later in range(self.window.lags, -1, -1):
            moved = self.places.shifted((a, c, b), -later)
            if moved is not None:
                u, w, v = moved
                if (min(u, w), max(u, w), v) in among:
                    return min(u, w), max(u, w), v
        raise AssertionError("a triple is a copy of itself")

    def base(self, x: int, y: int) -> Given:
        return tuple(v for v in range(self.n) if v not in (x, y) and (self.causes[v, x] or self.causes[v, y]))

    def sets(self, x: int, y: int, largest: int) -> set[Given]:
        """All sets of neighbours of either end, up to this size, with the base; and the recorded one if it is large."""
        base = self.base(x, y)
        outside = {v for v in range(self.n) if self.no_cause[v, x] and self.no_cause[v, y]}
        pools = [set(np.flatnonzero(self.marks[end]).tolist()) - outside - set(base) for end in (x, y)]
        found = {
            tuple(sorted((*chosen, *base)))
            for pool in pools
            for size in range(largest + 1)
            for chosen in combinations(sorted(pool), size)
        }
        recorded = self.sepset(x, y)
        assert recorded is not None
        return found | ({tuple(sorted(recorded))} if len(recorded) > len(base) + 2 else set())

    def p_value(self, x: int, y: int, given: Given) -> float:
        """Fisher's z of the partial correlation, from the inverse of the matrix of all variables of the question."""
        nodes = [x, y, *given]
        inverse = np.linalg.inv(self.correlation[np.ix_(nodes, nodes)])
        partial = -inverse[0, 1] / sqrt(inverse[0, 0] * inverse[1, 1])
        return erfc(sqrt((ROWS - len(given) - 3) / 2) * abs(atanh(partial)))


@pytest.mark.parametrize("seed", range(6))
def test_triples_come_with_their_latest_unshielded_copies(seed: int) -> None:
    case = Case(seed)
    places = case.places
    triples, latest = unshielded_triples(case.marks, case.sepsets, places.process, places.lag, places.at)
    expected = case.triples()
    assert [tuple(row) for row in triples.tolist()] == expected
    assert [tuple(row) for row in latest.tolist()] == [case.latest(*row, set(expected)) for row in expected]


def test_more_triples_than_there_is_room_for_at_first() -> None:
    places = Window(("a", "b", "c", "d", "e"), 1).places(Window(("a", "b", "c", "d", "e"), 1).names)
    marks = np.zeros((10, 10), dtype=np.uint8)
    marks[:5, 5:] = marks[5:, :5] = 1  # each two on one side, and each on the other between them
    sepsets = Sepsets(10)
    for x, y in combinations(range(10), 2):
        if not marks[x, y]:
            sepsets.record(x, y, [])
    triples, latest = unshielded_triples(marks, sepsets, places.process, places.lag, places.at)
    assert len(triples) == len(latest) == 100
    assert len({tuple(row) for row in triples.tolist()}) == 100


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("largest", [1, 2])
def test_all_small_sets_beyond_known_ancestors_are_asked_about_once_and_weighed(seed: int, largest: int) -> None:
    case = Case(seed)
    triples = np.array(case.triples(), dtype=np.intc).reshape(-1, 3)
    pairs, of_pair = np.unique(triples[:, :2], axis=0, return_inverse=True)
    pairs, of_pair = np.ascontiguousarray(pairs, dtype=np.intc), of_pair.ravel().astype(np.int64)
    questions = case.test.questions(case.test.names)
    witnesses = WindowWitnesses(questions, case.marks, case.sepsets, case.causes, case.no_cause, Pulse())
    starts = np.concatenate([[0], np.cumsum(witnesses.counts(pairs, largest))])
    total = int(starts[-1])
    sets, recorded = np.full((total, 2), -1, np.intc), np.zeros(total, np.uint8)
    sizes, evidence = np.zeros(total, np.intc), np.full((total, 2), np.nan)
    witnesses.ask(pairs, starts, largest, sets, recorded, sizes, evidence)

    p_values = np.full(total, np.nan)
    for p, (x, y) in enumerate(pairs.tolist()):
        listed = []
        for row in range(starts[p], starts[p + 1]):
            if np.isnan(evidence[row, 0]):
                continue
            beyond = tuple(v for v in sets[row].tolist() if v >= 0)
            given = (
                tuple(sorted(case.sepset(x, y) or ())) if recorded[row] else tuple(sorted((*beyond, *case.base(x, y))))
            )
            listed.append(given)
            assert sizes[row] == len(given)
            p_values[row] = case.test.p_values(evidence[[row]], sizes[[row]].astype(np.int64)).p_value[0]
            assert p_values[row] == pytest.approx(case.p_value(x, y, given))
        assert len(set(listed)) == len(listed)
        assert set(listed) == case.sets(x, y, largest)

    most, votes = witnesses.weigh(triples, of_pair, starts, p_values, ALPHA)
    for t, (a, c, b) in enumerate(triples.tolist()):
        if b in case.base(a, c):
            continue  # decided without any question
        answers = [(b in given, case.p_value(a, c, given)) for given in case.sets(a, c, largest)]
        for column, inside in enumerate((True, False)):
            some = [p for has_b, p in answers if has_b == inside]
            assert votes[t, column] == sum(p > ALPHA for p in some)
            assert most[t, column] == pytest.approx(max(some)) if some else np.isnan(most[t, column])
