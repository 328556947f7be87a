"""Column blocks: the correlations of all columns of some variables, one block of columns for each variable.

A continuous variable is one column; a discrete one is an indicator column for each level but one. This is all that a
Gaussian likelihood needs of the data.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ColumnBlocks"]


@dataclass(frozen=True, eq=False)
class ColumnBlocks:
    """The correlations of the columns of variables.

    The columns of variable v are `starts[v]` to `starts[v + 1] - 1`; `rows` is the number of rows.
    """

    correlation: NDArray[np.float64]
    starts: NDArray[np.intc]
    rows: int

    @classmethod
    def single(cls, correlation: NDArray[np.float64], rows: int) -> "ColumnBlocks":
        """Blocks of one column each."""
        return cls(correlation, np.arange(len(correlation) + 1, dtype=np.intc), rows)

    @property
    def widths(self) -> NDArray[np.intc]:
        """The number of columns of each variable."""
        return np.diff(self.starts)
