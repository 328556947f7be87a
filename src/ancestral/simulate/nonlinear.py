"""Nonlinear models: every node is a sum of curves of its parents, plus normal noise.

A curve is a parabola, a sine, a hyperbolic tangent or an absolute value, shifted and stretched at random, so that some
relations are monotone and others are not. Every curve and every node is brought to mean 0 and standard deviation 1, so
that values do not grow along paths. There is no formula for these means and deviations. The model estimates them from a
pilot sample of its own, so that it does not depend on the rows asked for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import DAG
from ancestral.simulate.mechanisms import weights
from ancestral.simulate.mixed import PILOT_ROWS
from ancestral.simulate.sampling import Seed, System, Values, check, finite_values, parents_of, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Curve", "Sum", "nonlinear", "nonlinear_model", "nonlinear_system"]

Floats = NDArray[np.float64]


def _square(values: Values) -> Values:
    """A parabola that goes on as a straight line from 3 on: along a path, squares of squares would leave any range."""
    size = np.abs(values)
    return np.where(size <= 3, size**2, 6 * size - 9)


#: The curves of a parent's value.
SHAPES: dict[str, Callable[[Values], Values]] = {"square": _square, "sine": np.sin, "tanh": np.tanh, "absolute": np.abs}

#: By how much a parent's value is stretched before it enters a curve: a sine has about one turn in the rows.
STRETCH = (1.0, 2.0)

#: By how much it is then shifted, so that the bottom of a parabola is not always in the middle.
SHIFT = (-0.5, 0.5)


@dataclass(frozen=True)
class Curve:
    """`weight` times a curve of (value · stretch + shift), less its `mean` and divided by its `spread`."""

    shape: str
    stretch: float
    shift: float
    weight: float = 1.0
    mean: float = 0.0
    spread: float = 1.0

    def __call__(self, values: Values) -> Floats:
        """The values of the curve."""
        raw = SHAPES[self.shape](self.stretch * values + self.shift)
        return np.asarray(self.weight * (raw - self.mean) / self.spread)


@dataclass(frozen=True)
class Sum:
    """A sum of curves of the parents plus standard normal noise, divided by its `spread`.

    A row passes the selection if the value is above the threshold.
    """

    parents: tuple[str, ...]
    curves: tuple[Curve, ...]
    spread: float = 1.0
    threshold: float = 0.0

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """The sums, with their noise."""
        out = rng.standard_normal(rows)
        for values, curve in zip(causes, self.curves, strict=True):
            out += curve(values)
        return out / self.spread

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """Which values are above the threshold."""
        return values > self.threshold


def nonlinear(dag: DAG, rows: int, *, seed: Seed) -> "pl.DataFrame":
    """Draw rows of the observed nodes, in the order of `dag.observed`, from a model with random curves.

    Every node is a weighted sum of curves of its parents (a parabola, a sine, a hyperbolic tangent or an absolute
    value) plus normal noise; each column has mean 0 and standard deviation 1, nearly. The weights of curves are drawn
    as those of `linear_gaussian`, against noise with standard deviation 1. With selection nodes, a row is kept if every
    one of them is above its median. Rows are drawn until there are enough.

    Args:
        dag: The DAG.
        rows: The number of rows.
        seed: A whole number or a numpy Generator. It determines the model, and each row: if more rows are drawn, the
            first ones stay the same.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.

    Examples:
        >>> dag = DAG.parse("L -> a, L -> b, a -> c", latent=["L"])
        >>> rows = nonlinear(dag, rows=1000, seed=1)
        >>> rows.columns, rows.height
        (['a', 'b', 'c'], 1000)
    """
    check(dag, rows)
    return nonlinear_system(dag, seed=seed).draw(rows)


def nonlinear_system(dag: DAG, *, seed: Seed) -> System:
    """The system from which `nonlinear` draws its rows."""
    model, noise = streams(seed)
    return System(dag, nonlinear_model(dag, model), noise)


def nonlinear_model(dag: DAG, rng: np.random.Generator) -> dict[str, Sum]:
    """The mechanism of each node, in causal order."""
    out: dict[str, Sum] = {}
    pilot: dict[str, Values] = {}
    with finite_values():
        for name, parents in parents_of(dag).items():
            causes = [pilot[parent] for parent in parents]
            curves = tuple(_curve(values, rng) for values in causes)
            raw = Sum(parents, curves).draw(causes, PILOT_ROWS, rng)
            spread = float(raw.std())
            pilot[name] = raw / spread
            out[name] = Sum(parents, curves, spread, threshold=float(np.median(pilot[name])))
    return out


def _curve(values: Values, rng: np.random.Generator) -> Curve:
    """A random curve, whose mean and spread are those over the pilot values of a parent."""
    shape = str(rng.choice(list(SHAPES)))
    stretch, shift, weight = rng.uniform(*STRETCH), rng.uniform(*SHIFT), float(weights(rng, 1)[0])
    raw = Curve(shape, stretch, shift)(values)
    return Curve(shape, stretch, shift, weight, float(raw.mean()), float(raw.std()))
