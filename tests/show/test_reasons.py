"""Explanations never contradict the graph, and end in separations that are true."""

import pytest

from ancestral import DAG, MAG, Discovery, Oracle, discover, is_separated, simulate
from ancestral.graphs.marks import parse_symbol
from ancestral.orientation.rules import EXPLANATIONS, NAMES
from ancestral.show.reasons import Step
from tests.support.example_graphs import ALL_SELECTED, ANYTIME, C2, C3, NEEDS_R8, SEVEN_NODES


def picture() -> Discovery:
    return discover(Oracle(DAG.parse("a -> c, b -> c, c -> d")))


def test_a_missing_edge() -> None:
    why = picture().why("a", "d")
    assert str(why) == "No edge between a and d.\n  a and d are independent given {c} (found at radius 1)."
    assert why.steps[1].given == frozenset("c")
    assert why.steps[1].radius == 1


def test_an_arrowhead_goes_back_to_the_separation_it_rests_on() -> None:
    why = picture().why("c", "d")
    assert [(step.kind, step.rule) for step in why.steps] == [
        ("edge", None),
        ("mark", "R1"),
        ("mark", "R0"),
        ("separation", None),
        ("separation", None),
        ("mark", "R1"),
    ]
    assert "a and b are independent given nothing (found at radius 0)." in str(why)
    assert "c is a cause of d (or of the selection): a *-> c" in str(why)


def test_every_rule_has_its_explanation() -> None:
    assert EXPLANATIONS.keys() == set(NAMES.values())


def test_an_open_mark() -> None:
    assert "Whether a causes c is open" in str(picture().why("a", "c"))


def test_what_a_check_found_says_so() -> None:
    found = discover(Oracle(ANYTIME))
    checked = [
        found.stage.separation(a, b)
        for i, a in enumerate(ANYTIME.nodes)
        for b in ANYTIME.nodes[i + 1 :]
        if found.sepset(a, b) is not None
    ]
    by_check = [s for s in checked if s is not None and s.found_by == "collider check"]
    assert by_check
    assert "Found while checking a collider." in str(found.why(by_check[0].x, by_check[0].y))


GRAPHS: list[DAG | MAG] = [C2, C3, SEVEN_NODES, ALL_SELECTED, NEEDS_R8]
GRAPHS += [make(seed=seed) for make in simulate.trouble.TROUBLE for seed in range(12)]


def test_reasons_never_contradict_the_graph() -> None:
    rules = set()
    for graph in GRAPHS:
        found = discover(Oracle(graph))
        turn = {(o.x, o.y): i for i, o in enumerate(found.trace.orientations)}
        for i, a in enumerate(found.pag.nodes):
            for b in found.pag.nodes[i + 1 :]:
                steps = found.why(a, b).steps
                check_top(found, a, b, steps)
                above: list[Step] = []
                for step in steps:
                    above = above[: step.depth]
                    check_step(graph, found, step)
                    if step.kind == "mark":
                        rules.add(step.rule)
                        # what a mark rests on was there before it
                        if above[-1].kind == "mark":
                            assert turn[step.pair] < turn[above[-1].pair]
                    above.append(step)
    assert rules == {f"R{i}" for i in range(11)}


def check_top(found: Discovery, a: str, b: str, steps: tuple[Step, ...]) -> None:
    edge = found.pag.edge(a, b)
    if edge is None:
        assert [step.kind for step in steps] == ["no edge", "separation"]
        return
    assert steps[0].text.startswith(f"{a} {edge} {b}:")
    tops = {step.pair: step.kind for step in steps if step.depth == 1}
    at_a, at_b = parse_symbol(edge)
    assert tops == {(b, a): "mark" if at_a > 1 else "open mark", (a, b): "mark" if at_b > 1 else "open mark"}


def check_step(graph: DAG | MAG, found: Discovery, step: Step) -> None:
    a, b = step.pair
    if step.kind == "separation":
        assert step.given == found.sepset(a, b)
        assert step.given is not None
        assert is_separated(graph, a, b, given=step.given)
        assert found.pag.edge(a, b) is None
    if step.kind == "mark":
        assert step.rule is not None
        mark = parse_symbol(found.pag.edge(a, b) or "")[1]
        reason = found.trace.orientation(a, b)
        assert reason is not None
        assert reason.mark == (">" if mark == 2 else "-")
        assert reason.because == step.because
        assert {a, b} <= set(step.because)


@pytest.mark.parametrize("rule", [f"R{i}" for i in range(11)])
def test_each_rule_has_words_of_its_own(rule: str) -> None:
    for graph in GRAPHS:
        found = discover(Oracle(graph))
        for o in found.trace.orientations:
            if o.rule == rule:
                assert f"({rule})" in str(found.why(o.x, o.y))
                return
    pytest.fail(f"{rule} never spoke")
