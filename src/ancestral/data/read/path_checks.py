"""Single paths: how they are written in messages, and which of them can be opened without waiting for ever.

Only regular files are read: opening a pipe waits until another process writes to it, and a device may have no end.
"""

import errno
import os
import stat
from pathlib import Path
from typing import IO, Any

from ancestral.data.errors import DataError
from ancestral.errors import OptionError

__all__ = ["is_utf8", "open_regular", "path_text", "refuse_special", "shown_path", "status_of"]

#: Files that are not regular ones, and what they are called in errors.
_SPECIAL = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path as it can be printed anywhere: characters that cannot be printed are escaped as in Python.

    >>> shown_path("bad\\udcff.csv")
    'bad\\\\udcff.csv'
    """
    text = os.fspath(path)
    return text if text.isprintable() else repr(text)[1:-1]


def path_text(source: str | os.PathLike[Any]) -> str:
    """The path of a source as text, with `~` replaced by the home folder; raises OptionError if it is empty."""
    path = os.path.expanduser(os.fsdecode(source))
    if not path:
        raise OptionError("the path is empty; pass the path of a file or of a folder")
    return path


def is_utf8(path: Path) -> bool:
    """Whether a library that encodes paths as UTF-8 finds the same file."""
    return os.fsencode(path) == str(path).encode(errors="replace")


def status_of(path: Path) -> os.stat_result | None:
    """The status of a path, links followed; None if there is nothing. Raises DataError if it cannot be looked up."""
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        raise DataError(f"'{shown_path(path)}' holds a zero byte, which no path may; correct it") from None
    except OSError as error:
        looped = error.errno == errno.ELOOP
        what = "is a link that leads back to itself" if looped else f"cannot be read: {error.strerror}"
        raise DataError(f"'{shown_path(path)}' {what}; correct the path") from None


def refuse_special(path: Path) -> None:
    """Raise DataError if a path is that of a pipe, a device or a socket."""
    status = status_of(path)
    for is_kind, what in _SPECIAL:
        if status is not None and is_kind(status.st_mode):
            raise DataError(f"'{shown_path(path)}' is {what}; only regular files are read: copy its content to a file")


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file for reading, without ever waiting for a writer; raises DataError for anything else."""
    try:
        file = open(path, "rb", buffering=0, opener=_without_waiting)  # noqa: SIM115
    except OSError as error:
        raise DataError(f"'{shown_path(path)}' cannot be read: {error.strerror}; correct the path") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        refuse_special(path)
        raise DataError(f"'{shown_path(path)}' is not a regular file; correct the path")
    return file


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
