"""`SearchRun`: a search that can be begun, resumed, stopped and saved; what it finds is a `Discovery`.

A search is a generator of stages. Time limits, Ctrl-C, executors that go away, and run files are handled around it,
here. Names outside, positions inside.
"""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ancestral.data.libraries import Library
from ancestral.data.old_fingerprint import data_difference
from ancestral.data.read_options import ReadOptions
from ancestral.errors import KnowledgeError, KnowledgeWarning, Option, OptionError, RunError, RunWarning
from ancestral.given_warnings import kept_so_far, warn
from ancestral.graphs.names import in_order, writable_names
from ancestral.graphs.window import Window
from ancestral.independence.base import BaseTest, Test
from ancestral.io.files import same_file
from ancestral.io.run import SavedRun, check_target, read_run
from ancestral.knowledge.closure import Constraints
from ancestral.options import FileOptions, RunOptions
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.transports import ExecutorGone
from ancestral.parallel.tuning import DEFAULTS, Tuning
from ancestral.printing import counted
from ancestral.result import Discovery
from ancestral.search.base import Problem, nothing_asked, nothing_found
from ancestral.search.marginals import Marginals
from ancestral.search.remote import RemoteAsker
from ancestral.search.settings import Settings
from ancestral.search.stage import AskedStage, Edges, GraphStage, Stage, StageRecord
from ancestral.show.contradictions import contradictions

__all__ = ["NotSaved", "RunFiles", "SearchRun", "executor_lost"]


class NotSaved(RunWarning):
    """A run, or a stage of it, could not be saved; what was found is returned all the same."""


def nothing_answered(stage: Stage) -> RunWarning | None:
    """The warning for a search none of whose questions had an answer; None if any had, or none was asked."""
    asked = stage.tests.total() + stage.verify_tests.total()
    if not asked or stage.unsupported.total() < asked:
        return None
    return RunWarning(
        f"these data could answer none of {counted(asked, 'question')}, so every edge stays without evidence, and the "
        "graph says nothing; collect more rows, or let variables have fewer levels"
    )


def executor_lost(gone: ExecutorGone, last: Stage | None) -> RunWarning:
    """The warning that the executor went away after this stage, if any was complete."""
    left = "nothing was asked" if last is None else _what_is_left(last)
    return RunWarning(f"the executor is gone ({gone}): {left}")


def _what_is_left(last: Stage) -> str:
    """What the graph of a search is that was stopped after this stage."""
    if isinstance(last, GraphStage):
        return "this is the best graph found so far" if last.begun else "no graph was found yet"
    return "this is the graph of the last complete stage"


