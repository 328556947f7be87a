"""Columns of many values in a document of JSON: short ones are lists, long ones are packed.

A packed column is base64 of little-endian numbers, in blocks, each on a line of its own, so that neither writer nor
reader ever holds the text of it. The document has "packed" in its place; the columns themselves follow under the key
`packed`, in the order of the document, each under the path of its place:

    "edges.a": {"type": "i4", "length": 250000, "blocks": [
    "AAAAAAEAAAAC...",
    "AgAA..."
    ]},

A reader asks for columns in that order, and says how many values there must be, or can be at most; so a length that is
not true is refused before anything is read. What is read grows with what the file has shown.
"""

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import RunError
from ancestral.io.bounded import BoundedText

__all__ = ["PACKED", "Column", "Columns", "HeldColumns", "StreamedColumns", "Wanted", "packed_lines"]

#: What stands in the place of a column that is packed.
PACKED = "packed"

#: Values of a column that is a list; longer ones are packed.
LISTED = 1_000

#: Bytes in a block, before base64: whole numbers of every type, and of the groups of base64.
BLOCK_BYTES = 3 << 18

_LINE_BYTES = BLOCK_BYTES // 3 * 4 + 8
_HEADER_BYTES = 4_096
_TYPES: dict[str, np.dtype[Any]] = {"f8": np.dtype("<f8"), "i4": np.dtype("<i4"), "u1": np.dtype("u1")}


@dataclass(frozen=True)
class Column:
    """A column to be written: `pieces` gives its values, as arrays one after another, as often as it is called.

    Types are "f8", numbers, NaN where there is none; "i4", whole numbers; "u1", numbers of texts.
    """

    type: str
    length: int
    pieces: Callable[[], Iterable[NDArray[Any]]]
    texts: tuple[str, ...] | None = None

    @classmethod
    def numbers(cls, values: NDArray[np.floating]) -> "Column":
        """A column of numbers."""
        return cls("f8", len(values), lambda: (values,))

    @classmethod
    def whole(cls, values: NDArray[np.integer]) -> "Column":
        """A column of whole numbers below 2**31 in size."""
        return cls("i4", len(values), lambda: (values,))

    @classmethod
    def of_texts(cls, codes: NDArray[np.integer], texts: Sequence[str]) -> "Column":
        """A column of texts, each by its number among these."""
        return cls("u1", len(codes), lambda: (codes,), tuple(texts))

    def as_list(self) -> list[Any] | None:
        """The values as JSON has them, with None for NaN; None if they are many, or infinite."""
        if self.length > LISTED:
            return None
        values = [value for piece in self.pieces() for value in np.asarray(piece).tolist()]
        if self.texts is not None:
            return [self.texts[code] for code in values]
        if self.type != "f8":
            return values
        if any(map(math.isinf, values)):
            return None
        return [None if math.isnan(value) else value for value in values]

    def blocks(self) -> Iterator[bytes]:
        """The values in base64, block by block."""
        waiting = bytearray()
        count = 0
        for piece in self.pieces():
            content = np.ascontiguousarray(piece, dtype=_TYPES[self.type]).tobytes()
            count += len(piece)
            waiting += content
            while len(waiting) >= BLOCK_BYTES:
                yield base64.b64encode(waiting[:BLOCK_BYTES])
                del waiting[:BLOCK_BYTES]
        assert count == self.length, "a column must be as long as it says"
        if waiting:
            yield base64.b64encode(waiting)


def packed_lines(columns: Sequence[tuple[str, Column]]) -> Iterator[bytes]:
    """What stands under the key `packed`: the columns, by their places."""
    if not columns:
        yield b"{}"
        return
    yield b"{\n"
    for i, (where, column) in enumerate(columns):
        said: dict[str, Any] = {"type": column.type, "length": column.length}
        if column.texts is not None:
            said["texts"] = column.texts
        header = json.dumps(said, separators=(",", ":"))[:-1]
        yield f"{json.dumps(where)}: {header},".encode("ascii") + b'"blocks":['
        first = True
        for block in column.blocks():
            yield (b'\n"' if first else b',\n"') + block + b'"'
            first = False
        yield b"\n]}" + (b",\n" if i < len(columns) - 1 else b"\n")
    yield b"}"


# -- reading ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """What a column must be: its type, the texts of "u1", and its length, or the most that it can be."""

    type: str
    texts: tuple[str, ...] | None
    length: int | None
    most: int


class Columns(Protocol):
    """The packed columns of a document."""

    def take(self, where: str, wanted: Wanted) -> NDArray[Any]:
        """The column of a place; a RunError if it is not what it must be. Each can be taken once, in their order."""

    def finish(self) -> None:
        """Raise RunError if there are others than those that were taken."""


