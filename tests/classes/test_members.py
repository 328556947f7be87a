"""One graph of each class, legality, and draws from a class, against classes found without any rule."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from ancestral import (
    CPDAG,
    DAG,
    MAG,
    PAG,
    GraphError,
    OptionError,
    canonical_dag,
    equivalent,
    equivalent_mags,
    legal,
    list_mags,
    mag_in,
    mag_of,
    pag_of,
    sample_dags,
    sample_mags,
    simulate,
)
from ancestral.classes.listing import Members
from ancestral.classes.members import members_behind
from tests.support.classes import agreed_marks, classes, skeletons, skeletons_up_to_isomorphism
from tests.support.reference import some_mags


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_member_of_each_class_is_one(n: int) -> None:
    for members in classes(skeletons_up_to_isomorphism(n)):
        pag = PAG("abcd"[:n], agreed_marks(members))
        assert mag_in(pag).marks.tobytes() in {marks.tobytes() for marks in members}
        assert legal(pag)


def test_the_member_of_larger_classes_is_one() -> None:
    for make in simulate.trouble.TROUBLE:
        for seed in range(20):
            dag = make(seed=seed)
            pag = pag_of(dag)
            assert equivalent(mag_in(pag), dag)
    for mag in some_mags(seed=5, count=200, n=7):
        assert equivalent(mag_in(pag_of(mag)), mag)


def test_exactly_the_pags_of_classes_are_legal() -> None:
    """All graphs with three nodes and any marks: of 343, as many are legal as there are classes."""
    pags = {agreed_marks(members).tobytes() for members in classes(skeletons(3))}
    found = 0
    edges = [(0, 0), *product((1, 2, 3), repeat=2)]
    for chosen in product(edges, repeat=3):
        marks = np.zeros((3, 3), dtype=np.uint8)
        for (x, y), (at_x, at_y) in zip([(0, 1), (0, 2), (1, 2)], chosen, strict=True):
            marks[y, x], marks[x, y] = at_x, at_y
        said = legal(PAG("abc", marks))
        assert said.legal is (marks.tobytes() in pags), (PAG("abc", marks), said)
        assert said.reason
        found += said.legal
    assert found == len(pags)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a --> b, b --> c, c --> a", "not be a MAG: directed cycle"),
        ("a --> b", "differ about the mark at . on"),
        ("a o-o b, b o-o c, c o-o d, d o-o a", "the ring .* has no chord"),
        ("a o-> b, d o-> b, b o-> c", "have a tail at b on b o-> c"),
        ("a <-> b, b --> c, c --> a", "not be a MAG: not ancestral"),
        ("a <-> b, b <-> c, c <-> d, b --> d, c --> a", "not be a MAG: not maximal"),
    ],
)
def test_why_a_graph_is_not_legal(text: str, reason: str) -> None:
    pag = PAG.parse(text)
    assert not legal(pag)
    assert str(legal(pag)).startswith("not legal: ")
    with pytest.raises(GraphError, match="not the PAG of any graph: .*" + reason):
        mag_in(pag)


def test_cpdags() -> None:
    cpdag = CPDAG.parse("a --- b, b --- c, c --> e, d --> e")
    assert legal(cpdag)
    assert {edge for _, edge, _ in mag_in(cpdag).edges()} == {"-->"}
    assert not legal(CPDAG.parse("a --> b"))
    assert "arrowhead" in legal(CPDAG.parse("a --- b, b --> c, d --> b")).reason
    drawn = sample_dags(cpdag, 300, seed=1)
    assert all(not dag.latent and not dag.selection for dag in drawn)
    times = Counter(map(str, drawn))
    assert len(times) == 3  # a, b, c in a row without a collider
    assert min(times.values()) > 70


def test_refusals() -> None:
    with pytest.raises(GraphError, match="must be a PAG or a CPDAG, got a MAG"):
        mag_in(MAG.parse("a --> b"))  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="canonical_dag needs a MAG, got a PAG"):
        canonical_dag(PAG.parse("a o-o b"))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="n must be a whole number of at least 0, got -1"):
        sample_mags(PAG.parse("a o-o b"), -1, seed=1)
    ring = PAG.parse("a --- b, b --- c, c --- d, d --- a")
    assert sample_mags(ring, 1, seed=1)
    with pytest.raises(GraphError, match="selection_bias=True"):
        sample_mags(ring, 1, seed=1, selection_bias=False)


def test_a_mag_is_that_of_its_canonical_dag() -> None:
    for mag in some_mags(seed=8, count=200, n=6):
        dag = canonical_dag(mag)
        assert mag_of(dag) == mag
    named = canonical_dag(MAG.parse("a <-> b, L.a.b --- c"))
    assert named.latent == {"L.a.b'"}
    assert named.selection == {"S.L.a.b.c"}


def test_small_classes_are_drawn_evenly() -> None:
    pag = pag_of(DAG.parse("a -> b, b -> c"))
    members = {str(mag) for mag in equivalent_mags(mag_in(pag))}
    times = Counter(str(mag) for mag in sample_mags(pag, 2000, seed=1))
    assert set(times) == members
    expected = 2000 / len(members)
    assert sum((times[m] - expected) ** 2 / expected for m in members) < 2 * len(members) + 10
    without = {str(mag) for mag in sample_mags(pag, 500, seed=1, selection_bias=False)}
    assert without == {m for m in members if "---" not in m}


def test_the_walk_stays_in_the_class_and_comes_to_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ancestral.classes.members.MOST_LISTED", 0)
    pag = pag_of(DAG.parse("a -> b, b -> c, a -> d"))
    members = {str(mag) for mag in equivalent_mags(mag_in(pag)) if "---" not in str(mag)}
    times = Counter(str(mag) for mag in sample_mags(pag, 600, seed=1, selection_bias=False))
    assert set(times) == members
    expected = 600 / len(members)
    assert sum((times[m] - expected) ** 2 / expected for m in members) < 2 * len(members) + 10
    assert sample_mags(pag, 5, seed=7) == sample_mags(pag, 5, seed=7)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_list_of_a_class_is_that_of_brute_force(n: int) -> None:
    for members in classes(skeletons_up_to_isomorphism(n)):
        pag = PAG("abcd"[:n], agreed_marks(members))
        expected = {str(MAG(pag.nodes, marks)) for marks in members}
        listed = [str(mag) for mag in list_mags(pag)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == {mag for mag in expected if "---" not in mag}


def test_random_classes_of_six_nodes_are_listed() -> None:
    sizes = []
    for seed in range(25):
        mag = mag_of(simulate.random_dag(nodes=7, degree=2.2, seed=seed))
        if len(mag.nodes) == 6 and len(mag.edges()) <= 8:
            expected = {str(other) for other in equivalent_mags(mag)}
            assert {str(other) for other in list_mags(pag_of(mag))} == {mag for mag in expected if "---" not in mag}
            sizes.append(len(expected))
    assert len(sizes) > 10 and max(sizes) > 100


def test_walks_over_undirected_edges_stay_in_the_class() -> None:
    undirected = 0
    for make in simulate.trouble.TROUBLE:
        for seed in range(6):
            pag = pag_of(make(seed=seed))
            members = Members(pag, selection=True)
            for marks in members.marks(members.drawn(10, np.random.default_rng(seed))) if len(members.choices) else ():
                mag = MAG(pag.nodes, marks)
                assert pag_of(mag) == pag
                undirected += "---" in str(mag)
    assert undirected > 50


def test_a_class_of_dags_is_listed() -> None:
    """The tree on n nodes has n DAGs, one for each root; the complete graph all orders."""
    tree = CPDAG.parse("a --- b, b --- c, b --- d")
    assert {str(mag) for mag in list_mags(tree)} == {
        "a --> b\nb --> c\nb --> d",
        "b --> a\nb --> c\nb --> d",
        "b --> a\nb --> d\nc --> b",
        "b --> a\nb --> c\nd --> b",
    }
    complete = CPDAG.parse("a --- b, b --- c, a --- c, a --- d, b --- d, c --- d")
    assert len({str(mag) for mag in list_mags(complete)}) == 24


def test_a_class_that_is_too_large_is_not_listed() -> None:
    pag = PAG.parse("a o-o b, b o-o c")
    assert len(list_mags(pag, most=5)) == 5
    with pytest.raises(GraphError, match="the class has more than 4 MAGs; pass a larger most=, or use sample_mags"):
        list_mags(pag, most=4)
    with pytest.raises(OptionError, match="most must be a whole number of at least 1, got 0"):
        list_mags(pag, most=0)
    assert list_mags(PAG.parse("a --- b, b --- c, c --- d, d --- a")) == []
    with pytest.raises(GraphError, match="not the PAG of any graph"):
        list_mags(PAG.parse("a --> b"))


def test_draws_and_lists_keep_what_is_known_beside_the_class() -> None:
    """a --> b is known of a o-o b, b o-o c; then b is not a collider, and b --> c, which the graph need not say."""
    pag = pag_of(DAG.parse("a -> b, b -> c, c -> d"))
    known = PAG.parse("a --> b, b o-o c, c o-o d")
    assert not legal(known)
    members = members_behind(known)
    expected = {str(mag) for mag in list_mags(pag) if mag.has("a", "-->", "b")}
    codes = members.listed(100)
    assert codes is not None
    assert {str(MAG("abcd", marks)) for marks in members.marks(codes)} == expected
    drawn = members.drawn(200, np.random.default_rng(1))
    assert {str(MAG("abcd", marks)) for marks in members.marks(drawn)} == expected
    with pytest.raises(GraphError, match="every MAG of the class has an edge ---, so the sample was selected"):
        members_behind(PAG.parse("a --- b, b --- c, c --- d, d --- a"))


def test_draws_from_a_large_class() -> None:
    pag = pag_of(simulate.random_dag(nodes=15, degree=2, seed=1))
    drawn = sample_mags(pag, 3, seed=1, selection_bias=False)
    assert all(pag_of(mag) == pag for mag in drawn)
    assert len(set(drawn)) == 3
    assert all(pag_of(dag) == pag for dag in sample_dags(pag, 2, seed=2))
