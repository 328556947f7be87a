"""Repeats: the same search on one resample after another, each with a random stream of its own.

The stream of a repeat is a child of the seed, found by the number of the repeat alone. So a repeat finds the same
wherever and whenever it runs, and repeats can be run in any order, by anybody. All that is sent are arrays and
settings, all that comes back are lists of edges.
"""

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats.weighted import Weights
from ancestral.independence.base import Resampler, Test
from ancestral.knowledge import Constraints
from ancestral.parallel.clock import Stopped, Watch
from ancestral.search.base import Problem
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = ["Repeats", "weights_of"]


def weights_of(seed: int, number: int, rows: int, drawn: int | None) -> Weights:
    """How often each row is in a repeat: as many as there are, with replacement; or `drawn` of them, each once.

    >>> weights_of(1, 0, rows=8, drawn=None).sum(), weights_of(1, 0, rows=8, drawn=4).max()
    (np.int64(8), np.int64(1))
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    if drawn is None:
        return np.asarray(np.bincount(rng.integers(0, rows, rows), minlength=rows))
    return np.bincount(rng.permutation(rows)[:drawn], minlength=rows)


@dataclass(frozen=True)
class Repeats:
    """A search to be repeated; `drawn` is the number of rows of a subsample, None for a bootstrap sample."""

    source: Resampler
    settings: Settings
    seed: int
    drawn: int | None = None

    def one(self, number: int, watch: Watch) -> Edges:
        """The graph of a repeat, with nodes in the order of names."""
        test = self.source.test(weights_of(self.seed, number, self.source.rows, self.drawn))
        names = self.source.names
        if test is None:
            return Edges.of(np.zeros((len(names), len(names)), dtype=np.uint8))
        position = {name: i for i, name in enumerate(names)}
        # those that do not vary in this sample depend on nothing in it
        where = np.array([position[name] for name in test.names], dtype=np.intc)
        found = self._searched(test, watch, where)
        return Edges(where[found.pairs], found.marks)

    def _searched(self, test: Test, watch: Watch, where: NDArray[np.intc]) -> Edges:
        """The edges between the variables of the test, which are these of all variables."""
        problem = Problem(
            test.questions(test.names),
            test.names,
            test.names,
            self.settings.options,
            watch,
            constraints=None if self._licences is None else self._licences.of_some(where),
        )
        *_, last = self.settings.chosen.search(problem)
        return Edges.of(last.pag.marks)

    @cached_property
    def _licences(self) -> Constraints | None:
        known = self.settings.knowledge
        return None if known is None else known.constraints(self.source.names, self.settings.allows_selection)

    def some(self, first: int, stop: int, seconds: float | None = None) -> list[Edges]:
        """The graphs of these repeats; fewer if they are not done within so many seconds from now on.

        The seconds are counted by the monotonic clock of the process that works. What time it is there does not matter.
        """
        out: list[Edges] = []
        deadline = None if seconds is None else time.monotonic() + seconds
        for number in range(first, stop):
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                break
            try:
                out.append(self.one(number, Watch(left)))
            except Stopped:
                break
        return out
