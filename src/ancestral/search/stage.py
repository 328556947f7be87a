"""What a search has found after one radius: a PAG that is true, and why it looks as it does."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from ancestral.graphs import PAG
from ancestral.orientation import Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.trace import Separation, Trace

__all__ = ["FoundBy", "Stage"]


class FoundBy(IntEnum):
    """What asked the question that separated a pair."""

    SEARCH = 0
    COLLIDER_CHECK = 1
    PATH_CHECK = 2

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, eq=False, repr=False)
class Stage:
    """The graph after a radius. `names` are in the order of positions, `columns` in the order of the user.

    `tests` counts the questions asked up to here by the size of the conditioning set, `verify_tests` those that
    verification asked on top, `unsupported` those of both that the data could not support.
    """

    radius: int
    complete: bool
    tests: Counter[int]
    verify_tests: Counter[int]
    unsupported: Counter[int]
    names: Sequence[str]
    columns: Sequence[str]
    oriented: Oriented
    sepsets: Sepsets
    known_sets: int

    @cached_property
    def pag(self) -> PAG:
        """The graph."""
        return PAG(self.columns, PAG(self.names, self.oriented.marks).arranged(self.columns))

    @cached_property
    def trace(self) -> Trace:
        """Why each edge went and each mark came."""
        return Trace(self.oriented.orientations(self.names), self.oriented.conflicts(self.names), self.separation)

    def separation(self, a: str, b: str) -> Separation | None:
        """How a and b were separated; None where they were not, up to this stage."""
        x, y = self.pag.index(a), self.pag.index(b)
        x, y = self._position[self.pag.nodes[x]], self._position[self.pag.nodes[y]]
        given = self.sepsets.find(x, y)
        if given is None:
            return None
        number, radius, found_by = self.sepsets.note(x, y)
        if number >= self.known_sets:  # a later stage found it
            return None
        return Separation(a, b, frozenset(self.names[z] for z in given), radius, str(FoundBy(found_by)))

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not complete"
        return f"<Stage: radius {self.radius}, {len(self.names)} variables, {self.tests.total()} questions, {state}>"

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}
