"""The front door: `discover_series()`."""

from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Unpack

from ancestral.data.libraries import library_of
from ancestral.data.read.deadline import reading_within
from ancestral.data.read_options import ReadOptions
from ancestral.data.series import Windows, windows_of
from ancestral.errors import OptionError
from ancestral.given_warnings import kept_warnings
from ancestral.graphs import SeriesDAG
from ancestral.graphs.window import Window
from ancestral.independence.base import Test
from ancestral.independence.choice import test_of_windows
from ancestral.independence.oracle import Oracle
from ancestral.independence.sources import TestChoice
from ancestral.knowledge import SeriesKnowledge
from ancestral.option_groups import with_options
from ancestral.options import RunOptions, SeriesKeywords, SeriesOptions, TableOptions
from ancestral.parallel.clock import Watch
from ancestral.search.progress import Progress
from ancestral.search.settings import Settings
from ancestral.search_run import RunFiles, SearchRun
from ancestral.series.result import SeriesDiscovery
from ancestral.show.progress import ProgressBar, progress_callback

__all__ = ["OPTION_TYPES", "discover_series"]

#: Types of options that `ancestral.options` names and does not import.
OPTION_TYPES = {"Progress": Progress, "SeriesKnowledge": SeriesKnowledge, "TestChoice": TestChoice}


@with_options(SeriesOptions, OPTION_TYPES)
def discover_series(source: Any, **options: Unpack[SeriesKeywords]) -> SeriesDiscovery:
    """Learn a graph over lags from one or several time series.

    The processes must be stationary: what causes what, and how strongly, is the same at every step. Some may be
    unmeasured; the sample must not be selected (docs/series.md).

    Args:
        source: A frame of pandas, polars or pyarrow, a numpy array, or a path, whose rows are steps; a list or a
            dictionary of such frames or arrays, each a unit; an iterator of frames, which are summed up unit by unit;
            or a `SeriesDAG`, whose window is then searched with an oracle.

    {options}

    Returns:
        A `SeriesDiscovery`: the graph of the window, of the edges that end at t, and of the processes, with all
        reasons.

    Raises:
        OptionError: If an option is wrong.
        DataError: If the data cannot be searched.
        KnowledgeError: If the knowledge is wrong.
        RunError: If a run file cannot be read, written or resumed.

    Examples:
        >>> import ancestral as an
        >>> dag = an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales, sales -1-> sales")
        >>> found = discover_series(an.simulate.linear_series(dag, rows=500, seed=1), lags=2)
        >>> print(found.pag)
        rain[t-1] --> rain[t]
        rain[t-1] --> sales[t]
        sales[t-1] --> sales[t]
        >>> print(found.summary)
        rain --> rain (lag 1)
        rain --> sales (lag 1)
        sales --> sales (lag 1)
    """
    chosen = SeriesOptions.from_keywords("discover_series", options)
    lags, within_step = _lags(chosen.windows.lags)
    stated = _knowledge(chosen.search.knowledge, chosen.search.own_past, within_step)
    files = RunFiles(chosen.file)
    limit = chosen.run.time_limit
    with ExitStack() as stack, kept_warnings():
        watch = Watch(limit, progress_callback(chosen.run.progress, ProgressBar, stack))
        with reading_within(limit):
            test, windows, window = _test(source, chosen, lags)
        settings = Settings(
            algorithm="series",
            max_radius=chosen.search.max_radius,
            knowledge=stated.window(window),
            colliders="first" if windows is None else "agreed",
        )
        reading = _reading(source, chosen, windows)
        search = SearchRun(test, settings, RunOptions(time_limit=limit, progress=chosen.run.progress), reading)
        if files.previous is not None:
            search.resume(*files.previous)
        run = search.run(watch, files.target, library_of(source))
    return SeriesDiscovery(run, windows)


def _lags(value: int | str) -> tuple[int, bool]:
    """The largest lag, and whether something may act within a step."""
    return (value, True) if isinstance(value, int) else (int(value.partition("..")[2]), False)


def _knowledge(source: Any, own_past: Any, within_step: bool) -> SeriesKnowledge:
    """What is known about the processes, by all options together."""
    stated = SeriesKnowledge.of(source) or SeriesKnowledge()
    if not within_step:
        stated = replace(stated, within_step=False)
    if own_past is None:
        return stated
    everything = tuple(own_past) == ("all",) or stated.own_past == "all"
    return replace(stated, own_past="all" if everything else [*{*stated.own_past, *own_past}])


def _test(source: Any, chosen: SeriesOptions, lags: int) -> tuple[Test, Windows | None, Window]:
    """What answers questions about the window, and the windows of the data, if there are any."""
    if isinstance(source, SeriesDAG):
        given = {**dict(chosen.source.given), **dict(chosen.windows.given)}
        if unused := [name for name in given if name != "lags"]:
            raise OptionError(
                "does not apply to a SeriesDAG, which has no data",
                option=unused[0],
                value=given[unused[0]],
                assigned=True,
            )
        oracle = Oracle(source.window(lags))
        return oracle, None, Window.of(oracle.names)
    windows = windows_of(
        source,
        lags=lags,
        time=chosen.windows.time,
        unit=chosen.windows.unit,
        step=chosen.windows.step,
        missing=chosen.source.missing,
        options=TableOptions.from_attributes(chosen.source),
    )
    return test_of_windows(windows, chosen.source), windows, windows.window


def _reading(source: Any, chosen: SeriesOptions, windows: Windows | None) -> ReadOptions:
    if windows is None:
        return ReadOptions()
    of = chosen.windows
    return ReadOptions.of(
        source,
        chosen.source,
        chosen.search.knowledge,
        time=of.time,
        unit=of.unit,
        step=None if of.step is None else str(windows.report.step),
        windows=str(windows.report),
    )
