"""The front door: `sweep()` reads the data once, and searches them at every significance level."""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Unpack

from ancestral.data.libraries import library_of
from ancestral.data.read.deadline import reading_within
from ancestral.data.read.samples import samples_in
from ancestral.data.read_options import ReadOptions
from ancestral.discovery import OPTION_TYPES
from ancestral.errors import KnowledgeWarning, Option, OptionError, RunError, RunWarning
from ancestral.given_warnings import kept_warnings
from ancestral.independence.base import BaseTest, Test
from ancestral.independence.choice import chosen_test
from ancestral.independence.evidence import Scale
from ancestral.option_groups import with_options
from ancestral.options import AlgorithmOptions, RunOptions, SourceOptions, SweepKeywords, SweepOptions
from ancestral.parallel.clock import Watch
from ancestral.result import Discovery
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.plan import SearchPlan, with_experiment
from ancestral.search.progress import Progress
from ancestral.search.settings import Settings
from ancestral.search_run import SearchRun
from ancestral.show.progress import ProgressBar, progress_callback
from ancestral.sweeping.instability import Subsamples
from ancestral.sweeping.result import Sweep

__all__ = ["sweep"]

#: What the text of a contradiction says about its evidence: the set that was conditioned on, and the p-value.
_EVIDENCE = re.compile(r"given (nothing|\{[^{}]*\})|p = [0-9.e+-]+")


@with_options(SweepOptions, OPTION_TYPES)
def sweep(source: Any, **options: Unpack[SweepKeywords]) -> Sweep:
    """Search at one significance level after the other: the graph, its stability and its fit along alpha.

    The data are read once, and every level is a search of its own (ICD, unless another `algorithm` that asks questions
    is given). No level is the right one: a sweep shows which edges do not depend on it, and which come and go
    (docs/alpha.md).

    Args:
        source: As in `discover`. So are most options.

    {options}

    Returns:
        A `Sweep`; print it to read it.

    Raises:
        OptionError: If an option is wrong, an algorithm or a source has no significance level, or the source has no use
            for an option.
        DataError: If the data cannot be searched.
        KnowledgeError: If the knowledge is wrong.
        RunError: If the time is over before one level is done.

    Examples:
        >>> import ancestral as an
        >>> dag = an.DAG.parse("a -> c, b -> c, c -> d")
        >>> rows = an.simulate.linear_gaussian(dag, rows=300, seed=4)
        >>> swept = sweep(rows, alphas=[0.001, 0.01, 0.05])
        >>> [len(graph.edges()) for graph in swept.graphs]
        [3, 3, 3]
    """
    chosen = SweepOptions.from_keywords("sweep", options)
    alphas = tuple(chosen.swept.alphas)
    how = SourceOptions(**chosen.source.as_dict())
    _refuse_without_alpha(chosen.search)
    # to a search that is begun later, every level is a given one
    library, source = library_of(source), samples_in(source)
    search = with_experiment(source, chosen.search, chosen.experiment)
    plan = SearchPlan(SourceOptions(alpha=alphas[0]), search, chosen.run)
    with ExitStack() as stack, kept_warnings():
        watch = Watch(chosen.run.time_limit, progress_callback(chosen.run.progress, ProgressBar, stack))
        with reading_within(chosen.run.time_limit):
            test = chosen_test(source, how, plan.tests)
        checked = _with_levels(test)
        subsamples = Subsamples.of(checked, chosen.swept.resamples, chosen.swept.seed)
        reading = ReadOptions.of(source, how, chosen.search.knowledge)
        searches = _Searches(checked, plan.settings(source, checked), chosen.run, reading, subsamples, watch)
        searches.run_all(alphas, library)
    for contradiction in _contradictions(searches.found):
        warnings.warn(contradiction, KnowledgeWarning, stacklevel=2)
    if searches.stopped == "interrupt":
        done = f"levels that were done: {len(searches.found)} of {len(alphas)}"
        warnings.warn(f"interrupted; {done}", RunWarning, stacklevel=2)
    if not searches.found:
        raise RunError(f"the sweep ended ({searches.stopped}) before one level was done; allow more time")
    return Sweep(
        tuple(searches.found),
        wanted=alphas,
        stopped=searches.stopped,
        instabilities=tuple(searches.instabilities),
        subsamples=subsamples,
        library=library,
    )


