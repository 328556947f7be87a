"""Nonlinear models of stationary processes: every process is a sum of curves of its causes at their lags, plus noise.

The curves are those of `nonlinear.py`. The effect of a process on its own next step is linear, with a coefficient below
1, and a cause beyond ±3 acts as one at ±3. So what the causes add at each step is bounded, and no process can grow,
whatever loops the graph has. Curves are scaled such that a process with independent, standard normal causes has mean 0
and variance 1; causes with a memory of their own make the variance somewhat larger.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ancestral.graphs import SeriesDAG
from ancestral.graphs.series_window import Place
from ancestral.simulate.mechanisms import weights
from ancestral.simulate.mixed import PILOT_ROWS
from ancestral.simulate.nonlinear import SHAPES, SHIFT, STRETCH, Curve
from ancestral.simulate.sampling import Seed, streams
from ancestral.simulate.series_sampling import (
    AUTOCORRELATION,
    Floats,
    check_series,
    interval,
    series_frame,
    steps_to_forget,
)

if TYPE_CHECKING:
    import polars as pl

__all__ = ["nonlinear_series"]

#: Causes beyond this act as if they were here; that of a standard normal one is beyond it in 0.3 % of the steps.
BOUND = 3.0

#: Steps before the first row, beyond those in which processes forget their own beginning: for memory in loops.
BURN_IN = 1000


@dataclass(frozen=True)
class _Mechanism:
    """A process: `own` times its last value, plus `gain` times the sum of curves of its causes and noise."""

    own: float
    causes: tuple[Place, ...]
    curves: tuple[Curve, ...]

    @property
    def gain(self) -> float:
        """What makes the variance 1 if the sum has independent terms and no memory."""
        return float(np.sqrt((1 - self.own**2) / (1 + sum(curve.weight**2 for curve in self.curves))))


def nonlinear_series(
    dag: SeriesDAG,
    rows: int = 500,
    *,
    seed: Seed,
    autocorrelation: tuple[float, float] = AUTOCORRELATION,
    units: int = 1,
    noise: str = "normal",
) -> "pl.DataFrame":
    """Draw rows of the observed processes, in the order of `dag.observed`, from a stationary model with random curves.

    Every process is a weighted sum of curves of its causes (a parabola, a sine, a hyperbolic tangent or an absolute
    value) plus noise; the weights are drawn as those of `linear_gaussian`, against noise with variance 1. Each column
    has mean 0 and standard deviation 1, roughly.

    Args:
        dag: The DAG over processes.
        rows: As in `linear_series`.
        seed: As in `linear_series`.
        autocorrelation: The effect of a process on its own next step is linear, with a coefficient that is uniform in
            this range.
        units: As in `linear_series`.
        noise: As in `linear_series`.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> dag = SeriesDAG.parse("a -1-> a, a -1-> b, L -0-> b, L -2-> c", latent=["L"])
        >>> rows = nonlinear_series(dag, rows=100, seed=1)
        >>> rows.columns, rows.height
        (['a', 'b', 'c'], 100)
    """
    check_series(dag, rows, units, noise)
    own = interval("autocorrelation", autocorrelation, 0, 1)
    rng, seeds = streams(seed)
    mechanisms = _model(dag, own, rng)
    position = {name: i for i, name in enumerate(mechanisms)}

    def step(past: Floats, shocks: Floats) -> Floats:
        now = shocks.copy()
        for y, mechanism in enumerate(mechanisms.values()):
            for (cause, lag), curve in zip(mechanism.causes, mechanism.curves, strict=True):
                values = (past[lag - 1] if lag else now)[:, position[cause]]
                now[:, y] += curve(np.clip(values, -BOUND, BOUND))
            now[:, y] *= mechanism.gain
            if mechanism.own:
                now[:, y] += mechanism.own * past[0, :, y]
        return now

    burn_in = BURN_IN + steps_to_forget(max(mechanism.own for mechanism in mechanisms.values()))
    return series_frame(dag, step, rows=rows, units=units, noise=noise, burn_in=burn_in, seed=seeds)


def _model(dag: SeriesDAG, own: tuple[float, float], rng: np.random.Generator) -> dict[str, _Mechanism]:
    """The mechanism of each process, in the order of `dag.parents`."""
    out = {}
    for name, parents in dag.parents.items():
        causes = tuple(place for place in parents if place != (name, 1))
        coefficient = rng.uniform(*own) if (name, 1) in parents else 0.0
        out[name] = _Mechanism(float(coefficient), causes, tuple(_curve(rng) for _ in causes))
    return out


def _curve(rng: np.random.Generator) -> Curve:
    """A random curve, whose mean and spread are those for standard normal values."""
    shape = str(rng.choice(list(SHAPES)))
    stretch, shift, weight = rng.uniform(*STRETCH), rng.uniform(*SHIFT), float(weights(rng, 1)[0])
    raw = Curve(shape, stretch, shift)(np.clip(rng.standard_normal(PILOT_ROWS), -BOUND, BOUND))
    return Curve(shape, stretch, shift, weight, float(raw.mean()), float(raw.std()))
