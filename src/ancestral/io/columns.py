"""Columns of many values in a JSON document: short ones are lists, long ones are packed.

A packed column is base64 of little-endian numbers, in blocks, each on a line of its own, so that neither writer nor
reader ever holds its whole text. The document has "packed" in its place; the columns themselves follow under the key
`packed`, in the order of the document, each under the path of its place:

    "edges.a": {"type": "i4", "length": 250000, "blocks": [
    "AAAAAAEAAAAC...",
    "AgAA..."
    ]},

A reader takes columns in that order, and states how many values there must be, or can be at most; so a false length is
refused before anything is read. Memory grows with the bytes that were read, not with the lengths that a file claims.

A column of texts lists the texts that its numbers stand for, and is read by these names: a later version may know more
texts, or have them in another order.
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

__all__ = ["PACKED", "Column", "ColumnSpec", "Columns", "HeldColumns", "StreamedColumns", "packed_lines"]

#: The value that stands in the place of a packed column, and the key under which packed columns stand.
PACKED = "packed"

#: Values up to which a column is a list, which a person can read; longer columns are packed.
LISTED = 1_000

#: Bytes in a block, before base64: about a megabyte of text. Divisible by the sizes of all types, and by 3, so that
#: base64 needs no padding inside a column.
BLOCK_BYTES = 3 << 18

_LINE_BYTES = BLOCK_BYTES // 3 * 4 + 8
_HEADER_BYTES = 4_096
_TYPES: dict[str, np.dtype[Any]] = {"f8": np.dtype("<f8"), "i4": np.dtype("<i4"), "u1": np.dtype("u1")}


@dataclass(frozen=True)
class Column:
    """A column to be written; each call of `pieces` gives its values anew, as arrays one after another.

    Types are "f8", doubles, NaN for missing ones; "i4", whole numbers of 32 bits; "u1", numbers of `texts`.
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
        """A column of whole numbers of 32 bits."""
        return cls("i4", len(values), lambda: (values,))

    @classmethod
    def of_texts(cls, codes: NDArray[np.integer], texts: Sequence[str]) -> "Column":
        """A column of texts, each given by its number among `texts`."""
        return cls("u1", len(codes), lambda: (codes,), tuple(texts))

    def as_list(self) -> list[Any] | None:
        """The values as JSON has them, with None for NaN; None for a column that must be packed: long, or infinite."""
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
        buffer = bytearray()
        count = 0
        for piece in self.pieces():
            count += len(piece)
            buffer += np.ascontiguousarray(piece, dtype=_TYPES[self.type]).tobytes()
            while len(buffer) >= BLOCK_BYTES:
                yield base64.b64encode(buffer[:BLOCK_BYTES])
                del buffer[:BLOCK_BYTES]
        assert count == self.length, "a column must have as many values as its length states"
        if buffer:
            yield base64.b64encode(buffer)


def packed_lines(columns: Sequence[tuple[str, Column]]) -> Iterator[bytes]:
    """The bytes under the key `packed`: the columns, each under its place in the document."""
    if not columns:
        yield b"{}"
        return
    yield b"{\n"
    for i, (where, column) in enumerate(columns):
        facts: dict[str, Any] = {"type": column.type, "length": column.length}
        if column.texts is not None:
            facts["texts"] = column.texts
        header = json.dumps(facts, separators=(",", ":"))[:-1]
        yield f"{json.dumps(where)}: {header},".encode("ascii") + b'"blocks":['
        first = True
        for block in column.blocks():
            yield (b'\n"' if first else b',\n"') + block + b'"'
            first = False
        yield b"\n]}" + (b",\n" if i < len(columns) - 1 else b"\n")
    yield b"}"


# -- reading ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnSpec:
    """What a column must be: its type, and its length, or if that is None, at most `most` values.

    A column of type "u1" has values of these `texts`, and is read as their numbers among them.
    """

    type: str
    texts: tuple[str, ...] | None
    length: int | None
    most: int


class Columns(Protocol):
    """The packed columns of a document."""

    def take(self, where: str, spec: ColumnSpec) -> NDArray[Any]:
        """The column of a place, once, in the order of the file; RunError if it is not as specified."""

    def finish(self) -> None:
        """Raise RunError if columns are left that were not taken."""


