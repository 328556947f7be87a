"""A fingerprint of content: two sources that hold the same have the same, whatever they are called or printed like."""

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["fingerprint"]


def fingerprint(what: str, parts: Iterable[str | int | NDArray[np.generic] | None]) -> str:
    """The SHA-256 of these parts, each with its type and length, so that no two sequences run together.

    >>> fingerprint("words", ["ab", "c"]) == fingerprint("words", ["a", "bc"])
    False
    """
    digest = hashlib.sha256()
    for part in (what, *parts):
        if isinstance(part, np.ndarray):
            # the same bytes on every machine; adding 0 makes one zero of two
            array = np.ascontiguousarray(part + 0, dtype="<f8" if part.dtype.kind == "f" else "<i8")
            kind, content = f"array {array.shape}", array.tobytes()
        else:
            kind, content = type(part).__name__, str(part).encode(errors="surrogatepass")
        digest.update(f"{kind} {len(content)}:".encode())
        digest.update(content)
    return f"sha256:{digest.hexdigest()}"
