"""Sources that are read some rows at a time give the answers of one table, whatever the cut and the order."""

import gzip
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dask.dataframe
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ancestral as an
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.summarize import summarized
from ancestral.data.stats.summary import Summary
from ancestral.options import TableOptions

DAG = an.simulate.random_dag(nodes=7, degree=2, seed=3)
FRAMES = {
    "continuous": an.simulate.linear_gaussian(DAG, rows=900, seed=1),
    "discrete": an.simulate.discrete(DAG, rows=900, levels=3, seed=1),
    "mixed": an.simulate.mixed(DAG, rows=900, seed=1),
}
TESTS = {"continuous": "fisher-z", "discrete": "labels", "mixed": "mixed"}
DASK: Any = dask.dataframe
KINDS = pytest.mark.parametrize("kind", FRAMES)


def discover(source: Any, *, algorithm: str | None = "icd", **options: Any) -> an.Discovery:
    """Search by questions, whose counts and p-values tell more about how the rows were summed up than a score."""
    return an.discover(source, algorithm=algorithm, resamples=0, progress=False, **options)


def assert_same(found: an.Discovery, whole: an.Discovery) -> None:
    assert found.test.name == whole.test.name and found.test.kinds == whole.test.kinds
    assert found.test.rows == whole.test.rows
    assert found.pag == whole.pag
    assert found.tests == whole.tests
    one, two = found.to_frame(pairs="all", library="polars"), whole.to_frame(pairs="all", library="polars")
    # rounding decides among graphs of one class, which score the same; the evidence of missing edges depends on it
    inexact = ("p_value", "statistic", "evidence")
    assert one.drop(*inexact, strict=False).equals(two.drop(*inexact, strict=False))
    np.testing.assert_allclose(one["p_value"].to_numpy(), two["p_value"].to_numpy(), rtol=0, atol=1e-9)
    np.testing.assert_allclose(one["statistic"].to_numpy(), two["statistic"].to_numpy(), rtol=1e-9)


def cut(frame: pl.DataFrame, *places: int) -> list[pl.DataFrame]:
    edges = [0, *sorted(places), frame.height]
    return [frame[a:b] for a, b in itertools.pairwise(edges)]


@KINDS
@settings(deadline=None, max_examples=8)
@given(places=st.lists(st.integers(0, 900), max_size=5), backwards=st.booleans())
def test_any_cut_and_any_order_is_the_whole(kind: str, places: list[int], backwards: bool) -> None:
    parts = cut(FRAMES[kind], *places)
    found = discover(iter(parts[:: -1 if backwards else 1]))
    assert_same(found, discover(FRAMES[kind]))
    assert found.test.fingerprint == discover(iter([FRAMES[kind]])).test.fingerprint
    assert_same(discover(iter(parts), algorithm=None), discover(FRAMES[kind], algorithm=None))


@KINDS
def test_every_kind_of_source(kind: str, tmp_path: Path) -> None:
    frame = FRAMES[kind]
    whole = discover(frame)
    assert whole.test.name == TESTS[kind]
    parts = cut(frame, 100, 101, 640)
    for i, part in enumerate(parts):
        part.write_parquet(tmp_path / f"part-{i}.parquet")
    (tmp_path / "_notes.csv").write_text("not a part")
    connection = duckdb.connect()
    connection.register("visits", frame.to_arrow())
    sources = {
        "a folder": tmp_path,
        "a pattern": f"{tmp_path}/part-*.parquet",
        "paths": [tmp_path / f"part-{i}.parquet" for i in (3, 1, 0, 2)],
        "pandas": (part.to_pandas() for part in parts),
        "a list": parts,
        "a reader": pa.Table.to_reader(frame.to_arrow(), max_chunksize=77),
        "a dataset": ds.dataset(tmp_path, format="parquet"),
        "duckdb": connection.sql("select * from visits"),
        "dask": DASK.from_pandas(frame.to_pandas(), npartitions=13),
    }
    for source in sources.values():
        with dask.config.set(scheduler="synchronous"):
            assert_same(discover(source), whole)


