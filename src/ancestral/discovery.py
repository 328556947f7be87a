"""The front door: `discover()` and `stages()`. Names outside, positions inside.

A search is a generator of stages. Time limits, progress, checkpoints and Ctrl-C are written around it, here; what it
finds is a `Discovery` (`found`).
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.arguments import optional, path_of, seconds_above_zero, worker_count
from ancestral.data.read.deadline import reading_within
from ancestral.data.read.frames import Library, library_of
from ancestral.data.read_options import ReadOptions
from ancestral.data.table import Missing
from ancestral.errors import (
    KnowledgeError,
    KnowledgeWarning,
    OptionError,
    RunError,
    RunWarning,
)
from ancestral.graphs.names import in_order, writable_names
from ancestral.independence import Oracle
from ancestral.independence.choose import Test, chosen_test
from ancestral.independence.evidence import DEFAULT_ALPHA
from ancestral.independence.sources import SourceOptions, TestChoice
from ancestral.io.files import same_file
from ancestral.io.run import SavedRun, check_target, read_run
from ancestral.knowledge import Knowledge
from ancestral.knowledge.closure import Constraints
from ancestral.parallel.clock import Progress, Stopped, Watch
from ancestral.parallel.transports import ExecutorGone
from ancestral.printing import shown
from ancestral.result import Discovery, Location
from ancestral.search.base import PossibleAncestors, Problem, nothing_asked
from ancestral.search.marginals import Marginals
from ancestral.search.remote import RemoteAsker, checked_executor
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges, Stage, StageRecord
from ancestral.show.contradictions import contradictions
from ancestral.show.progress import ProgressBar, on_terminal

__all__ = ["NotSaved", "Oracle", "Progress", "discover", "stages"]

Tell = Callable[[Progress], None]


class NotSaved(RunWarning):
    """A run, or a stage of it, could not be saved; what was found is returned all the same."""


def stages(
    source: Any,
    *,
    algorithm: str = "icd",
    alpha: float = DEFAULT_ALPHA,
    test: TestChoice = None,
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
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: bool | Tell | None = None,
) -> Iterator[Stage]:
    """Learn a PAG, one radius after the other; what each stage says is true, and later ones say more.

    The options are those of `discover`; when the time is over, there are no more stages.

    >>> from ancestral import DAG
    >>> for stage in stages(Oracle(DAG.parse("a -> c, b -> c, c -> d"))):
    ...     print(stage.radius, stage.complete, len(stage.pag.edges()), dict(stage.tests))
    0 False 5 {0: 6}
    1 False 3 {0: 6, 1: 8}
    2 True 3 {0: 6, 1: 8, 2: 3}
    """
    settings = Settings(
        algorithm,
        max_radius=max_radius,
        possible_ancestors=possible_ancestors,
        stable=stable,
        verify=verify,
        selection_bias=selection_bias,
        knowledge=Knowledge.of(knowledge),
    )
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
    away = checked_executor(executor, stable, workers)
    watch_for = optional(seconds_above_zero, "time_limit", time_limit)
    with reading_within(watch_for) as seconds_left:
        chosen = chosen_test(source, options)
    return _stages(_Search(chosen, settings, workers, executor=away), seconds_left(), progress)


def _stages(search: "_Search", time_limit: float | None, progress: bool | Tell | None) -> Iterator[Stage]:
    with ExitStack() as stack:
        watch = Watch(time_limit, _teller(progress, stack))
        last = None
        try:
            for last in search.stages(watch):
                yield last
        except Stopped:
            return
        except ExecutorGone as gone:
            warnings.warn(_told_gone(gone, last), RunWarning, stacklevel=2)


def _told_gone(gone: ExecutorGone, last: Stage | None) -> str:
    left = "nothing was asked" if last is None else "this is the graph of the last complete stage"
    return f"the executor is gone ({gone}): {left}"


def discover(
    source: Any,
    *,
    algorithm: str = "icd",
    alpha: float = DEFAULT_ALPHA,
    test: TestChoice = None,
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
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: bool | Tell | None = None,
    save: Location | None = None,
    resume: Location | None = None,
) -> Discovery:
    """Learn a PAG.

    The source is a pandas, polars or pyarrow table, a numpy array, a path to a CSV, TSV or Parquet file, `Moments`,
    `Counts`, an `Oracle`, or a test of your own (a function `(x, y, given) -> p-value` with `names=`, or an object).
    Sources that need not fit into memory are read some rows at a time: a folder, a pattern such as "visits/*.parquet",
    a list of paths, an iterator of frames, a relation of DuckDB, a frame of Dask.

    How it is read:

    - `columns`, `drop`: which variables; `names`: those of a numpy array or of a function.
    - `kinds`: override how columns are read, as in `{"origin": "discrete"}`.
    - `separator`, `decimal`: of a text file, where they are not found out rightly.
    - `missing`: "refuse" missing values, "drop" incomplete rows, or "testwise": each question uses the rows complete
      for it.

    How it is asked:

    - `test`: "fisher-z", "rank", "g", "chi2", "mixed", a function or an object of your own, or None: chosen by the
      kinds of columns.
    - `alpha`: two variables count as independent where the p-value exceeds it.

    How it is searched:

    - `algorithm`: "icd"; "fci", which is anytime FCI with `max_radius`; "fci+"; "rfci", which with the defaults asks
      least and may leave an edge that the others remove; or "pc", for those who know that nothing is latent and nothing
      was selected on, which gives a CPDAG.
    - `max_radius`: stop after conditioning sets of this size; the graph is then true but may say less than could be
      said.
    - `possible_ancestors`: which nodes of a conditioning set must be possible ancestors of the pair (condition 3 of
      ICD-Sep): those that are not adjacent to its root ("distant"), "all", as in the paper, or none ("off").
    - `stable`: removals wait for the end of a radius, so the answer does not depend on the order in which edges are
      asked; False removes an edge as soon as it falls (edges go by name).
    - `verify`: ask before trusting an edge, so that every stage is sound; False is the algorithm as printed. RFCI does
      so by itself, PC has no use for it.
    - `selection_bias`: False if the sample was certainly not selected; leaves out R5–R7.
    - `knowledge`: what is known beside the data, `Knowledge(tiers=[…], …)` or the path of a file (docs/knowledge.md).
      It is kept to; where the data contradict it, there is a `KnowledgeWarning`.
    - `workers`: so many threads ask at the same time (with `stable`); the answer is the same. A function of your own is
      then called by all of them.
    - `executor`: whoever asks in the place of this process, a `concurrent.futures.Executor` such as that of a Dask
      cluster, `client.get_executor()` (with `stable`; docs/clusters.md); the answer is the same. If it goes away, the
      last complete stage is returned.

    How it is watched, stopped and kept:

    - `time_limit`: in seconds, from the call on. When it is over, and also on Ctrl-C, the search ends, even inside a
      radius, and the last complete stage is returned; `found.stopped` says why. If it is over before the data are read,
      there is a `RunError`.
    - `progress`: True shows a bar, False none, None one where standard error is a terminal; or a function that is
      called with a `Progress` now and then.
    - `save`: a run file that is written anew after every stage; `resume`: a run file to go on from, with the same data
      and settings (in ICD and PC `max_radius` may differ), which is then kept up to date unless `save` names another
      one. Where both name one file that does not exist yet, the run begins.

    >>> from ancestral import DAG
    >>> found = discover(Oracle(DAG.parse("a -> c, b -> c, c -> d")))
    >>> print(found.pag)
    a o-> c
    b o-> c
    c --> d
    >>> found.sepset("a", "d"), str(found.causes("c", "d")), str(found.causes("d", "a"))
    (frozenset({'c'}), 'yes', 'no')
    """
    settings = Settings(
        algorithm,
        max_radius=max_radius,
        possible_ancestors=possible_ancestors,
        stable=stable,
        verify=verify,
        selection_bias=selection_bias,
        knowledge=Knowledge.of(knowledge),
    )
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
    away = checked_executor(executor, stable, workers)
    limit = optional(seconds_above_zero, "time_limit", time_limit)
    beginning = optional(path_of, "resume", resume)
    target = beginning if save is None else path_of("save", save)
    before = None
    if beginning is not None and target is not None:
        begins = save is not None and same_file(beginning, target) and not beginning.exists()
        before = None if begins else read_run(beginning, to_resume=True)
    if target is not None:
        check_target(target)
    with ExitStack() as stack:
        watch = Watch(limit, _teller(progress, stack))
        with reading_within(limit):
            chosen = chosen_test(source, options)
        reading = ReadOptions.of(source, **options.reading, knowledge=knowledge)
        search = _Search(chosen, settings, workers, reading, away)
        if beginning is not None and before is not None:
            search.go_on(before, beginning)
        return search.run(watch, target, library_of(source))


def _teller(progress: bool | Tell | None, stack: ExitStack) -> Tell | None:
    """Whom to tell how far the search is."""
    if callable(progress):
        return progress
    if progress is not None and not isinstance(progress, bool):
        raise OptionError(f"progress={shown(progress)} is neither True, False, None nor a function")
    if progress or (progress is None and on_terminal()):
        return stack.enter_context(ProgressBar())
    return None


class _Search:
    """A search that can be begun, gone on with, stopped and kept."""

    def __init__(
        self,
        test: Test,
        settings: Settings,
        workers: int,
        reading: ReadOptions = ReadOptions(),  # noqa: B008
        executor: Executor | None = None,
    ) -> None:
        self.test = test
        self.reading = reading
        self.settings = replace(settings, test=test.name, alpha=test.alpha)
        # positions follow the names, so that nothing can depend on the order of columns
        self.names = in_order(writable_names(test.names))
        self.constraints = self._licences()
        helpers = worker_count(workers) - 1
        self.questions = test.questions(self.names)
        self.marginals = Marginals.asked(test, self.questions)  # looked up when somebody reads them
        self.helpers = [test.questions(self.names) for _ in range(helpers)]
        self.elsewhere = None if executor is None else RemoteAsker(executor, test, self.names)
        self.before: SavedRun | None = None
        self.resumed: Path | None = None
        self.start: Stage | None = None
        self.history: tuple[StageRecord, ...] = ()

    def _licences(self) -> Constraints | None:
        """What knowledge says about the variables, by position."""
        known = self.settings.knowledge
        if known is None:
            return None
        try:
            return known.constraints(self.names, self.settings.allows_selection)
        except KnowledgeError as error:
            place = f"{self.reading.knowledge}: " if self.reading.knowledge is not None else ""
            raise KnowledgeError(f"{place}{error}") from None

    def go_on(self, before: SavedRun, path: Path) -> None:
        """Begin where a run ended, if it was a run on the same data with the same settings."""
        if before.fingerprint != self.test.fingerprint or tuple(before.stage.names) != self.names:
            raise RunError(f"{path}: is a run on other data; resume it with the data it was begun with, or begin anew")
        if difference := before.settings.difference(self.settings):
            raise RunError(f"{path}: is a run with {difference}; resume it with the same settings, or begin anew")
        most = self.settings.max_radius
        if most is not None and before.stage.radius > most:
            raise RunError(
                f"{path}: has come to radius {before.stage.radius}, beyond max_radius={most}; begin anew for less"
            )
        self.before, self.resumed = before, path
        self.reading = before.reading
        self.history = before.history
        if before.stage.radius >= 0:
            self.start = replace(before.stage, columns=self.test.names)
        if before.stage.radius >= 0 and not before.stage.complete:  # there is more to ask
            learned = before.learned
            self.questions.relearn(None if learned is None else np.column_stack([learned, np.zeros_like(learned)]))

    def stages(self, watch: Watch) -> Iterator[Stage]:
        """The stages to come."""
        problem = Problem(
            self.questions,
            self.names,
            self.test.names,
            self.settings.options,
            watch,
            self.helpers,
            self.start,
            self.constraints,
            self.elsewhere,
        )
        try:
            yield from self.settings.chosen.search(problem)
        finally:
            if self.elsewhere is not None:
                self.elsewhere.close()

    def run(self, watch: Watch, target: Path | None, library: Library) -> Discovery:
        """Search until the end, or until something stops it; save after every stage."""
        if self.start is not None and self.start.complete:
            return self._as_it_was(self.start, target, library)
        last = self.start
        stopped = None
        try:
            for stage in self.stages(watch):
                last = stage
                asked = stage.tests.total() - sum(milestone.questions for milestone in self.history)
                self.history += (StageRecord(stage.phase, stage.radius, Edges.of(stage.oriented.marks), asked),)
                if target is not None and not stage.complete:
                    self._save(self._found(stage, "interrupt", library), target)
        except Stopped:
            stopped = "time limit"
        except KeyboardInterrupt:
            stopped = "interrupt"
            warnings.warn("interrupted: this is the graph of the last complete stage", RunWarning, stacklevel=3)
        except ExecutorGone as gone:
            stopped = "executor"
            warnings.warn(_told_gone(gone, last), RunWarning, stacklevel=3)
        if last is None:
            last = nothing_asked(self.names, self.test.names)
        if not last.complete and stopped is None:
            stopped = "max_radius"
        found = self._found(last, None if last.complete else stopped, library)
        for said in contradictions(last, found.decisions, self.settings) if self.constraints is not None else ():
            warnings.warn(said, KnowledgeWarning, stacklevel=3)
        if target is not None:
            try:
                self._save(found, target)
            except KeyboardInterrupt:  # what was found must not be lost because somebody is in a hurry
                warnings.warn(NotSaved(str(found.unsaved)), stacklevel=3)
        return found

    def _as_it_was(self, stage: Stage, target: Path | None, library: Library) -> Discovery:
        """A run that was complete already: nothing is asked, and it is saved if that was asked for elsewhere."""
        found = Discovery(
            stage=stage,
            test=self.test,
            settings=self.settings,
            history=self.history,
            reading=self.reading,
            library=library,
            saved=self.before,
        )
        if target is not None and not (self.resumed is not None and same_file(target, self.resumed)):
            self._save(found, target)
        return found

    def _found(self, stage: Stage, stopped: str | None, library: Library) -> Discovery:
        return Discovery(
            stage=stage,
            test=self.test,
            settings=self.settings,
            history=self.history,
            stopped=stopped,
            reading=self.reading,
            library=library,
            marginals=self.marginals,
        )

    @staticmethod
    def _save(found: Discovery, target: Path) -> None:
        """Save the run; a failure is a warning, and stays in `found.unsaved`: what was found must not be lost."""
        try:
            found.save(target)
        except RunError as error:
            warnings.warn(NotSaved(str(error)), stacklevel=4)
