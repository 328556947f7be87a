"""What repeats in a window: a mark of one copy of a pair holds in all copies that are adjacent.

An arrowhead or a tail says whether one node causes the other, and causes are the same at every step. So

- a mark is carried to all adjacent copies of its pair, and so are causes along directed paths (`BY_COPY`);
- if no path in the graph can be directed from x to y, x does not cause y, nor does any copy of x the same copy of y:
  the copies that end late have the fewest paths (`BY_NO_PATH`).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, possible_ancestor_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.graphs.window import Places
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from ancestral.orientation.orient import Oriented, orient_checked
from ancestral.orientation.rules import BY_COPY, BY_NO_PATH, NUMBERS

__all__ = ["Repeats", "orient_repeating"]

Truths = NDArray[np.bool_]
Rows = NDArray[np.intc]

#: Looks at marks that are about to be carried, rows as `Board.follow` takes them, and returns those to write.
Allow = Callable[[Rows], Rows]


def all_allowed(rows: Rows) -> Rows:
    """Write every mark that is carried."""
    return rows


class Repeats:
    """The classes of ordered pairs: `number[x, y]` is the same for all copies of (x, y)."""

    def __init__(self, places: Places) -> None:
        process, lag = places.process.astype(np.int64), places.lag.astype(np.int64)
        count, span = places.at.shape[0], 2 * places.lags + 1
        apart = lag[:, None] - lag[None, :] + places.lags
        self.number = (process[:, None] * count + process[None, :]) * span + apart
        self.classes = count * count * span

    def spread(self, truths: Truths) -> tuple[Truths, NDArray[np.int64]]:
        """Where some copy is true; and, for each pair, a true copy as one number, x · n + y."""
        n = len(truths)
        at = np.flatnonzero(truths.ravel())[::-1]  # so that the first one stays
        example = np.full(self.classes, -1, dtype=np.int64)
        example[self.number.ravel()[at]] = at
        found = example[self.number]
        return found >= 0, found.reshape(n, n)

    def differing(self, marks: NDArray[np.uint8]) -> Truths:
        """At x, y, the ends y of edges x–y at which some copy of the edge has another mark."""
        adjacent = marks != NONE
        most = np.zeros(self.classes, dtype=np.uint8)
        least = np.full(self.classes, 255, dtype=np.uint8)
        np.maximum.at(most, self.number[adjacent], marks[adjacent])
        np.minimum.at(least, self.number[adjacent], marks[adjacent])
        return adjacent & (most != least)[self.number]

    def carried(self, marks: NDArray[np.uint8], no_cause: Truths) -> tuple[Rows, Truths]:
        """The marks to be carried from copies, and what is known in all copies not to cause what."""
        causes = reachable(directed_steps(marks)) & ~np.eye(len(marks), dtype=bool)
        causes |= marks.T == TAIL
        causes_all, cause_at = self.spread(causes)
        not_all, not_at = self.spread((marks.T == ARROW) | causes.T | no_cause)
        rows = [_rows(marks, causes_all, cause_at, TAIL), _rows(marks, not_all, not_at, ARROW)]
        return np.concatenate(rows), not_all | no_cause

    def without_path(self, marks: NDArray[np.uint8], no_cause: Truths) -> tuple[Rows, Truths]:
        """The arrowheads of pairs for which some copy has no path, and what then does not cause what."""
        not_all, at = self.spread(~reachable(possible_ancestor_steps(marks)))
        return _rows(marks, not_all, at, ARROW), not_all | no_cause


def _rows(marks: NDArray[np.uint8], wanted: Truths, copy_at: NDArray[np.int64], mark: int) -> Rows:
    """Rows for a mark at x wherever it is wanted and there is a circle, with the copy that it comes from."""
    n = len(marks)
    x, y = np.nonzero(wanted & (marks.T == CIRCLE))
    a, b = np.divmod(copy_at[x, y], n)
    return np.column_stack([x, y, np.full(len(x), mark), np.zeros(len(x)), a, b]).astype(np.intc)


def orient_repeating(
    board: Board,
    judge: Judge,
    rules: tuple[str, ...],
    review: Callable[[Board], bool],
    repeats: Repeats,
    no_cause: Truths,
    allow: Allow = all_allowed,
) -> Oriented | None:
    """Apply rules to the board of a window until they and what repeats say nothing new; None if `review` is False.

    `no_cause[x, y]`: x is known not to cause y.
    """
    while True:
        oriented = orient_checked(board, judge, rules, review)
        if oriented is None:
            return None
        for reason, follow in ((BY_COPY, repeats.carried), (BY_NO_PATH, repeats.without_path)):
            rows, no_cause = follow(board.shown, no_cause)
            board.rule = NUMBERS[reason]
            if board.follow(allow(rows), no_cause):
                break
        else:
            return oriented
