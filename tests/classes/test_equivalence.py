from itertools import combinations, islice

import numpy as np
import pytest

from ancestral import DAG, MAG, PAG, GraphError, equivalent, equivalent_mags, pag_of
from ancestral.classes._equivalence_cy import enumerate_mags
from ancestral.classes.equivalence import class_pag


@pytest.mark.parametrize(
    ("text", "latent", "selection", "expected"),
    [
        ("a -> b", [], [], "a o-o b"),
        ("a -> c, b -> c", [], [], "a o-> c, b o-> c"),
        ("a -> c, b -> c, c -> d", [], [], "a o-> c, b o-> c, c --> d"),  # the Y: c causes d, nothing hidden between
        ("a -> b, L -> b, L -> c, d -> c", ["L"], [], "a o-> b, b <-> c, d o-> c"),  # the hidden cause is seen
        # four nodes in a ring, each pair of neighbours selected: undirected for sure
        ("a -> s1, b -> s1, b -> s2, c -> s2, c -> s3, d -> s3, d -> s4, a -> s4", [], ["s1", "s2", "s3", "s4"],
         "a --- b, b --- c, c --- d, d --- a"),
    ],
)  # fmt: skip
def test_known_classes(text: str, latent: list[str], selection: list[str], expected: str) -> None:
    dag = DAG.parse(text, latent=latent, selection=selection)
    assert pag_of(dag) == class_pag(dag) == PAG.parse(expected)


def test_equivalence_of_dags_is_about_what_is_observed() -> None:
    assert equivalent(DAG.parse("a -> b"), DAG.parse("L -> a, L -> b", latent=["L"]))
    assert equivalent(DAG.parse("a -> b, b -> c"), DAG.parse("a <- b, b <- c"))
    assert not equivalent(DAG.parse("a -> b, b -> c"), DAG.parse("a -> b, b <- c"))
    assert equivalent(DAG.parse("a -> b"), MAG.parse("a --- b"))
    with pytest.raises(GraphError, match="'c' is observed in one graph only"):
        equivalent(DAG.parse("a -> b"), DAG.parse("a -> b, c"))


def test_the_class_of_a_mag_contains_it_and_only_equivalent_ones() -> None:
    mag = MAG.parse("a --> b, b --> c, c <-> d")
    members = list(equivalent_mags(mag))
    assert mag in members
    assert len(members) == len(set(members))
    assert all(equivalent(mag, other) for other in members)


def test_refusals() -> None:
    with pytest.raises(GraphError, match="must be a DAG or a MAG, got PAG"):
        pag_of(PAG.parse("a o-o b"))  # type: ignore[arg-type]
    with pytest.raises(GraphError, match=r"up to 12 nodes .* got 13 nodes"):
        list(equivalent_mags(MAG.parse(", ".join(f"x{i}" for i in range(13)))))


CLIQUE = MAG.from_edges([(a, "-->", b) for a, b in combinations("abcdefgh", 2)])


def test_a_large_class_comes_one_graph_at_a_time() -> None:
    """A clique of eight nodes has millions of equivalent MAGs; the first ones are there at once, without the others."""
    assert all(len(mag.edges()) == 28 for mag in islice(equivalent_mags(CLIQUE), 5))


def test_a_search_for_all_graphs_looks_up_from_its_work() -> None:
    looked = 0

    def look() -> None:
        nonlocal looked
        looked += 1
        if looked > 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        for _ in enumerate_mags(CLIQUE.marks, like_colliders=True, look=look):
            pass


def test_too_many_nodes_are_refused_before_the_first_graph() -> None:
    with pytest.raises(GraphError, match="up to 12 nodes have their class enumerated, got 13"):
        equivalent_mags(MAG(list("abcdefghijklm"), np.zeros((13, 13))))
