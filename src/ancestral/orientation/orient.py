"""The one place that writes marks: rules propose, pass by pass, until nothing new is said."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.marks import ARROW, symbol
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from ancestral.orientation.rules import ALL_RULES, RULES, STRATA
from ancestral.trace import Conflict, Orientation

__all__ = ["Oriented", "orient", "orient_if"]


@dataclass(frozen=True)
class Oriented:
    """Oriented marks, and for each mark that was written, its rule and witnesses; nodes are positions.

    A row of `written` is x, y, mark at y, rule, and where its witnesses begin and end in `witnesses`.
    `refused` maps rule, x, y, mark at x, mark at y to the witnesses of a proposal that was contradicted.
    """

    marks: NDArray[np.uint8]
    written: NDArray[np.intc]
    witnesses: NDArray[np.intc]
    refused: dict[tuple[int, int, int, int, int], tuple[int, ...]]

    def orientations(self, names: Sequence[str]) -> Iterator[Orientation]:
        """The marks that were written, in the order of writing."""
        for x, y, mark, rule, start, stop in self.written.tolist():
            because = tuple(names[i] for i in self.witnesses[start:stop])
            yield Orientation(names[x], names[y], ">" if mark == ARROW else "-", f"R{rule}", because)

    def conflicts(self, names: Sequence[str]) -> Iterator[Conflict]:
        """The proposals that were refused, in the order of their first refusal."""
        for (rule, x, y, at_x, at_y), because in self.refused.items():
            # a mark that the rule left alone is shown as it stands
            edge = symbol(at_x or int(self.marks[y, x]), at_y or int(self.marks[x, y]))
            yield Conflict(names[x], edge, names[y], f"R{rule}", tuple(names[i] for i in because))


def orient(marks: NDArray[np.uint8], judge: Judge, rules: Iterable[str] = ALL_RULES) -> Oriented:
    """Apply these rules to the circles of a graph until they say nothing new; R0 once, first."""
    oriented = orient_if(np.array(marks, dtype=np.uint8), judge, rules, lambda paths: True)
    assert oriented is not None  # every path is trusted
    return oriented


def orient_if(
    marks: NDArray[np.uint8],
    judge: Judge,
    rules: Iterable[str],
    trusts: Callable[[list[tuple[int, ...]]], bool],
    pulse: Pulse | None = None,
) -> Oriented | None:
    """The same, but `trusts` is asked before R4 may use its paths; None if it refuses.

    A path is the nodes from the last to the first. `pulse` may end the work by an exception. The marks are written
    where they are given, and that matrix is the answer's.
    """
    chosen = frozenset(rules)
    board = Board(marks, pulse)
    if "R0" in chosen:
        RULES["R0"](board, judge)
        board.settle()
    strata = [present for names in STRATA if (present := [name for name in names if name in chosen])]
    turn = 0
    while turn < len(strata):
        for name in strata[turn]:
            RULES[name](board, judge)
        if "R4" in strata[turn] and not trusts(board.pending()):
            return None
        turn = 0 if board.settle() else turn + 1
    written, witnesses = board.log()
    return Oriented(board.array, written, witnesses, board.refused)
