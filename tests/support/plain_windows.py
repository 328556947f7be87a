"""Windows of series by their definition: a dictionary from units and steps to values, and a loop over all windows."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

__all__ = ["Values", "panel", "plain_moments", "plain_windows"]

#: The values of the processes by unit and step; NaN where one is missing, and no entry where a step is.
Values = Mapping[tuple[str, int], Sequence[float]]


def plain_windows(values: Values, lags: int, *, whole: bool = True) -> list[tuple[str, tuple[float, ...]]]:
    """The unit of each window, and its values, step by step from the earliest to the latest; units by name.

    `whole`: windows with a missing value are left out; otherwise those without any value are.
    """
    count = len(next(iter(values.values())))
    nothing = (math.nan,) * count
    out = []
    for unit in sorted({unit for unit, _ in values}):
        steps = [step for name, step in values if name == unit]
        for end in range(min(steps) + lags, max(steps) + 1):
            row = tuple(v for step in range(end - lags, end + 1) for v in values.get((unit, step), nothing))
            gone = [math.isnan(v) for v in row]
            if not (any(gone) if whole else all(gone)):
                out.append((unit, row))
    return out


def plain_moments(windows: Sequence[tuple[str, tuple[float, ...]]]) -> np.ndarray:
    """The sums of products of deviations from the means of units."""
    total = np.zeros((len(windows[0][1]),) * 2)
    for unit in {unit for unit, _ in windows}:
        rows = np.array([row for name, row in windows if name == unit])
        deviations = rows - rows.mean(axis=0)
        total += deviations.T @ deviations
    return total


def panel(
    rng: np.random.Generator, sizes: Mapping[str, int], *, processes: int = 2, share: float = 0.5
) -> pl.DataFrame:
    """Series of several units with means of their own, as a frame with the columns `unit`, `day`, `a`, `b`, …"""
    parts = []
    for unit, steps in sizes.items():
        values = rng.normal(size=(steps, processes))
        for step in range(1, steps):
            values[step] += share * values[step - 1]
        values += 3 * rng.normal(size=processes)
        columns = {chr(ord("a") + i): values[:, i] for i in range(processes)}
        parts.append(pl.DataFrame({"unit": [unit] * steps, "day": np.arange(steps), **columns}))
    return pl.concat(parts)
