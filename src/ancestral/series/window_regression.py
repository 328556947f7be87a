"""Regression over windows: slopes as in any regression, with errors that allow for rows which depend on each other.

Windows overlap, and what is not in the regression lasts from one step to the next, so that neighbouring rows do not err
independently. The means of several units are removed, as if each unit had an intercept of its own. With many units,
rows of a unit may depend on each other in any way: errors are estimated between units (Liang & Zeger 1986). With few,
they are estimated within units, by the steps between rows (`newey_west`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError, Moments, Table
from ancestral.data.column_kinds import Floats
from ancestral.data.series import Windows
from ancestral.data.series.centring import without_unit_means
from ancestral.effects import Effect, regression_effect
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import by_name
from ancestral.printing import counted
from ancestral.series.newey_west import fixed_b_quantile, newey_west, usual_bandwidth

__all__ = ["MANY_UNITS", "table_of", "windows_effect"]

#: With at least so many units, errors are estimated between units; with fewer, such errors are too uncertain.
MANY_UNITS = 20


def windows_effect(
    windows: Windows,
    x: Sequence[str],
    y: str,
    given: frozenset[str],
    confidence: float = 0.95,
    bandwidth: int | None = None,
) -> Effect:
    """The slopes of x in the regression of y on x and the given nodes, over the windows in which all are known.

    `bandwidth` is that of Newey–West errors, by default a rule's; it does not apply between many units.

    All nodes must have numbers. Raises `DataError` for windows without rows, too few windows, a node with a single
    value, or collinear nodes; `OptionError` for a bandwidth that does not apply.
    """
    causes = [*x, *sorted(given, key=by_name)]
    rows = _rows(windows, [*causes, y])
    correlation = rows.values @ rows.values.T
    moments = Moments((*causes, y), len(rows.unit) - rows.lost, None, correlation)
    plain = regression_effect(moments, x, y, given, confidence)
    inverse = np.linalg.inv(correlation[:-1, :-1])
    beta = inverse @ correlation[:-1, -1]
    residual = rows.values[-1] - beta @ rows.values[:-1]
    influence = (inverse[: len(x)] @ (rows.values[:-1] * residual)).T
    if rows.units >= MANY_UNITS:
        refuse_bandwidth(bandwidth, rows.units)
        spread, reach, note = _between_units(rows, influence, len(causes), plain.confidence)
    else:
        lags = windows.window.lags
        spread, reach, note = _within_units(rows, influence, len(causes), lags, plain.confidence, bandwidth)
    scale = rows.scales[-1] / rows.scales[: len(x)]
    estimate, error = np.array(plain.estimates) * scale, np.sqrt(spread) * scale
    notes = [note, *([f"{counted(rows.gone, 'window')} without a value were left out"] if rows.gone else [])]
    if rows.lost:
        notes.append("unit means were removed, which makes effects of own pasts too small if units have few steps")
    return replace(
        plain,
        estimates=tuple(estimate.tolist()),
        errors=tuple(error.tolist()),
        lows=tuple((estimate - reach * error).tolist()),
        highs=tuple((estimate + reach * error).tolist()),
        rows=len(rows.unit),
        assumed=("relations are linear, and the same at every step",),
        notes=tuple(notes),
    )


@dataclass(frozen=True, eq=False)
class _Rows:
    """Columns without means and of length 1, a row of `values` for each, and the unit and step of each of their rows.

    `scales` are their lengths, `lost` is how many means were removed beyond one, `gone` how many windows had a value
    missing.
    """

    values: Floats
    scales: Floats
    unit: NDArray[np.int64]
    step: NDArray[np.int64]
    lost: int
    gone: int

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.unit[-1]) + 1

    def left(self, causes: int) -> int:
        """The degrees of freedom of the residuals of a regression on so many columns."""
        return len(self.unit) - causes - 1 - self.lost


def table_of(windows: Windows) -> Table:
    """The windows as a table. Raises `DataError` if their rows are gone."""
    if windows.table is None:
        raise DataError(
            "an effect needs the windows themselves, and units that were summed up one after the other have none left; "
            "pass ",
            Option("in_memory", True),
            " to keep them",
        )
    return windows.table


def _rows(windows: Windows, names: Sequence[str]) -> _Rows:
    """These columns of the windows in which all of them are known."""
    table = table_of(windows).select(names)
    there = ~np.any([column.missing for column in table.columns], axis=0)
    if there.sum() < 2:
        raise DataError(f"no two windows have all of {', '.join(map(repr, names))}; adjust for fewer with ", _GIVEN)
    unit = np.unique(windows.unit[there], return_inverse=True)[1].astype(np.int64)
    several = bool(windows.report.centred)
    values, scales = np.empty((len(names), int(there.sum()))), np.empty(len(names))
    for i, column in enumerate(table.columns):
        read = np.asarray(column.values[there], dtype=np.float64)
        size = float(np.abs(read - read[0]).max()) or 1.0
        own = without_unit_means((read - read[0]) / size, unit if several else np.zeros_like(unit))
        length = float(np.sqrt(own @ own))
        values[i], scales[i] = own / (length or 1.0), length * size
    lost = int(unit[-1]) if several else 0
    return _Rows(values, scales, unit, windows.step[there], lost, int((~there).sum()))


def refuse_bandwidth(bandwidth: int | None, units: int) -> None:
    """Raise `OptionError` for a bandwidth where errors are estimated between so many units."""
    if bandwidth is not None:
        raise OptionError(
            f"does not apply to {counted(units, 'unit')}: errors are estimated between units",
            option="bandwidth",
            value=bandwidth,
            assigned=True,
            way_out="leave it out",
        )


def _between_units(rows: _Rows, influence: Floats, causes: int, confidence: float) -> tuple[Floats, float, str]:
    """The variances of standardised slopes between units, how far intervals reach, and how they were estimated.

    Refuses too few units for so many causes.
    """
    from scipy.stats import t as student

    count, n = rows.units, len(rows.unit)
    if count < causes + 2:
        raise DataError(
            f"errors between units need more units than the {counted(causes, 'node')} of the regression and one, got "
            f"{count:,}; adjust for fewer with ",
            _GIVEN,
        )
    sums = np.stack([np.bincount(rows.unit, weights=column) for column in influence.T])
    factor = count / (count - 1) * (n - 1) / (n - causes - 1)
    spread = (sums**2).sum(axis=1) * factor
    reach = float(student.ppf((1 + confidence) / 2, count - 1))
    return spread, reach, f"errors are estimated between {count:,} units"


def _within_units(
    rows: _Rows, influence: Floats, causes: int, lags: int, confidence: float, bandwidth: int | None
) -> tuple[Floats, float, str]:
    """The variances of standardised slopes by Newey & West, how far intervals reach, and how they were estimated."""
    n, left = len(rows.unit), rows.left(causes)
    longest = int(np.bincount(rows.unit).max())
    if bandwidth is not None and bandwidth >= longest:
        raise OptionError(
            f"must be below the number of windows of the longest unit, {longest:,}",
            option="bandwidth",
            value=bandwidth,
            way_out=f"leave it out for {usual_bandwidth(n, rows.units, lags)}",
        )
    chosen = usual_bandwidth(n, rows.units, lags) if bandwidth is None else bandwidth
    spread = newey_west(influence, rows.unit, rows.step, chosen) * n / left
    reach = fixed_b_quantile(confidence, n, rows.units, chosen, left)
    return spread, reach, f"errors by Newey and West, over {counted(chosen, 'step')}"


_GIVEN = Option("given")
