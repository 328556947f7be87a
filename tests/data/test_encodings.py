"""Text files in other encodings: transcoded while they are read, whatever the sizes of the pieces."""

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

import ancestral as an
from ancestral.data.read import encodings
from ancestral.data.read.encodings import text_bytes
from tests.support.command_line import ran

NAMES = ["größe", "naïve", "żółw", "数", "a"]


def content(rows: int, words: list[str]) -> str:
    return "größe,wort\n" + "".join(f"{i * 1.25},{words[i % len(words)]}\n" for i in range(rows))


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("latin-1", ["größe", "naïve", "a"]),
        ("cp1252", ["10 €", "„x“", "a"]),
        ("utf-16", NAMES),
        ("utf-16-le", NAMES),
        ("utf-16-be", NAMES),
        ("utf-32", NAMES),
        ("cp1250", ["żółw", "a"]),
        ("shift_jis", ["数", "表示", "a"]),
        ("utf-8", NAMES),
        ("utf-8-sig", NAMES),
    ],
)
def test_a_file_in_any_encoding_is_the_file_in_utf8(
    encoding: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = content(400, words).replace("größe", "g" if encoding in ("shift_jis", "cp1250") else "größe", 1)
    plain, other, packed = tmp_path / "plain.csv", tmp_path / "other.csv", tmp_path / "packed.csv.gz"
    plain.write_text(text, encoding="utf-8")
    other.write_bytes(text.encode(encoding))
    packed.write_bytes(gzip.compress(text.encode(encoding)))
    expected = an.Table.of(plain).fingerprint
    for chunk in (1 << 20, 7, 1):  # pieces may end within a character
        monkeypatch.setattr(encodings, "CHUNK", chunk)
        sources: list[Any] = [other, [other], packed]
        for source in sources:
            assert an.Table.of(source, encoding=encoding).fingerprint == expected
    assert an.discover([other], encoding=encoding, progress=False).test.fingerprint == expected


def test_bytes_come_in_the_sizes_that_are_asked_for(tmp_path: Path) -> None:
    text = content(300, NAMES)
    (tmp_path / "x.csv").write_bytes(text.encode("utf-16"))
    sizes = random.Random(4)
    with text_bytes(tmp_path / "x.csv", "x.csv", "utf-16") as stream:
        parts = []
        while part := stream.read(size := sizes.randint(1, 50)):
            assert len(part) <= size
            parts.append(part)
    assert b"".join(parts) == text.encode()


def test_a_wrong_encoding_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b"a,b\n" + b"1.5,x\n" * 30 + b"2.5,\x81\n")
    for source in (tmp_path / "x.csv", [tmp_path / "x.csv"]):
        with pytest.raises(
            an.DataError, match=r"line 32 of x.csv is not written in cp1252 \(byte 0x81\); pass another"
        ):
            an.Table.of(source, encoding="cp1252")
    (tmp_path / "y.csv").write_bytes("a,b\n1.5,x\n".encode("utf-16-le")[:-1])
    with pytest.raises(an.DataError, match=r"y.csv is not written in utf-16-le"):
        an.Table.of(tmp_path / "y.csv", encoding="utf-16-le")


def test_the_advice_can_be_followed(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content(60, ["größe", "klein"]).encode("latin-1"))
    done = ran("discover", path)
    assert done.code == 2
    assert "line 1 of x.csv is not written in UTF-8 (byte 3 of the line is 0xF6, in latin-1 'größe')" in done.err
    assert "pass --encoding latin-1 if that is right" in done.err
    assert ran("discover", path, "--encoding", "latin-1", "--quiet").code == 0


@pytest.mark.parametrize("wrong", ["latin-77", "", "base64", "x\0y", "rot13"])
def test_what_is_no_encoding_is_refused(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(an.OptionError, match="encoding must be the name of an encoding that Python knows, got"):
        an.Table.of(tmp_path / "x.csv", encoding=wrong)
