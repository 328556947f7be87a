"""How a node follows from its parents: a sum with normal noise, or a level chosen by softmax.

Effects are additive, one term a parent (and, for levels, one for two successive parents together), so a node may have
hundreds of parents. A term is never close to nothing: its size is drawn from an interval that keeps away from zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from ancestral.simulate.sampling import Values

__all__ = ["Choice", "Linear", "Term", "centred", "weights"]

#: The size of a weight in a sum, as in the ICD paper (section 4.2); also of the effect of levels on a sum.
WEIGHT = (0.5, 2.0)

#: The size of an effect on the logits of a choice. Between two levels, 1 is an odds ratio of e⁴, 0.5 one of e².
EFFECT = (0.5, 1.0)

#: The size of what two parents do together, beyond what each of them does.
JOINT_EFFECT = 0.25

#: A table of probabilities has at most so many columns; for parents with more combinations they are computed by row.
TABLE_SIZE = 1024

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """A sum over the parents plus standard normal noise.

    The effect of a parent is a number that multiplies its value or, if the parent has levels, an array with one summand
    for each. A row passes where the value is above the threshold.
    """

    parents: tuple[str, ...]
    effects: tuple[float | Floats, ...]
    threshold: float = 0.0

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """The sum and its noise."""
        out = rng.standard_normal(rows)
        for values, effect in zip(causes, self.effects, strict=True):
            out += effect.take(values) if isinstance(effect, np.ndarray) else effect * values
        return out

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """Above the threshold."""
        return values > self.threshold


@dataclass(frozen=True)
class Term:
    """A summand of the logits, with one entry a level along its first axis.

    Without further axes it is multiplied by the value of its only parent. Otherwise there is an axis for each parent,
    and the levels of the parents say which entry is meant.
    """

    parents: tuple[int, ...]
    effect: Floats

    def __call__(self, causes: Sequence[Values]) -> Floats:
        """The summand in each row: levels × rows."""
        values = [causes[parent] for parent in self.parents]
        if self.effect.ndim == 1:
            return self.effect[:, None] * values[0]
        return self.effect.reshape(len(self.effect), -1).take(_combined(values, self.effect.shape[1:]), axis=1)


@dataclass(frozen=True)
class Choice:
    """One of the levels 0, 1, …, by softmax: with a probability proportional to the exponential of its logit.

    The logits are a constant plus the terms. A row passes where the value is in the upper half of the levels, to which
    the middle one of an odd number does not belong.
    """

    parents: tuple[str, ...]
    constant: Floats
    terms: tuple[Term, ...]

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """A level a row, from one uniform number each."""
        if self._table is None:
            shares = self._shares(causes, rows)
        else:
            shares = self._table.take(_combined(causes, self._parent_levels), axis=1)
        chosen = rng.random(rows) * shares[-1]
        out = np.zeros(rows, dtype=np.int64)
        for below in shares[:-1]:
            out += chosen >= below
        return out

    def _shares(self, causes: Sequence[Values], rows: int) -> Floats:
        """The exponentials of the logits, each level's added to those before it: levels × rows."""
        out = self.constant[:, None] + np.zeros(rows)
        for term in self.terms:
            out += term(causes)
        out -= out.max(axis=0)
        np.exp(out, out=out)
        for before, level in pairwise(out):
            level += before
        return out

    @cached_property
    def _table(self) -> Floats | None:
        """The shares for every combination of levels, for parents that have few: most nodes, and much time saved."""
        combinations = prod(self._parent_levels)
        if not self.parents or not 0 < combinations <= TABLE_SIZE:
            return None
        causes = np.indices(self._parent_levels).reshape(len(self.parents), combinations)
        return self._shares(list(causes), combinations)

    @cached_property
    def _parent_levels(self) -> tuple[int, ...]:
        """How many levels each parent has; 0 for a continuous one."""
        levels = [0] * len(self.parents)
        for term in self.terms:
            for parent, count in zip(term.parents, term.effect.shape[1:], strict=False):
                levels[parent] = count
        return tuple(levels)

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """In the upper half."""
        return 2 * values >= len(self.constant)


def _combined(values: Sequence[Values], levels: Sequence[int]) -> Values:
    """One number for the levels of several parents: the place in a table with an axis for each, laid out flat."""
    out = values[0]
    for more, count in zip(values[1:], levels[1:], strict=True):
        out = out * count + more
    return out


def weights(rng: np.random.Generator, count: int) -> Floats:
    """Numbers of either sign whose size is uniform in `WEIGHT`."""
    size = rng.uniform(*WEIGHT, count)
    return np.where(rng.random(count) < 0.5, -size, size)


def centred(rng: np.random.Generator, shape: tuple[int, ...], size: float) -> Floats:
    """Random effects that sum to zero along every axis, with the given root of their mean square."""
    effects = rng.standard_normal(shape)
    for axis in range(effects.ndim):
        effects -= effects.mean(axis=axis, keepdims=True)
    out: Floats = effects * (size / np.sqrt(np.mean(effects**2)))
    return out
