"""The bootstrap of time series: the same search on resamples of blocks of windows, or of whole units."""

import warnings
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import whole_number
from ancestral.certainty.progress import RepeatsProgress
from ancestral.certainty.schedule import run_repeats
from ancestral.data.series import Windows
from ancestral.errors import OptionError, RunWarning
from ancestral.io.saved import FileHead
from ancestral.options import RepeatsOptions
from ancestral.options.resampling import ResampleOptions
from ancestral.printing import counted
from ancestral.resampling.file import SavedBootstrap
from ancestral.result import Discovery
from ancestral.search.stage import Edges
from ancestral.series.block_repeats import BlockRepeats, usual_block
from ancestral.series.bootstrap_result import SeriesBootstrap
from ancestral.show.progress import progress_callback
from ancestral.show.repeats_bar import RepeatsBar

__all__ = ["bootstrap_series"]

#: With at least so many units, units are drawn whole unless a length of blocks is given.
MANY_UNITS = 10

#: The least number of blocks to draw from: of fewer, resamples are too much alike.
FEWEST_BLOCKS = 5


def bootstrap_series(
    run: Discovery,
    windows: Windows | None,
    *,
    repeats: int = 100,
    block: int | None = None,
    seed: int = 1,
    workers: int = 1,
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: "bool | Callable[[RepeatsProgress], None] | None" = None,
) -> SeriesBootstrap:
    """Search resamples of the windows of a run, and count; see `SeriesDiscovery.bootstrap`."""
    drawing = ResampleOptions(repeats=repeats, seed=seed)
    how = RepeatsOptions(workers=workers, executor=executor, time_limit=time_limit, progress=progress)
    if windows is None:
        raise OptionError("resamples are drawn from data, and this run has none; search the data again")
    blocks, drawn = _blocks(windows, block)
    source = run.test.resampler()
    work = BlockRepeats(source, run.settings, drawing.seed, blocks, windows.degrees_lost)
    with ExitStack() as stack:
        done = run_repeats(
            work,
            drawing.repeats,
            executor=how.executor,
            workers=how.workers,
            seconds=how.time_limit,
            tell=progress_callback(how.progress, RepeatsBar, stack),
        )
    if done.stopped == "interrupt":
        warnings.warn(f"interrupted; repeats that were done: {len(done.graphs)}", RunWarning, stacklevel=3)
    reading = replace(run.reading, windows=f"{windows.report}; drawn again as {drawn}")
    saved = SavedBootstrap(
        **FileHead.of(run.test, run.settings, reading, run.made_by).shared(),
        columns=run.pag.nodes,
        seed=drawing.seed,
        subsample=None,
        wanted=drawing.repeats,
        stopped=done.stopped,
        estimate=Edges.of(run.pag.arranged(source.names)),
        graphs=tuple(done.graphs),
    )
    return SeriesBootstrap(saved, run, drawn)


def _blocks(windows: Windows, block: int | None) -> tuple[NDArray[np.int64], str]:
    """The block of each window, and in words what is drawn. Raises `OptionError` if there are too few blocks."""
    units = len(windows.report.units)
    if block is None and units >= MANY_UNITS:
        return windows.blocks(), f"{units:,} whole units"
    if block is None:
        length = usual_block(windows.report.used, windows.window.lags)
    else:
        length = whole_number("block", block, 1)
    blocks = windows.blocks(length)
    count = int(blocks.max()) + 1
    if count < FEWEST_BLOCKS:
        raise OptionError(
            f"of {counted(windows.report.used, 'window')} leaves {counted(count, 'block')} to draw from, and at least "
            f"{FEWEST_BLOCKS} are needed",
            option="block",
            value=length,
            assigned=True,
            way_out="pass a smaller one, or collect longer series",
        )
    return blocks, f"{count:,} blocks of up to {counted(length, 'window')}"
