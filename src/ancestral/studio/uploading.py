"""Files that are sent to the project: written piece by piece, and named only when they are whole."""

import asyncio
import contextlib
import filecmp
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from ancestral.data.read.file_lists import is_readable
from ancestral.data.read.formats import endings_in_words
from ancestral.printing import shown
from ancestral.studio.names import inside
from ancestral.studio.project import Project
from ancestral.studio.refusals import Refused

__all__ = ["check_ending", "place_of", "received"]

#: Numbers that are tried for a name that is taken.
MOST_NUMBERS = 1000


def check_ending(name: str) -> None:
    """Raise `Refused` unless a file of this name can be read as data."""
    if not is_readable(Path(name)):
        raise Refused(
            f"{shown(name)}: must end in one of {endings_in_words()}; save the data as a file of one of these formats"
        )


async def received(project: Project, name: str, pieces: AsyncIterator[bytes]) -> str:
    """Write a file into the project folder; the name that it got, which has a number if the name was taken."""
    check_ending(name)
    descriptor, part = tempfile.mkstemp("", ".upload-", project.folder)
    try:
        with open(descriptor, "wb") as file:
            async for piece in pieces:
                await asyncio.to_thread(file.write, piece)
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        return place_of(project, Path(part), name)
    except OSError as error:
        raise Refused(f"the file cannot be written ({error.strerror}); make room, or allow writing", 507) from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)


def place_of(project: Project, part: Path, name: str) -> str:
    """Give a whole file its name; a file of that name with the same content is that file, another one is kept."""
    stem, *endings = name.split(".", 1)
    for number in range(1, MOST_NUMBERS):
        own = name if number == 1 else f"{stem}-{number}.{endings[0]}"
        path = inside(project.folder, own)
        if path.is_file() and filecmp.cmp(part, path, shallow=False):
            return own
        if not os.path.lexists(path):
            usual = os.umask(0o077)
            os.umask(usual)
            os.chmod(part, 0o666 & ~usual)
            if _named(part, path):
                return own
    raise Refused(f"there are too many files named like {shown(name)}; give it another name")


def _named(part: Path, path: Path) -> bool:
    """Give a file another name as well; whether that name was free until now."""
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        os.replace(part, path)
    return True
