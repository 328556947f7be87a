"""The options of how searches run: threads, executors, time, progress and run files; of one search or of many."""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from ancestral.arguments import path_of, seconds_above_zero, worker_count
from ancestral.errors import Option, OptionError
from ancestral.option_groups import Group, option
from ancestral.options.checks import executor_of, none_or, progress_of
from ancestral.options.words import RUN, Location

if TYPE_CHECKING:  # types that lie above this room or are slow to import; `with_options` is given them
    from concurrent.futures import Executor

    from ancestral.certainty.progress import RepeatsProgress
    from ancestral.search.progress import Progress

__all__ = [
    "FileKeywords",
    "FileOptions",
    "RepeatsKeywords",
    "RepeatsOptions",
    "RunKeywords",
    "RunOptions",
    "SweepRunKeywords",
    "SweepRunOptions",
]


class RunKeywords(TypedDict, total=False):
    """Names and types of `RunOptions`."""

    workers: int
    executor: "Executor | None"
    time_limit: float | None
    progress: "bool | Callable[[Progress], None] | None"


@dataclass(frozen=True, kw_only=True)
class RunOptions(Group):
    """How a search runs: what does not change its answer, unless the time is over."""

    workers: int = option(
        RUN,
        1,
        worker_count,
        "The number of threads that work at the same time (with {stable}); the answer does not depend on it.",
        "A function of your own is then called by all of them.",
    )
    executor: "Executor | None" = option(
        RUN,
        None,
        none_or(executor_of),
        "A `concurrent.futures.Executor` whose workers ask the questions instead of this process, such as that of a "
        "Dask cluster, `client.get_executor()` (with {stable}; docs/clusters.md); the answer of an {algorithm} does "
        "not depend on it. If it goes away, the last complete stage is returned.",
    )
    time_limit: float | None = option(
        RUN,
        None,
        none_or(seconds_above_zero),
        "The time in seconds after which the search ends, even inside a radius, with the graph of the last complete "
        "stage. Ctrl-C ends it in the same way.",
        "The time counts from the call on; `found.stopped` says why a search ended. If it is over before the data are "
        "read, there is a `RunError`.",
    )
    progress: "bool | Callable[[Progress], None] | None" = option(
        RUN,
        None,
        none_or(progress_of),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `Progress` now and then.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.executor is not None and self.workers != 1:
            raise OptionError(
                ["cannot be combined with ", Option("executor")],
                option="workers",
                value=self.workers,
                way_out="workers are threads of this process; leave one of them out",
                assigned=True,
            )


class FileKeywords(TypedDict, total=False):
    """Names and types of `FileOptions`."""

    save: Location | None
    resume: Location | None


@dataclass(frozen=True, kw_only=True)
class FileOptions(Group):
    """The run files that a search writes and goes on from."""

    save: Location | None = option(
        RUN, None, none_or(path_of), "A run file (.json or .json.gz), rewritten after every stage."
    )
    resume: Location | None = option(
        RUN,
        None,
        none_or(path_of),
        "A run file to continue, with the same data and settings (with ICD and PC {max_radius} may differ), by its "
        "own {algorithm} unless one is given; it is kept up to date unless {save} names another one. If both name one "
        "file that does not exist yet, the run begins.",
    )


class SweepRunKeywords(TypedDict, total=False):
    """Names and types of `SweepRunOptions`."""

    workers: int
    executor: "Executor | None"
    time_limit: float | None
    progress: "bool | Callable[[Progress], None] | None"


@dataclass(frozen=True, kw_only=True)
class SweepRunOptions(RunOptions):
    """How the searches of a sweep run: the options of a single search, two of them with another meaning."""

    time_limit: float | None = option(
        RUN,
        None,
        none_or(seconds_above_zero),
        "The time in seconds after which it ends, with the levels that are done. Ctrl-C ends it in the same way.",
        "The time counts from the call on; `sweep.stopped` says why it ended. If it is over before a level is done, "
        "there is a `RunError`.",
    )
    progress: "bool | Callable[[Progress], None] | None" = option(
        RUN,
        None,
        none_or(progress_of),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `Progress` after every search: `done` of `edges` searches.",
    )


class RepeatsKeywords(TypedDict, total=False):
    """Names and types of `RepeatsOptions`."""

    workers: int
    executor: "Executor | None"
    time_limit: float | None
    progress: "bool | Callable[[RepeatsProgress], None] | None"


@dataclass(frozen=True, kw_only=True)
class RepeatsOptions(RunOptions):
    """How the searches of a bootstrap run: the options of a single search, with another meaning."""

    workers: int = option(
        RUN, 1, worker_count, "The number of threads that search at the same time; the result does not depend on it."
    )
    executor: "Executor | None" = option(
        RUN,
        None,
        none_or(executor_of),
        "A `concurrent.futures.Executor` that searches the resamples (all rows are searched here): repeats go out in "
        "chunks, and lists of edges come back. A chunk that is lost is sent again; if the executor breaks, the repeats "
        "done are kept.",
    )
    time_limit: float | None = option(
        RUN,
        None,
        none_or(seconds_above_zero),
        "The time in seconds after which it ends, with the repeats done. Ctrl-C ends it in the same way.",
        "These are the first ones without a gap: `boot.repeats` says how many, `boot.stopped` why.",
    )
    progress: "bool | Callable[[RepeatsProgress], None] | None" = option(  # type: ignore[assignment]
        RUN,
        None,
        none_or(progress_of),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `RepeatsProgress` now and then.",
    )
