"""What the page says about each choice."""

from dataclasses import replace
from typing import Any

import pytest

from ancestral.independence.registry import TESTS
from ancestral.search.algorithms import ALGORITHMS
from ancestral.studio.choices import choices


@pytest.fixture(scope="module")
def sentences() -> dict[str, str]:
    lists: dict[str, Any] = choices()
    return {choice["name"]: choice["sentence"] for what in ("algorithms", "tests") for choice in lists[what]}


def test_a_sentence_can_be_read_without_those_of_the_other_choices(sentences: dict[str, str]) -> None:
    """The page shows that of what is chosen alone, unlike the lists of the command line."""
    assert set(TESTS) < set(sentences)
    assert {name for name, algorithm in ALGORITHMS.items() if not algorithm.windows} < set(sentences)
    for name, sentence in sentences.items():
        assert len(sentence.split()) >= 8 and sentence.endswith("."), name
        assert "the same" not in sentence.lower() and "the others" not in sentence.lower(), name
    assert len(set(sentences.values())) == len(sentences)


def test_what_somebody_has_added_is_told_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TESTS, "mine", replace(TESTS["g"], about="counts of my own"))
    told = {choice["name"]: choice["sentence"] for choice in choices()["tests"]}
    assert told["mine"] == "Counts of my own."
