"""Tests of columns under a design: Fisher's z, on values or on normal scores, and the likelihood ratio of blocks.

Correlations are weighted, and a question is judged by how much what its rows add varies between the independent groups
of the design (`_design_cy`). So its p-value needs no model of the weights, nor of how rows of a cluster depend on each
other. How many rows the design is worth differs between questions; a search by score, which needs one number, gets that
of the mean design effect over all pairs of columns.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments, Table
from ancestral.data.design import DesignFacts
from ancestral.data.errors import underflowing
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.data.stats.grouped_rows import GroupedRows
from ancestral.data.stats.summary import Summary
from ancestral.graphs.names import in_order
from ancestral.independence._designed_blocks_cy import DesignedBlocks
from ancestral.independence.base import DataFacts, DataTest, MomentsSource, Resampler, no_effect
from ancestral.independence.blocks import Levels, block, block_levels, block_starts, check_indicators
from ancestral.independence.evidence import Scale
from ancestral.independence.resamplers import AS_MEASURED, NORMAL_SCORES, TableResampler, table_to_draw
from ancestral.independence.scores import ONLY_ORDER, as_normal_scores

__all__ = ["DesignedTest"]


class DesignedTest(DataTest):
    """Asks weighted columns in independent groups: of a table with a design, or of sums over such a table.

    `name` is "fisher-z", "mixed" or "rank": numbers and ordered levels as normal scores, judged by Fisher's z if there
    are no labels beside them, otherwise as by "mixed".
    """

    scale = Scale.P_VALUE
    judged_by_score = True

    def __init__(self, data: Table | Summary | Moments, alpha: float = 0.01, name: str = "fisher-z") -> None:
        super().__init__(data, alpha)
        self.name = name
        self._levels: dict[str, Levels]
        if isinstance(data, Table):
            assert data.design is not None
            check_indicators(data, in_memory=True)
            if name != "rank" and (tiny := [column.name for column in data.columns if column.underflows]):
                raise underflowing(tiny)
            # in the order of their names, so that no number depends on the order of the columns
            scores = name == "rank"
            self._levels = {one: block_levels(data, one, scores) for one in in_order(data.names)}
            columns = [part for one in self._levels for part in block(data, one, scores)]
            self._facts = data.design.facts
            self._columns = GroupedRows.of(range(len(columns)), columns, data.design)
        else:
            self._levels, self._columns, self._facts = data.designed_blocks()
        # labels are blocks of indicators, which the likelihood ratio judges
        self._fisher = name != "mixed" and all(levels == (None,) for levels in self._levels.values())
        sizes = list(map(len, self._levels.values()))
        starts = block_starts(sizes)
        self._places = {
            one: np.arange(first, first + size)
            for one, first, size in zip(self._levels, starts[:-1], sizes, strict=True)
        }

    @cached_property
    def design(self) -> DesignFacts:
        """Rows, weights and clusters, and how many independent rows they are worth."""
        effective = self._columns.effective_rows(self._variable_of)
        facts = self._facts
        return DesignFacts(facts.rows, facts.weights, facts.clusters, facts.cluster_count, effective)

    @property
    def _variable_of(self) -> list[int]:
        return [v for v, levels in enumerate(self._levels.values()) for _ in levels]

    def for_workers(self) -> "DesignedTest":
        """The same test without the data behind its columns."""
        other = copy(self)
        other._data = DataFacts(self.fingerprint)
        return other

    def _chosen(self, names: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.integer]]:
        """The columns of these variables, and where those of each begin."""
        blocks = [self._places[name] for name in self.checked_names(names)]
        return np.concatenate(blocks), block_starts([len(columns) for columns in blocks])

    def questions(self, names: Sequence[str]) -> DesignedBlocks:
        """The questions about these variables, numbered in this order."""
        places, starts = self._chosen(names)
        columns = self._columns
        values = columns.values
        if not np.array_equal(places, np.arange(len(values))):
            values = values[places]
        correlation = columns.correlation[np.ix_(places, places)]
        return DesignedBlocks(starts, correlation, values, columns.starts, columns.rows, self.alpha, self._fisher)

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """The weighted correlations of the columns of these variables; rows are those that the design is worth."""
        places, starts = self._chosen(names)
        levels = tuple(level for name in names for level in self._levels[name])
        effective = self.design.effective
        assert effective is not None
        rows = max(round(effective), 1)
        correlation = self._columns.correlation[np.ix_(places, places)]
        return ColumnBlocks(correlation, np.asarray(starts, dtype=np.intc), rows, levels if any(levels) else ())

    def resampler(self) -> Resampler:
        """Draws clusters, or rows if there are none. Raises `OptionError` where only sums are known."""
        return TableResampler.of(table_to_draw(self._data), partial(DesignedTest, alpha=self.alpha, name=self.name))

    def readings(self) -> Mapping[str, Resampler]:
        """The values, and the normal scores of numbers. Raises `OptionError` where only sums of rows are known."""
        table = table_to_draw(self._data)
        if self.name == "rank":
            return {NORMAL_SCORES: self.resampler()}
        out: dict[str, Resampler] = {AS_MEASURED: self.resampler()}
        if "continuous" in table.kinds:
            out[NORMAL_SCORES] = TableResampler.of(table, partial(_of_scores, alpha=self.alpha, name=self.name))
        return out

    def effect_moments(self) -> MomentsSource:
        """The weighted moments, with the groups between which the errors of an effect are estimated."""
        if self.name == "rank":
            raise no_effect(*ONLY_ORDER, robust=True)
        if self.name == "mixed":
            return super().effect_moments()
        return _WeightedMoments(self._columns, {name: int(place[0]) for name, place in self._places.items()})


class _WeightedMoments:
    """Weighted moments of some of the columns, in the units of the data."""

    def __init__(self, columns: GroupedRows, place: Mapping[str, int]) -> None:
        self.columns = columns
        self.place = place

    def select(self, names: Sequence[str]) -> Moments:
        """The moments of these columns."""
        chosen = self.columns.select([self.columns.keys[self.place[name]] for name in names])
        named = GroupedRows(tuple(names), chosen.values, chosen.scales, chosen.starts, chosen.rows)
        comoments = chosen.correlation * np.outer(chosen.scales, chosen.scales) * chosen.rows
        return Moments(tuple(names), chosen.rows, None, comoments, named)


def _of_scores(table: Table, alpha: float, name: str) -> DesignedTest:
    return DesignedTest(as_normal_scores(table), alpha, name)
