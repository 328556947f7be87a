"""Each check of a rule can fail: for each there is a rule, or a picture, that breaks its promise."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ancestral.orientation import RULES
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from ancestral.orientation.explanations import Grounds
from ancestral.orientation.rules import Rule
from ancestral.testing import Picture, check_rule, checks_of_rule

ACTS: dict[str | Picture, str] = {"a o-> b, b o-o c": "a o-> b, b --> c"}
SILENT: list[str | Picture] = ["a o-> b, b o-o c, a o-o c", "a o-o b, b o-o c"]
R1 = RULES["R1"]


def silent(board: Board, judge: Judge) -> None:
    """A rule that never speaks."""


class Impatient:
    """A rule that does something else each time it is asked for the first pass of a graph."""

    def __init__(self, *rules: Callable[[Board, Judge], None]) -> None:
        self.rules = [*rules]

    def __call__(self, board: Board, judge: Judge) -> None:
        (self.rules.pop(0) if len(self.rules) > 1 else self.rules[0])(board, judge)


BROKEN: dict[str, Callable[[], Rule]] = {
    "entry": lambda: replace(R1, turn=-1),
    "acts": lambda: replace(R1, propose=silent),
    "silent": lambda: replace(R1, propose=RULES["R0"].propose),
    "settled": lambda: replace(R1, propose=Impatient(silent, R1.propose)),
    "order_of_nodes": lambda: replace(R1, propose=Impatient(silent, silent, R1.propose)),
    "witnesses": lambda: replace(R1, witnesses=(4, 4)),
    "explained": lambda: replace(R1, explain=lambda mark, trace, known: Grounds(" ")),
}
COLLIDER = Picture("a o-o b, b o-o c", "a c |")


@pytest.mark.parametrize("name", BROKEN)
def test_a_rule_that_breaks_a_promise_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "R1", BROKEN[name]())
    (check,) = [check for check in checks_of_rule("R1", ACTS, [*SILENT, COLLIDER]) if check.name == name]
    with pytest.raises(AssertionError):
        check()


def test_every_check_has_a_rule_that_breaks_it() -> None:
    assert [check.name for check in checks_of_rule("R1", ACTS, SILENT)] == [*BROKEN]


@pytest.mark.parametrize(
    ("explained", "sentence"),
    [
        (Grounds("so it is", marks=(("a", "c"),)), "by marks of edges that are not there: .*'a', 'c'"),
        (Grounds("so it is", separations=(("a", "b"),)), "by a separation of pairs that are adjacent: .*'a', 'b'"),
    ],
)
def test_explanations_must_rest_on_the_graph(
    explained: Grounds, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, "R1", replace(R1, explain=lambda mark, trace, known: explained))
    with pytest.raises(AssertionError, match=sentence):
        check_rule("R1", ACTS, SILENT)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("R1", {}, SILENT), "Pass at least one graph in which it acts"),
        (("R1", ACTS, []), "Pass at least one graph in which it keeps silent"),
        (("R1", {SILENT[0]: SILENT[0]}, SILENT), "It set no mark in a o-> b"),
        (("R1", ACTS, [*ACTS]), "It makes a o-> b, b --> c of a o-> b, b o-o c"),
        (("R1", {"a o-> b, b o-o c": "a o-> b, b o-> c"}, SILENT), "of a o-> b, b o-o c, not a o-> b, b o-> c"),
        (("R11", ACTS, SILENT), "RULES has no rule of the name 'R11'"),
    ],
)
def test_pictures_must_be_right(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_rule(*arguments)
