"""Examples of the literature: their PAGs as pictures, and the same by brute force where the graph is small enough."""

import numpy as np
import pytest

from ancestral import DAG, MAG, PAG, pag_of
from ancestral.classes.equivalence import class_pag
from ancestral.orientation import ALL_RULES
from tests.support.classes import oriented_marks
from tests.support.example_graphs import C1, C2, C3, C4, NEEDS_R8, SEVEN_NODES


def test_zhang_2008_figure_6() -> None:
    # a ring with one collider: R9 finds that 3 and 5 cause 4
    dag = DAG.parse("L -> 2, L -> 5, 2 -> 3, 3 -> 4, 5 -> 4", latent=["L"])
    assert pag_of(dag) == PAG.parse("2 o-o 3, 2 o-o 5, 3 --> 4, 5 --> 4") == class_pag(dag)


def test_zhang_2006_figure_5_2() -> None:
    # income, genotype, parents' smoking; smoking; lung cancer; the parents' smoking is confounded with smoking
    dag = DAG.parse("A -> D, B -> D, B -> E, C -> D, D -> E, F -> C, F -> D", latent=["F"])
    assert pag_of(dag) == PAG.parse("A o-> D, B o-> D, C o-> D, B --> E, D --> E") == class_pag(dag)


def test_the_seven_node_example_of_spirtes_et_al() -> None:
    expected = PAG.parse("A <-> B, D <-> E, B --> E, D --> A, F o-> B, H o-> D, C o-o F, C o-o H")
    assert pag_of(SEVEN_NODES) == expected == class_pag(SEVEN_NODES)


@pytest.mark.parametrize(
    ("dag", "disputed"),
    [
        (C1, [("3", "o->", "4")]),
        (C2, [(a, "o-o", b) for a, _, b in pag_of(C2).edges()]),
        (C3, [("1", "o->", "8")]),
        (C4, [("0", "o->", "4"), ("0", "o->", "5")]),
    ],
)
def test_graphs_on_which_other_packages_err(dag: DAG, disputed: list[tuple[str, str, str]]) -> None:
    pag = pag_of(dag)
    for edge in disputed:
        assert edge in pag.edges()
    assert pag == class_pag(dag)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a --> b, b --> c, a --> c, d --> b", "a o-> b, d o-> b, b --> c, a --> c"),
        (
            "x --> a, w --> a, a --> b, v --> b, b --> c, a --> c, x --> c, w --> c",
            "x o-> a, w o-> a, a --> b, v o-> b, b --> c, a --> c, x o-> c, w o-> c",
        ),
        ("a <-> b, c --> b, a --> d, b --> d", "a o-> b, c o-> b, a --> d, b --> d"),
    ],
)
def test_tails_from_the_last_rules(text: str, expected: str) -> None:
    mag = MAG.parse(text)
    assert pag_of(mag) == class_pag(mag)
    assert pag_of(mag) == PAG.parse(expected)


def test_a_graph_that_needs_r8() -> None:
    pag = pag_of(NEEDS_R8)
    assert pag == class_pag(NEEDS_R8)
    without = [rule for rule in ALL_RULES if rule != "R8"]
    assert not np.array_equal(pag.marks, oriented_marks(NEEDS_R8.marks, without))
