"""What edges add to the score: the extended BIC (Foygel & Drton 2010), for edges of any number of parameters.

An edge between two numbers has one parameter and costs log rows + 4 gamma log p, where p is the number of variables. An
edge between labels has a parameter for each pair of their indicator columns. To count log rows for each of them is too
much: an edge between two labels of five levels would have to lower the deviance by 16 log rows. So such an edge costs
as much as it takes to be as improbable by chance: the quantile of chi-squared with its degrees of freedom, at the level
that the cost of one parameter has.

A bidirected edge stands for something unmeasured. Where few edges are bidirected, one more is less likely than another
directed one, and differences of the likelihood by a few units are noise. So a bidirected edge costs as much more as its
odds in the graph itself say: twice the logarithm, as for a likelihood. Where most edges are bidirected, it costs
nothing.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, NONE

__all__ = ["edge_penalties", "latent_cost"]


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


#: The largest cost of a bidirected edge beyond its penalty.
MOST_LATENT_COST = 6.0


def latent_cost(marks: NDArray[np.uint8]) -> float:
    """What a bidirected edge costs beyond its penalty, by the share of such edges in a graph.

    >>> marks = np.zeros((4, 4), dtype=np.uint8)
    >>> marks[0, 1], marks[1, 0], marks[0, 2], marks[2, 0] = 2, 3, 2, 3
    >>> round(latent_cost(marks), 2)
    2.2
    """
    edges = int(np.count_nonzero(np.triu(marks != NONE)))
    both = int(np.count_nonzero(np.triu((marks == ARROW) & (marks.T == ARROW))))
    return float(np.clip(2.0 * np.log((edges - both + 1) / (both + 1)), 0.0, MOST_LATENT_COST))
