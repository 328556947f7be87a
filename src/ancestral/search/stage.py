"""Stages: the graph that a search has found after each radius, why it looks as it does, and what it takes to resume."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.csr import joined
from ancestral.graphs.marks import CIRCLE, TAIL
from ancestral.orientation import Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.sets import Sets
from ancestral.trace import Separation, Trace

__all__ = ["Answer", "Edges", "FoundBy", "NearestSets", "Phase", "ResumeState", "Separations", "Stage", "StageRecord"]


class Phase(StrEnum):
    """Which sets a search asks about; ICD has one phase, others have two."""

    SEARCH = "search"
    ADJACENCY = "adjacency"
    POSSIBLE_D_SEP = "possible d-sep"
    D_SEP_LINKS = "d-sep links"


class FoundBy(IntEnum):
    """Which part of a search asked the question that separated a pair."""

    SEARCH = 0
    COLLIDER_CHECK = 1
    PATH_CHECK = 2

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class Edges:
    """A graph as the list of its edges: rows `x, y` with x < y, and rows `mark at x, mark at y`."""

    pairs: NDArray[np.intc]
    marks: NDArray[np.uint8]

    @classmethod
    def of(cls, marks: NDArray[np.uint8]) -> "Edges":
        """The edges of a matrix of marks."""
        return cls(*joined(marks))

    def matrix(self, n: int) -> NDArray[np.uint8]:
        """The matrix of marks over n nodes."""
        out = np.zeros((n, n), dtype=np.uint8)
        x, y = self.pairs.T
        out[y, x], out[x, y] = self.marks.T
        return out


@dataclass(frozen=True)
class NearestSets:
    """For each pair that a radius asked about, the set that came closest to separating it.

    That is the set with the largest p-value. Rows of `evidence` are its statistic, NaN where the data supported no
    question, and its degrees of freedom.
    """

    pairs: NDArray[np.intc]
    sets: NDArray[np.intc]
    evidence: NDArray[np.float64]

    def only(self, kept: NDArray[np.bool_]) -> "NearestSets":
        """The rows for which `kept` is true."""
        (rows,) = kept.nonzero()
        return NearestSets(self.pairs[rows], self.sets[rows], self.evidence[rows])


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a single question, and its evidence."""

    independent: bool
    statistic: float
    df: float


@dataclass(frozen=True)
class ResumeState:
    """What a search must know, besides the graph and the separating sets, to resume from a stage.

    - `steps`: the completed (phase, radius) pairs after radius 0.
    - `graphs[i]`: the graph before step i.
    - `asked[i]`: the nearest sets of step i, for the edges that are left.
    - `verified`: the answers to single questions, by pair and set, as positions. Only the first `verified_count` of
      them belong to the stage: later stages add to the same dictionary.
    """

    steps: tuple[tuple[Phase, int], ...] = ()
    graphs: tuple[Edges, ...] = ()
    asked: tuple[NearestSets, ...] = ()
    verified: Mapping[tuple[int, int, tuple[int, ...]], Answer] = field(default_factory=dict)
    verified_count: int = 0

    def answers(self) -> Iterator[tuple[tuple[int, int, tuple[int, ...]], Answer]]:
        """The single questions up to the stage, and their answers."""
        return islice(self.verified.items(), self.verified_count)


@dataclass(frozen=True)
class Separations:
    """The pairs that a set separated, in the order in which that was found: pairs of positions, and a set for each.

    `radius` and `found_by` tell when, and by which part of the search. Rows of `evidence` are a statistic, as the
    questions left it, and its degrees of freedom.
    """

    pairs: NDArray[np.intc]
    given: Sets
    radius: NDArray[np.intc]
    found_by: NDArray[np.intc]
    evidence: NDArray[np.float64]


@dataclass(frozen=True)
class StageRecord:
    """One line of the history of a run: the graph after a radius, and the number of questions of that radius."""

    phase: Phase
    radius: int
    graph: Edges = field(compare=False, repr=False)
    questions: int

    @property
    def edges(self) -> int:
        """The number of edges in the graph."""
        return len(self.graph.pairs)


@dataclass(frozen=True, eq=False, repr=False)
class Stage:
    """The graph after a radius of a phase.

    - `radius`: −1 if radius 0 is not finished: nothing is known, and all pairs are joined by `o-o`.
    - `complete`: whether the search has no question left to ask.
    - `tests`: the questions of the search up to here, by the size of the conditioning set; `verify_tests`: the further
      questions of verification; `unsupported`: those of both that the data could not support.
    - `names`: the variables in the order of positions; `columns`: in the order of the user.
    - `oriented`, `sepsets`: marks and separating sets, by position. Only the first `sepset_count` sets belong to this
      stage: later stages add to the same object.
    - `memory`: what else it takes to resume from here.
    - `sufficient`: it was assumed that nothing is latent or selected on, so the graph is a CPDAG when it is complete.
    """

    phase: Phase
    radius: int
    complete: bool
    tests: Counter[int]
    verify_tests: Counter[int]
    unsupported: Counter[int]
    names: Sequence[str]
    columns: Sequence[str]
    oriented: Oriented
    sepsets: Sepsets
    sepset_count: int
    memory: ResumeState
    sufficient: bool = False

    @cached_property
    def pag(self) -> PAG:
        """The graph over the columns of the user: a PAG, or a CPDAG if one was searched for and is complete."""
        pag = PAG(self.columns, PAG(self.names, self.oriented.marks).arranged(self.columns))
        if not (self.sufficient and self.complete):
            return pag
        return CPDAG(self.columns, np.where(pag.marks == CIRCLE, TAIL, pag.marks))  # either may cause the other

    @cached_property
    def trace(self) -> Trace:
        """Why each edge was removed and each mark was written."""
        return Trace(self.oriented.orientations(self.names), self.oriented.conflicts(self.names), self.separation)

    def separation(self, a: str, b: str) -> Separation | None:
        """How a and b were separated; None if they were not, up to this stage."""
        x, y = self.pag.index(a), self.pag.index(b)
        x, y = self._position[self.pag.nodes[x]], self._position[self.pag.nodes[y]]
        given = self.sepsets.find(x, y)
        if given is None:
            return None
        number, radius, found_by = self.sepsets.note(x, y)
        if number >= self.sepset_count:  # by a later stage
            return None
        return Separation(a, b, frozenset(self.names[z] for z in given), radius, str(FoundBy(found_by)))

    @cached_property
    def separations(self) -> Separations:
        """The pairs that were separated by a set that is not empty."""
        pairs, sizes, members, notes, evidence = self.sepsets.columns(self.sepset_count)
        return Separations(pairs, Sets(sizes, members), notes[:, 0], notes[:, 1], evidence)

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """The position of each column."""
        return np.array([self._position[name] for name in self.columns], dtype=np.int64)

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not complete"
        return f"<Stage: radius {self.radius}, {len(self.names)} variables, {self.tests.total()} questions, {state}>"

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}
