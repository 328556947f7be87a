"""The test of several imputed tables: any test with chi-squared statistics, or Fisher's z, asked of each and combined.

What the imputed tables say differently is what the missing values leave uncertain, so it widens the distribution that
a statistic is compared with (`_imputed_cy`). A test keeps its level if values are missing at random: whether a value
is missing may depend on what was observed, but not on the value itself.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.column import Column
from ancestral.data.fingerprint import fingerprint
from ancestral.data.imputation import IMPUTATIONS, SEED, imputed_tables
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.data.stats.weighted import Weights
from ancestral.errors import Option, OptionError
from ancestral.independence._imputed_cy import Pooled, PooledCorrelations, PooledStatistics
from ancestral.independence._questions_cy import ChiSquared
from ancestral.independence.base import BaseTest, MomentsSource, Resampler, Test, no_effect
from ancestral.independence.evidence import Evidences, Scale, normal_p_values
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.registry import imputed_name

__all__ = ["ImputedResampler", "ImputedTest", "imputed_test", "not_imputable"]

#: Makes a test of a complete table.
MakeTest = Callable[[Table], Test]


def imputed_test(table: Table, make: MakeTest) -> "ImputedTest":
    """The test of imputed tables of a table with missing values. Raises `OptionError` for a test without statistics."""
    tables = tuple(imputed_tables(table))
    tests = tuple(make(one) for one in tables)
    content = fingerprint("imputed", [table.fingerprint, IMPUTATIONS, SEED])
    return ImputedTest(tests, table.names, content, tables, make)


def not_imputable(name: str, *instead: str | Option) -> OptionError:
    """The error for a test whose answers about imputed tables cannot be combined; `instead` is what can be passed."""
    return OptionError(
        f"imputed tables are combined by chi-squared statistics or correlations, and the test {name!r} leaves others",
        way_out=["pass ", *instead],
    )


class ImputedTest(BaseTest):
    """Asks the tests of imputed tables, and combines what they say.

    `names` are the variables in the order of the columns, `content` is the fingerprint. `tables` and `make`, if they
    are there, are the imputed tables and how the tests were made of them.
    """

    alpha: float

    def __init__(
        self,
        tests: Sequence[Test],
        names: Sequence[str],
        content: str,
        tables: Sequence[Table] = (),
        make: MakeTest | None = None,
    ) -> None:
        first = tests[0]
        assert first.alpha is not None and first.kinds is not None
        self.tests = tuple(tests)
        self.name = imputed_name(first.name, len(self.tests))
        self.names = tuple(names)
        self.kinds = {name: first.kinds[name] for name in names}
        self.rows = first.rows
        self.alpha = first.alpha
        self._of_correlations = all(isinstance(test, FisherZ) for test in self.tests)
        if not self._of_correlations and not isinstance(first.questions(self.names), ChiSquared):
            raise not_imputable(first.name, "another test, or ", Option("missing", "drop"))
        self.scale = Scale.NORMAL if self._of_correlations else Scale.CHI2
        self._content = content
        self._tables = tuple(tables)
        self._make = make

    @property
    def fingerprint(self) -> str:
        """Identifies the data with their gaps, and how these are filled."""
        return self._content

    @property
    def has_rows(self) -> bool:
        """Whether the imputed tables are there."""
        return bool(self._tables)

    def for_workers(self) -> "ImputedTest":
        """The same tests without the tables behind them."""
        other = copy(self)
        other.tests = tuple(test.for_workers() for test in self.tests)
        other._tables, other._make = (), None
        return other

    def questions(self, names: Sequence[str]) -> Pooled:
        """The questions about these variables, numbered in this order."""
        names = self.checked_names(names)
        if self._of_correlations:
            correlations = [_moments(test).select(names).correlation for test in self.tests]
            return PooledCorrelations(np.stack(correlations), self.rows, self.alpha)
        return PooledStatistics([test.questions(names) for test in self.tests], self.alpha)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The evidence of chi-squared statistics; of correlations the root is shown, which is normal."""
        return normal_p_values(np.sqrt(raw[:, 0])) if self._of_correlations else super().p_values(raw, sizes)

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """The correlations in all imputed tables together, as if of the rows of one.

        Raises `OptionError` if the test has no Gaussian likelihood.
        """
        stacked = self._stacked
        if not isinstance(stacked, BaseTest):
            return super().column_blocks(names)
        return replace(stacked.column_blocks(self.checked_names(names)), rows=self.rows)

    @cached_property
    def _stacked(self) -> Test | None:
        """The test of the rows of all imputed tables, one table below the other."""
        if self._make is None:
            return None
        return self._make(Table(tuple(map(_stacked, *(table.columns for table in self._tables)))))

    def resampler(self) -> Resampler:
        """Draws the same rows of all imputed tables: gaps are not filled anew. Raises `OptionError` as the tests do."""
        return ImputedResampler(tuple(test.resampler() for test in self.tests))

    def effect_moments(self) -> MomentsSource:
        """Refuse: standard errors would not count what the missing values leave uncertain."""
        raise no_effect(
            "missing values were imputed, and the standard errors of effects would be too small; pass ",
            Option("missing", "drop"),
        )


def _moments(test: Test):  # type: ignore[no-untyped-def]
    assert isinstance(test, FisherZ)
    return test.moments


def _stacked(*columns: Column) -> Column:
    """Columns with the same levels, one below the other."""
    return replace(columns[0], values=np.concatenate([column.values for column in columns]))


@dataclass(frozen=True)
class ImputedResampler:
    """Makes the test of the same drawn rows of all imputed tables."""

    resamplers: tuple[Resampler, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of their names."""
        return self.resamplers[0].names

    @property
    def rows(self) -> int:
        """The number of rows to draw from."""
        return self.resamplers[0].rows

    def test(self, weights: Weights) -> Test | None:
        """The test on a resample, of the columns that vary in all tables; None if fewer than two do."""
        tests = [resampler.test(weights) for resampler in self.resamplers]
        found = [test for test in tests if test is not None]
        names = [name for name in self.names if all(name in test.names for test in found)]
        if len(found) < len(tests) or len(names) < 2:
            return None
        return ImputedTest(found, names, fingerprint("imputed", [test.fingerprint for test in found]))
