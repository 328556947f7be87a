"""The likelihood-ratio test on blocks of columns: for tables with continuous and discrete columns together.

A discrete variable enters as indicator columns, and all columns are treated as jointly Gaussian (degenerate Gaussian;
Andrews, Ramsey & Cooper 2019). The test needs nothing but the correlations of those columns, so it also asks data of
which only these are known (`SummedBlocks`). If values are missing and each question is to use the rows that are
complete for it, the columns themselves are kept; then it also does the work of Fisher's z.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataWarning, Moments, Table
from ancestral.data.audit import strongly_non_normal
from ancestral.data.column_kinds import Floats, Kind
from ancestral.data.errors import underflowing
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.data.stats.summary import Summary
from ancestral.data.stats.weighted import WeightedRows, Weights
from ancestral.errors import Option
from ancestral.graphs.names import in_order
from ancestral.independence._blocks_cy import Blocks
from ancestral.independence.base import (
    DataFacts,
    DataTest,
    Makers,
    MomentsSource,
    Resampler,
    Test,
    no_effect,
    no_likelihood,
)
from ancestral.independence.blocks import (
    Levels,
    SummedBlocks,
    block,
    block_columns,
    block_levels,
    block_starts,
    check_indicators,
    correlation_of,
)
from ancestral.independence.designed import DesignedTest
from ancestral.independence.evidence import Evidences, Scale, chi2_quantiles, normal_p_values, normal_quantile
from ancestral.independence.incomplete import IncompleteColumns
from ancestral.independence.resamplers import AS_MEASURED, NORMAL_SCORES, TableResampler, table_to_draw
from ancestral.independence.scores import ONLY_ORDER, as_normal_scores

__all__ = ["MIXED", "LikelihoodRatio", "MixedResampler"]


class LikelihoodRatio(DataTest):
    """Asks the blocks of a table, or of data of which only their correlations are known.

    `rowwise`: each question uses the rows that are complete for it. `fisher`: the table has continuous columns only,
    and Fisher's z decides. `scores`: numbers and ordered levels enter as normal scores, which is the test "rank".
    """

    judged_by_score = True

    def __init__(
        self,
        data: Table | SummedBlocks,
        alpha: float = 0.01,
        *,
        rowwise: bool = False,
        fisher: bool = False,
        scores: bool = False,
    ) -> None:
        super().__init__(data, alpha)
        self.rowwise = rowwise
        self.fisher = fisher
        self.scores = scores
        self.name = "rank" if scores else "fisher-z" if fisher else "mixed"
        self.scale = Scale.NORMAL if fisher else Scale.CHI2
        self._incomplete: IncompleteColumns | None = None
        self._correlation: NDArray[np.float64] | None = None
        self._levels: Mapping[str, Levels]
        if not isinstance(data, Table):
            self._levels, self._correlation = data.blocks()
            self._places = _places(list(self._levels), list(map(len, self._levels.values())))
            return
        check_indicators(data, in_memory=rowwise)
        if not rowwise and not scores and (tiny := [column.name for column in data.columns if column.underflows]):
            raise underflowing(tiny)
        # in the order of their names, so that no number depends on the order of the columns
        order = in_order(data.names)
        blocks = [block(data, name, scores) for name in order]
        sizes_in_order = [len(columns) for columns in blocks]
        self._levels = {name: block_levels(data, name, scores) for name in order}
        self._places = _places(order, sizes_in_order)
        if rowwise:
            values = np.concatenate([block_columns(data, name, scores) for name in order])
            self._incomplete = IncompleteColumns.of(values, block_starts(sizes_in_order))
        else:
            self._correlation = correlation_of([column for columns in blocks for column in columns])

    def for_workers(self) -> "LikelihoodRatio":
        """The same test without the data behind its correlations, or behind its columns."""
        other = copy(self)
        other._data = DataFacts(self.fingerprint)
        return other

    def questions(self, names: Sequence[str]) -> Blocks:
        """The questions about these variables, numbered in this order."""
        blocks = [self._places[name] for name in self.checked_names(names)]
        places = np.concatenate(blocks)
        starts = block_starts([len(columns) for columns in blocks])
        quantiles = chi2_quantiles(self.alpha, max(len(columns) for columns in blocks) ** 2)
        correlation = None if self._correlation is None else self._correlation[np.ix_(places, places)]
        values = self._incomplete
        if values is not None and list(names) != list(self._places):
            values = IncompleteColumns.of(values.values[places], starts)
        quantile = normal_quantile(self.alpha)
        return Blocks(starts, correlation, values, self.rows, quantiles, quantile, self.fisher)

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """The correlations of the columns of these variables. Raises `OptionError` if rows differ by question."""
        if self._correlation is None:
            raise no_likelihood(
                "values are missing, and each question uses other rows; pass ", Option("missing", "drop")
            )
        blocks = [self._places[name] for name in self.checked_names(names)]
        places = np.concatenate(blocks)
        starts = np.asarray(block_starts([len(columns) for columns in blocks]), dtype=np.intc)
        levels = tuple(level for name in names for level in self._levels[name])
        return ColumnBlocks(self._correlation[np.ix_(places, places)], starts, self.rows, levels)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The evidence of chi-squared statistics; of Fisher's z the root is shown, which is normal."""
        return normal_p_values(np.sqrt(raw[:, 0])) if self.fisher else super().p_values(raw, sizes)

    def resampler(self) -> Resampler:
        """Weights the rows, or draws them if values are missing. Raises `OptionError` if only sums are known."""
        table = table_to_draw(self._data)
        if not self.rowwise and not self.scores:
            return MixedResampler.of(table.select(in_order(table.names)), self.alpha)
        made_alike = partial(
            LikelihoodRatio, alpha=self.alpha, rowwise=self.rowwise, fisher=self.fisher, scores=self.scores
        )
        return TableResampler.of(table, made_alike)

    def readings(self) -> Mapping[str, Resampler]:
        """The values, and the normal scores of numbers if there are any. Raises `OptionError` if rows are missing."""
        if self.rowwise:
            return super().readings()
        if self.scores:
            return {NORMAL_SCORES: self.resampler()}
        table = table_to_draw(self._data).select(in_order(self.names))
        out: dict[str, Resampler] = {AS_MEASURED: MixedResampler.of(table, self.alpha)}
        if "continuous" in table.kinds:
            out[NORMAL_SCORES] = MixedResampler.of(as_normal_scores(table), self.alpha)
        return out

    def effect_moments(self) -> MomentsSource:
        """Refuse: there are no moments of complete rows."""
        if self.scores:
            raise no_effect(*ONLY_ORDER, robust=True)
        return super().effect_moments()


