"""Times of series: how they are stored and written, which steps are even, and which rows are missing."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ancestral.data.series import windows_of
from ancestral.data.series.steps import Step, checked_step
from ancestral.data.series.written_times import Written, read_times
from ancestral.errors import AncestralError

DAY = 24 * 3600 * 10**6


def values(rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {"a": rng.normal(size=rows), "b": rng.normal(size=rows)}


def step_of(times: Any, **options: Any) -> str | float | None:
    """The step of windows of rows with these times, in which no step is missing."""
    report = windows_of(pl.DataFrame({"time": times, **values(len(times))}), lags=1, time="time", **options).report
    assert report.used == len(times) - 1
    return report.step


def refused(times: Any, **options: Any) -> str:
    with pytest.raises(AncestralError) as error:
        windows_of(pl.DataFrame({"time": times, **values(len(times))}), lags=1, time="time", **options)
    return str(error.value)


# -- the option step --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "size", "scale", "again"),
    [
        ("1D", DAY, "microsecond", "1D"),
        ("D", DAY, "microsecond", "1D"),
        ("7D", 7 * DAY, "microsecond", "1W"),
        ("36h", 3 * DAY // 2, "microsecond", "36h"),
        ("90min", 5400 * 10**6, "microsecond", "90min"),
        ("0.5s", 500_000, "microsecond", "0.5s"),
        (dt.timedelta(hours=2), 7200 * 10**6, "microsecond", "2h"),
        ("1M", 1, "month", "1M"),
        ("1Q", 3, "month", "1Q"),
        ("2Y", 24, "month", "2Y"),
        ("5B", 5, "working day", "5B"),
        (2, 2, "number", 2),
        (0.25, 0.25, "number", 0.25),
        ("0.25", 0.25, "number", 0.25),
    ],
)
def test_steps_are_read_and_written(written: Any, size: float, scale: Any, again: Any) -> None:
    assert checked_step("step", written) == Step(size, scale)
    assert checked_step("step", written).value == again
    assert checked_step("step", again) == Step(size, scale)


@pytest.mark.parametrize("bad", ["1m", "1x", "", "-1D", 0, -2, float("inf"), float("nan"), True, "0D", ["1D"], "1.5M"])
def test_other_steps_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="step must be a duration or a number above 0, got"):
        checked_step("step", bad)


# -- written times ----------------------------------------------------------------------------------------------------


def microseconds(*when: int) -> int:
    return int(dt.datetime(*when, tzinfo=dt.UTC).timestamp()) * 10**6  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020-02-29", (2020, 2, 29)),
        ("2020/2/9", (2020, 2, 9)),
        ("2020.12.31", (2020, 12, 31)),
        ("2020-01-31T13:05", (2020, 1, 31, 13, 5)),
        ("2020-01-31 13:05:09", (2020, 1, 31, 13, 5, 9)),
        ("2020-01-31 13:05 UTC", (2020, 1, 31, 13, 5)),
        ("2020-01-31T13:05:00+02:00", (2020, 1, 31, 11, 5)),
        ("2021-W01-1", (2021, 1, 4)),
        ("1812-06-24", (1812, 6, 24)),
    ],
)
def test_dates_are_read_with_the_year_first(text: str, expected: tuple[int, ...]) -> None:
    found = read_times([text])
    assert isinstance(found, Written)
    assert (found.scale, found.ticks.tolist()) == ("microsecond", [microseconds(*expected)])


@pytest.mark.parametrize(
    ("text", "month"), [("2020-01", 0), ("2020-12", 11), ("2020M03", 2), ("2020Q1", 0), ("2020-Q4", 9), ("2020 Q2", 3)]
)
def test_months_and_quarters_are_read(text: str, month: int) -> None:
    found = read_times([text])
    assert isinstance(found, Written)
    assert (found.scale, found.ticks.tolist()) == ("month", [2020 * 12 + month])


@pytest.mark.parametrize("bad", ["31.01.2020", "01/31/2020", "soon", "2020-13-01", "2020Q5", "12:30", ""])
def test_the_first_text_that_is_no_time_is_found(bad: str) -> None:
    assert read_times(["2020-01-01", "2020-01-02", bad, "2020-01-04"]) == 2


def test_times_of_several_kinds_are_not_mixed() -> None:
    assert read_times(["2020-01-01", "2020-01"]) == 1
    assert read_times(["2020-01-01T00:00", "2020-01-01T01:00Z"]) == 1


# -- columns of times -------------------------------------------------------------------------------------------------


def test_times_are_numbers_dates_datetimes_and_durations() -> None:
    start = dt.datetime(2020, 2, 27)
    assert step_of(np.arange(1990, 2010)) == 1
    assert step_of(np.arange(20) * 0.1) == pytest.approx(0.1)
    assert step_of([start + dt.timedelta(hours=6 * i) for i in range(20)]) == "6h"
    assert step_of([(start + dt.timedelta(days=i)).date() for i in range(20)]) == "1D"
    assert step_of([dt.timedelta(minutes=15 * i) for i in range(20)]) == "15min"
    assert step_of([f"{1990 + i}" for i in range(20)]) == 1
    assert step_of([str((start + dt.timedelta(days=7 * i)).date()) for i in range(20)]) == "1W"


def test_monthly_dates_are_even_though_months_are_not() -> None:
    first = pd.date_range("2000-01-01", periods=240, freq="MS")
    for days, step in ((first, "1M"), (first + pd.offsets.MonthEnd(), "1M"), (first[::3], "1Q"), (first[::12], "1Y")):
        assert step_of([day.date() for day in days]) == step
    assert step_of([f"{2020 + i // 12}-{i % 12 + 1:02}" for i in range(20)]) == "1M"
    assert step_of([f"{2020 + i // 4}Q{i % 4 + 1}" for i in range(20)]) == "1Q"


def test_business_months_need_a_step() -> None:
    days = [day.date() for day in pd.date_range("2020-01-01", periods=20, freq="BME")]
    assert "must be evenly spaced" in refused(days)
    assert step_of(days, step="1M") == "1M"


def test_local_days_are_equally_long_in_spring() -> None:
    days = pd.date_range("2020-03-20", periods=20, tz="Europe/Berlin")
    frame = pd.DataFrame({"time": days, **values(20)})
    hours = pd.DataFrame(
        {"time": pd.date_range("2020-03-28 12:00", periods=20, freq="h", tz="Europe/Berlin"), **values(20)}
    )
    for library in (lambda one: one, pl.from_pandas, pa.Table.from_pandas):
        assert windows_of(library(frame), lags=1, time="time").report.step == "1D"
        assert windows_of(library(hours), lags=1, time="time").report.step == "1h"
    assert step_of([day.isoformat() for day in days]) == "1D"
    assert step_of([hour.isoformat() for hour in hours["time"]]) == "1h"


def test_objects_and_periods_of_pandas_are_times() -> None:
    months = pd.period_range("2020-01", periods=20, freq="M")
    assert windows_of(pd.DataFrame({"time": months, **values(20)}), lags=1, time="time").report.step == "1M"
    dates = [dt.date(2020, 2, 20) + dt.timedelta(days=i) for i in range(20)]
    frame = pd.DataFrame({"time": np.array(dates, dtype=object), **values(20)})
    assert windows_of(frame, lags=1, time="time").report.step == "1D"


def test_dates_of_text_files_are_times_and_no_variables(tmp_path: Path) -> None:
    frame = pl.DataFrame({"time": [f"2020-{i % 12 + 1:02}" for i in range(12)], **values(12)})
    frame.write_csv(tmp_path / "months.csv")
    windows = windows_of(tmp_path / "months.csv", lags=1, time="time")
    assert (windows.window.processes, windows.report.step) == (("a", "b"), "1M")
    (tmp_path / "german.csv").write_text(
        "tag;a;b\n" + "".join(f"2020-01-{i:02};{i % 7},5;{i * i % 11},25\n" for i in range(1, 21))
    )
    german = windows_of(tmp_path / "german.csv", lags=1, time="tag")
    assert german.table is not None
    assert german.table.column("a[t]").values.tolist() == [i % 7 + 0.5 for i in range(2, 21)]


# -- uneven and missing steps -----------------------------------------------------------------------------------------


def test_the_first_uneven_step_is_named_with_the_way_out() -> None:
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(20)]
    message = refused([*days[:5], *days[6:12], *days[13:]])
    assert message == (
        "times must be evenly spaced, and the usual step is 1D, but that between 2020-01-05 and 2020-01-07 is another; "
        'pass step="1D", so that missing steps are gaps, or, if each row is a step, sort the rows and leave time= out'
    )
    assert "the usual step is 0.5, but that between 2 and 2.75 is another; pass step=0.5" in refused(
        [0.0, 0.5, 1.0, 1.5, 2.0, 2.75, 3.25, 3.75, 4.25]
    )


def test_working_days_are_offered_and_have_no_weekends() -> None:
    days = [day.date() for day in pd.bdate_range("2020-01-01", periods=30)]
    assert 'pass step="1D", or step="1B" for working days' in refused(days)
    assert step_of(days, step="1B") == "1B"
    holiday = windows_of(
        pl.DataFrame({"time": [*days[:10], *days[11:]], **values(29)}), lags=1, time="time", step="1B"
    ).report
    assert (holiday.missing_steps, holiday.possible, holiday.used) == (1, 29, 27)
    assert "does not fit column 'time', which holds days that are no working days" in refused(
        [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(20)], step="1B"
    )


def test_with_a_step_missing_steps_are_gaps() -> None:
    hours = [dt.datetime(2020, 1, 1) + dt.timedelta(hours=i) for i in (*range(10), *range(15, 30), 1000)]
    frame = pl.DataFrame({"time": hours, **values(len(hours))})
    report = windows_of(frame, lags=2, time="time", step="1h").report
    assert (report.steps, report.missing_steps, report.possible, report.used) == (26, 975, 999, 8 + 13)


def test_steps_of_units_may_begin_at_any_time_but_are_equally_long() -> None:
    one, two = np.arange(20) * 2.0, 1001 + np.arange(20) * 2.0
    frame = pl.DataFrame({"id": ["u"] * 20 + ["v"] * 20, "time": [*one, *two], **values(40)})
    assert windows_of(frame, lags=1, time="time", unit="id").report.step == 2
    other = frame.with_columns(time=pl.Series([*one, *(1001 + np.arange(20))]))
    with pytest.raises(ValueError, match="times of unit 'u' must be evenly spaced, and the usual step is 1"):
        windows_of(other, lags=1, time="time", unit="id")
    parts = [other.filter(pl.col("id") == unit).drop("id") for unit in "uv"]
    with pytest.raises(ValueError, match="the usual step is 2, but that between 1001 and 1002 is another; pass step=2"):
        windows_of(iter(parts), lags=1, time="time")


def test_times_between_steps_are_refused() -> None:
    assert "times must be whole steps of 2 apart, and 8 and 11 are not; round the times" in refused(
        [0, 2, 4, 8, 11, 13], step=2
    )
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(20)]
    assert "are at the same; remove one of them, or choose another step=" in refused(days, step="1M")


def test_steps_of_another_scale_are_refused() -> None:
    assert "step=\"1D\" does not fit column 'time', which holds numbers; pass a number" in refused(
        np.arange(20), step="1D"
    )
    assert 'step="1D" does not fit column \'time\', which holds months; for example step="1M"' in refused(
        [f"2020-{i + 1:02}" for i in range(12)], step="1D"
    )


def test_rounding_of_times_does_not_make_steps_uneven() -> None:
    times = 1.6e9 + np.cumsum(np.full(2000, 0.1))
    assert step_of(times) == pytest.approx(0.1, rel=1e-5)


# -- faults of single rows --------------------------------------------------------------------------------------------


def test_equal_times_are_named_with_their_rows() -> None:
    assert (
        "rows must have different times, and row 3 and row 8 have the same, 2; remove one of them, or, if they are "
        in (refused([0, 1, 2, 3, 4, 5, 6, 2, 8, 9]))
    )
    frame = pl.DataFrame({"id": list("uuuuvvvv"), "time": [1, 2, 3, 4, 1, 2, 2, 3], **values(8)})
    with pytest.raises(AncestralError) as error:
        windows_of(frame, lags=1, time="time", unit="id")
    assert str(error.value) == (
        "rows of unit 'v' must have different times, and row 6 and row 7 have the same, 2; remove one of them"
    )


def test_equal_times_of_a_text_file_are_named_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("day,a\n" + "".join(f"2020-01-{max(i, 2):02},{i * i}.5\n" for i in range(1, 20)))
    with pytest.raises(ValueError, match=r"line 2 of twice\.csv and line 3 of twice\.csv have the same, 2020-01-02"):
        windows_of(path, lags=1, time="day")


def test_missing_and_unreadable_times_are_named_with_their_rows() -> None:
    assert "every row must have a time, and column 'time' has none in row 3" in refused([0, 1, None, 3, 4, 5])
    assert "has none in row 2" in refused([dt.date(2020, 1, 1), None, dt.date(2020, 1, 3)])
    assert "column 'time' must hold times of one kind, and 'soon' in row 3 cannot be read as one; write times as" in (
        refused(["2020-01-01", "2020-01-02", "soon", "2020-01-04"])
    )
    assert "holds times of the day without a date" in refused([dt.time(hour) for hour in range(20)])
