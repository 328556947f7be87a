"""A question from Python is about different variables of the test; anything else is refused, and nothing is read."""

import pytest

import ancestral as an


@pytest.mark.parametrize(
    ("x", "y", "given"),
    [(0, 0, []), (0, 4, []), (-1, 1, []), (0, 1, [0]), (0, 1, [1]), (0, 1, [2, 2]), (0, 1, [-1]), (0, 1, [2, 4])],
)
def test_positions_that_make_no_question_are_refused(x: int, y: int, given: list[int]) -> None:
    questions = an.Oracle(an.DAG.parse("a -> c, b -> c, d")).questions(("a", "b", "c", "d"))
    with pytest.raises(an.OptionError, match=r"different variables, by numbers from 0 to 3, got .* given "):
        questions.ask(x, y, given)
    assert questions.ask(0, 1, [3]) and not questions.ask(1, 0, [3, 2])
