"""How unstable the edges of a search are: how often subsamples of the rows disagree about them.

As in StARS (Liu, Roeder & Wasserman 2010, Stability approach to regularization selection, NeurIPS): of N rows some are
drawn without replacement, 10 √N of them, or 80 % of up to 144 rows. If a share θ of subsamples has an edge between two
variables, then two subsamples disagree about it with probability 2 θ (1 − θ). The instability is the mean over all
pairs. Every level has the same subsamples.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ancestral.certainty.repeats import Repeats
from ancestral.certainty.schedule import run_repeats
from ancestral.errors import Option, OptionError
from ancestral.independence.base import BaseTest
from ancestral.options import RunOptions
from ancestral.parallel.clock import Watch
from ancestral.search.settings import Settings

__all__ = ["Subsamples", "drawn_of"]

#: Rows up to which 80 % are drawn: 10 √144 would be 120 of them, which leaves little to vary.
FEW_ROWS = 144

#: The fewest rows that can be searched (`data/audit`).
FEWEST_DRAWN = 5


def drawn_of(rows: int) -> int:
    """The number of rows of a subsample.

    >>> drawn_of(100), drawn_of(400), drawn_of(10_000)
    (80, 200, 1000)
    """
    return int(0.8 * rows) if rows <= FEW_ROWS else int(10 * sqrt(rows))


@dataclass(frozen=True)
class Subsamples:
    """The subsamples of a sweep: how many, of how many rows each, and their seed."""

    count: int
    drawn: int
    seed: int

    @classmethod
    def of(cls, test: BaseTest, count: int, seed: int) -> "Subsamples | None":
        """The subsamples of the rows of a test; None if none are wanted. Raises `OptionError` without enough rows."""
        if not count:
            return None
        rows = test.resampler().rows  # raises if there are no rows to draw
        drawn = drawn_of(rows)
        if drawn < FEWEST_DRAWN:
            raise OptionError(
                f"needs more rows: {drawn} of {rows} would be drawn, and a search needs at least {FEWEST_DRAWN}",
                option="resamples",
                value=count,
                way_out=["leave ", Option("resamples"), " out"],
                assigned=True,
            )
        return cls(count, drawn, seed)

    def instability(self, test: BaseTest, settings: Settings, run: RunOptions, watch: Watch) -> float | str:
        """The instability of the edges at the level of this test, or why the searches ended early."""
        resampler = test.resampler()
        work = Repeats(resampler, settings, self.seed, self.drawn)
        done = run_repeats(work, self.count, executor=run.executor, workers=run.workers, seconds=watch.seconds_left)
        if done.stopped is not None:
            return done.stopped
        n = len(resampler.names)
        joined = np.zeros((n, n))
        for graph in done.graphs:
            joined[tuple(graph.pairs.T)] += 1
        share = joined[np.triu_indices(n, 1)] / self.count
        return float((2 * share * (1 - share)).mean())
