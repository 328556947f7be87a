"""Identification in graphs that are known from the literature, and what is said where it is refused."""

import pytest

from ancestral import CPDAG, DAG, MAG, PAG, GraphError, OptionError, UnknownName, identify, pag_of
from tests.support.interventions import NAPKIN, SIX

FRONT_DOOR = DAG.parse("u -> x, u -> y, x -> m, m -> y", latent=["u"])
SMOKING = DAG.parse(
    """
    profession -> income, profession -> smoking, region -> smoking, region -> asbestos
    smoking -> tar, tar -> cancer, asbestos -> cancer
    latent: profession
    """
)


def test_front_door_and_napkin_are_identified_in_the_dag_and_by_nothing_in_the_pag() -> None:
    said = identify(FRONT_DOOR, "x", "y")
    assert said.how == "formula"
    assert said.text == "P(y | do(x)) = sum_{m} P(m | x) sum_{x'} P(x') P(y | m, x')"
    napkin = identify(NAPKIN, "x", "y")
    assert napkin.any_value == ("z",)
    assert napkin.text == "P(y | do(x)) = [sum_{w} P(w) P(x | w, z) P(y | w, x, z)] / [sum_{w} P(w) P(x | w, z)]"
    for dag in (FRONT_DOOR, NAPKIN):
        refused = identify(pag_of(dag), "x", "y")
        assert not refused and refused.final
        assert [pair[0] for pair in refused.because] == ["x"]


def test_a_hidden_cause_may_act_through_another_one() -> None:
    said = identify(DAG.parse("l -> k, k -> x, l -> y, x -> y", latent=["k", "l"]), "x", "y")
    assert said.reason == "x causes y, and something unmeasured causes both"


def test_hyttinens_example() -> None:
    dag = DAG.parse("x -> z, z -> y, h -> y, a -> w, a -> x, b -> x, b -> h", latent=["a", "b"])
    said = identify(pag_of(dag), "x", "y")
    assert said.how == "adjustment" and said.adjusted_for == frozenset({"h"})


def test_a_pair_that_only_a_formula_answers() -> None:
    said = identify(pag_of(SIX), "x", "y")
    assert said.how == "formula" and said.adjusted_for is None and not said.any_value
    assert said.text == (
        "P(y | do(x)) = sum_{a, m, v} P(v | x) P(y | a, m) sum_{c, x'} P(c) P(x' | c) P(a | c, x') P(m | a, c, v, x')"
    )
    assert said.latex == (
        r"P(y \mid \mathrm{do}(x)) = \sum_{a, m, v} P(v \mid x) P(y \mid a, m) "
        r"\sum_{c, x'} P(c) P(x' \mid c) P(a \mid c, x') P(m \mid a, c, v, x')"
    )
    assert said.factors is not None and (("m",), ("a", "c", "v", "x")) in said.factors


def test_refusals_name_the_edges_in_the_way() -> None:
    pag = pag_of(SMOKING)
    joint = identify(pag, ["smoking", "asbestos"], "cancer")
    assert joint.reason == "asbestos --> cancer may be causal and confounded at once"
    assert joint.because == (("asbestos", "cancer"),) and joint.final
    income = identify(pag, "income", "cancer")
    assert income.reason == "income o-> smoking leaves open whether income causes smoking"
    assert income.within() == ("asbestos", "smoking")
    assert str(income).splitlines()[:2] == [
        "P(cancer | do(income)): not from this graph, by any formula.",
        "  In the way: income o-> smoking leaves open whether income causes smoking.",
    ]


def test_a_path_of_hidden_causes_is_spelled_out() -> None:
    said = identify(MAG.parse("c --> x, x <-> a, a <-> m, x --> m"), "x", ["m", "a"])
    assert said.reason == "x may act on m (x --> m) and share unmeasured causes with it (x <-> a, a <-> m)"
    assert said.because == (("x", "m"), ("x", "a"), ("a", "m"))
    hidden = identify(DAG.parse("x -> m, h -> x, h -> a, g -> a, g -> m", latent=["g", "h"]), "x", ["m", "a"])
    assert hidden.reason == "x may act on m (x … m) and share unmeasured causes with it (x … a … m)"


