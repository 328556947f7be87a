"""Normal scores: the values of a column replaced by the normal quantiles of their ranks."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.table import Table
from ancestral.errors import Option

__all__ = ["ONLY_ORDER", "as_normal_scores", "normal_scores", "weighted_shares"]

#: Why a test of normal scores has no moments to compute effects from.
ONLY_ORDER = (
    "the test 'rank' looks at the order of values only; pass ",
    Option("test", "fisher-z"),
    " if relations are linear",
)


def normal_scores(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The normal scores of each column; ties share their mean rank, and NaN stays NaN.

    With weights no value is missing, and a row's share is the weight of smaller values and half that of equal ones.
    """
    from scipy.special import ndtri
    from scipy.stats import rankdata

    if weights is not None:
        return np.asarray(ndtri(np.stack([weighted_shares(column, weights) for column in values.T], axis=1)))

    ranks = rankdata(values, axis=0, nan_policy="omit")
    present = np.sum(~np.isnan(values), axis=0)
    return np.asarray(ndtri((ranks - 0.5) / np.maximum(present, 1)))


def weighted_shares(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each value, the share of the weight of those that are smaller, and half the share of those that are equal."""
    _, place = np.unique(values, return_inverse=True)
    by_value = np.bincount(place, weights=weights)
    middle = np.cumsum(by_value) - by_value / 2
    return np.asarray(middle[place] / by_value.sum())


def as_normal_scores(table: Table) -> Table:
    """The table with the normal scores of its continuous columns in their place."""
    values, names = table.continuous_matrix()
    weights = None if table.design is None else table.design.scaled
    scores = dict(zip(names, np.ascontiguousarray(normal_scores(values, weights).T), strict=True))
    columns = (Column(one.name, scores[one.name]) if one.name in scores else one for one in table.columns)
    return replace(table, columns=tuple(columns))
