"""Which files a path, a folder, a pattern or a list of paths means, and which of them can be read.

Links to folders are followed, but no folder is visited twice, nor one that contains the folder where the walk began.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from glob import has_magic
from itertools import islice
from pathlib import Path
from typing import Any

from ancestral.data.errors import DataError
from ancestral.data.read.formats import DataFormat, endings_in_words, format_of
from ancestral.data.read.path_checks import path_text, refuse_special, shown_path, status_of

__all__ = ["FileList", "checked_format", "existing_file", "files_in", "is_path", "is_readable", "labels_of", "located"]

#: File names among which a misspelled one is looked for: enough for any folder of data that a person keeps.
MOST_NAMES = 10_000


@dataclass(frozen=True)
class FileList:
    """Files whose rows are read in turn: what a folder, a pattern or a list of paths means."""

    paths: tuple[Path, ...]


def is_path(source: object) -> bool:
    """Whether a source is a path, as a string or as an object."""
    return isinstance(source, str | os.PathLike)


def located(source: Any) -> Any:
    """A source with its files looked up: a path becomes a `Path` or a `FileList`, and a list of paths a `FileList`.

    A folder or a pattern that means a single file is that file. A list of one path is read some rows at a time.
    Anything else is returned as it is, and so is what was located before. Raises DataError if there are no such files.
    """
    if is_path(source):
        files = files_in(source)
        if files is not None and len(files) > 1:
            return FileList(tuple(files))
        return Path(path_text(source)) if files is None else files[0]
    if isinstance(source, list | tuple) and source and all(map(is_path, source)):
        return FileList(tuple(file for path in source for file in files_in(path) or [Path(path_text(path))]))
    return source


def is_readable(path: Path) -> bool:
    """Whether a file of this name is of a format that can be read."""
    return format_of(path) is not None


def existing_file(path: Path) -> os.stat_result:
    """The status of a file; raises DataError if there is nothing, or a pipe, a device or a socket."""
    status = status_of(path)
    if status is None:
        raise _nothing_there(path)
    refuse_special(path)
    return status


def checked_format(path: Path) -> DataFormat:
    """The format of a file; raises DataError unless it is a regular file of a format that can be read."""
    status = existing_file(path)
    data_format = format_of(path)
    if data_format is None:
        ending = "".join(path.suffixes[-2:]).lower()
        what = f"has the unsupported ending {shown_path(ending)}" if ending else "has no ending that tells its format"
        raise DataError(
            f"'{shown_path(path.name)}' {what}; supported are {endings_in_words()}: save it as one of these, leave it "
            "out, or pass a frame"
        )
    if stat.S_ISDIR(status.st_mode):
        raise DataError(f"'{shown_path(path)}' is a folder; pass it by itself to read all files in it")
    return data_format


def _nothing_there(path: Path) -> DataError:
    folder = path.parent
    if path.is_symlink():
        return DataError(f"{shown_path(path)} is a link to a file that does not exist; correct the link")
    if not folder.is_dir():
        return DataError(
            f"there is no file '{shown_path(path)}': there is no folder '{shown_path(folder)}'; correct the path"
        )
    near = get_close_matches(path.name, islice(sorted(os.listdir(folder)), MOST_NAMES), n=3)
    names = " or ".join(f"'{shown_path(name)}'" for name in near)
    way_out = f"did you mean {names}?" if near else "correct the path"
    return DataError(f"there is no file '{shown_path(path.name)}' in '{shown_path(folder.resolve())}'; {way_out}")


def labels_of(paths: Sequence[Path]) -> list[str]:
    """What messages call each of several files: its path below the folder that all have in common.

    Raises DataError if a file is there twice.
    """
    real = [Path(os.path.realpath(path)) for path in paths]
    times = Counter(real)
    for path, here in zip(paths, real, strict=True):
        if times[here] > 1:
            raise DataError(f"'{shown_path(path)}' is named twice, so its rows would count twice; name each file once")
    folder = Path(os.path.commonpath([path.parent for path in real]))
    return [shown_path(path.relative_to(folder).as_posix()) for path in real]


def files_in(source: str | os.PathLike[Any]) -> list[Path] | None:
    """The files that a folder or a pattern such as `visits/*.parquet` means; None for the path of a single file.

    Raises DataError if the folder holds no file that can be read, or if no file matches the pattern.
    """
    text = path_text(source)
    path = Path(text)
    status = status_of(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        files = _once(file for file in _below(path, hidden=(".", "_")) if is_readable(file))
        if not files:
            raise DataError(
                f"the folder '{shown_path(path)}' holds no file that can be read ({endings_in_words()}); correct the "
                "path"
            )
        return files
    if status is not None or not has_magic(text):
        return None
    files = _once(file for file in _matching(path) if not file.is_dir())
    if not files:
        raise DataError(f"no file matches '{shown_path(text)}'; check the pattern")
    return files


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
        raise DataError(
            f"the folder '{shown_path(folder)}' cannot be read: {error.strerror}; correct the path"
        ) from None


def _below(top: Path, hidden: tuple[str, ...]) -> Iterator[Path]:
    """All files below a folder, except those whose name, or a folder's name on the way, begins as hidden ones do."""
    for folder in _folders(top, hidden):
        for entry in _entries(folder):
            if not entry.name.startswith(hidden) and not entry.is_dir():
                yield entry


def _folders(top: Path, hidden: tuple[str, ...]) -> Iterator[Path]:
    """The folder and all below it, each once; links are followed unless they lead back."""
    above = os.path.realpath(top)
    visited = {above}
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        yield folder
        inner = []
        for entry in _entries(folder):
            if entry.name.startswith(hidden) or not entry.is_dir():
                continue
            real = os.path.realpath(entry)
            if real not in visited and not Path(above).is_relative_to(real):
                visited.add(real)
                inner.append(entry)
        waiting += reversed(inner)


def _matching(pattern: Path) -> Iterator[Path]:
    """The paths that match a pattern, in which `**` stands for any number of folders."""
    parts = pattern.parts
    reached = [Path(pattern.anchor)]
    for part in parts[1:] if pattern.anchor else parts:
        following: dict[str, Path] = {}
        for folder in reached:
            for path in _step(folder, part):
                following.setdefault(os.path.realpath(path) if part == "**" else os.fspath(path), path)
        reached = list(following.values())
    yield from reached
    if parts[-1:] == ("**",):  # at the end it stands for files, too
        yield from (entry for folder in reached for entry in _entries(folder) if not entry.name.startswith("."))


def _step(folder: Path, part: str) -> Iterator[Path]:
    """The paths in a folder that one part of a pattern stands for."""
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
