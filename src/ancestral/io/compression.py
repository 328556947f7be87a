"""Open a file that may be compressed by gzip, and tell the format of one of our files from its first bytes."""

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

__all__ = ["read_bytes", "stated_format", "unpacked"]

#: Bytes of a file with a graph, unpacked: 256 MiB, about ten million edges in our notation.
MOST_BYTES = 1 << 28

#: Bytes that are read or unpacked at a time.
_BUFFER = 1 << 20

_FORMAT = re.compile(rb'\s*\{\s*"format"\s*:\s*"(ancestral \w+)"')

#: Bytes at the beginning of a file that state its format.
_HEAD = 200

#: Bytes of a compressed file that are enough to unpack those, even after a long gzip header.
_PACKED_HEAD = 1 << 16


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading, unpacked; RunError if it cannot be read or unpacked, now or inside the block."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # reading it might block, or never end
            raise RunError(f"{path}: must be a regular file, got a pipe, a device or a socket; save it as a file")
        with io.BufferedReader(io.FileIO(path), _BUFFER) as file:
            if file.peek(2)[:2] == b"\x1f\x8b":
                with gzip.GzipFile(fileobj=file) as packed:
                    yield cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, packed), _BUFFER))
            else:
                yield cast(BinaryIO, file)
    except (zlib.error, gzip.BadGzipFile) as error:
        raise RunError(f"{path}: is compressed, but cannot be unpacked ({error}); take another copy") from None
    except EOFError:
        raise RunError(f"{path}: is compressed, but ends too soon; take another copy") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror or error}); check the name") from None


def read_bytes(path: Path) -> bytes:
    """The unpacked content of a file with a graph; RunError if it cannot be read, or is too large to be one."""
    with unpacked(path) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise RunError(f"{path}: a file with a graph must have at most {MOST_BYTES:,} bytes, got more; is it one?")
    return content


def stated_format(path: Path) -> str | None:
    """The format that one of our files states in its first bytes, unpacked; None for any other file.

    Only the first bytes are read, and only of a regular file.
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
