"""What repeats in a window, as pictures: marks are carried to adjacent copies, and no path means no cause."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import PAG
from ancestral._pulse_cy import Pulse
from ancestral.graphs.window import Window
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.series.repeating import Repeats, all_allowed, orient_repeating

Rows = NDArray[np.intc]


def nodes_at_steps(text: str) -> str:
    """Nodes as in `A1 o-> B0`, with the steps before t, as nodes of a window."""
    out = []
    for edge in text.split(", "):
        a, symbol, b = edge.split()
        out.append(f'"{a[0]}[t-{a[1]}]" {symbol} "{b[0]}[t-{b[1]}]"'.replace("[t-0]", "[t]"))
    return ", ".join(out)


def repeated(
    before: str, lags: int, rules: tuple[str, ...] = (), allow: Callable[[Rows], Rows] = all_allowed
) -> tuple[PAG, PAG]:
    """A graph over A and B, and what is left to say when marks have been carried; both over all nodes of the window."""
    window = Window(("A", "B"), lags)
    given = PAG.parse(nodes_at_steps(before))
    marks = np.zeros((len(window.names),) * 2, dtype=np.uint8)
    where = [window.names.index(node) for node in given.nodes]
    marks[np.ix_(where, where)] = given.marks
    nothing = np.zeros_like(marks, dtype=bool)
    repeats = Repeats(window.places(window.names))
    board = Board(marks.copy(), Pulse())
    oriented = orient_repeating(board, Sepsets(len(marks)), rules, lambda _: True, repeats, nothing, allow)
    assert oriented is not None
    return PAG(window.names, marks), PAG(window.names, oriented.marks)


def after(before: str, lags: int) -> PAG:
    return repeated(before, lags)[1]


def has(graph: PAG, edge: str) -> bool:
    a, symbol, b = edge.split()
    x, y = (f"{node[0]}[t-{node[1]}]".replace("[t-0]", "[t]") for node in (a, b))
    return graph.has(x, symbol, y)


#: From A over a later A to B, at all places.
OVER_A = "A2 o-> A1, A1 o-> A0, A2 o-> B2, A1 o-> B1, A0 o-> B0"


def test_a_tail_is_carried_to_all_adjacent_copies_in_both_directions() -> None:
    found = after("A2 o-> B1, A1 --> B0", 2)
    assert has(found, "A2 --> B1")
    found = after("A2 --> B1, A1 o-> B0", 2)
    assert has(found, "A1 --> B0")


def test_an_arrowhead_is_carried_to_all_adjacent_copies() -> None:
    # the paths over A keep "no path" from having a say
    found = after(f"A2 <-> B1, A1 o-> B0, {OVER_A}", 2)
    assert has(found, "A1 <-> B0")


def test_nothing_is_carried_to_copies_that_are_not_adjacent() -> None:
    before, found = repeated("A3 --> B2, A2 o-> B1, B3 <-> A1", 3)
    assert np.array_equal(before.marks != 0, found.marks != 0)
    assert has(found, "A2 --> B1")
    assert found.edge("A[t-1]", "B[t]") is None


def test_a_cause_along_a_path_gives_a_tail_to_the_edge_of_another_copy() -> None:
    # A2 causes B1, which causes B0: so A three steps back causes B one step back
    found = after("A3 o-> B1, A2 --> B1, B1 --> B0", 3)
    assert has(found, "A3 --> B1")


def test_what_is_a_cause_in_one_copy_is_no_effect_in_another() -> None:
    found = after("A1 --> B1, A0 o-o B0", 1)
    assert has(found, "A0 --> B0")


def test_an_edge_without_any_possible_path_in_a_later_copy_gets_an_arrowhead() -> None:
    # at t nothing leads from A to B, so A is no cause of B where the two are adjacent
    found = after("A1 o-o B1", 1)
    assert has(found, "A1 <-> B1")


@pytest.mark.parametrize("closed", [False, True])
def test_a_possible_path_in_the_later_copy_leaves_the_circle(closed: bool) -> None:
    found = after(f"A2 o-> B1, {OVER_A.replace('A0 o-> B0', 'A0 <-> B0') if closed else OVER_A}", 2)
    assert has(found, "A2 <-> B1" if closed else "A2 o-> B1")


def test_a_path_cannot_be_directed_over_an_edge_with_a_tail_at_its_end() -> None:
    # B0 causes A0, by the tail at B0: A0 is no cause of B0, though there is no arrowhead at A0 yet
    marks = PAG.parse('"A[t]" o-- "B[t]", "A[t-1]" o-o "B[t-1]"')
    window = Window(("A", "B"), 1)
    repeats = Repeats(window.places(marks.nodes))
    rows, no_cause = repeats.without_path(marks.marks, np.zeros((4, 4), dtype=bool))
    a, b = marks.index("A[t-1]"), marks.index("B[t-1]")
    assert no_cause[a, b] and no_cause[marks.index("A[t]"), marks.index("B[t]")]
    assert not no_cause[b, a]
    assert [a, b] in rows[:, :2].tolist()


def test_what_causes_nothing_in_one_copy_is_known_in_all() -> None:
    window = Window(("A", "B"), 2)
    repeats = Repeats(window.places(window.names))
    at = {name: i for i, name in enumerate(window.names)}
    marks = np.zeros((6, 6), dtype=np.uint8)
    known = np.zeros((6, 6), dtype=bool)
    known[at["A[t-1]"], at["B[t]"]] = True
    _, no_cause = repeats.carried(marks, known)
    assert no_cause[at["A[t-2]"], at["B[t-1]"]]
    assert not no_cause[at["A[t-2]"], at["B[t]"]]
    assert no_cause.sum() == 2


def test_marks_that_are_not_allowed_are_not_carried() -> None:
    seen: list[list[int]] = []

    def none(rows: Rows) -> Rows:
        seen.extend(rows.tolist())
        return rows[:0]

    _, found = repeated("A2 o-> B1, A1 --> B0", 2, allow=none)
    assert seen
    assert has(found, "A2 o-> B1")


def test_a_carried_mark_names_the_copy_that_it_comes_from() -> None:
    window = Window(("A", "B"), 2)
    repeats = Repeats(window.places(window.names))
    at = {name: i for i, name in enumerate(window.names)}
    given = PAG.parse(nodes_at_steps("A2 o-> B1, A1 --> B0"))
    marks = np.zeros((6, 6), dtype=np.uint8)
    where = [at[node] for node in given.nodes]
    marks[np.ix_(where, where)] = given.marks
    rows, _ = repeats.carried(marks, np.zeros((6, 6), dtype=bool))
    tail = [row for row in rows.tolist() if row[:2] == [at["A[t-2]"], at["B[t-1]"]]]
    assert [row[4:] for row in tail] == [[at["A[t-1]"], at["B[t]"]]]
