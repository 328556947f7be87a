"""A search before its data are read: what the caller asked for, from which the settings follow once the test is known.

What is wrong in itself is refused before anything is read.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from ancestral.data.read.samples import Samples
from ancestral.errors import Option, OptionError
from ancestral.independence.base import BaseTest, Test
from ancestral.independence.custom import CustomTest
from ancestral.independence.evidence import Scale
from ancestral.independence.oracle import Oracle
from ancestral.independence.registry import TESTS, name_in_registry
from ancestral.knowledge import Knowledge
from ancestral.knowledge.experiments import known_of_experiment
from ancestral.options import SCREENING_ALPHA, AlgorithmOptions, ExperimentOptions, RunOptions, SourceOptions
from ancestral.search.algorithm_choice import choose_algorithm, eligible_tests
from ancestral.search.combined_tables import refuse_unsound
from ancestral.search.settings import Settings

__all__ = ["SearchPlan", "with_experiment"]


def with_experiment(source: Any, search: AlgorithmOptions, experiment: ExperimentOptions) -> AlgorithmOptions:
    """The options of a search, with what is known by way of an experiment: contexts, and what they act on.

    The source may be `Samples`, which are contexts.
    """
    known = known_of_experiment(
        search.knowledge,
        samples=source.names if isinstance(source, Samples) else (),
        context=experiment.context,
        assumptions=experiment.context_assumptions,
        targets=experiment.targets,
    )
    return search.changed(knowledge=known)


class SearchPlan:
    """The options of a search, without those that only say where files are.

    `resumed` are the settings of the run that is resumed, whose algorithm and test are taken if no others are asked
    for. Knowledge is read if it is in a file.
    """

    def __init__(
        self,
        how: SourceOptions,
        search: AlgorithmOptions,
        run: RunOptions,
        resumed: Settings | None = None,
    ) -> None:
        self._search = search.changed(knowledge=Knowledge.of(search.knowledge))
        if resumed is not None and search.colliders is None and search.algorithm in (None, resumed.algorithm):
            self._search = replace(self._search, colliders=resumed.colliders)
        self._resumed_test = None if resumed is None else name_in_registry(resumed.test)
        self._named: Settings | None = None
        if search.algorithm is not None:
            self._named = Settings.of(self._search, search.algorithm)
        elif resumed is not None:
            self._named = Settings.of(self._search, resumed.algorithm)
        self._given = {name: value for group in (how, search, run) for name, value in group.given}

    @property
    def tests(self) -> Collection[str] | None:
        """The tests among which one is chosen for the data, if none is asked for; None for all.

        A run that is resumed keeps its own: which one is chosen may differ from version to version.
        """
        if self._resumed_test in TESTS:
            return (self._resumed_test,)
        return eligible_tests(self._given) if self._named is None else self._named.chosen.tests

    def screened(self, source: Any, test: Test) -> Test:
        """The test at the level at which pairs are screened, if false discoveries are controlled and alpha is open.

        A pair without an edge has a p-value above alpha. Where alpha is no smaller than the level of control, that is
        enough to know that the pair would not be an edge by Benjamini and Hochberg's procedure either.
        """
        level = self._search.fdr
        if level is None or "alpha" in self._given or test is source or not isinstance(test, BaseTest):
            return test
        return test.with_alpha(max(SCREENING_ALPHA, level))

    def settings(self, source: Any, test: Test) -> Settings:
        """The settings of the search of a source by this test; what depends on it is chosen if it was not asked for.

        Raises `OptionError` if colliders are to be found by agreement, and the test is an oracle, and if false
        discoveries are to be controlled, and the test has no p-values; for tables that measured different columns, if
        the algorithm is not sound for them.
        """
        settings = self._named or self._with_algorithm(source, test)
        if isinstance(test, BaseTest) and test.together is not None:
            refuse_unsound(settings)
        is_oracle = isinstance(test, Oracle)
        if settings.fdr is not None and (is_oracle or test.scale is Scale.DECISION):
            answers = "an oracle" if is_oracle else f"the test {test.name!r}, which only tells yes or no"
            raise OptionError(
                f"does not apply to {answers}: it needs p-values",
                option="fdr",
                value=settings.fdr,
                way_out=["leave ", Option("fdr"), " out"],
                assigned=True,
            )
        if settings.colliders == "agreed" and is_oracle:
            raise OptionError(
                "does not apply to an oracle: its answers have no p-values, and never contradict each other",
                option="colliders",
                value="agreed",
                way_out=["leave ", Option("colliders"), " out"],
                assigned=True,
            )
        if settings.colliders is not None or not settings.chosen.agrees:
            return settings
        return replace(settings, colliders="first" if is_oracle else "agreed")

    def _with_algorithm(self, source: Any, test: Test) -> Settings:
        choice = choose_algorithm(
            self._given,
            own_test=test is source or isinstance(test, CustomTest),
            test=test.name,
            kinds=frozenset((test.kinds or {}).values()),
            rows=test.rows,
            variables=len(test.names),
            combined=isinstance(test, BaseTest) and test.together is not None,
        )
        return Settings.of(self._search, choice.algorithm, choice.reason)
