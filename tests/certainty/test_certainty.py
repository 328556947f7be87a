"""Certainty: shares of graphs that are given by hand, what is firm, and the words of answers."""

import numpy as np
import pytest

import ancestral as an
from ancestral.certainty import Certainty, Resamples
from ancestral.certainty.answers import told, told_causes, unchecked
from ancestral.certainty.certainty import FEWEST
from ancestral.graphs.answers import Answer
from ancestral.search.stage import Edges

GRAPH = an.PAG.parse("c, b, a, a --> b, b o-> c")


def resamples(*readings: list[str]) -> Resamples:
    """Resamples whose graphs are written as text, by reading."""
    names = ("a", "b", "c")
    graphs = {
        f"reading {i}": tuple(Edges.of(an.PAG.parse(f"a, b, c, {text}").arranged(names)) for text in texts)
        for i, texts in enumerate(readings)
    }
    return Resamples(names, 1, len(readings[0]), graphs)


def certainty(*readings: list[str], graph: an.PAG = GRAPH) -> Certainty:
    """The certainty of the graph by such resamples."""
    return Certainty(graph, resamples(*readings), selection_bias=False, complete=True)


FIRST = ["a --> b, b o-> c"] * 9 + ["a o-> b"]
SECOND = ["a --> b, b o-> c"] * 6 + ["a <-> b, b --> c"] * 4


def test_a_certainty_is_the_least_share_of_the_readings() -> None:
    found = certainty(FIRST, SECOND)
    assert found.repeats == 10 and found.readings == ("reading 0", "reading 1")
    assert found.edge("a", "b") == 1.0 and found.edge("b", "c") == 0.9
    assert found.edge("a", "c") == 1.0, "all agree that there is none"
    assert found.mark("b", "a") == 0.6 and found.mark("a", "b") == 1.0
    assert found.mark("c", "b") == 0.6 and found.mark("b", "c") == 0.9
    assert certainty(FIRST).mark("b", "a") == 0.9


def test_firm_marks_are_kept_and_the_others_become_circles() -> None:
    found = certainty(FIRST, SECOND)
    assert found.firm() == an.PAG.parse("c, b, a, a o-> b, b o-> c")
    assert found.firm(0.6) == GRAPH
    assert found.counts() == {"arrowheads": (2, 2), "tails": (0, 1)}
    assert str(found) == (
        "Firm (10 resamples in both readings): 2 of 2 arrowheads, 0 of 1 tail. The others are the best guess; "
        "resamples disagree."
    )
    assert str(certainty(FIRST)) == "Firm (10 resamples): 2 of 2 arrowheads, 1 of 1 tail."
    with pytest.raises(an.OptionError, match="level must be above 0 and at most 1"):
        found.firm(0)


def test_what_is_known_is_certain() -> None:
    """No resample has an arrowhead at b, which is after a, and which the data say nothing about."""
    texts = ["b o-> c"] * 10
    known = an.Knowledge(tiers=[["a"], ["b"]])
    found = Certainty(GRAPH, resamples(texts), selection_bias=False, complete=True, knowledge=known)
    assert found.edge("a", "b") == 0.0 and found.mark("a", "b") == 1.0 and found.mark("b", "a") == 0.0
    assert found.firm() == an.PAG.parse("c, b, a, a o-> b, b o-> c")


def test_few_resamples_call_nothing_firm() -> None:
    found = certainty(["a --> b, b o-> c"] * (FEWEST - 1))
    assert found.mark("a", "b") == 1.0 and not found.enough
    assert found.firm() == an.PAG.parse("c, b, a, a o-o b, b o-o c")
    assert "too few" in str(found)
    assert told_causes(found, "a", "b", Answer("yes", "a --> b")) == "yes, not checked"


def test_answers_are_counted_in_whole_graphs() -> None:
    both = ["a --> b, b --> c"] * 7 + ["a --> b, a --> c"] * 3
    found = certainty(both, graph=an.PAG.parse("a, b, c, a --> b, b --> c"))
    assert found.causes("a", "c") == 1.0, "by way of b, or directly"
    assert found.causes("b", "c") == 0.7 and found.causes("c", "b") == 1.0
    assert found.confounded("a", "b") == 1.0
    yes = told_causes(found, "a", "c", Answer("yes", "a --> b --> c"))
    assert (str(yes), yes.verdict, yes.certainty) == ("yes, firm", "yes", 1.0)
    assert str(told_causes(found, "b", "c", Answer("yes", "b --> c"))) == "probably (70 %)"


@pytest.mark.parametrize(
    ("answer", "share", "words"),
    [
        ("yes", 0.9, "yes, firm"),
        ("no", 1.0, "no, firm"),
        ("yes", 0.63, "probably (63 %)"),
        ("no", 0.5, "probably not (50 %)"),
        ("yes", 0.49, "open"),
        ("possibly", 1.0, "open"),
    ],
)
def test_words_follow_the_share(answer: str, share: float, words: str) -> None:
    found = told(Answer(answer, "because"), share)
    assert str(found) == words and found.verdict == answer and found.certainty == share
    assert "because" in found.reason


def test_what_was_not_checked_is_told_so() -> None:
    assert str(unchecked(Answer("no", "because"))) == "no, not checked"
    assert str(unchecked(Answer("possibly", "because"))) == "open"
    assert unchecked(Answer("no", "because")).certainty is None


def test_a_path_of_firm_marks_makes_a_firm_answer() -> None:
    """Each mark of a --> b is in nine graphs of ten, and both together only in eight."""
    texts = ["a --> b"] * 8 + ["a o-> b", "a --- b"]
    found = certainty(texts, graph=an.PAG.parse("a, b, c, a --> b"))
    assert found.firm() == an.PAG.parse("a, b, c, a --> b")
    assert str(told_causes(found, "a", "b", Answer("yes", "a --> b"))) == "yes, firm"
    assert str(told_causes(found, "b", "a", Answer("no", "an arrowhead"))) == "no, firm"


def test_the_frame_has_a_row_for_each_edge() -> None:
    frame = certainty(FIRST, SECOND).to_frame()
    assert frame.columns == ["a", "edge", "b", "edge_certainty", "certainty_at_a", "certainty_at_b"]
    assert frame.rows() == [("a", "-->", "b", 1.0, 0.6, 1.0), ("b", "o->", "c", 0.9, 0.6, 0.9)]


def test_marks_that_are_not_circles_have_their_certainty() -> None:
    found = certainty(FIRST, SECOND)
    assert found.marks_of("a", "b") == [("a", 3, 0.6), ("b", 2, 1.0)]
    assert found.marks_of("c", "b") == [("c", 2, 0.9)]
    assert found.marks_of("a", "c") == []


def test_pairs_are_two_variables_with_an_edge() -> None:
    found = certainty(FIRST)
    with pytest.raises(an.UnknownName):
        found.edge("a", "x")
    with pytest.raises(an.OptionError, match="same variable"):
        found.edge("a", "a")
    with pytest.raises(an.OptionError, match="no edge"):
        found.mark("a", "c")


def test_without_resamples_nothing_is_known() -> None:
    found = Certainty(
        GRAPH, Resamples(("a", "b", "c"), 1, 5, {"one": ()}, "time limit"), selection_bias=False, complete=True
    )
    assert np.isnan(found.edge("a", "b")) and str(found) == "Certainty: no resample was searched."
    assert found.firm() == an.PAG.parse("c, b, a, a o-o b, b o-o c")
