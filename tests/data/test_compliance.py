"""Every format of data files keeps its promises; and each check can fail, shown by a format that breaks its promise."""

import inspect
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

import ancestral as an
from ancestral.cli.simulate import simulate
from ancestral.data.read import parquet_files
from ancestral.data.read.formats import FORMATS, DataFormat, endings_in_words, format_of, frame_format
from ancestral.testing import check_data_format, checks_of_data_format
from tests.support.spreadsheets import workbook


def arrow(frame: pl.DataFrame) -> bytes:
    out = BytesIO()
    frame.write_ipc(out)
    return out.getvalue()


def stata(frame: pl.DataFrame) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/data.dta"
        wide = frame.with_columns(pl.col(pl.Int64).cast(pl.Float64))  # Stata's whole numbers have 32 bits
        pyreadstat.write_dta(wide.to_pandas(), path)
        return Path(path).read_bytes()


WRITERS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    "text": lambda frame: frame.write_csv(separator="|").encode(),
    "arrow": arrow,
    "excel": workbook,
    "statistics": stata,
}
CASES = [(name, check) for name in FORMATS for check in checks_of_data_format(name, WRITERS.get(name))]


@pytest.mark.parametrize(("name", "check"), CASES, ids=[f"{name}: {check}" for name, check in CASES])
def test_every_format_keeps_its_promises(name: str, check: Callable[[], None]) -> None:
    check()


# -- each check can fail -----------------------------------------------------------------------------------------------


def parquet(**changes: Any) -> DataFormat:
    """A second Parquet, with an ending of its own."""
    functions: dict[str, Any] = {
        "names": parquet_files.names,
        "batches": parquet_files.batches,
        "write": parquet_files.write,
        "read": parquet_files.read,
    }
    return frame_format("second", [".pq2"], **{**functions, **changes})


def short_batches(path: Path, columns: list[str], rows: int) -> Iterator[Any]:
    for batch in parquet_files.batches(path, columns, rows):
        yield batch.slice(0, batch.num_rows - 1)


def other_columns(path: Path, columns: list[str], rows: int) -> Iterator[Any]:
    wrong = sorted(columns, reverse=True)
    for batch in parquet_files.batches(path, wrong, rows):
        yield pl.DataFrame(batch).rename(dict(zip(wrong, columns, strict=True)))


def careless(path: Path) -> pl.DataFrame:
    try:
        return parquet_files.read(path)  # type: ignore[no-any-return]
    except Exception:
        return pl.DataFrame({"number": [1.5] * 40})


def raising(path: Path, options: Any) -> Any:
    parquet_files.read(path)
    return parquet().open_table(path, options)


BROKEN: dict[str, tuple[set[str], DataFormat]] = {
    "another name": ({"endings"}, replace(parquet(), name="other")),
    "an ending in capitals": ({"endings"}, replace(parquet(), endings=(".PQ2",))),
    "an ending of another": ({"endings"}, replace(parquet(), endings=(".pq2", ".parquet"))),
    "an unknown option": ({"options"}, replace(parquet(), options=frozenset({"colour"}))),
    "names in another order": ({"names"}, parquet(names=lambda path: sorted(parquet_files.names(path)))),
    "rounded numbers": (
        {"table", "missing_values", "fingerprint"},
        parquet(read=lambda path: parquet_files.read(path).with_columns(pl.col("number").cast(pl.Float32))),
    ),
    "levels as text": (
        {"table", "missing_values"},
        parquet(read=lambda path: parquet_files.read(path).with_columns(pl.col("word").str.to_uppercase())),
    ),
    "filled gaps": (
        {"missing_values"},
        parquet(read=lambda path: parquet_files.read(path).with_columns(pl.col("level").fill_null(0))),
    ),
    "a lost row a batch": ({"stream", "fingerprint", "chosen_columns"}, parquet(batches=short_batches)),
    "columns in another order": ({"chosen_columns"}, parquet(batches=other_columns)),
    "garbage read as data": ({"damage"}, parquet(read=careless)),
    "an error of a library": ({"damage"}, replace(parquet(), open_table=raising)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_format_that_breaks_a_promise_fails_its_check(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, broken = BROKEN[what]
    monkeypatch.setitem(FORMATS, "second", broken)
    failed = set()
    for check in checks_of_data_format("second"):
        try:
            check()
        except Exception:
            failed.add(check.name)
    assert expected <= failed, failed
    with pytest.raises(AssertionError, match=r"checks failed:\n- "):
        check_data_format("second")


def test_a_sound_format_passes_and_one_without_a_writer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "second", parquet())
    check_data_format("second")
    monkeypatch.setitem(FORMATS, "second", parquet(write=None))
    with pytest.raises(AssertionError, match="pass write="):
        check_data_format("second")
    with pytest.raises(AssertionError, match="FORMATS has no format of the name 'third'"):
        check_data_format("third")


def test_checks_together_fail_for_every_promise() -> None:
    """No check passes whatever the format does."""
    shown = set().union(*(failed for failed, _ in BROKEN.values()))
    assert shown == {check.name for check in checks_of_data_format("csv")}


# -- what derives from the registry ------------------------------------------------------------------------------------


def test_a_format_that_is_added_is_read_named_and_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = an.simulate.linear_gaussian(an.DAG.parse("a -> b, b -> c"), rows=200, seed=1)
    (tmp_path / "one.pq2").write_bytes(parquet_files.write(frame[:100]))
    (tmp_path / "two.pq2").write_bytes(parquet_files.write(frame[100:]))
    with pytest.raises(an.DataError, match=r"'one.pq2' has the unsupported ending .pq2"):
        an.Table.of(tmp_path / "one.pq2")
    monkeypatch.setitem(FORMATS, "second", parquet())
    assert an.discover(tmp_path, progress=False).test.fingerprint == an.Table.of(frame).fingerprint
    assert endings_in_words().startswith(".csv, .tsv, .txt (also with .gz or .zst) and .parquet, ")
    assert endings_in_words().endswith(", .pq2")
    (tmp_path / "three.pq3").write_bytes(b"")
    with pytest.raises(an.DataError, match=r"supported are .*\.pq2: save it as one of these"):
        an.Table.of(tmp_path / "three.pq3")


def test_the_help_of_simulate_names_the_formats_that_are_written() -> None:
    """The command line starts without reading the registry, so its help is a text of its own."""
    (parameter,) = [one for one in inspect.signature(simulate).parameters.values() if one.name == "output"]
    help_text = parameter.annotation.__metadata__[0].help
    written = {ending for one in FORMATS.values() if one.write is not None for ending in one.endings}
    assert set(re.findall(r"\.\w+", help_text)) == written | {".gz"}


def test_only_formats_that_may_be_compressed_are_known_by_two_endings() -> None:
    for name, data_format in FORMATS.items():
        for ending in data_format.endings:
            found = format_of(Path(f"data{ending}.gz"))
            assert (found is data_format) == data_format.compressed, name


def test_a_format_without_batches_is_read_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "lines", frame_format("lines", [".ndjson"], pl.read_ndjson))
    check_data_format("lines", lambda frame: frame.write_ndjson().encode())
