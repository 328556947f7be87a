"""A fingerprint of content: two sources that hold the same have the same, whatever they are called or printed like."""

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["fingerprint"]

#: Values of an array that are looked at together, so that no second array is made of a large one.
AT_ONCE = 1 << 17


def fingerprint(what: str, parts: Iterable[str | int | NDArray[np.generic] | None]) -> str:
    """The SHA-256 of these parts, each with its type and length, so that no two sequences run together.

    >>> fingerprint("words", ["ab", "c"]) == fingerprint("words", ["a", "bc"])
    False
    """
    digest = hashlib.sha256()
    for part in (what, *parts):
        if isinstance(part, np.ndarray):
            digest.update(f"array {part.shape} {8 * part.size}:".encode())
            step = max(1, AT_ONCE // max(part[:1].size, 1))
            for first in range(0, len(part), step):
                # the same bytes on every machine; adding 0 makes one zero of two
                some = part[first : first + step] + 0
                digest.update(np.ascontiguousarray(some, dtype="<f8" if part.dtype.kind == "f" else "<i8").tobytes())
        else:
            content = str(part).encode(errors="surrogatepass")
            digest.update(f"{type(part).__name__} {len(content)}:".encode())
            digest.update(content)
    return f"sha256:{digest.hexdigest()}"
