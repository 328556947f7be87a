"""Which algorithm is taken if none is asked for, and why: the scored search where it applies, otherwise ICD.

The scored search is the more accurate one on rows of numbers; ICD assumes less, and takes any test and any sample.
docs/choosing.md compares the algorithms for users; decision 22 says why the choice is as it is.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ancestral.independence.registry import name_in_registry
from ancestral.search.algorithms import ALGORITHMS

__all__ = [
    "FEWEST_ROWS",
    "MOST_VARIABLES",
    "REASONS",
    "AlgorithmChoice",
    "choice_in_words",
    "choose_algorithm",
    "eligible_tests",
]

#: The largest number of variables that are searched by score unless that is asked for: as many as its time was
#: measured for. ICD takes seconds for several thousands.
MOST_VARIABLES = 1000

#: The fewest rows that are searched by score unless that is asked for. With fewer, some graph fits them almost
#: perfectly, and the scored search finds more edges in noise than ICD does.
FEWEST_ROWS = 20

#: Whether labels alone are searched by score, with the test "mixed"; otherwise by ICD, with the test "labels". The
#: Gaussian
#: model of indicator columns is an approximation for labels; where much is confounded, most of its tails are false.
LABELS_BY_SCORE = False

_ANY = object()

#: Options that ask for a search by questions if they are given, with any value or with this one.
_ASKING = {
    "alpha": _ANY,
    "possible_ancestors": _ANY,
    "stable": _ANY,
    "verify": _ANY,
    "colliders": _ANY,
    "fdr": _ANY,
    "selection_bias": True,
    "missing": "testwise",
    "max_radius": _ANY,
    "executor": _ANY,
}

#: Those of them on which a complete answer does not depend. Any other reason comes first, so that the run file does not
#: depend on them either.
_OF_THE_RUN = ("max_radius", "executor")

#: The reasons of a choice, as run files keep them, and the clause that follows "because". It has no numbers: they would
#: have to hold for the files of other versions, too.
REASONS: Mapping[str, str] = {
    "test": "an independence test was given",
    "alpha": "a significance level was given",
    "possible_ancestors": "a condition on possible ancestors was given",
    "stable": "edges are to be removed as soon as they are separated",
    "verify": "marks are not to be verified",
    "colliders": "a way to find colliders was given",
    "fdr": "false discoveries are to be controlled by p-values",
    "selection_bias": "the sample may have been selected",
    "missing": "each question uses the rows that are complete for it",
    "max_radius": "a largest radius was given",
    "executor": "an executor was given",
    "combined": "no table has all columns, and only questions can be asked of each",
    "imputed": "missing values were imputed, and only questions count what that leaves uncertain",
    "likelihood": "the test has no Gaussian likelihood",
    "rows": "there are very few rows",
    "variables": "there are very many variables",
    "labels": "the columns are labels and no option asks for another one",
    "numbers": "the columns are numbers and no option asks for another one",
    "numbers and labels": "the columns are numbers and labels and no option asks for another one",
    "ordered levels": "columns have ordered levels and no option asks for another one",
}


@dataclass(frozen=True)
class AlgorithmChoice:
    """The name of an algorithm that was chosen, and the reason: a key of `REASONS`."""

    algorithm: str
    reason: str


def eligible_tests(given: Mapping[str, Any]) -> Collection[str] | None:
    """The tests among which one is chosen for data, before the algorithm is; None for all.

    `given` has the options that were given, with their values.
    """
    return ALGORITHMS["scored"].tests if LABELS_BY_SCORE and _asking(given) is None else None


def _asking(given: Mapping[str, Any]) -> str | None:
    """The first of the options that were given which asks for a search by questions; None if none does."""
    asking = (option for option, value in _ASKING.items() if option in given and value in (_ANY, given[option]))
    return next(asking, None)


def choose_algorithm(
    given: Mapping[str, Any],
    *,
    own_test: bool,
    test: str,
    kinds: Collection[str],
    rows: int,
    variables: int,
    combined: bool = False,
) -> AlgorithmChoice:
    """The algorithm for a search for which none was asked for.

    `given` has the options that were given, with their values; `own_test`: the caller passed a test, as the source or
    for the data. `test` is the name of the test, `kinds` are the kinds of the columns, and `rows` and `variables` are
    numbers. `combined`: no table need have all columns.

    >>> choose_algorithm({}, own_test=False, test="fisher-z", kinds={"continuous"}, rows=442, variables=11)
    AlgorithmChoice(algorithm='scored', reason='numbers')
    """
    columns = "labels"
    if "ordinal" in kinds:
        columns = "ordered levels"
    elif "continuous" in kinds:
        columns = "numbers and labels" if "discrete" in kinds else "numbers"
    reason = "test" if own_test else _asking(given)
    if reason is None or reason in _OF_THE_RUN:
        if combined:
            reason = "combined"
        elif columns == "labels" and not LABELS_BY_SCORE:
            reason = columns
        elif test != name_in_registry(test):
            reason = "imputed"
        elif test not in (ALGORITHMS["scored"].tests or ()):
            reason = "likelihood"
        elif rows < FEWEST_ROWS:
            reason = "rows"
        elif variables > MOST_VARIABLES:
            reason = "variables"
    return AlgorithmChoice("scored", columns) if reason is None else AlgorithmChoice("icd", reason)


def choice_in_words(algorithm: str, reason: str) -> str:
    """Why this algorithm was chosen, as a clause.

    >>> print(choice_in_words("icd", "max_radius"))
    chosen because a largest radius was given (docs/choosing.md)
    """
    assumes = "" if ALGORITHMS[algorithm].selection else "; it assumes an unselected sample"
    return f"chosen because {REASONS[reason]}{assumes} (docs/choosing.md)"
