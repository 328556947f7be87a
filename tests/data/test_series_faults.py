"""Series that are refused, by name and with the way out, and those about which there is a warning."""

import datetime as dt
import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

from ancestral.data import DataWarning
from ancestral.data.column import Column
from ancestral.data.series import windows_of
from ancestral.data.series.halves import Half, halves
from ancestral.data.series.order import Order, in_given_order
from ancestral.data.series.trends import StepProducts
from ancestral.errors import AncestralError, UnknownName
from ancestral.options import TableOptions
from tests.support.plain_windows import panel

Rng = np.random.Generator


def refusal(source: Any, *, lags: Any = 1, **options: Any) -> str:
    with pytest.raises(AncestralError) as error:
        windows_of(source, lags=lags, **options)
    return str(error.value)


def warned(source: Any, *, lags: int = 1, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        windows_of(source, lags=lags, **options)
    assert all(issubclass(one.category, DataWarning) for one in found)
    return [str(one.message) for one in found]


def noise(rows: int = 30, names: str = "ab", seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=rows) for name in names}


def frame_of(rows: int = 30, names: str = "ab", **columns: Any) -> pl.DataFrame:
    return pl.DataFrame({**columns, **noise(rows, names)})


# -- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lags", [0, -1, 1.5, "2", True, None])
def test_lags_are_whole_numbers_of_at_least_one(lags: Any) -> None:
    assert refusal(frame_of(), lags=lags).startswith("lags must be a whole number of at least 1, got")


def test_windows_are_shorter_than_a_third_of_all_steps() -> None:
    message = "lags must be below a third of the steps of all units, which are 30 steps, got 10; pass at most 9"
    assert refusal(frame_of(), lags=10) == message
    assert windows_of(frame_of(names="a"), lags=9).report.used == 21
    parts = panel(np.random.default_rng(1), {"u": 20, "v": 10})
    assert refusal(parts, lags=10, unit="unit", time="day") == message
    assert refusal(iter([parts.drop("unit")[:20], parts.drop("unit")[20:]]), lags=10, time="day") == message


def test_units_may_be_short_if_there_are_many() -> None:
    parts = panel(np.random.default_rng(1), {f"u{i}": 4 for i in range(30)})
    assert windows_of(parts, lags=2, unit="unit", time="day").report.used == 60


def test_columns_of_times_and_units_must_be_there_and_differ() -> None:
    frame = frame_of(day=range(30))
    with pytest.raises(UnknownName, match=r"unknown column 'dya'; did you mean 'day'\?"):
        windows_of(frame, lags=1, time="dya")
    with pytest.raises(UnknownName, match="unknown column 'id'"):
        windows_of(frame, lags=1, unit="id")
    assert 'time="day" cannot be combined with unit="day": one column cannot be both' in refusal(
        frame, time="day", unit="day"
    )
    assert refusal(frame, time=3).startswith("time must be a string, got 3")


def test_a_step_needs_times() -> None:
    assert 'step="1D" needs time=, the column that tells which steps are missing' in refusal(frame_of(), step="1D")


def test_options_that_series_do_not_take_are_refused() -> None:
    frame = frame_of(w=range(30))
    for name in ("weights", "clusters"):
        assert "does not apply to series" in refusal(frame, options=TableOptions(**{name: "w"}))  # type: ignore[arg-type]
    assert "names=['x', 'y'] does not apply to a frame" in refusal(frame, options=TableOptions(names=["x", "y"]))
    assert "missing must be one of 'drop', 'testwise', 'refuse', got 'impute'" in refusal(frame, missing="impute")


@pytest.mark.parametrize("source", [{1, 2}, frozenset("ab"), {"a": [1, 2], "b": [3, 4]}])
def test_what_has_no_order_is_no_series(source: Any) -> None:
    assert "is not a table, and its items have no order; pass a frame, an array" in refusal(source)


