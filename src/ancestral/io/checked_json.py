"""A JSON document that is not trusted: every value is read through a `JsonValue`, which checks it.

Nothing in it is executed. An error names the file, the place in it, what must stand there and what does. A document
that we wrote has a line for each of its keys, and is read line by line; a document that another tool has reformatted is
read as a whole if it is not large.
"""

import binascii
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import RunError
from ancestral.io.bounded import BoundedText
from ancestral.io.columns import PACKED, Columns, ColumnSpec, HeldColumns, StreamedColumns
from ancestral.io.compression import unpacked

__all__ = ["JsonValue", "opened_document"]

#: Keys of a document; ours have less than half as many.
MOST_KEYS = 64

#: Variables in files of versions without packed columns; files with more could not be read by their own version.
MOST_OLD_VARIABLES = 15_000

#: For files of those versions, the bytes that a byte of a compressed file may unpack to, and the values that it may
#: stand for: ten times as much as in files that were written.
MOST_UNPACKED, MOST_PACKED_VALUES = 50, 4

#: The range of whole numbers in packed columns, which have 32 bits.
_LEAST_INT, _MOST_INT = -(1 << 31), (1 << 31) - 1

_LARGEST = sys.float_info.max
_KEY = re.compile(rb'"(\w+)": ')


@contextmanager
def opened_document(path: Path, form: str, what: str, versions: Sequence[int]) -> Iterator["JsonValue"]:
    """Open a file and yield its document, if it is of this format and of one of these versions.

    Packed columns are read when a `JsonValue` takes them, while the file is open. `what` is what such a file is called.
    Raises RunError for any other file, and where memory is short.
    """
    try:
        with unpacked(path) as file:
            text = BoundedText(path, file)
            yield _document(text, _Head(path, form, what, versions))
    except MemoryError:
        raise RunError(
            f"{path}: takes more memory than there is; read it on a machine with more, or take another copy"
        ) from None


class _Head:
    """The format and the versions that a file must state before anything else in it is read."""

    def __init__(self, path: Path, form: str, what: str, versions: Sequence[int]) -> None:
        self.path, self.form, self.what, self.versions = path, form, what, versions

    def check(self, document: Any) -> None:
        """Raise RunError if a document, or its first keys, are of another format or version."""
        stated = document.get("format") if isinstance(document, dict) else None
        if stated != self.form:
            other = {
                "ancestral bootstrap": "an.load_bootstrap() and ancestral report --reliabilities read",
                "ancestral run": "an.load() reads",
            }.get(str(stated)[:40])
            if other is not None:
                raise RunError(f"{self.path}: must be a {self.what} file, got an {stated} file; {other} it")
            written = "save() or --save" if self.what == "run" else "boot.save() or ancestral bootstrap --save"
            raise RunError(f"{self.path}: must be a {self.what} file, got another file; one is written by {written}")
        version = JsonValue(document, self.path, "").key("version").whole(0)
        if version not in self.versions:
            known = " and ".join(map(str, self.versions))
            raise RunError(
                f"{self.path}: must be of version {known}, got version {version}; use the package that wrote it"
            )


def _document(text: BoundedText, head: _Head) -> "JsonValue":
    """The document, read by lines if it stands on lines as we write them, otherwise as a whole."""
    first = text.line()
    second = text.line() if first == b"{\n" else b""
    if second.startswith(b'"format": '):
        return _by_lines(text, second, head)
    value = text.value(first + second + text.rest())
    head.check(value)
    columns = HeldColumns(text.path, value.pop(PACKED)) if PACKED in value else HeldColumns(text.path, {})
    return JsonValue(value, text.path, "", columns)


def _by_lines(text: BoundedText, line: bytes, head: _Head) -> "JsonValue":
    """A document on lines as we write them, whose second line is `line`; its packed columns are not read yet."""
    document: dict[str, Any] = {}
    while True:
        key = _KEY.match(line)
        if key is None:
            text.refuse("expected a key at the beginning of a line")
        name = key[1].decode("ascii")
        if name in document:
            text.refuse(f"the key {name[:60]!r} occurs twice")
        if name == PACKED and line in (b'"packed": {\n', b'"packed": {}\n'):
            return JsonValue(document, text.path, "", StreamedColumns(text, empty=line.endswith(b"}\n")))
        more = line.endswith(b",\n")
        if len(document) == MOST_KEYS:
            text.refuse("too many keys")
        document[name] = text.value(line[key.end() : -2 if more else -1])
        if len(document) == 2:
            head.check(document)
        if name == "variables":
            _allow_for(text, document)
        line = text.line()
        if not more:
            break
    if line.rstrip(b"\n") != b"}" or text.line():
        text.refuse("expected the end of the document")
    head.check(document)
    return JsonValue(document, text.path, "", HeldColumns(text.path, {}))


