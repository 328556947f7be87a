"""Normal scores: the values of a column replaced by the normal quantiles of their ranks."""

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.table import Table
from ancestral.errors import Option

__all__ = ["ONLY_ORDER", "as_normal_scores", "normal_scores"]

#: Why a test of normal scores has no moments to compute effects from.
ONLY_ORDER = (
    "the test 'rank' looks at the order of values only; pass ",
    Option("test", "fisher-z"),
    " if relations are linear",
)


def normal_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normal scores of each column; ties share their mean rank, and NaN stays NaN."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=0, nan_policy="omit")
    present = np.sum(~np.isnan(values), axis=0)
    return np.asarray(ndtri((ranks - 0.5) / np.maximum(present, 1)))


def as_normal_scores(table: Table) -> Table:
    """The table with the normal scores of its continuous columns in their place."""
    values, names = table.continuous_matrix()
    scores = dict(zip(names, np.ascontiguousarray(normal_scores(values).T), strict=True))
    columns = (Column(one.name, scores[one.name]) if one.name in scores else one for one in table.columns)
    return Table(tuple(columns), table.dropped_rows)
