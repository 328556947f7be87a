"""Atomic writes: a reader finds the whole old content or the whole new one, whatever happens to the writer.

The content goes to a part file in the same folder, with a name of its own for each writer, and is synced to disk; then
the part file replaces the target in one step. So any number of processes may save to one file. A part file is locked
while it is written; an unlocked one was left behind by a process that was killed, and is removed when the next file is
written into its folder.

Only regular files are replaced. A link is followed, and stays a link. Other names of the same file (hard links) keep
the old content. Content for a character device or a pipe is written there directly. Everything else (folders, block
devices, sockets) is refused, and so is a file without write permission, also for root.
"""

import contextlib
import gzip
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from ancestral.errors import RunError

try:
    import fcntl
except ImportError:  # on Windows, where part files of killed processes stay
    fcntl = None  # type: ignore[assignment]

__all__ = ["check_writable", "replacing", "same_file", "write_atomically"]

_ENDING = ".ancestral-part"
#: Characters of the target's name in the name of its part file; a whole name might exceed what file systems allow.
_STEM = 40

#: Folders that this process has searched for abandoned part files; it searches each once.
_cleaned: set[str] = set()


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file by this content; see `replacing`. Raises RunError, with the old content untouched."""
    with replacing(path) as file:
        file.write(content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file that replaces `path` when the block ends; if the block raises, nothing has changed.

    A file whose name ends in `.gz` is compressed. A file that exists keeps its permissions and, if possible, its owner.
    Raises RunError if the file cannot be written.
    """
    try:
        target, old = _resolved(path)
        with _direct(target) if _is_stream(old) else _part_of(target, old) as file:
            if target.suffix == ".gz":
                with gzip.GzipFile("", "wb", compresslevel=3, fileobj=file, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield file
    except OSError as error:
        kept = "" if _keeps_nothing(path) else "; what was there before is untouched"
        raise RunError(f"{path}: cannot be written ({error.strerror or error}){kept}") from None


def check_writable(path: Path) -> None:
    """Raise RunError if `path` cannot be written, before any work is done; nothing is changed."""
    try:
        target, old = _resolved(path)
        if _is_stream(old):
            return
        if target.parent.is_dir():
            tempfile.TemporaryFile(dir=target.parent).close()
            return
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror}); choose another place") from None
    raise RunError(f"{path}: there is no directory {str(target.parent)!r}; make it first, or choose another place")


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths name the same file, which need not exist; links are followed."""
    return os.path.realpath(one) == os.path.realpath(other)


def _resolved(path: Path) -> tuple[Path, os.stat_result | None]:
    """The file that `path` leads to, with links followed, and its status; None as status if it does not exist.

    Raises RunError for a path that must not be replaced or written into.
    """
    try:
        old = os.stat(path)
    except FileNotFoundError:
        return Path(os.path.realpath(path)), None
    mode = old.st_mode
    if stat.S_ISDIR(mode):
        raise RunError(f"{path}: must be a file, got a directory; name a file in it")
    if not (stat.S_ISREG(mode) or _is_stream(old)):
        kind = "block device" if stat.S_ISBLK(mode) else "socket"
        raise RunError(f"{path}: must be a regular file, got a {kind}, which is left alone; choose another name")
    if _is_stream(old):
        return path, old
    if _is_descriptor(path):
        raise RunError(
            f"{path}: is a file that this process has open, and it would be replaced; name the file itself, or write "
            "to standard output"
        )
    if not mode & 0o222:
        raise RunError(f"{path}: is read-only, so it is left alone; choose another name, or allow writing (chmod u+w)")
    if not _may(path, os.W_OK):
        raise RunError(f"{path}: cannot be written (Permission denied), so it is left alone; choose another name")
    return Path(os.path.realpath(path)), old


def _may(path: Path, what: int) -> bool:
    """Whether the user that this process acts as has these permissions."""
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _is_stream(old: os.stat_result | None) -> bool:
    """Whether it is a character device such as /dev/null, or a pipe: bytes pass through, and none are kept."""
    return old is not None and (stat.S_ISCHR(old.st_mode) or stat.S_ISFIFO(old.st_mode))


def _is_descriptor(path: Path) -> bool:
    """Whether a path stands for an open file of this process, as /dev/stdout and /dev/fd/3 do."""
    here = os.path.abspath(path)
    for _ in range(40):  # as many links as the kernel follows
        folder = os.path.realpath(os.path.dirname(here))
        if folder.startswith("/proc/") and os.path.basename(folder) == "fd":
            return True
        here = os.path.join(folder, os.path.basename(here))
        if not os.path.islink(here):
            return False
        here = os.path.normpath(os.path.join(folder, os.readlink(here)))
    return False


def _keeps_nothing(path: Path) -> bool:
    """Whether a path is that of a device or a pipe, which has no old content that could be untouched."""
    try:
        return _is_stream(os.stat(path))
    except OSError:
        return False


@contextlib.contextmanager
def _direct(target: Path) -> Iterator[BinaryIO]:
    """A device or pipe, opened for writing; for a pipe without a reader this raises OSError instead of blocking."""
    descriptor = os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    os.set_blocking(descriptor, True)
    with open(descriptor, "wb") as file:
        yield file


@contextlib.contextmanager
def _part_of(target: Path, old: os.stat_result | None) -> Iterator[BinaryIO]:
    """A part file that replaces the target when the block ends, and is removed if it raises."""
    _remove_abandoned(target.parent)
    file, part = _locked_part(target)
    try:
        with file:
            yield file
            file.flush()
            _take_after(file, old)
            os.fsync(file.fileno())
            # while it is still locked, so that no other process takes it for abandoned
            os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    _sync_folder(target.parent)


def _locked_part(target: Path) -> tuple[BinaryIO, Path]:
    """A new part file, readable by its owner alone and locked, and its path."""
    while True:
        descriptor, name = tempfile.mkstemp(_ENDING, f".{target.name[:_STEM]}.", target.parent)
        file = open(descriptor, "wb")  # noqa: SIM115
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks, on which part files are not removed
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.exists(name):  # no other process has removed it as abandoned before it was locked
            return file, Path(name)
        file.close()


def _take_after(file: BinaryIO, old: os.stat_result | None) -> None:
    """Give the part file the permissions and owner of the file it replaces, or those of a new file."""
    if old is None:
        usual = os.umask(0o077)
        os.umask(usual)
        mode = 0o666 & ~usual
    else:
        mode = stat.S_IMODE(old.st_mode)
        if not _given_to(file, old.st_uid, old.st_gid) and not _given_to(file, -1, old.st_gid):
            mode = mode & ~0o070 | (mode & 0o007) << 3  # our group gets the rights of others, not those of the old one
    with contextlib.suppress(OSError):  # a file system without permissions
        os.fchmod(file.fileno(), mode)


def _given_to(file: BinaryIO, user: int, group: int) -> bool:
    """Try to change the owner of a file; whether that succeeded."""
    try:
        os.fchown(file.fileno(), user, group)
    except OSError:
        return False
    return True


def _remove_abandoned(folder: Path) -> None:
    """Remove the part files in a folder that no running process writes."""
    if fcntl is None or os.fspath(folder) in _cleaned:
        return
    _cleaned.add(os.fspath(folder))
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_ENDING) and entry.name.startswith("."):
                _remove_if_unlocked(entry.path)


def _remove_if_unlocked(part: str) -> None:
    with contextlib.suppress(OSError):  # it is locked, belongs to another user, or is gone by now
        descriptor = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(part)
        finally:
            os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name is on disk, too; not all systems can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
