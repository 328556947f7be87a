"""Resamples: the graphs that a short search by score finds in resamples of the rows, in each reading of the data.

Every repeat draws its rows by its number alone (`repeats`), the same rows in each reading. So resamples can be added to
at any time, and it makes no difference when and where they are searched.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.progress import RepeatsProgress
from ancestral.certainty.repeats import Repeats
from ancestral.certainty.schedule import run_repeats
from ancestral.errors import OptionError
from ancestral.graphs.names import in_order
from ancestral.independence.base import BaseTest, Resampler, Test
from ancestral.knowledge.contexts import DESIGNED
from ancestral.parallel.clock import Watch
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges, Stage

__all__ = ["BY", "DEFAULT_RESAMPLES", "SEED", "Resamples", "default_resamples", "search_resamples"]

#: The algorithm that searches resamples, whichever found the graph: how often its resamples agree tells how often it is
#: right, which the resamples of other algorithms do not (docs/believing.md).
BY = "scored"

#: The number of resamples if none was asked for: more of them change few certainties by more than a tenth.
DEFAULT_RESAMPLES = 30

#: Of the draws.
SEED = 1

#: Resamples are searched without being asked for up to these numbers of variables, of values in the table, and of edges
#: for each variable: then it takes seconds.
MOST_VARIABLES, MOST_VALUES, MOST_EDGES = 50, 500_000, 3


@dataclass(frozen=True, eq=False)
class Resamples:
    """The graphs of resamples.

    - `names`: the variables in the order of names, by which the nodes of graphs are numbered.
    - `seed`: of the draws; `wanted`: how many were asked for, in each reading.
    - `graphs`: by the name of the reading, the graphs of the first repeats, as many in each.
    - `stopped`: why there are fewer than were asked for, "time limit", "interrupt" or "executor"; otherwise None.
    """

    names: tuple[str, ...]
    seed: int
    wanted: int
    graphs: Mapping[str, tuple[Edges, ...]]
    stopped: str | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """The names of the readings."""
        return tuple(self.graphs)

    @property
    def repeats(self) -> int:
        """The number of resamples in each reading."""
        return len(next(iter(self.graphs.values()), ()))

    @cached_property
    def matrices(self) -> tuple[NDArray[np.uint8], ...]:
        """For each reading the marks of its graphs, by position; the first index is the number of the repeat."""
        n = len(self.names)
        return tuple(
            np.array([graph.matrix(n) for graph in graphs], dtype=np.uint8).reshape(-1, n, n)
            for graphs in self.graphs.values()
        )


def search_resamples(
    test: Test,
    settings: Settings,
    wanted: int,
    seed: int,
    before: Resamples | None = None,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    seconds: float | None = None,
    tell: Callable[[RepeatsProgress], None] | None = None,
) -> Resamples:
    """Search resamples of the rows of a test, as many as are wanted, beginning with those that there are `before`.

    The settings are those of the search whose graph is to be judged; resamples keep to its knowledge. A time limit
    (`seconds`), Ctrl-C, or an executor that breaks ends it with what is done. Raises `OptionError`, with the reason, if
    no rows can be drawn, or no score can judge them.
    """
    sources = _readings(test)
    known = {reading: () if before is None else before.graphs.get(reading, ())[:wanted] for reading in sources}
    have = min(map(len, known.values()))
    by_score = Settings(algorithm=BY, test=settings.test, alpha=settings.alpha, knowledge=settings.knowledge)
    work = _Readings(tuple(Repeats(source, by_score, seed) for source in sources.values()), have)
    count = len(sources)
    done = run_repeats(work, count * (wanted - have), executor=executor, workers=workers, seconds=seconds, tell=tell)
    whole = len(done.graphs) // count * count  # the last repeat may be there in some readings only
    found = {
        reading: (*known[reading][:have], *done.graphs[first:whole:count]) for first, reading in enumerate(sources)
    }
    return Resamples(in_order(test.names), seed, wanted, found, done.stopped)


def default_resamples(stage: Stage, test: Test, settings: Settings) -> int:
    """How many resamples are searched without being asked for: none where that is not possible, or would take long."""
    if settings.algorithm != BY or not stage.complete:
        return 0
    variables, edges = len(stage.names), np.count_nonzero(stage.oriented.marks) // 2
    if settings.knowledge is not None and settings.knowledge.assumes(DESIGNED):
        edges -= comb(len(settings.knowledge.contexts), 2)  # they are given, and take no time
    wanted = (
        isinstance(test, BaseTest)
        and test.has_readings
        and variables <= MOST_VARIABLES
        and variables * test.rows <= MOST_VALUES
        and edges <= MOST_EDGES * variables
    )
    return DEFAULT_RESAMPLES if wanted else 0


def _readings(test: Test) -> Mapping[str, Resampler]:
    if not isinstance(test, BaseTest):
        raise OptionError("no certainty can be computed: a test of one's own has no likelihood; pass data")
    return test.readings()


@dataclass(frozen=True)
class _Readings:
    """The repeats of all readings as one list of work: of each repeat one reading after the other.

    `first` is the number of the first repeat.
    """

    sources: tuple[Repeats, ...]
    first: int

    def graph(self, number: int, watch: Watch) -> Edges:
        repeat, reading = divmod(number, len(self.sources))
        return self.sources[reading].graph(self.first + repeat, watch)
