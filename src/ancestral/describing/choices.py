"""What a search of the data would choose: its test and its algorithm, each with the reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ancestral.data import Moments
from ancestral.data.survey.survey import Survey
from ancestral.independence.registry import TESTS, default_test
from ancestral.search.algorithm_choice import choice_in_words, choose_algorithm, eligible_tests
from ancestral.search.algorithms import ALGORITHMS

__all__ = ["Choice", "chosen_algorithm", "chosen_test"]


@dataclass(frozen=True)
class Choice:
    """A test or an algorithm that would be chosen: its name, what it is, and why."""

    name: str
    about: str
    why: str

    def __str__(self) -> str:
        return f"{self.name} ({self.about}), {self.why}"


def chosen_test(survey: Survey, given: Mapping[str, Any], left_out: Collection[str] = ()) -> Choice | None:
    """The test that `discover` would choose for the columns that can be read; None if there are none.

    `given` has the options that were given, with their values; columns that are `left_out` do not count.
    """
    kinds = _kinds(survey, left_out)
    if survey.data is None or not kinds:
        return None
    name = default_test(kinds, streamed=survey.streamed, among=eligible_tests(given))
    what = "moments are of numbers" if isinstance(survey.data, Moments) else _kinds_in_words(kinds)
    return Choice(name, TESTS[name].about, f"chosen because {what}")


def _kinds_in_words(kinds: Collection[str]) -> str:
    if len(kinds) == 1:
        return f"all columns are {next(iter(kinds))}"
    return f"some columns are {' and some '.join(sorted(kinds))}"


def _kinds(survey: Survey, left_out: Collection[str]) -> set[str]:
    gone = set(left_out)
    return {column.kind for column in survey.columns if column.kind is not None and column.name not in gone}


def chosen_algorithm(
    survey: Survey, test: Choice | None, given: Mapping[str, Any], left_out: Collection[str] = ()
) -> Choice | None:
    """The algorithm that `discover` would choose; None if no test can be chosen."""
    if test is None or survey.data is None:
        return None
    choice = choose_algorithm(
        given,
        own_test=False,
        test=test.name,
        kinds=_kinds(survey, left_out),
        rows=survey.data.rows,
        variables=len(set(survey.data.names) - set(left_out)),
    )
    return Choice(
        choice.algorithm, ALGORITHMS[choice.algorithm].title, choice_in_words(choice.algorithm, choice.reason)
    )
