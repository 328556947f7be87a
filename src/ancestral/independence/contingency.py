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
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Counts, DataError, Table
from ancestral.data.design import DesignFacts
from ancestral.data.stats.grouped_counts import powers_of
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.summary import Summary
from ancestral.graphs.names import in_order
from ancestral.independence._configurations_cy import Configurations
from ancestral.independence._designed_tables_cy import DesignedTables
from ancestral.independence._discrete_cy import Contingency
from ancestral.independence.base import DataTest, Makers, Resampler, Test
from ancestral.independence.designed import DesignedTest
from ancestral.independence.evidence import Evidences, Scale, chi2_quantiles, p_values_on_scale
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
    judged_by_score = True

    def __init__(
        self, data: Table | Counts, alpha: float = 0.01, pearson: bool = False, summary: Summary | None = None
    ) -> None:
        if data.rows > MOST_ROWS:
            raise DataError(f"there must be at most {MOST_ROWS:,} rows, got {data.rows:,}; use a part of them")
        super().__init__(data, alpha)
        self._summary = summary
        self.design: DesignFacts | None = None
        if isinstance(data, Table) and data.design is not None:
            self.design = data.design.facts
        elif isinstance(data, Counts) and data.grouped is not None:
            self.design = data.grouped.facts
        if self.design is not None:
            self.scale = Scale.P_VALUE
        self.pearson = pearson
        self.name = "chi2" if pearson else "g"
        # while some questions are being asked, others about the same variables share what they are made of
        self._shared: WeakValueDictionary[tuple[str, ...], Contingency | DesignedTables] = WeakValueDictionary()

    @property
    def fingerprint(self) -> str:
        """Identifies the data: the rows of the stream that was counted, if it was one."""
        return str((self._data if self._summary is None else self._summary).fingerprint)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shared": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _shared=WeakValueDictionary())

    def questions(self, names: Sequence[str]) -> Contingency | DesignedTables:
        """The questions about these variables, numbered in this order."""
        shared = self._shared.get(tuple(names))
        if shared is not None:
            return shared.another()
        chosen = self.checked_names(names)
        data = self._data
        questions: Contingency | DesignedTables
        if self.design is not None:
            questions = self._of_design(data, chosen)
        elif isinstance(data, Counts):
            questions = self._of_counts(data, chosen)
        else:
            questions = self._of_rows(data, chosen)
        self._shared[chosen] = questions
        return questions

    def _of_design(self, data: Table | Counts, names: Sequence[str]) -> DesignedTables:
        if isinstance(data, Table):
            assert data.design is not None
            order, starts = data.design.groups
            columns = [data.column(name) for name in names]
            codes = np.stack([column.values[order] for column in columns])
            levels = [max(len(column.levels or ()), 1) for column in columns]
            powers = powers_of(data.design.scaled[order])
        else:
            grouped = data.grouped
            assert grouped is not None
            order = np.argsort(grouped.group, kind="stable")
            place = {name: v for v, name in enumerate(grouped.names)}
            codes = np.stack([grouped.codes[place[name]][order] for name in names])
            levels = [len(grouped.levels[place[name]]) for name in names]
            scale = self.rows / grouped.weights.sum()
            powers = grouped.powers[:, order] * np.array([[scale], [scale**2], [scale**4]])
            starts = np.append(0, np.cumsum(np.bincount(grouped.group, minlength=len(grouped.groups))))
        assert self.design is not None
        clustered = self.design.clusters is not None
        groups = len(starts) - 1 if clustered else self.rows
        kish = min(float(self.rows), self.rows**2 / float(powers[1].sum()))
        return DesignedTables(
            codes,
            levels,
            powers,
            starts if clustered else None,
            self.rows,
            groups,
            kish,
            self.alpha,
            self.pearson,
            ROWS_PER_DF,
        )

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The evidence of chi-squared statistics; under a design, of p-values."""
        return p_values_on_scale(self.scale, raw[:, 0], raw[:, 1])

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
        if table.has_missing:
            return super().readings()
        if table.design is not None:
            return {AS_MEASURED: TableResampler.of(table, partial(DesignedTest, alpha=self.alpha, name="mixed"))}
        return {AS_MEASURED: MixedResampler.of(table.select(in_order(table.names)), self.alpha)}


class LabelsTest(GTest):
    """Asks the discrete columns of a table, or counts, by Pearson's statistic given the margins of the strata.

    Of weighted or clustered rows, margins do not tell how the statistic is distributed; there it is that of "chi2".
    """

    def __init__(self, data: Table | Counts, alpha: float = 0.01, summary: Summary | None = None) -> None:
        super().__init__(data, alpha, pearson=True, summary=summary)
        self.name = "labels"

    def _most_df(self) -> int:
        return max(super()._most_df(), MOST_DF)

    def _level(self) -> float:
        return self.alpha

    def _remade(self) -> Callable[[Table], Test]:
        return partial(LabelsTest, alpha=self.alpha)


def _makers(test: Callable[..., Test]) -> Makers:
    def of_summary(summary: Summary, alpha: float) -> Test:
        assert summary.counts is not None and not isinstance(summary.design, GroupedMoments)
        if summary.design is None:
            return test(summary.counts, alpha)
        return test(replace(summary.counts, grouped=summary.design), alpha, summary=summary)

    return Makers(of_table=test, of_summary=of_summary, of_counts=test, designs=True)


LABELS = _makers(LabelsTest)
G = _makers(GTest)
CHI2 = _makers(partial(GTest, pearson=True))
