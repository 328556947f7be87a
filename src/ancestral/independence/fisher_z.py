"""Fisher's z test of partial correlations: for continuous columns that are close to jointly normal.

Two variables with partial correlation r given k others in n rows are called independent if
|atanh(r)| sqrt(n - k - 3) does not exceed the normal quantile for alpha. It needs nothing but `Moments`.
"""

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataWarning, Moments, Table
from ancestral.data.audit import strongly_non_normal
from ancestral.data.old_fingerprint import old_fingerprint
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.data.stats.column_moments import ColumnMoments
from ancestral.data.stats.summary import Summary
from ancestral.data.stats.weighted import WeightedRows, Weights
from ancestral.errors import Option
from ancestral.graphs.names import in_order
from ancestral.independence._column_products_cy import ColumnProducts
from ancestral.independence._gaussian_cy import PartialCorrelations
from ancestral.independence.base import BaseTest, DataFacts, Makers, MomentsSource, Resampler, Test
from ancestral.independence.designed import DesignedTest
from ancestral.independence.evidence import Evidences, Scale, checked_alpha, normal_p_values, normal_quantile
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.rank_resampler import RankResampler
from ancestral.independence.resamplers import AS_MEASURED, NORMAL_SCORES, table_to_draw, varying_moments

__all__ = ["FISHER_Z", "FisherZ"]

#: The size of the largest conditioning set that can be asked about; no search gets that far.
WIDEST = 200


