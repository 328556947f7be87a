"""Values, numbers and lists in messages: values are shortened, and characters that a terminal acts on are escaped."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["counted", "listed", "rounded", "shown", "shown_type", "visible", "with_article"]

T = TypeVar("T")

#: Characters of a value that an error message shows.
LONGEST = 80

#: Characters that a terminal acts on instead of showing them: control characters, marks that change the direction of
#: writing, line separators, and surrogates, which stand for bytes that are not UTF-8.
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, keep: str = "") -> str:
    """The text with each character that a terminal would act on escaped, except those in `keep`.

    >>> print(visible("a bell:" + chr(7)))
    a bell:\\u0007
    """

    def escaped(match: re.Match[str]) -> str:
        character = match[0]
        return character if character in keep else _ESCAPES.get(character, f"\\u{ord(character):04x}")

    return _HIDDEN.sub(escaped, text)


def shown(value: object) -> str:
    """The value as an error message shows it: its repr, shortened if long; its type if the repr has several lines."""
    try:
        text = repr(value)
    except Exception:  # whole numbers beyond 4,300 digits have no repr, and a user's __repr__ may fail
        text = "\n"
    if "\n" in text:
        return f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def shown_type(value: object) -> str:
    """The type of a value, with an article.

    >>> shown_type(3), shown_type("a")
    ('an int', 'a str')
    """
    return with_article(type(value).__name__)


def with_article(noun: str) -> str:
    """A noun with the article that goes with its first letter.

    >>> with_article("excel file"), with_article("csv file")
    ('an excel file', 'a csv file')
    """
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "column"), counted(1200, "row")
    ('1 column', '1,200 rows')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def rounded(number: float, digits: int) -> str:
    """A number to this many significant digits; of a large one, all digits before the point, up to fifteen.

    >>> rounded(671.3, 2), rounded(0.06713, 2), rounded(99.7, 2), rounded(-12345.6, 4), rounded(3e20, 4)
    ('671', '0.067', '100', '-12346', '3e+20')
    """
    text = f"{number:.{digits}g}"
    return f"{number:.0f}" if "e+" in text and abs(number) < 1e15 else text


def listed(items: Iterable[T], most: int = 8, *, last: str = "and", spell: Callable[[T], str] = repr) -> str:
    """A list in words, each item spelled by the function; of the items beyond `most`, the number.

    >>> print(listed("abc"), listed("abc", most=2), listed("abc", last="or", spell=str))
    'a', 'b' and 'c' 'a', 'b' and 1 more a, b or c
    """
    words = [spell(item) for item in items]
    if len(words) > most:
        words[most:] = [f"{len(words) - most:,} more"]
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
