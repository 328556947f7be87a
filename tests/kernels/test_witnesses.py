"""The sets of neighbours that are asked about, and what is made of the answers, against their definitions."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.csr import compressed
from ancestral.graphs.mixed import circled
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._witnesses_cy import (
    NeighbourSets,
    found_by,
    pairs_of,
    recorded_verdicts,
    too_many,
    unshielded_by_pair,
    weigh,
)

Given = tuple[int, ...]


def random_skeleton(rng: np.random.Generator, n: int) -> tuple[NDArray[np.uint8], Sepsets]:
    """A graph, and for most pairs without an edge a set that separates it."""
    joined = np.triu(rng.random((n, n)) < 0.4, 1)
    marks = circled((joined | joined.T).astype(np.uint8))
    sepsets = Sepsets(n)
    for x, y in combinations(range(n), 2):
        if not marks[x, y] and rng.random() < 0.9:
            others = [v for v in range(n) if v not in (x, y)]
            sepsets.record(x, y, rng.permutation(others)[: rng.integers(0, 6)].tolist())
    return marks, sepsets


def sets_of(marks: NDArray[np.uint8], sepsets: Sepsets, x: int, y: int, largest: int, outside: set[int]) -> set[Given]:
    """All sets of neighbours of either end, up to this size, and the recorded one."""
    pools = [sorted(set(np.flatnonzero(marks[v]).tolist()) - outside) for v in (x, y)]
    found = {given for pool in pools for size in range(largest + 1) for given in combinations(pool, size)}
    return found | {tuple(sorted(sepsets.find(x, y)))}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("knows", [False, True])
def test_all_small_sets_of_neighbours_are_listed_once_and_weighed(seed: int, knows: bool) -> None:
    rng = np.random.default_rng([seed, knows])
    n = 8
    marks, sepsets = random_skeleton(rng, n)
    no_cause = (rng.random((n, n)) < 0.4).astype(np.uint8) if knows else None
    _, targets, offsets = compressed(marks)
    triples = unshielded_by_pair(marks, offsets, targets, sepsets, Pulse(), 1000)
    assert unshielded_by_pair(marks, offsets, targets, sepsets, Pulse(), len(triples) - 1) is None
    assert triples.tolist() == [
        [x, y, b]
        for x, y in combinations(range(n), 2)
        if not marks[x, y] and sepsets.find(x, y) is not None
        for b in range(n)
        if marks[x, b] and marks[y, b]
    ]
    assert recorded_verdicts(sepsets, triples).tolist() == [b not in sepsets.find(x, y) for x, y, b in triples.tolist()]
    found = sepsets.columns(sepsets.count)[0].tolist()
    own_sets = [[x, y] in found for x, y, _ in triples.tolist()]  # pairs share the empty set, which has no note
    assert found_by(sepsets, triples, 0).tolist() == own_sets
    assert not found_by(sepsets, triples, 3).any()
    expected, of_pair = np.unique(triples[:, :2], axis=0, return_inverse=True)
    of_pair = of_pair.ravel()
    pairs, begins = pairs_of(triples)
    assert (pairs == expected).all()
    assert begins.tolist() == [*np.unique(of_pair, return_index=True)[1].tolist(), len(triples)]
    largest = rng.integers(1, 4, size=len(pairs)).astype(np.intc)
    room = len(pairs) * (2 * sum(comb(n, k) for k in range(4)) + 1)
    starts = np.zeros(len(pairs) + 1, dtype=np.int64)
    sets, sizes, ends = (np.zeros(shape, dtype=np.intc) for shape in ((room, 3), room, (room, 2)))
    listing = NeighbourSets(sepsets, offsets, targets, no_cause, Pulse())
    assert listing.fill(pairs, largest, starts, sets, sizes, ends) == starts[-1]
    assert ends[: starts[-1]].tolist() == np.repeat(pairs, np.diff(starts), axis=0).tolist()
    listed: list[list[Given]] = []
    for p, (x, y) in enumerate(pairs.tolist()):
        own = range(starts[p], starts[p + 1])
        given = [tuple(sepsets.find(x, y)) if sizes[r] > 3 else tuple(sets[r, : sizes[r]].tolist()) for r in own]
        listed.append([tuple(sorted(g)) for g in given])
        outside = set() if no_cause is None else {v for v in range(n) if no_cause[v, x] and no_cause[v, y]}
        assert len(set(listed[p])) == len(listed[p])
        assert set(listed[p]) == sets_of(marks, sepsets, x, y, int(largest[p]), outside)

    p_values = rng.random(starts[-1])
    p_values[rng.random(starts[-1]) < 0.1] = np.nan
    independent = (p_values > 0.6).astype(np.uint8)
    largest_p, votes = np.full((len(triples), 2), np.nan), np.zeros((len(triples), 2), dtype=np.int64)
    weigh(sepsets, triples, begins, starts, sets, sizes, independent, p_values, largest_p, votes)
    for t, (_, _, b) in enumerate(triples.tolist()):
        first = starts[of_pair[t]]
        answers = [
            (g, p_values[first + i]) for i, g in enumerate(listed[of_pair[t]]) if not np.isnan(p_values[first + i])
        ]
        for side, inside in enumerate((True, False)):
            of_side = [p for given, p in answers if (b in given) == inside]
            assert votes[t, side] == sum(p > 0.6 for p in of_side)
            assert largest_p[t, side] == max(of_side) if of_side else np.isnan(largest_p[t, side])


@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_need_too_many_questions_are_told_without_listing_them(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    n = 9
    marks, sepsets = random_skeleton(rng, n)
    _, targets, offsets = compressed(marks)
    known = marks, offsets, targets, sepsets, Pulse()
    degree = (marks != 0).sum(axis=1)
    pairs = {(x, y) for x, y, _ in unshielded_by_pair(*known, 1000).tolist()}
    questions = sum(1 + (1 + int(degree[x])) + (1 + int(degree[y])) for x, y in pairs)
    assert not too_many(*known, questions)
    assert too_many(*known, questions - 1)
