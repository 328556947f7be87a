"""The warnings of a run in its file: how they are written, and how they are read."""

from typing import Any

from ancestral.given_warnings import KINDS, MOST_KEPT, GivenWarning
from ancestral.io.checked_json import JsonValue

__all__ = ["KEY", "read_warnings", "warnings_part"]

#: The key of the warnings in a document.
KEY = "warnings"

#: Pairs of variables that one warning is about; those that are written are about a few.
MOST_ABOUT = 1_000


def warnings_part(given: tuple[GivenWarning, ...], columns: tuple[str, ...]) -> dict[str, Any]:
    """The warnings as a part of a document, with variables by their place in `columns`; no part if there are none."""
    if not given:
        return {}
    place = {name: i for i, name in enumerate(columns)}
    return {
        KEY: [
            {"kind": one.kind, "text": one.text, "about": [[place[a], place[b]] for a, b in one.about[:MOST_ABOUT]]}
            for one in given
        ]
    }


def read_warnings(document: JsonValue, columns: tuple[str, ...]) -> tuple[GivenWarning, ...]:
    """The warnings of a document, checked; none if it has no such part, as files of earlier versions."""
    if KEY not in document.value:
        return ()
    place = document.key(KEY)
    items = list(place.items())
    if not 0 < len(items) <= MOST_KEPT:
        place.fail(f"a list of 1 to {MOST_KEPT:,} warnings")
    return tuple(_warning(item, columns) for item in items)


def _warning(place: JsonValue, columns: tuple[str, ...]) -> GivenWarning:
    place.only("kind", "text", "about")
    about = place.key("about")
    pairs = [item.whole_numbers(0, len(columns) - 1, 2) for item in about.items()]
    if len(pairs) > MOST_ABOUT or any(a == b for a, b in pairs):
        about.fail(f"a list of at most {MOST_ABOUT:,} pairs of different variables")
    return GivenWarning(
        place.key("kind").text(*KINDS),
        place.key("text").text(),
        tuple((columns[a], columns[b]) for a, b in pairs),
    )