class SearchRun:
    """A search of one source with given settings; `reading` is kept in what it finds. No answer depends on `tuning`.

    `run` ends in a `Discovery`; `stages` is the bare search. Before either, `resume` lets it go on from a saved run.
    """

    def __init__(
        self,
        test: Test,
        settings: Settings,
        run: RunOptions,
        reading: ReadOptions = ReadOptions(),  # noqa: B008
        tuning: Tuning = DEFAULTS,
    ) -> None:
        self._test = test
        self._reading = reading
        together = test.together if isinstance(test, BaseTest) else None
        self._settings = replace(settings, test=test.name, alpha=test.alpha, together=together)
        if run.executor is not None and not settings.chosen.asks:
            raise OptionError(
                ["cannot be combined with ", Option("algorithm", settings.algorithm)],
                option="executor",
                way_out="leave it out: it asks no questions that other processes could answer",
            )
        # positions follow the names, so that nothing can depend on the order of columns
        self._names = in_order(writable_names(test.names))
        self._constraints = self._known_constraints()
        self._questions = test.questions(self._names)
        self._marginals = Marginals.asked(test, self._questions)  # looked up when they are read
        self._workers = run.workers
        helpers = run.workers - 1 if self._settings.chosen.asks else 0
        self._helpers = [test.questions(self._names) for _ in range(helpers)]
        self._tuning = tuning
        self._remote = None if run.executor is None else RemoteAsker(run.executor, test, self._names, tuning)
        self._previous: SavedRun | None = None
        self._resumed: Path | None = None
        self._start: Stage | None = None
        self._history: tuple[StageRecord, ...] = ()

    def _known_constraints(self) -> Constraints | None:
        """What knowledge says about the variables, by position."""
        known = self._settings.knowledge
        if known is None:
            return None
        try:
            return known.constraints(self._names, self._settings.allows_selection)
        except KnowledgeError as error:
            place = f"{self._reading.knowledge}: " if self._reading.knowledge is not None else ""
            raise KnowledgeError(place, *error.args) from None

    def resume(self, previous: SavedRun, path: Path) -> None:
        """Go on from a saved run; raises `RunError` unless it is of the same data, with the same settings."""
        other = data_difference(previous.fingerprint, self._test)
        if other is not None or tuple(previous.stage.names) != self._names:
            raise RunError(
                f"{path}: was made from {other or 'different data'}; resume it with the original data, or start a new "
                "run"
            )
        if difference := previous.settings.difference(self._settings):
            raise RunError(
                f"{path}: is a run with ", *difference, "; resume it with the same settings, or start a new run"
            )
        most, stage = self._settings.max_radius, previous.stage
        if most is not None and stage.radius is not None and stage.radius > most:
            raise RunError(
                f"{path}: has already reached radius {stage.radius}, above ",
                Option("max_radius", most),
                "; start a new run for a smaller one",
            )
        self._previous, self._resumed = previous, path
        self._settings = replace(self._settings, algorithm_reason=previous.settings.algorithm_reason)
        self._reading = previous.reading
        if self._settings.chosen.begins_again and not stage.complete:
            return
        self._history = previous.history
        if stage.begun:
            self._start = replace(stage, columns=self._test.names)
        if isinstance(stage, AskedStage) and stage.begun and not stage.complete:  # there is more to ask
            learned = previous.learned
            self._questions.relearn(None if learned is None else np.column_stack([learned, np.zeros_like(learned)]))

    def stages(self, watch: Watch) -> Iterator[Stage]:
        """The stages to come. Raises `Stopped` when the watch ends the search, `ExecutorGone` without its executor."""
        problem = Problem(
            questions=self._questions,
            names=self._names,
            columns=self._test.names,
            options=self._settings.options,
            watch=watch,
            helpers=self._helpers,
            start=self._start,
            constraints=self._constraints,
            remote=self._remote,
            tuning=self._tuning,
            test=self._test,
            workers=self._workers,
            places=Window.of(self._test.names).places(self._names) if self._settings.chosen.windows else None,
        )
        try:
            yield from self._settings.chosen.run(problem)
        finally:
            watch.follow(None)
            if self._remote is not None:
                self._remote.close()

    def run(self, watch: Watch, target: Path | None, library: Library) -> Discovery:
        """Search until the end, or until something stops it; save after every stage if there is a target.

        Warnings are given at the line that called the function which calls this one.
        """
        if self._start is not None and self._start.complete:
            return self._as_it_was(self._start, target, library)
        last = self._start
        stopped = None
        try:
            for stage in self.stages(watch):
                last = stage
                asked = stage.tests.total() - sum(record.questions for record in self._history)
                graph = Edges.of(stage.oriented.marks)
                self._history += (StageRecord(stage.phase, stage.radius, graph, asked, stage.score),)
                if target is not None and not stage.complete:
                    self.save(self._found(stage, "interrupt", library), target)
        except Stopped:
            stopped = "time limit"
        except KeyboardInterrupt:
            stopped = "interrupt"
            warn(RunWarning(f"interrupted: {_what_is_left(last or self._nothing())}"), stacklevel=3)
        except ExecutorGone as gone:
            stopped = "executor"
            asks = self._settings.chosen.asks
            warn(executor_lost(gone, last if asks else last or self._nothing()), stacklevel=3)
        if last is None:
            last = self._nothing()
        if not last.complete and stopped is None:
            assert self._settings.chosen.asks, "an algorithm must end with a complete stage"
            stopped = "max_radius"
        found = self._found(last, None if last.complete else stopped, library)
        if (told := nothing_answered(last)) is not None:
            warn(told, stacklevel=3)
        if self._constraints is not None:
            for contradiction in contradictions(last, found.decisions, self._settings, self._test):
                warn(KnowledgeWarning(contradiction.text), stacklevel=3, about=contradiction.pairs)
        found.warnings = kept_so_far()
        if target is not None:
            try:
                self.save(found, target)
            except KeyboardInterrupt:  # what was found must not be lost because the user is in a hurry
                warnings.warn(NotSaved(*(found.unsaved.args if found.unsaved else ())), stacklevel=3)
        return found

    def _nothing(self) -> Stage:
        """The stage before the first one: nothing is known."""
        chosen = self._settings.chosen
        if chosen.asks:
            return nothing_asked(self._names, self._test.names)
        return nothing_found(self._names, self._test.names, chosen.phases[0])

    def _as_it_was(self, stage: Stage, target: Path | None, library: Library) -> Discovery:
        """A run that was complete already: nothing is asked, and it is saved unless the target is its own file."""
        found = Discovery(
            stage=stage,
            test=self._test,
            settings=self._settings,
            history=self._history,
            reading=self._reading,
            library=library,
            saved=self._previous,
        )
        if target is not None and not (self._resumed is not None and same_file(target, self._resumed)):
            self.save(found, target)
        return found

    def _found(self, stage: Stage, stopped: str | None, library: Library) -> Discovery:
        return Discovery(
            stage=stage,
            test=self._test,
            settings=self._settings,
            history=self._history,
            stopped=stopped,
            reading=self._reading,
            library=library,
            marginals=self._marginals,
            warnings=kept_so_far(),
        )

    @staticmethod
    def save(found: Discovery, target: Path) -> None:
        """Save the run; what was found must not be lost because it cannot be saved, so failures are warnings."""
        try:
            found.save(target)
        except RunError as error:
            warnings.warn(NotSaved(*error.args), stacklevel=4)


class RunFiles:
    """The run files of a search: `previous` is the run to go on from and its path, `target` is where runs are saved.

    A run is saved into the file that it resumes, unless `save` names another one. If both name one file that does not
    exist yet, the run begins.
    """

    def __init__(self, options: FileOptions) -> None:
        save, resume = (None if place is None else Path(place) for place in (options.save, options.resume))
        self.target = resume if save is None else save
        self.previous: tuple[SavedRun, Path] | None = None
        begins = resume is not None and save is not None and same_file(resume, save) and not resume.exists()
        if resume is not None and not begins:
            self.previous = read_run(resume, to_resume=True), resume
        if self.target is not None:
            check_target(self.target)
