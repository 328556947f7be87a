"""Radius 0: every pair of variables, given nothing.

The idea: half of all questions of a sparse problem are these, and they need neither a graph nor a list of pairs. Each
row of the matrix above its diagonal is asked in one call where the test can do that (`Questions.dependent_row`), or
some rows are (`Questions.dependent_rows`), otherwise pair by pair. In the end the upper half is copied to the lower
one, tile by tile, so that both stay in the cache.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions

#: Rows and columns of a tile: 4 kB of bytes, and as many again for its mirror image, fit into any first-level cache.
TILE = cython.declare(cython.Py_ssize_t, 64)

#: Rows that are asked in one call by a test that answers in tiles.
ROWS = cython.declare(cython.Py_ssize_t, 256)


@cython.cclass
class EveryPair:
    """Asks about the pairs of some rows; `asked` questions and `done` pairs so far are the same number.

    `unasked`: rows x, y with x < y of pairs that are not asked about. A test that answers whole rows computes them all
    the same, but they do not count.
    """

    def __init__(self, questions: Questions, pulse: Pulse | None = None, unasked: Any = None) -> None:
        self.questions = questions
        self.quick = questions.batch_size > 1
        self.pulse = Pulse() if pulse is None else pulse
        self.asked = 0
        self.done = 0
        self.skips = unasked is not None and len(unasked) > 0
        size: cython.Py_ssize_t = questions.n if self.skips else 1
        skipped = np.zeros((size, size), dtype=np.uint8)
        if self.skips:
            skipped[tuple(np.asarray(unasked).T)] = 1
        self.skipped = skipped
        self.skipped_in_row = np.count_nonzero(skipped, axis=1).astype(np.intc)

    def separate(self, joined: Any, first: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> None:
        """Fill in rows `first` up to `stop`: joined[x, y] becomes 1 where x and y > x are dependent, otherwise 0."""
        out: cython.uchar[:, ::1] = joined
        n: cython.Py_ssize_t = out.shape[0]
        nothing: cython.int[::1] = np.zeros(1, dtype=np.intc)
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        block: cython.Py_ssize_t
        if self.questions.in_tiles:
            for block in range(first, min(stop, n - 1), ROWS):
                self.questions.dependent_rows(block, min(block + ROWS, stop), joined)
                for x in range(block, min(block + ROWS, stop)):
                    self.count_row(x)
            return
        with cython.nogil:
            for x in range(first, min(stop, n - 1)):
                if self.quick:
                    self.questions.dependent_row(x, out[x])
                    self.count_row(x)
                    continue
                for y in range(x + 1, n):
                    self.pulse.beat()
                    if self.skips and self.skipped[x, y]:
                        continue
                    self.asked += 1
                    out[x, y] = not self.questions.independent(x, y, nothing, 0)
                    self.done += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def count_row(self, x: cython.Py_ssize_t) -> cython.int:
        """Count the questions about x and each y > x."""
        pairs: cython.Py_ssize_t = self.questions.n - x - 1
        self.pulse.beats(pairs)
        if self.skips:
            pairs -= self.skipped_in_row[x]
        self.asked += pairs
        self.done += pairs
        return 0


def mirror(matrix: Any) -> None:
    """Copy the part of the matrix above the diagonal to the part below it."""
    at: cython.uchar[:, ::1] = matrix
    n: cython.Py_ssize_t = at.shape[0]
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    tiles: cython.Py_ssize_t = (n + TILE - 1) // TILE
    with cython.nogil:
        for i in range(tiles):
            for j in range(i, tiles):
                for y in range(j * TILE, min((j + 1) * TILE, n)):
                    for x in range(i * TILE, min((i + 1) * TILE, y)):
                        at[y, x] = at[x, y]
