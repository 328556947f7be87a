"""Which files a command reads and which it writes: checked, so that nothing is overwritten by accident.

Every command that writes a file passes all its files to `check_places` before it does anything else.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from glob import has_magic
from pathlib import Path
from typing import Any

from ancestral.errors import OptionError

__all__ = ["check_new", "check_places", "check_run_places", "check_search_places"]


def check_places(
    *, writes: Mapping[str, Path | None], reads: Mapping[str, Path | None], data: Sequence[Path] = ()
) -> None:
    """Raise `OptionError` if a file to write is also read, or is to be written twice.

    `writes` and `reads` map the option or argument that names a file to its path. `data` are files, folders or
    patterns; a file that would be read as data the next time may not be written into such a folder.
    """
    outputs = {option: place for option, place in writes.items() if place is not None}
    inputs = [(option, place) for option, place in reads.items() if place is not None]
    if outputs:
        inputs += [("the data", file) for path in data for file in _files_of(path)]
    seen: dict[object, str] = {}
    for option, place in outputs.items():
        for key in _identities(place):
            if key in seen:
                raise OptionError(f"{place}: is named twice, as {seen[key]} and as {option}; choose another name")
            seen[key] = option
    for option, place in inputs:
        for key in _identities(place):
            if key in seen:
                raise OptionError(
                    f"{outputs[seen[key]]}: {seen[key]} would overwrite {option}, which is left alone; choose another "
                    "name"
                )
    for path in data:
        _check_folder(outputs, path)


def check_search_places(
    data: Sequence[Path],
    *,
    output: Path | None,
    report: Path | None,
    others: Mapping[str, Path | None],
    reads: Mapping[str, Path | None],
) -> None:
    """Check the files of a command that searches, before it does: `check_places`, and whether they can be written.

    `others` are written, too, and the command checks them itself.
    """
    check_places(writes={"--output": output, "--report": report, **others}, reads=reads, data=data)
    from ancestral.io.files import check_writable
    from ancestral.show.report import check_report

    if output is not None:
        check_writable(output)
    if report is not None:
        check_report(report, "report")


def check_run_places(
    data: Sequence[Path],
    *,
    output: Path | None,
    report: Path | None,
    options: Mapping[str, Any],
) -> Path | None:
    """The same for a command that keeps a run file, by its options `save`, `resume` and `knowledge`.

    Returns where the run is saved, None if it is not. A run file may be resumed and saved under one name.
    """
    from ancestral.io.files import same_file

    save, resume = options["save"], options["resume"]
    target: Path | None = save or resume
    other = resume if save is not None and resume is not None and not same_file(save, resume) else None
    check_search_places(
        data,
        output=output,
        report=report,
        others={"--save" if save is not None else "--resume": target},
        reads={"--knowledge": options["knowledge"], "--targets": options.get("targets"), "--resume": other},
    )
    return target


def check_new(option: str, place: Path | None, holds: str = "knowledge") -> None:
    """Raise `OptionError` if a file exists that a user will have worked on, so that it may not be overwritten."""
    if place is not None and os.path.lexists(place):
        raise OptionError(f"{place}: {option} would overwrite it, and it may hold {holds}; choose another name")


def _files_of(data: Path) -> list[Path]:
    from ancestral.data.read.file_lists import located

    files = located(data)
    return [files] if isinstance(files, Path) else list(files.paths)


def _check_folder(outputs: Mapping[str, Path], data: Path) -> None:
    """Raise if a file to write would be among the data of a folder, or match a pattern of them, the next time."""
    from ancestral.data.read.file_lists import is_readable

    for place in outputs.values():
        there = Path(os.path.realpath(place))
        if data.is_dir() and there.is_relative_to(data.resolve()) and is_readable(there):
            raise OptionError(
                f"{place}: lies in the folder of the data, and would be read as data; choose another folder"
            )
        if not data.exists() and has_magic(os.fspath(data)) and fnmatch(os.fspath(there), os.path.abspath(data)):
            raise OptionError(
                f"{place}: matches the pattern of the data, and would be read as data; choose another name"
            )


def _identities(place: Path) -> list[object]:
    """What identifies a file: its path, links followed, and, if it exists, its device and inode.

    A character device such as /dev/null has no identity, so it may be named several times.
    """
    try:
        found = place.stat()
    except (OSError, ValueError):
        return [os.path.realpath(place)]
    if stat.S_ISCHR(found.st_mode):
        return []
    return [os.path.realpath(place), (found.st_dev, found.st_ino)]
