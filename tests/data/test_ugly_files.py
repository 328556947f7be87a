"""Files as they come in real life are read right, or refused with cause and remedy, as a table and as a stream."""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

import ancestral as an
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.summarize import summarized
from ancestral.describing.advice import Run
from ancestral.options import TableOptions
from tests.support.ugly_files import FILES, UglyFile


def values_of(table: an.Table, name: str) -> list[float | str | None]:
    column = table.column(name)
    missing = column.missing.tolist()
    if column.levels is None:
        return [None if gone else float(value) for value, gone in zip(column.values, missing, strict=True)]
    return [None if gone else column.levels[code] for code, gone in zip(column.values, missing, strict=True)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.what)
def test_it_is_read_right_or_refused_with_a_remedy(file: UglyFile, tmp_path: Path) -> None:
    path = tmp_path / file.name
    file.make(path)
    if file.columns is None:
        for source in (path, [path]):
            with pytest.raises(an.DataError) as told:
                an.discover(source, progress=False, **file.options)
            for words in file.words if source is path or "times" not in " ".join(file.words) else ():
                assert words in str(told.value), str(told.value)
        return
    for source in (path, [path]):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            table = an.Table.of(source, **file.options)
        assert [str(one.message) for one in given] == list(map(str, table.notes))
        assert len(given) == len(file.notes) or len(given) == 1
        for words in file.notes:
            assert any(words in str(note) for note in table.notes), table.notes
        assert bool(table.notes) == bool(file.notes)
        assert table.names == tuple(file.columns)
        assert {name: values_of(table, name) for name in table.names} == file.columns
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        stream = stream_of([path], TableOptions(**file.options))
        assert stream is not None
        if file.options.get("missing") != "testwise":
            summary = summarized(stream, TableOptions(**file.options))
            assert summary.fingerprint == table.fingerprint
            assert {str(note) for note in summary.notes} == {str(one.message) for one in given}


#: Files that hold no table that could be described: a description raises the error, too.
NO_TABLE = {
    *(
        "mixed decimal marks",
        "UTF-16 unsaid",
        "UTF-16 without a mark",
        "latin-1 unsaid",
        "cp1252 unsaid, in a late line",
    ),
    *("an empty file", "a single column of words", "ragged rows", "separators at the ends", "a name twice"),
    *("a name that is empty", "remarks above the header", "a title above the header", "no header", "bytes"),
    *("quotes that do not close", "merged cells in the header", "a sheet without anything", "not a spreadsheet"),
    "not of SPSS",
}


def kind_of(values: Sequence[float | str | None]) -> str:
    """The rule of docs/data.md: labels, and up to ten different whole numbers, are discrete."""
    there = {value for value in values if value is not None}
    if any(isinstance(value, str) for value in there):
        return "discrete"
    return "discrete" if len(there) <= 10 and all(float(value).is_integer() for value in there) else "continuous"


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.what)
def test_it_is_described_with_its_kinds_its_notes_and_its_faults(
    file: UglyFile, streamed: bool, tmp_path: Path
) -> None:
    path = tmp_path / file.name
    file.make(path)
    options = {**file.options, "missing": "drop"} if streamed and "missing" in file.options else file.options
    source = [path] if streamed else path
    if file.what in NO_TABLE:
        with pytest.raises(an.DataError, match=re.escape(file.words[0])):
            an.describe(source, **options)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        description = an.describe(source, **options)
    assert description.text(for_shell=True)
    if file.columns is None:
        faults = " ".join(map(str, description.faults))
        for words in file.words if not streamed or "times" not in " ".join(file.words) else ():
            assert words in faults
        for run in (part for one in description.advice for part in one.args if type(part) is Run):
            assert an.describe(source, **run.value[1]).faults == ()
        return
    kinds = {name: kind_of(values) for name, values in file.columns.items()}
    if file.what == "SPSS with values declared missing":
        kinds["g"] = "ordinal"  # the file says that it is measured on an ordinal scale
    assert {one.name: one.kind for one in description.columns} == kinds
    assert {one.name: one.missing for one in description.columns} == {
        name: sum(value is None for value in values) for name, values in file.columns.items()
    }
    assert not [fault for fault in description.faults if "the same up to the names" not in str(fault)]
    for words in file.notes:
        told = sum(words in str(one) for one in description.warnings)
        assert told == (0 if streamed and "totals" in words else 1)  # which row is the last one, a stream does not know


def test_there_are_more_than_fifty() -> None:
    assert len(FILES) >= 50 and len({file.what for file in FILES}) == len(FILES)
