"""Repeats: the same search on one resample after another, each with a random stream of its own.

The stream of a repeat is a child of the seed, and depends on the number of the repeat alone. So a repeat finds the same
graph wherever and whenever it runs, and repeats can run in any order. Only arrays and settings are sent to a worker,
and only lists of edges come back.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats.weighted import Weights
from ancestral.independence.base import Resampler, Test
from ancestral.knowledge import Constraints
from ancestral.parallel.clock import Watch
from ancestral.search.base import Problem
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = ["Repeats", "drawn_rows", "weights_of"]


def weights_of(seed: int, number: int, rows: int, drawn: int | None) -> Weights:
    """How often a repeat draws each row: `drawn` rows without replacement, or (None) all rows with replacement.

    >>> weights_of(1, 0, rows=8, drawn=None).sum(), weights_of(1, 0, rows=8, drawn=4).max()
    (np.int64(8), np.int64(1))
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    if drawn is None:
        return np.asarray(np.bincount(rng.integers(0, rows, rows), minlength=rows))
    return np.bincount(rng.permutation(rows)[:drawn], minlength=rows)


def drawn_rows(source: Resampler, seed: int, number: int, share: int | None) -> Weights:
    """How often a repeat draws each row of a source: clusters are drawn whole, if there are any.

    `share` is the number of rows of a subsample, None for as many as there are; of clusters the same share is drawn.
    """
    clusters = getattr(source, "clusters", None)  # a resampler of one's own need not have any
    if clusters is None:
        return weights_of(seed, number, source.rows, share)
    count = int(clusters.max()) + 1
    some = None if share is None else max(1, round(share / source.rows * count))
    return np.asarray(weights_of(seed, number, count, some)[clusters])


@dataclass(frozen=True)
class Repeats:
    """A search to be repeated; `drawn` is the number of rows of a subsample, None for a bootstrap sample."""

    source: Resampler
    settings: Settings
    seed: int
    drawn: int | None = None

    def graph(self, number: int, watch: Watch) -> Edges:
        """The graph of one repeat, with nodes in the order of names; raises `Stopped` if the watch ends the work."""
        test = self.source.test(drawn_rows(self.source, self.seed, number, self.drawn))
        names = self.source.names
        if test is None:
            return Edges.of(np.zeros((len(names), len(names)), dtype=np.uint8))
        position = {name: i for i, name in enumerate(names)}
        # a variable that does not vary in this resample is not in the test, and has no edges
        positions = np.array([position[name] for name in test.names], dtype=np.intc)
        found = self._search(test, watch, positions)
        return Edges(positions[found.pairs], found.marks)

    def _search(self, test: Test, watch: Watch, positions: NDArray[np.intc]) -> Edges:
        """The edges between the variables of the test; `positions` are theirs among all variables."""
        problem = Problem(
            questions=test.questions(test.names),
            names=test.names,
            columns=test.names,
            options=self.settings.options,
            watch=watch,
            constraints=None if self._constraints is None else self._constraints.of_some(positions),
            test=test,
        )
        algorithm = self.settings.chosen
        if algorithm.resampled is not None:
            return Edges.of(algorithm.resampled(problem))
        *_, last = algorithm.run(problem)
        return Edges.of(last.pag.marks)

    @cached_property
    def _constraints(self) -> Constraints | None:
        known = self.settings.knowledge
        return None if known is None else known.constraints(self.source.names, self.settings.allows_selection)
