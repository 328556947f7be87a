"""The loop of orientation: rules propose, pass by pass, and the board writes, until no rule proposes anything new."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.ancestry import directed_steps, reach_each_other
from ancestral.graphs.marks import ARROW, symbol
from ancestral.knowledge import Constraints
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from ancestral.orientation.rules import (
    ALL_RULES,
    BY_KNOWLEDGE,
    FIRST,
    MEEK_RULES,
    MEEK_RULES_WITH_KNOWLEDGE,
    NAMES,
    NUMBERS,
    RULES,
    STRATA,
)
from ancestral.trace import Agreed, Conflict, Orientation

__all__ = ["Oriented", "TripleEvidence", "known_board", "orient", "orient_checked", "orient_cpdag"]


#: Of the rules that rest on one decision about an unshielded triple, which of their witnesses it is.
_TRIPLES = {"R0": (0, 1, 2), "R1": (0, 1, 2), "R7": (0, 1, 2), "R3": (0, 3, 2), "K4": (0, 3, 2)}


class TripleEvidence:
    """The p-values on which decisions about unshielded triples rest, where these were made by agreement.

    It is made of the decisions of n nodes, in any order: rows a, b, c with a < c. If it is of a graph that was
    `oriented`, it keeps those on which some rule has rested, as its witnesses say. A stage that nobody looks at needs
    none of this, so it is computed on first access.
    """

    def __init__(
        self,
        n: int,
        decided: NDArray[np.intc],
        p_values: NDArray[np.float64],
        all_decided: Callable[[], bool],
        oriented: "Oriented | None" = None,
    ) -> None:
        self._n = n
        self._decided = decided
        self._p_values = p_values
        self._all_decided = all_decided
        self._oriented = oriented

    @cached_property
    def all_decided(self) -> bool:
        """Whether it is known of each unshielded triple of the graph if it is a collider."""
        return self._all_decided()

    @property
    def triples(self) -> NDArray[np.intc]:
        """Rows a, b, c with a < c, in increasing order of b, a, c."""
        return self._columns[0]

    @property
    def p_values(self) -> NDArray[np.float64]:
        """Rows: the largest p-value about a and c given a set with b, and without b.

        Both are NaN where a graph by score decided.
        """
        return self._columns[1]

    @cached_property
    def _columns(self) -> tuple[NDArray[np.intc], NDArray[np.float64]]:
        a, b, c = self._decided.T.astype(np.int64)
        order = np.argsort((b * self._n + a) * self._n + c)
        triples, p_values = self._decided[order], self._p_values[order]
        if self._oriented is None:
            return triples, p_values
        used = set()
        witnesses = self._oriented.witnesses.tolist()
        for _, _, _, rule, start, _ in self._oriented.written.tolist():
            if (places := _TRIPLES.get(NAMES[rule])) is not None:
                x, y, z = (witnesses[start + i] for i in places)
                used.add((min(x, z), y, max(x, z)))
        kept = [row for row, triple in enumerate(map(tuple, triples.tolist())) if triple in used]
        return triples[kept], p_values[kept]

    def by_name(self, names: Sequence[str]) -> dict[tuple[str, str, str], Agreed]:
        """What is known of each triple, in both directions."""
        out = {}
        for (a, b, c), (with_b, without_b) in zip(self.triples.tolist(), self.p_values.tolist(), strict=True):
            if with_b == with_b and without_b == without_b:
                out[names[a], names[b], names[c]] = out[names[c], names[b], names[a]] = Agreed(with_b, without_b)
        return out


@dataclass(frozen=True)
class Oriented:
    """Oriented marks, and for each mark that was written, its rule and witnesses; nodes are positions.

    A row of `written` is x, y, mark at y, rule, and where its witnesses begin and end in `witnesses`. A row of
    `refusals` is rule, x, y, mark at x, mark at y of a proposal that was contradicted (0: leave it), and where its
    witnesses begin and end; the same proposal may be refused more than once. `agreed` is there if decisions about
    triples were made by agreement.
    """

    marks: NDArray[np.uint8]
    written: NDArray[np.intc]
    refusals: NDArray[np.intc]
    witnesses: NDArray[np.intc]
    agreed: TripleEvidence | None = None

    @classmethod
    def nothing(cls, marks: NDArray[np.uint8]) -> Self:
        """These marks, none of which was written by a rule."""
        written, refusals, witnesses = (np.zeros(shape, dtype=np.intc) for shape in ((0, 6), (0, 7), (0,)))
        return cls(marks, written, refusals, witnesses)

    @cached_property
    def refused(self) -> dict[tuple[int, int, int, int, int], tuple[int, ...]]:
        """Each different proposal that was refused, with the witnesses of its first refusal."""
        witnesses = self.witnesses.tolist()
        first: dict[tuple[int, int, int, int, int], tuple[int, ...]] = {}
        for rule, x, y, at_x, at_y, start, stop in self.refusals.tolist():
            first.setdefault((rule, x, y, at_x, at_y), tuple(witnesses[start:stop]))
        return first

    def orientations(self, names: Sequence[str]) -> Iterator[Orientation]:
        """The marks that were written, in the order of writing."""
        for x, y, mark, rule, start, stop in self.written.tolist():
            because = tuple(names[i] for i in self.witnesses[start:stop])
            yield Orientation(names[x], names[y], ">" if mark == ARROW else "-", NAMES[rule], because)

    def conflicts(self, names: Sequence[str]) -> Iterator[Conflict]:
        """The proposals that were refused, in the order of their first refusal."""
        for (rule, x, y, at_x, at_y), because in self.refused.items():
            # a mark that the rule left alone is shown as it stands
            edge = symbol(at_x or int(self.marks[y, x]), at_y or int(self.marks[x, y]))
            yield Conflict(names[x], edge, names[y], NAMES[rule], tuple(names[i] for i in because))


def orient(marks: NDArray[np.uint8], judge: Judge, rules: Iterable[str] = ALL_RULES) -> Oriented:
    """Apply these rules to the circles of a graph until they propose nothing new; R0 or M0 once, first."""
    oriented = orient_checked(Board(np.array(marks, dtype=np.uint8)), judge, rules, lambda board: True)
    assert oriented is not None  # every path is trusted
    return oriented


def orient_checked(
    board: Board, judge: Judge, rules: Iterable[str], review: Callable[[Board], bool]
) -> Oriented | None:
    """Apply these rules to a board; `review` looks at what R4 proposes, and None is returned if it returns False.

    It may withhold proposals. The witnesses of R4 are a path, from its last node to the first. A board on which some
    rules have nothing more to propose can be continued with more rules; any other board cannot.
    """
    chosen = frozenset(rules)
    for name in FIRST:
        if name in chosen and not board.begun:
            board.rule = NUMBERS[name]
            RULES[name].propose(board, judge)
            board.settle()
    strata = _strata_of(chosen)
    turn = 0
    while turn < len(strata):
        for name in strata[turn]:
            board.rule = NUMBERS[name]
            RULES[name].propose(board, judge)
        if "R4" in strata[turn] and not review(board):
            return None
        turn = 0 if board.settle() else turn + 1
    return Oriented(board.shown, *board.log())


@lru_cache(maxsize=64)
def _strata_of(chosen: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """These of the rules, but for the first ones, in groups, in the order of their turns."""
    return tuple(present for names in STRATA if (present := tuple(name for name in names if name in chosen)))


def known_board(board: Board, constraints: Constraints | None, contested: NDArray[np.bool_] | None = None) -> Board:
    """Write what is known on a new board, and return it; `contested[x, y]`: let nothing be written at y on x–y."""
    if contested is not None:
        board.contest(np.argwhere(contested))
    if constraints is not None:
        board.rule = NUMBERS[BY_KNOWLEDGE]
        board.know(
            constraints.rows(board.shown),
            constraints.no_cause,
            constraints.unconfounded if constraints.unconfounded.any() else None,
            constraints.target if constraints.target.any() else None,
        )
    return board


def orient_cpdag(
    marks: NDArray[np.uint8], judge: Judge, pulse: Pulse, constraints: Constraints | None = None
) -> Oriented:
    """Direct the circle edges of a graph by Meek's rules, such that there is no directed cycle.

    The edges of a directed cycle contradict each other: they are marked as contested (those that are known only if
    there are no others), and orientation begins again, so that nothing rests on them. The same happens to the edges of
    a directed path from a variable to one that it is known not to cause.
    """
    contested = np.zeros(marks.shape, dtype=bool)
    known = np.zeros(marks.shape, dtype=bool)
    rules: tuple[str, ...] = MEEK_RULES
    no_edge = None
    if constraints is not None:
        known = constraints.no_cause | constraints.no_cause.T | constraints.tail | constraints.tail.T
        rules, no_edge = MEEK_RULES_WITH_KNOWLEDGE, constraints.no_edge
    while True:
        board = Board(np.array(marks, dtype=np.uint8), pulse, sufficient=True, no_edge=no_edge)
        known_board(board, constraints, contested)
        oriented = orient_checked(board, judge, rules, lambda board: True)
        assert oriented is not None  # every path is trusted
        steps = directed_steps(oriented.marks)
        inside = steps & reach_each_other(steps)
        if constraints is not None:
            inside |= constraints.denying_steps(oriented.marks)
        if not inside.any():
            return oriented
        doubtful = inside & ~known if (inside & ~known).any() else inside
        contested |= doubtful | doubtful.T