class FisherZ(BaseTest):
    """Asks the correlations of moments.

    `data` is the table, or the summary of a stream, whose columns the moments are about, possibly in another order and
    in other units; None if the moments are all that is known.
    """

    name = "fisher-z"
    scale = Scale.NORMAL
    judged_by_score = True
    alpha: float

    def __init__(self, moments: Moments, alpha: float = 0.01, data: Table | Summary | None = None) -> None:
        self.names = moments.names if data is None else data.names
        self.kinds = dict.fromkeys(self.names, "continuous")
        self.rows = moments.rows
        self.alpha = checked_alpha(alpha)
        self.moments = moments
        self._data: Table | Summary | DataFacts | None = data
        # while some questions are being asked, others about the same variables share their matrix
        self._arrangements: WeakValueDictionary[tuple[str, ...], NDArray[np.float64]] = WeakValueDictionary()

    @property
    def fingerprint(self) -> str:
        """Identifies the data, or the moments where there are no others."""
        return self.moments.fingerprint if self._data is None else self._data.fingerprint

    @property
    def has_rows(self) -> bool:
        """Whether the moments are those of a table."""
        return isinstance(self._data, Table)

    @property
    def data_table(self) -> Table | None:
        """The table that the moments are of."""
        return self._data if isinstance(self._data, Table) else None

    @property
    def old_fingerprint(self) -> str | None:
        """The fingerprint of a table in files of earlier versions."""
        return old_fingerprint(self._data)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_arrangements": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _arrangements=WeakValueDictionary())

    def for_workers(self) -> "FisherZ":
        """The same moments, without the table or the summary behind them."""
        data = self._data
        if data is None:
            return self
        other = copy(self)
        other._data = DataFacts(data.fingerprint, dict(zip(self.names, data.lengths(self.names), strict=True)))
        return other

    def questions(self, names: Sequence[str]) -> PartialCorrelations:
        """The questions about these variables, numbered in this order."""
        thresholds = _thresholds(self.alpha, self.rows, min(len(names), WIDEST))
        if isinstance(self.moments, ColumnMoments):
            columns = self.moments.select(self.checked_names(names)).columns
            return PartialCorrelations(None, thresholds, ColumnProducts(columns))
        return PartialCorrelations(self._arranged(names), thresholds)

    def _arranged(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The correlations of these variables in this order; not copied if the moments have the same order."""
        if tuple(names) == self.moments.names:
            return self.moments.correlation
        if isinstance(self.moments, ColumnMoments):
            return self.moments.select(self.checked_names(names)).correlation
        arranged = self._arrangements.get(tuple(names))
        if arranged is not None:
            return arranged
        position = {name: i for i, name in enumerate(self.moments.names)}
        where = [position[name] for name in self.checked_names(names)]
        arranged = self.moments.correlation[np.ix_(where, where)]
        self._arrangements[tuple(names)] = arranged
        return arranged

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """The correlations of these variables in this order, a column for each."""
        return ColumnBlocks.single(self._arranged(names), self.rows)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """Fisher's z and its p-value, of squared partial correlations given sets of these sizes."""
        r = np.minimum(np.sqrt(raw[:, 0]), 1 - 1e-16)
        return normal_p_values(np.arctanh(r) * np.sqrt(np.maximum(self.rows - sizes - 3, 0)))

    def resampler(self) -> Resampler:
        """Weights the rows of the table. Raises `OptionError` where only sums of rows are known."""
        table = table_to_draw(self._data)
        return _FisherZResampler(WeightedRows.of(table, in_order(table.names)), self.alpha)

    def readings(self) -> Mapping[str, Resampler]:
        """The values, and their normal scores. Raises `OptionError` where only sums of rows are known."""
        table = table_to_draw(self._data)
        rows = WeightedRows.of(table, in_order(table.names))
        as_scores = RankResampler.of(rows, partial(FisherZ, alpha=self.alpha))
        return {AS_MEASURED: _FisherZResampler(rows, self.alpha), NORMAL_SCORES: as_scores}

    def effect_moments(self) -> MomentsSource:
        """The moments in the units of the data; no row is read again."""
        return self.moments if self._data is None else _InDataUnits(self.moments, self._data)


@dataclass(frozen=True)
class _InDataUnits:
    """Standardised moments, and the data with the lengths of the columns in their own units."""

    moments: Moments
    data: Table | Summary | DataFacts

    def select(self, names: Sequence[str]) -> Moments:
        """The moments of these columns in the units of the data."""
        chosen = self.moments.select(names)
        length = np.array(self.data.lengths(names))
        return Moments(chosen.names, chosen.rows, None, chosen.correlation * np.outer(length, length))


@dataclass(frozen=True)
class _FisherZResampler:
    """Makes Fisher's z test of weighted moments."""

    columns: WeightedRows
    alpha: float

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns.names

    @property
    def rows(self) -> int:
        return int(self.columns.values.shape[1])

    def test(self, weights: Weights) -> Test | None:
        moments = varying_moments(self.columns.moments(weights))
        return None if moments is None else FisherZ(moments, self.alpha)


@lru_cache(maxsize=16)
def _thresholds(alpha: float, rows: int, most: int) -> tuple[float, ...]:
    """For k = 0 … most given variables, the largest squared partial correlation that is called independent.

    -1 where there are too few rows for k given variables.
    """
    quantile = normal_quantile(alpha)
    left = [rows - k - 3 for k in range(most + 1)]
    return tuple(math.tanh(quantile / math.sqrt(n)) ** 2 if n >= 1 else -1.0 for n in left)


def _of_table(table: Table, alpha: float) -> Test:
    """Fisher's z on the rows that are complete for each question, or on all rows under their design."""
    if table.design is not None:
        return DesignedTest(table, alpha)
    return LikelihoodRatio(table, alpha, rowwise=True, fisher=True)


def _of_summary(summary: Summary, alpha: float) -> Test:
    """Fisher's z on the sums over the rows of a stream, in the order in which a search asks for them."""
    if summary.design is not None:
        return DesignedTest(summary, alpha)
    assert summary.moments is not None
    return FisherZ(summary.moments.select(in_order(summary.names)).standardised(), alpha, summary)


def _far_from_normal(data: Table | Summary) -> DataWarning | None:
    strange = strongly_non_normal(data)
    if not strange:
        return None
    only_tables = ", if all rows are read as one table" if isinstance(data, Summary) else ""
    return DataWarning(
        f"far from normal: {', '.join(map(repr, strange))}; fisher-z may be misled, ",
        Option("test", "rank"),
        f" looks at the order of values only{only_tables}",
    )


def _of_moments(moments: Moments, alpha: float, data: Table | None) -> Test:
    return FisherZ(moments, alpha, data) if moments.groups is None else DesignedTest(moments, alpha)


FISHER_Z = Makers(
    of_table=_of_table, of_moments=_of_moments, of_summary=_of_summary, doubt=_far_from_normal, designs=True
)
