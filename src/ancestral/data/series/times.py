"""Times: when each row was measured, as numbers of one scale, however the column of times is stored."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats, Labels, is_number, label_of
from ancestral.data.errors import DataError
from ancestral.data.read.column_source import ColumnSource
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.series.steps import MICROSECONDS, Scale, Step
from ancestral.data.series.written_times import read_times
from ancestral.errors import Option, OptionError

__all__ = ["Ticks", "Times", "times_of"]

Ticks: TypeAlias = NDArray[np.int64] | NDArray[np.float64]

_DAY = MICROSECONDS["D"]
#: How an error about a column of times goes on.
_READABLE = "write times as numbers, or as dates such as 2020-01-31, 2020-01-31 12:00, 2020-01 or 2020Q1"


@dataclass(frozen=True, eq=False)
class Times:
    """The time of each row in ticks of a scale; `shown` tells how messages write the time of a row."""

    ticks: Ticks
    scale: Scale
    shown: Callable[[int], str]

    def in_scale_of(self, step: Step, name: str) -> "Times":
        """The times as multiples of what a step counts; `name` is that of the column.

        Raises `OptionError` if they cannot be.
        """
        if step.scale == self.scale:
            return self
        if self.scale == "microsecond" and step.scale == "month":
            return self.in_months()
        if self.scale == "microsecond" and step.scale == "working day" and self._on_working_days:
            days = self._days
            return replace(self, ticks=np.busday_count(days[0], days).astype(np.int64), scale="working day")
        what = {"number": "numbers", "month": "months", "microsecond": "dates"}[self.scale]
        way_out: str | list[str | Option] = "pass a number" if self.scale == "number" else 'pass a duration, as "1D"'
        if self.scale == "month":
            way_out = ["for example ", Option("step", "1M")]
        elif step.scale == "working day" and self.scale == "microsecond":
            what, way_out = "days that are no working days", ["for example ", Option("step", "1D")]
        raise OptionError(
            f"does not fit column {name!r}, which holds {what}",
            option="step",
            value=step.value,
            assigned=True,
            way_out=way_out,
        )

    def in_months(self) -> "Times":
        """Dates as calendar months; those of one month are the same."""
        return replace(self, ticks=self._days.astype("datetime64[M]").astype(np.int64), scale="month")

    @property
    def is_monthly(self) -> bool:
        """Whether dates are all on the same day of a month, or all on the last one, at the same time of the day."""
        if self.scale != "microsecond" or (self.ticks % _DAY != self.ticks[0] % _DAY).any():
            return False
        days = self._days
        day = (days - days.astype("datetime64[M]")).astype(np.int64)
        following = days + np.timedelta64(1, "D")
        return bool((day == day[0]).all() or (following == following.astype("datetime64[M]")).all())

    @property
    def are_working_days(self) -> bool:
        """Whether times are dates without a time of the day, none of them on a Saturday or Sunday."""
        return self.scale == "microsecond" and not (self.ticks % _DAY).any() and self._on_working_days

    @property
    def _on_working_days(self) -> bool:
        """Whether no day is a Saturday or Sunday."""
        return bool(np.is_busday(self._days).all())

    @property
    def _days(self) -> Any:
        """The day of each time, as numpy counts days."""
        return (self.ticks // _DAY).astype(np.int64).astype("datetime64[D]")


def times_of(source: ColumnSource, name: str) -> Times:
    """The times in a column: numbers, dates, or text that writes either.

    Raises DataError, with the row, if a time is missing or cannot be read.
    """
    if (typed := _typed(source, name)) is not None:
        return typed
    read = source.column(name, "discrete")
    if isinstance(read, Labels):
        _refuse_missing(read.codes < 0, source, name)
        if not all(map(is_number, read.levels)):
            return _of_text(read, source, name)
        read = np.array([float(level) for level in read.levels])[read.codes]
    _refuse_missing(~np.isfinite(read), source, name)
    numbers: Floats = read
    return Times(numbers, "number", lambda row: label_of(numbers[row]))


def _of_text(labels: Labels, source: ColumnSource, name: str) -> Times:
    """The times that labels write."""
    written = read_times(labels.levels)
    if isinstance(written, int):
        bad, codes = labels.levels[written], labels.codes
        row = int(np.argmax(codes == written))
        raise DataError(
            f"column {name!r} must hold times of one kind, and {bad!r} in {source.where(row)} cannot be read as one; "
            f"{_READABLE}"
        )
    ticks = _local_or_not(written.ticks[labels.codes], written.local[labels.codes])
    return Times(ticks, written.scale, lambda row: labels.levels[labels.codes[row]])


def _local_or_not(ticks: NDArray[np.int64], local: NDArray[np.int64]) -> NDArray[np.int64]:
    """Local times if all are at the same time of the day, so that days are equally long; otherwise those of UTC."""
    same = (local % _DAY == local[0] % _DAY).all() if len(local) else False
    return local if same else ticks


def _typed(source: ColumnSource, name: str) -> Times | None:
    """The times in a column of a frame whose type is one of dates or durations; None if it has another type."""
    import narwhals as nw

    if not isinstance(source, FrameSource):
        return None
    series = source.frame.get_column(source.frame.columns[source.names.index(name)])
    dtype = series.dtype
    if not dtype.is_temporal():
        return None
    if dtype == nw.Time:
        raise DataError(f"column {name!r} holds times of the day without a date; {_READABLE}")
    _refuse_missing(series.is_null().to_numpy(), source, name)
    if dtype == nw.Duration:
        spans = series.to_numpy().astype("timedelta64[us]").astype(np.int64)
        return Times(spans, "microsecond", lambda row: str(spans[row].astype("timedelta64[us]").item()))
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        local = _microseconds(series.dt.replace_time_zone(None))
        ticks = _local_or_not(_microseconds(series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)), local)
    else:
        ticks = local = _microseconds(series)
    unit: Literal["D", "auto"] = "auto" if (local % _DAY).any() else "D"
    written: Any = local.astype("datetime64[us]")
    return Times(ticks, "microsecond", lambda row: str(np.datetime_as_string(written[row], unit=unit)))


def _microseconds(series: Any) -> NDArray[np.int64]:
    """Dates or datetimes without a time zone as microseconds since 1970."""
    out: NDArray[np.int64] = series.to_numpy().astype("datetime64[us]").astype(np.int64)
    return out


def _refuse_missing(gone: NDArray[np.bool_], source: ColumnSource, name: str) -> None:
    """Raise DataError, with the row, if a time is missing."""
    if gone.any():
        raise DataError(
            f"every row must have a time, and column {name!r} has none in {source.where(int(np.argmax(gone)))}; fill "
            "it in, or remove the row"
        )
