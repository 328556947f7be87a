"""The reasons of a stage: why edges were removed, why marks were written, and which proposals were refused."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import log
from sys import float_info
from typing import Literal

__all__ = ["Agreed", "Conflict", "Note", "Orientation", "Separation", "Trace"]

#: What a note is about: an edge, a missing edge, or the mark at y on the edge x–y.
About = Literal["edge", "no edge", "mark"]


@dataclass(frozen=True, slots=True)
class Separation:
    """x and y are independent given these variables, which removed the edge between them at this radius.

    `found_by` is "search", or the check of a collider, of a discriminating path, or of what a context acts on
    ("collider check", "path check", "context check"). If it is "fdr", the edge was removed by the control of false
    discoveries, and the set is the one that came closest. If it is "implied" or "score graph", nothing was asked, and
    `radius` is the size of the set: the graph that was found says so, or the graph by score within which the search
    asked.
    """

    x: str
    y: str
    given: frozenset[str]
    radius: int
    found_by: str


@dataclass(frozen=True, slots=True)
class Orientation:
    """The mark at `y` on the edge x–y was set by a rule, because of its witnesses.

    `mark` is ">" for an arrowhead and "-" for a tail; the witnesses stand in the order in which the rule names them.
    """

    x: str
    y: str
    mark: str
    rule: str
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A rule proposed `edge` between x and y, against a mark that stands or another rule; the proposal was refused."""

    x: str
    edge: str
    y: str
    rule: str
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreed:
    """Why it was decided whether b is a collider between a and c: the largest p-value about a and c, given a set with b
    (`p_with`) and given one without b (`p_without`)."""

    p_with: float
    p_without: float

    @property
    def collider(self) -> bool:
        """Whether b is a collider."""
        return self.p_without > self.p_with

    @property
    def strength(self) -> float:
        """The difference of the natural logarithms of the two p-values."""
        smallest = float_info.min
        return abs(log(max(self.p_with, smallest)) - log(max(self.p_without, smallest)))


@dataclass(frozen=True, slots=True)
class Note:
    """An algorithm's own reason for a claim about x and y: a number, and a clause that says what it means.

    `about` is "edge", "no edge", or "mark", which is the mark at y on the edge x–y. The text is part of a sentence,
    such as "without the edge the best graph found is 31.2 worse".
    """

    x: str
    y: str
    about: About
    number: float
    text: str


class Trace:
    """The reasons of one stage."""

    def __init__(
        self,
        orientations: Iterable[Orientation],
        conflicts: Iterable[Conflict],
        separation: Callable[[str, str], Separation | None],
        notes: Iterable[Note] = (),
        agreed: Mapping[tuple[str, str, str], Agreed] | None = None,
    ) -> None:
        self.orientations: tuple[Orientation, ...] = tuple(orientations)
        self.conflicts: tuple[Conflict, ...] = tuple(conflicts)
        self.separation = separation
        self.notes: tuple[Note, ...] = tuple(notes)
        self._agreed = agreed or {}
        self._by_mark = {(o.x, o.y): o for o in self.orientations}
        self._by_claim = {(note.about, note.x, note.y): note for note in self.notes}

    def orientation(self, x: str, y: str) -> Orientation | None:
        """Why the mark at y on the edge x–y was written; None for a circle."""
        return self._by_mark.get((x, y))

    def agreed(self, a: str, b: str, c: str) -> Agreed | None:
        """The p-values by which it was decided whether b is a collider between a and c, if a rule rests on it."""
        return self._agreed.get((a, b, c))

    def note(self, about: About, x: str, y: str) -> Note | None:
        """The algorithm's own reason for an edge or a missing edge between x and y, or for the mark at y on x–y."""
        if about == "mark":
            return self._by_claim.get((about, x, y))
        return self._by_claim.get((about, x, y)) or self._by_claim.get((about, y, x))
