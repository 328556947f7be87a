import pickle

import pytest

from ancestral import CPDAG, PAG, AncestralError, Knowledge, KnowledgeError


def test_what_is_said_is_compared_not_how() -> None:
    one = Knowledge(tiers=[["b", "a"], [], ["c"]], no_edge=[("d", "c"), ("c", "d")], forbidden=[["x", "y"]])  # type: ignore[list-item]
    other = Knowledge(tiers=(("a", "b"), ("c",)), no_edge=[("c", "d")], forbidden=[("x", "y"), ("x", "y")])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Knowledge(tiers=[["a"], ["b"], ["c"]])
    assert Knowledge(tiers=[["a", "b"]]) == Knowledge()
    assert not Knowledge()
    assert Knowledge(causes=[("a", "b"), ("a", "b")]) == Knowledge(causes=(("a", "b"),))
    assert Knowledge(causes=[("a", "b")]) != Knowledge(required=[("a", "b")])
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
    ({"causes": [("b", "a")], "tiers": [["a"], ["b"]]}, "b ~~> a (causes), but a comes before b (tiers)"),
    ({"causes": [("a", "b"), ("b", "a")]}, "a ~~> b ~~> a (causes), but a would cause itself"),
    (
        {"causes": [("c", "b")], "required": [("b", "a")], "exogenous": ["a"]},
        "b --> a (required), but nothing measured causes a (exogenous)",
    ),
    (
        {"causes": [("c", "b")], "required": [("b", "a")], "forbidden": [("c", "a")]},
        "c ~~> b --> a (required, causes), but c does not cause a (forbidden)",
    ),
]