class _Reader:
    """Checks the header of a column, and joins its blocks."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def checked_length(self, where: str, header: Any, spec: ColumnSpec) -> int:
        """The length of a column, if its header is as specified."""
        texts = None if spec.texts is None else list(spec.texts)
        keys = {"type", "length", "blocks"} | (set() if texts is None else {"texts"})
        if not isinstance(header, dict) or header.keys() != keys:
            self.fail(where, "must have a type, a length and blocks")
        if header["type"] != spec.type or not _all_known(header.get("texts"), texts):
            self.fail(
                where,
                f"must be of type {spec.type!r}"
                + ("" if texts is None else f", of some of the texts {texts}, each once"),
            )
        length = header["length"]
        if type(length) is not int or length < 0 or length > spec.most:
            self.fail(where, f"must have a length from 0 to {spec.most}")
        if spec.length is not None and length != spec.length:
            self.fail(where, f"must have {spec.length} values, got {length}")
        return length

    def joined(
        self, where: str, spec: ColumnSpec, length: int, texts: Sequence[str] | None, blocks: Iterable[bytes | str]
    ) -> NDArray[Any]:
        """The values in blocks of base64; numbers of `texts`, those of the file, become numbers of `spec.texts`."""
        dtype = _TYPES[spec.type]
        content = bytearray()
        for block in blocks:
            try:
                content += binascii.a2b_base64(block, strict_mode=True)
            except (binascii.Error, ValueError):
                self.fail(where, "must be base64")
            if len(content) > length * dtype.itemsize:
                break
        if len(content) != length * dtype.itemsize:
            self.fail(where, f"must be base64 of {length} values of type {spec.type!r}")
        values = np.frombuffer(content, dtype=dtype).astype(dtype.newbyteorder("="), copy=False)
        if spec.texts is None or texts is None:
            return values
        if length and values.max() >= len(texts):
            self.fail(where, f"must have numbers of its {len(texts)} texts")
        if tuple(texts) == spec.texts:
            return values
        return np.array([spec.texts.index(text) for text in texts], dtype=dtype)[values]

    def fail(self, where: str, reason: str) -> NoReturn:
        """Raise RunError for a column."""
        raise RunError(
            f"{self.path}: the packed column {where} {reason}; the file was changed or is damaged, take another copy"
        )


def _all_known(texts: Any, known: list[str] | None) -> bool:
    """Whether the texts of a column are known ones, each once; a column of numbers has none."""
    if known is None:
        return texts is None
    return (
        isinstance(texts, list)
        and all(isinstance(text, str) and text in known for text in texts)
        and len(set(texts)) == len(texts)
    )


class HeldColumns(_Reader):
    """The columns of a document that was read as a whole."""

    def __init__(self, path: Path, packed: Any) -> None:
        super().__init__(path)
        if not isinstance(packed, dict):
            self.fail("packed", "must be an object")
        self._left = dict(packed)

    def take(self, where: str, spec: ColumnSpec) -> NDArray[Any]:
        """See `Columns`; the order does not matter."""
        if where not in self._left:
            self.fail(where, "is missing")
        column = self._left.pop(where)
        length = self.checked_length(where, column, spec)
        blocks = column["blocks"]
        if not isinstance(blocks, list) or not all(isinstance(block, str) for block in blocks):
            self.fail(where, "must have a list of strings as blocks")
        return self.joined(where, spec, length, column.get("texts"), blocks)

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

    def take(self, where: str, spec: ColumnSpec) -> NDArray[Any]:
        """See `Columns`."""
        if not self._more:
            self.fail(where, "is missing")
        line = self._text.line(_HEADER_BYTES)
        if not line.endswith(b'"blocks":[\n'):
            self.fail(where, "must come next, and does not")
        header = self._text.value(b"{" + line + b"]}}")
        if list(header) != [where]:
            self.fail(where, f"must come next, got {next(iter(header), 'nothing')[:100]}")
        column = header[where]
        length = self.checked_length(where, column, spec)
        return self.joined(where, spec, length, column.get("texts"), self._blocks(where))

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
                self._text.refuse("expected the end of the document")
