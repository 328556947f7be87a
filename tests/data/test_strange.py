"""Frames, arrays and queries of strange types: read as they are meant, or refused in words, in tables and streams."""

import datetime
import warnings
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import dask.dataframe
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ancestral as an
from ancestral.data import DataError, Table

DASK: Any = dask.dataframe
ARROW: Any = pa
PARQUET: Any = pq
X = np.random.default_rng(1).normal(size=(50, 3))
NAMED = pd.DataFrame(X, columns=["0", "1", "2"])


def searched(source: Any, **options: Any) -> an.Discovery:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", an.DataWarning)
        return an.discover(source, progress=False, **options)


# -- columns that are called by numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        lambda: pd.DataFrame(X),
        lambda: [pd.DataFrame(X[:20]), pd.DataFrame(X[20:])],
        lambda: iter([pd.DataFrame(X[:20]), pd.DataFrame(X[20:])]),
        lambda: DASK.from_pandas(pd.DataFrame(X), npartitions=2),
    ],
    ids=["a frame", "a list", "an iterator", "dask"],
)
def test_columns_may_be_called_by_numbers(source: Any) -> None:
    expected = searched(NAMED)
    assert searched(source()).pag == expected.pag
    table = Table.of(source(), columns=["2", "0"])
    assert table.names == ("2", "0") and (table.column("2").values == X[:, 2]).all()
    assert an.bootstrap(source(), repeats=2, progress=False).found.pag == expected.pag  # type: ignore[union-attr]


# -- many labels beside numbers ----------------------------------------------------------------------------------------


