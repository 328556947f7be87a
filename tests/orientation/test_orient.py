"""The loop that writes: passes, witnesses, contradictions, and no dependence on the order of nodes."""

from itertools import combinations

import numpy as np
import pytest

from ancestral import PAG
from ancestral.orientation import ALL_RULES, orient
from ancestral.orientation._judge_cy import Sepsets
from ancestral.trace import Conflict, Orientation
from tests.support.reference import random_marks
from tests.support.rule_pictures import after, applied


def test_rules_pass_the_word_on() -> None:
    # R0 makes b a collider, R1 carries the arrow down the chain
    sepsets = {"a c": "", "a d": "b", "c d": "b", "b e": "d"}
    expected = PAG.parse("a o-> b, c o-> b, b --> d, d --> e")
    assert after("R0 R1", "a o-o b, c o-o b, b o-o d, d o-o e", sepsets) == expected


def test_r4_speaks_when_the_others_are_silent_and_then_they_speak_again() -> None:
    before = "d o-> a, b o-> a, a --> c, b o-o c, c o-o e"
    assert after("R1 R2 R3 R4", before, {"d c": "a"}) == PAG.parse("d o-> a, b <-> a, a --> c, b <-> c, c --> e")


def test_r4_speaks_again_when_only_r4_has_spoken() -> None:
    # b --> c makes b a parent of c, so that the path <d, a, b, e, c> discriminates e; R1–R3 have nothing to say
    before = "d o-> a, a <-> b, e o-> b, a --> c, b o-> c, e o-> c"
    assert after("R1 R2 R3 R4", before, {"d c": "a b e"}) == PAG.parse(
        "d o-> a, a <-> b, e o-> b, a --> c, b --> c, e --> c"
    )


def test_r9_follows_the_walks_as_they_are_now() -> None:
    # <a, d, b, c> may be directed while a o-o c; what makes this a o-> c also makes c --> b, and that ends the walk
    before = "a o-o c, a o-> d, a o-> e, b o-o c, b o-o d, b <-> e, d o-> f, e o-> c, e o-o f"
    assert after("R1 R2 R3 R8 R9 R10", before).has("a", "o->", "c")


def test_each_mark_carries_its_rule_and_its_witnesses() -> None:
    pag, oriented = applied("R0 R1", "a o-o b, c o-o b, b o-o d", {"a c": "", "a d": "b", "c d": "b"})
    assert list(oriented.orientations(pag.nodes)) == [
        Orientation("a", "b", ">", "R0", ("a", "b", "c")),
        Orientation("c", "b", ">", "R0", ("c", "b", "a")),
        Orientation("d", "b", "-", "R1", ("a", "b", "d")),
        Orientation("b", "d", ">", "R1", ("a", "b", "d")),
    ]
    assert not list(oriented.conflicts(pag.nodes))


def test_r4_names_its_path_from_the_last_node_to_the_first() -> None:
    pag, oriented = applied("R4", "d o-> u, u <-> a, b o-> a, u --> c, a --> c, b o-o c", {"d c": "u a b"})
    assert [o.because for o in oriented.orientations(pag.nodes)] == [("c", "b", "a", "u", "d")] * 2


def test_contradictory_proposals_leave_the_mark_and_are_recorded() -> None:
    # from both sides R1 wants the edge b–c to point away
    pag, oriented = applied("R1", "a o-> b, b o-o c, d o-> c")
    assert PAG(pag.nodes, oriented.marks) == pag
    assert list(oriented.conflicts(pag.nodes)) == [
        Conflict("c", "-->", "b", "R1", ("d", "c", "b")),
        Conflict("b", "-->", "c", "R1", ("a", "b", "c")),
    ]


def test_a_proposal_against_a_mark_that_stands_is_refused_whole() -> None:
    pag, oriented = applied("R1", "a o-> b, b o-- c")
    assert PAG(pag.nodes, oriented.marks) == pag
    assert list(oriented.conflicts(pag.nodes)) == [Conflict("b", "-->", "c", "R1", ("a", "b", "c"))]


def test_a_contested_mark_stays_contested() -> None:
    # R3 asks for an arrowhead at b on d–b, R1 (from x) for a tail. Then R1 (from z) takes R3's circle at d away: R3 is
    # silent from now on, but what it said once still counts
    pag = after("R1 R2 R3", "z o-> a, a o-> b, c o-> b, a o-o d, c o-o d, d o-o b, x o-> b")
    assert pag.edge("a", "d") == "-->"
    assert pag.has("b", "o-*", "d")


def random_case(seed: int, n: int) -> tuple[np.ndarray, Sepsets, list[tuple[int, int, list[int]]]]:
    """A skeleton with separating sets that no graph need agree with, as finite data give them."""
    rng = np.random.default_rng(seed)
    marks = random_marks(rng, n, rng.uniform(0.2, 0.7), [(1, 1)])
    judge = Sepsets(n)
    sets = []
    for x, y in combinations(range(n), 2):
        if not marks[x, y]:
            others = [z for z in range(n) if z not in (x, y)]
            given = [z for z in others if rng.random() < 0.3]
            judge.record(x, y, given)
            sets.append((x, y, given))
    return marks, judge, sets


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("rules", [("R0", "R1", "R2", "R3"), tuple(rule for rule in ALL_RULES if rule != "R4")])
def test_permuting_the_nodes_permutes_the_marks(seed: int, rules: tuple[str, ...]) -> None:
    # without R4: of two equally short discriminating paths it takes the first by position (a search numbers by name)
    n = 8
    marks, judge, sets = random_case(seed, n)
    order = np.random.default_rng(seed + 1000).permutation(n)
    place = np.argsort(order)  # node v of the first graph is node place[v] of the second
    moved = Sepsets(n)
    for x, y, given in sets:
        moved.record(int(place[x]), int(place[y]), [int(place[z]) for z in given])
    one = orient(marks, judge, rules)
    two = orient(np.ascontiguousarray(marks[np.ix_(order, order)]), moved, rules)
    assert np.array_equal(one.marks[np.ix_(order, order)], two.marks)
    assert len(one.refused) == len(two.refused)


def test_marks_are_only_ever_written_over_circles() -> None:
    for seed in range(20):
        marks, judge, _ = random_case(seed, 7)
        oriented = orient(marks, judge)
        assert np.array_equal(oriented.marks != 0, marks != 0)
        places = [tuple(row[:2]) for row in oriented.written.tolist()]
        assert len(places) == len(set(places))
        assert len(places) == int((oriented.marks > 1).sum())
