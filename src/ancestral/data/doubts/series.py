"""Rows that look like a series: their values depend on those of the row before, as in measurements over time.

Independent rows have lag-1 autocorrelations of about ± 1/√n. Two independent series with autocorrelations a and b have
a correlation whose variance is larger by (1 + ab) / (1 - ab) (Bartlett, 1935); one series beside independent rows does
no harm, nor do two whose autocorrelations have different signs. So a series is told if two columns have
autocorrelations of at least 0.3, or both of at most -0.3, beyond chance also by ranks.

Rows that were sorted resemble each other, too. Where a label comes in runs, only rows of the same run are compared, and
values with their mean in the run; rows that are sorted by a measurement are not judged. Rows that take turns, as before
and after, differ from the row before: a negative autocorrelation counts only if it stays when the means of odd and of
even rows are removed.

Reference: Bartlett (1935), Some aspects of the time-correlation problem in regard to tests of significance, Journal of
the Royal Statistical Society 98.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.seen_rows import SeenRows, numbers_in
from ancestral.errors import Function
from ancestral.printing import counted, listed

__all__ = ["series"]

#: Rows that are needed to tell.
FEWEST_ROWS = 30
#: Rows of a column that must differ from its usual value.
FEWEST_UNUSUAL = 20
#: The smallest absolute autocorrelation that is told, of at least two columns: with it, 1.2 rows count as one.
LEAST = 0.3
#: The probability of an autocorrelation by chance, divided by the number of columns, below which it is told.
BY_CHANCE = 0.001
#: Rows that are judged, the first ones; a series is one there, too.
MOST_ROWS = 1 << 14
#: Columns that a doubt names; of the others it gives the number.
MOST_NAMED = 3


def series(seen: SeenRows) -> list[Doubt]:
    """The doubt about the rows of a table, if there is one."""
    rows, seen = seen.rows, seen.first(MOST_ROWS)
    if rows < FEWEST_ROWS or len(seen.table.columns) < 2:
        return []
    beyond = max(LEAST, _normal_quantile(BY_CHANCE / len(seen.table.columns)) / math.sqrt(seen.rows))
    suspects: dict[str, tuple[int, Floats]] = {}
    for column in seen.table.columns:
        numbers = numbers_in(column)
        if numbers is not None and abs(plain := _autocorrelation(numbers, None)) >= beyond:
            suspects[column.name] = (1 if plain > 0 else -1), numbers
    if len(suspects) < 2 or seen.sorted_measurements:
        return []
    found: dict[int, dict[str, float]] = {1: {}, -1: {}}
    for name, (sign, numbers) in suspects.items():
        number = _autocorrelation(_ranks(numbers), seen.segments)
        if sign < 0:
            number = max(number, _autocorrelation(_ranks(_without_turns(numbers)), None))
        if sign * number >= beyond and not _only_counts(numbers) and _varies(numbers):
            found[sign][name] = number
    # correlations vary more where both autocorrelations have the same sign
    shown = {name: number for some in found.values() if len(some) > 1 for name, number in some.items()}
    if not shown:
        return []
    strongest = sorted(shown, key=lambda name: -abs(shown[name]))
    product = max(math.prod(sorted(map(abs, some.values()))[-2:]) for some in found.values() if len(some) > 1)
    effective = rows * (1 - product) / (1 + product)
    named = listed(strongest, MOST_NAMED, spell=lambda name: f"{name!r} ({shown[name]:.2f})")
    return [
        Doubt(
            "series",
            strongest,
            f"rows depend on the row before them, as in a series: lag-1 autocorrelation of {named}. For the strongest "
            f"pair {counted(rows, 'row')} are worth {_rounded(effective)}, so p-values are too small; search rows in "
            "the order of time with ",
            Function("discover_series", "series"),
            ", or average over longer spans (ignore this if the rows were sorted by something that is not in the "
            "table)",
        )
    ]


def _without_turns(values: Floats) -> Floats:
    """The values less the mean of the odd, or of the even, rows."""
    out = values.copy()
    for turn in (0, 1):
        there = out[turn::2]
        there -= there[~np.isnan(there)].mean() if not np.isnan(there).all() else 0.0
    return out


def _rounded(effective: float) -> str:
    digits = max(1, int(10 ** (len(str(int(effective))) - 2)))
    return f"about {max(1, round(effective / digits) * digits):,}"


def _varies(values: Floats) -> bool:
    """Whether enough rows differ from the usual value: a few ones among zeros may be neighbours by chance."""
    counts = np.unique(values[~np.isnan(values)], return_counts=True)[1]
    return int(counts.sum() - counts.max()) >= FEWEST_UNUSUAL


def _only_counts(values: Floats) -> bool:
    """Whether values rise by equal steps, as the time does: that says nothing about the rows."""
    steps = np.diff(values)
    return bool(np.allclose(steps, steps[0], rtol=1e-6, atol=0.0))


def _autocorrelation(values: Floats, segments: NDArray[np.int64] | None) -> float:
    """The correlation of values with those of the row before; within segments, from their means there."""
    there = ~np.isnan(values)
    gaps = not there.all()
    if segments is None:
        centred = values - (values[there].mean() if gaps else values.mean())
    else:
        rows = np.bincount(segments[there])
        means = np.bincount(segments[there], weights=values[there]) / np.maximum(rows, 1)
        centred = values - means[segments]
    if gaps:
        centred[~there] = 0.0
    products = centred[1:] * centred[:-1] if segments is not None else None
    with np.errstate(over="ignore", invalid="ignore"):
        square = float(centred @ centred)
        if not 0 < square < math.inf:
            return 0.0
        if products is None or segments is None:
            return float(centred[1:] @ centred[:-1]) / square
        return float(products[segments[1:] == segments[:-1]].sum()) / square


def _ranks(values: Floats) -> Floats:
    """The ranks of the values, equal ones by their mean; NaN stays NaN."""
    there = ~np.isnan(values)
    _, place, counts = np.unique(values[there], return_inverse=True, return_counts=True)
    out = np.full(values.size, np.nan)
    out[there] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return out


def _normal_quantile(upper: float) -> float:
    """The value that a standard normal variable exceeds with this probability."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - upper)
