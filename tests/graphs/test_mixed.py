import pickle

import numpy as np
import pytest

from ancestral import DAG, PAG, GraphError, UnknownName

PICTURE = PAG.parse("a o-> c, b <-> c, c --> d, d --- e, f")


def test_edges_patterns_and_neighbours() -> None:
    assert PICTURE.edges() == [("a", "o->", "c"), ("b", "<->", "c"), ("c", "-->", "d"), ("d", "---", "e")]
    assert PICTURE.has("a", "*->", "c") and PICTURE.has("c", "<-*", "a") and PICTURE.has("c", "*-*", "a")
    assert not PICTURE.has("a", "<-*", "c") and not PICTURE.has("a", "*-*", "b")
    assert PICTURE.edge("c", "a") == "<-o" and PICTURE.edge("a", "b") is None
    assert PICTURE.neighbours("c") == {"a", "b", "d"}
    assert PICTURE.neighbours("c", "<-*") == {"a", "b"}
    assert PICTURE.neighbours("c", "-->") == {"d"}
    assert PICTURE.neighbours("f") == frozenset()


def test_marks_are_the_documented_matrix_and_frozen() -> None:
    a, c = PICTURE.index("a"), PICTURE.index("c")
    assert (PICTURE.marks[a, c], PICTURE.marks[c, a]) == (2, 1)  # arrowhead at c, circle at a
    with pytest.raises(ValueError, match="read-only"):
        PICTURE.marks[a, c] = 3


def test_equality_ignores_the_order_of_nodes_and_sees_everything_else() -> None:
    assert PAG.parse("b --> a, c") == PAG.parse("c, a <-- b")
    assert PAG.parse("a --> b") != PAG.parse("a o-> b")
    assert PAG.parse("a --> b") != PAG.parse("a --> b, c")
    assert PAG.parse("a --> b") != DAG.parse("a --> b")


def test_ancestors_and_descendants_follow_directed_edges_only() -> None:
    graph = PAG.parse("a --> b, b --> c, x <-> b, y --- a, z o-> c")
    assert graph.ancestors("c") == {"a", "b", "c"}
    assert graph.descendants("a") == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("edges", "ancestors", "anteriors"),
    [
        ("a --> b", "ab", "ab"),
        ("a o-o b", "ab", "ab"),
        ("a o-> b", "ab", "ab"),
        ("a <-> b", "b", "b"),
        ("a <-o b", "b", "b"),
        ("a <-- b", "b", "b"),
        ("a --- b", "b", "ab"),  # the tail at b: a may be an ancestor of selection, not of b
        ("a o-- b", "b", "ab"),
        ("a --o b", "ab", "ab"),
        ("a o-o c, c o-> b", "abc", "abc"),
        ("a o-o c, c <-o b", "b", "b"),
        ("a --- c, c --> b", "bc", "abc"),
    ],
)
def test_possible_ancestors_and_anteriors_of_b(edges: str, ancestors: str, anteriors: str) -> None:
    pag = PAG.parse(edges)
    assert pag.possible_ancestors("b") == set(ancestors)
    assert pag.possible_anteriors("b") == set(anteriors)


def test_an_unknown_name_is_met_with_the_closest_ones() -> None:
    with pytest.raises(UnknownName, match="unknown node 'smokin'; did you mean 'smoking'"):
        PAG.parse("smoking o-> cancer").neighbours("smokin")
    with pytest.raises(UnknownName, match="there are: 'a', 'b'"):
        PAG.parse("a o-o b").edge("a", "zzz")


@pytest.mark.parametrize(
    ("nodes", "marks", "message"),
    [
        (["a", "a"], [[0, 0], [0, 0]], "'a' occurs twice"),
        (["a", " "], [[0, 0], [0, 0]], "a name must be a string that is not blank, got ' '"),
        (["a", 1], [[0, 0], [0, 0]], "a name must be a string that is not blank, got 1"),
        (["a", "b"], [[0, 1], [0, 0]], "between 'a' and 'b' do not form an edge"),
        (["a", "b"], [[0, 9], [1, 0]], "between 'a' and 'b' do not form an edge"),
        (["a", "b"], [[1, 0], [0, 0]], "'a' is joined to itself"),
        (["a", "b"], [[0, 258], [257, 0]], "marks must be whole numbers"),
        (["a", "b"], [[0, 2.5], [1.2, 0]], "marks must be whole numbers"),
        (["a", "b"], [[0, -1], [-1, 0]], "marks must be whole numbers"),
        (["a", "b"], [[0, 1], [0]], "marks must be a matrix; 2 nodes need 2 rows"),
        (["a", "b"], [[0, 0, 0], [0, 0, 0]], "marks must be a matrix of 2 x 2 for 2 nodes, got 2 x 3"),
    ],
)
def test_marks_that_are_no_graph(nodes: list[str], marks: list[list[int]], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        PAG(nodes, marks)


def test_graphs_do_not_change_not_even_when_passed_on() -> None:
    with pytest.raises(AttributeError, match="a PAG cannot be changed"):
        PICTURE.nodes = ()
    again = pickle.loads(pickle.dumps(PICTURE))
    assert again == PICTURE
    assert not again.marks.flags.writeable


def test_edges_as_tuples() -> None:
    made = DAG.from_edges([("a", "-->", "b")], nodes=["c"], latent=["a"])
    assert made == DAG.parse("a -> b, c", latent=["a"])
    with pytest.raises(GraphError, match=r"an edge must be a tuple such as .*, got \('a', 'b'\)"):
        PAG.from_edges([("a", "b")])  # type: ignore[list-item]
    with pytest.raises(GraphError, match=r"nodes must be a list of names, got the single string 'abc'; pass \['abc'\]"):
        PAG.from_edges([], nodes="abc")


def test_edges_and_paths_as_text() -> None:
    pag = PAG.from_edges([("husb-occ", "o->", "b c"), ("b c", "<->", "d")])
    assert pag.edge_text("husb-occ", "b c") == 'husb-occ o-> "b c"'
    assert pag.edge_text("b c", "husb-occ") == '"b c" <-o husb-occ'
    assert pag.path_text(["d", "b c", "husb-occ"]) == 'd <-> "b c", "b c" <-o husb-occ'
    with pytest.raises(GraphError, match="'d' and 'husb-occ' are not adjacent, so there is no edge to write"):
        pag.edge_text("d", "husb-occ")


def test_graphs_without_edges_or_nodes() -> None:
    assert str(PAG.parse("a, b")) == "a\nb"
    assert PAG.parse("").nodes == ()
    assert PAG([], np.zeros((0, 0))) == PAG.parse("")
