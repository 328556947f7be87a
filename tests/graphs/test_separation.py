import pytest

from ancestral import DAG, MAG, GraphError, UnknownName, is_separated
from ancestral.graphs import MixedGraph


@pytest.mark.parametrize(
    ("text", "given", "separated"),
    [
        ("a -> b, b -> c", "", False),
        ("a -> b, b -> c", "b", True),
        ("a -> b, c -> b", "", True),
        ("a -> b, c -> b", "b", False),
        ("a -> b, c -> b, b -> d", "d", False),  # a descendant opens the collider
        ("a -> b, c -> b, b -> d, d -> e", "e", False),
        ("a <- b, b -> c", "b", True),
    ],
)
def test_the_three_ways_to_meet(text: str, given: str, separated: bool) -> None:
    assert is_separated(DAG.parse(text), "a", "c", given=set(given)) is separated


def test_selection_is_always_given() -> None:
    text = "a -> s, b -> s"
    assert is_separated(DAG.parse(text), "a", "b")
    assert not is_separated(DAG.parse(text, selection=["s"]), "a", "b")
    assert not is_separated(DAG.parse("a -> m, b -> m, m -> s", selection=["s"]), "a", "b")


def test_sets_on_both_sides() -> None:
    dag = DAG.parse("a -> c, b -> c, c -> d, c -> e")
    assert is_separated(dag, {"a", "b"}, {"d", "e"}, given={"c"})
    assert not is_separated(dag, {"a", "b"}, {"d", "e"})


def test_mags_with_undirected_and_bidirected_edges() -> None:
    mag = MAG.parse("a --- b, b --- c, c --> d, d <-> e")
    assert is_separated(mag, "a", "c", given={"b"})
    assert not is_separated(mag, "a", "c")
    assert is_separated(mag, "c", "e") and not is_separated(mag, "c", "e", given={"d"})


@pytest.mark.parametrize(
    ("x", "y", "given", "message"),
    [
        ("a", "a", set(), "'a' is on both sides; the three sets must not share a node"),
        ("a", "b", {"a"}, "'a' is on one side and among the given nodes"),
        ("a", "s", set(), "'s' is a selection node, which is always given"),
        (set(), "b", set(), "one side is empty"),
        ("a", "b", "c", "given must be a set of names, got the single string 'c'; pass given={'c'}"),
    ],
)
def test_questions_that_make_no_sense(x: str, y: str, given: set[str], message: str) -> None:
    dag = DAG.parse("a -> c, b -> c, c -> s", selection=["s"])
    with pytest.raises(GraphError, match=message):
        is_separated(dag, x, y, given=given)


def test_unknown_names_and_kinds() -> None:
    with pytest.raises(UnknownName):
        is_separated(DAG.parse("a -> b"), "a", "z")
    with pytest.raises(GraphError, match="separation is defined in a DAG, MAG, CPDAG or PAG, got a MixedGraph"):
        is_separated(MixedGraph.parse("a o-o b"), "a", "b")  # type: ignore[arg-type]
