"""Tests on contingency tables, for discrete columns: `labels`, the G test, and Pearson's chi-squared test.

The statistics of the strata, one for each combination of values of the conditioning set, add up; so do the degrees of
freedom, (values of x present - 1)(values of y present - 1) in each. A question needs five rows for each degree of
freedom of the full table; if there are fewer, the data cannot support it, and the edge stays. Rows with a missing value
among the variables of a question are left out of it.

`labels` judges Pearson's statistic by its distribution given the margins of the strata (`_margins_cy`), so that it also
keeps its level where counts are small, and decides by them whether the data support a question.

The tests ask the rows of a table, or `Counts`, in which equal rows are counted together; the statistics are the same.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ancestral.data import Counts, DataError, Table
from ancestral.data.stats.summary import Summary
from ancestral.graphs.names import in_order
from ancestral.independence._configurations_cy import Configurations
from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.base import DataTest, Makers, Resampler, Test
from ancestral.independence.evidence import Scale, chi2_quantiles
from ancestral.independence.likelihood_ratio import MixedResampler
from ancestral.independence.resamplers import AS_MEASURED, TableResampler, table_to_draw

__all__ = ["CHI2", "LABELS", "ROWS_PER_DF", "G", "GTest", "LabelsTest"]

#: The rows that a question needs for each degree of freedom; a common rule for the chi-squared approximation.
ROWS_PER_DF = 5

#: The most degrees of freedom that `labels` reports, unless the rows allow for more; beyond, a chi-squared variable is
#: so nearly normal that fewer degrees of freedom say the same.
MOST_DF = 1000

#: The largest number of rows that can be asked: the counts in a table have 31 bits.
MOST_ROWS = 2**31 - 1


class GTest(DataTest):
    """Asks the discrete columns of a table, or counts; `pearson` for the chi-squared statistic instead of G."""

    scale = Scale.CHI2

    def __init__(self, data: Table | Counts, alpha: float = 0.01, pearson: bool = False) -> None:
        if data.rows > MOST_ROWS:
            raise DataError(f"there must be at most {MOST_ROWS:,} rows, got {data.rows:,}; use a part of them")
        super().__init__(data, alpha)
        self.pearson = pearson
        self.name = "chi2" if pearson else "g"
        # while some questions are being asked, others about the same variables share what they are made of
        self._shared: WeakValueDictionary[tuple[str, ...], Contingency] = WeakValueDictionary()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shared": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _shared=WeakValueDictionary())

    def questions(self, names: Sequence[str]) -> Contingency:
        """The questions about these variables, numbered in this order."""
        shared = self._shared.get(tuple(names))
        if shared is not None:
            return shared.another()
        chosen = self.checked_names(names)
        data = self._data
        questions = self._of_counts(data, chosen) if isinstance(data, Counts) else self._of_rows(data, chosen)
        self._shared[chosen] = questions
        return questions

    def _of_rows(self, table: Table, names: Sequence[str]) -> Contingency:
        columns = [table.column(name) for name in names]
        codes = np.stack([column.values for column in columns])
        levels = [max(len(column.levels or ()), 1) for column in columns]
        quantiles = chi2_quantiles(self.alpha, self._most_df())
        return Contingency(codes, levels, quantiles, self.pearson, ROWS_PER_DF, level=self._level())

    def _of_counts(self, counts: Counts, names: Sequence[str]) -> Contingency:
        position = {name: v for v, name in enumerate(counts.names)}
        places = [counts.packing.places[position[name]] for name in names]
        levels = [len(counts.levels[position[name]]) for name in names]
        # no question has more degrees of freedom than there are combinations of levels
        widest = max((prod(levels) if len(levels) < 30 else self.rows), 1)
        quantiles = chi2_quantiles(self.alpha, min(self._most_df(), widest + 1))
        words, weights = counts.joined()
        return Configurations(
            words, weights, places, levels, self.rows, quantiles, self.pearson, ROWS_PER_DF, self._level()
        )

    def _most_df(self) -> int:
        """The most degrees of freedom that a question has."""
        return self.rows // ROWS_PER_DF + 1

    def _level(self) -> float:
        """The level at which statistics are judged given the margins; 0: by the chi-squared distribution."""
        return 0.0

    def resampler(self) -> Resampler:
        """Makes the test of the drawn rows. Raises `OptionError` where only counts are known."""
        return TableResampler.of(table_to_draw(self._data), self._remade())

    def _remade(self) -> Callable[[Table], Test]:
        """Makes the same test of another table."""
        return partial(GTest, alpha=self.alpha, pearson=self.pearson)

    def readings(self) -> Mapping[str, Resampler]:
        """The labels as indicator columns, which can be scored. Raises `OptionError` where only counts are known."""
        table = table_to_draw(self._data)
        if any(column.has_missing for column in table.columns):
            return super().readings()
        return {AS_MEASURED: MixedResampler.of(table.select(in_order(table.names)), self.alpha)}


class LabelsTest(GTest):
    """Asks the discrete columns of a table, or counts, by Pearson's statistic given the margins of the strata."""

    def __init__(self, data: Table | Counts, alpha: float = 0.01) -> None:
        super().__init__(data, alpha, pearson=True)
        self.name = "labels"

    def _most_df(self) -> int:
        return max(super()._most_df(), MOST_DF)

    def _level(self) -> float:
        return self.alpha

    def _remade(self) -> Callable[[Table], Test]:
        return partial(LabelsTest, alpha=self.alpha)


def _makers(test: Callable[[Table | Counts, float], Test]) -> Makers:
    def of_summary(summary: Summary, alpha: float) -> Test:
        assert summary.counts is not None
        return test(summary.counts, alpha)

    return Makers(of_table=test, of_summary=of_summary, of_counts=test)


LABELS = _makers(LabelsTest)
G = _makers(GTest)
CHI2 = _makers(partial(GTest, pearson=True))
