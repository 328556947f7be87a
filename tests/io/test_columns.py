"""Packed columns: what is long is written and read in blocks, and every damage to a block is refused."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ancestral as an
from ancestral.io import bounded, columns, json_writer
from ancestral.io.checked_json import opened_document
from ancestral.io.columns import Column
from ancestral.io.json_writer import document_lines, plain_document
from tests.support.hostile_runs import laid_out, originals


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "LISTED", 3)
    monkeypatch.setattr(columns, "BLOCK_BYTES", 48)


def written(path: Path, **values: Any) -> None:
    plain, packed = plain_document({"format": "test", "version": 1, **values})
    path.write_bytes(b"".join(document_lines(plain, packed)))


@settings(max_examples=60)
@given(
    numbers=st.lists(st.floats(0) | st.just(np.nan), max_size=40),
    whole=st.lists(st.integers(-(2**31), 2**31 - 1), max_size=40),
    codes=st.lists(st.integers(0, 2), max_size=60),
    cuts=st.lists(st.integers(0, 40), max_size=3),
    lines=st.booleans(),
)
def test_what_is_written_is_read(
    numbers: list[float],
    whole: list[int],
    codes: list[int],
    cuts: list[int],
    lines: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.getbasetemp() / "columns.json"

    def pieces() -> Iterator[Any]:  # wherever they are cut
        yield from np.split(np.array(numbers, dtype=np.float64), sorted(cuts))

    written(
        path,
        a=Column("f8", len(numbers), pieces),
        b={"c": [{"d": Column.whole(np.array(whole, dtype=np.int64))}]},
        e=Column.of_texts(np.array(codes, dtype=np.uint8), ("x", "y", "z")),
    )
    document = json.loads(path.read_text())
    assert list(document["packed"]) == [
        name
        for name, values, most in (("a", numbers, 3), ("b.c[0].d", whole, 3), ("e", codes, 3))
        if len(values) > most or np.isinf(values).any()
    ]
    if not lines:
        path.write_text(json.dumps(document))
    with opened_document(path, "test", "test", (1,)) as place:
        assert np.array_equal(place.key("a").floats(len(numbers)), numbers, equal_nan=True)
        (item,) = place.key("b").key("c").items()
        assert item.key("d").ints(-(2**31), 2**31 - 1).tolist() == whole
        assert place.key("e").codes(len(codes), ("x", "y", "z")).tolist() == codes
        assert place.columns is not None
        place.columns.finish()


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("known", [("x", "y", "z"), ("z", "new", "x", "y"), ("y", "z", "x")])
def test_texts_are_read_by_their_names_where_others_are_known_later(
    known: tuple[str, ...], lines: bool, tmp_path: Path
) -> None:
    path = tmp_path / "columns.json"
    codes = [0, 2, 1, 1, 0, 2]
    written(path, e=Column.of_texts(np.array(codes, dtype=np.uint8), ("x", "y", "z")))
    if not lines:
        path.write_text(json.dumps(json.loads(path.read_text())))
    with opened_document(path, "test", "test", (1,)) as place:
        assert [known[code] for code in place.key("e").codes(len(codes), known)] == ["xyz"[code] for code in codes]


def test_a_run_is_read_though_its_texts_are_in_another_order(tmp_path: Path) -> None:
    document = good()
    path, other = tmp_path / "run.json", tmp_path / "other.json"
    path.write_bytes(laid_out(document))
    for column in document["packed"].values():
        if "texts" in column:
            codes = np.frombuffer(b"".join(map(base64.b64decode, column["blocks"])), np.uint8)
            used = sorted(set(codes.tolist()), reverse=True)  # and only those that are there
            column["texts"] = [column["texts"][code] for code in used]
            column["blocks"] = [base64.b64encode(bytes(used.index(code) for code in codes)).decode()]
    other.write_bytes(laid_out(document))
    assert other.read_bytes() != path.read_bytes()
    first, second = an.load(path), an.load(other)
    assert first.pag == second.pag
    for found in (first, second):
        found.save(tmp_path / f"{id(found)}.json")
    one, two = ((tmp_path / f"{id(found)}.json").read_bytes() for found in (first, second))
    assert one == two


def good() -> dict[str, Any]:
    out: dict[str, Any] = json.loads(json.dumps(next(o.document for o in originals() if o.name == "trouble 2 3")))
    return out


def first(d: dict[str, Any]) -> dict[str, Any]:
    column: dict[str, Any] = d["packed"]["marginal.number"]
    return column


def texts(d: dict[str, Any]) -> list[Any]:
    listed: list[Any] = d["packed"]["edges.edge"]["texts"]
    return listed


def reordered(d: dict[str, Any]) -> None:
    d["packed"] = {"edges.a": d["packed"].pop("edges.a"), **d["packed"]}


def number(value: float) -> Callable[[dict[str, Any]], None]:
    def change(d: dict[str, Any]) -> None:
        values = np.frombuffer(b"".join(map(base64.b64decode, first(d)["blocks"])), "<f8").copy()
        values[-1] = value
        first(d)["blocks"] = [base64.b64encode(values.tobytes()).decode()]

    return change


DAMAGED: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "a block too few": ("must be base64 of 36 values", lambda d: first(d)["blocks"].pop()),
    "a block too many": ("must be base64 of 36 values", lambda d: first(d)["blocks"].append(first(d)["blocks"][0])),
    "a block twice as long": ("must be base64", lambda d: first(d)["blocks"].insert(0, "A" * 200)),
    "no base64": ("must be base64", lambda d: first(d)["blocks"].__setitem__(0, "%%%%")),
    "half a group": ("must be base64", lambda d: first(d)["blocks"].__setitem__(0, "AAA")),
    "padding inside": ("must be base64", lambda d: first(d)["blocks"].__setitem__(0, "AA==AAAA")),
    "another type": ("must be of type 'f8'", lambda d: first(d).update(type="i4")),
    "an unknown type": ("must be of type 'f8'", lambda d: first(d).update(type="O")),
    "another length": ("must have 36 values, got 35", lambda d: first(d).update(length=35)),
    "a huge length": ("must have a length from 0 to 36", lambda d: first(d).update(length=10**12)),
    "a negative length": ("must have a length from 0 to 36", lambda d: first(d).update(length=-1)),
    "a length that is none": ("must have a length from 0 to 36", lambda d: first(d).update(length=36.0)),
    "no length": ("must have a type, a length and blocks", lambda d: first(d).pop("length")),
    "something else": ("must have a type, a length and blocks", lambda d: first(d).update(more=1)),
    "texts of numbers": ("must have a type, a length and blocks", lambda d: first(d).update(texts=["a"])),
    "an unknown text": ("must be of type 'u1', of some of the texts", lambda d: texts(d).append("-*-")),
    "a text twice": ("of some of the texts .* each once", lambda d: texts(d).append(texts(d)[0])),
    "texts of no kind": ("must be of type 'u1', of some", lambda d: d["packed"]["edges.edge"].update(texts={"o-o": 0})),
    "a text that is a list": ("must be of type 'u1', of some of the texts", lambda d: texts(d).append(["o-o"])),
    "no texts": ("must have numbers of its 0 texts", lambda d: texts(d).clear()),
    "too few texts": ("must have numbers of its 1 texts", lambda d: texts(d).__delitem__(slice(1, None))),
    "a column that nobody wants": ("is not known here", lambda d: d["packed"].update({"x.y": first(d)})),
    "a column that is not there": (
        "the packed column marginal.number (is missing|must come next)",
        lambda d: d["packed"].pop("marginal.number"),
    ),
    "no columns": ("marginal.number is missing", lambda d: d.update(packed={})),
    "no columns at all": ("marginal.number is missing", lambda d: d.pop("packed")),
    "a negative number": ("must be numbers of at least 0", number(-1.0)),
    "no infinity below": ("must be numbers of at least 0", number(-np.inf)),
    "packed blocks of a list": ("must", lambda d: first(d).update(blocks=["packed"])),
}


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_column_is_refused(what: str, lines: bool, tmp_path: Path) -> None:
    message, change = DAMAGED[what]
    changed = good()
    change(changed)
    path = tmp_path / "run.json"
    path.write_bytes(laid_out(changed) if lines else json.dumps(changed).encode())
    with pytest.raises(an.RunError, match=message):
        an.load(path)


def test_columns_stand_in_their_order_where_they_stand_on_lines(tmp_path: Path) -> None:
    changed = good()
    reordered(changed)
    path = tmp_path / "run.json"
    path.write_bytes(laid_out(changed))
    with pytest.raises(an.RunError, match=r"packed column marginal.number must come next, got edges.a"):
        an.load(path)
    path.write_text(json.dumps(changed))  # another tool may have sorted them
    assert an.load(path).radius == 2


@pytest.mark.parametrize(
    "old_new", [(b'",\n', b'"\n'), (b"\n]}", b"]}"), (b'"blocks":[\n', b'"blocks":['), (b"]},", b"]}")]
)
def test_lines_that_are_no_longer_ours_are_refused(old_new: tuple[bytes, bytes], tmp_path: Path) -> None:
    content = laid_out(good())
    at = content.index(b'"packed": {')
    path = tmp_path / "run.json"
    path.write_bytes(content[:at] + content[at:].replace(*old_new, 1))
    with pytest.raises(an.RunError):
        an.load(path)


def test_text_is_bounded_before_it_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    content = laid_out(good())
    longest = max(map(len, content.splitlines(keepends=True)))
    path.write_bytes(content)
    an.load(path)
    monkeypatch.setattr(bounded, "MOST_BYTES", longest - 1)
    with pytest.raises(an.RunError, match=f"a line of more than {longest - 1:,} bytes"):
        an.load(path)
    monkeypatch.undo()
    monkeypatch.setattr(bounded, "MOST_VALUES", 100)
    with pytest.raises(an.RunError, match="too many values"):
        an.load(path)
    monkeypatch.undo()
    monkeypatch.setattr(bounded, "MOST_BYTES", len(content) // 2)
    path.write_bytes(b" " + content)
    with pytest.raises(an.RunError, match="that do not stand on lines as they are written"):
        an.load(path)


def test_as_much_is_written_as_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c")))
    path = tmp_path / "run.json"
    for name, most in (("MOST_VALUES", 20), ("MOST_BYTES", 100)):
        with monkeypatch.context() as patched:
            patched.setattr(json_writer, name, most)
            with pytest.raises(an.RunError, match=r"run.json: names, options and knowledge must take at most"):
                found.save(path)
    monkeypatch.setattr(json_writer, "LISTED_IN_ALL", 5)  # short columns are packed where there are very many
    found.save(path)
    assert len(json.loads(path.read_text())["packed"]) > 10
    assert an.load(path).to_json() == found.to_json()


@pytest.mark.parametrize("content", [b'{"a": 1, "a": 2}', b'{"a": {"b": 1, "b": 1}}'])
def test_a_key_stands_there_once(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(an.RunError, match=r"the key '[ab]' occurs twice"):
        an.load(tmp_path / "run.json")
    twice = laid_out(good()).replace(b'"radius": 2,\n', b'"radius": 2,\n"radius": 2,\n')
    (tmp_path / "run.json").write_bytes(twice)
    with pytest.raises(an.RunError, match="the key 'radius' occurs twice"):
        an.load(tmp_path / "run.json")
