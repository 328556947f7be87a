"""The loop of orientation: rules propose, pass by pass, and the board writes, until no rule proposes anything new."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from ancestral.trace import Conflict, Orientation

__all__ = ["Oriented", "known_board", "orient", "orient_checked", "orient_cpdag"]


@dataclass(frozen=True)
class Oriented:
    """Oriented marks, and for each mark that was written, its rule and witnesses; nodes are positions.

    A row of `written` is x, y, mark at y, rule, and where its witnesses begin and end in `witnesses`. A row of
    `refusals` is rule, x, y, mark at x, mark at y of a proposal that was contradicted (0: leave it), and where its
    witnesses begin and end; the same proposal may be refused more than once.
    """

    marks: NDArray[np.uint8]
    written: NDArray[np.intc]
    refusals: NDArray[np.intc]
    witnesses: NDArray[np.intc]

    @classmethod
    def nothing(cls, marks: NDArray[np.uint8]) -> Self:
        """These marks, none of which was written by a rule."""
        return cls(marks, *(np.zeros(shape, dtype=np.intc) for shape in ((0, 6), (0, 7), (0,))))

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
    oriented = orient_checked(Board(np.array(marks, dtype=np.uint8)), judge, rules, lambda paths: True)
    assert oriented is not None  # every path is trusted
    return oriented


def orient_checked(
    board: Board, judge: Judge, rules: Iterable[str], trusts: Callable[[list[tuple[int, ...]]], bool]
) -> Oriented | None:
    """Apply these rules to a board; `trusts` is asked before R4 may use its paths, and None is returned if it refuses.

    A path is a tuple of nodes from the last to the first. A board on which some rules have nothing more to propose can
    be continued with more rules; any other board cannot.
    """
    chosen = frozenset(rules)
    for name in FIRST:
        if name in chosen and not board.begun:
            board.rule = NUMBERS[name]
            RULES[name].propose(board, judge)
            board.settle()
    strata = [present for names in STRATA if (present := [name for name in names if name in chosen])]
    turn = 0
    while turn < len(strata):
        for name in strata[turn]:
            board.rule = NUMBERS[name]
            RULES[name].propose(board, judge)
        if "R4" in strata[turn] and not trusts(board.pending()):
            return None
        turn = 0 if board.settle() else turn + 1
    return Oriented(board.shown, *board.log())


def known_board(board: Board, constraints: Constraints | None, contested: NDArray[np.bool_] | None = None) -> Board:
    """Write what is known on a new board, and return it; `contested[x, y]`: let nothing be written at y on x–y."""
    if contested is not None:
        board.contest(np.argwhere(contested))
    if constraints is not None:
        board.rule = NUMBERS[BY_KNOWLEDGE]
        board.know(constraints.rows(board.shown), constraints.no_cause)
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
        known = constraints.no_cause | constraints.no_cause.T | constraints.cause | constraints.cause.T
        rules, no_edge = MEEK_RULES_WITH_KNOWLEDGE, constraints.no_edge
    while True:
        board = Board(np.array(marks, dtype=np.uint8), pulse, sufficient=True, no_edge=no_edge)
        known_board(board, constraints, contested)
        oriented = orient_checked(board, judge, rules, lambda paths: True)
        assert oriented is not None  # every path is trusted
        steps = directed_steps(oriented.marks)
        inside = steps & reach_each_other(steps)
        if constraints is not None:
            inside |= constraints.denying_steps(oriented.marks)
        if not inside.any():
            return oriented
        doubtful = inside & ~known if (inside & ~known).any() else inside
        contested |= doubtful | doubtful.T
