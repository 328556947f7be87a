"""Each kind keeps its promise: a graph that breaks it is refused, and the nodes are named."""

import pytest

from ancestral import CPDAG, DAG, MAG, GraphError, UnknownName, mag_of


def test_roles_of_a_dag() -> None:
    dag = DAG.parse("L -> a, L -> b, a -> s, b -> s", latent=["L"], selection=["s"])
    assert dag.observed == ("a", "b")
    assert dag.latent == {"L"} and dag.selection == {"s"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a -> b, b -> c, c -> a", "directed cycle"),
        ("a <-> b", "a DAG has no edge a <-> b; its edges are -->"),
        ("a o-> b", "a DAG has no edge"),
    ],
)
def test_no_dag(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        DAG.parse(text)


def test_a_cycle_is_shown_in_its_order() -> None:
    with pytest.raises(GraphError) as error:
        DAG.parse("x -> a, a -> b, b -> c, c -> a, c -> y")
    shown = str(error.value).split(";")[0].removeprefix("directed cycle ").split(" --> ")
    assert len(shown) == 4 and shown[0] == shown[-1]
    assert "".join(shown[:-1]) in {"abc", "bca", "cab"}


def test_roles_need_known_nodes_and_only_one() -> None:
    with pytest.raises(UnknownName, match="unknown node 'M'; there are: 'a', 'b'"):
        DAG.parse("a -> b", latent=["M"])
    with pytest.raises(
        UnknownName, match=r"unknown nodes 'M' and 'age1' \(did you mean 'age'\?\); there are: 'age', 'b'"
    ):
        DAG.parse("age -> b", latent=["M"], selection=["age1"])
    with pytest.raises(GraphError, match="'a' is both latent and selection"):
        DAG.parse("a -> b", latent=["a"], selection=["a"])
    with pytest.raises(
        GraphError, match=r"latent must be a list of names, got the single string 'ab'; pass latent=\['ab'\]"
    ):
        DAG.parse("ab -> c", latent="ab")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a --> b, b --> c, c --> a", "directed cycle"),
        ("a --> b, b --> c, c <-> a", "not ancestral: c <-> a|not ancestral: a <-> c"),
        ("a --> b, b --- c", "not ancestral: a --> b has an arrowhead at an end of b --- c"),
        ("a <-> b, b --- c", "not ancestral"),
        # a <-> b <-> c <-> d with b --> d and c --> a: no set separates a and d
        ("a <-> b, b <-> c, c <-> d, b --> d, c --> a", "not maximal: no set separates 'a' and 'd'"),
        ("a o-> b", "a MAG has no edge a o-> b"),
    ],
)
def test_no_mag(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        MAG.parse(text)


def test_a_mag_may_have_all_three_edges() -> None:
    assert len(MAG.parse("a --- b, b --> c, c <-> d").edges()) == 3


def test_names_of_any_length_have_an_order() -> None:
    names = ["x2", "x10", "x" + "9" * 5000, "x" + "1" + "0" * 5000]
    assert str(DAG.parse(", ".join(reversed(names)))).split("\n") == names


def test_what_is_no_graph_at_all() -> None:
    with pytest.raises(GraphError, match="a graph is read from text, got 5; write it like"):
        DAG.parse(5)  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="mag_of needs a DAG, got a MAG"):
        mag_of(MAG.parse("a --> b"))  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="latent must be a list of names, got None; leave it out"):
        DAG.parse("a -> b", latent=None)  # type: ignore[arg-type]


def test_cpdag() -> None:
    assert CPDAG.parse("a --- b, b --> c").has("b", "-->", "c")
    with pytest.raises(GraphError, match="a CPDAG has no edge a <-> b"):
        CPDAG.parse("a <-> b")
    with pytest.raises(GraphError, match="directed cycle"):
        CPDAG.parse("a --> b, b --> c, c --> a")