@KINDS
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv"])
def test_text_files(kind: str, ending: str, tmp_path: Path) -> None:
    frame = FRAMES[kind]
    frame.write_csv(tmp_path / "whole.csv")
    whole = discover(tmp_path / "whole.csv")
    folder = tmp_path / "parts"
    folder.mkdir()
    for i, part in enumerate(cut(frame, 2, 500)):
        text = part.write_csv(separator="\t" if ending == "tsv" else ",").encode()
        (folder / f"{i}.{ending}").write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    assert_same(discover(folder), whole)


def test_decimal_commas_and_late_surprises(tmp_path: Path) -> None:
    frame = FRAMES["continuous"].with_columns(pl.Series("n", [0.0, 1.0, 2.0] * 299 + [1.0, 0.0, 1.5]))
    for i, part in enumerate(cut(frame, 300)):
        lines = part.write_csv(separator=";").replace(".", ",")
        (tmp_path / f"{i}.csv").write_text(lines)
    assert_same(discover(tmp_path), discover(frame))


# -- kinds do not hang on the cut --------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.lists(st.integers(0, 60), max_size=5), st.integers(0, 59))
@example(1, [10, 20, 30, 40, 50], 5)  # no part has more than ten values of m, and all of them together have twelve
def test_a_column_may_turn_out_continuous_anywhere(seed: int, places: list[int], late: int) -> None:
    rng = np.random.default_rng(seed)
    n = rng.integers(0, 3, 60).astype(float)
    n[late] = 0.5
    frame = pl.DataFrame(
        {"n": n, "m": rng.integers(0, 12, 60), "a": rng.choice(["x", "y"], 60), "b": rng.integers(0, 2, 60)}
    )
    stream = stream_of(iter(cut(frame, *places)))
    assert stream is not None
    found = summarized(stream)
    table = an.Table.of(frame)
    assert found.kinds == table.kinds
    assert found.moments is not None and found.moments.mean is not None
    continuous = [name for name, kind in zip(table.names, table.kinds, strict=True) if kind == "continuous"]
    values = frame.select(continuous).to_numpy().astype(float)
    np.testing.assert_allclose(found.moments.comoments, np.cov(values.T).reshape(found.moments.comoments.shape) * 59)
    for name in set(table.names) - set(continuous):
        column = table.column(name)
        assert found.levels(name) == column.levels
        assert list(found.rows_by_level(name).values()) == np.bincount(column.values).tolist()
    for name in continuous:
        plain = table.column(name).deviations
        assert found.deviations[name].skewness == pytest.approx(plain.skewness, abs=1e-9)
        assert found.deviations[name].kurtosis == pytest.approx(plain.kurtosis, abs=1e-9)


def test_kinds_can_be_said() -> None:
    frame = FRAMES["discrete"].with_columns(pl.col(FRAMES["discrete"].columns[0]).cast(pl.String))
    whole = discover(frame, kinds="discrete", test="chi2")
    assert_same(discover(iter(cut(frame, 10)), kinds="discrete", test="chi2"), whole)
    numbers = pl.DataFrame({name: np.random.default_rng(i).integers(0, 4, 100) for i, name in enumerate("abc")})
    assert_same(discover(iter(cut(numbers, 9)), kinds="continuous"), discover(numbers, kinds="continuous"))
    assert_same(discover(iter(cut(numbers, 9)), test="mixed"), discover(numbers, test="mixed"))


def test_missing_values() -> None:
    frame = FRAMES["mixed"]
    names = frame.columns
    holes = frame.with_columns(pl.when(pl.int_range(pl.len()) % 50 != 7).then(pl.col(names[0])).alias(names[0]))
    assert_same(discover(iter(cut(holes, 30, 31)), missing="drop"), discover(holes, missing="drop"))
    with pytest.raises(an.DataError, match=f"a value is missing in column '{names[0]}', row 58; pass missing=\"drop\""):
        discover(iter([frame[:57], holes[57:]]))
    with pytest.raises(an.OptionError, match="goes back to the rows"):
        discover(iter([holes]), missing="testwise")


