"""Windows of series: beside the definition, under changes that must change nothing, and unit by unit."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats

from ancestral.data.series import Windows, windows_of
from ancestral.data.table import Table
from ancestral.options import TableOptions
from tests.support.plain_windows import Values, panel, plain_moments, plain_windows

SIZES = {"u": 30, "v": 12, "w": 21}


def rows_of(windows: Windows) -> NDArray[np.float64]:
    """The values of the table, a row for each window."""
    assert windows.table is not None
    assert windows.table.names == windows.names
    return np.stack([np.asarray(column.values, dtype=np.float64) for column in windows.table.columns], axis=1)


def values_in(frame: pl.DataFrame, names: str = "ab") -> Values:
    return {
        (row["unit"], row["day"]): [math.nan if row[name] is None else row[name] for name in names]
        for row in frame.iter_rows(named=True)
    }


def some_gaps(frame: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """The frame without some rows, none of them the first, and without some values."""
    kept = (rng.uniform(size=frame.height) > 0.1) | (frame["day"].to_numpy() == 0)
    gone = pl.Series(rng.uniform(size=frame.height) < 0.05)
    return frame.with_columns(a=pl.when(gone).then(None).otherwise(pl.col("a"))).filter(pl.Series(kept))


# -- the definition ---------------------------------------------------------------------------------------------------


def test_the_windows_of_one_series_are_its_runs_of_steps() -> None:
    frame = panel(np.random.default_rng(1), {"u": 30})
    windows = windows_of(frame.drop("unit", "day"), lags=2)
    assert windows.names == ("a[t-2]", "b[t-2]", "a[t-1]", "b[t-1]", "a[t]", "b[t]")
    assert rows_of(windows).tolist() == [list(row) for _, row in plain_windows(values_in(frame), 2)]
    assert (windows.rows, windows.degrees_lost, windows.report.used) == (28, 0, 28)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_windows_with_gaps_are_those_of_the_definition(seed: int, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    frame = some_gaps(panel(rng, {"u": 60}), rng)
    missing: Any = "drop" if whole else "testwise"
    windows = windows_of(
        frame.drop("unit").sample(fraction=1.0, shuffle=True, seed=seed), lags=2, time="day", step=1, missing=missing
    )
    expected = plain_windows(values_in(frame), 2, whole=whole)
    assert np.array_equal(rows_of(windows), np.array([row for _, row in expected]), equal_nan=True)
    (unit,) = windows.report.units
    assert (unit.steps, unit.used) == (frame.height, len(expected))
    assert unit.possible == unit.steps + unit.missing_steps - 2 == int(frame["day"].to_numpy().max()) - 1


@pytest.mark.parametrize("seed", range(4))
def test_the_means_of_units_are_removed_from_each_column_of_the_windows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = some_gaps(panel(rng, SIZES), rng)
    windows = windows_of(frame, lags=2, time="day", unit="unit", step=1)
    expected = plain_windows(values_in(frame), 2)
    assert windows.degrees_lost == 2
    assert windows.rows == len(expected) - 2
    names = [unit for unit, _ in expected]
    rows = np.array([row for _, row in expected])
    for unit in SIZES:
        here = np.array([name == unit for name in names])
        rows[here] -= rows[here].mean(axis=0)
    assert rows_of(windows) == pytest.approx(rows, abs=1e-12)
    assert [["u", "v", "w"][i] for i in windows.unit] == names
    moments = windows.moments
    assert moments is not None
    assert moments.rows == windows.rows
    assert moments.comoments == pytest.approx(plain_moments(expected), abs=1e-9)


def test_means_of_units_are_those_of_the_values_that_are_there() -> None:
    rng = np.random.default_rng(25)
    frame = some_gaps(panel(rng, SIZES), rng)
    windows = windows_of(frame, lags=2, time="day", unit="unit", step=1, missing="testwise")
    expected = plain_windows(values_in(frame), 2, whole=False)
    rows = np.array([row for _, row in expected])
    for unit in SIZES:
        here = np.array([name == unit for name, _ in expected])
        rows[here] -= np.nanmean(rows[here], axis=0)
    assert np.isnan(rows).any()
    assert np.allclose(rows_of(windows), rows, rtol=0, atol=1e-12, equal_nan=True)


def test_the_moments_of_several_units_give_the_regression_with_an_intercept_for_each() -> None:
    """The residual variance of ordinary least squares with a dummy for each unit, and its degrees of freedom."""
    frame = panel(np.random.default_rng(2), SIZES)
    windows = windows_of(frame, lags=1, time="day", unit="unit")
    expected = plain_windows(values_in(frame), 1)
    rows = np.array([row for _, row in expected])
    dummies = np.array([[name == unit for unit in SIZES] for name, _ in expected], dtype=float)
    design = np.hstack([dummies, rows[:, :2]])
    _, (square,), rank, _ = np.linalg.lstsq(design, rows[:, 2])
    variance = square / (len(rows) - rank)
    moments = windows.moments
    assert moments is not None
    covariance = moments.covariance
    past, rest = covariance[:2, :2], covariance[:2, 2]
    left = covariance[2, 2] - rest @ np.linalg.solve(past, rest)
    assert left * (moments.rows - 1) / (moments.rows - 1 - 2) == pytest.approx(variance)


def test_discrete_columns_are_not_centred_and_keep_the_levels_that_occur() -> None:
    mood = ["low", "mid", "mid", "low", "high"] * 6 + ["low", "mid"] * 15
    frame = pl.DataFrame({"id": ["u"] * 30 + ["v"] * 30, "mood": mood, "x": np.random.default_rng(3).normal(size=60)})
    windows = windows_of(frame, lags=1, unit="id")
    table = windows.table
    assert table is not None
    assert table.column("mood[t]").levels == ("high", "low", "mid")
    labels = [table.column("mood[t]").levels[i] for i in table.column("mood[t]").values]  # type: ignore[index]
    assert labels == mood[1:30] + mood[31:]
    assert windows.report.centred == ("x",)
    assert windows.degrees_lost == 1
    assert windows.moments is None


def test_no_degree_is_lost_where_all_columns_are_discrete() -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"id": ["u"] * 30 + ["v"] * 30, "x": rng.integers(0, 2, size=60), "y": rng.integers(0, 3, 60)})
    windows = windows_of(frame, lags=1, unit="id")
    assert (windows.degrees_lost, windows.rows, windows.report.centred) == (0, 58, ())


# -- sources ----------------------------------------------------------------------------------------------------------


def same(one: Windows, two: Windows) -> bool:
    """Whether two windows have the same names, rows and units, bit for bit."""
    equal = one.names == two.names and np.array_equal(rows_of(one), rows_of(two), equal_nan=True)
    return equal and bool((one.unit == two.unit).all()) and one.fingerprint == two.fingerprint


def test_frames_of_all_libraries_arrays_and_files_give_the_same_windows(tmp_path: Path) -> None:
    frame = panel(np.random.default_rng(5), SIZES).with_columns(
        day=pl.date(2020, 1, 1) + pl.duration(days=pl.col("day"))
    )
    wanted = windows_of(frame, lags=2, time="day", unit="unit")
    assert wanted.report.step == "1D"
    frame.write_csv(tmp_path / "panel.csv")
    frame.write_parquet(tmp_path / "panel.parquet")
    for source in (
        frame.to_pandas(),
        frame.to_arrow(),
        frame.lazy(),
        tmp_path / "panel.csv",
        tmp_path / "panel.parquet",
    ):
        assert same(windows_of(source, lags=2, time="day", unit="unit"), wanted)
    indexed = frame.to_pandas().set_index(["unit", "day"])
    assert same(windows_of(indexed, lags=2, time="day", unit="unit"), wanted)
    array = frame.filter(pl.col("unit") == "u").select("a", "b").to_numpy()
    named = windows_of(array, lags=2, options=TableOptions(names=["a", "b"]))
    assert same(named, windows_of(frame.filter(pl.col("unit") == "u").select("a", "b"), lags=2))


def test_a_list_a_dictionary_and_several_files_have_a_unit_each(tmp_path: Path) -> None:
    frame = panel(np.random.default_rng(6), SIZES)
    wanted = windows_of(frame, lags=2, time="day", unit="unit")
    parts = [frame.filter(pl.col("unit") == unit).drop("unit") for unit in SIZES]
    assert same(windows_of(parts, lags=2, time="day"), wanted)
    assert same(windows_of(tuple(part.to_pandas() for part in parts), lags=2, time="day"), wanted)
    assert same(windows_of([part.sample(fraction=1.0, shuffle=True) for part in parts], lags=2, time="day"), wanted)
    by_name = windows_of(dict(zip(SIZES, parts, strict=True)), lags=2, time="day")
    assert same(by_name, wanted)
    assert [unit.name for unit in by_name.report.units] == list(SIZES)
    arrays = [part.select("a", "b").to_numpy() for part in parts]
    assert same(windows_of(arrays, lags=2, options=TableOptions(names=["a", "b"])), wanted)
    for unit, part in zip(SIZES, parts, strict=True):
        part.write_csv(tmp_path / f"{unit}.csv")
    files = windows_of(tmp_path, lags=2, time="day")
    assert same(files, wanted)
    assert [unit.name for unit in files.report.units] == ["u.csv", "v.csv", "w.csv"]
    assert same(windows_of([tmp_path / f"{unit}.csv" for unit in SIZES], lags=2, time="day"), wanted)


def test_a_unit_may_come_in_several_frames_of_a_list() -> None:
    frame = panel(np.random.default_rng(7), SIZES)
    wanted = windows_of(frame, lags=2, time="day", unit="unit")
    assert same(windows_of([frame[:25], frame[25:]], lags=2, time="day", unit="unit"), wanted)


def test_relations_of_duckdb_have_no_order_of_their_own() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = panel(np.random.default_rng(8), {"u": 30}).drop("unit")  # noqa: F841 (DuckDB finds it by name)
    relation = duckdb.sql("select * from frame order by a")
    with pytest.raises(ValueError, match="time must name the column that orders the rows"):
        windows_of(relation, lags=1, options=TableOptions(drop=["day"]))
    assert windows_of(relation, lags=1, time="day").report.used == 29


def test_columns_are_chosen_and_read_as_in_a_search() -> None:
    frame = panel(np.random.default_rng(9), SIZES, processes=3)
    wanted = windows_of(frame.select("unit", "day", "c", "a"), lags=1, time="day", unit="unit")
    assert wanted.window.processes == ("c", "a")
    assert same(windows_of(frame, lags=1, time="day", unit="unit", options=TableOptions(columns=["c", "a"])), wanted)
    fewer = TableOptions(columns=["c", "a", "b"], drop=["b"])
    assert same(windows_of(frame, lags=1, time="day", unit="unit", options=fewer), wanted)
    coded = frame.with_columns(a=pl.when(pl.col("day") == 5).then(-999.0).otherwise(pl.col("a"))).drop("b", "c")
    assert windows_of(
        coded, lags=1, time="day", unit="unit", options=TableOptions(na=["-999"])
    ).report.used == wanted.report.used - 2 * len(SIZES)


def test_a_lazy_frame_whose_rows_come_in_any_order_is_collected_once() -> None:
    frame = panel(np.random.default_rng(24), {"u": 200})
    wanted = windows_of(frame.drop("unit"), lags=1, time="day")
    for _ in range(5):
        lazy = frame.lazy().drop("unit").map_batches(lambda rows: rows.sample(fraction=1.0, shuffle=True))
        assert same(windows_of(lazy, lags=1, time="day"), wanted)


def test_a_table_is_a_source_as_well() -> None:
    frame = panel(np.random.default_rng(10), {"u": 30}).drop("unit")
    assert same(windows_of(Table.of(frame), lags=1, time="day"), windows_of(frame, lags=1, time="day"))


def test_large_numbers_of_units_are_told_apart() -> None:
    frame = panel(np.random.default_rng(11), {"u": 20, "v": 20})
    far = frame.with_columns(unit=pl.lit(1 << 60) + (pl.col("unit") == "v").cast(pl.Int64))
    assert len(windows_of(far, lags=1, time="day", unit="unit").report.units) == 2


# -- what changes nothing ---------------------------------------------------------------------------------------------


def test_the_order_of_rows_and_of_units_changes_no_bit() -> None:
    frame = panel(np.random.default_rng(12), SIZES)
    wanted = windows_of(frame, lags=2, time="day", unit="unit")
    for seed in range(3):
        shuffled = frame.sample(fraction=1.0, shuffle=True, seed=seed)
        assert same(windows_of(shuffled, lags=2, time="day", unit="unit"), wanted)
    by_unit = pl.concat([frame.filter(pl.col("unit") == unit) for unit in "wuv"])
    found = windows_of(by_unit, lags=2, unit="unit", options=TableOptions(drop=["day"]))
    assert same(found, wanted)


def test_the_order_of_columns_changes_no_value() -> None:
    frame = panel(np.random.default_rng(13), SIZES, processes=3)
    one = windows_of(frame, lags=2, time="day", unit="unit")
    two = windows_of(frame.select("c", "day", "a", "unit", "b"), lags=2, time="day", unit="unit")
    assert two.window.processes == ("c", "a", "b")
    assert one.table is not None and two.table is not None
    for name in one.names:
        assert (one.table.column(name).values == two.table.column(name).values).all()
    assert one.fingerprint == two.fingerprint
    assert one.moments is not None and two.moments is not None
    assert (one.moments.correlation == two.moments.arranged(one.names).correlation).all()


def test_new_names_of_units_in_the_same_order_change_no_bit() -> None:
    frame = panel(np.random.default_rng(14), SIZES)
    renamed = frame.with_columns(unit=pl.col("unit").replace({"u": "1", "v": "2", "w": "10"}))
    assert same(
        windows_of(renamed, lags=2, time="day", unit="unit"), windows_of(frame, lags=2, time="day", unit="unit")
    )


def test_a_constant_changes_correlations_by_rounding_only() -> None:
    frame = panel(np.random.default_rng(15), SIZES)
    one = windows_of(frame, lags=2, time="day", unit="unit").moments
    two = windows_of(
        frame.with_columns(pl.col("a") + 1e6, pl.col("day") + 1990), lags=2, time="day", unit="unit"
    ).moments
    assert one is not None and two is not None
    assert one.correlation == pytest.approx(two.correlation, abs=1e-9)


# -- units one after the other ----------------------------------------------------------------------------------------


def test_units_that_come_one_after_the_other_sum_up_to_the_same_moments() -> None:
    rng = np.random.default_rng(16)
    frame = some_gaps(panel(rng, SIZES), rng)
    whole = windows_of(frame, lags=2, time="day", unit="unit", step=1)
    parts = [frame.filter(pl.col("unit") == unit) for unit in SIZES]
    streams: list[tuple[Iterator[pl.DataFrame], str | None]] = [
        (iter([part.drop("unit") for part in parts]), None),
        (iter(parts), "unit"),
        (iter([pl.concat(parts[1:]), parts[0].sample(fraction=1.0, shuffle=True)]), "unit"),
    ]
    for stream, unit in streams:
        summed = windows_of(stream, lags=2, time="day", unit=unit, step=1)
        assert summed.table is None
        assert (summed.rows, summed.degrees_lost) == (whole.rows, whole.degrees_lost)
        assert summed.moments is not None and whole.moments is not None
        assert summed.moments.comoments == pytest.approx(plain_moments(plain_windows(values_in(frame), 2)), abs=1e-9)
        assert summed.moments.correlation == pytest.approx(whole.moments.correlation, abs=1e-12)
        assert {unit.used for unit in summed.report.units} == {unit.used for unit in whole.report.units}


def test_units_may_come_as_files_and_be_kept(tmp_path: Path) -> None:
    frame = panel(np.random.default_rng(17), SIZES)
    for unit in SIZES:
        frame.filter(pl.col("unit") == unit).drop("unit").write_csv(tmp_path / f"{unit}.csv")
    whole = windows_of(frame, lags=2, time="day", unit="unit")
    summed = windows_of((tmp_path / f"{unit}.csv" for unit in SIZES), lags=2, time="day")
    assert summed.moments is not None and whole.moments is not None
    assert summed.moments.correlation == pytest.approx(whole.moments.correlation, abs=1e-12)
    parts = (frame.filter(pl.col("unit") == unit).drop("unit") for unit in SIZES)
    kept = windows_of(parts, lags=2, time="day", options=TableOptions(in_memory=True))
    assert same(kept, whole)


def test_no_frame_is_kept_once_its_units_are_summed_up() -> None:
    """The iterator itself sees that the frames it gave are gone."""
    import gc
    import weakref

    rng = np.random.default_rng(18)
    alive: list[int] = []
    given: list[weakref.ref[Any]] = []

    def arrays() -> Iterator[Any]:
        for _ in range(6):
            gc.collect()
            alive.append(sum(one() is not None for one in given))
            array = rng.normal(size=(30, 2))
            given.append(weakref.ref(array))
            yield array
            del array

    windows_of(arrays(), lags=1)
    assert max(alive) <= 1


def test_a_unit_in_which_a_column_was_not_measured_is_left_out_either_way() -> None:
    frame = panel(np.random.default_rng(19), SIZES).with_columns(
        b=pl.when(pl.col("unit") == "v").then(None).otherwise(pl.col("b"))
    )
    with pytest.warns(UserWarning, match=r"1 of 3 units is left out.*'v' \(12 steps\)"):
        whole = windows_of(frame, lags=2, time="day", unit="unit")
    parts = (frame.filter(pl.col("unit") == unit) for unit in SIZES)
    with pytest.warns(UserWarning, match=r"1 of 3 units is left out.*'v' \(12 steps\)"):
        summed = windows_of(parts, lags=2, time="day", unit="unit")
    assert summed.moments is not None and whole.moments is not None
    assert summed.moments.correlation == pytest.approx(whole.moments.correlation, abs=1e-12)


# -- blocks and reports -----------------------------------------------------------------------------------------------


def test_blocks_are_runs_of_windows_within_a_unit() -> None:
    frame = panel(np.random.default_rng(20), {"u": 10, "v": 7})
    windows = windows_of(frame, lags=2, time="day", unit="unit")
    assert windows.blocks(3).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4]
    assert windows.blocks(100).tolist() == windows.blocks().tolist() == [0] * 8 + [1] * 5
    assert windows.blocks(1).tolist() == list(range(13))
    with pytest.raises(ValueError, match="length must be a whole number of at least 1, got 0"):
        windows.blocks(0)
    summed = windows_of(iter([frame.drop("unit")[:10], frame.drop("unit")[10:]]), lags=2, time="day")
    with pytest.raises(ValueError, match="have no rows to draw"):
        summed.blocks(3)


def test_units_without_windows_are_named() -> None:
    frame = panel(np.random.default_rng(21), {"u": 30, "v": 2, "w": 30, "x": 1})
    with pytest.warns(
        UserWarning,
        match=r"2 of 4 units are left out, without 3 complete steps in a row as lags=2 needs: 'v' \(2 steps\) and 'x' "
        r"\(1 step\)",
    ):
        windows = windows_of(frame, lags=2, time="day", unit="unit")
    assert [unit.name for unit in windows.report.left_out] == ["v", "x"]
    assert windows.blocks().tolist() == [0] * 28 + [1] * 28
    assert windows.degrees_lost == 1
    assert str(windows.report) == (
        "56 of 56 possible windows in 2 units (60 steps of 1); 2 units left out; unit means removed from 'a' and 'b'"
    )
    assert windows.report.by_unit() == "u: 28 of 28 windows, 30 steps\nw: 28 of 28 windows, 30 steps"


def test_windows_of_independent_units_give_p_values_that_are_uniform() -> None:
    """Lasting differences between units are no dependences: x and y have means of their own in each unit."""
    rng = np.random.default_rng(22)
    found = []
    for _ in range(300):
        frame = panel(rng, dict.fromkeys("uvwxyz", 8), share=0.0)
        moments = windows_of(frame, lags=1, time="day", unit="unit").moments
        assert moments is not None
        r = moments.correlation[2, 3]
        found.append(2 * stats.norm.sf(abs(np.arctanh(r)) * np.sqrt(moments.rows - 3)))
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_pandas_frames_stay_as_they_were() -> None:
    frame = panel(np.random.default_rng(23), {"u": 30}).drop("unit").to_pandas().set_index("day")
    before = frame.copy()
    windows_of(frame, lags=1, time="day")
    pd.testing.assert_frame_equal(frame, before)
