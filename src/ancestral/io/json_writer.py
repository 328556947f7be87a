"""Write a JSON document that `checked_json` reads: a line for each of its keys, long columns in packed blocks."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import RunError
from ancestral.io.bounded import MOST_BYTES, MOST_VALUES
from ancestral.io.columns import PACKED, Column, packed_lines

__all__ = ["document_lines", "nullable", "plain_document"]

#: Values of all columns of a document that are written as lists; when they are used up, columns are packed, however
#: short, so that the text of a document stays within what its reader allows.
LISTED_IN_ALL = 200_000

_COMPACT: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}


def plain_document(document: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, Column]]]:
    """The document with short columns as lists, and the other columns, each with its place in the document."""
    packed: list[tuple[str, Column]] = []
    left = LISTED_IN_ALL

    def plain(value: Any, where: str) -> Any:
        nonlocal left
        if isinstance(value, Column):
            listed = value.as_list() if value.length <= left else None
            if listed is None:
                packed.append((where, value))
                return PACKED
            left -= len(listed)
            return listed
        if isinstance(value, dict):
            return {key: plain(item, f"{where}.{key}" if where else key) for key, item in value.items()}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return [plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
        return value

    return {key: plain(value, key) for key, value in document.items()}, packed


def document_lines(plain: dict[str, Any], packed: Sequence[tuple[str, Column]]) -> Iterator[bytes]:
    """The document as JSON, a line for each of its keys, then its packed columns; equal documents give equal bytes.

    Raises RunError, before anything is yielded, if the document is larger than a reader allows.
    """
    lines = [f"{json.dumps(key)}: {json.dumps(value, **_COMPACT)},\n".encode("ascii") for key, value in plain.items()]
    values = sum(line.count(b",") + line.count(b"[") + line.count(b"{") for line in lines)
    longest = max(map(len, lines))
    if longest > MOST_BYTES or values > MOST_VALUES:
        raise RunError(
            f"names, options and knowledge must take at most {MOST_VALUES:,} values, and {MOST_BYTES:,} bytes in one "
            f"part, to be read again; got {values:,} and {longest:,}; use shorter names, or fewer variables"
        )
    return chain([b"{\n"], lines, [b'"packed": '], packed_lines(packed), [b"\n}\n"])


def nullable(values: NDArray[np.float64]) -> list[float | None]:
    """The numbers, with None for NaN."""
    return [None if value != value else value for value in values.tolist()]
