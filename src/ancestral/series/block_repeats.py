"""Repeats of blocks: the same search of windows on one resample of blocks after another.

Rows of a series are not exchangeable, and neighbours tell almost the same: drawn one by one, they would seem to be far
more evidence than they are. So blocks of successive windows are drawn with replacement, or whole units, which leave
what neighbours share together (Carlstein 1986; Künsch 1989). As in `certainty.repeats`, a resample is a weight for each
row, and depends on the seed and the number of the repeat alone.

References: Carlstein (1986), Annals of Statistics 14; Künsch (1989), Annals of Statistics 17.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.repeats import weights_of
from ancestral.data import Moments
from ancestral.data.stats.weighted import Weights
from ancestral.graphs.window import Window
from ancestral.independence.base import Resampler, Test
from ancestral.independence.fisher_z import FisherZ
from ancestral.knowledge import Constraints
from ancestral.parallel.clock import Watch
from ancestral.search.base import Problem
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = ["BlockRepeats", "usual_block"]

#: Times the cube root of the windows, which is how long blocks should grow with them (Künsch 1989).
RULE = 2.0


def usual_block(windows: int, lags: int) -> int:
    """The usual number of windows of a block: twice the cube root of all, and at least twice the lags.

    >>> usual_block(1000, 3), usual_block(1000, 20)
    (20, 40)
    """
    return max(round(RULE * windows ** (1 / 3)), 2 * lags, 1)


@dataclass(frozen=True, eq=False)
class BlockRepeats:
    """A search of windows to be repeated on resamples of blocks.

    `block` has the number of the block of each row, from 0 on. `degrees_lost` is by how many fewer rows count than
    there are windows, since unit means were removed.
    """

    source: Resampler
    settings: Settings
    seed: int
    block: NDArray[np.int64]
    degrees_lost: int = 0

    def weights(self, number: int) -> Weights:
        """How often a repeat draws each row: all rows of a block equally often."""
        return np.asarray(weights_of(self.seed, number, int(self.block.max()) + 1, None)[self.block])

    def graph(self, number: int, watch: Watch) -> Edges:
        """The graph of one repeat, with nodes in the order of names; raises `Stopped` if the watch ends the work.

        A process with a node that does not vary in the resample has no edges.
        """
        weights = self.weights(number)
        test = self.source.test(weights)
        names = self.source.names
        varying = () if test is None else _whole_processes(names, test.names)
        if test is None or len(varying) < 2:
            return Edges.of(np.zeros((len(names), len(names)), dtype=np.uint8))
        test = _fewer_rows(test, round(self.degrees_lost * weights.sum() / len(weights)))
        position = {name: i for i, name in enumerate(names)}
        positions = np.array([position[name] for name in varying], dtype=np.intc)
        problem = Problem(
            questions=test.questions(varying),
            names=varying,
            columns=varying,
            options=self.settings.options,
            watch=watch,
            constraints=self._constraints.of_some(positions),
            test=test,
            places=Window.of(varying).places(varying),
        )
        *_, last = self.settings.chosen.run(problem)
        found = Edges.of(last.oriented.marks)
        return Edges(positions[found.pairs], found.marks)

    @cached_property
    def _constraints(self) -> Constraints:
        assert self.settings.knowledge is not None, "a window has an order of time"
        return self.settings.knowledge.constraints(self.source.names, self.settings.allows_selection)


def _whole_processes(names: tuple[str, ...], varying: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the nodes whose process varies at every step, in the order of names."""
    window, there = Window.of(names), set(varying)
    still = {window.place(name)[0] for name in names if name not in there}
    return tuple(name for name in names if window.place(name)[0] not in still)


def _fewer_rows(test: Test, lost: int) -> Test:
    """The test with fewer rows counted, if it is one of moments, as that of all windows is."""
    if not lost or not isinstance(test, FisherZ):
        return test
    moments = test.moments
    return FisherZ(Moments(moments.names, moments.rows - lost, moments.mean, moments.comoments), test.alpha)
