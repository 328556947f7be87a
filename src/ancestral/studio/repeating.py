"""How to repeat a search outside the studio, from the project folder: the command, and the lines in Python."""

import shlex
import unicodedata
from typing import Any

from ancestral.shell import option_words
from ancestral.studio.choices import keywords_of

__all__ = ["repeat", "source_of"]

#: Categories of characters that are not seen: of control and format, surrogates, and ends of lines and paragraphs.
_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")


def source_of(data: str) -> str:
    """The path of a file of the project folder, relative to it; one that begins with a dash is not taken for an option.

    >>> source_of("-study.csv")
    './-study.csv'
    """
    return f"./{data}" if data.startswith("-") else data


def _quoted(word: str) -> str:
    """A word for the shell. One with invisible characters is written with escapes: pasted, they could end the command.

    >>> _quoted("my study.csv"), _quoted("a\\x1b'b")
    ("'my study.csv'", "$'a\\\\x1b\\\\'b'")
    """
    if not any(unicodedata.category(character) in _INVISIBLE for character in word):
        return shlex.quote(word)
    escaped = "".join(
        "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
        if unicodedata.category(character) in _INVISIBLE
        else f"\\{character}"
        if character in "'\\"
        else character
        for character in word
    )
    return f"$'{escaped}'"


def repeat(data: str | None, options: dict[str, Any], knowledge: str | None) -> dict[str, str]:
    """The command and the Python lines of a search of the file; `knowledge` is the name of its file, if any.

    >>> from ancestral.studio.choices import DEFAULTS
    >>> lines = repeat("my study.csv", {**DEFAULTS, "alpha": 0.05}, "knowledge.toml")
    >>> print(lines["command"])
    ancestral discover 'my study.csv' --alpha 0.05 --knowledge knowledge.toml --save run.json
    >>> print(lines["python"])
    import ancestral as an
    found = an.discover('my study.csv', alpha=0.05, knowledge='knowledge.toml', save='run.json')
    print(found)
    """
    if data is None:
        return {"command": "", "python": ""}
    given = keywords_of(options)
    if knowledge is not None:
        given["knowledge"] = knowledge
    given["save"] = "run.json"
    place = source_of(data)
    words = [word for name, value in given.items() for word in option_words(name, value)]
    arguments = ", ".join([repr(place), *(f"{name}={value!r}" for name, value in given.items())])
    return {
        "command": " ".join(map(_quoted, ["ancestral", "discover", place, *words])),
        "python": f"import ancestral as an\nfound = an.discover({arguments})\nprint(found)",
    }
