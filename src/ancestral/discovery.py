"""The front door: `discover()` and `stages()`."""

import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Unpack

from ancestral.arguments import path_of
from ancestral.certainty import RepeatsProgress
from ancestral.certainty.resamples import default_resamples
from ancestral.data.libraries import library_of
from ancestral.data.old_fingerprint import data_difference
from ancestral.data.read.deadline import reading_within
from ancestral.data.read.samples import samples_in
from ancestral.data.read_options import ReadOptions
from ancestral.errors import OptionError, RunError
from ancestral.given_warnings import kept_so_far, kept_warnings
from ancestral.independence import Oracle
from ancestral.independence.choice import chosen_test
from ancestral.independence.registry import TESTS, name_in_registry
from ancestral.independence.sources import TestChoice
from ancestral.io.run import read_run
from ancestral.knowledge import Knowledge
from ancestral.option_groups import with_options
from ancestral.options import DiscoverKeywords, DiscoverOptions, StagesKeywords, StagesOptions
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.transports import ExecutorGone
from ancestral.result import Discovery
from ancestral.search.plan import SearchPlan, with_experiment
from ancestral.search.progress import Progress
from ancestral.search.stage import Stage
from ancestral.search_run import RunFiles, SearchRun, executor_lost
from ancestral.show.progress import ProgressBar, progress_callback

__all__ = ["OPTION_TYPES", "Oracle", "Progress", "discover", "load_with_data", "stages"]

#: Types of options that `ancestral.options` names and does not import.
OPTION_TYPES = {
    "Executor": Executor,
    "Knowledge": Knowledge,
    "Progress": Progress,
    "TestChoice": TestChoice,
}


@with_options(StagesOptions, OPTION_TYPES)
def stages(source: Any, **options: Unpack[StagesKeywords]) -> Iterator[Stage]:
    """Learn a PAG, one step after the other.

    A step of an algorithm that asks questions is a radius: with ICD and right answers, what each stage says is true,
    and later ones say more. A step of a search by score ends with a graph whose score is at least as good as before;
    the last one is the answer. When the time is over, there are no more stages.

    Args:
        source: As in `discover`. So are the options, but for `save` and `resume`.

    {options}

    Yields:
        Stages, each with its `pag` and whether it is `complete`.

    Raises:
        OptionError: If an option is wrong, or the source has no use for it.
        DataError: If the data cannot be searched.
        KnowledgeError: If the knowledge is wrong.

    Examples:
        >>> from ancestral import DAG
        >>> for stage in stages(Oracle(DAG.parse("a -> c, b -> c, c -> d"))):
        ...     print(stage.radius, stage.complete, len(stage.pag.edges()), dict(stage.tests))
        0 False 5 {0: 6}
        1 False 3 {0: 6, 1: 8}
        2 True 3 {0: 6, 1: 8, 2: 3}
    """
    chosen = StagesOptions.from_keywords("stages", options)
    source = samples_in(source)
    plan = SearchPlan(chosen.source, with_experiment(source, chosen.search, chosen.experiment), chosen.run)
    with reading_within(chosen.run.time_limit) as seconds_left:
        test = plan.screened(source, chosen_test(source, chosen.source, plan.tests))
    search = SearchRun(test, plan.settings(source, test), chosen.run)
    return _stages(search, seconds_left(), chosen.run.progress)


def _stages(search: SearchRun, time_limit: float | None, progress: Any) -> Iterator[Stage]:
    with ExitStack() as stack:
        watch = Watch(time_limit, progress_callback(progress, ProgressBar, stack))
        last = None
        try:
            for last in search.stages(watch):
                yield last
        except Stopped:
            return
        except ExecutorGone as gone:
            warnings.warn(executor_lost(gone, last), stacklevel=2)