def test_within_levels_of_another_variable() -> None:
    chain = PAG.parse("x o-o z, z o-o y")
    refused = identify(chain, "x", "y")
    assert refused.reason == "x o-o z leaves open which of them, if any, causes the other"
    assert refused.within() == ("z",)
    said = identify(chain, "x", "y", within="z")
    assert said.text == "P(y | do(x), z) = P(y | z)" and said.how == "no effect"
    assert said.left_out() == refused.left_out("z") == "what x may do through z"  # x --> z --> y is in the class
    told = "  By the graph, x has no effect on y at fixed values of z.\n  Left out: what x may do through z.\n"
    assert told in str(said)
    collider = PAG.parse("x o-> z1, z2 o-> z1, z1 --> y, z2 --> y")
    assert not identify(collider, "x", "y")
    assert identify(collider, "x", "y", within=["z1", "z2"]).text == "P(y | do(x), z1, z2) = P(y | z1, z2)"


def test_no_effect() -> None:
    said = identify(PAG.parse("a o-> c, b o-> c, c --> d"), "d", "a")
    assert said.how == "no effect" and said.text == "P(a | do(d)) = P(a)"
    assert "By the graph, d has no effect on a." in str(said)


def test_a_cpdag_has_no_hidden_causes() -> None:
    cpdag = CPDAG.parse("a -> c, b -> c, c -> d")
    assert identify(cpdag, "c", "d").text == "P(d | do(c)) = P(d | c)"
    refused = identify(CPDAG.parse("a -- b, b -- c"), "a", "c")
    assert not refused and refused.final
    assert not identify(CPDAG.parse("a -- b, b -- c"), "a", "b", within="c").final


def test_selection_is_refused_with_its_reason() -> None:
    said = identify(PAG.parse("a --- b, b --> c"), "b", "c")
    assert not said and not said.final
    assert said.reason.startswith("the tail at") and "selected" in said.reason
    chosen = identify(DAG.parse("x -> y, y -> s", selection=["s"]), "x", "y")
    assert chosen.reason.startswith("s is a selection node")
    assert identify(PAG.parse("a --- b, b --> c"), "a", "c").within() is None


def test_a_graph_that_is_no_pag_is_answered_with_a_doubt() -> None:
    said = identify(PAG.parse("a o-> c, b o-> c, c o-> d"), "c", "d")
    assert said.doubt is not None and said.doubt.startswith("this graph has other marks than a PAG has")
    assert not said.final
    assert "Beware:" in str(said)
    wrong = identify(PAG.parse("x --> m, m --> y, x <-> y"), "x", "y")
    assert wrong.doubt is not None and wrong.doubt.startswith("the marks of this graph are not consistent: x --> m")
    circle = identify(PAG.parse("a --> b, b --> c, c --> a"), "a", "b")
    assert not circle and circle.reason.startswith("no order of the variables agrees with the marks")
    assert circle.within() is None


def test_names_are_written_so_that_they_can_be_read() -> None:
    pag = PAG.parse('"blood pressure" o-> x_1, z o-> x_1, x_1 --> y')
    said = identify(pag, "x_1", ["y", "blood pressure"])
    assert said.text is not None and '"blood pressure"' in said.text
    assert said.latex is not None and r"\mathrm{blood~pressure}" in said.latex and r"\mathrm{x\_1}" in said.latex
    assert said._repr_latex_() == f"$\\displaystyle {said.latex}$"
    assert identify(PAG.parse("a o-o b"), "a", "b")._repr_latex_() is None
    assert identify(PAG.parse("x1 o-o b"), "b", "x1").query == "P(x1 | do(b))"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"x": "x", "y": "x"}, "both cause and effect"),
        ({"x": "x", "y": "y", "within": "y"}, "leave it out of within"),
        ({"x": [], "y": "y"}, "one of the two sides is empty"),
    ],
)
def test_questions_that_cannot_be_asked(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(GraphError, match=words):
        identify(PAG.parse("x o-o y"), **arguments)  # type: ignore[arg-type]


def test_unknown_names_and_searches_for_sets() -> None:
    pag = PAG.parse("x o-o y, y o-o z")
    with pytest.raises(UnknownName):
        identify(pag, "x", "y", within="w")
    with pytest.raises(UnknownName):
        identify(pag, "x", "y").left_out("w")
    assert identify(PAG.parse("a o-> x, b o-> x, x --> y"), "x", "y", within="a").left_out() is None
    with pytest.raises(OptionError, match="a single x and y"):
        identify(pag, ["x", "y"], "z").within()
