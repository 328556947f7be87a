"""Paths: which files a path, a folder or a pattern means, and which of them can be opened without a surprise.

Only regular files are opened: a pipe or a device with the name of a file would wait for somebody to write, or never
end. Links to folders are followed, but no folder is visited twice, nor one in which the search began.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from glob import has_magic
from itertools import islice
from pathlib import Path
from typing import Any

from ancestral.data.errors import DataError
from ancestral.errors import OptionError

__all__ = ["TEXT", "check_file", "files_in", "is_readable", "is_utf8", "location", "refuse_special", "shown"]

TEXT = (".csv", ".tsv", ".txt")
PACKED = (".gz", ".zst")
KNOWN = ".csv, .tsv, .txt (also with .gz or .zst) and .parquet"

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def shown(path: str | os.PathLike[str]) -> str:
    """A path as it can be printed anywhere: what cannot is escaped as Python writes it.

    >>> shown("bad\\udcff.csv")
    'bad\\\\udcff.csv'
    """
    text = os.fspath(path)
    return text if text.isprintable() else repr(text)[1:-1]


def location(source: str | os.PathLike[Any]) -> str:
    """The path that a source is, as text; raises if it is empty."""
    path = os.fsdecode(source)
    if not path:
        raise OptionError("the path is empty; pass the path of a file or of a folder")
    return path


def is_utf8(path: Path) -> bool:
    """Whether a library that takes paths as UTF-8 finds the same file."""
    return os.fsencode(path) == str(path).encode(errors="replace")


def is_readable(path: Path) -> bool:
    """Whether the name is that of a file that can be read."""
    name = path.name.lower()
    return name.removesuffix(".gz").removesuffix(".zst").endswith(TEXT) or name.endswith(".parquet")


def check_file(path: Path) -> None:
    """Raise unless the path is that of a regular file of a kind that can be read."""
    found = _status(path)
    if found is None:
        folder = path.parent
        if path.is_symlink():
            raise DataError(f"{shown(path)!s} is a link to a file that does not exist; correct the link")
        if not folder.is_dir():
            raise DataError(f"there is no file '{shown(path)}': there is no folder '{shown(folder)}'; correct the path")
        near = get_close_matches(path.name, islice(sorted(os.listdir(folder)), 10_000), n=3)
        way_out = (
            "did you mean " + " or ".join(f"'{shown(name)}'" for name in near) + "?" if near else "correct the path"
        )
        raise DataError(f"there is no file '{shown(path.name)}' in '{shown(folder.resolve())}'; {way_out}")
    refuse_special(path)
    if not is_readable(path):
        ending = "".join(path.suffixes[-2:]).lower() or "no ending"
        raise DataError(
            f"'{shown(path.name)}' ({shown(ending)}) is of no kind that can be read; there are {KNOWN}: "
            "save it as one of these, leave it out, or pass a frame"
        )
    if stat.S_ISDIR(found.st_mode):
        raise DataError(f"'{shown(path)}' is a folder; pass it by itself to read all files in it")


def refuse_special(path: Path) -> None:
    """Raise if a path is that of a pipe, a device or a socket, which cannot be read as a file of data."""
    found = _status(path)
    for is_kind, what in _KINDS:
        if found is not None and is_kind(found.st_mode):
            raise DataError(f"'{shown(path)}' is {what}; only regular files are read: copy its content to a file")


def _status(path: Path) -> os.stat_result | None:
    """What the system says of a path; None if there is nothing."""
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        raise DataError(f"'{shown(path)}' holds a zero byte and is no path; correct it") from None
    except OSError as error:
        what = (
            "is a link that leads back to itself" if error.errno == errno.ELOOP else f"cannot be read: {error.strerror}"
        )
        raise DataError(f"'{shown(path)}' {what}; correct the path") from None


def files_in(source: str | Path | Sequence[Any]) -> list[Path] | None:
    """The files that a folder, a pattern such as `visits/*.parquet`, or a list of paths means; None: a single file."""
    if not isinstance(source, str | Path):
        return [file for path in source for file in files_in(path) or [Path(path)]]
    path = Path(location(source))
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        found = _once(file for file in _below(path, hidden=(".", "_")) if is_readable(file))
        if not found:
            raise DataError(f"the folder '{shown(path)}' holds no file that can be read ({KNOWN}); correct the path")
        return found
    if status is not None or not has_magic(str(source)):
        return None
    found = _once(file for file in _matching(path) if not file.is_dir())
    if not found:
        raise DataError(f"no file is called like '{shown(str(source))}'; correct the pattern")
    return found


def _once(files: Iterator[Path]) -> list[Path]:
    """The files in their order, without those that are links to others of them."""
    out: dict[str, Path] = {}
    for file in sorted(files, key=lambda file: (file.is_symlink(), file)):
        out.setdefault(os.path.realpath(file), file)
    return sorted(out.values())


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder / name for name in os.listdir(folder))
    except OSError as error:
        raise DataError(f"the folder '{shown(folder)}' cannot be read: {error.strerror}; correct the path") from None


def _below(top: Path, hidden: tuple[str, ...]) -> Iterator[Path]:
    """All that lies below a folder and is no folder, except what has a name that begins like something hidden."""
    for folder in _folders(top, hidden):
        for entry in _entries(folder):
            if not entry.name.startswith(hidden) and not entry.is_dir():
                yield entry


def _folders(top: Path, hidden: tuple[str, ...]) -> Iterator[Path]:
    """The folder and all below it, each once; links lead on unless they lead back."""
    above = os.path.realpath(top)
    visited = {above}
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        yield folder
        found = []
        for entry in _entries(folder):
            if entry.name.startswith(hidden) or not entry.is_dir():
                continue
            real = os.path.realpath(entry)
            if real not in visited and not Path(above).is_relative_to(real):
                visited.add(real)
                found.append(entry)
        waiting += reversed(found)


def _matching(pattern: Path) -> Iterator[Path]:
    """The paths that match a pattern, in which `**` stands for any number of folders."""
    parts = pattern.parts
    top = Path(pattern.anchor)
    found = [top]
    for part in parts[1:] if pattern.anchor else parts:
        following: dict[str, Path] = {}
        for folder in found:
            for path in _step(folder, part):
                following.setdefault(os.path.realpath(path) if part == "**" else os.fspath(path), path)
        found = list(following.values())
    yield from found
    if parts[-1:] == ("**",):  # at the end it stands for files, too
        yield from (entry for folder in found for entry in _entries(folder) if not entry.name.startswith("."))


def _step(folder: Path, part: str) -> Iterator[Path]:
    """Where one part of a pattern leads from a folder."""
    if not folder.is_dir():
        return
    if part == "**":
        yield from _folders(folder, (".",))
    elif has_magic(part):
        for entry in _entries(folder):
            if fnmatchcase(entry.name, part) and (part.startswith(".") or not entry.name.startswith(".")):
                yield entry
    elif os.path.lexists(folder / part):
        yield folder / part
