import pickle

import pytest

from ancestral import PAG, AncestralError, Knowledge, KnowledgeError


def test_what_is_said_is_compared_not_how() -> None:
    one = Knowledge(tiers=[["b", "a"], [], ["c"]], no_edge=[("d", "c"), ("c", "d")], forbidden=[["x", "y"]])  # type: ignore[list-item]
    other = Knowledge(tiers=(("a", "b"), ("c",)), no_edge=[("c", "d")], forbidden=[("x", "y"), ("x", "y")])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Knowledge(tiers=[["a"], ["b"], ["c"]])
    assert Knowledge(tiers=[["a", "b"]]) == Knowledge()
    assert not Knowledge()
    assert pickle.loads(pickle.dumps(one)) == one


def test_it_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Knowledge().tiers = [["a"], ["b"]]  # type: ignore[misc]


CONTRADICTIONS = [
    ({"tiers": [["a"], ["b"]], "required": [("b", "a")]}, "b --> a (required), but a comes before b (tiers)"),
    (
        {"tiers": [["a"], ["c"]], "required": [("c", "b"), ("b", "a")]},
        "c --> b --> a (required), but a comes before c (tiers)",
    ),
    ({"forbidden": [("a", "b")], "required": [("a", "b")]}, "a --> b (required), but a does not cause b (forbidden)"),
    ({"exogenous": ["b"], "required": [("a", "b")]}, "a --> b (required), but nothing measured causes b (exogenous)"),
    (
        {"required": [("a", "b"), ("b", "c"), ("c", "a")]},
        "a --> b --> c --> a (required), but a would cause itself",
    ),
    ({"required": [("a", "b")], "no_edge": [("b", "a")]}, "a --> b (required), but a | b (no_edge)"),
]


@pytest.mark.parametrize(("said", "chain"), CONTRADICTIONS)
def test_a_contradiction_is_shown_as_a_chain(said: dict[str, list[object]], chain: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        Knowledge(**said)  # type: ignore[arg-type]
    assert f"the knowledge contradicts itself: {chain}; take one of the statements out" == str(error.value)


BAD = [
    ({"tiers": "ab"}, "tiers='ab' is no list"),
    ({"tiers": ["ab"]}, "tiers='ab' is no list"),
    ({"tiers": [["a"], ["a"]]}, "'a' is in tier 1 and in tier 2"),
    ({"tiers": [["a", "a"]]}, "the name 'a' occurs twice"),
    ({"forbidden": [("a",)]}, "('a',) is no pair of two"),
    ({"forbidden": ["ab"]}, "'ab' is no pair"),
    ({"forbidden": [("a", "a")]}, "'a' stands on both sides"),
    ({"required": [("a", 3)]}, "3 is no name"),
    ({"no_edge": 5}, "no_edge=5 is no list"),
    ({"exogenous": "age"}, "exogenous='age' is no list"),
    ({"exogenous": [""]}, "'' is no name"),
]


@pytest.mark.parametrize(("said", "words"), BAD)
def test_what_is_no_statement_is_refused(said: dict[str, object], words: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        Knowledge(**said)  # type: ignore[arg-type]
    assert words in str(error.value)
    assert isinstance(error.value, AncestralError)


def test_other_variables_are_named_with_the_closest() -> None:
    with pytest.raises(KnowledgeError, match="'smokin', which is no variable of this search; did you mean 'smoking'"):
        Knowledge(exogenous=["smokin"]).constraints(["age", "smoking"])


def test_what_a_graph_denies_is_told() -> None:
    known = Knowledge(tiers=[["a"], ["c"]], required=[("a", "d")], no_edge=[("b", "d")])
    assert known.violations(PAG.parse("a o-> c, a --> d, b")) == []
    assert known.violations(PAG.parse("c --> b, b --> a, a <-> d")) == [
        "c --> b --> a, but a comes before c (tiers)",
        "a <-> d, but a --> d (required)",
    ]
    assert known.violations(PAG.parse("b o-o d, a, c")) == [
        "a and d are not adjacent, but a --> d (required)",
        "b o-o d, but no_edge says there is none",
    ]


def test_reasons_in_words() -> None:
    known = Knowledge(tiers=[["a"], ["c"]], required=[("c", "d"), ("b", "a")])
    assert known.why("c", "d") == "c --> d (required)"
    assert known.why_not("d", "b") == "c --> d (required), b --> a (required), and a comes before c (tiers)"
    assert known.why_not("d", "c") == "c --> d (required)"
    assert known.why_not("a", "c") is None
