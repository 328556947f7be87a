"""The G test (likelihood ratio) and Pearson's chi-squared test on contingency tables: for discrete columns.

The statistics of the strata, one for each combination of values of the conditioning set, add up; so do the degrees of
freedom, (values of x present - 1)(values of y present - 1) in each. A question needs five rows for each degree of
freedom of the full table; where there are fewer, the data cannot support it, and the edge stays. Rows with a missing
value among the variables of a question are left out of it.

It asks the rows of a table, or `Counts`: rows that are alike then count together, and the statistics are the same.
"""

from collections.abc import Sequence
from math import prod
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Counts, DataError, Table
from ancestral.independence._configurations_cy import Configurations
from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.evidence import (
    Evidence,
    Evidences,
    Scale,
    checked_alpha,
    chi2_quantiles,
    single_evidence,
    weigh_chi2,
)

__all__ = ["ROWS_PER_DF", "GTest"]

#: So many rows are needed for each degree of freedom.
ROWS_PER_DF = 5

#: More rows than this are not counted: the numbers in a table have 31 bits.
MOST_ROWS = 2**31 - 1


class GTest:
    """Asks the discrete columns of a table, or counts; `pearson` for the chi-squared statistic instead of G."""

    scale = Scale.CHI2

    def __init__(self, table: Table | Counts, alpha: float = 0.01, pearson: bool = False) -> None:
        if table.rows > MOST_ROWS:
            raise DataError(f"there are {table.rows:,} rows, more than {MOST_ROWS:,}; use a part of them")
        self.table = table
        self.alpha = checked_alpha(alpha)
        self.pearson = pearson
        self.name = "chi2" if pearson else "g"
        # while some questions are being asked, others about the same variables share what they are made of
        self._made: WeakValueDictionary[tuple[str, ...], Contingency] = WeakValueDictionary()

    @property
    def names(self) -> tuple[str, ...]:
        """The variables one can ask about."""
        return self.table.names

    @property
    def kinds(self) -> dict[str, str]:
        """Which variables are continuous and which discrete."""
        return dict(zip(self.table.names, self.table.kinds, strict=True))

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.table.rows

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _made=WeakValueDictionary())

    def questions(self, names: Sequence[str]) -> Contingency:
        """The questions about these variables, numbered in this order."""
        made = self._made.get(tuple(names))
        if made is not None:
            return made.another()
        made = (
            self._of_counts(self.table, names) if isinstance(self.table, Counts) else self._of_rows(self.table, names)
        )
        self._made[tuple(names)] = made
        return made

    def _of_rows(self, table: Table, names: Sequence[str]) -> Contingency:
        columns = [table.column(name) for name in names]
        codes = np.stack([column.values for column in columns])
        levels = [max(len(column.levels or ()), 1) for column in columns]
        quantiles = chi2_quantiles(self.alpha, self.rows // ROWS_PER_DF + 1)
        return Contingency(codes, levels, quantiles, self.pearson, ROWS_PER_DF)

    def _of_counts(self, counts: Counts, names: Sequence[str]) -> Contingency:
        position = {name: v for v, name in enumerate(counts.names)}
        places = [counts.packing.places[position[name]] for name in names]
        levels = [len(counts.levels[position[name]]) for name in names]
        # a question with so many degrees of freedom has them from the product of its levels
        widest = max((prod(levels) if len(levels) < 30 else self.rows), 1)
        quantiles = chi2_quantiles(self.alpha, min(self.rows // ROWS_PER_DF, widest) + 1)
        words, weights = counts.joined()
        return Configurations(words, weights, places, levels, self.rows, quantiles, self.pearson, ROWS_PER_DF)

    def evidence(self, questions: Contingency, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer rests on."""
        return single_evidence(questions, self.p_values, x, y, given, self.rows)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """What these statistics say."""
        return weigh_chi2(raw)

    @property
    def fingerprint(self) -> str:
        """Of the content that is asked."""
        return self.table.fingerprint
