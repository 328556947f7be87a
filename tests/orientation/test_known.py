"""Knowledge on the board: it is written first and stands; and the rules K1–K6 and M4, each as a picture."""

import numpy as np
import pytest

from ancestral import PAG, Knowledge
from ancestral.orientation import ALL_RULES, ANYTIME_RULES, RULES
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.orient import Oriented, known_board, orient_checked
from ancestral.orientation.rules import ANYTIME_RULES_WITH_KNOWLEDGE, RULES_WITH_KNOWLEDGE
from ancestral.testing import Picture, check_rule
from tests.support.rule_pictures import after


def known(
    rules: str, before: str, knowledge: str, sepsets: dict[str, str] | None = None, meek: bool = False
) -> tuple[PAG, Oriented]:
    pag = PAG.parse(before)
    judge = Sepsets(len(pag.nodes))
    for pair, given in (sepsets or {}).items():
        x, y = pair.split()
        judge.record(pag.index(x), pag.index(y), [pag.index(z) for z in given.split()])
    constraints = Knowledge.parse(knowledge).constraints(pag.nodes, selection_bias=not meek)
    board = Board(pag.marks.copy(), sufficient=meek, no_edge=constraints.no_edge)
    oriented = orient_checked(known_board(board, constraints), judge, rules.split(), lambda paths: True)
    assert oriented is not None
    return PAG(pag.nodes, oriented.marks), oriented


ACTS = [
    ("K1", "a o-> b, b --o c", "a o-> b, b --> c"),
    ("K1", "a o-> b, b --o c, a o-o c", "a o-> b, b --> c, a o-o c"),
    ("K2", "a --o b, b o-> c, a o-o c", "a --o b, b o-> c, a o-> c"),
    ("K2", "a o-> b, b --o c, a o-o c", "a o-> b, b --o c, a o-> c"),
    ("K3", "a --o b, b --o c, a o-o c", "a --o b, b --o c, a --o c"),
    ("K4", "a o-> b, c o-> b, a o-- d, c o-o d, d o-o b", "a o-> b, c o-> b, a o-- d, c o-o d, d o-> b"),
    ("K4", "a o-> b, c o-> b, a o-> d, c o-- d, d o-o b", "a o-> b, c o-> b, a o-> d, c o-- d, d o-> b"),
]
KEEPS_SILENT = [
    ("K1", "a o-o b, b --o c"),
    ("K1", "a o-> b, b o-o c, a o-o c"),
    ("K2", "a o-o b, b o-> c, a o-o c"),
    ("K2", "a o-> b, b o-o c, a o-o c"),
    ("K3", "a --o b, b o-o c, a o-o c"),
    ("K3", "a o-o b, b --o c, a o-o c"),
    ("K4", "a o-> b, c o-> b, a o-> d, c o-> d, d o-o b"),
    ("K4", "a o-> b, c o-> b, a o-- d, c o-o d, d o-o b, a o-o c"),
    ("K4", "a o-> b, c o-o b, a o-- d, c o-o d, d o-o b"),
    ("K5", "a o-o b, b o-o c"),
    ("K6", "a --o b, b o-o c"),
]


@pytest.mark.parametrize(("rule", "before", "expected"), ACTS)
def test_rule_acts(rule: str, before: str, expected: str) -> None:
    assert after(rule, before) == PAG.parse(expected)


@pytest.mark.parametrize(("rule", "before"), KEEPS_SILENT)
def test_rule_keeps_silent(rule: str, before: str) -> None:
    assert after(rule, before) == PAG.parse(before)


