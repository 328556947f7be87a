"""Read a file that may be packed (gzip), and refuse one that unpacks to more than it may."""

import zlib
from pathlib import Path

from ancestral.errors import RunError

__all__ = ["read_bytes"]

#: Bytes that a packed file may unpack to.
MOST_BYTES = 1 << 31


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked if it is packed."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror}); check the name") from None
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        unpacker = zlib.decompressobj(wbits=31)
        out = unpacker.decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise RunError(f"{path}: is packed, but cannot be unpacked ({error}); take another copy") from None
    if unpacker.unconsumed_tail:
        raise RunError(f"{path}: unpacks to more than {MOST_BYTES} bytes; it is no run file")
    if not unpacker.eof:
        raise RunError(f"{path}: is packed, but ends too soon; take another copy")
    return out
