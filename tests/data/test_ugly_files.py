"""Files as they come in real life are read right, or refused with cause and remedy, as a table and as a stream."""

import warnings
from pathlib import Path

import pytest

import ancestral as an
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.summarize import summarized
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


def test_there_are_more_than_fifty() -> None:
    assert len(FILES) >= 50 and len({file.what for file in FILES}) == len(FILES)
