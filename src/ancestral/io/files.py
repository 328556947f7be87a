"""Files that are never half-written, and never larger than they say."""

import contextlib
import gzip
import os
import zlib
from pathlib import Path

from ancestral.errors import RunError

__all__ = ["check_writable", "read_bytes", "write_atomically"]

#: A file that unpacks to more than this is none of ours.
MOST_BYTES = 1 << 31


def write_atomically(path: Path, content: bytes) -> None:
    """Write the file under another name and then rename it: whatever happens, there is the old file or the new one."""
    target = Path(os.path.realpath(path))
    packed = gzip.compress(content, compresslevel=3, mtime=0) if target.suffix == ".gz" else content
    part = _part(target)
    try:
        try:
            with open(part, "wb") as file:
                file.write(packed)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, target)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror}); what was there before is untouched") from None


def check_writable(path: Path) -> None:
    """Refuse a place where nothing can be written, before any work is done."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise RunError(f"{path}: is a directory; name a file in it")
    if not target.parent.is_dir():
        raise RunError(f"{path}: there is no directory {str(target.parent)!r}; make it first, or choose another place")
    part = _part(target)
    try:
        part.touch()
        part.unlink()
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


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


def _part(target: Path) -> Path:
    # one name for each target: what a killed process left behind is written over by the next one
    return target.with_name(f".{target.name}.part")
