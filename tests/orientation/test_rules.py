"""Each rule as a picture: where it acts, and where it must keep silent. Hold it against Zhang (2008)."""

from pathlib import Path
from textwrap import indent

import pytest

from ancestral import PAG
from ancestral.orientation import ALL_RULES
from ancestral.testing import Picture, check_rule
from tests.support.rule_pictures import after

R4_SHORT = "d o-> a, b o-> a, a --> c, b o-o c"
R4_LONG = "d o-> u, u <-> a, b o-> a, u --> c, a --> c, b o-o c"

ACTS = [
    # R0: unshielded, and the node between is not in the separating set
    ("R0", "a o-o b, b o-o c", {"a c": ""}, "a o-> b, b <-o c"),
    ("R0", "a o-o b, b o-o c, d o-o b, d o-o c", {"a c": "d", "a d": ""}, "a o-> b, b <-o c, d o-> b, d o-o c"),
    # R1
    ("R1", "a o-> b, b o-o c", {}, "a o-> b, b --> c"),
    ("R1", "a <-> b, b o-> c", {}, "a <-> b, b --> c"),
    # R2, both forms
    ("R2", "a --> b, b o-> c, a o-o c", {}, "a --> b, b o-> c, a o-> c"),
    ("R2", "a o-> b, b --> c, a o-o c", {}, "a o-> b, b --> c, a o-> c"),
    ("R2", "a <-> b, b --> c, a <-o c", {}, "a <-> b, b --> c, a <-> c"),
    # R3
    (
        "R3",
        "a o-> b, c o-> b, a o-o d, c o-o d, d o-o b",
        {},
        "a o-> b, c o-> b, a o-o d, c o-o d, d o-> b",
    ),
    # R4, b in and not in the separating set of the ends, short and long path
    ("R4", R4_SHORT, {"d c": "a b"}, "d o-> a, b o-> a, a --> c, b --> c"),
    ("R4", R4_SHORT, {"d c": "a"}, "d o-> a, b <-> a, a --> c, b <-> c"),
    ("R4", R4_LONG, {"d c": "u a b"}, "d o-> u, u <-> a, b o-> a, u --> c, a --> c, b --> c"),
    ("R4", R4_LONG, {"d c": "u a"}, "d o-> u, u <-> a, b <-> a, u --> c, a --> c, b <-> c"),
    # R5
    ("R5", "a o-o b, b o-o c, c o-o d, d o-o a", {}, "a --- b, b --- c, c --- d, d --- a"),
    (
        "R5",
        "a o-o b, b o-o c, c o-o d, d o-o e, e o-o a, e o-o f",
        {},
        "a --- b, b --- c, c --- d, d --- e, e --- a, e o-o f",
    ),
    # R6
    ("R6", "a --- b, b o-o c", {}, "a --- b, b --o c"),
    ("R6", "a --- b, b o-> c, a o-o c", {}, "a --- b, b --> c, a --o c"),
    # R7
    ("R7", "a --o b, b o-o c", {}, "a --o b, b --o c"),
    ("R7", "a --o b, b o-> c", {}, "a --o b, b --> c"),
    # R8, both forms
    ("R8", "a --> b, b --> c, a o-> c", {}, "a --> b, b --> c, a --> c"),
    ("R8", "a --o b, b --> c, a o-> c", {}, "a --o b, b --> c, a --> c"),
    # R9
    ("R9", "a o-> d, a o-o b, b o-o c, c --> d", {}, "a --> d, a o-o b, b o-o c, c --> d"),
    ("R9", "a o-> d, a o-> b, b --> c, c --> d", {}, "a --> d, a o-> b, b --> c, c --> d"),
    # R10, with the parents next to a, and further away
    ("R10", "a o-> c, b --> c, d --> c, a o-o b, a o-o d", {}, "a --> c, b --> c, d --> c, a o-o b, a o-o d"),
    (
        "R10",
        "a o-> c, b --> c, d --> c, a o-o m, m o-> b, a o-o d",
        {},
        "a --> c, b --> c, d --> c, a o-o m, m o-> b, a o-o d",
    ),
]