def _allow_for(text: BoundedText, document: dict[str, Any]) -> None:
    """Raise the bounds for versions without packed columns, as far as their variables and the file size justify."""
    if (document["format"], document["version"]) not in (("ancestral run", 3), ("ancestral bootstrap", 1)):
        return
    names = document["variables"]
    if not isinstance(names, list) or len(names) > MOST_OLD_VARIABLES or len(set(map(str, names))) < len(names):
        JsonValue(names, text.path, "variables").fail(f"a list of at most {MOST_OLD_VARIABLES:,} different names")
    pairs = len(names) * (len(names) - 1) // 2
    size = text.path.stat().st_size
    text.line_bytes += min(200 * pairs, MOST_UNPACKED * size)
    text.bytes_left += min(200 * pairs, MOST_UNPACKED * size)
    text.values_left += min(20 * pairs, MOST_PACKED_VALUES * size)


class JsonValue:
    """A value of a document, and where it stands: `path` is the file, `where` the keys that lead to it.

    `columns` are the packed columns of the file. Without a path, the document is about to be written. The methods below
    return the value if it is what they name, and raise RunError otherwise.
    """

    def __init__(self, value: Any, path: Path | None, where: str, columns: Columns | None = None) -> None:
        self.value = value
        self.path = path
        self.where = where
        self.columns = columns

    def fail(self, expected: str) -> NoReturn:
        """Raise RunError, since the value is not what it must be."""
        self._refuse(f"{self.where or 'the document'} must be {expected}, got {self._shown()}")

    def _refuse(self, reason: str) -> NoReturn:
        if self.path is None:
            raise RunError(f"this cannot be saved: {reason}")
        raise RunError(f"{self.path}: {reason}; the file was changed or is damaged, take another copy")

    def _shown(self) -> str:
        """The beginning of the value as JSON; a large value is not written out."""
        if isinstance(self.value, str):
            shown = json.dumps(self.value[:80])
        else:
            shown = ""
            for part in json.JSONEncoder().iterencode(self.value):
                shown += part[:80]
                if len(shown) > 60:
                    break
        return shown if len(shown) <= 60 else shown[:57] + "..."

    # -- parts ---------------------------------------------------------------------------------------------------

    def key(self, name: str) -> "JsonValue":
        """The value under a key."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        where = f"{self.where}.{name}" if self.where else name
        if name not in self.value:
            self._refuse(f"{where} is missing")
        return JsonValue(self.value[name], self.path, where, self.columns)

    def only(self, *names: str) -> None:
        """Raise RunError if there are other keys than these."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        for name in self.value:
            if name not in names:
                self._refuse(f"{self.where + '.' if self.where else ''}{name[:100]} is not known here")

    def items(self) -> Iterator["JsonValue"]:
        """The elements of a list."""
        if not isinstance(self.value, list):
            self.fail("a list")
        for i, value in enumerate(self.value):
            yield JsonValue(value, self.path, f"{self.where}[{i}]", self.columns)

    def entries(self) -> Iterator[tuple[str, "JsonValue"]]:
        """The keys of an object, and the values under them."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        for name in self.value:
            yield name, self.key(name)

    @property
    def is_null(self) -> bool:
        """Whether the value is null."""
        return self.value is None

    # -- values --------------------------------------------------------------------------------------------------

    def text(self, *choices: str) -> str:
        """A string that can be written as UTF-8; one of the choices, if there are any."""
        if not isinstance(self.value, str) or (choices and self.value not in choices):
            self.fail("one of " + ", ".join(map(json.dumps, choices)) if choices else "a string")
        try:
            self.value.encode()
        except UnicodeEncodeError:
            self.fail("a string without surrogates, which are halves of characters")
        return str(self.value)

    def file_name(self) -> str:
        """A string that names a file; such a name need not be UTF-8 on every system."""
        if not isinstance(self.value, str):
            self.fail("a string")
        return self.value

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return bool(self.value)

    def whole(self, least: int, most: int = 1 << 53) -> int:
        """A whole number in this range."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.fail(f"a whole number from {least} to {most}")
        return int(self.value)

    def real(self) -> float:
        """A finite number."""
        if type(self.value) not in (int, float) or not -_LARGEST <= self.value <= _LARGEST:
            self.fail("a finite number")
        return float(self.value)

    def share(self) -> float:
        """A number above 0 and below 1."""
        if type(self.value) not in (int, float) or not 0 < self.value < 1:
            self.fail("a number between 0 and 1")
        return float(self.value)

    # -- columns -------------------------------------------------------------------------------------------------

    def ints(self, least: int, most: int, length: int | None = None, at_most: int = _MOST_INT) -> NDArray[np.intc]:
        """A column of whole numbers in this range, of this `length`, or, if that is open, of `at_most` values."""
        assert least >= _LEAST_INT and most <= _MOST_INT
        if self._is_packed:
            values = self._packed(ColumnSpec("i4", None, length, at_most if length is None else length))
            if len(values) and not (least <= values.min() and values.max() <= most):
                self.fail(f"whole numbers from {least} to {most}")
            return values
        return np.array(self.whole_numbers(least, most, length, at_most), dtype=np.intc)

    def floats(self, length: int, most: float = math.inf) -> NDArray[np.float64]:
        """A column of numbers from 0 to `most`, with NaN for missing ones."""
        values = self._packed(ColumnSpec("f8", None, length, length)) if self._is_packed else self.numbers(length)
        for first in range(0, len(values), 1 << 20):
            block = values[first : first + (1 << 20)]
            if not (np.isnan(block) | ((block >= 0) & (block <= most))).all():
                self.fail("numbers of at least 0" if math.isinf(most) else f"numbers from 0 to {most:g}")
        return values

    def reals(self, length: int) -> NDArray[np.float64]:
        """A column of finite numbers of either sign, with NaN for missing ones."""
        values = self._packed(ColumnSpec("f8", None, length, length)) if self._is_packed else self.numbers(length)
        if not np.isfinite(values[~np.isnan(values)]).all():
            self.fail("finite numbers")
        return values

    def codes(self, length: int, texts: Sequence[str]) -> NDArray[np.uint8]:
        """A column of these texts, each as its number among them."""
        if self._is_packed:
            return self._packed(ColumnSpec("u1", tuple(texts), length, length))
        number = {text: code for code, text in enumerate(texts)}
        return np.array([number[text] for text in self.texts(length, texts)], dtype=np.uint8)

    @property
    def _is_packed(self) -> bool:
        return isinstance(self.value, str) and self.value == PACKED and self.columns is not None

    def _packed(self, spec: ColumnSpec) -> NDArray[Any]:
        assert self.columns is not None
        return self.columns.take(self.where, spec)

    # -- lists ---------------------------------------------------------------------------------------------------

    def whole_numbers(self, least: int, most: int, length: int | None = None, at_most: int = _MOST_INT) -> list[int]:
        """A list of whole numbers in this range, of this `length`, or, if that is open, of `at_most` values."""
        values = self._list(length)
        if length is None and len(values) > at_most:
            self.fail(f"a list of at most {at_most}")
        if not (set(map(type, values)) <= {int} and (not values or (least <= min(values) and max(values) <= most))):
            for item in self.items():
                item.whole(least, most)
        return values

    def numbers(self, length: int) -> NDArray[np.float64]:
        """A list of numbers, with NaN for null."""
        values = self._list(length)
        for i, value in enumerate(values):
            if value is not None and (type(value) not in (int, float) or not -_LARGEST <= value <= _LARGEST):
                JsonValue(value, self.path, f"{self.where}[{i}]").fail("a number or null")
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)

    def texts(self, length: int, choices: Sequence[str]) -> list[str]:
        """A list of strings, each one of the choices."""
        values = self._list(length)
        if not (set(map(type, values)) <= {str} and set(values) <= set(choices)):
            for item in self.items():
                item.text(*choices)
        return values

    def each(self, length: int, read: Callable[["JsonValue"], Any]) -> list[Any]:
        """A list of this length, whose elements are read by a function."""
        self._list(length)
        return [read(item) for item in self.items()]

    def doubles(self, length: int) -> NDArray[np.float64]:
        """Numbers in base64 of little-endian doubles, as in version 3 of run files."""
        if not isinstance(self.value, str) or len(self.value) != (8 * length + 2) // 3 * 4:
            self.fail(f"base64 of {length} doubles")
        try:
            content = binascii.a2b_base64(self.value, strict_mode=True)
        except (binascii.Error, ValueError):
            self.fail("base64")
        if len(content) != 8 * length:
            self.fail(f"base64 of {length} doubles")
        values = np.frombuffer(content, dtype="<f8").astype(np.float64, copy=False)
        if np.isinf(values).any():
            self.fail("finite numbers")
        return values

    def _list(self, length: int | None) -> list[Any]:
        if not isinstance(self.value, list) or (length is not None and len(self.value) != length):
            self.fail("a list" if length is None else f"a list of {length}")
        return self.value
