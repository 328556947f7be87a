"""What the resamplers of several tests share: which columns vary in a resample, and tests made of drawn rows.

A resample is given by its weights, the number of times that each row was drawn. A test that needs only moments weights
them (`data/stats/weighted`); its resampler is beside the test. Any other test is made anew of a table of the drawn
rows, by `TableResampler`. A column that does not vary in a resample depends on nothing there, so it is left out of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments, Table
from ancestral.data.column import Column
from ancestral.data.stats.weighted import Weights, gathered
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import in_order
from ancestral.independence.base import BaseTest, Resampler, Test

__all__ = [
    "AS_MEASURED", "NORMAL_SCORES", "CombinedResampler", "TableResampler", "resampler_of", "table_to_draw",
    "varying_moments",
]  # fmt: skip

#: Two ways to read numbers: as they are, and by their order alone.
AS_MEASURED, NORMAL_SCORES = "as measured", "normal scores"


def resampler_of(test: Test) -> Resampler:
    """What draws rows for a test; its tests know which variables were measured together, if this one does."""
    drawn = test.resampler()
    if isinstance(test, BaseTest) and test.together is not None:
        return CombinedResampler(drawn, test.together)
    return drawn


@dataclass(frozen=True)
class CombinedResampler:
    """Draws the rows of combined tables, from all of them together: `together` are the variables of each."""

    drawn: Resampler
    together: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of their names."""
        return self.drawn.names

    @property
    def rows(self) -> int:
        """The number of rows to draw from."""
        return self.drawn.rows

    def test(self, weights: Weights) -> Test | None:
        """The test on the drawn rows, which knows of the variables that vary in them what was measured together."""
        test = self.drawn.test(weights)
        if isinstance(test, BaseTest):
            test.together = tuple(tuple(name for name in table if name in test.names) for table in self.together)
        return test


@dataclass(frozen=True)
class TableResampler:
    """Makes a test of the drawn rows of a table, by `make(table)`. Both are pickled for the workers of a bootstrap."""

    table: Table
    make: Callable[[Table], Test]

    @classmethod
    def of(cls, table: Table, make: Callable[[Table], Test]) -> "TableResampler":
        """The resampler of a table, whose columns are put in the order of their names."""
        return cls(table.select(in_order(table.names)), make)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of their names."""
        return self.table.names

    @property
    def rows(self) -> int:
        """The number of rows to draw from."""
        return self.table.rows

    @property
    def clusters(self) -> NDArray[np.integer] | None:
        """The cluster of each row, numbered from 0; None if rows are drawn one by one."""
        design = self.table.design
        if design is None or design.clusters is None:
            return None
        return np.unique(design.clusters.codes, return_inverse=True)[1]

    def test(self, weights: Weights) -> Test | None:
        """The test on the drawn rows, of the columns that vary in them; None if fewer than two do."""
        drawn = gathered(self.table, weights)
        varying = tuple(column for column in drawn.columns if _varies(column))
        return self.make(replace(drawn, columns=varying)) if len(varying) > 1 else None


def _varies(column: Column) -> bool:
    if column.levels is not None:
        return len(column.levels) > 1
    present = column.present
    return bool(present.size) and not column.deviations.is_rounding(abs(column.deviations.first_mean))


def varying_moments(moments: Moments) -> Moments | None:
    """The moments of the columns that vary; None if fewer than two do."""
    varies = moments.comoments.diagonal() > 0
    if not varies.all():
        moments = moments.select([name for name, one in zip(moments.names, varies, strict=True) if one])
    return moments if len(moments.names) > 1 else None


def table_to_draw(data: object) -> Table:
    """The table whose rows are drawn. Raises `OptionError` if a test was made of sums, whose rows are gone."""
    if not isinstance(data, Table):
        raise OptionError(
            "sums have no rows to draw",
            way_out=[
                "pass the rows that they were made of; of rows that come in parts, with ",
                Option("in_memory", True),
            ],
        )
    return data