KNOWN = [
    # K5: b is no collider between a and c, or causes c
    ("K5", "a o-o b, b o-o c", "a -/-> c", "a <-o b, b o-o c"),
    ("K5", "a o-o b, b --o c", "a -/-> c", "a <-o b, b --o c"),
    ("K5", "a o-> b, b <-o c", "a -/-> c", "a o-> b, b <-o c"),
    ("K5", "a o-o b, b o-o c, a o-o c", "a -/-> c", "a o-o b, b o-o c, a <-o c"),
    ("K5", "a o-o b, b o-o c, c o-o d", "a -/-> d", "a o-o b, b o-o c, c o-o d"),
    # K6: what a causes does not cause c
    ("K6", "a --o b, b o-o c", "a -/-> c", "a --o b, b <-o c"),
    ("K6", "a o-o b, b o-o c", "a -/-> c", "a o-o b, b o-o c"),
    # pairs without an edge, for an unknown reason, are not unshielded pairs
    ("R1", "a o-> b, b o-o c", "a | c", "a o-> b, b o-o c"),
    ("K5", "a o-o b, b o-o c", "a -/-> c\na | c", "a o-o b, b o-o c"),
    ("R5", "a o-o b, b o-o c, c o-o d, d o-o a", "a | c", "a o-o b, b o-o c, c o-o d, d o-o a"),
    # R5 goes around tails that are known
    ("R5", "a o-o b, b o-o c, c o-o d, d o-o a", "a --> b", "a --- b, b --- c, c --- d, d --- a"),
]


@pytest.mark.parametrize(("rule", "before", "knowledge", "expected"), KNOWN)
def test_what_follows_from_knowledge(rule: str, before: str, knowledge: str, expected: str) -> None:
    assert known(rule, before, knowledge)[0] == PAG.parse(expected)


def test_knowledge_stands_against_a_collider() -> None:
    pag, oriented = known("R0", "a o-o b, b o-o c", "b --> a", {"a c": ""})
    assert pag == PAG.parse("a o-- b, b o-o c")
    assert [(c.x, c.edge, c.y, c.rule, c.because) for c in oriented.conflicts("abc")] == [
        ("a", "o->", "b", "R0", ("a", "b", "c"))
    ]


def test_each_known_mark_says_so() -> None:
    _, oriented = known("R1", "a o-o b, b o-o c", "b -/-> a")
    assert [(o.x, o.y, o.mark, o.rule) for o in oriented.orientations("abc")] == [
        ("a", "b", ">", "knowledge"),
        ("c", "b", "-", "R1"),
        ("b", "c", ">", "R1"),
    ]


MEEK = [
    ("M4", "a o-o b, a o-o c, a o-o d, c --> d, d --> b", "a --> b, a o-o c, a o-o d, c --> d, d --> b"),
    ("M4", "a o-o b, a o-o c, c --> d, d --> b", "a o-o b, a o-o c, c --> d, d --> b"),
    ("M4", "a o-o b, a o-o c, a o-o d, c o-o d, d --> b", "a o-o b, a o-o c, a o-o d, c o-o d, d --> b"),
    (
        "M4",
        "a o-o b, a o-o c, a o-o d, c --> d, d --> b, c o-o b",
        "a o-o b, a o-o c, a o-o d, c --> d, d --> b, c o-o b",
    ),
]


@pytest.mark.parametrize(("rule", "before", "expected"), MEEK)
def test_meeks_fourth(rule: str, before: str, expected: str) -> None:
    assert known(rule, before, "", meek=True)[0] == PAG.parse(expected)