class _Reader:
    """Checks what a column says of itself, and puts its blocks together."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def checked_length(self, where: str, said: Any, wanted: Wanted) -> int:
        """The length of a column, if all that it says of itself is as wanted."""
        texts = None if wanted.texts is None else list(wanted.texts)
        keys = {"type", "length", "blocks"} | (set() if texts is None else {"texts"})
        if not isinstance(said, dict) or said.keys() != keys:
            self.fail(where, "must have a type, a length and blocks")
        if said["type"] != wanted.type or said.get("texts") != texts:
            self.fail(where, f"must be of type {wanted.type!r}" + ("" if texts is None else f", of the texts {texts}"))
        length = said["length"]
        if type(length) is not int or length < 0 or length > wanted.most:
            self.fail(where, f"must have a length from 0 to {wanted.most}")
        if wanted.length is not None and length != wanted.length:
            self.fail(where, f"must have {wanted.length} values, and has {length}")
        return length

    def joined(self, where: str, wanted: Wanted, length: int, blocks: Iterable[bytes | str]) -> NDArray[Any]:
        """The values of blocks of base64."""
        dtype = _TYPES[wanted.type]
        content = bytearray()
        for block in blocks:
            try:
                content += binascii.a2b_base64(block, strict_mode=True)
            except (binascii.Error, ValueError):
                self.fail(where, "must be base64")
            if len(content) > length * dtype.itemsize:
                break
        if len(content) != length * dtype.itemsize:
            self.fail(where, f"must be base64 of {length} values of type {wanted.type!r}")
        return np.frombuffer(content, dtype=dtype).astype(dtype.newbyteorder("="), copy=False)

    def fail(self, where: str, wanted: str) -> NoReturn:
        """Refuse a column."""
        raise RunError(
            f"{self.path}: the packed column {where} {wanted}; the file was changed or is damaged, take another copy"
        )


class HeldColumns(_Reader):
    """The columns of a document that was read as a whole."""

    def __init__(self, path: Path, said: Any) -> None:
        super().__init__(path)
        if not isinstance(said, dict):
            self.fail("packed", "must be an object")
        self._left = dict(said)

    def take(self, where: str, wanted: Wanted) -> NDArray[Any]:
        """See `Columns`; the order does not matter."""
        if where not in self._left:
            self.fail(where, "is missing")
        said = self._left.pop(where)
        length = self.checked_length(where, said, wanted)
        blocks = said["blocks"]
        if not isinstance(blocks, list) or not all(isinstance(block, str) for block in blocks):
            self.fail(where, "must have a list of strings as blocks")
        return self.joined(where, wanted, length, blocks)

    def finish(self) -> None:
        """See `Columns`."""
        for where in self._left:
            self.fail(where[:100], "is not known here")


class StreamedColumns(_Reader):
    """The columns of a document that is read line by line; its next line is the first after `"packed": {`."""

    def __init__(self, text: BoundedText, empty: bool) -> None:
        super().__init__(text.path)
        self._text = text
        self._more = not empty
        self._ends = (b"}",) if empty else (b"}", b"}")

    def take(self, where: str, wanted: Wanted) -> NDArray[Any]:
        """See `Columns`."""
        if not self._more:
            self.fail(where, "is missing")
        header = self._text.line(_HEADER_BYTES)
        if not header.endswith(b'"blocks":[\n'):
            self.fail(where, "must come next, and does not")
        said = self._text.value(b"{" + header + b"]}}")
        if list(said) != [where]:
            self.fail(where, f"must come next, and {next(iter(said), 'nothing')[:100]} does")
        length = self.checked_length(where, said[where], wanted)
        return self.joined(where, wanted, length, self._blocks(where))

    def _blocks(self, where: str) -> Iterator[bytes]:
        line = self._text.line(_LINE_BYTES)
        while line.startswith(b'"'):
            last = not line.endswith(b'",\n')
            if last and not line.endswith(b'"\n'):
                self.fail(where, "must have a block on each line")
            yield line[1 : -2 if last else -3]
            line = self._text.line(_LINE_BYTES)
            if last:
                break
            if not line.startswith(b'"'):
                self.fail(where, "must have a block after each comma")
        if line not in (b"]},\n", b"]}\n"):
            self.fail(where, "must end where its blocks end")
        self._more = line == b"]},\n"

    def finish(self) -> None:
        """See `Columns`."""
        if self._more:
            self.fail(self._text.line(_HEADER_BYTES)[:60].decode("ascii", "replace"), "is not known here")
        for end in (*self._ends, b""):
            if self._text.line(_HEADER_BYTES).rstrip(b"\n") != end:
                self._text.refuse("something else stands where the end should be")
