import pickle

import pytest

from ancestral import DAG, PAG, Oracle, discover, simulate
from ancestral.show.causes import causes


@pytest.mark.parametrize(
    ("text", "a", "b", "selection_bias", "answer"),
    [
        ("x o-> a, a --> b", "a", "b", True, "yes"),
        ("a --> b", "a", "b", True, "possibly"),  # it may cause the selection only
        ("a --> b", "a", "b", False, "yes"),
        ("x o-> a, a --> m, m --> b", "a", "b", True, "yes"),
        ("a --> b", "b", "a", True, "no"),
        ("a <-> b", "a", "b", True, "no"),
        ("a o-> b", "a", "b", True, "possibly"),
        ("a o-o b", "a", "b", True, "possibly"),
        ("a --- b", "a", "b", True, "possibly"),
        ("a, b", "a", "b", True, "no"),
        ("a o-> m, m o-> b", "a", "b", True, "possibly"),
        ("a o-> m, b o-> m", "a", "b", True, "no"),
        ("a o-o a2", "a", "a", True, "no"),
    ],
)
def test_answers(text: str, a: str, b: str, selection_bias: bool, answer: str) -> None:
    reply = causes(PAG.parse(text), a, b, selection_bias)
    assert reply == answer
    assert reply.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a, b", "no path joins a and b"),
        ("a --- b", "no arrowhead points back towards a on a --- b"),
        ("a o-> m, m o-o b", "no arrowhead points back towards a on a o-> m, m o-o b"),
        ("a <-> b", "every path from a to b has an arrowhead that points back towards a"),
    ],
)
def test_reasons_say_what_the_graph_says(text: str, reason: str) -> None:
    assert causes(PAG.parse(text), "a", "b", True).reason == reason


def test_answers_survive_being_passed_on() -> None:
    reply = pickle.loads(pickle.dumps(causes(PAG.parse("a <-> b"), "a", "b", True)))
    assert (reply, reply.reason[:5]) == ("no", "every")


def test_answers_are_true_of_the_dag_at_every_stage() -> None:
    replies = []
    for make in simulate.trouble.TROUBLE:
        for seed in range(25):
            dag: DAG = make(seed=seed)
            if len(dag.observed) > 9:
                continue
            for radius in (1, None):
                found = discover(Oracle(dag), max_radius=radius)
                for a in dag.observed:
                    for b in dag.observed:
                        if a != b and (reply := found.causes(a, b)) != "possibly":
                            assert (b in dag.descendants(a)) is (reply == "yes"), (dag, a, b, reply.reason)
                            replies.append(str(reply))
    assert replies.count("yes") > 50
    assert replies.count("no") > 500
