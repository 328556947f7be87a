"""The front door of resampling: `bootstrap()` searches all rows, then many resamples of them.

A frequency is not the probability that an edge or a mark is true. It says how often the search, on data like these,
comes to the same answer: a low frequency marks what depends on a few rows, a high one what is stable. What is stable
may still be wrong, if a test is misled, or if a mark rests on a mistake that every resample repeats.

A row that is drawn twice counts as more evidence than it is, so p-values of a bootstrap sample are smaller than those
of a new sample, and it has more edges. Drawing a share of the rows, each at most once (`subsample`), has no such ties,
but fewer rows. docs/reliability.md compares frequencies with the truth.

References: Friedman, Goldszmidt & Wyner (1999), Data analysis with Bayesian networks: a bootstrap approach, UAI;
Meinshausen & Bühlmann (2010), Stability selection, JRSS B 72.
"""

import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack
from typing import Any

from ancestral.arguments import (
    MOST_SEED,
    optional,
    real,
    seconds_above_zero,
    whole_number,
    worker_count,
)
from ancestral.data import Table
from ancestral.data.read.deadline import reading_within
from ancestral.data.read.frames import library_of
from ancestral.data.read.streams import is_chunked
from ancestral.data.read_options import ReadOptions
from ancestral.data.table import Missing
from ancestral.discovery import discover
from ancestral.errors import OptionError, RunWarning
from ancestral.independence.evidence import DEFAULT_ALPHA
from ancestral.independence.sources import SourceOptions, check_rows_to_draw
from ancestral.knowledge import Knowledge
from ancestral.parallel.transports import usable_executor
from ancestral.printing import shown
from ancestral.resampling.file import SavedBootstrap
from ancestral.resampling.progress import RepeatsBar, RepeatsProgress
from ancestral.resampling.repeats import Repeats
from ancestral.resampling.result import Bootstrap
from ancestral.resampling.schedule import run_repeats
from ancestral.search.base import PossibleAncestors
from ancestral.search.stage import Edges
from ancestral.show.progress import on_terminal
from ancestral.version import VERSION

__all__ = ["bootstrap"]

Tell = Callable[[RepeatsProgress], None]
Location = str | os.PathLike[str]

#: The least number of rows of a subsample: as many as any search needs (`data/audit`).
FEWEST_ROWS = 5


