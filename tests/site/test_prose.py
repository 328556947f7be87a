"""The checker of spelling and plain English finds what is planted, and leaves code alone."""

import pytest

from tools.prose import faults_in, page_text, source_text


def found(text: str) -> list[tuple[int, str]]:
    return [(line, fault.partition(" (")[0]) for line, fault in faults_in(page_text(text))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The neihgbour of a node", "unknown word: neihgbour"),
        ("the color of an edge", "unknown word: color"),
        ("Recieve the answer", "unknown word: Recieve"),
        ("This option is no option.", "not plain: is no option"),
        ("the columns are no\nnumbers, and", "not plain: are no numbers"),
        ("whoever reads this", "not plain: whoever"),
        ("one of so many rows", "not plain: of so many"),
        ("in order to search", "not plain: in order to"),
        ("the the graph", "not plain: the the"),
    ],
)
def test_a_mistake_is_found(text: str, said: str) -> None:
    assert found(text) == [(1, said)]


@pytest.mark.parametrize(
    "text",
    [
        "The neighbour's colour, as Spirtes et al. (2000) say",
        "there is no selection, and nothing is no longer so.",
        "`neihgbour`, ``colr``, [a page](neihgbour.md) and https://exampel.org/neihgbour",
        "```python\nneihgbour = whoever\n```",
        "see src/neihgbour.py, neihgbour_of, --neihgbour and an.neihgbour",
        "DAG, PCs, LaTeX",
    ],
)
def test_words_and_code_pass(text: str) -> None:
    assert found(text) == []


def test_the_line_of_a_mistake_is_told() -> None:
    assert found("One.\n\n```\ncode\n```\n\nA mistaek.") == [(7, "unknown word: mistaek")]


def test_docstrings_and_comments_are_read_and_examples_are_not() -> None:
    module = '''"""A docstrign."""

def f():
    """First.

    Mistaek.

    >>> neihgbour
    outptu
    """
    x = "strnig"  # a commnet
'''
    faults = [fault for first, text in source_text(module) for fault in faults_in(text, first)]
    assert sorted(faults) == [
        (1, "unknown word: docstrign"),
        (6, "unknown word: Mistaek"),
        (11, "unknown word: commnet"),
    ]
