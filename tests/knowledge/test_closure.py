"""What follows from statements, against every way in which ancestry can be."""

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import Knowledge, KnowledgeError

NAMES = ("a", "b", "c", "d")
Order = NDArray[np.bool_]


def orders(n: int) -> Iterator[Order]:
    """Every strict partial order over n nodes, as `[x, y]`: x causes y."""
    pairs = list(permutations(range(n), 2))
    for chosen in product([False, True], repeat=len(pairs)):
        causes = np.zeros((n, n), dtype=bool)
        for (x, y), stated in zip(pairs, chosen, strict=True):
            causes[x, y] = stated
        if not (causes & causes.T).any() and not ((causes.astype(int) @ causes > 0) & ~causes).any():
            yield causes


def worlds(n: int, selection_bias: bool) -> list[tuple[Order, NDArray[np.bool_]]]:
    """Every order, with every set that may have driven the selection: with a node all that cause it."""
    out = []
    for causes in orders(n):
        for chosen in product([False, True], repeat=n) if selection_bias else [(False,) * n]:
            selected = np.array(chosen)
            if not (causes @ selected & ~selected).any():
                out.append((causes, selected))
    return out


def true_in(statements: dict[str, Any], names: tuple[str, ...], causes: Order, selected: NDArray[np.bool_]) -> bool:
    """Whether the statements hold, each by its definition."""
    at = {name: i for i, name in enumerate(names)}
    tiers = list(enumerate(statements["tiers"]))
    nothing = [(x, y) for (i, early), (j, late) in permutations(tiers, 2) if i < j for x in late for y in early]
    nothing += [*statements["forbidden"], *((x, y) for y in statements["exogenous"] for x in names if x != y)]
    denied = any(causes[at[x], at[y]] or selected[at[x]] for x, y in nothing)
    return not denied and all(causes[at[x], at[y]] for x, y in (*statements["required"], *statements["causes"]))


def draw(rng: np.random.Generator, names: tuple[str, ...]) -> dict[str, Any]:
    pairs = list(permutations(names, 2))
    shuffled = [str(name) for name in rng.permutation(names)]
    cuts = sorted(rng.integers(0, len(names) + 1, 2).tolist())
    tiers = [shuffled[: cuts[0]], shuffled[cuts[0] : cuts[1]]]
    return {
        "tiers": tiers if rng.random() < 0.5 else [],
        "forbidden": [pair for pair in pairs if rng.random() < 0.15],
        "required": [pair for pair in pairs if rng.random() < 0.1],
        "causes": [pair for pair in pairs if rng.random() < 0.1],
        "exogenous": [name for name in names if rng.random() < 0.1],
    }


@pytest.mark.parametrize("selection_bias", [True, False])
def test_what_follows_is_what_holds_in_every_world(selection_bias: bool) -> None:
    rng = np.random.default_rng(5)
    every = worlds(4, selection_bias)
    contradictory = said_more = 0
    for _ in range(150):
        statements = draw(rng, NAMES)
        try:
            knowledge: Knowledge | None = Knowledge(**statements)
        except KnowledgeError:
            knowledge = None
        left = [world for world in every if true_in(statements, NAMES, *world)]
        assert (knowledge is None) == (not left)
        if knowledge is None:
            contradictory += 1
            continue
        constraints = knowledge.constraints(NAMES, selection_bias)
        causes = np.logical_and.reduce([order for order, _ in left])
        neither = np.logical_and.reduce([~order & ~selected[:, None] for order, selected in left])
        np.fill_diagonal(neither, False)
        assert np.array_equal(constraints.cause, causes), knowledge
        assert np.array_equal(constraints.no_cause, neither), knowledge
        said_more += bool(constraints.no_cause.any() and knowledge.causes)
    assert contradictory > 20
    assert said_more > 20


def test_reasons_are_given_for_all_that_follows() -> None:
    rng = np.random.default_rng(6)
    given = 0
    while given < 200:
        try:
            knowledge = Knowledge(**draw(rng, NAMES))
        except KnowledgeError:
            continue
        constraints = knowledge.constraints(NAMES, False)
        for x, y in permutations(range(4), 2):
            assert (knowledge.why_not(NAMES[x], NAMES[y]) is not None) == constraints.no_cause[x, y]
            assert (knowledge.why(NAMES[x], NAMES[y]) is not None) == constraints.cause[x, y]
            given += 1


def test_a_pair_is_licensed_nothing_beyond_its_statement() -> None:
    constraints = Knowledge(forbidden=[("a", "b")]).constraints(NAMES)
    assert constraints.no_cause.sum() == 1
    assert constraints.no_cause[0, 1]
    assert not constraints.cause.any()


def test_a_required_edge_points_at_its_effect_where_selection_is_ruled_out() -> None:
    required = Knowledge(required=[("a", "b")])
    assert not required.constraints(NAMES).no_cause.any()
    assert required.constraints(NAMES, selection_bias=False).no_cause[1, 0]
    more = Knowledge(required=[("a", "b")], forbidden=[("b", "a")])
    assert more.constraints(NAMES).no_cause[1, 0]


def test_a_cause_says_what_a_required_edge_says_but_for_the_edge() -> None:
    for selection_bias in (True, False):
        one = Knowledge(causes=[("a", "b"), ("b", "c")], forbidden=[("d", "c")]).constraints(NAMES, selection_bias)
        other = Knowledge(required=[("a", "b"), ("b", "c")], forbidden=[("d", "c")]).constraints(NAMES, selection_bias)
        assert np.array_equal(one.cause, other.cause) and np.array_equal(one.no_cause, other.no_cause)
        assert one.required.tolist() == [] and other.required.tolist() == [[0, 1], [1, 2]]


def test_pairs_are_numbered_by_name() -> None:
    constraints = Knowledge(required=[("d", "a")], no_edge=[("c", "b")]).constraints(NAMES)
    assert constraints.required.tolist() == [[0, 3]]
    assert constraints.no_edge.tolist() == [[1, 2]]
    pairs = np.array(list(combinations(range(4), 2)), dtype=np.intc)
    assert constraints.requires(pairs).tolist() == [False, False, True, False, False, False]


def test_of_some_variables_it_says_what_it_says_of_all() -> None:
    known = Knowledge(tiers=[["a"], ["b", "c"]], required=[("a", "d"), ("b", "c")], no_edge=[("a", "c"), ("c", "d")])
    whole = known.constraints(("a", "b", "c", "d"))
    some = whole.of_some(np.array([0, 1, 2], dtype=np.intc))
    assert np.array_equal(some.no_cause, whole.no_cause[:3, :3]) and np.array_equal(some.cause, whole.cause[:3, :3])
    assert some.required.tolist() == [[1, 2]] and some.no_edge.tolist() == [[0, 2]]
    later = whole.of_some(np.array([0, 2, 3], dtype=np.intc))
    assert later.required.tolist() == [[0, 2]] and later.no_edge.tolist() == [[0, 1], [1, 2]]
    assert whole.of_some(np.arange(4, dtype=np.intc)) is whole
