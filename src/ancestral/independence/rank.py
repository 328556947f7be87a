"""The test "rank": only the order of values counts, for monotone relations between columns that are far from normal.

The values of each column of numbers or ordered levels are replaced by the normal quantiles of their ranks. Where there
are only numbers, Fisher's z judges these scores. Where there are levels, the likelihood ratio of blocks does, as in
the test "mixed", in which labels are indicators.
"""

from collections.abc import Mapping
from functools import partial

from ancestral.data import Moments, Table
from ancestral.data.stats.weighted import WeightedRows
from ancestral.graphs.names import in_order
from ancestral.independence.base import Makers, MomentsSource, Resampler, Test, no_effect
from ancestral.independence.designed import DesignedTest
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.rank_resampler import RankResampler
from ancestral.independence.resamplers import NORMAL_SCORES, table_to_draw
from ancestral.independence.scores import ONLY_ORDER, normal_scores

__all__ = ["RANK", "RankTest"]


class RankTest(FisherZ):
    """Asks the correlations of normal scores; `moments` are those of the scores."""

    name = "rank"

    def resampler(self) -> Resampler:
        """Ranks the drawn rows of the table anew. Raises `OptionError` where the rows are gone."""
        table = table_to_draw(self._data)
        return RankResampler.of(WeightedRows.of(table, in_order(table.names)), partial(RankTest, alpha=self.alpha))

    def readings(self) -> Mapping[str, Resampler]:
        """Normal scores alone: a user who chooses them does not trust the values. Raises as `resampler` does."""
        return {NORMAL_SCORES: self.resampler()}

    def effect_moments(self) -> MomentsSource:
        """Refuse: scores have no units."""
        raise no_effect(*ONLY_ORDER, robust=True)


def _of_table(table: Table, alpha: float) -> Test:
    if table.design is not None:
        return DesignedTest(table, alpha, "rank")
    only_numbers = set(table.kinds) == {"continuous"}
    incomplete = table.has_missing
    if incomplete or not only_numbers:
        return LikelihoodRatio(table, alpha, rowwise=incomplete, fisher=only_numbers, scores=True)
    values, names = table.continuous_matrix()
    scores = Table.of(normal_scores(values), names=names, kinds="continuous")
    return RankTest(Moments.of(scores).standardised(), alpha, table)


RANK = Makers(of_table=_of_table, designs=True)
