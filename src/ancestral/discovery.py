"""The front door: `discover()` and `stages()`. Names outside, positions inside.

A search is a generator of stages. Time limits, progress, checkpoints and Ctrl-C are written around it, here.
"""

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ancestral.data import DataWarning
from ancestral.data.frames import Library, library_of
from ancestral.data.reading import Reading
from ancestral.data.table import Missing
from ancestral.effects import AdjustmentSet, Effect, adjustment_set, regression_effect
from ancestral.errors import (
    GraphError,
    KnowledgeError,
    KnowledgeWarning,
    OptionError,
    RunError,
    RunWarning,
    whole_number,
)
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.independence import Oracle
from ancestral.independence.choose import Test, choose_test
from ancestral.independence.custom import CustomTest
from ancestral.independence.evidence import Evidence
from ancestral.independence.gaussian import FisherZ
from ancestral.independence.saved import SavedTest
from ancestral.io.files import check_writable, write_atomically
from ancestral.io.frames import MOST_PAIRS, Pairs, decisions_frame
from ancestral.io.relations import relations
from ancestral.io.run import SavedRun, check_target, read_run, run_text, write_run
from ancestral.knowledge import Knowledge
from ancestral.knowledge.closure import Licences
from ancestral.search.decisions import Decisions, decisions_of
from ancestral.search.elsewhere import Elsewhere, checked_executor
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges, Milestone, Stage
from ancestral.search.state import PossibleAncestors, Problem, nothing_asked
from ancestral.search.watch import Progress, Stopped, Watch
from ancestral.search.ways import ExecutorGone
from ancestral.show.causes import Answer, causes
from ancestral.show.contradictions import contradictions
from ancestral.show.layout import Layout, Positions
from ancestral.show.progress import ProgressBar, on_terminal
from ancestral.show.reasons import Explanation, explain
from ancestral.show.reliability import Reliabilities
from ancestral.show.summary import summary
from ancestral.trace import Trace
from ancestral.version import VERSION

__all__ = ["Discovery", "NotSaved", "Oracle", "Progress", "check_report", "discover", "load", "stages"]

Tell = Callable[[Progress], None]
Location = str | os.PathLike[str]


class NotSaved(RunWarning):
    """A run, or a stage of it, could not be saved; what was found is returned all the same."""


