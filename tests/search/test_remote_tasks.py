"""What workers do with the chunks of a radius."""

import pickle

import pytest

import ancestral as an
from ancestral._pulse_cy import Pulse
from ancestral.parallel.clock import Stopped, Watch
from ancestral.search.remote_tasks import Lines, Radius, Rows, Variables, ask_chunk

ORACLE = an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d"))


def test_a_line_ends_with_the_first_set_that_separates() -> None:
    questions = ORACLE.questions("abcd")
    lines = Lines([[(0, 3, (2,)), (0, 3, (1, 2))], [(0, 1, (2,)), (0, 1, ())]])
    answers = lines.ask(questions, Radius(questions.known_strength()), Pulse())
    assert [(key, answer.independent, supported) for key, answer, supported in answers] == [
        ((0, 3, (2,)), True, True),
        ((0, 1, (2,)), False, True),
        ((0, 1, ()), True, True),
    ]


def test_threads_of_a_worker_have_questions_of_their_own() -> None:
    variables = Variables(ORACLE, "abcd")
    with variables.questions() as first, variables.questions() as second:
        assert first is not second
    with variables.questions() as again:
        assert again in (first, second)
    with pytest.raises(ValueError, match="no"), variables.questions() as broken:
        raise ValueError("no")
    with variables.questions() as one, variables.questions() as two:
        assert broken not in (one, two)


def test_a_test_travels_without_its_questions() -> None:
    variables = Variables(ORACLE, "abcd")
    with variables.questions():
        pass
    copied = pickle.loads(pickle.dumps(variables))
    found, unsupported = ask_chunk(copied, Radius(ORACLE.questions("abcd").known_strength()), Rows(0, 4), Watch())
    assert found.rows.tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert found.asked == 6 and not unsupported.any()


def test_a_worker_ends_when_its_time_is_over() -> None:
    questions = ORACLE.questions("abcd")
    radius = Radius(questions.known_strength())
    lines = Lines([[(0, 2, ())]] * 10_000)
    assert len(ask_chunk(Variables(ORACLE, "abcd"), radius, lines, Watch(60))[0]) == 10_000
    with pytest.raises(Stopped):
        ask_chunk(Variables(ORACLE, "abcd"), radius, lines, Watch(0.0))
