"""Names of files that a page may name: checked, and resolved inside the project folder."""

import os
import re
import unicodedata
from pathlib import Path

from ancestral.printing import shown
from ancestral.studio.refusals import Refused

__all__ = ["LONGEST_NAME", "checked_id", "checked_name", "inside"]

#: Characters of a name; file systems take 255 bytes, and a part file needs some for itself.
LONGEST_NAME = 200
#: Bytes of a name: 255, which is what file systems take, but for what is added to the name of a part file.
MOST_BYTES = 240


def checked_name(name: object) -> str:
    """The name of a file in the project folder; raises `Refused` if it could lead elsewhere or be mistaken.

    >>> checked_name("my study.csv")
    'my study.csv'
    """
    if not isinstance(name, str) or not name.strip():
        raise Refused(f"the name of a file must be a text, got {shown(name)}; name a file such as study.csv")
    hidden = any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in name)
    if len(name) > LONGEST_NAME or (not hidden and len(name.encode()) > MOST_BYTES):
        raise Refused(f"the name of a file must have at most {LONGEST_NAME} characters, got {shown(name)}; shorten it")
    if hidden or "/" in name or "\\" in name or name.startswith(".") or name != name.strip():
        raise Refused(
            "the name of a file must not begin with a dot, nor contain a slash, a backslash or invisible characters, "
            f"got {shown(name)}; give the file a plain name such as study.csv"
        )
    return name


def checked_id(number: object) -> str:
    """The number of an answer, such as 003; raises `Refused` if it is none."""
    if not isinstance(number, str) or not re.fullmatch(r"[0-9]{3,6}", number, re.ASCII):
        raise Refused(f"an answer has a number such as 003, got {shown(number)}; choose one of the list", 404)
    return number


def inside(folder: Path, *parts: str) -> Path:
    """The path of a file below the folder; raises `Refused` if a link leads out of it."""
    path = folder.joinpath(*parts)
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise Refused(
            f"{'/'.join(parts)}: is a link that leads out of the project folder, so it is left alone; copy the file "
            "into the folder",
            403,
        )
    return path