@with_options(DiscoverOptions, OPTION_TYPES)
def discover(source: Any, **options: Unpack[DiscoverKeywords]) -> Discovery:
    """Learn a PAG.

    Args:
        source: A pandas, polars or pyarrow table, a numpy array, a path to a file such as CSV or Parquet, `Moments`,
            `Counts`, an `Oracle`, or a test of your own (a function `(x, y, given) -> p-value` with `names=`, or an
            object). Sources that need not fit into memory are read some rows at a time: a folder, a pattern such as
            "visits/*.parquet", a list of paths, an iterator of frames, a relation of DuckDB, a frame of Dask. A
            dictionary of any of these but the last holds the samples of an experiment, by name (docs/experiments.md).

    {options}

    Returns:
        A `Discovery`, with the graph, the reasons and the settings; print it to see which algorithm was taken and why.

    Raises:
        OptionError: If an option is wrong, or the source has no use for it.
        DataError: If the data cannot be searched.
        KnowledgeError: If the knowledge is wrong.
        RunError: If a run file cannot be read, written or resumed, or the time is over before the data are read.

    Examples:
        >>> from ancestral import DAG
        >>> found = discover(Oracle(DAG.parse("a -> c, b -> c, c -> d")))
        >>> print(found.pag)
        a o-> c
        b o-> c
        c --> d
        >>> found.sepset("a", "d"), str(found.causes("c", "d")), str(found.causes("d", "a"))
        (frozenset({'c'}), 'yes', 'no')
    """
    chosen = DiscoverOptions.from_keywords("discover", options)
    files = RunFiles(chosen.file)
    resumed = None if files.previous is None else files.previous[0].settings
    library, source = library_of(source), samples_in(source)
    search_options = with_experiment(source, chosen.search, chosen.experiment)
    plan = SearchPlan(chosen.source, search_options, chosen.run, resumed)
    with ExitStack() as stack, kept_warnings():
        watch = Watch(chosen.run.time_limit, progress_callback(chosen.run.progress, ProgressBar, stack))
        with reading_within(chosen.run.time_limit):
            test = plan.screened(source, chosen_test(source, chosen.source, plan.tests))
        reading = ReadOptions.of(source, chosen.source, chosen.search.knowledge)
        search = SearchRun(test, plan.settings(source, test), chosen.run, reading)
        if files.previous is not None:
            search.resume(*files.previous)
        found = search.run(watch, files.target, library)
        if _search_resamples(found, chosen, watch):
            found.warnings = kept_so_far() or found.warnings
            if files.target is not None:
                search.save(found, files.target)
        return found


def load_with_data(path: str | os.PathLike[str], source: Any) -> Discovery:
    """A run file together with its data, read as they were for the run: nothing is searched, and nothing is written.

    Raises `RunError` if the file cannot be read, if these are not the data of the run, or if they were asked by a test
    of one's own; `DataError` for data that cannot be read.
    """
    place = path_of("path", path)
    run = read_run(place)
    name, settings = name_in_registry(run.settings.test), run.settings
    library, source = library_of(source), samples_in(source)
    if name not in TESTS:
        raise RunError(
            f"{place}: its questions were answered by {settings.test!r}, which is not a test of data by name"
        )
    chosen = DiscoverOptions.from_keywords(
        "discover", {**dict(run.reading.given), "test": name, "alpha": settings.alpha}
    )
    try:
        test = chosen_test(source, chosen.source, (name,))
    except OptionError:
        raise RunError(
            f"{place}: was made from other data: its test {name!r} does not take these as they are; name the data of "
            "this run"
        ) from None
    other = data_difference(run.fingerprint, test)
    if other is not None or set(run.stage.names) != set(test.names):
        raise RunError(f"{place}: was made from {other or 'different data'}; name the data of this run")
    return Discovery(
        stage=replace(run.stage, columns=test.names),
        test=test,
        settings=settings,
        history=run.history,
        stopped=run.stopped,
        reading=run.reading,
        library=library,
        saved=run,
    )


def _search_resamples(found: Discovery, chosen: DiscoverOptions, watch: Watch) -> bool:
    """Search resamples of the rows, if they are asked for or take seconds; whether there were any to search."""
    wanted, run = chosen.certainty.resamples, chosen.run
    if wanted is None:
        wanted = default_resamples(found.stage, found.test, found.settings)
    if not found.complete or found.resampled >= wanted or watch.seconds_left == 0:
        return False
    found.certainty(
        wanted,
        workers=run.workers,
        executor=run.executor,
        time_limit=watch.seconds_left,
        progress=_as_search_progress(run.progress) if callable(run.progress) else run.progress,
    )
    return True


def _as_search_progress(tell: Callable[[Progress], None]) -> Callable[[RepeatsProgress], None]:
    """A function that is called with the progress of resamples, and tells it as the progress of a search."""

    def told(repeats: RepeatsProgress) -> None:
        tell(Progress(None, repeats.repeats, repeats.done, 0, repeats.elapsed, repeats.remaining, "resamples"))

    return told
