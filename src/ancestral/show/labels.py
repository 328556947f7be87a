"""Names as they stand in a picture: short enough, on one line, without what XML forbids; and how wide they are.

Nobody knows the reader's font, so widths are those of a wide one (Verdana): whatever is used instead fits in.
"""

import re
import unicodedata

__all__ = ["FONT_SIZE", "plain", "shortened", "text_width"]

FONT_SIZE = 13.0
#: Longer names are cut in the middle; the whole name is told when one points at it.
LONGEST = 26

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("ijlrtfI.,:;'|!()[]{}/\\ -`1")
_WIDE = frozenset("mwMW@%&—QOGD")


def plain(text: str) -> str:
    """The text without characters that cannot stand in XML or HTML; each leaves a mark that it was there.

    >>> plain("a" + chr(0) + "b")
    'a�b'
    """
    return _FORBIDDEN.sub("�", text)


def shortened(name: str) -> str:
    """The name on one line, with its beginning and its end if it is long.

    >>> shortened("systolic blood pressure at the second visit")
    'systolic bloo…second visit'
    """
    line = " ".join(plain(name).split()) or "␣"
    if len(line) <= LONGEST:
        return line
    half = LONGEST // 2
    return line[:half] + "…" + line[1 - half :]


def text_width(text: str) -> float:
    """How much room a line of text takes at most."""
    return FONT_SIZE * sum(map(_advance, text))


def _advance(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF" or character >= "\U0001f000":
        return 1.4
    if character in _NARROW:
        return 0.46
    if character in _WIDE:
        return 1.0
    return 0.72 if character.isupper() or ord(character) > 0x2FF else 0.64
