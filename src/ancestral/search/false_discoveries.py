"""Control of false discoveries among edges: which edges have p-values that are too large for so many pairs.

The p-value of an edge is the largest one of all questions that were asked about the pair. If the pair is not adjacent,
and a set that separates it was asked about, then such a p-value is at most t with probability t at most (Li & Wang
2009; Strobl, Spirtes & Visweswaran 2019). Over the p-values of all pairs goes the step-up procedure of Benjamini &
Hochberg (1995): of m pairs, the k with the smallest p-values are discoveries, for the largest k whose largest p-value
is at most level · k / m.

Pairs without an edge have a p-value above the alpha of the search, so edges alone are looked at. The search asks at a
liberal alpha: a false edge often stays because a variable that separates the pair was cut off by a test that missed
its edge, and no smaller alpha helps against that (docs/false-discoveries.md).

References: Benjamini & Hochberg, JRSS B 57; Li & Wang, JMLR 10, 475–514; Strobl, Spirtes & Visweswaran, International
Journal of Data Science and Analytics 8.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["discoveries"]


def discoveries(p_values: NDArray[np.float64], pairs: int, level: float) -> NDArray[np.bool_]:
    """Which edges are kept, by the p-values of all edges that were asked about, among so many pairs.

    Edges without a p-value, NaN, are kept and not counted: the data have supported no question about them.

    >>> discoveries(np.array([0.001, 0.03, 0.02, 0.2]), pairs=6, level=0.1).tolist()
    [True, True, True, False]
    >>> discoveries(np.array([0.001, 0.03, 0.02, 0.2]), pairs=60, level=0.1).tolist()
    [True, False, False, False]
    """
    known = np.sort(p_values[~np.isnan(p_values)])
    passing = np.flatnonzero(known * pairs <= level * np.arange(1, len(known) + 1))
    count = int(passing[-1]) + 1 if passing.size else 0
    largest = known[count - 1] if count else -1.0
    return np.isnan(p_values) | (p_values <= largest)
