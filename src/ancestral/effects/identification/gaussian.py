"""The value of a formula for linear relations with normal noise: quadratic forms, and their derivatives.

Each factor is read as exp(-v'Kv / 2) over all variables. P(h | g) has K = inverse(S of h and g) - inverse(S of g), S
being the covariance; a product adds, a quotient subtracts, and a sum over some variables takes the Schur complement of
their block. Neither means nor constants matter. From the K of P(y | do(x), z) follow the slopes of E[y | do(x), z], so
every formula has a closed form. The derivatives of a slope by S are found in one pass backwards through the same
steps; with them the standard error follows from the moments (delta method).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.effects.identification.formulas import Conditional, Factor, Product

__all__ = ["NotADensity", "Slopes", "slopes_of"]

Matrix = NDArray[np.float64]
#: Adds to derivatives by the covariance, given those by K.
Backward = Callable[[Matrix], Matrix]


class NotADensity(Exception):
    """On these numbers a kernel of the formula is not a density: what it sums over has no finite sum."""


@dataclass(frozen=True)
class Slopes:
    """The slopes of E[y | ...] in some variables, and for each the derivatives by the covariance of all names."""

    names: tuple[str, ...]
    slopes: Matrix
    derivatives: Matrix


def slopes_of(formula: Product, names: Sequence[str], covariance: Matrix, y: str, causes: Sequence[str]) -> Slopes:
    """The slopes of `causes` in the mean of y that a formula gives; `covariance` is that of the variables `names`.

    Raises `NotADensity` if the formula has no value on these numbers.
    """
    reader = _Reader({name: i for i, name in enumerate(names)}, covariance)
    form, backward = reader.product(formula)
    head, where = reader.place[y], [reader.place[name] for name in causes]
    curvature = form[head, head]
    if not curvature > 0:
        raise NotADensity
    slopes = -form[head, where] / curvature
    derivatives = np.empty((len(where), len(names), len(names)))
    for k, i in enumerate(where):
        seed = np.zeros_like(form)
        seed[head, i] = seed[i, head] = -0.5 / curvature
        seed[head, head] = -slopes[k] / curvature
        derivatives[k] = backward(seed)
    return Slopes(tuple(names), slopes, derivatives)


class _Reader:
    def __init__(self, place: dict[str, int], covariance: Matrix) -> None:
        self.place = place
        self.covariance = covariance

    def product(self, formula: Product) -> tuple[Matrix, Backward]:
        """The quadratic form of a product, and how derivatives by it become derivatives by the covariance."""
        terms = [(1.0, *self.factor(factor)) for factor in formula.factors]
        terms += [(-1.0, *self.factor(factor)) for factor in formula.divided_by]
        form = np.zeros_like(self.covariance)
        for sign, part, _ in terms:
            form += sign * part

        def backward(seed: Matrix) -> Matrix:
            out = np.zeros_like(seed)
            for sign, _, back in terms:
                out += sign * back(seed)
            return out

        return form, backward

    def factor(self, factor: Factor) -> tuple[Matrix, Backward]:
        """The quadratic form of a conditional or a sum."""
        if not isinstance(factor, Conditional):
            return self._summed(*self.product(factor.body), [self.place[name] for name in sorted(factor.over)])
        both = self._inverse(factor.free)
        given = self._inverse(factor.given)
        return both - given, lambda seed: given @ seed @ given - both @ seed @ both

    def _inverse(self, names: frozenset[str]) -> Matrix:
        """The inverse of the covariance of some variables, with zeros elsewhere."""
        where = np.ix_(*2 * [sorted(self.place[name] for name in names)])
        out = np.zeros_like(self.covariance)
        out[where] = np.linalg.inv(self.covariance[where])
        return out

    def _summed(self, form: Matrix, backward: Backward, over: list[int]) -> tuple[Matrix, Backward]:
        """The Schur complement of the block of the variables that are summed over."""
        block = form[np.ix_(over, over)]
        try:
            np.linalg.cholesky(block)
        except np.linalg.LinAlgError:
            raise NotADensity from None
        shadow = np.eye(len(form))  # what a change of the result is in terms of the form before the sum
        shadow[over] = -np.linalg.solve(block, form[over])
        shadow[np.ix_(over, over)] = 0
        out = shadow.T @ form @ shadow
        return (out + out.T) / 2, lambda seed: backward(shadow @ seed @ shadow.T)
