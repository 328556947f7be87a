"""The figures of Perković, Textor, Kalisch & Maathuis (2015), A complete generalized adjustment criterion (UAI)."""

import pytest

from ancestral import CPDAG, MAG, PAG, adjustment_set, legal

FIGURE_1 = "1 --- 2, 2 --- 4, 2 --- 5, 4 --- 5, 1 --> 3, 2 --> 3, 4 --> 3, 3 --> 6, 4 --> 6, 5 --> 6"
FIGURE_4A = "1 o-> 3, 2 o-> 3, 6 o-> 3, 3 --> 4, 3 --> 5, 6 --> 4, 6 --> 5, 5 o-> 4"


@pytest.mark.parametrize(
    ("given", "valid"),
    [
        ("24", True),
        ("45", True),
        ("124", True),
        ("145", True),
        ("245", True),
        ("1245", True),
        ("2", False),
        ("", False),
    ],
)
def test_figure_1(given: str, valid: bool) -> None:
    assert adjustment_set(CPDAG.parse(FIGURE_1), "3", "6").allows(list(given)) is valid


def test_figure_1_has_two_minimal_sets() -> None:
    """Of the six sets that the paper names, {2, 4} and {4, 5} hold no other."""
    assert legal(CPDAG.parse(FIGURE_1))
    assert adjustment_set(CPDAG.parse(FIGURE_1), "3", "6").minimal == (frozenset("24"), frozenset("45"))


def test_figure_3() -> None:
    """Amenability: not in the PAG, not in a MAG without visible edges, but in a MAG where both edges are visible."""
    circles = adjustment_set(PAG.parse("1 o-o 2, 2 o-o 3, 2 o-o 4, 3 o-o 4"), "2", "4")
    assert "not amenable" in circles.reason
    invisible = adjustment_set(MAG.parse("2 --> 1, 2 --> 3, 2 --> 4, 3 --> 4"), "2", "4")
    assert "not visible" in invisible.reason
    visible = adjustment_set(MAG.parse("1 --> 2, 2 --> 3, 2 --> 4, 3 --> 4"), "2", "4")
    assert visible.allows(())


def test_figure_4a() -> None:
    said = adjustment_set(PAG.parse(FIGURE_4A), "3", "4")
    assert not said.allows([])
    for given in ("6", "16", "26", "126"):
        assert said.allows(list(given))
    for given in ("56", "156", "12"):
        assert not said.allows(list(given))
    assert said.minimal == (frozenset("6"),)


def test_figure_5a() -> None:
    """A joint effect."""
    said = adjustment_set(CPDAG.parse("1 --- 2, 2 --> 3, 3 --> 5, 4 --> 3"), ["1", "5"], "4")
    assert said.allows(["2", "3"])
    assert not said.allows(["2"])
