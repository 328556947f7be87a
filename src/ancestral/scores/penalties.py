"""What an edge adds to the score: the extended BIC (Foygel & Drton 2010), for edges of any number of parameters.

An edge between two numbers has one parameter and costs log rows + 4 gamma log p, where p is the number of variables. An
edge between labels has a parameter for each pair of their indicator columns. To count log rows for each of them is too
much: an edge between two labels of five levels would have to lower the deviance by 16 log rows. So such an edge costs
as much as it takes to be as improbable by chance: the quantile of chi-squared with its degrees of freedom, at the level
that the cost of one parameter has.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["edge_penalties"]


def edge_penalties(rows: float, variables: int, gamma: float, most: int) -> NDArray[np.float64]:
    """What an edge with 0 … most parameters costs.

    >>> edge_penalties(1000, 10, 0.5, 4).round(1)
    array([ 0. , 11.5, 14.6, 17. , 19.3])
    """
    from scipy.special import chdtrc, chdtri

    out = np.zeros(most + 1)
    out[1] = np.log(rows) + 4.0 * gamma * np.log(max(variables, 1))
    out[2:] = chdtri(np.arange(2, most + 1), chdtrc(1, out[1]))
    return out
