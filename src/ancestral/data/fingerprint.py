"""Fingerprints: data with the same content have the same fingerprint, wherever they come from."""

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.names import by_name

__all__ = ["ROWS", "fingerprint", "fingerprint_of_rows", "kind_and_order"]

#: How fingerprints of rows begin. Others begin with `sha256:`, and so do those of rows in files of earlier versions.
ROWS = "rows:"

#: Values of an array that are hashed together, so that a large array is never copied as a whole.
VALUES_AT_ONCE = 1 << 17


def fingerprint(what: str, parts: Iterable[str | int | NDArray[np.generic] | None]) -> str:
    """The SHA-256 of these parts, each with its type and length, so that no two sequences of parts are hashed alike.

    >>> fingerprint("words", ["ab", "c"]) == fingerprint("words", ["a", "bc"])
    False
    """
    digest = hashlib.sha256()
    for part in (what, *parts):
        if isinstance(part, np.ndarray):
            digest.update(f"array {part.shape} {8 * part.size}:".encode())
            step = max(1, VALUES_AT_ONCE // max(part[:1].size, 1))
            for first in range(0, len(part), step):
                # the same bytes on every machine; adding 0 makes 0 and -0 the same
                some = part[first : first + step] + 0
                digest.update(np.ascontiguousarray(some, dtype="<f8" if part.dtype.kind == "f" else "<i8").tobytes())
        else:
            content = str(part).encode(errors="surrogatepass")
            digest.update(f"{type(part).__name__} {len(content)}:".encode())
            digest.update(content)
    return f"sha256:{digest.hexdigest()}"


def fingerprint_of_rows(kinds: Mapping[str, str], rows: int, hashed: int) -> str:
    """The fingerprint of a table, a stream or counts: of the kinds of the columns by name, and of `row_hash`.

    It depends neither on the order of rows and columns nor on how the rows were stored or divided into parts.
    """
    columns = [part for name in sorted(kinds, key=by_name) for part in (name, kinds[name])]
    return ROWS + fingerprint("rows", [*columns, rows, hashed]).removeprefix("sha256:")


def kind_and_order(kind: str, levels: Iterable[str]) -> str:
    """The kind of a column as fingerprints hash it: of an ordinal column, the order of its levels counts."""
    return " < ".join([kind, *levels]) if kind == "ordinal" else kind
