"""Fonts of this system for names in any script, where text is drawn as outlines: .png, .pdf and axes of matplotlib."""

import unicodedata
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

from ancestral.errors import RunWarning

__all__ = ["families_for", "warn_of_missing"]

#: The font of pictures, which comes with matplotlib.
FIRST = "DejaVu Sans"
#: Beginnings of families that are not for text: pieces of formulas, and boxes in the place of characters.
_NOT_FOR_TEXT = ("Last Resort", "STIXNonUnicode", "STIXSize", "cm")
#: Characters that are not drawn by themselves: control and format characters, spaces, selectors of variants.
_UNDRAWN = frozenset(("Cc", "Cf", "Cs", "Zs", "Zl", "Zp"))
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
#: Characters that a warning names; of the others it gives the number.
MOST_NAMED = 3


def families_for(text: str, *, bold: bool = False) -> list[str]:
    """The families of fonts that a text needs: the usual one, and others for what it lacks.

    One that has all that is lacking is preferred to several. A character that no font has stays without one.
    """
    lacking = {c for c in text if _is_drawn(c)} - _usual_characters(bold)
    out = [FIRST]
    while lacking:
        best = max(_other_families(), key=lambda family: len(lacking & _characters(family)), default=None)
        if best is None or not lacking & _characters(best):
            break
        out.append(best)
        lacking -= _characters(best)
    return out


def warn_of_missing(texts: Iterable[str]) -> None:
    """Warn, once for all texts, if they have characters that no font of this system has."""
    drawn = {c for text in texts for c in text if _is_drawn(c)} - _usual_characters(False)
    missing = sorted(drawn.difference(*map(_characters, _other_families()))) if drawn else []
    if not missing:
        return
    named = ", ".join(unicodedata.name(c, f"U+{ord(c):04X}") for c in missing[:MOST_NAMED])
    more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    packages = " ".join(sorted(filter(None, set(map(_package, missing)))))
    install = f"install fonts that have them (on Debian, apt install {packages}), or " if packages else ""
    warnings.warn(
        RunWarning(
            f"no font of this system has these characters, which the picture shows as boxes: {named}{more}; {install}"
            "write an .svg, in which the fonts of the reader are used"
        ),
        stacklevel=2,
    )


def _is_drawn(character: str) -> bool:
    return unicodedata.category(character) not in _UNDRAWN and character not in _SELECTORS


def _package(character: str) -> str:
    """The Debian package of a font that has the character, as outlines; empty if there is none."""
    if unicodedata.category(character) in ("Co", "Cn"):  # private or unassigned
        return ""
    name = unicodedata.name(character, "")
    if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH")):
        return "fonts-noto-cjk"
    return "fonts-symbola" if unicodedata.category(character)[0] == "S" else "fonts-noto-core"


@cache
def _usual_characters(bold: bool) -> frozenset[str]:
    from matplotlib.font_manager import FontProperties, findfont

    return _characters_of(findfont(FontProperties(family=FIRST, weight="bold" if bold else "normal")))


@cache
def _other_families() -> tuple[str, ...]:
    """The families of this system besides the usual one, those without serifs first."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.fname for entry in fontManager.ttflist}
    for path in findSystemFonts():  # matplotlib keeps its list, in which fonts are missing that are newer
        if path not in known:
            with suppress(Exception):  # a file of fonts that cannot be read
                fontManager.addfont(path)
    names = {entry.name for entry in fontManager.ttflist if not entry.name.startswith(_NOT_FOR_TEXT)} - {FIRST}
    return tuple(sorted(names, key=lambda name: ("Sans" not in name, "Mono" in name, name)))


@cache
def _characters(family: str) -> frozenset[str]:
    """The characters that the upright font of a family has; none if it has no outlines, or cannot be read."""
    from matplotlib.font_manager import fontManager

    fonts = [entry for entry in fontManager.ttflist if entry.name == family]
    upright = min(fonts, key=lambda entry: (entry.style != "normal", entry.weight not in (400, "normal"), entry.fname))
    try:
        return _characters_of(upright.fname)
    except (OSError, RuntimeError):
        return frozenset()


def _characters_of(path: Any) -> frozenset[str]:
    from matplotlib.font_manager import get_font

    font = get_font(path)
    return frozenset(map(chr, font.get_charmap())) if font.scalable else frozenset()
