"""Column blocks: the correlations of all columns of some variables, one block of columns for each variable.

A continuous variable is one column; a discrete one is an indicator column for each level but one. This is all that a
Gaussian likelihood needs of the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ColumnBlocks"]


@dataclass(frozen=True, eq=False)
class ColumnBlocks:
    """The correlations of the columns of variables.

    - The columns of variable v are `starts[v]` to `starts[v + 1] - 1`; `rows` is the number of rows.
    - `levels` has the level that each column indicates, None for a column of numbers; it is empty if all are numbers.
    """

    correlation: NDArray[np.float64]
    starts: NDArray[np.intc]
    rows: int
    levels: tuple[str | None, ...] = ()

    @classmethod
    def single(cls, correlation: NDArray[np.float64], rows: int) -> "ColumnBlocks":
        """Blocks of one column each."""
        return cls(correlation, np.arange(len(correlation) + 1, dtype=np.intc), rows)

    @property
    def widths(self) -> NDArray[np.intc]:
        """The number of columns of each variable."""
        return np.diff(self.starts)

    def labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """A label for each column, if the variables have these names: the name, and the level if there is one.

        >>> blocks = ColumnBlocks(np.eye(3), np.array([0, 1, 3], dtype=np.intc), 10, (None, "red", "blue"))
        >>> blocks.labels(["age", "colour"])
        ('age', 'colour=red', 'colour=blue')
        """
        owners = np.repeat(np.array(names, dtype=object), self.widths).tolist()
        levels = self.levels or (None,) * len(owners)
        return tuple(name if level is None else f"{name}={level}" for name, level in zip(owners, levels, strict=True))
