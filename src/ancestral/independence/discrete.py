"""The G test (likelihood ratio) and Pearson's chi-squared test on contingency tables: for discrete columns.

The statistics of the strata, one for each combination of values of the conditioning set, add up; so do the degrees of
freedom, (values of x present - 1)(values of y present - 1) in each. A question needs five rows for each degree of
freedom of the full table; where there are fewer, the data cannot support it, and the edge stays. Rows with a missing
value among the variables of a question are left out of it.
"""

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.evidence import (
    Evidence,
    Weighed,
    checked_alpha,
    chi2_quantiles,
    single_evidence,
    weigh_chi2,
)

__all__ = ["ROWS_PER_DF", "GTest"]

#: So many rows are needed for each degree of freedom.
ROWS_PER_DF = 5


class GTest:
    """Asks the discrete columns of a table; `pearson` for the chi-squared statistic instead of G."""

    def __init__(self, table: Table, alpha: float = 0.01, pearson: bool = False) -> None:
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
        columns = [self.table.column(name) for name in names]
        codes = np.stack([column.values for column in columns])
        levels = [max(len(column.levels or ()), 1) for column in columns]
        quantiles = chi2_quantiles(self.alpha, self.rows // ROWS_PER_DF + 1)
        made = Contingency(codes, levels, quantiles, self.pearson, ROWS_PER_DF)
        self._made[tuple(names)] = made
        return made

    def evidence(self, questions: Contingency, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer rests on."""
        return single_evidence(questions, self.weigh, x, y, given, self.rows)

    def weigh(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Weighed:
        """What these statistics say."""
        return weigh_chi2(raw)

    @property
    def fingerprint(self) -> str:
        """Of the content that is asked."""
        return self.table.fingerprint
