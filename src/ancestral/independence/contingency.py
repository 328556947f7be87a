"""The G test (likelihood ratio) and Pearson's chi-squared test on contingency tables: for discrete columns.

The statistics of the strata, one for each combination of values of the conditioning set, add up; so do the degrees of
freedom, (values of x present - 1)(values of y present - 1) in each. A question needs five rows for each degree of
freedom of the full table; if there are fewer, the data cannot support it, and the edge stays. Rows with a missing value
among the variables of a question are left out of it.

The tests ask the rows of a table, or `Counts`, in which equal rows are counted together; the statistics are the same.
"""

from collections.abc import Mapping, Sequence
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

__all__ = ["CHI2", "ROWS_PER_DF", "G", "GTest"]

#: The rows that a question needs for each degree of freedom; a common rule for the chi-squared approximation.
ROWS_PER_DF = 5

#: The largest number of rows that can be asked: the counts in a table have 31 bits.
MOST_ROWS = 2**31 - 1


class GTest(DataTest):
    """Asks the discrete columns of a table, or counts; `pearson` for the chi-squared statistic instead of G."""

    scale = Scale.CHI2

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
        quantiles = chi2_quantiles(self.alpha, self.rows // ROWS_PER_DF + 1)
        return Contingency(codes, levels, quantiles, self.pearson, ROWS_PER_DF)

    def _of_counts(self, counts: Counts, names: Sequence[str]) -> Contingency:
        position = {name: v for v, name in enumerate(counts.names)}
        places = [counts.packing.places[position[name]] for name in names]
        levels = [len(counts.levels[position[name]]) for name in names]
        # no question has more degrees of freedom than there are combinations of levels
        widest = max((prod(levels) if len(levels) < 30 else self.rows), 1)
        quantiles = chi2_quantiles(self.alpha, min(self.rows // ROWS_PER_DF, widest) + 1)
        words, weights = counts.joined()
        return Configurations(words, weights, places, levels, self.rows, quantiles, self.pearson, ROWS_PER_DF)

    def resampler(self) -> Resampler:
        """Makes the test of the drawn rows. Raises `OptionError` where only counts are known."""
        return TableResampler.of(table_to_draw(self._data), partial(GTest, alpha=self.alpha, pearson=self.pearson))

    def readings(self) -> Mapping[str, Resampler]:
        """The labels as indicator columns, which can be scored. Raises `OptionError` where only counts are known."""
        table = table_to_draw(self._data)
        if any(column.has_missing for column in table.columns):
            return super().readings()
        if table.design is not None:
            return {AS_MEASURED: TableResampler.of(table, partial(DesignedTest, alpha=self.alpha, name="mixed"))}
        return {AS_MEASURED: MixedResampler.of(table.select(in_order(table.names)), self.alpha)}


def _makers(pearson: bool) -> Makers:
    def make(data: Table | Counts, alpha: float) -> Test:
        return GTest(data, alpha, pearson)

    def of_summary(summary: Summary, alpha: float) -> Test:
        assert summary.counts is not None and not isinstance(summary.design, GroupedMoments)
        if summary.design is None:
            return GTest(summary.counts, alpha, pearson)
        return GTest(replace(summary.counts, grouped=summary.design), alpha, pearson, summary)

    return Makers(of_table=make, of_summary=of_summary, of_counts=make, designs=True)


G = _makers(pearson=False)
CHI2 = _makers(pearson=True)
