"""How the values of a node depend on its parents: a sum with normal noise, or a level chosen by softmax.

Effects are additive, with one term per parent (and, for levels, one for each two successive parents together), so a
node may have hundreds of parents. No term is negligible: its size is drawn from an interval that excludes zero.
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

#: The interval of the absolute value of a weight in a sum, as in the ICD paper (section 4.2); also of the root mean
#: square of the effects of levels on a sum.
WEIGHT = (0.5, 2.0)

#: The interval of the root mean square of effects on the logits of a choice. Between two binary nodes, 1 is an odds
#: ratio of e⁴, 0.5 one of e².
EFFECT = (0.5, 1.0)

#: The root mean square of the joint effects of two parents, beyond those of each of them.
JOINT_EFFECT = 0.25

#: The largest number of columns of a table of probabilities, one for each combination of the levels of the parents; for
#: more combinations, probabilities are computed for each row.
TABLE_SIZE = 1024

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """A sum over the parents plus standard normal noise.

    The effect of a parent is a number that multiplies its value or, if the parent has levels, an array with one summand
    for each. A row passes the selection if the value is above the threshold.
    """

    parents: tuple[str, ...]
    effects: tuple[float | Floats, ...]
    threshold: float = 0.0

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """The sums, with their noise."""
        out = rng.standard_normal(rows)
        for values, effect in zip(causes, self.effects, strict=True):
            out += effect.take(values) if isinstance(effect, np.ndarray) else effect * values
        return out

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """Which values are above the threshold."""
        return values > self.threshold


@dataclass(frozen=True)
class Term:
    """A summand of the logits, with one entry per level along its first axis.

    Without further axes it is multiplied by the value of its only parent. Otherwise there is an axis for each parent,
    indexed by the levels of that parent.
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

    The logits are a constant plus the terms. A row passes the selection if the value is in the upper half of the
    levels; of an odd number, the middle one is not in the upper half.
    """

    parents: tuple[str, ...]
    constant: Floats
    terms: tuple[Term, ...]

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """One level per row, from one uniform number each."""
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
        """The exponentials of the logits, summed up to each level: levels × rows."""
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
        """The shares for every combination of the parents' levels, to save time; None if there are too many."""
        combinations = prod(self._parent_levels)
        if not self.parents or not 0 < combinations <= TABLE_SIZE:
            return None
        causes = np.indices(self._parent_levels).reshape(len(self.parents), combinations)
        return self._shares(list(causes), combinations)

    @cached_property
    def _parent_levels(self) -> tuple[int, ...]:
        """The number of levels of each parent; 0 for a continuous one."""
        levels = [0] * len(self.parents)
        for term in self.terms:
            for parent, count in zip(term.parents, term.effect.shape[1:], strict=False):
                levels[parent] = count
        return tuple(levels)

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """Which values are in the upper half of the levels."""
        return 2 * values >= len(self.constant)


def _combined(values: Sequence[Values], levels: Sequence[int]) -> Values:
    """The levels of several parents as one number: the index into a flattened table with an axis for each parent."""
    out = values[0]
    for more, count in zip(values[1:], levels[1:], strict=True):
        out = out * count + more
    return out


def weights(rng: np.random.Generator, count: int) -> Floats:
    """Random numbers of either sign whose absolute value is uniform in `WEIGHT`."""
    size = rng.uniform(*WEIGHT, count)
    return np.where(rng.random(count) < 0.5, -size, size)


def centred(rng: np.random.Generator, shape: tuple[int, ...], size: float) -> Floats:
    """Random effects that sum to zero along every axis, with the given root mean square."""
    effects = rng.standard_normal(shape)
    for axis in range(effects.ndim):
        effects -= effects.mean(axis=axis, keepdims=True)
    out: Floats = effects * (size / np.sqrt(np.mean(effects**2)))
    return out
