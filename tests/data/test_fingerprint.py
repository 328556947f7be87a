"""One fingerprint: the same rows have the same, wherever they come from, and any other rows have another."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ancestral as an
from ancestral.data import Counts, Table
from ancestral.data.column_kinds import Labels
from ancestral.data.old_fingerprint import old_fingerprint
from ancestral.data.row_hash import row_hash

RNG = np.random.default_rng(1)
ROWS = 300
COLUMNS: dict[str, Any] = {
    "number": RNG.normal(size=ROWS),
    "whole": RNG.integers(-30, 30, ROWS),
    "level": RNG.integers(0, 4, ROWS),
    "zero": RNG.choice([0.0, -0.0, 1.5, 1e-300], ROWS),
    "word": RNG.choice(["x", "y", "1", "1.0"], ROWS),
}
FRAMES = {
    "continuous": pl.DataFrame({name: COLUMNS[name] for name in ("number", "whole", "zero")}),
    "discrete": pl.DataFrame({name: COLUMNS[name] for name in ("level", "word")}),
    "mixed": pl.DataFrame(COLUMNS),
}
KINDS = pytest.mark.parametrize("kind", FRAMES)


def discover(source: Any, **options: Any) -> an.Discovery:
    return an.discover(source, progress=False, **{"max_radius": 0, **options})


def fingerprint(source: Any, **options: Any) -> str:
    return str(discover(source, **options).test.fingerprint)


def sources(frame: pl.DataFrame, folder: Path, **options: Any) -> dict[str, Any]:
    """The same rows in every form."""
    parts = [frame[:100], frame[100:101], frame[101:]]
    frame.write_csv(folder / "whole.csv")
    frame.write_csv(folder / "whole.tsv", separator="\t")
    frame.write_parquet(folder / "whole.parquet")
    (folder / "parts").mkdir()
    for i, part in enumerate(parts):
        part.write_parquet(folder / "parts" / f"{i}.parquet")
    return {
        "csv": folder / "whole.csv",
        "tsv": str(folder / "whole.tsv"),
        "parquet": folder / "whole.parquet",
        "folder": folder / "parts",
        "pattern": f"{folder}/parts/*.parquet",
        "list of one": [folder / "whole.csv"],
        "list": [folder / "parts" / f"{i}.parquet" for i in (2, 0, 1)],
        "generator": (part for part in parts),
        "polars": frame,
        "lazy": frame.lazy(),
        "pandas": frame.to_pandas(),
        "pyarrow": frame.to_arrow(),
        "table": Table.of(frame, **options),
        "other order": frame.sample(fraction=1.0, shuffle=True, seed=1).select(frame.columns[::-1]),
    }


@KINDS
def test_the_same_rows_have_the_same_fingerprint(kind: str, tmp_path: Path) -> None:
    found = {name: fingerprint(source) for name, source in sources(FRAMES[kind], tmp_path).items()}
    assert len(set(found.values())) == 1, found
    assert found["csv"].startswith("rows:")


def test_arrays_with_names_and_counts_are_the_same_rows_too() -> None:
    numbers, levels = FRAMES["continuous"], FRAMES["discrete"]
    assert fingerprint(numbers.to_numpy(), names=numbers.columns) == fingerprint(numbers)
    assert fingerprint(Counts.of(levels)) == fingerprint(levels)
    assert fingerprint(Counts.of(levels[:50]) + Counts.of(levels[50:])) == fingerprint(levels)


def test_incomplete_rows_are_left_out_alike(tmp_path: Path) -> None:
    holes = FRAMES["mixed"].with_columns(
        pl.when(pl.int_range(pl.len()) % 50 != 7).then(pl.col(name)).alias(name) for name in ("number", "word", "level")
    )
    forms = sources(holes, tmp_path, missing="drop")
    found = {name: fingerprint(source, missing="drop") for name, source in forms.items()}
    assert len(set(found.values())) == 1, found
    kept = (holes, holes.to_pandas(), tmp_path / "whole.csv")
    testwise = {fingerprint(source, missing="testwise") for source in kept}
    assert len(testwise) == 1 and testwise != set(found.values())


def _flipped(values: Any, bit: int) -> Any:
    values = np.array(values, dtype=np.float64)
    values.view(np.uint64)[17] ^= np.uint64(1 << bit)
    return values


CHANGES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "a row less": lambda frame: frame[1:],
    "a row twice": lambda frame: pl.concat([frame, frame[:1]]),
    "a row in the place of another": lambda frame: pl.concat([frame[1:], frame[1:2]]),
    "another name": lambda frame: frame.rename({"number": "numbers"}),
    "two names exchanged": lambda frame: frame.rename({"number": "whole", "whole": "number"}),
    "two values of a row exchanged": lambda frame: frame.with_columns(
        pl.Series("number", [frame["whole"][0], *frame["number"][1:]], dtype=pl.Float64),
        pl.Series("whole", [frame["number"][0], *frame["whole"][1:]], dtype=pl.Float64),
    ),
    "two values of a column exchanged": lambda frame: frame.with_columns(
        pl.Series("number", [frame["number"][1], frame["number"][0], *frame["number"][2:]])
    ),
    "another label": lambda frame: frame.with_columns(pl.col("word").replace("1.0", "1.00")),
    "another level": lambda frame: frame.with_columns(pl.col("level").replace(3, 4)),
    "all signs": lambda frame: frame.with_columns(-pl.col("number"), -pl.col("whole")),
    "signs of one row": lambda frame: frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 5).then(-pl.col(name)).otherwise(pl.col(name)).alias(name)
        for name in ("number", "whole")
    ),
    "doubled": lambda frame: frame.with_columns(pl.col("number") * 2, pl.col("whole") * 2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_rows_have_another(change: str) -> None:
    frame = FRAMES["mixed"].with_columns(pl.col("whole").cast(pl.Float64))
    assert Table.of(CHANGES[change](frame)).fingerprint != Table.of(frame).fingerprint


@given(st.integers(0, 63))
def test_every_bit_of_every_value_counts(bit: int) -> None:
    names = ("number", "zero")
    before = {name: np.array(COLUMNS[name]) for name in names}
    for name in names:
        assert row_hash({**before, name: _flipped(before[name], bit)}) != row_hash(before) or before[name][17] == 0.0
    both = {name: _flipped(before[name], bit) for name in names}
    assert row_hash(both) != row_hash(before)


@given(st.lists(st.sampled_from(["1", "2.5", "-3", "x", "1.0", "0", "1000000", "", "nan", "inf"]), min_size=1))
def test_labels_that_are_spelled_as_numbers_have_the_bits_of_numbers(labels: list[str]) -> None:
    levels = tuple(sorted(set(labels)))
    codes = np.array([levels.index(label) for label in labels], dtype=np.int32)
    hashed = row_hash({"a": Labels(codes, levels)})
    as_numbers = [label for label in labels if label in ("1", "2.5", "-3", "0", "1000000")]
    same = row_hash({"a": np.array([float(label) if label in as_numbers else 7.0 for label in labels])}) == hashed
    assert same == (len(as_numbers) == len(labels))


def test_kinds_count() -> None:
    frame = FRAMES["discrete"].select("level")
    assert Table.of(frame).fingerprint != Table.of(frame, kinds="continuous").fingerprint


@KINDS
def test_a_run_is_resumed_whatever_form_the_rows_have(kind: str, tmp_path: Path) -> None:
    forms = sources(FRAMES[kind], tmp_path)
    path = tmp_path / "run.json"
    whole = discover(FRAMES[kind], algorithm="icd", max_radius=None)
    for before, after in itertools.pairwise(["csv", "folder", "pandas", "pattern", "parquet", "list", "polars"]):
        discover(forms[before], save=path)
        found = discover(forms[after], resume=path, max_radius=None)
        assert found.pag == whole.pag and found.tests == whole.tests
    with pytest.raises(an.RunError, match=r"was made from different data; resume it"):
        discover(FRAMES[kind][1:], resume=path)


@KINDS
def test_runs_of_earlier_versions_on_streams_are_refused_honestly(kind: str, tmp_path: Path) -> None:
    """Their fingerprint began with sha256: and cannot be computed from a stream any more."""
    path = tmp_path / "run.json"
    discover(FRAMES[kind], save=path)
    run = json.loads(path.read_text())
    run["data"]["fingerprint"] = "sha256:" + "0" * 64
    path.write_text(json.dumps(run))
    for source in (FRAMES[kind], iter([FRAMES[kind]])):
        with pytest.raises(an.RunError, match="an earlier version of ancestral read some rows at a time, whose finger"):
            discover(source, resume=path)


def test_runs_of_earlier_versions_on_tables_are_resumed(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    frame = FRAMES["mixed"]
    table = Table.of(frame)
    new = discover(frame, save=path).test.fingerprint
    run = json.loads(path.read_text())
    assert run["data"]["fingerprint"] == new == table.fingerprint
    run["data"]["fingerprint"] = old_fingerprint(table)
    path.write_text(json.dumps(run))
    assert discover(frame.to_pandas(), resume=path, max_radius=None).complete
    assert json.loads(path.read_text())["data"]["fingerprint"] == new


def test_pandas_and_its_missing_values_have_one_fingerprint() -> None:
    plain = pd.DataFrame({"a": [1.5, None, 2.5, 3.5], "b": ["x", "y", None, "x"]})
    own = plain.convert_dtypes()
    negative = plain.copy()
    negative.loc[1, "a"] = -np.float64("nan")
    found = {Table.of(frame, missing="testwise").fingerprint for frame in (plain, own, negative)}
    assert len(found) == 1