def stages(
    source: Any,
    *,
    algorithm: str = "icd",
    alpha: float = 0.01,
    test: str | Callable[..., float] | None = None,
    names: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
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
    away = checked_executor(executor, stable, workers)
    watch_for = _checked_limit(time_limit)
    chosen = choose_test(
        source,
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
    return _stages(_Search(chosen, settings, workers, executor=away), watch_for, progress)


def _stages(search: "_Search", time_limit: float | None, progress: bool | Tell | None) -> Iterator[Stage]:
    with ExitStack() as stack:
        watch = Watch(time_limit, _teller(progress, stack))
        try:
            yield from search.stages(watch)
        except Stopped:
            return
        except ExecutorGone as gone:
            warnings.warn(_told_gone(gone), RunWarning, stacklevel=2)


def _told_gone(gone: ExecutorGone) -> str:
    return f"the executor is gone ({gone}): this is the graph of the last complete stage"


def discover(
    source: Any,
    *,
    algorithm: str = "icd",
    alpha: float = 0.01,
    test: str | Callable[..., float] | None = None,
    names: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
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
) -> "Discovery":
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

    - `test`: "fisher-z", "rank", "g", "chi2", "mixed", a function, or None: chosen by the kinds of columns.
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
    - `workers`: so many threads ask at the same time (with `stable`); the answer is the same.
    - `executor`: whoever asks in the place of this process, a `concurrent.futures.Executor` such as that of a Dask
      cluster, `client.get_executor()` (with `stable`; docs/clusters.md); the answer is the same. If it goes away, the
      last complete stage is returned.

    How it is watched, stopped and kept:

    - `time_limit`: in seconds. When it is over, and also on Ctrl-C, the search ends, even inside a radius, and the last
      complete stage is returned; `found.stopped` says why.
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
    away = checked_executor(executor, stable, workers)
    limit = _checked_limit(time_limit)
    beginning = None if resume is None else Path(os.fspath(resume))
    target = beginning if save is None else Path(os.fspath(save))
    if target is not None:
        check_target(target)
    begun = beginning is not None and (save is None or beginning != target or beginning.exists())
    before = read_run(beginning) if beginning is not None and begun else None
    with ExitStack() as stack:
        watch = Watch(limit, _teller(progress, stack))
        chosen = choose_test(
            source,
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
        reading = Reading.of(
            source,
            names=names,
            columns=columns,
            drop=drop,
            kinds=kinds,
            missing=missing,
            separator=separator,
            decimal=decimal,
            knowledge=knowledge,
        )
        search = _Search(chosen, settings, workers, reading, away)
        if beginning is not None and before is not None:
            search.go_on(before, beginning)
        return search.run(watch, target, library_of(source))


def load(path: Location) -> "Discovery":
    """Read a run file; everything in it is checked, nothing in it is executed.

    The data are not in it: the graph, the reasons and the decisions can be asked, further evidence cannot.
    """
    run = read_run(Path(os.fspath(path)))
    test = SavedTest(run.settings.test, run.settings.alpha, run.stage.columns, run.rows, run.fingerprint, run.kinds)
    return Discovery(run.stage, test, run.settings, run.history, run.stopped, reading=run.reading, kept=run)


def check_report(path: Path) -> None:
    """Refuse to write a report where it is impossible, or over something else."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"{path}: a report is a page; let its name end in .html")
    check_writable(path)


def _checked_limit(time_limit: float | None) -> float | None:
    if time_limit is None:
        return None
    if isinstance(time_limit, bool) or not isinstance(time_limit, Real) or not 0 < time_limit < float("inf"):
        raise OptionError(f"time_limit={time_limit!r} is no time; pass a number of seconds above 0")
    return float(time_limit)


def _teller(progress: bool | Tell | None, stack: ExitStack) -> Tell | None:
    """Whom to tell how far the search is."""
    if callable(progress):
        return progress
    if progress is not None and not isinstance(progress, bool):
        raise OptionError(f"progress={progress!r} is neither True, False, None nor a function")
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
        reading: Reading = Reading(),  # noqa: B008
        executor: Executor | None = None,
    ) -> None:
        self.test = test
        self.reading = reading
        self.settings = replace(settings, test=test.name, alpha=test.alpha)
        # positions follow the names, so that nothing can depend on the order of columns
        self.names = in_order(test.names)
        self.licences = self._licences()
        helpers = whole_number("workers", workers, 1) - 1
        self.questions = test.questions(self.names)
        self.helpers = [test.questions(self.names) for _ in range(helpers)]
        self.elsewhere = None if executor is None else Elsewhere(executor, test, self.names)
        self.before: SavedRun | None = None
        self.start: Stage | None = None
        self.history: tuple[Milestone, ...] = ()

    def _licences(self) -> Licences | None:
        """What knowledge says about the variables, by position."""
        known = self.settings.knowledge
        if known is None:
            return None
        try:
            return known.licences(self.names, self.settings.selection_counts)
        except KnowledgeError as error:
            place = f"{self.reading.knowledge}: " if self.reading.knowledge is not None else ""
            raise KnowledgeError(f"{place}{error}") from None

    def go_on(self, before: SavedRun, path: Path) -> None:
        """Begin where a run ended, if it was a run on the same data with the same settings."""
        if before.fingerprint != self.test.fingerprint:
            raise RunError(f"{path}: is a run on other data; resume it with the data it was begun with, or begin anew")
        if difference := before.settings.difference(self.settings):
            raise RunError(f"{path}: is a run with {difference}; resume it with the same settings, or begin anew")
        most = self.settings.max_radius
        if most is not None and before.stage.radius > most:
            raise RunError(
                f"{path}: has come to radius {before.stage.radius}, beyond max_radius={most}; begin anew for less"
            )
        self.before = before
        self.reading = before.reading
        self.history = before.history
        if before.stage.radius >= 0:
            self.start = replace(before.stage, columns=self.test.names)
        if before.stage.radius >= 0 and not before.stage.complete:  # there is more to ask
            learned = before.learned
            self.questions.relearn(None if learned is None else np.column_stack([learned, np.zeros_like(learned)]))

    @cached_property
    def marginals(self) -> Any:
        """The evidence of every pair given nothing, once radius 0 has asked."""
        return self.questions.marginals()

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
            self.licences,
            self.elsewhere,
        )
        try:
            yield from self.settings.chosen.search(problem)
        finally:
            if self.elsewhere is not None:
                self.elsewhere.close()

    def run(self, watch: Watch, target: Path | None, library: Library) -> "Discovery":
        """Search until the end, or until something stops it; save after every stage."""
        if self.start is not None and self.start.complete:
            return self._as_it_was(self.start, target, library)
        last = self.start
        stopped = None
        try:
            for stage in self.stages(watch):
                last = stage
                asked = stage.tests.total() - sum(milestone.questions for milestone in self.history)
                self.history += (Milestone(stage.phase, stage.radius, Edges.of(stage.oriented.marks), asked),)
                if target is not None and not stage.complete:
                    self._save(self._found(stage, "interrupt", library), target)
        except Stopped:
            stopped = "time limit"
        except KeyboardInterrupt:
            stopped = "interrupt"
            warnings.warn("interrupted: this is the graph of the last complete stage", RunWarning, stacklevel=3)
        except ExecutorGone as gone:
            stopped = "executor"
            warnings.warn(_told_gone(gone), RunWarning, stacklevel=3)
        if last is None:
            last = nothing_asked(self.names, self.test.names)
        if not last.complete and stopped is None:
            stopped = "max_radius"
        found = self._found(last, None if last.complete else stopped, library)
        for said in contradictions(last, found.decisions, self.settings) if self.licences is not None else ():
            warnings.warn(said, KnowledgeWarning, stacklevel=3)
        if target is not None:
            self._save(found, target)
        return found

    def _as_it_was(self, stage: Stage, target: Path | None, library: Library) -> "Discovery":
        """A run that was complete already: nothing is asked, and nothing is saved that is not there."""
        found = Discovery(
            stage, self.test, self.settings, self.history, None, None, library, self.reading, kept=self.before
        )
        if target is not None and not target.exists():
            self._save(found, target)
        return found

    def _found(self, stage: Stage, stopped: str | None, library: Library) -> "Discovery":
        return Discovery(
            stage, self.test, self.settings, self.history, stopped, lambda: self.marginals, library, self.reading
        )

    @staticmethod
    def _save(found: "Discovery", target: Path) -> None:
        try:
            found.save(target)
        except RunError as error:  # what was found must not be lost because it cannot be saved
            warnings.warn(str(error), NotSaved, stacklevel=4)


class Discovery:
    """What was found: the graph, and an answer to every "why".

    `stopped` says why a run ended before it was complete: "max_radius", "time limit", "interrupt", or "executor", if
    that was gone; otherwise None. `history` has a line for each stage.
    """

    def __init__(
        self,
        stage: Stage,
        test: Test,
        settings: Settings,
        history: tuple[Milestone, ...],
        stopped: str | None = None,
        marginals: Callable[[], Any] | None = None,
        library: Library = "polars",
        reading: Reading = Reading(),  # noqa: B008
        kept: SavedRun | None = None,
    ) -> None:
        self.stage = stage
        self.test = test
        self.settings = settings
        self.history = history
        self.stopped = stopped
        self.reading = reading
        self.made_by = f"ancestral {VERSION}" if kept is None else kept.made_by
        self._kept = kept
        self._library: Library = library
        self._marginals = marginals or (lambda: self._questions.marginals())

    @property
    def pag(self) -> PAG:
        """The graph; from PC a CPDAG."""
        return self.stage.pag

    @cached_property
    def graphs(self) -> tuple[PAG, ...]:
        """The graph after each line of `history`; the last one is `pag`."""
        names, columns = self.stage.names, self.stage.columns
        before = [PAG(names, m.graph.matrix(len(names))) for m in self.history[:-1]]
        return (*(PAG(columns, graph.arranged(columns)) for graph in before), self.pag)[: len(self.history)]

    @property
    def trace(self) -> Trace:
        """Why each edge went and each mark came, as data."""
        return self.stage.trace

    @property
    def radius(self) -> int:
        """The last radius that was searched."""
        return self.stage.radius

    @property
    def complete(self) -> bool:
        """Whether the search came to its end: nothing more can be learned from independences."""
        return self.stage.complete

    @property
    def tests(self) -> Counter[int]:
        """The number of questions asked, by the size of the conditioning set."""
        return self.stage.tests

    @property
    def verify_tests(self) -> Counter[int]:
        """The number of further questions that verification asked, by the size of the conditioning set."""
        return self.stage.verify_tests

    def sepset(self, a: str, b: str) -> frozenset[str] | None:
        """The variables given which a and b were found independent; None where no separation was found."""
        separation = self.stage.separation(a, b)
        return None if separation is None else separation.given

    def why(self, a: str, b: str) -> Explanation:
        """Why there is no edge between a and b, or why its marks are what they are; print it, or read its `steps`."""
        if a == b:
            raise OptionError(f"{a!r} and {b!r} are the same variable; ask about two different ones")
        radius = max((m.radius for m in self.history), default=self.radius)
        return explain(self.pag, self.trace, a, b, radius, self.settings.knowledge)

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b: "yes", "no" or "possibly", with its `reason`."""
        return causes(self.pag, a, b, self.may_be_selected, self._closed)

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured drives both a and b: "yes", "no" or "possibly"; see `PAG.confounded`."""
        return self.pag.confounded(a, b)

    def relations(self, *, library: Library | None = None) -> Any:
        """A frame with a row for each pair: who causes whom, and whether something unmeasured drives both."""
        chosen = library or self._library
        return relations(self.pag, selection_bias=self.may_be_selected, complete=self._closed, library=chosen)

    def adjustment_set(self, x: str | Iterable[str], y: str | Iterable[str], *, limit: int = 100) -> AdjustmentSet:
        """Which variables to adjust for, to learn the effect of x on y; or "not by adjustment", with the reason.

        x and y are a variable each, or several for a joint effect. See `an.adjustment_set`.
        """
        known = self.settings.knowledge
        if known is not None and known.no_edge:
            raise OptionError(
                "no effect can be asked for: no set is known that separates the pairs of no_edge, so ways between them "
                "cannot be told open from closed; search without no_edge"
            )
        found = adjustment_set(self.pag, x, y, limit=limit)
        early = "the search was stopped early, so edges of the graph may still go"
        return found if self.complete else replace(found, doubt=early)

    def effect(
        self, x: str | Iterable[str], y: str, *, given: Iterable[str] | None = None, confidence: float = 0.95
    ) -> Effect:
        """The effect of x on y in linear relations, with its confidence interval; of several x, their joint effects.

        It is adjusted for the minimal set that is nearest to the outcome (`found.adjustment_set(x, y).nearest`), or for
        those given, if they are an adjustment set. Only where the test was "fisher-z", which takes relations for
        linear. The interval does not hold the uncertainty of the graph, which was learned from the same data.
        """
        if not isinstance(y, str):
            raise OptionError(f"y={y!r} is not one variable; ask about each outcome by itself")
        if not isinstance(self.test, FisherZ) or self.test.name != "fisher-z":
            raise OptionError(f"no effect can be computed: {_no_moments(self.test)}")
        sets = self.adjustment_set(x, y, limit=1)
        if given is None and sets.no_effect:
            zeros = (0.0,) * len(sets.x)
            return Effect(sets.x, y, None, zeros, zeros, zeros, zeros, confidence, self.test.rows, sets.doubt)
        chosen = sets.nearest if given is None else frozenset(given)
        if chosen is None:
            raise GraphError(f"not by adjustment: {sets.reason}; print found.adjustment_set(...) for the whole answer")
        if why_not := sets.why_not(chosen):
            raise GraphError(f"{sorted(chosen)} is no adjustment set: {why_not}; leave given= out to have one chosen")
        moments = self.test.in_units([*sets.x, y, *sorted(chosen)])
        return regression_effect(moments, sets.x, y, chosen, confidence, sets.doubt)

    @property
    def may_be_selected(self) -> bool:
        """Whether it was left open if the sample was selected."""
        return self.settings.selection_counts

    @property
    def _closed(self) -> bool:
        """Whether two that are not adjacent were all separated, so that what is no collider between them is known."""
        known = self.settings.knowledge
        return self.complete and not (known is not None and known.no_edge)

    def evidence(self, a: str, b: str, given: Iterable[str] | None = None) -> Evidence:
        """The statistic and p-value of a and b given these variables; without them, given what separated the two."""
        chosen = self.sepset(a, b) if given is None else frozenset(given)
        if chosen is None:
            raise OptionError(f"{a!r} and {b!r} were not separated; say given which variables the evidence is wanted")
        position = {name: i for i, name in enumerate(self.stage.names)}
        for name in (a, b, *chosen):
            self.pag.index(name)
        x, y = sorted((position[a], position[b]))
        return self.test.evidence(self._questions, self.stage.names, x, y, sorted(position[z] for z in chosen))

    @cached_property
    def _questions(self) -> Any:
        return self.test.questions(self.stage.names)

    @property
    def unsupported(self) -> Counter[int]:
        """Questions that the data could not support, by the size of the conditioning set; their edges stayed."""
        return self.stage.unsupported

    @cached_property
    def decisions(self) -> Decisions:
        """The p-value, statistic and set that decided about each pair, as arrays."""
        if self._kept is not None:
            return self._kept.decisions
        return decisions_of(self.stage, self.test, self._marginals)

    def to_frame(
        self,
        pairs: Pairs | None = None,
        *,
        involving: Sequence[str] | str | None = None,
        library: Library | None = None,
    ) -> Any:
        """A frame with a row for each pair, in the library of the frame that was searched, otherwise of polars.

        Columns: `a`, `edge` (null where there is none), `b`; `p_value`, `statistic` and `df` of the question that
        decided; for a pair that was separated `sepset`, `radius` and `found_by`; for an edge `closest`, the set with
        the largest p-value of all that were asked about, which is the p-value shown.

        `pairs` chooses "all", the "edges", or the "separated" ones; without it all are shown where there are no more
        than 100 000, otherwise the edges. `involving` chooses pairs with one of these variables.
        """
        if pairs is None:
            n = len(self.pag.nodes)
            pairs = "all" if n * (n - 1) // 2 <= MOST_PAIRS or involving is not None else "edges"
            if pairs == "edges":
                warnings.warn(
                    f"{n:,} variables have {n * (n - 1) // 2:,} pairs, so these are the edges only; "
                    "pass pairs='all' for all of them",
                    DataWarning,
                    stacklevel=2,
                )
        return decisions_frame(
            self.stage, self.decisions, pairs, involving, library or self._library, self.settings.knowledge
        )

    def plot(
        self,
        path: Location | None = None,
        *,
        ax: Any = None,
        highlight: Iterable[Any] = (),
        colour: Mapping[str, str] | Literal["kind", "tier"] | None = None,
        fade: bool | Mapping[tuple[str, str], float] = False,
        layout: Layout | None = None,
        positions: Positions | None = None,
    ) -> Any:
        """Draw the graph into a file that ends in .svg, .png or .pdf, or on axes of matplotlib, which are returned.

        The options are those of `PAG.plot`, and: `colour="kind"` colours continuous and discrete variables, `"tier"`
        the tiers of what is known; `fade=True` fades weak edges: those whose largest p-value is near alpha, up to full
        strength at a millionth of it.
        """
        if isinstance(colour, str):
            colour = self._groups(colour)
        weights = self._strengths() if fade is True else fade or None
        return self.pag.plot(
            path, ax=ax, highlight=highlight, colour=colour, fade=weights, layout=layout, positions=positions
        )

    def _groups(self, wanted: str) -> Mapping[str, str]:
        if wanted == "tier":
            known = self.settings.knowledge
            if known is None or not known.tiers:
                raise OptionError("colour='tier' needs tiers, and none are known; pass the group of each variable")
            return {name: f"tier {i}" for i, tier in enumerate(known.tiers, 1) for name in tier}
        if wanted != "kind":
            raise OptionError(f"colour={wanted!r} is not known; pass 'kind', 'tier', or the group of each variable")
        if self.test.kinds is None:
            raise OptionError("colour='kind' needs columns, and there are none; pass the group of each variable")
        return {name: self.test.kinds[name] for name in in_order(self.pag.nodes)}

    def _strengths(self) -> dict[tuple[str, str], float]:
        """How far the largest p-value of each edge is below alpha: 0 at alpha, 1 at a millionth of it."""
        alpha, names, decided = self.test.alpha, self.stage.names, self.decisions
        if alpha is None:
            return {}
        with np.errstate(divide="ignore"):
            strengths = np.log10(decided.kept_by.p_value / alpha) / -6
        firm = np.clip(np.nan_to_num(strengths, nan=0.0), 0, 1).tolist()  # nothing could be asked: not firm
        return {(names[x], names[y]): weight for (x, y), weight in zip(decided.edges.tolist(), firm, strict=True)}

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return self.pag._repr_svg_()

    def report(self, path: Location, *, reliabilities: Reliabilities | None = None) -> None:
        """Write the run as one HTML file that a colleague can open: the graph, stage by stage, and every reason.

        `reliabilities`: a `Bootstrap` of the same data, for how often each edge and mark was found in resamples.
        """
        from ancestral.show.report import report_page

        target = Path(os.fspath(path))
        check_report(target)
        write_atomically(target, report_page(self, reliabilities).encode())

    def save(self, path: Location) -> None:
        """Write a run file, which `load` reads: JSON, packed if the name ends in `.gz` (docs/run-file.md)."""
        target = Path(os.fspath(path))
        check_target(target)
        write_run(target, self._run)

    def to_json(self) -> str:
        """The text of the run file that `save` writes."""
        return run_text(self._run)

    @property
    def _run(self) -> SavedRun:
        return SavedRun(
            made_by=self.made_by,
            settings=self.settings,
            fingerprint=self.test.fingerprint,
            rows=self.test.rows,
            reading=self.reading,
            kinds=self.test.kinds,
            stage=self.stage,
            history=self.history,
            stopped=self.stopped,
            decisions=self.decisions,
            learned=self._learned,
        )

    @cached_property
    def _learned(self) -> Any:
        if self._kept is not None:
            return self._kept.learned
        # a function of the user's own is not asked again: its answers are kept
        return self._marginals()[:, 0] if isinstance(self.test, CustomTest) else None

    def __str__(self) -> str:
        return summary(
            self.pag,
            self.settings,
            self.test.rows,
            self.history,
            self.verify_tests,
            self.unsupported,
            self.stopped,
            len(self.trace.conflicts),
        )

    def __repr__(self) -> str:
        return f"<Discovery: {len(self.pag.nodes)} variables, radius {self.radius}, {self.tests.total()} questions>"


def _no_moments(test: Test) -> str:
    """Why a test has no moments to compute an effect of."""
    if isinstance(test, SavedTest):
        return "a run file does not hold the data; discover(data, resume=...) brings file and data together"
    if isinstance(test, Oracle):
        return "an oracle knows the graph and no numbers; pass data"
    if test.name == "rank":
        return "the test 'rank' looks at the order of values only; pass test='fisher-z' if relations are linear"
    return f"the test {test.name!r} has no moments of complete rows; effects are for 'fisher-z' on linear relations"