@pytest.mark.parametrize(("statements", "chain"), CONTRADICTIONS)
def test_a_contradiction_is_shown_as_a_chain(statements: dict[str, list[object]], chain: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        Knowledge(**statements)  # type: ignore[arg-type]
    assert f"the knowledge contradicts itself: {chain}; remove one of the statements" == str(error.value)


BAD = [
    ({"tiers": "ab"}, "tiers must be a list, got 'ab'; write tiers="),
    ({"tiers": ["ab"]}, "tiers must be a list, got 'ab'; write tiers="),
    ({"tiers": [["a"], ["a"]]}, "'a' is in tier 1 and in tier 2"),
    ({"tiers": [["a", "a"]]}, "the name 'a' occurs twice"),
    ({"forbidden": [("a",)]}, "forbidden must have pairs of names, got ('a',); write"),
    ({"forbidden": ["ab"]}, "forbidden must have pairs of names, got 'ab'; write"),
    ({"forbidden": [("a", "a")]}, "forbidden: a pair must be two different variables, got 'a' twice"),
    ({"required": [("a", 3)]}, "required: a name must be a string that is not blank, got 3"),
    ({"causes": [("a", "a")]}, "causes: a pair must be two different variables, got 'a' twice"),
    ({"causes": "ab"}, "causes must be a list, got 'ab'; write causes="),
    ({"no_edge": 5}, "no_edge must be a list, got 5"),
    ({"exogenous": "age"}, "exogenous must be a list, got 'age'"),
    ({"exogenous": [""]}, "exogenous: a name must be a string that is not blank, got ''"),
]


@pytest.mark.parametrize(("statements", "words"), BAD)
def test_what_is_no_statement_is_refused(statements: dict[str, object], words: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        Knowledge(**statements)  # type: ignore[arg-type]
    assert words in str(error.value)
    assert isinstance(error.value, AncestralError)


def test_unknown_variables_are_listed_all_at_once_with_the_closest() -> None:
    with pytest.raises(KnowledgeError) as one:
        Knowledge(exogenous=["smokin"]).constraints(["age", "smoking"])
    assert str(one.value) == (
        "the knowledge names a variable that is not in this search: 'smokin' (did you mean 'smoking'?); correct the "
        "name, include that column, or remove the statements about it"
    )
    known = Knowledge(tiers=[["Hei", "Len"], ["Rings"]], forbidden=[("WhW", "Rings")], exogenous=["Sex"])
    with pytest.raises(KnowledgeError) as several:
        known.constraints(["Sex", "Length", "Height", "Rings"])
    assert str(several.value) == (
        "the knowledge names 3 variables that are not in this search: 'Hei' (did you mean 'Height'?), 'Len' (did you "
        "mean 'Length'?) and 'WhW'; correct the names, include these columns, or remove the statements about them"
    )


def test_very_many_unknown_variables_are_counted() -> None:
    with pytest.raises(KnowledgeError, match=r"names 3,000 variables .*'x19' and 2,980 more; correct the names"):
        Knowledge(exogenous=[f"x{i}" for i in range(3000)]).constraints(["age"])


def test_names_in_reasons_are_quoted_as_in_graphs() -> None:
    known = Knowledge(required=[("blood pressure", "husb-occ")])
    assert known.why("blood pressure", "husb-occ") == '"blood pressure" --> husb-occ (required)'
    assert known.violations(PAG.parse('"blood pressure" <-> husb-occ')) == [
        '"blood pressure" <-> husb-occ, but "blood pressure" --> husb-occ (required)'
    ]


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


def test_a_cause_and_an_edge_may_be_denied() -> None:
    known = Knowledge(causes=[("a", "b")], no_edge=[("a", "b")])  # it acts through others
    assert known.why("a", "b") == "a ~~> b (causes)"
    assert known.violations(PAG.parse("a o-o c, c o-o b")) == []


def test_causes_give_reasons_step_by_step() -> None:
    known = Knowledge(tiers=[["a"], ["c"]], causes=[("c", "d"), ("d", "f")], required=[("b", "a"), ("d", "e")])
    assert known.why("c", "f") == "c ~~> d ~~> f (causes)"
    assert known.why("c", "e") == "c ~~> d --> e (required, causes)"
    assert known.why_not("d", "c") == "c ~~> d (causes)"
    assert (
        known.why_not("e", "b") == "c ~~> d --> e (required, causes), b --> a (required), and a comes before c (tiers)"
    )
    both = Knowledge(required=[("a", "b")], causes=[("a", "b")])
    assert both.why("a", "b") == "a --> b (required)"
    assert Knowledge(causes=[("blood pressure", "a->b")]).why("blood pressure", "a->b") == (
        '"blood pressure" ~~> "a->b" (causes)'
    )


def test_statements_about_some_variables_keep_causes_among_them() -> None:
    known = Knowledge(causes=[("a", "b"), ("b", "c")])
    assert known.names == ("a", "b", "c")
    assert known.among(["a", "b"]) == Knowledge(causes=[("a", "b")])
    assert known.among(["a", "c"]) == Knowledge()
    assert known.as_dict() == {"causes": [["a", "b"], ["b", "c"]]}


UNREACHED = [  # graph, with selection, without; a is to cause c
    ("a o-o b, b o-o c", False, False),
    ("a --> b, b --> c", False, False),
    ("a o-> b, b <-> c", True, True),
    ("a o-> b, b <-o c", True, True),
    ("a <-o b, b o-o c", True, True),
    ("a, b, c", True, True),
    ("a --- b, b --o c", False, True),
    ("a --o b, b --o c", False, False),
]


@pytest.mark.parametrize(("graph", "selected", "unselected"), UNREACHED)
def test_a_cause_needs_a_path_without_an_arrowhead_back(graph: str, selected: bool, unselected: bool) -> None:
    known = Knowledge(causes=[("a", "c")])
    told = ["no path allows a to cause c, but a ~~> c (causes)"]
    assert known.violations(PAG.parse(graph)) == (told if selected else [])
    assert known.violations(PAG.parse(graph), selection_bias=False) == (told if unselected else [])
    assert known.unreached(PAG.parse(graph)) == ([("a", "c")] if selected else [])


def test_an_arrowhead_at_a_cause_is_told_though_a_path_is_left() -> None:
    known = Knowledge(causes=[("a", "c")])
    assert known.violations(PAG.parse("a o-o b, b o-o c, a <-> c")) == ["a <-> c, but a ~~> c (causes)"]
    assert known.violations(PAG.parse("c --> a")) == [
        "a <-- c, but a ~~> c (causes)",
        "no path allows a to cause c, but a ~~> c (causes)",
    ]
    assert known.violations(PAG.parse("c --> a"), selection_bias=False)[0] == "c --> a, but a ~~> c (causes)"


def test_an_undirected_edge_of_a_cpdag_denies_nothing() -> None:
    known = Knowledge(causes=[("a", "b")], forbidden=[("b", "a")])
    assert known.violations(CPDAG.parse("a --- b"), selection_bias=False) == []
    assert len(known.violations(CPDAG.parse("a <-- b"), selection_bias=False)) == 3
