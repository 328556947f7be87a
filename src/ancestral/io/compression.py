"""Open a file that may be packed (gzip), so that it is unpacked as it is read."""

import gzip
import io
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ancestral.errors import RunError

__all__ = ["format_of", "read_bytes", "unpacked"]

#: Bytes that a file of a graph may hold, or unpack to.
MOST_BYTES = 1 << 28

#: Bytes that are read or unpacked at a time.
_BUFFER = 1 << 20

_FORMAT = re.compile(rb'\s*\{\s*"format"\s*:\s*"(ancestral \w+)"')

#: Bytes at the beginning of a file among which its format stands.
_HEAD = 200

#: Bytes of a packed file that are enough to unpack those, whatever else its header tells.
_PACKED_HEAD = 1 << 16


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading; what cannot be read or unpacked, then or later, is a RunError."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # it might never end, or never begin
            raise RunError(f"{path}: must be a regular file, and is a pipe, a device or a socket; save it as a file")
        with io.BufferedReader(io.FileIO(path), _BUFFER) as file:
            if file.peek(2)[:2] == b"\x1f\x8b":
                with gzip.GzipFile(fileobj=file) as packed:
                    yield cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, packed), _BUFFER))
            else:
                yield cast(BinaryIO, file)
    except (zlib.error, gzip.BadGzipFile) as error:
        raise RunError(f"{path}: is packed, but cannot be unpacked ({error}); take another copy") from None
    except EOFError:
        raise RunError(f"{path}: is packed, but ends too soon; take another copy") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror or error}); check the name") from None


def read_bytes(path: Path) -> bytes:
    """The content of a file of a graph, unpacked if it is packed; a RunError if it is too large to be one."""
    with unpacked(path) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise RunError(f"{path}: holds more than {MOST_BYTES:,} bytes; is it a graph?")
    return content


def format_of(path: Path) -> str | None:
    """The format that a file of ours names in its first bytes, unpacked if it is packed; None for any other file.

    No more than the first bytes are looked at, and of nothing but a regular file.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        with open(path, "rb") as file:
            content = file.read(_PACKED_HEAD)
        if content[:2] == b"\x1f\x8b":
            content = zlib.decompressobj(wbits=31).decompress(content, _HEAD)
    except (OSError, zlib.error):
        return None
    found = _FORMAT.match(content[:_HEAD])
    return None if found is None else found[1].decode("ascii")