def _places(names: Sequence[str], sizes: Sequence[int]) -> dict[str, NDArray[np.integer]]:
    """The positions of the columns of each variable, if those of one come after those of another."""
    starts = block_starts(sizes)
    return {name: np.arange(first, first + size) for name, first, size in zip(names, starts[:-1], sizes, strict=True)}


@dataclass(frozen=True)
class MixedResampler:
    """Makes the test of weighted moments of the numbers, and of an indicator for each level.

    `columns` has those of one variable after the other, and `stands_for` the position of the variable of each.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    columns: WeightedRows
    stands_for: NDArray[np.int64]
    alpha: float

    @classmethod
    def of(cls, table: Table, alpha: float) -> "MixedResampler":
        """The resampler of a table whose columns are in the order of their names."""
        check_indicators(table, in_memory=True)
        values: list[NDArray[Any]] = []
        stands_for: list[int] = []
        for v, column in enumerate(table.columns):
            columns = (
                [column.values] if column.levels is None else [column.values == c for c in range(len(column.levels))]
            )
            values += columns
            stands_for += [v] * len(columns)
        discrete = np.array([kind != "continuous" for kind in table.kinds])[stands_for]
        keys = tuple(f"{i}" for i in range(len(values)))
        weighted = WeightedRows(keys, np.array(values, dtype=np.float64), discrete)
        return cls(table.names, table.kinds, weighted, np.array(stands_for), alpha)

    @property
    def rows(self) -> int:
        """The number of rows to draw from."""
        return int(self.columns.values.shape[1])

    def test(self, weights: Weights) -> Test | None:
        """The test on a resample, of the columns that vary in it; None if fewer than two do."""
        moments = self.columns.moments(weights)
        there = self.columns.values @ weights.astype(np.float64)  # of a level: how often it was drawn
        levels: dict[str, Levels] = {}
        keys: list[str] = []
        for v, (name, kind) in enumerate(zip(self.names, self.kinds, strict=True)):
            columns = np.flatnonzero(self.stands_for == v)
            if kind != "continuous":
                usual = columns[np.argmax(there[columns])]
                columns = columns[(there[columns] > 0) & (columns != usual)]
            else:
                columns = columns[moments.comoments[columns, columns] > 0]
            if columns.size:  # it varies
                own = tuple(f"{place}" for place in columns.tolist())
                levels[name] = own if kind != "continuous" else (None,)  # levels by number: no one reads their names
                keys += own
        if len(levels) < 2:
            return None
        kinds = dict(zip(self.names, self.kinds, strict=True))
        drawn = _DrawnBlocks(tuple(levels), tuple(kinds[name] for name in levels), moments.select(keys), levels)
        return LikelihoodRatio(drawn, self.alpha)


@dataclass(frozen=True)
class _DrawnBlocks:
    """The moments of the blocks of a resample."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    moments: Moments
    levels: Mapping[str, Levels]

    @property
    def rows(self) -> int:
        return self.moments.rows

    @property
    def fingerprint(self) -> str:
        return self.moments.fingerprint

    def blocks(self) -> tuple[Mapping[str, Levels], Floats]:
        return self.levels, self.moments.correlation


def _of_table(table: Table, alpha: float) -> Test:
    if table.design is not None:
        return DesignedTest(table, alpha, "mixed")
    return LikelihoodRatio(table, alpha, rowwise=table.has_missing)


def _of_summary(summary: Summary, alpha: float) -> Test:
    if summary.design is not None:
        return DesignedTest(summary, alpha, "mixed")
    return LikelihoodRatio(summary.with_moments(), alpha)


def _far_from_normal(data: Table | Summary) -> DataWarning | None:
    strange = strongly_non_normal(data)
    if not strange:
        return None
    only_tables = ", if all rows are read as one table" if isinstance(data, Summary) else ""
    return DataWarning(
        f"far from normal: {', '.join(map(repr, strange))}; the test mixed may be misled, ",
        Option("test", "rank"),
        f" looks at the order of values only{only_tables}",
    )


MIXED = Makers(of_table=_of_table, of_summary=_of_summary, doubt=_far_from_normal, designs=True)
