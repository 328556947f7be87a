"""What a search of the data would choose: its test and its algorithm, each with the reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ancestral.data import Moments, Table
from ancestral.data.imputation import IMPUTATIONS
from ancestral.data.stats.summary import Summary
from ancestral.independence.choice import chosen_name, is_incomplete
from ancestral.independence.registry import TESTS, imputed_name
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


def chosen_test(data: Table | Summary | Moments, given: Mapping[str, Any]) -> Choice:
    """The test that `discover` would choose for these data; `given` has the options that were given, with values."""
    name = chosen_name(data, eligible_tests(given))
    about = TESTS[name].about
    why = "moments are of numbers" if isinstance(data, Moments) else _kinds_in_words(set(data.kinds))
    if is_incomplete(data):
        why += ", and values are missing"
        name = imputed_name(name, IMPUTATIONS) if given.get("missing") == "impute" else name
    if not isinstance(data, Moments) and data.design is not None:
        why += ", and rows have weights or clusters"
    return Choice(name, about, f"chosen because {why}")


def _kinds_in_words(kinds: Collection[str]) -> str:
    if len(kinds) == 1:
        return f"all columns are {next(iter(kinds))}"
    return f"some columns are {' and some '.join(sorted(kinds))}"


def chosen_algorithm(data: Table | Summary | Moments, test: Choice, given: Mapping[str, Any]) -> Choice:
    """The algorithm that `discover` would choose for these data with this test."""
    choice = choose_algorithm(
        given, own_test=False, test=test.name, kinds=set(data.kinds), rows=data.rows, variables=len(data.names)
    )
    return Choice(
        choice.algorithm, ALGORITHMS[choice.algorithm].title, choice_in_words(choice.algorithm, choice.reason)
    )
