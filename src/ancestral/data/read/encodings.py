"""Encodings of text files: other ones than UTF-8 are turned into it while a file is read, and are guessed in errors."""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ancestral.data.errors import DataError
from ancestral.data.read.decompression import decompressed
from ancestral.errors import Option

__all__ = ["check_utf8", "line_ends", "text_bytes", "zero_bytes"]

#: Bytes of a file that are decoded at a time.
CHUNK = 1 << 20
#: The byte order mark, which is not part of the text.
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def line_ends(data: bytes, first: int, stop: int) -> int:
    """The number of line ends: line feeds, carriage returns, and pairs of both."""
    part = data[first:stop]
    return part.count(b"\n") + part.count(b"\r") - part.count(b"\r\n")


@contextmanager
def text_bytes(path: Path, label: str, encoding: str | None) -> Iterator[Any]:
    """A binary stream of the content of a text file, decompressed and in UTF-8. Faults of it become `DataError`."""
    with decompressed(path, label) as stream:
        plain = encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii")
        yield stream if plain else _Transcoded(stream, label, encoding or "")


class _Transcoded:
    """A stream of bytes in another encoding, read as UTF-8."""

    def __init__(self, stream: Any, label: str, encoding: str) -> None:
        self._stream = stream
        self._label = label
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""
        self._begun = self._ended = False
        self._line = 1  # of the first byte that was not decoded yet

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        while len(self._ready) < size and not self._ended:
            self._ready += self._more()
        out, self._ready = self._ready[:size], self._ready[size:]
        return out

    def _more(self) -> bytes:
        raw = self._stream.read(CHUNK)
        self._ended = not raw
        try:
            text = self._decoder.decode(raw, final=self._ended)
            if not self._begun and text:
                text, self._begun = text.removeprefix(MARK), True
            data = text.encode()
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(self._encoding, errors="ignore").encode(errors="ignore")
            line = self._line + line_ends(before, 0, len(before))
            shown = error.object[error.start : error.start + 1].hex().upper()
            raise DataError(
                f"line {line} of {self._label} is not written in {self._encoding} (byte 0x{shown}); pass another ",
                Option("encoding"),
            ) from None
        except UnicodeError as error:
            raise DataError(
                f"{self._label} is not written in {self._encoding} ({error}); pass another ", Option("encoding")
            ) from None
        self._line += line_ends(data, 0, len(data))
        return data


def check_utf8(data: bytes, label: str, line: int) -> None:
    """Raise DataError if the bytes, the first of which is on line `line` of a file, are not UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + line_ends(data, 0, error.start)
        begin = max(data.rfind(b"\n", 0, error.start), data.rfind(b"\r", 0, error.start)) + 1
        likely, sample = _likely(data, error.start)
        raise DataError(
            f"line {at} of {label} is not written in UTF-8 (byte {error.start - begin + 1} of the line is "
            f"0x{data[error.start]:02X}, in {likely} {sample!r}); pass ",
            Option("encoding", likely),
            " if that is right, or save it as UTF-8 and try again",
        ) from None


def _likely(data: bytes, at: int) -> tuple[str, str]:
    """A likely encoding of bytes that are not UTF-8, and the word around one of them in it."""
    encoding = "latin-1"
    if any(0x80 <= byte <= 0x9F for byte in set(data)):  # where latin-1 has control characters, cp1252 has letters
        try:
            data.decode("cp1252")
            encoding = "cp1252"
        except UnicodeDecodeError:
            pass
    before = re.search(rb"[^\s,;\t|\"]{0,12}\Z", data[:at])
    after = re.match(rb"[^\s,;\t|\"]{0,12}", data[at:])
    assert before is not None and after is not None
    return encoding, (before[0] + after[0]).decode(encoding)


def zero_bytes(data: bytes, label: str) -> DataError | None:
    """The error for the beginning of a file that is UTF-16, or is not text; None if it is neither."""
    sample = data[:4096]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding: str | None = "utf-16"
    elif b"\0" not in sample:
        return None
    else:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        many = len(sample) / 4
        encoding = "utf-16-le" if odd > many and not even else "utf-16-be" if even > many and not odd else None
    if encoding is None:
        return DataError(f"{label} is written in UTF-16 or is not text; save it as UTF-8")
    return DataError(
        f"{label} is written in UTF-16 or is not text; pass ", Option("encoding", encoding), ", or save it as UTF-8"
    )