KEEPS_SILENT = [
    ("R0, in the separating set", "R0", "a o-o b, b o-o c", {"a c": "b"}),
    ("R0, shielded", "R0", "a o-o b, b o-o c, a o-o c", {"a c": ""}),
    ("R0, no separating set known", "R0", "a o-o b, b o-o c", {}),
    ("R1, shielded", "R1", "a o-> b, b o-o c, a o-o c", {}),
    ("R1, no arrowhead", "R1", "a o-o b, b o-o c", {}),
    ("R1, a tail at b", "R1", "a --o b, b o-o c", {}),
    ("R2, no tail", "R2", "a o-> b, b o-> c, a o-o c", {}),
    ("R2, second edge not into c", "R2", "a --> b, b --o c, a o-o c", {}),
    ("R3, shielded", "R3", "a o-> b, c o-> b, a o-o d, c o-o d, d o-o b, a o-o c", {}),
    ("R3, no circle at d", "R3", "a o-> b, c o-> b, a o-> d, c o-o d, d o-o b", {}),
    ("R3, one arrowhead", "R3", "a o-> b, c o-o b, a o-o d, c o-o d, d o-o b", {}),
    ("R4, ends adjacent", "R4", f"{R4_SHORT}, d o-o c", {}),
    ("R4, no separating set known", "R4", R4_SHORT, {}),
    ("R4, a is no parent", "R4", "d o-> a, b o-> a, a o-> c, b o-o c", {"d c": ""}),
    ("R4, a is no collider", "R4", "d o-> a, a o-o b, a --> c, b o-o c", {"d c": ""}),
    ("R4, u is no collider", "R4", "d o-o u, u <-> a, b o-> a, u --> c, a --> c, b o-o c", {"d c": ""}),
    ("R4, u is no parent", "R4", "d o-> u, u <-> a, b o-> a, u <-> c, a --> c, b o-o c", {"d c": ""}),
    ("R4, a is no parent, further in", "R4", "d o-> u, u <-> a, b o-> a, u --> c, a <-> c, b o-o c", {"d c": ""}),
    ("R4, u <-o a only", "R4", "d o-> u, a o-> u, b o-> a, u --> c, a --> c, b o-o c", {"d c": ""}),
    ("R5, a triangle", "R5", "a o-o b, b o-o c, c o-o a", {}),
    ("R5, a chord", "R5", "a o-o b, b o-o c, c o-o d, d o-o a, a o-> c", {}),
    ("R5, covered at a joint", "R5", "a o-o g, g o-o x, x o-o t, t o-o b, b o-o a, a o-> t", {}),
    ("R5, not all circles", "R5", "a o-o b, b o-o c, c o-o d, d o-> a", {}),
    ("R6, not undirected", "R6", "a --o b, b o-o c, a o-o c", {}),
    ("R7, shielded", "R7", "a --o b, b o-o c, a o-o c", {}),
    ("R7, no tail", "R7", "a o-o b, b o-o c", {}),
    ("R8, circle at a", "R8", "a o-> b, b --> c, a o-> c", {}),
    ("R8, undirected first edge", "R8", "a --- b, b --> c, a o-> c", {}),
    ("R8, no tail at b", "R8", "a --> b, b o-> c, a o-> c", {}),
    ("R8, no arrowhead at c", "R8", "a --> b, b --> c, a o-o c", {}),
    ("R9, not potentially directed", "R9", "a o-> d, a o-o b, b o-o c, c <-> d", {}),
    ("R9, not potentially directed: a tail at the far end", "R9", "a o-> d, a o-o b, b o-- c, c --> d", {}),
    ("R9, covered", "R9", "a o-> d, a o-o b, b o-o c, c o-> d, a o-o c", {}),
    ("R9, covered at the end", "R9", "a o-> d, a o-o b, b o-o c, c o-> d, b o-> d", {}),
    ("R9, no arrowhead at d", "R9", "a o-o d, a o-o b, b o-o c, c --> d", {}),
    ("R10, second nodes adjacent", "R10", "a o-> c, b --> c, d --> c, a o-o b, a o-o d, b o-o d", {}),
    ("R10, one parent only", "R10", "a o-> c, b --> c, d o-> c, a o-o b, a o-o d", {}),
    ("R10, not potentially directed", "R10", "a o-> c, b --> c, d --> c, a o-o b, a <-o d", {}),
    ("R10, covered", "R10", "a o-> c, b --> c, d --> c, a o-o m, m o-> b, a <-> b, a o-o d", {}),
]


@pytest.mark.parametrize(("rule", "before", "sepsets", "expected"), ACTS)
def test_rule_acts(rule: str, before: str, sepsets: dict[str, str], expected: str) -> None:
    assert after(rule, before, sepsets) == PAG.parse(expected)


@pytest.mark.parametrize(("why", "rule", "before", "sepsets"), KEEPS_SILENT, ids=[case[0] for case in KEEPS_SILENT])
def test_rule_keeps_silent(why: str, rule: str, before: str, sepsets: dict[str, str]) -> None:
    assert after(rule, before, sepsets) == PAG.parse(before)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rules_keep_the_promises_of_their_entries(rule: str) -> None:
    def picture(graph: str, sepsets: dict[str, str]) -> Picture:
        return Picture(graph, ", ".join(f"{pair} | {given}" for pair, given in sepsets.items()))

    acts: dict[str | Picture, str] = {picture(*case[1:3]): case[3] for case in ACTS if case[0] == rule}
    check_rule(rule, acts, [picture(*case[2:]) for case in KEEPS_SILENT if case[1] == rule])


def test_every_rule_has_both_kinds_of_pictures() -> None:
    assert {case[0] for case in ACTS} == set(ALL_RULES)
    assert {case[1] for case in KEEPS_SILENT} == set(ALL_RULES)


def test_the_example_of_a_rule_in_the_docs_is_r1() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "extending.md").read_text(encoding="utf-8")
    rules = root / "src" / "ancestral" / "orientation"
    kernels, entries = ((rules / name).read_text(encoding="utf-8") for name in ("_rules_cy.py", "rules.py"))
    start = kernels.index("def r1(")
    assert indent(kernels[start : kernels.index("\n\n\n", start)], "   ") in page
    entry = '"R1": Rule(rules.r1, explanations.r1, turn=1, anytime=True),'
    assert entry in page and entry in entries
    pictures = (next(case for case in ACTS if case[0] == "R1"), next(case for case in KEEPS_SILENT if case[1] == "R1"))
    assert all(str(picture).replace("'", '"') in page for picture in pictures)
