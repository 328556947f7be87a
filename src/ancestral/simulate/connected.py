"""Connected random graphs: G(n, p), every pair of n vertices joined with probability p, given that it is connected.

Drawing G(n, p) until it is connected takes about (1 - e^-c)^-n draws where p = c/n: ten for n = 15 and c = 2, and
10^63 for n = 1000. The idea here is to explore the graph from one vertex, and to draw at which step each vertex is
found, given that all of them are found.

*Exploration.* Begin at vertex 0, the first to be found. Visit the found vertices one at a time, in the order in which
they were found (those found by the same visit in the order of their numbers); a visit finds all neighbours of the
visited vertex that were not found before. Let F(v) be the number of visits that came before the visit that found v.
List the vertices in the order of visits. Then the one in place j, j > 0,

- has no edge to the places 0 … F - 1, visited before it was found: together probability (1 - p)^F,
- has an edge to place F, the vertex that found it: probability p,
- may have an edge to the places F + 1 … j - 1, visited while it was waiting: each with probability p.

*Which F occur.* The exploration reaches every vertex if and only if, with F in increasing order, F of place j is less
than j: the finder is visited before. Any such F is that of some connected graphs, each graph has one F, and every pair
of places i < j has been counted once, at j. So, given that G(n, p) is connected, the F(v) have a probability
proportional to the product of (1 - p)^F(v) p over all v but 0: they are independent and geometric, under the condition
F(place j) < j. And given F, the edges to waiting vertices are independent.

*Drawing F.* All F are at most n - 2, so they are drawn independently from the geometric distribution truncated there,
until the condition holds. Truncation removes values that are exponentially rare: the condition then holds with
probability about 1 - c/(e^c - 1), two in three for c = 2, and never less than that of a random tree,
n^(n-2) / (n-1)^(n-1), about e/n.
"""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["connected_graph"]


def connected_graph(vertices: int, probability: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """A random graph G(vertices, probability), given that it is connected, as the upper triangle of its matrix.

    `vertices` must be at least 2, and `probability` above 0 and at most 1.
    """
    places = np.arange(vertices)
    finder = _finders(vertices, probability, rng)
    order = np.concatenate([[0], 1 + np.argsort(finder, kind="stable")])
    found_by = np.concatenate([[-1], np.sort(finder)])

    # row j, column i: place j has an edge to an earlier place i
    earlier, later = places[None, :], places[:, None]
    waiting = (found_by[:, None] < earlier) & (earlier < later)
    joined = np.zeros((vertices, vertices), dtype=bool)
    joined[waiting] = rng.random(np.count_nonzero(waiting)) < probability
    joined[places[1:], found_by[1:]] = True

    j, i = np.nonzero(joined)
    out = np.zeros((vertices, vertices), dtype=bool)
    out[np.minimum(order[i], order[j]), np.maximum(order[i], order[j])] = True
    return out


def _finders(vertices: int, probability: float, rng: np.random.Generator) -> NDArray[np.intp]:
    """F of the vertices 1, 2, …: geometric, truncated at vertices - 2, given that the finder is visited before."""
    visits = np.arange(1, vertices)
    stays_hidden = math.log1p(-probability) if probability < 1 else -math.inf
    found_within = -np.expm1(visits * stays_hidden)  # precise also where probability is tiny
    while True:
        uniform = rng.random(vertices - 1) * found_within[-1]
        finder: NDArray[np.intp] = np.searchsorted(found_within[:-1], uniform, side="right")
        if (np.sort(finder) < visits).all():
            return finder
