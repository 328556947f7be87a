"""Sets beyond a base that is always given, against their definition: try all sets of the size, keep those that fit."""

from collections.abc import Iterator
from itertools import combinations
from math import atanh, erfc, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import DAG, Oracle
from ancestral.data import Moments
from ancestral.independence.fisher_z import FisherZ
from ancestral.search.series._beyond_cy import BeyondBase
from tests.support.reference import ARROW, TAIL, random_dag_marks, random_marks, separated_by_paths

EDGES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (2, 3), (3, 2)]
Marks = NDArray[np.uint8]
Given = tuple[int, ...]


def possible_ancestors(marks: Marks, x: int) -> set[int]:
    """The nodes with a path to x on which no edge has an arrowhead at its beginning or a tail at its end."""
    found = {x}
    while True:
        steps = {(u, v) for u in range(len(marks)) for v in found if marks[u, v]}
        more = {u for u, v in steps if marks[v, u] != ARROW and marks[u, v] != TAIL} - found
        if not more:
            return found
        found |= more


def reached(marks: Marks, root: int, other: int, inside: set[int]) -> set[int]:
    """The nodes that PDS-walks reach which begin at the root, stay inside and avoid the other root."""
    steps = {(root, v) for v in inside if marks[root, v]}
    while True:
        more = {
            (u, w)
            for t, u in steps
            for w in inside - {root, other, t, u}
            if marks[u, w] and (marks[t, w] or (marks[t, u] == ARROW and marks[w, u] == ARROW))
        } - steps
        if not more:
            return {v for _, v in steps}
        steps |= more


def by_definition(
    marks: Marks, pair: tuple[int, int], base: Given, sides: int, radius: int, no_cause: Marks | None
) -> list[Given]:
    """The sets of a pair with the base, each with its nodes in order."""
    x, y = pair
    allowed = (possible_ancestors(marks, x) | possible_ancestors(marks, y)) - {x, y, *base}
    if no_cause is not None:
        allowed -= {z for z in allowed if no_cause[z, x] and no_cause[z, y]}
    roots = [(r, x + y - r) for side, r in enumerate(pair) if sides & (1 << side)]
    return [
        tuple(sorted((*chosen, *base)))
        for chosen in combinations(sorted(allowed), radius)
        if any(set(chosen) <= reached(marks, root, other, {*chosen, *base}) for root, other in roots)
    ]


