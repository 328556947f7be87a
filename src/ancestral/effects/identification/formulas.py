"""Formulas of observed probabilities: conditionals, products, quotients and sums, with their simplest identities.

A formula is data: `Conditional` is P(heads | given), `Sum` a sum over the values of some variables, `Product` the
product of factors, divided by others. A variable that a sum binds may have the name of one outside of it, as in
mathematics; texts then write x'.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Union

__all__ = [
    "ONE",
    "Conditional",
    "Factor",
    "Product",
    "Sum",
    "adjustment_formula",
    "conditional_of",
    "product_of",
    "sum_of",
]

Names = frozenset[str]
Factor = Union["Conditional", "Sum"]


@dataclass(frozen=True)
class Conditional:
    """P(heads | given), a conditional of the distribution that was observed."""

    heads: Names
    given: Names = frozenset()

    @property
    def free(self) -> Names:
        """The variables on whose values it depends."""
        return self.heads | self.given


@dataclass(frozen=True)
class Sum:
    """The sum of a product over the values of some variables; of continuous variables, the integral."""

    over: Names
    body: "Product"

    @cached_property
    def free(self) -> Names:
        """The variables on whose values it depends."""
        return self.body.free - self.over


@dataclass(frozen=True)
class Product:
    """A product of factors, divided by others; without any, the number one."""

    factors: tuple[Factor, ...] = ()
    divided_by: tuple[Factor, ...] = ()

    @cached_property
    def free(self) -> Names:
        """The variables on whose values it depends."""
        return frozenset[str]().union(*(factor.free for factor in (*self.factors, *self.divided_by)))

    def conditionals(self) -> Iterator[Conditional]:
        """All conditionals in it, also those inside sums."""
        for factor in (*self.factors, *self.divided_by):
            if isinstance(factor, Conditional):
                yield factor
            else:
                yield from factor.body.conditionals()

    @property
    def has_quotient(self) -> bool:
        """Whether something is divided by, here or inside a sum."""
        return bool(self.divided_by) or any(f.body.has_quotient for f in self.factors if isinstance(f, Sum))


ONE = Product()


def product_of(products: Iterable[Product], divided_by: Iterable[Product] = ()) -> Product:
    """The product of products, divided by others, without the factors that cancel."""
    above, below = Counter[Factor](), Counter[Factor]()
    for sign, terms in ((above, products), (below, divided_by)):
        other = below if sign is above else above
        for term in terms:
            sign.update(term.factors)
            other.update(term.divided_by)
    common = above & below
    factors, divisors = list((above - common).elements()), list((below - common).elements())
    for divisor in list(divisors):  # P(a, b | c) / P(b | c) = P(a | b, c)
        whole = next((factor for factor in factors if _contains(factor, divisor)), None)
        if isinstance(whole, Conditional) and isinstance(divisor, Conditional):
            divisors.remove(divisor)
            factors[factors.index(whole)] = Conditional(whole.heads - divisor.heads, whole.given | divisor.heads)
    return Product(tuple(factors), tuple(divisors))


def _contains(whole: Factor, part: Factor) -> bool:
    """Whether the whole is P(a, b | c) and the part P(b | c)."""
    both = isinstance(whole, Conditional) and isinstance(part, Conditional)
    return both and whole.given == part.given and part.heads < whole.heads  # type: ignore[union-attr]


def conditional_of(heads: Iterable[str], given: Iterable[str] = ()) -> Product:
    """P(heads | given) as a product."""
    names = frozenset(heads)
    return Product((Conditional(names, frozenset(given)),)) if names else ONE


def sum_of(over: Names, body: Product) -> Product:
    """The sum of a product over the values of some variables, with the factors that it does not concern before it.

    Sums inside are joined with this one. Variables that only one conditional mentions, and as a head, are left out of
    it, since the sum over them is one.
    """
    over, body = _joined(over & body.free, body)
    factors, shrunk = list(body.factors), True
    while shrunk:
        shrunk = False
        for i, factor in enumerate(factors):
            if isinstance(factor, Conditional) and (gone := _alone(factors, i, body.divided_by) & over):
                heads = factor.heads - gone
                factors[i : i + 1] = [Conditional(heads, factor.given)] if heads else []
                over -= gone
                shrunk = True
                break
    over &= Product(tuple(factors), body.divided_by).free
    inside = tuple(f for f in factors if f.free & over), tuple(f for f in body.divided_by if f.free & over)
    outside = tuple(f for f in factors if not f.free & over), tuple(f for f in body.divided_by if not f.free & over)
    if not over:
        return Product(*outside)
    return Product((*outside[0], Sum(over, Product(*inside))), outside[1])


def adjustment_formula(x: Iterable[str], y: Iterable[str], given: Names) -> Product:
    """The sum over the values of the given variables of P(given) P(y | x, given)."""
    return sum_of(given, product_of([conditional_of(given), conditional_of(y, {*x, *given})]))


def _joined(over: Names, body: Product) -> tuple[Names, Product]:
    """A sum of which the factors that are sums have become a part, unless they bind a name that is in use elsewhere."""
    for i, factor in enumerate(body.factors):
        if isinstance(factor, Sum) and factor.free & over:
            others = Product((*body.factors[:i], *body.factors[i + 1 :]), body.divided_by)
            if not factor.over & (over | others.free):
                return _joined(over | factor.over, product_of([others, factor.body]))
    return over, body


def _alone(factors: list[Factor], i: int, divided_by: tuple[Factor, ...]) -> Names:
    """The heads of a conditional that no other factor mentions."""
    factor = factors[i]
    others = frozenset[str]().union(*(f.free for j, f in enumerate(factors) if j != i), *(f.free for f in divided_by))
    return factor.heads - others if isinstance(factor, Conditional) else frozenset()