def test_arrays_of_a_list_must_fit() -> None:
    message = refusal([np.zeros((20, 2)), np.zeros((20, 3))])
    assert "equally many columns, and array 2 has the shape (20, 3) beside (20, 2)" in message


# -- units ------------------------------------------------------------------------------------------------------------


def test_missing_units_are_named_with_their_rows() -> None:
    units = ["u"] * 10 + [None] + ["v"] * 19
    assert "every row must belong to a unit, and column 'id' is missing in row 11" in refusal(
        frame_of(id=units), unit="id"
    )


def test_a_unit_for_each_row_is_refused() -> None:
    assert refusal(frame_of(id=[f"p{i}" for i in range(30)]), unit="id") == (
        "column 'id' has a different value in each of 30 rows, so no unit has two steps; name the column that tells "
        "which rows belong to one series, or leave unit= out if all rows do"
    )


def test_units_that_are_all_too_short_are_refused() -> None:
    frame = frame_of(40, id=[f"p{i // 10}" for i in range(40)]).with_columns(
        a=pl.when(pl.int_range(pl.len()) % 3 == 0).then(None).otherwise(pl.col("a"))
    )
    assert refusal(frame, lags=3, unit="id") == (
        'none of 4 units has 4 complete steps in a row, as lags=3 needs; pass fewer lags=, missing="testwise", or '
        "drop= the columns with most missing values"
    )


def test_a_unit_that_goes_on_in_a_later_frame_is_refused() -> None:
    frame = panel(np.random.default_rng(2), {"u": 20, "v": 20})
    assert refusal(iter([frame[:30], frame[30:]]), unit="unit", time="day") == (
        "unit 'v' comes again in frame 2, after it was summed up; let all rows of a unit come in one frame, or pass "
        "in_memory=True"
    )


# -- units one after the other ----------------------------------------------------------------------------------------


def test_frames_of_an_iterator_have_the_same_columns() -> None:
    assert "frame 2 lacks 'b' and has 'c' besides; all frames must have the same columns" in refusal(
        iter([frame_of(names="ab"), frame_of(names="ac")])
    )
    assert "no frame came from the iterator" in refusal(iter([]))


def test_labels_cannot_be_summed_up_unit_by_unit() -> None:
    labels = frame_of(mood=["low", "high"] * 15)
    assert "column 'mood' has levels, such as 'high' in frame 1, and units of an iterator are summed up" in refusal(
        iter([labels])
    )
    few = [frame_of(n=np.arange(30) % 4), frame_of(n=np.arange(30) % 5)]
    assert (
        "column 'n' has few whole numbers, which are taken as levels, and units of an iterator are summed up for tests "
        "of continuous columns; pass in_memory=True to keep all rows, or, for measurements, kinds={'n': 'continuous'}"
    ) in refusal(iter(few))
    taken = windows_of(iter(few), lags=1, options=TableOptions(kinds={"n": "continuous"}))
    assert taken.kinds == ("continuous",) * 6
    wide = [frame_of(n=np.arange(30) % 4), frame_of(n=np.arange(30) % 11)]  # eleven values in all
    assert windows_of(iter(wide), lags=1).kinds == ("continuous",) * 6


def test_missing_values_of_units_in_turn_cannot_be_kept() -> None:
    assert 'missing="testwise" goes back to the rows, and units of an iterator are summed up' in refusal(
        iter([frame_of()]), missing="testwise"
    )


# -- columns ----------------------------------------------------------------------------------------------------------


def test_names_like_those_of_nodes_are_refused() -> None:
    frame = frame_of().rename({"a": "a[t]", "b": "b[t-1]"})
    assert refusal(frame).startswith("the names of columns must not end in a step such as [t] or [t-1], as that of")
    assert "'a[t]' and 'b[t-1]'" in refusal(frame)


