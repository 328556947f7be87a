"""Names as a picture shows them: short, on one line, without characters that XML forbids; and how wide they are.

The reader's font is not known, so widths are those of a wide one (Verdana): text in most other fonts fits, too.
"""

import re
import unicodedata

__all__ = ["FONT_SIZE", "plain", "shortened", "text_width"]

#: Pixels.
FONT_SIZE = 13.0
#: Characters up to which a name is shown whole; of a longer one the middle is left out, and its tooltip is whole.
LONGEST = 26

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("ijlrtfI.,:;'|!()[]{}/\\ -`1")
_WIDE = frozenset("mwMW@%&—QOGD")


def plain(text: str) -> str:
    """The text, with a replacement mark for each character that is not allowed in XML and HTML.

    >>> plain("a" + chr(0) + "b")
    'a�b'
    """
    return _FORBIDDEN.sub("�", text)


def shortened(name: str, longest: int = LONGEST) -> str:
    """The name on one line; of one with more than `longest` characters, its beginning and its end.

    >>> shortened("systolic blood pressure at the second visit")
    'systolic bloo…second visit'
    """
    line = " ".join(plain(name).split()) or "␣"
    if len(line) <= longest:
        return line
    half = longest // 2
    return line[:half] + "…" + line[1 - half :]


def text_width(text: str) -> float:
    """The width in pixels that a line of text takes at most."""
    return FONT_SIZE * sum(map(_advance, text))


def _advance(character: str) -> float:
    """The width of a character, as a multiple of the font size."""
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF" or character >= "\U0001f000":
        return 1.4
    if character in _NARROW:
        return 0.46
    if character in _WIDE:
        return 1.0
    return 0.72 if character.isupper() or ord(character) > 0x2FF else 0.64
