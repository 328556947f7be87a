"""Halves of series: whether processes depend on each other in the first half of the steps as they do in the second.

One graph for all steps needs processes that are stationary. So lagged correlations are compared between the halves of
each unit. Autocorrelation would make both of them vary a lot. Each process is therefore filtered first: less what its
own past tells, by one regression for both halves, as Haugh (1976) does before he compares two series. What is left of
autocorrelation enters the standard error as in Bartlett (1935): the variance of a mean of n values with lag-1
autocorrelation a is larger by (1 + a) / (1 - a). Here the mean is that of the influences of steps on a correlation r of
standardised values u and v, which are u v - r (u² + v²) / 2.

References: Bartlett (1935), Some aspects of the time-correlation problem in regard to tests of significance, Journal of
the Royal Statistical Society 98. Haugh (1976), Checking the independence of two covariance-stationary time series,
Journal of the American Statistical Association 71.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataWarning
from ancestral.data.read.deadline import check
from ancestral.data.series.centring import without_unit_means
from ancestral.data.series.order import Order
from ancestral.graphs.window import node_at
from ancestral.printing import listed

__all__ = ["halves"]

#: Steps of each half that are needed to tell: with fewer, standard errors are too small.
FEWEST_STEPS = 100
#: Steps that a unit needs to be judged: the mean of fewer has too large a part of each of them in it.
FEWEST_OF_UNIT = 30
#: The fewest steps of its own past by which a process is filtered: two, so that it may oscillate.
FEWEST_PASTS = 2
#: The probability of a warning about stationary series, as far as the normal approximation holds.
LEVEL = 0.0005
#: Steps of each half that are looked at, and products of a step that are computed at a time, for many processes.
MOST_STEPS, MOST_PRODUCTS = 1 << 13, 1 << 22
#: The largest autocorrelation of influences that counts, and the smallest standard error: bounds against division by 0.
MOST_REPEATED, SMALLEST_ERROR = 0.95, 1e-12
#: Pairs that a warning names; of the others it gives the number.
MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Correlations:
    """Correlations of processes some steps back with each other, in some steps.

    `variance` and `repeated` are the variances and the lag-1 autocorrelations of the influences of steps on them.
    """

    r: Floats
    variance: Floats
    repeated: Floats
    steps: int

    def apart(self, other: "Correlations") -> tuple[Floats, Floats]:
        """How far these correlations are from others, and the standard errors of that if the true ones are the same."""
        again = np.clip((self.repeated + other.repeated) / 2, 0.0, MOST_REPEATED)
        inflation = (1 + again) / (1 - again)
        error = np.sqrt((self.variance + other.variance) / 2 * inflation * (1 / self.steps + 1 / other.steps))
        return np.abs(self.r - other.r), np.maximum(error, SMALLEST_ERROR)


@dataclass(frozen=True, eq=False)
class Half:
    """Values of some steps, with the unit and the number of each step."""

    values: Floats
    unit: NDArray[np.int64]
    step: NDArray[np.int64]

    def correlations(self, lag: int) -> Correlations | None:
        """The correlations of each process `lag` steps back with each; None if there are too few steps."""
        later = np.arange(lag, len(self.step))
        later = later[_apart(self.unit, self.step, lag)]
        if len(later) < FEWEST_STEPS:
            return None
        scaled = self.values - self.values.mean(axis=0)
        scaled /= np.sqrt((scaled * scaled).mean(axis=0))
        early, late = scaled[later - lag], scaled[later]
        follows = _apart(self.unit[later], self.step[later], 1)
        check()
        influence = early[:, :, None] * late[:, None, :]
        r = influence.mean(axis=0)
        influence -= r * ((early * early)[:, :, None] + (late * late)[:, None, :]) / 2
        influence -= influence.mean(axis=0)
        variance = (influence * influence).mean(axis=0)
        neighbours = (influence[1:] * influence[:-1] * follows[:, None, None]).sum(axis=0) / max(1, int(follows.sum()))
        return Correlations(r, variance, neighbours / np.maximum(variance, np.finfo(np.float64).tiny), len(later))


def halves(processes: Sequence[Column], order: Order, lags: int) -> DataWarning | None:
    """The warning about correlations that differ between the halves of units; None if none does, or if it is unclear.

    The rows of the processes are in the order of time. Only continuous processes are judged, on the steps in which none
    is missing.
    """
    chosen = [column for column in processes if column.levels is None]
    if not chosen or len(order.step) < 2 * FEWEST_STEPS:
        return None
    values = np.stack([np.asarray(column.values, dtype=np.float64) for column in chosen], axis=1)
    with np.errstate(all="ignore"):
        parts = _filtered_halves(values, order, max(lags, FEWEST_PASTS))
        if parts is None:
            return None
        found = _differences(parts, lags, [column.name for column in chosen])
    if not found:
        return None
    pairs = [f"{one!r} and {two!r} ({first:.2f} and {second:.2f})" for one, two, first, second in found]
    return DataWarning(
        "correlations differ between the first and the second half of the steps beyond chance, so that one graph may "
        f"not hold for all of them: those of {listed(pairs, MOST_NAMED, spell=str)}, without what their own "
        "pasts tell; search parts of the series by themselves, and compare the graphs"
    )


def _filtered_halves(values: Floats, order: Order, pasts: int) -> tuple[Half, Half] | None:
    """The first and the second half of all units, filtered by so many steps of the own past of each process.

    None if there are too few steps, or no variation.
    """
    whole = ~np.isnan(values).any(axis=1) & (np.bincount(order.unit)[order.unit] >= FEWEST_OF_UNIT)
    unit, step = order.unit[whole], order.step[whole]
    values = np.stack([without_unit_means(column, unit) for column in values[whole].T], axis=1)
    if not np.isfinite(values).all():
        return None
    late = np.arange(pasts, len(step))[_apart(unit, step, pasts)]
    left = np.empty((len(late), values.shape[1]))
    for i, column in enumerate(values.T):
        past = np.stack([column[late - lag] for lag in range(1, pasts + 1)], axis=1)
        left[:, i] = column[late] - past @ np.linalg.lstsq(past, column[late])[0]
    unit, step = unit[late], step[late]
    if len(late) < 2 * FEWEST_STEPS or not np.isfinite(left).all():
        return None
    spans = np.zeros(int(unit.max()) + 1, dtype=np.int64)
    np.maximum.at(spans, unit, step + 1)
    most = min(MOST_STEPS, max(4 * FEWEST_STEPS, MOST_PRODUCTS // values.shape[1] ** 2))
    # the same units in both halves: as many of the first ones as there is room for
    some = np.cumsum(np.bincount(unit))[unit] <= max(2 * most, int((unit == unit[0]).sum()))
    first = np.flatnonzero(some & (2 * step < spans[unit]))[:most]
    second = np.flatnonzero(some & (2 * step >= spans[unit]))[-most:]
    out = [Half(left[some], unit[some], step[some]) for some in (first, second)]
    if min(len(first), len(second)) < FEWEST_STEPS or not all((half.values.std(axis=0) > 0).all() for half in out):
        return None
    return out[0], out[1]


def _differences(parts: tuple[Half, Half], lags: int, names: Sequence[str]) -> list[tuple[str, str, float, float]]:
    """The pairs of nodes whose correlations differ beyond chance, the most different first, with both correlations."""
    k = len(names)
    compared = k * (k - 1) // 2 + lags * k * k
    beyond = NormalDist().inv_cdf(1 - LEVEL / (2 * compared))
    found: list[tuple[float, str, str, float, float]] = []
    for lag in range(lags + 1):
        first, second = (half.correlations(lag) for half in parts)
        if first is None or second is None:
            break  # larger lags have fewer steps
        apart, error = first.apart(second)
        score = apart / error
        for i, j in np.argwhere(score > beyond).tolist():
            if lag or i < j:
                found.append(
                    (-score[i, j], node_at(names[i], lag), names[j], float(first.r[i, j]), float(second.r[i, j]))
                )
    return [pair[1:] for pair in sorted(found)]


def _apart(unit: NDArray[np.int64], step: NDArray[np.int64], steps: int) -> NDArray[np.bool_]:
    """Which rows, from that of number `steps` on, are so many steps after the row that comes so many before."""
    if not steps:
        return np.ones(len(step), dtype=bool)
    return np.asarray((unit[steps:] == unit[:-steps]) & (step[steps:] - step[:-steps] == steps))