def test_columns_that_never_change_are_refused() -> None:
    assert "column 'c' has a single value; leave it out: drop=['c']" in refusal(frame_of(c=[1.5] * 30))
    per_unit = frame_of(60, id=["u"] * 30 + ["v"] * 30, age=[31.5] * 30 + [47.25] * 30, sex=["f"] * 30 + ["m"] * 30)
    assert refusal(per_unit, unit="id") == (
        "columns 'age' and 'sex' do not change within any unit, so that each step tells all others; leave them out: "
        "drop=['age', 'sex']"
    )
    parts = [frame_of(c=np.full(30, value)) for value in (1.25, 2.25, 3.5)]
    chosen = TableOptions(kinds={"c": "continuous"})
    assert "column 'c' does not change within any unit" in refusal(iter(parts), options=chosen)


def test_columns_that_change_too_rarely_for_the_windows_are_refused() -> None:
    once = ["yes"] + ["no"] * 29
    assert refusal(frame_of(once=once)) == (
        "'once[t]' has a single value in all windows that are used, since changes are rare; leave it out: "
        "drop=['once'], or pass fewer lags="
    )


def test_columns_that_change_in_no_window_at_some_step_are_refused() -> None:
    """Each unit has a first value of its own, and another one ever after: without its mean, x[t] is 0 throughout."""
    x = [5.25, *[1.5] * 29, 7.75, *[2.5] * 29]
    assert refusal(frame_of(60, id=["u"] * 30 + ["v"] * 30, x=x), unit="id").startswith("'x[t]' has a single value")


def test_columns_that_follow_from_earlier_steps_are_refused_in_the_users_words() -> None:
    a = noise(31)["a"]
    later = pl.DataFrame({"a": a[1:], "b": noise(30)["b"], "c": 2 * a[:-1] + 1})  # c[t] = 2 a[t-1] + 1
    message = refusal(later)
    assert "some columns are copies of others: c[t] = 2 a[t-1] + 1; keep one of each: drop=['c']" in message
    assert "some columns are copies of others" in refusal(frame_of(year=np.arange(1990.5, 2020.5)))


def test_too_few_windows_for_the_variables_are_refused() -> None:
    assert refusal(frame_of(12, "abcd"), lags=2) == (
        "the windows count for 10 rows, and 12 variables, those of all steps of a window, need at least 15; pass fewer "
        "lags=, choose fewer columns=, or collect longer series"
    )
    units = panel(np.random.default_rng(3), dict.fromkeys("uvwx", 4))
    assert windows_of(units, lags=1, time="day", unit="unit").rows == 9  # 4 · 3 windows, less 3


def test_missing_values_are_refused_if_asked_for() -> None:
    frame = frame_of().with_columns(a=pl.when(pl.int_range(pl.len()) == 4).then(None).otherwise(pl.col("a")))
    message = refusal(frame, missing="refuse")
    assert "values are missing in 1 column of 30 rows ('a': 1); pass missing=\"drop\"" in message
    assert windows_of(frame, lags=1).report.used == 27


def test_dates_that_are_no_variables_are_offered_as_times() -> None:
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(30)]
    assert refusal(frame_of(day=days)).endswith(
        "or leave it out: drop=['day'], or, if it tells the time of each row, pass time=\"day\""
    )
    assert 'pass time="day"' in refusal(frame_of(day=[str(day) for day in days]))


def test_processes_that_are_missing_in_some_units_may_be_kept_testwise() -> None:
    frame = panel(np.random.default_rng(12), {"u": 30, "v": 30}).with_columns(
        b=pl.when(pl.col("unit") == "v").then(None).otherwise(pl.col("b"))
    )
    windows = windows_of(frame, lags=1, time="day", unit="unit", missing="testwise")
    assert windows.table is not None
    assert windows.table.missing_counts() == {"a[t-1]": 0, "b[t-1]": 29, "a[t]": 0, "b[t]": 29}
    assert windows.moments is None


def test_all_faults_of_columns_are_listed_at_once() -> None:
    frame = frame_of(c=[1.5] * 30, copy=noise()["a"])
    assert refusal(frame).count("\n- ") == 2


