"""The shape of a column in a few characters: its numbers in words, its levels, and a tiny histogram."""

from collections.abc import Sequence

from ancestral.data.survey.column_survey import ColumnSurvey
from ancestral.printing import counted, visible

__all__ = ["bars", "histogram_of", "levels_in_words", "number", "shape_in_words"]

#: Characters of a histogram, from low to high; where there is nothing, there is a space.
BARS = "▁▂▃▄▅▆▇█"
#: Levels that are shown, and characters of each.
MOST_LEVELS, LONGEST = 4, 14
#: Levels up to which a discrete column has a histogram.
MOST_BARS = 10
#: The skewness, and the share of zeros, from which on they are told.
SKEWED, MANY_ZEROS = 1.0, 0.2


def bars(counts: Sequence[int]) -> str:
    """Counts as bars; the largest is a full one.

    >>> bars([0, 1, 4, 8])
    ' ▁▄█'
    """
    most = max(counts, default=0)
    return "".join(" " if not count else BARS[max(0, -(-count * len(BARS) // most) - 1)] for count in counts)


def histogram_of(column: ColumnSurvey) -> str:
    """The histogram of a column; empty if it has too many levels, or its values are gone."""
    if column.kind in ("continuous", "weights"):
        return "" if column.histogram is None else bars(column.histogram)
    rows = list((column.levels or {}).values())
    return bars(rows) if len(rows) <= MOST_BARS else ""


def number(value: float) -> str:
    """A number in four digits.

    >>> number(1234567.0), number(0.000123456), number(12.0), number(3.14159)
    ('1,234,567', '0.0001235', '12', '3.142')
    """
    if value == round(value) and abs(value) < 1e9:
        return f"{round(value):,}"
    return f"{value:,.1f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}"


def levels_in_words(column: ColumnSurvey) -> str:
    """The first levels of a column with their numbers of rows."""
    levels = column.levels or {}
    shown = [f"{_short(level)}: {rows:,}" for level, rows in list(levels.items())[:MOST_LEVELS]]
    return ", ".join(shown) + (f" and {len(levels) - MOST_LEVELS:,} more" if len(levels) > MOST_LEVELS else "")


def _short(level: str) -> str:
    text = visible(level)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def shape_in_words(column: ColumnSurvey) -> str:
    """The levels of a column that has some; of a continuous one its range, its middle, and what is unusual about it."""
    if column.kind is None:
        return ""
    if column.kind in ("discrete", "ordinal"):
        return levels_in_words(column)
    if column.kind == "clusters":
        return "" if column.different is None else counted(column.different, "cluster")
    if column.low is None or column.high is None:
        return "" if column.mean is None or column.sd is None else f"mean {number(column.mean)}, sd {number(column.sd)}"
    if column.median is None:
        middle = "" if column.mean is None else f"mean {number(column.mean)}"
        middle += "" if column.sd is None else f", sd {number(column.sd)}"
        parts = [f"{number(column.low)} to {number(column.high)}", middle]
    else:
        parts = [f"{number(column.low)} … {number(column.median)} … {number(column.high)}"]
    if column.skewness is not None and abs(column.skewness) >= SKEWED:
        parts.append(f"skewness {column.skewness:.1f}")
    if column.zeros and column.values and column.zeros >= MANY_ZEROS * column.values:
        parts.append(f"{100 * column.zeros / column.values:.0f} % zeros")
    return ", ".join(filter(None, parts))
