"""The reasons of a stage: why edges were removed, why marks were written, and which proposals were refused."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["Conflict", "Orientation", "Separation", "Trace"]


@dataclass(frozen=True, slots=True)
class Separation:
    """x and y are independent given these variables, which removed the edge between them at this radius.

    `found_by` is "search", or the check of a collider or of a discriminating path ("collider check", "path check").
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


class Trace:
    """The reasons of one stage."""

    def __init__(
        self,
        orientations: Iterable[Orientation],
        conflicts: Iterable[Conflict],
        separation: Callable[[str, str], Separation | None],
    ) -> None:
        self.orientations: tuple[Orientation, ...] = tuple(orientations)
        self.conflicts: tuple[Conflict, ...] = tuple(conflicts)
        self.separation = separation
        self._by_mark = {(o.x, o.y): o for o in self.orientations}

    def orientation(self, x: str, y: str) -> Orientation | None:
        """Why the mark at y on the edge x–y was written; None for a circle."""
        return self._by_mark.get((x, y))