# -- warnings ---------------------------------------------------------------------------------------------------------


def vector_autoregression(rng: Rng, steps: int, own: float, effect: float, burn: int = 100) -> Any:
    """Four series, of which the first acts on the second and the third on the fourth."""
    matrix = own * np.eye(4)
    matrix[1, 0], matrix[3, 2] = effect, -effect
    out = np.zeros((steps + burn, 4))
    shocks = rng.normal(size=(steps + burn, 4))
    for step in range(1, steps + burn):
        out[step] = matrix @ out[step - 1] + shocks[step]
    return out[burn:]


def test_trends_and_unit_roots_are_named() -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {"walk": np.cumsum(rng.normal(size=1000)), "trend": np.arange(1000) / 20 + rng.normal(size=1000), **noise(1000)}
    )
    found = [message for message in warned(frame) if "lag-1 autocorrelation" in message]
    series = frame["walk"].to_numpy()
    expected = np.corrcoef(series[1:], series[:-1])[0, 1]
    assert len(found) == 1
    assert f"'walk' ({expected:.3f}) and 'trend'" in found[0]
    assert "search the differences from step to step" in found[0]
    assert warned(vector_autoregression(rng, 500, 0.9, 0.1)) == []


def test_trends_are_those_within_units() -> None:
    frame = panel(np.random.default_rng(5), dict.fromkeys("uvwxyz", 40), share=0.3)
    frame = frame.with_columns(pl.col("a") + 100 * pl.col("unit").rank("dense"))
    assert warned(frame, unit="unit", time="day") == []
    steep = frame.with_columns(pl.col("a") + 10 * pl.col("day"))
    parts = [steep.filter(pl.col("unit") == unit) for unit in "uvwxyz"]
    for source in (steep, iter(parts)):
        (message,) = warned(source, unit="unit", time="day")
        assert message.startswith("the lag-1 autocorrelation of 'a' (0.99")


def test_halves_with_other_effects_are_named() -> None:
    rng = np.random.default_rng(6)
    parts = [vector_autoregression(rng, 300, 0.6, effect) for effect in (0.5, -0.5)]
    (message,) = warned(np.concatenate(parts), lags=2)
    assert "correlations differ between the first and the second half of the steps" in message
    assert "'x1[t-1]' and 'x2'" in message
    assert "'x3[t-1]' and 'x4'" in message


def test_halves_with_another_own_past_are_named() -> None:
    rng = np.random.default_rng(7)
    parts = [vector_autoregression(rng, 500, own, 0.0) for own in (0.9, 0.2)]
    (message,) = warned(np.concatenate(parts), lags=2)
    assert "'x1[t-1]' and 'x1'" in message


def test_halves_are_those_of_each_unit() -> None:
    rng = np.random.default_rng(8)
    frame = pl.concat(
        pl.DataFrame(
            np.concatenate([vector_autoregression(rng, 60, 0.5, effect) for effect in (0.6, -0.6)]), schema=list("abcd")
        ).with_columns(pl.lit(unit).alias("unit"))
        for unit in "uvw"
    )
    (message,) = warned(frame, unit="unit")
    assert "'a[t-1]' and 'b'" in message


def alarms(data: Any, lags: int = 3, units: Any = None) -> bool:
    columns = [Column(f"x{i}", data[:, i].copy()) for i in range(data.shape[1])]
    order = in_given_order(np.zeros(len(data), dtype=np.int64) if units is None else units)
    return halves(columns, order, lags) is not None


@pytest.mark.parametrize(
    ("steps", "own", "effect"), [(210, 0.9, 0.1), (500, 0.9, 0.1), (500, 0.9, 0.0), (300, 0.5, 0.3)]
)
def test_stationary_series_are_hardly_ever_taken_for_others(steps: int, own: float, effect: float) -> None:
    """At most 1 % are meant to be; 3 of 60 would have a probability of 0.02 then."""
    rng = np.random.default_rng(9)
    assert sum(alarms(vector_autoregression(rng, steps, own, effect)) for _ in range(60)) <= 2