def test_counts_are_a_source() -> None:
    frame = FRAMES["discrete"]
    counts = sum((an.Counts.of(part) for part in cut(frame, 300)), start=0)
    assert isinstance(counts, an.Counts)
    assert_same(discover(counts), discover(frame))
    with pytest.raises(an.OptionError, match="must be 'labels' or 'g' or 'chi2' where the source is counts"):
        discover(counts, test="mixed")
    some = frame.columns[:4]
    assert_same(discover(counts, columns=some), discover(frame, columns=some))


def test_counts_on_a_file_answer_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = discover(FRAMES["discrete"])
    monkeypatch.setattr("ancestral.data.stats.segments.MOST_BYTES", 1000)
    assert_same(discover(iter(cut(FRAMES["discrete"], 200, 400, 600))), whole)


# -- the same faults as in a table -------------------------------------------------------------------------------------


def faulty(what: str) -> pl.DataFrame:
    frame = FRAMES["continuous"][:200]
    names = frame.columns
    rows = np.arange(200)
    return {
        "a constant": frame.with_columns(pl.lit(5.0).alias("k")),
        "nearly a constant": frame.with_columns(pl.Series("k", 0.3 + 1e-18 * rows)),
        "a copy": frame.with_columns((2 * pl.col(names[0]) + 1).alias("k")),
        "a sum": frame.with_columns((pl.col(names[0]) + pl.col(names[1])).alias("k")),
        "an identifier": frame.with_columns(pl.Series("k", [f"p{i}" for i in rows])),
        "levels twice": frame.with_columns(pl.Series("k", rows % 3), pl.Series("l", [f"v{i % 3}" for i in rows])),
        "only levels twice": pl.DataFrame({"k": rows % 3, "l": [f"v{i % 3}" for i in rows], "m": rows // 2 % 2}),
        "infinite": frame.with_columns(pl.Series("k", np.where(rows == 150, np.inf, rows * 1.5))),
        "numbers as text": frame.with_columns(pl.Series("k", [f"{i / 7}" for i in rows])),
        "a stray": frame.with_columns(pl.Series("k", [f"{i / 7}" if i != 99 else "oops" for i in rows])),
        "nothing": frame.with_columns(pl.lit(None).cast(pl.Float64).alias("k")),
        "dates": frame.with_columns(pl.lit("2020-01-01").str.to_date().alias("k")),
        "enormous": frame.with_columns(pl.Series("k", rows * 1e200)),
        "few rows": frame[:3],
    }[what]


@pytest.mark.parametrize(
    "what",
    ["a constant", "nearly a constant", "a copy", "a sum", "an identifier", "levels twice", "only levels twice",
     "infinite", "a stray", "dates", "enormous", "few rows"],
)  # fmt: skip
def test_faults_are_told_in_the_same_words(what: str) -> None:
    frame = faulty(what)
    with pytest.raises(an.DataError) as told:
        discover(frame)
    with pytest.raises(an.DataError) as found:
        discover(iter(cut(frame, 1, 120) if what != "dates" else [frame]))
    assert str(found.value) == str(told.value)


def test_faults_that_only_the_whole_shows() -> None:
    with pytest.raises(an.DataError, match="column 'k' has no values"):
        discover(iter(cut(faulty("nothing"), 5)), missing="drop")


def test_text_that_consists_of_numbers_is_told_once_all_rows_were_read() -> None:
    frame = faulty("numbers as text").with_columns(pl.col("k").gather(pl.int_range(pl.len()) % 40))
    expected = r"column 'k' is text, and is taken as labels, though .* or pass kinds=\{'k': 'continuous'\}"
    for source in (frame, iter(cut(frame, 5))):
        with pytest.warns(an.DataWarning, match=expected) as given:
            assert dict(discover(source).test.kinds or {})["k"] == "discrete"
        assert len(given) == 1


def test_columns_far_from_normal_are_told() -> None:
    frame = pl.DataFrame({name: np.random.default_rng(i).lognormal(0, 2, 500) for i, name in enumerate("ab")})
    with pytest.warns(an.DataWarning, match="far from normal: 'a', 'b'"):
        discover(iter(cut(frame, 100)))


# -- what cannot be had ------------------------------------------------------------------------------------------------


def frame(**columns: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(columns)


def nothing() -> Iterator[pl.DataFrame]:
    yield from ()


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        (lambda: iter([FRAMES["continuous"]]), {"test": "rank"}, 'test="rank" needs all rows at once'),
        (lambda: iter([FRAMES["continuous"]]), {"test": lambda x, y, z: 1.0}, "test as a function needs all rows"),
        (lambda: iter([FRAMES["continuous"]]), {"test": "g"}, 'test="g" is for discrete columns'),
        (lambda: iter([FRAMES["continuous"]]), {"separator": ";"}, "does not apply to a source of frames"),
        (lambda: iter([FRAMES["continuous"]]), {"missing": "ignore"}, "missing must be one of .*got 'ignore'"),
        (lambda: iter([FRAMES["continuous"]]), {"drop": FRAMES["continuous"].columns}, "the table has no columns"),
        (lambda: nothing(), {}, "no frame came from the iterator"),
        (lambda: iter([FRAMES["continuous"][:0]]), {}, "the table has no rows"),
        (lambda: duckdb.connect(), {}, "pass a relation"),
        (lambda: "nowhere/*.parquet", {}, "no file matches 'nowhere/\\*.parquet'"),
        (lambda: ["nowhere.parquet"], {}, "there is no file 'nowhere.parquet'"),
        (lambda: iter([frame(a=[1.5]), frame(b=[2.5])]), {}, "frame 2 lacks 'a' and has 'b' besides"),
        (lambda: iter([frame(a=[1.5]), frame(a=["x"])]), {}, "holds numbers in row 1 and labels in row 2"),
    ],
)  # fmt: skip
def test_what_is_refused(source: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(an.AncestralError, match=words):
        discover(source(), **options)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(an.DataError, match="holds no file that can be read"):
        discover(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(an.DataError, match=r"a\.parquet cannot be read as parquet"):
        discover([tmp_path / "a.parquet"])
    (tmp_path / "a.parquet").unlink()
    (tmp_path / "a.csv").write_text("x,y\n" + "1.5,2\n" * 2000 + "1.5\n")
    with pytest.raises(an.DataError, match=r"line 2002 of a\.csv has 1 field separated by comma"):
        discover([tmp_path / "a.csv"])
    (tmp_path / "a.csv").write_text("x,y\n" + "1.5,2.5\n2.5,0.5\n" * 2000 + "oops,2\n")
    with pytest.raises(
        an.DataError, match=r"column 'x' holds numbers, but 'oops' \(line 4002 of a.csv\) is not a number"
    ):
        discover([tmp_path / "a.csv"])
    (tmp_path / "a.csv").write_text("x,y\n" + "1.5,2.5\n2.5,0.5\n" * 1000 + "NA,2\n")
    with pytest.raises(an.DataError, match=r"column 'x', line 2002 of a\.csv"):
        discover([tmp_path / "a.csv"])


def test_a_folder_or_pattern_of_one_file_is_that_file_and_a_list_of_one_is_read_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "part-0.csv"
    FRAMES["mixed"].write_csv(path)
    table = discover(path, test="rank")  # needs all rows
    for source in (tmp_path, str(tmp_path / "part-*.csv")):
        assert_same(discover(source, test="rank"), table)
    with pytest.raises(an.OptionError, match=r"needs all rows at once.*pass in_memory=True to read all rows as one"):
        discover([path], test="rank")


def test_parts_can_be_read_as_one_table(tmp_path: Path) -> None:
    rows = FRAMES["mixed"]
    for number, part in enumerate(cut(rows, 100, 333)):
        part.write_parquet(tmp_path / f"part-{number}.parquet")
    table, drawn = discover(rows, test="rank"), an.discover(rows, resamples=3)
    sources: list[Callable[[], Any]] = [
        lambda: tmp_path,
        lambda: str(tmp_path / "*.parquet"),
        lambda: sorted(tmp_path.iterdir()),
        lambda: iter(cut(rows, 100, 333)),
    ]
    for source in sources:
        with pytest.raises(an.OptionError, match=r"in_memory=True to read all rows as one table$"):
            discover(source(), test="rank")
        assert_same(discover(source(), test="rank", in_memory=True), table)
        with pytest.raises(an.OptionError, match=r"in_memory=True to read all rows as one table$"):
            discover(source(), missing="testwise")
        discover(source(), missing="testwise", in_memory=True)
        with pytest.raises(an.OptionError, match=r"sums have no rows to draw; .* with in_memory=True$"):
            an.discover(source(), resamples=3)
        assert an.discover(source(), resamples=3, in_memory=True).pag == drawn.pag
        described = an.describe(source(), in_memory=True)
        assert [(one.median, one.histogram) for one in described.columns] == [
            (one.median, one.histogram) for one in an.describe(rows).columns
        ]
    assert an.describe(tmp_path).to_dict()["not_known"].endswith("to know, read all rows as one table: in_memory=True")


def test_a_run_goes_on_however_its_rows_are_cut(tmp_path: Path) -> None:
    parts = cut(FRAMES["mixed"], 100, 333)
    discover(iter(parts), max_radius=0, save=tmp_path / "run.json")
    found = discover(iter(parts[::-1]), resume=tmp_path / "run.json")
    assert_same(found, discover(FRAMES["mixed"]))
    with pytest.raises(an.RunError, match="was made from different data"):
        discover(iter(parts[:2]), resume=tmp_path / "run.json")


def test_summaries_hold_no_rows() -> None:
    stream = stream_of(iter(cut(FRAMES["continuous"], 500)))
    assert stream is not None
    found = summarized(stream)
    assert isinstance(found, Summary) and found.rows == 900 and repr(found) == "Summary of 6 columns, 900 rows"


def test_frames_may_share_their_memory() -> None:
    """A generator that fills one array again and again is read before it goes on."""
    whole = FRAMES["continuous"]

    def refilled() -> Iterator[Any]:
        values = np.empty((100, whole.width))
        for first in range(0, whole.height, 100):
            values[:] = whole[first : first + 100].to_numpy()
            yield pd.DataFrame(values, columns=whole.columns, copy=False)

    for _ in range(5):
        assert_same(discover(refilled()), discover(whole))


def test_squares_that_overflow_between_parts() -> None:
    rng = np.random.default_rng(1)
    c, d = rng.standard_normal((2, 80))
    parts = [pl.DataFrame({"a": 0.5, "c": c, "d": d + c}), pl.DataFrame({"a": 1e200, "c": c + 3, "d": d})]
    for source in (iter(parts), pl.concat(parts)):
        with pytest.raises(an.DataError, match="column 'a' holds numbers beyond 1e150"):
            discover(source)


@pytest.mark.parametrize("gone", [1e90, 1e200])
def test_what_is_only_in_dropped_rows_does_not_count(gone: float) -> None:
    frame = FRAMES["continuous"].with_columns(k=pl.Series(np.arange(900) % 4).cast(pl.Float64))
    first = pl.when(pl.int_range(pl.len()) == 5)
    frame = frame.with_columns(
        first.then(gone).otherwise("k").alias("k"), first.then(None).otherwise(frame.columns[0]).alias(frame.columns[0])
    )
    whole = summarized(stream_of(iter([frame])), TableOptions(missing="drop"))  # type: ignore[arg-type]
    parts = summarized(stream_of(iter(cut(frame, 300))), TableOptions(missing="drop"))  # type: ignore[arg-type]
    plain = an.Table.of(frame[:5].vstack(frame[6:]).select(pl.col("k")), kinds="continuous").column("k").deviations
    for found in (whole, parts):
        assert found.deviations["k"].kurtosis == pytest.approx(plain.kurtosis, rel=1e-9)
        column = next(column for column in found.columns if column.name == "k")
        assert (column.low, column.high) == (0, 3)


def test_the_order_of_columns_shows_in_no_bit() -> None:
    rng = np.random.default_rng(2)
    whole = pl.DataFrame({name: rng.integers(0, 4, 400) for name in "zmab"})
    late = pl.DataFrame({name: rng.standard_normal(300) if name == "m" else rng.integers(0, 4, 300) for name in "zmab"})
    first = None
    for names in itertools.permutations("zmab"):
        parts = [part.select(names) for part in (whole, late, whole)]
        sizes, correlation = summarized(stream_of(iter(parts))).blocks()  # type: ignore[arg-type]
        first = first or (sizes, correlation.tobytes())
        assert (sizes, correlation.tobytes()) == first


def test_counts_that_cannot_be_written_to_add_up() -> None:
    counts = an.Counts.of(FRAMES["discrete"])
    for words, weights in counts.segments:
        words.flags.writeable = weights.flags.writeable = False
    assert (counts + counts).rows == 1800


def test_a_column_like_an_identifier_is_told_soon() -> None:
    frame = FRAMES["continuous"].head(900).with_columns(id=pl.Series([f"u{i:05}" for i in range(900)]))
    frame = pl.concat([frame.with_columns(pl.col("id") + f"{part}") for part in range(3)])
    with pytest.raises(an.DataError, match=r"'id' alone 2700, too many to sum up .* drop=\['id'\]"):
        discover(iter([frame]))


@KINDS
def test_all_rows_or_their_sums_are_there_for_the_asking(kind: str, tmp_path: Path) -> None:
    whole = FRAMES[kind]
    for i, part in enumerate(cut(whole, 200, 500)):
        part.write_parquet(tmp_path / f"{i}.parquet")
    pattern = f"{tmp_path}/*.parquet"
    assert discover(an.Table.of(pattern)).to_json() == discover(whole).to_json()
    for frames in (iter(cut(whole, 200)), DASK.from_pandas(whole.to_pandas(), npartitions=3)):
        assert discover(an.Table.of(frames)).pag == discover(whole).pag
    if kind == "continuous":
        summed, plain = an.Moments.of(pattern), an.Moments.of(whole)
        assert summed.names == plain.names and summed.rows == plain.rows
        np.testing.assert_allclose(summed.comoments, plain.comoments, rtol=1e-12)
    if kind == "discrete":
        assert an.Counts.of(pattern).fingerprint == an.Counts.of(whole).fingerprint


def test_paths_may_come_one_by_one(tmp_path: Path) -> None:
    for i, part in enumerate(cut(FRAMES["mixed"], 300, 600)):
        part.write_csv(tmp_path / f"{i}.csv")
    assert_same(discover(tmp_path.glob("*.csv")), discover(FRAMES["mixed"]))


def test_files_may_differ_in_what_is_not_used(tmp_path: Path) -> None:
    whole = FRAMES["continuous"]
    for folder, part in zip(("old", "new"), cut(whole, 400), strict=True):
        (tmp_path / folder).mkdir()
        part.with_columns(**{folder: pl.lit(1.5)}).write_parquet(tmp_path / folder / "part.parquet")
    with pytest.raises(an.DataError, match=r"^new/part.parquet lacks 'old', which other files have; .* drop=\['old'\]"):
        discover(tmp_path)
    assert_same(discover(tmp_path, drop=["old", "new"]), discover(whole))
    assert_same(discover(tmp_path, columns=whole.columns), discover(whole))
    table = an.Table.of(tmp_path, drop=["old", "new"], kinds={"old": "discrete"})
    assert (table.names, table.rows) == (tuple(whole.columns), 900)
    with pytest.raises(an.DataError, match="the table has no columns"):
        an.Table.of(tmp_path, columns=[])
    with pytest.raises(an.DataError, match=r"part.parquet' is named twice, so its rows would count twice"):
        discover([tmp_path, tmp_path / "old" / "part.parquet"])


def test_parts_of_different_types_are_no_table() -> None:
    parts = [pl.DataFrame({"a": [1.5, 2.5]}), pl.DataFrame({"a": ["x", "y"]})]
    with pytest.raises(
        an.DataError,
        match="column 'a' holds numbers in some parts and labels in others; make it one of them everywhere",
    ):
        an.Table.of(iter(parts))
