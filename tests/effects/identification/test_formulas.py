"""The identities by which formulas are shortened, each against its value on a table."""

import numpy as np
import pytest

from ancestral.effects.identification.formulas import ONE, Conditional, Product, Sum, conditional_of, product_of, sum_of
from ancestral.effects.identification.tables import value_on_tables

RNG = np.random.default_rng(1)
JOINT = RNG.dirichlet(np.ones(16)).reshape((2,) * 4)
NAMES = "abcd"


def marginal(names: tuple[str, ...]) -> np.ndarray:
    table = JOINT.sum(axis=tuple(i for i, name in enumerate(NAMES) if name not in names))
    kept = [name for name in NAMES if name in names]
    return np.asarray(table.transpose([kept.index(name) for name in names]))


def value(formula: Product) -> np.ndarray:
    """The value at all levels of a, b, c and d."""
    return value_on_tables(formula, marginal, NAMES).values


def p(heads: str, given: str = "") -> Product:
    return conditional_of(heads, given)


def test_equal_factors_cancel_and_heads_move_behind_the_bar() -> None:
    assert product_of([p("a", "b"), p("c")], [p("c")]) == p("a", "b")
    assert product_of([p("ab", "c")], [p("b", "c")]) == p("a", "bc")
    kept = product_of([p("ab", "c")], [p("b")])  # given something else
    assert kept.divided_by and value(kept) == pytest.approx(value(p("ab", "c")) / value(p("b")))
    assert product_of([]) == ONE == conditional_of(())


def test_sums_leave_out_what_sums_to_one_and_what_they_do_not_concern() -> None:
    assert sum_of(frozenset("a"), p("a", "b")) == ONE
    assert sum_of(frozenset("a"), p("ab", "c")) == p("b", "c")
    found = sum_of(frozenset("b"), product_of([p("a", "b"), p("b"), p("c", "d")]))
    assert found.factors[0] == Conditional(frozenset("c"), frozenset("d"))
    expected = sum(value(product_of([p("a", "b"), p("b"), p("c", "d")])).take([i], axis=1) for i in (0, 1))
    assert value(found) == pytest.approx(np.broadcast_to(expected, (2,) * 4))


def test_sums_inside_sums_are_joined_unless_they_bind_a_name_that_is_in_use() -> None:
    inner = Product((Sum(frozenset("a"), product_of([p("a"), p("b", "a")])),))
    joined = sum_of(frozenset("c"), product_of([p("c", "d"), p("b", "c"), inner]))
    assert value(joined).shape == (2,) * 4
    nested = Product((Sum(frozenset("a"), product_of([p("a"), p("c", "a")])),))
    outside = sum_of(frozenset("c"), product_of([p("d", "ac"), nested]))  # a is free outside, and bound inside
    assert "a" in outside.free
    direct = JOINT.sum(axis=(0, 1, 3))  # the sum over a of P(a) P(c | a)
    expected = np.einsum("acd,c->ad", JOINT.sum(axis=1) / JOINT.sum(axis=(1, 3))[:, :, None], direct)
    assert value(outside)[:, 0, 0, :] == pytest.approx(expected)


def test_what_is_divided_by_stays_in_the_sum() -> None:
    quotient = Product((Conditional(frozenset("ab")),), (Conditional(frozenset("b"), frozenset("c")),))
    found = sum_of(frozenset("b"), quotient)
    assert value(found) == pytest.approx(np.broadcast_to(value(quotient).sum(axis=1, keepdims=True), (2,) * 4))
    assert found.has_quotient
