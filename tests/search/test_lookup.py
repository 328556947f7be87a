"""Single questions: those asked ahead count in their turn."""

from typing import Any

import ancestral as an
from ancestral.independence.choice import choose_test
from ancestral.search.lookup import QuestionCache
from ancestral.search.stage import Answer


def test_what_was_asked_ahead_counts_in_its_turn() -> None:
    dag = an.simulate.random_dag(nodes=14, degree=4, latent=3, seed=3)
    rows = an.simulate.discrete(dag, rows=400, levels=3, seed=1)
    questions = choose_test(rows).questions(rows.columns)
    dependent, cannot_tell = Answer(False, 9.0, 1), Answer(False, float("nan"), 0)
    first, second, third = (0, 1, (2,)), (0, 1, (3, 4)), (0, 2, (5,))
    sent: list[Any] = []

    def ask_remotely(lines: Any) -> dict[Any, tuple[Answer, bool]]:
        sent.extend(lines)
        return {first: (dependent, True), second: (cannot_tell, False), third: (dependent, True)}

    cache = QuestionCache(questions, ask_remotely=ask_remotely)
    cache.ask_ahead([[first, second], [third], [third]])
    assert sent == [(first, second), (third,)]
    assert not cache.tests and not cache.answers
    assert not cache.independent(1, 0, (3, 4))
    assert questions.unsupported.tolist()[:4] == [0, 0, 1, 0]
    assert not cache.independent(0, 2, (5,))
    assert cache.tests == {2: 1, 1: 1}
    assert list(cache.answers) == [second, third]
    cache.ask_ahead([[first], [third]])  # only one is left, which is not worth sending
    assert len(sent) == 2
