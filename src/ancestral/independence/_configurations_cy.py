"""Contingency tables from configurations: equal rows are one configuration, with their number as its weight.

The idea: a configuration is one row of values, its codes packed into a few 64-bit words. A question unpacks the codes
of its variables, numbers the cell in mixed radix, and adds the weight there. Nothing else is kept, so that words which
are mapped from a file need not be in memory. The statistics are those of `Contingency`, to the last bit: both sum whole
numbers.

Invariants: the code of variable v in configuration i is words[i, word[v]] >> shift[v], masked by mask[v], and lies in
0 … levels[v] − 1; the weights, none of which is negative, add up to `rows`, which fits into 31 bits. The same
configuration may stand there twice.
"""

from math import prod
from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral.independence._discrete_cy import Contingency, count_strata

from ancestral.independence._discrete_cy import table_of_count_log_count


@cython.cclass
class Configurations(Contingency):
    """Asks weighted configurations. `places`: word and shift of each variable."""

    def __init__(
        self,
        words: Any,
        weights: Any,
        places: Any,
        levels: Any,
        rows: int,
        threshold: Any,
        pearson: bool,
        rows_per_df: int,
        level: float = 0.0,
    ) -> None:
        n = len(levels)
        self.begin(n, np.zeros((n, n)))
        self.words = words
        self.weights = weights
        self.word = np.array([word for word, _ in places], dtype=np.intc)
        self.shift = np.array([shift for _, shift in places], dtype=np.uint64)
        self.levels = np.array(levels, dtype=np.intc)
        self.mask = np.array([(1 << max(1, int(count - 1).bit_length())) - 1 for count in levels], dtype=np.uint64)
        self.rows = rows
        self.threshold = np.array(threshold, dtype=np.float64)
        self.pearson = pearson
        self.rows_per_df = rows_per_df
        self.begin_judging(rows, levels, level)
        # never more than four cells a row, nor more than there are configurations; only what is used is in memory
        self.counts = np.zeros(min(4 * rows, prod(int(count) for count in levels)) + 1, dtype=np.intc)
        self.margins = np.zeros(2 * max(levels, default=1), dtype=np.intc)
        self.count_log_count, self.unit = table_of_count_log_count(rows)
        self.used = 0

    def another(self) -> Any:
        """The same questions for another thread, with the same configurations in memory."""
        places = list(zip(np.asarray(self.word).tolist(), np.asarray(self.shift).tolist(), strict=True))
        levels, threshold = np.asarray(self.levels).tolist(), np.asarray(self.threshold)
        words, weights = np.asarray(self.words), np.asarray(self.weights)
        return Configurations(
            words, weights, places, levels, self.rows, threshold, self.pearson, self.rows_per_df, self.level
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def tabulate(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Count and sum up; 0 where the table is too large for the rows."""
        strata: cython.Py_ssize_t = count_strata(self.levels, x, y, given, size, self.rows_per_df, self.rows)
        i: cython.Py_ssize_t
        self.statistic = 0.0
        self.df = 0
        self.used = 0
        if strata == 0:
            return 0
        for i in range(strata * self.levels[x] * self.levels[y]):
            self.counts[i] = 0
        self.count(x, y, given, size)
        return self.sum_up(strata, self.levels[x], self.levels[y])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def count(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Add the weight of each configuration to its cell."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        v: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        for i in range(self.weights.shape[0]):
            cell = 0
            for k in range(size):
                v = given[k]
                cell = cell * self.levels[v] + cython.cast(
                    cython.Py_ssize_t, (self.words[i, self.word[v]] >> self.shift[v]) & self.mask[v]
                )
            cell = cell * self.levels[x] + cython.cast(
                cython.Py_ssize_t, (self.words[i, self.word[x]] >> self.shift[x]) & self.mask[x]
            )
            cell = cell * self.levels[y] + cython.cast(
                cython.Py_ssize_t, (self.words[i, self.word[y]] >> self.shift[y]) & self.mask[y]
            )
            self.counts[cell] += cython.cast(cython.int, self.weights[i])
        return 0
