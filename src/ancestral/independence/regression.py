"""The test "regression": likelihood ratios of regressions both ways, for continuous and discrete columns together.

x and y are independent given Z if y does not help to predict x from Z, or x does not help to predict y. A continuous
response is regressed linearly, a label by multinomial logistic regression. Unlike the test "mixed", which treats
indicators of labels as Gaussian, each direction is an exact likelihood ratio of its model; of the two p-values the
larger one counts, so that one right model is enough. Every question goes through the rows, so the test takes longer.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial

import numpy as np

from ancestral.data import DataWarning, Table
from ancestral.data.audit import strongly_non_normal
from ancestral.data.stats.summary import Summary
from ancestral.graphs.names import in_order
from ancestral.independence._regression_cy import Regressions
from ancestral.independence.base import DataFacts, DataTest, Makers, Resampler
from ancestral.independence.blocks import block_columns, block_starts, check_indicators, correlation_of
from ancestral.independence.evidence import Scale, chi2_quantiles
from ancestral.independence.incomplete import IncompleteColumns
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.resamplers import TableResampler, table_to_draw

__all__ = ["REGRESSION", "RegressionTest"]


class RegressionTest(DataTest):
    """Asks the columns of a table; rows with a missing value among the variables of a question are left out of it."""

    name = "regression"
    scale = Scale.CHI2
    judged_by_score = True

    def __init__(self, table: Table, alpha: float = 0.01) -> None:
        super().__init__(table, alpha)
        check_indicators(table, in_memory=True)
        # in the order of their names, so that no number depends on the order of the columns
        order = in_order(table.names)
        blocks = [block_columns(table, name) for name in order]
        starts = block_starts([len(block) for block in blocks])
        values = np.concatenate(blocks)
        self._places = {name: np.arange(starts[v], starts[v + 1]) for v, name in enumerate(order)}
        self._regressors = _regressors(values)
        self._codes: dict[str, np.ndarray] = {}
        self._levels: dict[str, int] = {}
        for name in order:
            column = table.column(name)
            labels = column.levels is not None
            self._levels[name] = len(column.levels or ())
            self._codes[name] = np.asarray(column.values if labels else np.zeros(table.rows), dtype=np.intc)
        self._incomplete: IncompleteColumns | None = None
        self._correlation: np.ndarray | None = None
        if np.isnan(values).any():
            self._incomplete = IncompleteColumns.of(values, starts)
        else:
            self._correlation = correlation_of(list(values))

    def for_workers(self) -> "RegressionTest":
        """The same test without the table behind its columns."""
        other = copy(self)
        other._data = DataFacts(self.fingerprint)
        return other

    def questions(self, names: Sequence[str]) -> Regressions:
        """The questions about these variables, numbered in this order."""
        blocks = [self._places[name] for name in self.checked_names(names)]
        places = np.concatenate(blocks)
        starts = block_starts([len(columns) for columns in blocks])
        quantiles = chi2_quantiles(self.alpha, max(len(columns) for columns in blocks) ** 2)
        correlation = None if self._correlation is None else self._correlation[np.ix_(places, places)]
        incomplete, regressors = self._incomplete, self._regressors
        if list(names) != list(self._places):
            regressors = regressors[places]
            if incomplete is not None:
                incomplete = IncompleteColumns.of(incomplete.values[places], starts)
        codes = np.stack([self._codes[name] for name in names])
        levels = [self._levels[name] for name in names]
        return Regressions(starts, correlation, incomplete, self.rows, quantiles, regressors, codes, levels)

    def resampler(self) -> Resampler:
        """Makes the test of the drawn rows. Raises `OptionError` where the rows are gone."""
        return TableResampler.of(table_to_draw(self._data), partial(RegressionTest, alpha=self.alpha))

    def readings(self) -> Mapping[str, Resampler]:
        """The columns as the test "mixed" scores them. Raises `OptionError` if values are missing."""
        table = table_to_draw(self._data)
        return super().readings() if self._incomplete is not None else LikelihoodRatio(table, self.alpha).readings()


def _regressors(values: np.ndarray) -> np.ndarray:
    """Columns of numbers about their means, in units of their spread, and indicators as they are; 0 where missing."""
    out = np.array(values, order="C")
    for column in out:
        present = column[~np.isnan(column)]
        if present.size and not np.isin(present, (0.0, 1.0)).all():
            column -= present.mean()
            spread = np.sqrt(np.nanmean(column * column))
            column /= spread if spread > 0 else 1.0
    return np.nan_to_num(out, nan=0.0)


def _far_from_normal(data: Table | Summary) -> DataWarning | None:
    strange = strongly_non_normal(data)
    if not strange:
        return None
    return DataWarning(
        f"far from normal: {', '.join(map(repr, strange))}; the test regression may be misled; logarithms or ranks of "
        "such columns may serve better"
    )


REGRESSION = Makers(of_table=RegressionTest, doubt=_far_from_normal)