def test_series_that_oscillate_are_hardly_ever_taken_for_others() -> None:
    rng = np.random.default_rng(13)
    turn = 0.95 * np.array([[np.cos(1.5), -np.sin(1.5)], [np.sin(1.5), np.cos(1.5)]])
    found = 0
    for _ in range(40):
        data = np.zeros((500, 2))
        for step in range(1, 500):
            data[step] = turn @ data[step - 1] + rng.normal(size=2)
        found += alarms(data[100:], lags=1)
    assert found <= 2


def test_short_units_are_not_divided() -> None:
    """The mean of few steps has a part of each of them in it: early and late ones would seem to differ."""
    rng = np.random.default_rng(14)
    data = np.concatenate([vector_autoregression(rng, 8, 0.95, 0.0) for _ in range(300)])
    assert not alarms(data, 2, np.repeat(np.arange(300), 8))


def test_standard_errors_of_differences_are_those_of_many_series() -> None:
    """Correlations of n steps of independent series with autocorrelation a vary by (1 + a²) / (1 - a²) / n."""
    rng = np.random.default_rng(15)
    no_unit, steps = np.zeros(400, dtype=np.int64), np.arange(400)
    found, errors = [], []
    for _ in range(200):
        data = vector_autoregression(rng, 800, 0.8, 0.0)
        one, two = (Half(part, no_unit, steps).correlations(0) for part in (data[:400], data[400:]))
        assert one is not None and two is not None
        assert one.r == pytest.approx(np.corrcoef(data[:400], rowvar=False))
        found.append((one.r - two.r)[np.triu_indices(4, 1)])
        errors.append(one.apart(two)[1][np.triu_indices(4, 1)])
    expected = np.sqrt(2 / 400 * (1 + 0.64) / (1 - 0.64))
    assert np.sqrt(np.mean(np.square(found))) == pytest.approx(expected, rel=0.1)
    assert np.mean(errors) == pytest.approx(expected, rel=0.1)


def test_autocorrelations_are_of_steps_that_follow_each_other() -> None:
    values = np.array([1.0, 2.0, 4.0, 3.0, 5.0, 9.0, 7.0, 2.0])
    order = Order(np.arange(8), np.zeros(8, dtype=np.int64), np.array([0, 1, 2, 10, 11, 12, 20, 21]))
    late, early = (values[[1, 2, 4, 5, 7]] - values.mean(), values[[0, 1, 3, 4, 6]] - values.mean())
    expected = (late @ early) / np.sqrt((late @ late) * (early @ early))
    assert StepProducts.of([Column("a", values)], order).autocorrelations == {"a": pytest.approx(expected)}


def test_short_series_are_not_divided() -> None:
    rng = np.random.default_rng(10)
    parts = [vector_autoregression(rng, 60, 0.6, effect) for effect in (0.5, -0.5)]
    assert warned(np.concatenate(parts)) == []


def test_codes_of_missing_values_are_told_of_series_as_well() -> None:
    rng = np.random.default_rng(11)
    values = np.round(50 + 5 * rng.normal(size=300))
    values[::29] = -999
    messages = warned(pl.DataFrame({"a": values, "b": rng.normal(size=300)}))
    assert any("-999" in message for message in messages)


def test_units_that_differ_from_each_other_are_no_sign_of_halves_that_differ() -> None:
    """Each unit is stationary; the first units have other correlations than the last ones."""
    rng = np.random.default_rng(5)
    parts = []
    for number in range(400):
        share = 0.6 if number < 200 else -0.6
        x = rng.normal(size=100)
        parts.append(np.column_stack([x, share * x + 0.8 * rng.normal(size=100)]))
    assert not windows_of(parts, lags=1).notes