def _refuse_without_alpha(search: AlgorithmOptions) -> None:
    """Raise `OptionError` for an algorithm that has no significance level."""
    algorithm = None if search.algorithm is None else ALGORITHMS.get(search.algorithm)
    if algorithm is not None and not algorithm.asks:
        raise OptionError(
            "has no significance level to vary: it asks no questions",
            option="algorithm",
            value=search.algorithm,
            way_out=["pass ", Option("algorithm", "icd"), ", or leave it out"],
            assigned=True,
        )


def _contradictions(found: Sequence[Discovery]) -> Iterator[str]:
    """Each contradiction of what is known, in words, with the number of levels at which it occurs.

    The words are those of the first such level; at another one, the same contradiction may have other evidence.
    """
    levels: dict[Any, dict[float | None, str]] = {}
    for at_level in found:
        for one in at_level.warnings:
            if one.kind == KnowledgeWarning.__name__:
                key = one.about, _EVIDENCE.sub("", one.text)
                levels.setdefault(key, {}).setdefault(at_level.settings.alpha, one.text)
    for texts in levels.values():
        first, text = next(iter(texts.items()))
        yield f"at {len(texts)} of {len(found)} levels, first at {first:g}: {text}"


def _with_levels(test: Test) -> BaseTest:
    """The test, if it can be made at other levels; raises `OptionError` otherwise."""
    if test.alpha is None or test.scale is Scale.DECISION or not isinstance(test, BaseTest):
        raise OptionError(
            f"the test {test.name!r} has no significance level to vary",
            way_out="pass data, a function that returns p-values, or an object with p_value(x, y, given)",
        )
    return test


class _Searches:
    """The searches of a sweep, one after the other: what was found at each level, and why there are no more."""

    def __init__(
        self,
        test: BaseTest,
        settings: Settings,
        run: RunOptions,
        reading: ReadOptions,
        subsamples: Subsamples | None,
        watch: Watch,
    ) -> None:
        self.found: list[Discovery] = []
        self.instabilities: list[float | None] = []
        self.stopped: str | None = None
        self._test = test
        self._settings = settings
        self._run = run
        self._reading = reading
        self._subsamples = subsamples
        self._watch = watch
        self._told: set[str] = set()

    def run_all(self, alphas: tuple[float, ...], library: Any) -> None:
        """Search at every level, until something stops it; a level that is not finished is left out."""
        try:
            self._run_each(alphas, library)
        except KeyboardInterrupt:  # between two searches; within one it ends that search
            self.stopped = "interrupt"

    def _run_each(self, alphas: tuple[float, ...], library: Any) -> None:
        for number, alpha in enumerate(alphas):
            test = self._test.with_alpha(alpha)
            found = self._search(test, library)
            if found.stopped not in (None, "max_radius"):
                self.stopped = found.stopped
                return
            instability = None
            if self._subsamples is not None:
                result = self._subsamples.instability(test, found.settings, self._run, self._watch)
                if isinstance(result, str):
                    self.stopped = result
                    return
                instability = result
            self.found.append(found)
            self.instabilities.append(instability)
            self._tell(number + 1, len(alphas))

    def _search(self, test: BaseTest, library: Any) -> Discovery:
        """The search at the level of this test. Warnings are given once; contradictions of knowledge, at the end."""
        with kept_warnings(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search = SearchRun(test, self._settings, self._run, self._reading)
            found = search.run(self._watch.child(), None, library)
        if found.stopped != "interrupt":  # which is told with the number of levels
            for warning in caught:
                told = isinstance(warning.message, KnowledgeWarning) or str(warning.message) in self._told
                if not told:
                    self._told.add(str(warning.message))
                    warnings.warn(warning.message, stacklevel=5)
        return found

    def _tell(self, done: int, wanted: int) -> None:
        questions = sum(found.tests.total() for found in self.found)

        def progress(elapsed: float) -> Progress:
            return Progress(None, wanted, done, questions, elapsed, elapsed * (wanted - done) / done, "levels of alpha")

        self._watch.report(progress, last=done == wanted)
