"""Tests that see curves: "basis", by functions of each variable, and "kernel", by random features of all of them.

Both ask whether what is left of functions of x and of functions of y, after a regression on functions of the given
variables, goes together (`_residual_products_cy`). They differ in these functions (`features`, `_curves_cy`).
"""

from collections.abc import Sequence
from copy import copy
from functools import partial
from hashlib import sha256
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.column_kinds import Floats
from ancestral.data.design import DesignFacts
from ancestral.independence._curves_cy import BasisProducts, FourierProducts
from ancestral.independence._residual_products_cy import ResidualProducts
from ancestral.independence.base import DataFacts, DataTest, Makers, MomentsSource, Resampler, no_effect
from ancestral.independence.evidence import Scale, chi2_quantiles
from ancestral.independence.features import Features
from ancestral.independence.resamplers import TableResampler, table_to_draw

__all__ = ["BASIS", "KERNEL", "BasisTest", "KernelTest"]

#: The seed of the directions of Fourier features. Answers are the same in each run, whatever else draws random numbers.
SEED = 1

#: The greatest number of Fourier features of a set of given variables.
MOST_FEATURES = 100

SomeCurveTest = TypeVar("SomeCurveTest", bound="_CurveTest")


class _CurveTest(DataTest):
    """Asks the features of a table; each question uses the rows that are complete for it."""

    scale = Scale.CHI2
    design: DesignFacts | None = None
    _features: Features

    def __init__(self, data: Table, alpha: float = 0.01) -> None:
        super().__init__(data, alpha)
        if data.design is not None:
            self.design = data.design.facts
            self.scale = Scale.P_VALUE

    def for_workers(self: SomeCurveTest) -> SomeCurveTest:
        """The same test without the table behind its features."""
        other = copy(self)
        other._data = DataFacts(self.fingerprint)
        return other

    def resampler(self) -> Resampler:
        """Makes the features of the drawn rows anew. Raises `OptionError` where the rows are gone."""
        return TableResampler.of(table_to_draw(self._data), partial(type(self), alpha=self.alpha))

    def effect_moments(self) -> MomentsSource:
        """Refuse: a curve has no single slope."""
        raise no_effect(
            f"the test {self.name!r} is for relations that are not linear, and a slope is for a line", robust=True
        )

    def _asked(self, names: Sequence[str]) -> tuple[Features, NDArray[np.intc], Floats]:
        """What questions about these variables are made of."""
        return self._features, self._features.places(self.checked_names(names)), chi2_quantiles(self.alpha, 256)


class BasisTest(_CurveTest):
    """Regresses polynomials of the ranks of x and y on functions of each given variable, and on products of two."""

    name = "basis"

    def __init__(self, data: Table, alpha: float = 0.01) -> None:
        super().__init__(data, alpha)
        self._features = Features.of(data, degree=4, decay=0.8)

    def questions(self, names: Sequence[str]) -> ResidualProducts:
        """The questions about these variables, numbered in this order."""
        return BasisProducts(*self._asked(names), self.alpha)


class KernelTest(_CurveTest):
    """Regresses polynomials of the ranks of x and y on random Fourier features of all given variables together."""

    name = "kernel"

    def __init__(self, data: Table, alpha: float = 0.01) -> None:
        super().__init__(data, alpha)
        self._features = Features.of(data, degree=5, decay=0.75)
        self._frequencies = _frequencies(self._features)
        self._phases = np.random.default_rng(SEED).uniform(0, 2 * np.pi, MOST_FEATURES)

    def questions(self, names: Sequence[str]) -> ResidualProducts:
        """The questions about these variables, numbered in this order."""
        return FourierProducts(*self._asked(names), self._frequencies, self._phases, self.alpha)


def _frequencies(features: Features) -> Floats:
    """The frequency of each feature (row) for each term: of a number normal, of a level a uniform angle.

    They follow from the names of variables, so that they do not depend on the order of columns, or on what other
    columns there are. With a random angle for each level, features of rows with different levels are uncorrelated.
    """
    out = np.empty((MOST_FEATURES, int(features.term_starts[-1])))
    for name, first, last, number in zip(
        features.names, features.term_starts[:-1], features.term_starts[1:], features.numbers, strict=True
    ):
        rng = np.random.default_rng([SEED, *sha256(name.encode("utf-8", "surrogatepass")).digest()])
        shape = (MOST_FEATURES, last - first)
        out[:, first:last] = rng.standard_normal(shape) if number else rng.uniform(0, 2 * np.pi, shape)
    return out


BASIS = Makers(of_table=BasisTest, designs=True)
KERNEL = Makers(of_table=KernelTest, designs=True)
