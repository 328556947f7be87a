"""Centring: the means of units are removed, so that lasting differences between units do not look like dependences.

Each continuous column of the windows is centred by itself, in each unit. A regression of centred columns is one with an
intercept for each unit, so windows less units count where one series would have windows less one. Of short units, the
mean has a part of the last steps in it: coefficients of own pasts are too small by about (1 + a) / steps (Nickell,
1981). Levels have no means, and discrete columns stay as they are.

Reference: Nickell (1981), Biases in dynamic models with fixed effects, Econometrica 49.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats

__all__ = ["centred", "without_unit_means"]


def centred(column: Column, unit: NDArray[np.int64]) -> Column:
    """A column without the means of units, given by their codes; a discrete column as it is."""
    if column.levels is not None:
        return column
    return replace(column, values=without_unit_means(np.asarray(column.values, dtype=np.float64), unit))


def without_unit_means(values: Floats, unit: NDArray[np.int64]) -> Floats:
    """Values less their mean in each unit; missing values stay missing and count in no mean."""
    there = ~np.isnan(values)
    rows = np.maximum(np.bincount(unit[there], minlength=int(unit.max(initial=-1)) + 1), 1)
    out = values
    for _ in range(2):  # the second time removes the rounding error of the first mean
        sums = np.bincount(unit[there], weights=out[there], minlength=len(rows))
        out = out - (sums / rows)[unit]
    return out
