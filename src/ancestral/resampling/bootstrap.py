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

import time
import warnings
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Unpack

from ancestral.certainty.progress import RepeatsProgress
from ancestral.certainty.repeats import Repeats
from ancestral.certainty.resamples import BY, search_resamples
from ancestral.certainty.schedule import run_repeats
from ancestral.data.audit import audited_table
from ancestral.data.libraries import library_of
from ancestral.data.read.deadline import reading_within
from ancestral.data.read.file_lists import located
from ancestral.data.read.kinds import is_stream, kind_of_data
from ancestral.data.read.samples import samples_in
from ancestral.data.read_options import ReadOptions
from ancestral.discovery import OPTION_TYPES
from ancestral.errors import OptionError, RunWarning
from ancestral.given_warnings import kept_warnings
from ancestral.independence.choice import chosen_test
from ancestral.independence.resamplers import resampler_of
from ancestral.independence.sources import check_rows_to_draw
from ancestral.io.saved import FileHead
from ancestral.option_groups import with_options
from ancestral.options import BootstrapKeywords, BootstrapOptions, RunOptions, SourceOptions
from ancestral.parallel.clock import Watch
from ancestral.resampling.effects import checked_effects, resampled_effects
from ancestral.resampling.file import SavedBootstrap
from ancestral.resampling.result import Bootstrap
from ancestral.search.plan import SearchPlan, with_experiment
from ancestral.search.stage import Edges
from ancestral.search_run import SearchRun
from ancestral.show.progress import ProgressBar, progress_callback
from ancestral.show.repeats_bar import RepeatsBar

__all__ = ["bootstrap"]

#: The least number of rows of a subsample: as many as any search needs (`data/audit`).
FEWEST_ROWS = 5


@with_options(BootstrapOptions, {**OPTION_TYPES, "RepeatsProgress": RepeatsProgress})
def bootstrap(
    source: Any, *, effects: Iterable[tuple[str, str]] | None = None, **options: Unpack[BootstrapKeywords]
) -> Bootstrap:
    """Search many resamples of the rows, and count how often each edge and each mark comes back.

    First all rows are searched (`boot.found`), then resamples of them; every search keeps to the `knowledge`. A
    variable that takes a single value in a resample has no edges there. Resamples of the scored search are searched in
    each reading of the data, as `found.certainty` does, so that they also tell what is firm (`boot.certainty`).

    Args:
        source: A table, an array or a file; moments, an oracle and a function have no rows to draw.
        effects: Pairs of a cause and an effect, such as `[("x", "y")]`. Each is estimated in every resample, in linear
            relations, in the graph of that resample: `boot.effect("x", "y")` has their spread, and in how many there is
            none, or none is identified.

    {options}

    Returns:
        A `Bootstrap`; print it.

    Raises:
        OptionError: If an option is wrong, or the source has no rows to draw.
        DataError: If the data cannot be searched.
        KnowledgeError: If the knowledge is wrong.
        UnknownName: If `effects` has a name that is not a variable.
        RunError: If the time is over before there is anything to return.

    Examples:
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
    chosen = BootstrapOptions.from_keywords("bootstrap", options)
    drawing, run, how = chosen.resample, chosen.run, chosen.source
    here = RunOptions(workers=run.workers)  # all rows are searched in this process
    library, source = library_of(source), samples_in(source)
    plan = SearchPlan(how, with_experiment(source, chosen.search, chosen.experiment), here)
    check_rows_to_draw(source, how)
    began = time.monotonic()
    reading = ReadOptions.of(source, how, chosen.search.knowledge)
    with kept_warnings():
        with reading_within(run.time_limit) as seconds_left:
            source = located(source)
            if is_stream(source):  # rows that are drawn must be there
                how.refuse_unused(kind_of_data(source))
                source, how = audited_table(source, how), SourceOptions(test=how.test, alpha=how.alpha)
            test = plan.screened(source, chosen_test(source, how, plan.tests))
        settings = plan.settings(source, test)
        pairs = checked_effects(effects, test, settings.knowledge, drawing.subsample)
        with ExitStack() as stack:
            shown = progress_callback(False if callable(run.progress) else run.progress, ProgressBar, stack)
            search = SearchRun(test, settings, here, reading)
            found = search.run(Watch(seconds_left(), shown), None, library)
    left = None if run.time_limit is None else run.time_limit - (time.monotonic() - began)
    graphs: Sequence[Edges] = ()
    stopped, resamples = found.stopped, None
    resampled = resampler_of(found.test)
    how_run: dict[str, Any] = {"executor": run.executor, "workers": run.workers, "seconds": left}
    if found.stopped not in ("time limit", "interrupt"):
        with ExitStack() as stack:
            how_run["tell"] = progress_callback(run.progress, RepeatsBar, stack)
            if found.settings.algorithm == BY and drawing.subsample is None:
                resamples = search_resamples(found.test, found.settings, drawing.repeats, drawing.seed, **how_run)
                graphs, stopped = next(iter(resamples.graphs.values())), resamples.stopped
            else:
                work = Repeats(resampled, found.settings, drawing.seed, _drawn(drawing.subsample, resampled.rows))
                done = run_repeats(work, drawing.repeats, **how_run)
                graphs, stopped = done.graphs, done.stopped
    if stopped == "interrupt":
        warnings.warn(f"interrupted; repeats that were done: {len(graphs)}", RunWarning, stacklevel=2)
    saved = SavedBootstrap(
        **FileHead.of(found.test, found.settings, reading, found.made_by).shared(),
        columns=found.pag.nodes,
        seed=drawing.seed,
        subsample=drawing.subsample,
        wanted=drawing.repeats,
        stopped=stopped,
        estimate=Edges.of(found.pag.arranged(resampled.names)),
        graphs=tuple(graphs),
        resamples=resamples,
    )
    if pairs:
        drawn_graphs = [(saved.graph(graph), numbers) for graph, numbers in saved.distinct]
        saved = replace(saved, effects=resampled_effects(pairs, resampled, drawing.seed, drawn_graphs))
    return Bootstrap(saved, found, library)


def _drawn(share: float | None, rows: int) -> int | None:
    if share is None:
        return None
    drawn = round(share * rows)
    if drawn < FEWEST_ROWS:
        raise OptionError(
            f"of {rows} rows are {drawn}, and a search needs at least {FEWEST_ROWS}",
            option="subsample",
            value=share,
            way_out="draw a larger share",
            assigned=True,
        )
    return drawn