def bootstrap(
    source: Any,
    *,
    repeats: int = 200,
    seed: int = 1,
    subsample: float | None = None,
    executor: Executor | None = None,
    algorithm: str = "icd",
    alpha: float = DEFAULT_ALPHA,
    test: str | None = None,
    names: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    drop: Iterable[str] | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str | None = None,
    max_radius: int | None = None,
    possible_ancestors: PossibleAncestors = "distant",
    stable: bool = True,
    verify: bool = True,
    selection_bias: bool = True,
    knowledge: Knowledge | Location | None = None,
    workers: int = 1,
    time_limit: float | None = None,
    progress: bool | Tell | None = None,
) -> Bootstrap:
    """Search many resamples of the rows, and count how often each edge and each mark comes back.

    The source is a table, an array or a file; moments, an oracle and a function have no rows to draw. First all rows
    are searched (`boot.found`), then `repeats` resamples of them:

    - `subsample`: None draws as many rows as there are, with replacement (the bootstrap); a share such as 0.5 draws
      that part of the rows, each at most once.
    - `seed`: each repeat has a random stream of its own, a child of the seed, so the result does not depend on
      `workers`, `executor` or the order in which repeats end.
    - `executor`: any `concurrent.futures.Executor`; repeats go out in chunks, and lists of edges come back. A chunk
      that is lost is sent again; where the executor breaks, the repeats done are kept.
    - `workers`: without an executor, so many threads at a time.
    - `time_limit`, in seconds, and Ctrl-C end it with the repeats done, the first ones without a gap: `boot.repeats`
      says how many, `boot.stopped` why.
    - `progress`: as in `discover`; a function is called with a `RepeatsProgress`.

    All other options are those of `discover`; every resample keeps to the `knowledge`. A variable that takes a single
    value in a resample has no edges there.

    >>> import ancestral as an
    >>> dag = an.DAG.parse("a -> c, b -> c, c -> d")
    >>> rows = an.simulate.linear_gaussian(dag, rows=500, seed=1)
    >>> boot = bootstrap(rows, repeats=50, progress=False)
    >>> boot.edge("c", "d").edge, boot.edge("a", "b").edge < 0.2
    (1.0, True)
    >>> print(boot.consensus())
    a o-> c
    b o-> c
    c --> d
    """
    wanted = whole_number("repeats", repeats, 1)
    start = whole_number("seed", seed, 0, MOST_SEED)
    share = _checked_share(subsample)
    executor = usable_executor(executor, worker_count(workers))
    options = SourceOptions(
        test=test,
        alpha=alpha,
        names=names,
        columns=columns,
        drop=drop,
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
    )
    check_rows_to_draw(source, test)
    began = time.monotonic()
    about = options.reading
    reading = ReadOptions.of(source, **about, knowledge=knowledge)
    library = library_of(source)
    with ExitStack() as stack:
        tell = _teller(progress, stack)
        with reading_within(optional(seconds_above_zero, "time_limit", time_limit)) as seconds_left:
            if is_chunked(source):  # rows that are drawn must be there
                source, about = Table.of(source, **about), {}
            found = discover(
                source,
                algorithm=algorithm,
                alpha=alpha,
                test=test,
                **about,
                max_radius=max_radius,
                possible_ancestors=possible_ancestors,
                stable=stable,
                verify=verify,
                selection_bias=selection_bias,
                knowledge=knowledge,
                workers=workers,
                time_limit=seconds_left(),
                progress=False if callable(progress) else progress,
            )
        found.reading = reading
        left = None if time_limit is None else time_limit - (time.monotonic() - began)
        resampled = found.test.resampler()
        work = Repeats(resampled, found.settings, start, _drawn(share, resampled.rows))
        graphs, stopped = [], found.stopped
        if found.stopped not in ("time limit", "interrupt"):
            done = run_repeats(work, wanted, executor=executor, workers=workers, seconds=left, tell=tell)
            graphs, stopped = done.graphs, done.stopped
    if stopped == "interrupt":
        warnings.warn(f"interrupted; repeats that were done: {len(graphs)}", RunWarning, stacklevel=2)
    return Bootstrap(
        SavedBootstrap(
            made_by=f"ancestral {VERSION}",
            settings=found.settings,
            fingerprint=found.test.fingerprint,
            rows=found.test.rows,
            reading=reading,
            kinds=found.test.kinds,
            columns=found.pag.nodes,
            seed=start,
            subsample=share,
            wanted=wanted,
            stopped=stopped,
            estimate=Edges.of(found.pag.arranged(resampled.names)),
            graphs=tuple(graphs),
        ),
        found,
        library,
    )


def _checked_share(subsample: object) -> float | None:
    if subsample is None:
        return None
    share = real(subsample)
    if share is None or not 0 < share < 1:
        raise OptionError(
            f"subsample={shown(subsample)} is no share of the rows; pass a number between 0 and 1, such as 0.5"
        )
    return share


def _drawn(share: float | None, rows: int) -> int | None:
    if share is None:
        return None
    drawn = round(share * rows)
    if drawn < FEWEST_ROWS:
        raise OptionError(
            f"subsample={share!r} of {rows} rows are {drawn}; a search needs at least {FEWEST_ROWS}, so draw a larger "
            "share"
        )
    return drawn


def _teller(progress: bool | Tell | None, stack: ExitStack) -> Tell | None:
    """Whom to tell how far it is."""
    if callable(progress):
        return progress
    if progress or (progress is None and on_terminal()):
        return stack.enter_context(RepeatsBar())
    return None
