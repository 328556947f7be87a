"""Which values are missing: words in text files, nothing but nulls in typed columns, and what `na=` declares."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ancestral as an
from tests.support.command_line import ran

RNG = np.random.default_rng(3)
ROWS = 60
WORDS = ["None", "NA", "?", "Mild"] * (ROWS // 4)
NUMBERS = np.where(np.arange(ROWS) % 5 == 0, -999.0, RNG.normal(size=ROWS).round(3))
FRAME = pl.DataFrame(
    {"word": WORDS, "number": NUMBERS, "whole": np.where(np.arange(ROWS) % 6 == 0, -999, np.arange(ROWS) * 37 % 50)}
)
GONE = {"word": ROWS // 4, "number": ROWS // 5, "whole": ROWS // 6}


def relation(frame: pl.DataFrame) -> Any:
    return duckdb.connect().from_arrow(frame.to_arrow())


def dask_frame(frame: pl.DataFrame) -> Any:
    library: Any = dd  # says little about its types
    return library.from_pandas(frame.to_pandas(), npartitions=3)


def chunks(frame: pl.DataFrame) -> Any:
    return iter([frame[:17], frame[17:]])


#: The same rows as each kind of source whose columns have types.
TYPED: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "polars": lambda frame, folder: frame,
    "categories of polars": lambda frame, folder: frame.with_columns(pl.col("word").cast(pl.Categorical)),
    "pandas str": lambda frame, folder: frame.to_pandas().astype({"word": "str"}),
    "pandas object": lambda frame, folder: frame.to_pandas().astype({"word": object}),
    "pandas category": lambda frame, folder: frame.to_pandas().astype({"word": "category"}),
    "pandas Int64": lambda frame, folder: frame.to_pandas().astype({"whole": "Int64"}),
    "pyarrow": lambda frame, folder: frame.to_arrow(),
    "pyarrow dictionary": lambda frame, folder: pa.table(
        frame.with_columns(pl.col("word").cast(pl.Categorical)).to_arrow()
    ),
    "lazy": lambda frame, folder: frame.lazy(),
    "parquet": lambda frame, folder: written(frame, folder / "x.parquet"),
    "parquet, some rows at a time": lambda frame, folder: [written(frame, folder / "x.parquet")],
    "feather": lambda frame, folder: written(frame, folder / "x.feather"),
    "frames": lambda frame, folder: chunks(frame),
    "duckdb": lambda frame, folder: relation(frame),
    "dask": lambda frame, folder: dask_frame(frame),
}  # fmt: skip


def written(frame: pl.DataFrame, path: Path) -> Path:
    (frame.write_parquet if path.suffix == ".parquet" else frame.write_ipc)(path)
    return path


@pytest.mark.parametrize("kind", TYPED)
def test_in_typed_columns_words_are_labels_and_declared_values_are_missing(kind: str, tmp_path: Path) -> None:
    def source() -> Any:
        return TYPED[kind](FRAME, tmp_path)

    table = an.Table.of(source())
    assert table.column("word").levels == ("?", "Mild", "NA", "None")
    assert table.missing_counts() == dict.fromkeys(GONE, 0)
    table = an.Table.of(source(), na=["NA", "-999"], missing="testwise")
    assert table.missing_counts() == GONE
    assert table.column("word").levels == ("?", "Mild", "None")
    present = table.column("number").present
    assert np.array_equal(present, NUMBERS[NUMBERS != -999.0])
    complete = FRAME.filter((pl.col("word") != "NA") & (pl.col("number") != -999) & (pl.col("whole") != -999))
    assert an.Table.of(source(), na=["NA", "-999"], missing="drop").fingerprint == an.Table.of(complete).fingerprint
    moments = an.Moments.of(source(), drop=["word"], na="-999", missing="drop")
    expected = FRAME.drop("word").filter((pl.col("number") != -999) & (pl.col("whole") != -999)).to_numpy()
    assert moments.rows == len(expected) and np.allclose(moments.covariance, np.cov(expected.T))
    counts = an.Counts.of(source(), columns=["word"], na="NA", missing="drop")
    assert counts.rows == ROWS - GONE["word"]
    assert an.discover(source(), na=["NA", "-999"], missing="drop", progress=False).test.rows == complete.height


@pytest.mark.parametrize("wrapped", [False, True])
def test_in_text_files_declared_values_replace_the_usual_words(wrapped: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    FRAME.write_csv(path)
    source: Any = [path] if wrapped else path
    with pytest.raises(an.DataError, match=r"'NA', 'None' and '\?' count as missing|'None' counts as missing"):
        an.discover(source, progress=False)
    assert an.Table.of(source, missing="testwise").missing_counts() == {"word": 45, "number": 0, "whole": 0}
    table = an.Table.of(source, na=["NA", "-999"], missing="testwise")
    assert table.missing_counts() == GONE
    assert an.discover(source, na=["NA", "-999"], missing="drop", progress=False).test.rows == sum(
        word != "NA" and i % 5 > 0 and i % 6 > 0 for i, word in enumerate(WORDS)
    )


def test_what_is_left_empty_is_missing_whatever_is_declared(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n" + "1.5,x\n,y\n2.5,\n" * 5)
    for na in ([], [""], ["NA"]):
        table = an.Table.of(tmp_path / "x.csv", na=na, missing="testwise")
        assert table.missing_counts() == {"a": 5, "b": 5}


def test_an_array_has_declared_values_too() -> None:
    numbers = np.column_stack([NUMBERS, RNG.normal(size=ROWS)])
    plain: Any = [-999]  # a number is written out
    assert an.Table.of(numbers, na=plain, missing="testwise").missing_counts() == {"x1": 12, "x2": 0}
    objects = np.array([["a", 1.5], ["-", 2.5], ["b", -9.0]], dtype=object)
    assert an.Table.of(objects, na=["-", "-9"], missing="testwise").missing_counts() == {"x1": 1, "x2": 1}


def test_empty_text_in_a_frame_is_a_label_and_is_told() -> None:
    frame = pd.DataFrame({"a": ["", "x", "y"] * 4, "b": RNG.normal(size=12)})
    for source in (frame, iter([frame])):
        with pytest.warns(an.DataWarning, match=r"column 'a' has empty text, .* pass na=\[''\]"):
            assert an.Table.of(source).column("a").levels == ("", "x", "y")
    with pytest.warns(an.DataWarning, match="column 'a' has empty text"):
        assert an.discover(iter([frame]), progress=False).test.kinds == {"a": "discrete", "b": "continuous"}
    assert an.Table.of(frame, na=[""], missing="drop").rows == 8


def test_text_that_consists_of_numbers_stays_labels_and_is_told() -> None:
    frame = pl.DataFrame({"size": [f"{i / 4}" for i in range(15)] * 4, "comma": [f"{i},5" for i in range(15)] * 4})
    with pytest.warns(an.DataWarning) as given:
        table = an.Table.of(frame)
    assert table.kinds == ("discrete", "discrete") and len(table.notes) == 2
    assert "'size' is text, and is taken as labels, though its values are numbers, such as '0.0'" in str(
        given[0].message
    )
    assert "pass kinds={'size': 'continuous'}" in str(given[0].message)
    assert "'comma' is text" in str(given[1].message) and "kinds" not in str(given[1].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert an.Table.of(frame, kinds="discrete").kinds == ("discrete", "discrete")
        assert an.Table.of(frame, columns=["size"], kinds={"size": "continuous"}).kinds == ("continuous",)
        assert an.Table.of(pl.DataFrame({"code": ["1", "2", "3"] * 9})).kinds == ("discrete",)  # the same either way


def test_a_search_keeps_what_was_declared_and_can_be_repeated(tmp_path: Path) -> None:
    path, run = tmp_path / "x.csv", tmp_path / "run.json"
    FRAME.write_csv(path)
    found = an.discover(path, na=["NA", "-999"], missing="drop", encoding="latin-1", save=run, progress=False)
    loaded = an.load(run)
    assert loaded.reading.options() == {"missing": "drop", "na": ("NA", "-999"), "encoding": "latin-1"}
    from ancestral.show.rerun import command, python_call

    words = command(loaded.settings, loaded.reading)
    assert words is not None and "--na NA,-999 --encoding latin-1" in words
    assert "na=['NA', '-999'], encoding='latin-1'" in python_call(loaded.settings, loaded.reading)
    done = ran("discover", path, "--na", "NA,-999", "--missing", "drop", "--quiet")
    assert (done.code, done.out) == (0, f"{found.pag}\n")


def test_a_word_among_labels_is_named_before_rows_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "accident,cost\n" + "".join(f"{word},{i * i % 17}.5\n" for i, word in enumerate(["None", "Mild"] * 9))
    )
    done = ran("discover", path)
    assert done.code == 2
    assert done.err.index("--na 'NA,N/A,NaN,nan,null,*,?'") < done.err.index("--missing drop")
    assert "'None' counts as missing and is not a label like 'Mild', 9 times" in done.err
    done = ran("discover", path, path.with_name("none.csv"))
    assert done.code == 2


def test_a_table_has_no_use_for_declared_values() -> None:
    with pytest.raises(an.OptionError, match=r"na=\['NA'\] does not apply to a Table: .*; leave na= out"):
        an.Table.of(an.Table.of(FRAME), na=["NA"])
    with pytest.raises(an.OptionError, match=r"na must be a list of values, got 3; for example na=\['NA', '-999'\]"):
        an.Table.of(FRAME, na=3)  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="na must be a list of values, which are strings or numbers, got None"):
        an.Table.of(FRAME, na=[None])  # type: ignore[list-item]
