"""Which algorithm is taken if none is asked for: one test for each line of the table in docs/choosing.md."""

from typing import Any

import pytest

from ancestral.search import algorithm_choice
from ancestral.search.algorithm_choice import (
    FEWEST_ROWS,
    MOST_VARIABLES,
    REASONS,
    AlgorithmChoice,
    choice_in_words,
    choose_algorithm,
    eligible_tests,
)
from ancestral.search.algorithms import ALGORITHMS, OF_QUESTIONS

#: A search of numbers for which no option was given.
PLAIN: dict[str, Any] = {
    "given": {},
    "own_test": False,
    "test": "fisher-z",
    "kinds": {"continuous"},
    "rows": 1000,
    "variables": 15,
}


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({}, "numbers"),
        ({"test": "rank"}, "numbers"),
        ({"test": "mixed"}, "numbers"),
        ({"test": "mixed", "kinds": {"continuous", "discrete"}}, "numbers and labels"),
        ({"given": {"selection_bias": False}}, "numbers"),
        ({"given": {"missing": "drop"}}, "numbers"),
        (
            {"given": {"drop": ("id",), "test": "rank", "workers": 4, "knowledge": "known.txt"}, "test": "rank"},
            "numbers",
        ),
        ({"rows": FEWEST_ROWS, "variables": MOST_VARIABLES}, "numbers"),
    ],
)
def test_numbers_are_searched_by_score(what: dict[str, Any], reason: str) -> None:
    assert choose_algorithm(**PLAIN | what) == AlgorithmChoice("scored", reason)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({"own_test": True}, "test"),
        ({"own_test": True, "given": {"alpha": 0.05}}, "test"),
        ({"given": {"alpha": 0.01}}, "alpha"),
        ({"given": {"max_radius": 0}}, "max_radius"),
        ({"given": {"possible_ancestors": "all"}}, "possible_ancestors"),
        ({"given": {"stable": False}}, "stable"),
        ({"given": {"verify": False}}, "verify"),
        ({"given": {"selection_bias": True}}, "selection_bias"),
        ({"given": {"missing": "testwise"}}, "missing"),
        ({"given": {"executor": object()}}, "executor"),
        ({"test": "labels", "kinds": {"discrete"}}, "labels"),
        ({"test": "mixed", "kinds": {"discrete"}}, "labels"),
        ({"test": "one of my own"}, "likelihood"),
        ({"rows": FEWEST_ROWS - 1}, "rows"),
        ({"variables": MOST_VARIABLES + 1}, "variables"),
        # a complete run does not depend on these two, so any other reason is told
        ({"given": {"executor": object(), "max_radius": 2, "alpha": 0.05}}, "alpha"),
        ({"given": {"executor": object(), "max_radius": 2}, "test": "g", "kinds": {"discrete"}}, "labels"),
        ({"given": {"max_radius": 2}, "variables": MOST_VARIABLES + 1}, "variables"),
    ],
)
def test_otherwise_questions_are_asked(what: dict[str, Any], reason: str) -> None:
    assert choose_algorithm(**PLAIN | what) == AlgorithmChoice("icd", reason)


def test_every_option_that_the_scored_search_refuses_is_a_reason_for_questions() -> None:
    fixed = set(OF_QUESTIONS) | set(ALGORITHMS["scored"].fixed_options)
    for option in fixed:
        assert choose_algorithm(**PLAIN | {"given": {option: "given"}}) == AlgorithmChoice("icd", option)


def test_labels_can_be_searched_by_score(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = {"test": "mixed", "kinds": {"discrete"}}
    assert eligible_tests({}) is None
    monkeypatch.setattr(algorithm_choice, "LABELS_BY_SCORE", True)
    assert eligible_tests({}) == ALGORITHMS["scored"].tests
    assert eligible_tests({"alpha": 0.01}) is None
    assert choose_algorithm(**PLAIN | labels) == AlgorithmChoice("scored", "labels")
    assert choose_algorithm(**PLAIN | labels | {"test": "g"}) == AlgorithmChoice("icd", "likelihood")


def test_the_words_say_what_is_assumed() -> None:
    for reason, clause in REASONS.items():
        assert choice_in_words("icd", reason) == f"chosen because {clause} (docs/choosing.md)"
    assert "it assumes an unselected sample" in choice_in_words("scored", "numbers")
