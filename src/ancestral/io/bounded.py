"""JSON from a file that is not trusted, parsed within bounds: length, nesting, and number of values.

All three are checked before anything is parsed, so that a small file cannot use much memory.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from ancestral.errors import RunError

__all__ = ["MOST_BYTES", "MOST_VALUES", "BoundedText"]

#: Bytes of a line, or of a document that does not stand on lines as we write them: room for 100,000 names of 300
#: characters.
MOST_BYTES = 1 << 25

#: Bytes of all lines together, without packed columns.
MOST_TEXT = 1 << 26

#: Values in all lines together, without packed columns: names, options, and short columns. A value of JSON takes about
#: 60 bytes of memory, so these take about 250 MB.
MOST_VALUES = 4_000_000

#: Levels of lists and objects inside each other; we write at most six.
MOST_DEPTH = 12

_STRINGS = re.compile(rb'"(?:[^"\\]++|\\(?s:.))*+"')
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class BoundedText:
    """Reads lines and values of JSON from a file; raises RunError for what is too large or not JSON.

    `line_bytes` bounds the length of a line, `bytes_left` that of all further lines of values together, and
    `values_left` the number of further values; a reader that knows more of the file may change them.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.line_bytes = MOST_BYTES
        self.bytes_left = MOST_TEXT
        self.values_left = MOST_VALUES
        self._file = file

    def line(self, most: int | None = None) -> bytes:
        """The next line with its line end, of at most `most` bytes; empty at the end of the file."""
        limit = self.line_bytes if most is None else most
        line = self._file.readline(limit + 1)
        if len(line) > limit:
            self.refuse(f"a line of more than {limit:,} bytes")
        return line

    def rest(self) -> bytes:
        """The rest of the file, of at most `MOST_BYTES`."""
        content = self._file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            self.refuse(f"more than {MOST_BYTES:,} bytes that do not stand on lines as they are written")
        return content

    def value(self, text: bytes) -> Any:
        """The value of a text in JSON."""
        self.bytes_left -= len(text)
        if self.bytes_left < 0:
            self.refuse("too much text")
        plain = _STRINGS.sub(b"", text)
        self.values_left -= 1 + sum(map(plain.count, (b",", b"[", b"{")))
        if self.values_left < 0:
            self.refuse("too many values")
        brackets = plain.translate(None, _NOT_BRACKETS)
        for _ in range(MOST_DEPTH):
            brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
        if brackets:
            self.refuse("nested too deeply, or cut off")
        try:
            return json.loads(text.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_once)
        except _NotOurs as error:
            return self.refuse(str(error))
        except (ValueError, RecursionError):  # in the words of Python's parser, which tell nothing about our files
            return self.refuse()

    def refuse(self, reason: str = "") -> NoReturn:
        """Raise RunError, since this is not a file of ours."""
        why = reason and f" ({reason})"
        raise RunError(f"{self.path}: cannot be read as JSON{why}; a run file is written by save() or --save") from None


class _NotOurs(ValueError):
    """What Python reads as JSON, and files of ours do not hold."""


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads and JSON does not have."""
    raise _NotOurs(f"{name} is not JSON")


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The object, whose keys must differ."""
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise _NotOurs(f"the key {key[:60]!r} occurs twice")
        out[key] = value
    return out