ON_T, ON_T_AND_U = "contexts: c\nc ==> t", "contexts: c\nc ==> t, u"
COLLIDER, CHAIN = Picture("a o-o b, b o-o c", "a c |"), Picture("a o-o b, b o-o c", "a c | b")
PROMISES: dict[str, tuple[dict[str | Picture, str], list[str | Picture]]] = {
    **{
        rule: (
            {before: after for name, before, after in (*ACTS, *MEEK) if name == rule and before != after},
            [before for name, before in (*KEEPS_SILENT, *(case[:2] for case in MEEK[1:])) if name == rule],
        )
        for rule in ("K1", "K2", "K3", "K4", "M4")
    },
    "K5": (
        {Picture("a o-o b, b o-o c", knowledge="a -/-> c"): "a <-o b, b o-o c"},
        ["a o-o b, b o-o c", Picture("a o-> b, b <-o c", knowledge="a -/-> c")],
    ),
    "K6": (
        {Picture("a --o b, b o-o c", knowledge="a -/-> c"): "a --o b, b <-o c"},
        ["a --o b, b o-o c", Picture("a o-o b, b o-o c", knowledge="a -/-> c")],
    ),
    "K7": ({"a o-> b, c --o b": "a o-> b, c --> b"}, ["a o-o b, c --o b", "a o-> b, c o-o b"]),
    "K8": (
        {Picture("a o-> b", knowledge="unconfounded: b, a"): "a --> b"},
        [
            "a o-> b",
            Picture("a o-o b", knowledge="unconfounded: a, b"),
            Picture("a o-> b, c", knowledge="unconfounded: a, c"),
        ],
    ),
    "K9": (
        {
            Picture("c o-o t, c o-o z, t o-o z", knowledge=ON_T): "c --o t, c --o z, t --o z",
            Picture("c o-o t, c o-o u, c o-o z, t o-o z, u <-o z", knowledge=ON_T_AND_U): (
                "c --o t, c --o u, c --o z, t --o z, u <-o z"
            ),
        },
        [
            Picture("c o-o t, c o-o z, t o-o z", knowledge="contexts: c"),
            Picture("c o-o t, t o-o z", knowledge=ON_T),
            Picture("c o-o t, c o-o u, t o-o u", knowledge=ON_T_AND_U),
            Picture("c o-o t, c o-o u, c o-o z, t o-o z, u o-o z", knowledge=ON_T_AND_U),
        ],
    ),
    "K10": (
        {
            Picture("c o-o t, c o-o z, t --o z, t o-o w", knowledge=ON_T): "c --o t, c --o z, t --o z, t --o w",
        },
        [
            Picture("c o-o t, c o-o z, t --o z, t o-o w", knowledge="contexts: c"),
            Picture("c o-o t, c o-o z, t --o z, t o-o w, w o-o z", knowledge=ON_T),
            Picture("c o-o t, t --o z, t o-o w", knowledge=ON_T),
        ],
    ),
    "M0": ({COLLIDER: "a --> b, c --> b"}, [CHAIN]),
    "M1": ({"a --> b, b o-o c": "a --> b, b --> c"}, ["a --> b, b o-o c, a o-o c", "a o-o b, b o-o c"]),
    "M2": ({"a --> b, b --> c, a o-o c": "a --> b, b --> c, a --> c"}, ["a --> b, b o-o c, a o-o c"]),
    "M3": (
        {"a --> b, c --> b, a o-o d, c o-o d, d o-o b": "a --> b, c --> b, a o-o d, c o-o d, d --> b"},
        ["a --> b, c --> b, a o-o d, c o-o d, d o-o b, a o-o c", "a --> b, c o-o b, a o-o d, c o-o d, d o-o b"],
    ),
}


@pytest.mark.parametrize("rule", [*PROMISES])
def test_rules_keep_the_promises_of_their_entries(rule: str) -> None:
    acts, silent = PROMISES[rule]
    check_rule(rule, acts, silent)


def test_every_rule_beside_those_of_zhang_has_pictures() -> None:
    assert PROMISES.keys() == RULES.keys() - set(ALL_RULES)


def test_where_nothing_is_latent_one_end_tells_the_other() -> None:
    for said, expected in (("a -/-> b", "b --> a"), ("a --> b", "a --> b"), ("b -/-> a\na -/-> b", "a o-o b")):
        assert known("M1", "a o-o b", said, meek=True)[0] == PAG.parse(expected)


def test_without_knowledge_the_rules_for_it_change_nothing() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        edges = [f"{a} o-o {b}" for a in "abcde" for b in "abcde" if a < b and rng.random() < 0.6]
        sepsets = {
            f"{a} {b}": " ".join(z for z in "abcde" if z not in (a, b) and rng.random() < 0.4)
            for a in "abcde"
            for b in "abcde"
            if a < b and f"{a} o-o {b}" not in edges
        }
        before = ", ".join(["a", "b", "c", "d", "e", *edges])
        plain = after(" ".join(ANYTIME_RULES), before, sepsets)
        silent = ("K1", "K5", "K6", "K7", "K8", "K9", "K10")
        assert after(" ".join((*ANYTIME_RULES, *silent)), before, sepsets) == plain
    assert tuple(f"K{i}" for i in range(1, 11)) == RULES_WITH_KNOWLEDGE
    assert tuple(f"K{i}" for i in range(1, 8)) == ANYTIME_RULES_WITH_KNOWLEDGE