def cases(seed: int, count: int) -> Iterator[tuple[np.random.Generator, Marks, tuple[int, int], Given, Marks | None]]:
    """Random graphs with all their pairs, each with a base, and in every second graph with what causes nothing."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        n = int(rng.integers(3, 8))
        marks = random_marks(rng, n, rng.uniform(0.3, 0.8), EDGES)
        no_cause = (rng.random((n, n)) < 0.4).astype(np.uint8) if number % 2 else None
        for x, y in combinations(range(n), 2):
            base = [v for v in range(n) if v not in (x, y) and rng.random() < 0.3]
            yield rng, marks, (x, y), tuple(rng.permutation(base).tolist()), no_cause


@pytest.mark.parametrize("sides", [1, 2, 3])
def test_sets_are_those_of_the_definition_each_once(sides: int) -> None:
    listed, walked = 0, 0
    last, sets = None, BeyondBase(1, None)
    for _, marks, pair, base, no_cause in cases(sides, 24):
        n = len(marks)
        if marks is not last:
            last, sets = marks, BeyondBase(n, None, None, no_cause)  # one for all pairs of a graph, as in a search
        none_left = False
        for radius in range(n - 1):
            sets.begin(marks, radius)
            found = sets.sets_given(*pair, base, sides)
            expected = by_definition(marks, pair, base, sides, radius, no_cause)
            assert len(set(found)) == len(found) == sets.asked
            assert sorted(found) == sorted(expected)
            assert not (none_left and found), "a radius without any set must be the last one"
            none_left |= not sets.any_sets
            listed += len(found)
            walked += sum(
                not marks[pair[0], v] and not marks[pair[1], v] for given in found for v in set(given) - {*base}
            )
    assert listed > 400
    assert walked > 20


def test_the_base_alone_is_the_only_set_of_radius_0() -> None:
    marks = random_marks(np.random.default_rng(1), 5, 0.7, EDGES)
    sets = BeyondBase(5, None)
    sets.begin(marks, 0)
    assert sets.sets_given(0, 3, (), 1) == [()]
    assert sets.sets_given(0, 3, (4, 1), 1) == [(1, 4)]


def graph(n: int, *edges: tuple[int, int, int, int]) -> Marks:
    """Rows x, y, the mark at x, the mark at y."""
    marks = np.zeros((n, n), dtype=np.uint8)
    for x, y, at_x, at_y in edges:
        marks[y, x], marks[x, y] = at_x, at_y
    return marks


def single_sets(marks: Marks, base: Given, sides: int = 1, radius: int = 1) -> list[Given]:
    sets = BeyondBase(len(marks), None)
    sets.begin(marks, radius)
    return sets.sets_given(0, 1, base, sides)


def test_walks_pass_base_nodes_though_these_are_not_in_the_set() -> None:
    # 0 <-> 2 <-> 3: 3 is reached over the collider 2, which need not be chosen if it is always given
    marks = graph(4, (0, 1, 1, 1), (0, 2, 2, 2), (2, 3, 2, 2), (1, 3, 2, 3))
    assert single_sets(marks, base=(2,)) == [(2, 3)]
    assert single_sets(marks, base=()) == []


def test_walks_do_not_pass_a_non_collider_outside_a_triangle() -> None:
    chain = graph(4, (0, 1, 1, 1), (0, 2, 2, 1), (2, 3, 1, 2), (1, 3, 2, 3))
    assert single_sets(chain, base=(2,)) == []
    shielded = graph(4, (0, 1, 1, 1), (0, 2, 2, 1), (2, 3, 1, 2), (1, 3, 2, 3), (0, 3, 1, 1))
    assert single_sets(shielded, base=(2,)) == [(2, 3)]


def test_only_possible_ancestors_of_the_pair_are_chosen() -> None:
    child = graph(3, (0, 1, 1, 1), (0, 2, 3, 2))  # 0 --> 2
    assert single_sets(child, base=()) == []
    parent = graph(3, (0, 1, 1, 1), (0, 2, 2, 1))  # 0 <-o 2
    assert single_sets(parent, base=()) == [(2,)]


def test_sets_of_one_side_begin_at_that_root() -> None:
    marks = graph(4, (0, 1, 1, 1), (0, 2, 1, 1), (1, 3, 1, 1))
    assert [single_sets(marks, (), sides) for sides in (1, 2, 3)] == [[(2,)], [(3,)], [(2,), (3,)]]


# -- asking -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [1, 2, 3])
def test_a_pair_is_asked_about_in_the_order_of_its_sets(sides: int) -> None:
    separated = 0
    for rng, marks, (x, y), base, no_cause in cases(10 + sides, 14):
        n = len(marks)
        dag = DAG([f"v{i}" for i in range(n)], random_dag_marks(rng, n, 0.4))
        listing = BeyondBase(n, None, None, no_cause)
        asking = BeyondBase(n, Oracle(dag).questions(dag.nodes), None, no_cause)
        for radius in range(n - 1):
            listing.begin(marks, radius)
            asking.begin(marks, radius)
            sets = listing.sets_given(x, y, base, sides)
            answers = [separated_by_paths(dag.marks, x, y, given) for given in sets]
            found, given, _, _ = asking.separate_given(x, y, base, sides)
            assert found is any(answers)
            assert asking.asked == (answers.index(True) + 1 if found else len(sets))
            assert asking.any_sets == listing.any_sets
            if found:
                assert given == sets[answers.index(True)]
                separated += 1
    assert separated > 30


def p_value(correlation: NDArray[np.float64], rows: int, x: int, y: int, given: Given) -> float:
    """Fisher's z of the partial correlation, from the inverse of the matrix of all variables of the question."""
    nodes = [x, y, *given]
    inverse = np.linalg.inv(correlation[np.ix_(nodes, nodes)])
    partial = -inverse[0, 1] / sqrt(inverse[0, 0] * inverse[1, 1])
    return erfc(sqrt((rows - len(given) - 3) / 2) * abs(atanh(partial)))


def test_without_a_separating_set_the_one_with_the_largest_p_value_is_returned() -> None:
    closest = 0
    for rng, marks, (x, y), base, no_cause in cases(20, 16):
        n, rows = len(marks), 60
        values = rng.normal(size=(rows, n)) @ rng.normal(size=(n, n))
        correlation = np.asarray(np.corrcoef(values.T))
        test = FisherZ(Moments.of(values), 0.05)
        sets = BeyondBase(n, test.questions(test.names), None, no_cause)
        for radius in range(n - 1):
            sets.begin(marks, radius)
            expected = {
                given: p_value(correlation, rows, x, y, given)
                for given in by_definition(marks, (x, y), base, 3, radius, no_cause)
            }
            found, given, statistic, df = sets.separate_given(x, y, base, 3)
            assert found is any(p > 0.05 for p in expected.values())
            if expected:
                p = test.p_values(np.array([[statistic, df]]), np.array([len(given)])).p_value[0]
                assert p == pytest.approx(expected[given])
                assert found or p == pytest.approx(max(expected.values()))
                closest += not found
            else:
                assert np.isnan(statistic)
    assert closest > 50