def many_labels(levels: int, rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    labels = [f"u{i}" for i in rng.integers(0, levels, rows)]
    return pd.DataFrame({"a": labels, "b": rng.choice(["x", "y"], rows), "c": rng.normal(size=rows)})


def test_labels_beside_numbers_are_bounded_in_tables_as_in_streams() -> None:
    frame = many_labels(3000, 20_000)
    said = "the discrete columns have more than 2000 levels together, 'a' alone .*; leave it out: drop="
    with pytest.raises(DataError, match=said) as told:
        searched(frame)
    with pytest.raises(DataError, match=said) as found:
        searched(iter([frame]))
    assert str(told.value) == str(found.value)
    searched(frame, drop=["a"])


def test_indicators_of_a_table_are_never_there_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of memory is far below what they would take, and the answer is that of the stream."""
    monkeypatch.setattr("ancestral.independence.blocks.MOST_BYTES", 1000)
    frame = many_labels(20, 2000)
    assert searched(frame, resamples=0).pag == searched(iter([frame])).pag
    frame.loc[5, "c"] = np.nan
    with pytest.raises(DataError, match=r"those of 22 levels and 2,000 rows take .*'a' \(20\), 'b' \(2\)"):
        searched(frame, missing="testwise")
    with pytest.raises(DataError, match="those of 22 levels"):
        an.bootstrap(frame.dropna(), repeats=2, progress=False)


# -- columns whose squares are as good as 0 ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-150, 1e-200, 1e-300])
def test_tiny_values_are_not_called_constant(size: float) -> None:
    tiny = pd.DataFrame(X * [1, size, 1], columns=list("abc"))
    said = "the values of column 'b' differ by less than 1e-145, so that their squares underflow; rescale it"
    for source in (tiny, iter([tiny]), tiny.assign(a=np.where(tiny["a"] > 0, "x", "y"))):
        with pytest.raises(DataError, match=said):
            searched(source)
    with pytest.raises(DataError, match=said):
        an.Moments.of(tiny)
    big = tiny.assign(b=tiny["b"] / size)
    assert searched(tiny, test="rank").pag == searched(big, test="rank").pag
    holes = [frame.where(np.arange(50)[:, None] + np.arange(3) != 7) for frame in (tiny, big)]
    assert searched(holes[0], missing="testwise").pag == searched(holes[1], missing="testwise").pag


def test_small_values_are_values() -> None:
    assert searched(pd.DataFrame(X * 1e-140, columns=["0", "1", "2"])).pag == searched(NAMED).pag
    with pytest.raises(DataError, match="column 'b' has a single value"):
        searched(pd.DataFrame({"a": X[:, 0], "b": 1e-200, "c": X[:, 1]}))


# -- types -------------------------------------------------------------------------------------------------------------


def test_a_matrix_is_an_array() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix(X)
    table = Table.of(matrix, names=["0", "1", "2"])
    assert (table.column("1").values == X[:, 1]).all()


def both(frame: Any) -> tuple[Any, Iterator[Any]]:
    return frame, iter([frame])


def test_numbers_that_no_float_holds() -> None:
    frame = pd.DataFrame({"a": pd.Series([10**400, *range(49)], dtype=object), "b": X[:, 0]})
    for source in both(frame):
        with pytest.raises(DataError, match=r"column 'a' holds numbers beyond 1\.8e308"):
            searched(source)


def test_signalling_nan_is_missing() -> None:
    column = pd.Series([Decimal("sNaN"), Decimal("NaN"), *(Decimal(i) / 7 for i in range(48))], dtype=object)
    for source in both(pd.DataFrame({"a": column, "b": X[:, 0]})):
        assert searched(source, missing="drop").test.rows == 48


def test_objects_are_refused_alike() -> None:
    days = [datetime.date(2020, 1, 1 + i % 20) for i in range(50)]
    mixed = ["x" if i % 2 else 1.5 for i in range(50)]
    for column, types in ((days, "date"), (mixed, "float and str")):
        frame = pd.DataFrame({"d": pd.Series(column, dtype=object), "b": X[:, 0]})
        messages = set()
        for source in both(frame):
            with pytest.raises(DataError, match=f"column 'd' holds values of type {types}; make it") as told:
                searched(source)
            messages.add(str(told.value))
        assert len(messages) == 1
        for source in both(frame):
            assert (searched(source, kinds={"d": "discrete"}).test.kinds or {})["d"] == "discrete"


def test_runs_of_equal_values_in_arrow() -> None:
    plain = pa.table({"a": np.repeat(X[:10, 0], 5), "b": X[:, 1]})
    runs = ARROW.RunEndEncodedArray.from_arrays(np.arange(5, 51, 5, dtype=np.int32), X[:10, 0])
    table = pa.table({"a": runs, "b": X[:, 1]})
    for source in (table, iter([table]), iter(table.to_batches())):
        found = searched(source)
        assert found.pag == searched(plain).pag and found.test.rows == 50


def test_doubled_names_in_arrow() -> None:
    table = ARROW.table([pa.array(X[:, 0]), pa.array(X[:, 1])], names=["a", "a"])
    for source in (table, iter([table]), table.to_reader()):
        with pytest.raises(DataError, match="columns 1 and 2 are both named 'a'"):
            searched(source)


def test_a_series_of_dask_is_no_table() -> None:
    series = DASK.from_pandas(pd.DataFrame({"a": X[:, 0]}), npartitions=2)["a"]
    with pytest.raises(
        an.OptionError, match=r"a Series of dask is not a table; pass a frame, as in series.to_frame\(\)"
    ):
        searched(series)


# -- what makes polars panic -------------------------------------------------------------------------------------------


def test_decimals_that_polars_cannot_hold(tmp_path: Path) -> None:
    wide = ARROW.table({"a": pa.array([Decimal("1.5")] * 9, pa.decimal256(50, 2)), "b": [1.5] * 9})
    PARQUET.write_table(wide, tmp_path / "x.parquet")
    for source in (tmp_path, tmp_path / "x.parquet", iter([wide])):
        with pytest.raises(DataError, match="38"):
            searched(source)


def test_a_panic_is_told_as_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PanicException is no Exception, so that most handlers do not see it."""

    def panics(*_: Any, **__: Any) -> Any:
        raise pl.exceptions.PanicException("range end index 7 out of range")

    pl.DataFrame(X).write_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_text("a,b\n" + "1.5,2.5\n" * 9)
    cases: dict[str, list[Any]] = {
        "read_parquet": [tmp_path / "x.parquet"],
        "read_csv": [tmp_path / "x.csv", [tmp_path / "x.csv"]],
        "from_arrow": [iter([pa.table({"a": X[:, 0]})]), [tmp_path / "x.parquet"]],
    }
    for function, sources in cases.items():
        with monkeypatch.context() as patched:
            patched.setattr(pl, function, panics)
            for source in sources:
                with pytest.raises(DataError, match="range end index 7 out of range"):
                    searched(source)


# -- queries of DuckDB that fail ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select random() a, interval 1 day i, random() b from range(20)", "column 'i' holds values of type .*drop="),
        ("select random() a, union_value(n := 1) i, random() b from range(20)", "column 'i' holds values of type"),
        (
            "select random() a, case when range = 99999 then error('late') else random() end b from range(100000)",
            "the query of DuckDB failed: .*late; correct it",
        ),
    ],
)
def test_queries_that_fail_are_told_and_free_the_connection(query: str, said: str) -> None:
    connection = duckdb.connect()
    relation = connection.sql(query)
    for call in (searched, Table.of):
        with pytest.raises(DataError, match=said):
            call(relation)
        assert connection.sql("select 7").fetchall() == [(7,)]


def test_tables_and_connections_that_are_gone() -> None:
    connection = duckdb.connect()
    connection.execute("create table t as select random() a, random() b from range(30)")
    relation = connection.sql("select * from t")
    connection.execute("drop table t")
    with pytest.raises(DataError, match=r"the query of DuckDB failed: .*Table with name t does not exist"):
        searched(relation)
    relation = connection.sql("select random() a, random() b from range(30)")
    connection.close()
    with pytest.raises(DataError, match=r"the query of DuckDB failed: .*closed"):
        searched(relation)


def test_rows_that_cannot_be_used_free_the_connection() -> None:
    connection = duckdb.connect()
    relation = connection.sql(
        "select random() a, case when range = 70000 then null else random() end b from range(200000)"
    )
    with pytest.raises(DataError, match="a value is missing in column 'b', row 70001") as told:
        searched(relation)
    assert connection.sql("select 7").fetchall() == [(7,)]
    assert told.value.__traceback__ is not None  # though the error still holds all frames
