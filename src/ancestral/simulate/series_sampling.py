"""Rows from a process: noise for every unit and process, steps one after the other, and the frame of what is observed.

Each process of each unit draws its noise from a random stream of its own. So the first rows stay the same if more are
asked for, as do the first units, and it does not matter which processes are latent.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import one_of, real, whole_number
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs import SeriesDAG
from ancestral.graphs.names import writable_names
from ancestral.simulate.sampling import BLOCK_VALUES, MOST_VALUES

if TYPE_CHECKING:
    import polars as pl

__all__ = ["AUTOCORRELATION", "Floats", "Step", "check_series", "interval", "series_frame", "steps_to_forget"]

Floats = NDArray[np.float64]

#: From the earlier steps, the last one first (steps × units × processes), and the noise of a step, its values.
Step = Callable[[Floats, Floats], Floats]

#: The default range of the coefficient of a process on its own last step.
AUTOCORRELATION = (0.3, 0.6)

#: Rows begin when the weight of the first values has fallen to this.
FORGOTTEN = 1e-6

#: The columns that say where a row belongs if there are several units.
UNIT, TIME = "unit", "time"

#: Random numbers with mean 0 and variance 1, by the name of their distribution.
NOISE: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal": lambda rng, count: rng.standard_normal(count),
    "uniform": lambda rng, count: rng.uniform(-np.sqrt(3), np.sqrt(3), count),
    "laplace": lambda rng, count: rng.laplace(0.0, np.sqrt(0.5), count),
}


def check_series(dag: object, rows: object = 1, units: object = 1, noise: object = "normal") -> None:
    """Raise an error unless this is a series DAG with an observed process, and so many rows can be drawn from it."""
    if not isinstance(dag, SeriesDAG):
        raise OptionError(
            "must be a SeriesDAG", option="dag", value=dag, way_out="for example SeriesDAG.parse('a -1-> b')"
        )
    if not dag.observed:
        raise OptionError("the series DAG must have an observed process, and all processes of this one are latent")
    writable_names(dag.observed)
    count = whole_number("units", units, 1, MOST_VALUES)
    most = max(1, MOST_VALUES // (len(dag.observed) * count))
    whole_number("rows", rows, 1, most, way_out=f"a table may have {MOST_VALUES:,} values: draw several parts")
    one_of("noise", noise, NOISE)
    if count > 1 and (taken := [name for name in (UNIT, TIME) if name in dag.observed]):
        raise GraphError(
            f"a process must not be called {taken[0]!r}, as the column that tells units apart is; rename it, or pass ",
            Option("units", 1),
        )


def interval(option: str, value: object, low: float, high: float) -> tuple[float, float]:
    """Two numbers of which the second is not the smaller one, both from `low` to below `high`."""
    ends = [real(end) for end in value] if isinstance(value, tuple | list) else []
    least, most = ends if len(ends) == 2 else (None, None)
    if least is None or most is None or not low <= least <= most < high:
        raise OptionError(
            f"must be two numbers, the smaller one first, of at least {low:g} and below {high:g}",
            option=option,
            value=value,
        )
    return least, most


def steps_to_forget(radius: float) -> int:
    """The number of steps after which the first values hardly count, if each step multiplies their weight by this."""
    return math.ceil(math.log(FORGOTTEN) / math.log(radius)) if radius > 0 else 0


def series_frame(
    dag: SeriesDAG,
    step: Step,
    *,
    rows: int,
    units: int,
    noise: str,
    burn_in: int,
    seed: np.random.SeedSequence,
) -> "pl.DataFrame":
    """Rows of the observed processes, unit by unit, after `burn_in` steps that began at 0.

    The processes of `step` are in the order of `dag.parents`.
    """
    import polars as pl

    places = [list(dag.parents).index(name) for name in dag.observed]
    at_once = max(1, BLOCK_VALUES // ((burn_in + rows) * len(dag.parents)))
    out = np.empty((len(places), units, rows))
    streams = seed.spawn(units)
    for start in range(0, units, at_once):
        shocks = np.stack([_shocks(noise, one, burn_in + rows, len(dag.parents)) for one in streams[start:][:at_once]])
        values = _values(step, shocks, dag.order)[burn_in:]
        out[:, start : start + at_once] = values.transpose(2, 1, 0)[places]
    columns = [pl.Series(name, values.reshape(-1)) for name, values in zip(dag.observed, out, strict=True)]
    if units > 1:
        numbers = {UNIT: np.repeat(np.arange(1, units + 1), rows), TIME: np.tile(np.arange(1, rows + 1), units)}
        columns[:0] = [pl.Series(name, values) for name, values in numbers.items()]
    return pl.DataFrame(columns)


def _shocks(noise: str, seed: np.random.SeedSequence, steps: int, processes: int) -> Floats:
    """The noise of one unit: steps × processes."""
    return np.stack([NOISE[noise](np.random.default_rng(one), steps) for one in seed.spawn(processes)], axis=1)


def _values(step: Step, shocks: Floats, order: int) -> Floats:
    """The values of all processes, from noise of units × steps × processes: steps × units × processes."""
    units, steps, processes = shocks.shape
    values = np.zeros((order + steps, units, processes))
    for now in range(steps):
        values[order + now] = step(values[now : now + order][::-1], shocks[:, now])
    return values[order:]
