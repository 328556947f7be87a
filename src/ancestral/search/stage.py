"""Stages: the graph that a search has found after each step, why it looks as it does, and what it takes to resume.

The reasons of a graph are of one of two kinds. An `AskedStage` comes from questions: each missing edge has the set that
separated the pair. A `GraphStage` comes from a search that asks no questions, such as one by score: its reason is the
graph itself, from which separations follow, and notes that the algorithm may have added.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import GraphError
from ancestral.graphs import CPDAG, MAG, PAG
from ancestral.graphs.csr import Neighbours, joined
from ancestral.graphs.marks import CIRCLE, NONE, TAIL
from ancestral.graphs.minimal_separation import MinimalSeparation
from ancestral.orientation import Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.sets import Sets
from ancestral.trace import Note, Separation, Trace

__all__ = [
    "Answer", "AskedStage", "Edges", "FoundBy", "GraphStage", "NearestSets", "Phase", "ResumeState", "Separations",
    "Stage", "StageRecord", "check_member",
]  # fmt: skip


class Phase(StrEnum):
    """What a search does in a stage; of a search that asks questions, about which sets it asks.

    These are the phases of the algorithms of the package. An algorithm of one's own may have others: any text will do.
    """

    SEARCH = "search"
    ADJACENCY = "adjacency"
    POSSIBLE_D_SEP = "possible d-sep"
    D_SEP_LINKS = "d-sep links"
    ORDER = "order search"
    CLIMB = "climb"
    MERGE = "merge"
    WALK = "walks"
    CHALLENGE = "challenge"
    ROUND = "round"


class FoundBy(IntEnum):
    """Which part of a search asked the question that separated a pair.

    `SCORE_GRAPH`: none did, it follows from the DAG by score with which the search began. `FDR`: none did, the edge was
    removed by the control of false discoveries, and the set is the one that came closest. `IMPLIED`: none did, it
    follows from the graph that was found. `COPY`: none did, a copy of the pair some steps later or earlier was
    separated by the same set, moved along with it.
    """

    SEARCH = 0
    COLLIDER_CHECK = 1
    PATH_CHECK = 2
    SCORE_GRAPH = 3
    FDR = 4
    COPY = 5
    CONTEXT_CHECK = 6
    IMPLIED = 7

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class Edges:
    """A graph as the list of its edges: rows `x, y` with x < y, and rows `mark at x, mark at y`."""

    pairs: NDArray[np.intc]
    marks: NDArray[np.uint8]

    @classmethod
    def of(cls, marks: NDArray[np.uint8], neighbours: Neighbours | None = None) -> "Edges":
        """The edges of a matrix of marks; `neighbours` are its offsets and targets, if they are at hand."""
        return cls(*joined(marks, neighbours))

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
    question, and its degrees of freedom. `unanswered` is the number of questions of the radius about the pair that the
    data did not support.
    """

    pairs: NDArray[np.intc]
    sets: NDArray[np.intc]
    evidence: NDArray[np.float64]
    unanswered: NDArray[np.int64]

    def only(self, kept: NDArray[np.bool_]) -> "NearestSets":
        """The rows for which `kept` is true."""
        if kept.all():
            return self
        (rows,) = kept.nonzero()
        return NearestSets(self.pairs[rows], self.sets[rows], self.evidence[rows], self.unanswered[rows])


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

    steps: tuple[tuple[str, int], ...] = ()
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
    """One line of the history of a run: the graph after a step, and the number of questions of that step.

    `radius` is None, and `questions` 0, for an algorithm that asks none; `score` is None for one that has no score.
    """

    phase: str
    radius: int | None
    graph: Edges = field(compare=False, repr=False)
    questions: int = 0
    score: float | None = None

    @property
    def edges(self) -> int:
        """The number of edges in the graph."""
        return len(self.graph.pairs)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Stage:
    """The graph after a step of a search: what the stages of all algorithms have.

    - `phase`: what the search did in this step.
    - `complete`: whether the search has come to its end.
    - `names`: the variables in the order of positions; `columns`: in the order of the user.
    - `oriented`: the marks, by position, and the rules that wrote them.
    - `sufficient`: it was assumed that nothing is latent or selected on, so the graph is a CPDAG when it is complete.
    - `radius`: of a search that asks questions, the size of the sets of this step; otherwise None.
    - `tests`: the questions of the search up to here, by the size of the conditioning set; `verify_tests`: the further
      questions, of verification and of agreement on colliders; `unsupported`: those of both that the data could not
      support.
    - `score`: how well the graph fits, for an algorithm that has a score; lower is better.
    """

    phase: str
    complete: bool
    names: Sequence[str]
    columns: Sequence[str]
    oriented: Oriented
    sufficient: bool = False
    radius: int | None = None
    tests: Counter[int] = field(default_factory=Counter)
    verify_tests: Counter[int] = field(default_factory=Counter)
    unsupported: Counter[int] = field(default_factory=Counter)
    score: float | None = None

    @property
    def begun(self) -> bool:
        """Whether a step is finished; before, nothing is known, and all pairs are joined by `o-o`."""
        raise NotImplementedError

    @cached_property
    def pag(self) -> PAG:
        """The graph over the columns of the user: a PAG, or a CPDAG if one was searched for and is complete."""
        edges, place = Edges.of(self.oriented.marks), np.argsort(self.positions).astype(np.intc)
        pag = PAG(self.columns, Edges(place[edges.pairs], edges.marks).matrix(len(self.names)))
        if not (self.sufficient and self.complete):
            return pag
        return CPDAG(self.columns, np.where(pag.marks == CIRCLE, TAIL, pag.marks))  # either may cause the other

    @cached_property
    def trace(self) -> Trace:
        """Why each edge is missing and why each mark was written."""
        oriented, names = self.oriented, self.names
        agreed = None if oriented.agreed is None else oriented.agreed.by_name(names)
        return Trace(oriented.orientations(names), oriented.conflicts(names), self.separation, agreed=agreed)

    def separation(self, a: str, b: str) -> Separation | None:
        """How a and b are separated; None if they are not, up to this stage."""
        raise NotImplementedError

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """The position of each column."""
        return np.array([self._position[name] for name in self.columns], dtype=np.int64)

    def _pair(self, a: str, b: str) -> tuple[int, int]:
        """The positions of two variables; raises `UnknownName` if one of them is not known."""
        x, y = self.pag.index(a), self.pag.index(b)
        return self._position[self.pag.nodes[x]], self._position[self.pag.nodes[y]]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AskedStage(Stage):
    """The graph after a radius of a phase, of a search that asks questions.

    - `radius`: −1 if radius 0 is not finished.
    - `sepsets`: separating sets, by position. Only the first `sepset_count` sets belong to this stage: later stages add
      to the same object.
    - `memory`: what else it takes to resume from here.
    """

    radius: int = -1
    sepsets: Sepsets
    sepset_count: int
    memory: ResumeState

    @property
    def begun(self) -> bool:
        """Whether radius 0 is finished."""
        return self.radius >= 0

    def separation(self, a: str, b: str) -> Separation | None:
        """How a and b were separated; None if they were not, up to this stage."""
        x, y = self._pair(a, b)
        given = self.sepsets.find(x, y)
        if given is None:
            return None
        number, radius, found_by = self.sepsets.note(x, y)
        if number >= self.sepset_count:  # by a later stage
            return None
        return Separation(a, b, frozenset(self.names[z] for z in given), radius, str(FoundBy(found_by)))

    @cached_property
    def separations(self) -> Separations:
        """The pairs that were separated by a set that is not empty, or by a DAG."""
        pairs, sizes, members, notes, evidence = self.sepsets.columns(self.sepset_count)
        return Separations(pairs, Sets(sizes, members), notes[:, 0], notes[:, 1], evidence)

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not complete"
        return f"<Stage: radius {self.radius}, {len(self.names)} variables, {self.tests.total()} questions, {state}>"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GraphStage(Stage):
    """A graph that was not found by asking questions.

    - `member`: the marks, by position, of a MAG of the class that the graph stands for; None if the algorithm has none.
    - `notes`: the algorithm's own reasons, for some claims.
    - `begun`: False if the search was stopped before its first step was finished.

    Raises `GraphError` if the member has other edges than the graph, or a mark that differs from a mark of the graph.
    """

    member: NDArray[np.uint8] | None = None
    notes: tuple[Note, ...] = ()
    begun: bool = True

    def __post_init__(self) -> None:
        if self.member is not None:
            check_member(self.oriented.marks, self.member, self.names)

    @cached_property
    def mag(self) -> MAG | None:
        """The member of the class over the columns of the user; None if the algorithm has none."""
        if self.member is None:
            return None
        return MAG(self.columns, MAG(self.names, self.member).arranged(self.columns))

    @cached_property
    def trace(self) -> Trace:
        """Why edges are missing and marks are written, as far as rules and notes say."""
        orientations, conflicts = self.oriented.orientations(self.names), self.oriented.conflicts(self.names)
        return Trace(orientations, conflicts, self.separation, self.notes)

    def separation(self, a: str, b: str) -> Separation | None:
        """The separation of a and b that the graph implies; None for an edge, and if there is no member."""
        given = self.implied(*self._pair(a, b))
        if given is None:
            return None
        return Separation(a, b, frozenset(self.names[z] for z in given), len(given), str(FoundBy.IMPLIED))

    def imply(self, sets: Mapping[tuple[int, int], tuple[int, ...]]) -> None:
        """Take these sets, by pairs with the smaller position first, for what `implied` returns, as a file has them.

        Raises `GraphError` if one of them does not separate its pair in the member.
        """
        for (x, y), given in sets.items():
            if self._minimal is None or self.oriented.marks[x, y] or not self._minimal.separates(given, x, y):
                raise GraphError(f"the set {[self.names[z] for z in given]} does not separate the two in the graph")
            self._implied[x, y] = given

    def implied(self, x: int, y: int) -> tuple[int, ...] | None:
        """A minimal set that separates two positions in the member, if there is one; it is computed once."""
        pair = (x, y) if x < y else (y, x)
        if self._minimal is None or x == y or self.oriented.marks[pair]:
            return None
        if pair not in self._implied:
            self._implied[pair] = self._minimal.set_of(*pair)
        return self._implied[pair]

    def set_without_edge(self, x: int, y: int) -> tuple[int, ...] | None:
        """A set that would separate two adjacent positions of the member without their edge; None if there is none."""
        if self.member is None:
            return None
        marks = self.member.copy()
        marks[x, y] = marks[y, x] = NONE
        return MinimalSeparation(marks).set_of(x, y)

    @cached_property
    def _minimal(self) -> MinimalSeparation | None:
        return None if self.member is None else MinimalSeparation(self.member)

    @cached_property
    def _implied(self) -> dict[tuple[int, int], tuple[int, ...] | None]:
        return {}

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not complete"
        score = "" if self.score is None else f", score {self.score:.6g}"
        return f"<Stage: {self.phase}, {len(self.names)} variables{score}, {state}>"


def check_member(marks: NDArray[np.uint8], member: NDArray[np.uint8], names: Sequence[str]) -> None:
    """Raise `GraphError` unless a member has the edges of a graph, and its marks but for circles; both by position."""
    if member.shape != marks.shape:
        raise GraphError(f"the member must be over {len(marks)} variables, got a matrix of shape {member.shape}")
    wrong = np.where(marks == CIRCLE, (member == NONE) | (member == CIRCLE), member != marks)
    if wrong.any():
        x, y = np.argwhere(wrong)[0].tolist()
        raise GraphError(
            f"the member must have the edges of the graph, and its marks but for circles; it differs between "
            f"{names[x]!r} and {names[y]!r}"
        )
