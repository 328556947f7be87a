"""What was randomised, what is unconfounded, contexts and their targets: as statements, as constraints, in files."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from ancestral import PAG, Knowledge
from ancestral.errors import KnowledgeError
from ancestral.knowledge.contexts import ASSUMPTIONS
from ancestral.knowledge.experiments import known_of_experiment

APART = ["exogenous", "unconfounded"]
ON_X = {"contexts": ["c"], "targets": {"c": ["x"]}}
EVERYTHING = Knowledge(
    randomised=["dose"],
    unconfounded=[("b", "a")],
    contexts=["drug A", "site"],
    targets={"drug A": ["b", "a"]},
    tiers=[["a"], ["z"]],
)


def test_statements_are_kept_in_one_order() -> None:
    assert EVERYTHING.unconfounded == (("a", "b"),)
    assert EVERYTHING.target_pairs == (("drug A", "a"), ("drug A", "b"))
    assert EVERYTHING.context_assumptions == ASSUMPTIONS
    assert EVERYTHING.names == ("a", "b", "dose", "drug A", "site", "z")
    assert Knowledge(targets={"c": "x"}, contexts=["c"]) == Knowledge(targets=[("c", "x")], contexts=["c"])
    assert not Knowledge(context_assumptions=[])
    assert Knowledge(contexts=["c"], context_assumptions=[])


def test_text_and_toml(tmp_path: Path) -> None:
    assert Knowledge.parse(str(EVERYTHING)) == EVERYTHING
    weak = Knowledge(contexts=["c", "d"], context_assumptions=["unconfounded", "exogenous"])
    assert str(weak) == "contexts: c, d\ncontexts are: exogenous, unconfounded"
    none = Knowledge(contexts=["c"], context_assumptions=[])
    assert str(none) == "contexts: c\ncontexts are: nothing"
    assert [Knowledge.parse(str(known)) for known in (weak, none)] == [weak, none]
    file = tmp_path / "known.toml"
    file.write_text('randomised = ["dose"]\nunconfounded = [["a", "b"]]\ncontexts = ["c"]\n[targets]\nc = ["a"]\n')
    assert Knowledge.read(file) == Knowledge(
        randomised=["dose"], unconfounded=[("a", "b")], contexts=["c"], targets={"c": ["a"]}
    )


@pytest.mark.parametrize("name", ["randomised:", "contexts:", "==>", "unconfounded:"])
def test_names_that_are_headings_are_quoted(name: str) -> None:
    known = Knowledge(causes=[(name, "b")])
    assert Knowledge.parse(str(known)) == known


def test_assumptions_are_kept_in_run_files_only_if_they_are_not_all() -> None:
    assert EVERYTHING.as_dict()["contexts"] == ["drug A", "site"]
    assert "context_assumptions" not in EVERYTHING.as_dict()
    assert Knowledge(contexts=["c"], context_assumptions=[]).as_dict()["context_assumptions"] == []
    for known in (EVERYTHING, Knowledge(contexts=["c"], context_assumptions=["exogenous"])):
        assert Knowledge(**known.as_dict()) == known


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        ({"randomised": ["x"], "required": [("a", "x")]}, "a --> x (required), but x was randomised"),
        ({"randomised": ["x"], "causes": [("a", "b"), ("b", "x")]}, "a ~~> b ~~> x (causes), but x was randomised"),
        ({"contexts": ["c"], "causes": [("a", "c")]}, "c is a context, which the system does not cause"),
        ({"contexts": ["c", "d"], "required": [("c", "d")]}, "c and d are contexts, whose relation is designed"),
        ({"contexts": ["c", "d"], "no_edge": [("c", "d")]}, "both are contexts"),
        ({"contexts": ["c"], "randomised": ["c"]}, "'c' is a context and randomised"),
        ({"targets": {"c": ["x"]}}, "must be those of a context that is exogenous and unconfounded"),
        ({"contexts": ["c"], "context_assumptions": APART[:1], "targets": {"c": ["x"]}}, "must be those of a context"),
        ({"contexts": ["c", "d"], "targets": {"c": ["d"]}}, "c and d are contexts, whose relation is designed"),
        ({"contexts": ["c", "d"], "context_assumptions": APART, "targets": {"c": ["d"]}}, "'d' is a context"),
        ({**ON_X, "no_edge": [("c", "x")]}, "c --> x (targets), but c | x (no_edge)"),
        ({**ON_X, "required": [("c", "y")]}, "c acts directly on x alone (targets)"),
        ({"contexts": ["c"], "targets": {"c": []}}, "targets of 'c' must be one or more variables"),
        ({"contexts": ["c"], "context_assumptions": ["exogen"]}, "must be some of 'exogenous', 'unconfounded'"),
        ({"context_assumptions": ["exogenous"]}, "are about contexts, and there are none"),
        ({"unconfounded": [("a", "a")]}, "unconfounded: a pair must be two different variables"),
        ({"contexts": "c"}, "contexts must be a list"),
    ],
)  # fmt: skip
def test_what_cannot_be(statements: dict[str, object], says: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        Knowledge(**statements)  # type: ignore[arg-type]
    assert says in str(error.value)


@pytest.mark.parametrize("line", ["unconfounded: a, b, c", "unconfounded: a", "randomised:", "c ==>", "==> a"])
def test_lines_that_are_no_statement(line: str) -> None:
    with pytest.raises(KnowledgeError, match="line 1"):
        Knowledge.parse(line)


# -- constraints ----------------------------------------------------------------------------------------------------


def test_what_is_known_of_each_pair() -> None:
    names = ["C", "D", "r", "x", "y"]
    known = Knowledge(contexts=["C", "D"], randomised=["r"], unconfounded=[("x", "y")], targets={"C": ["x"]})
    for selection_bias in (False, True):
        found = known.constraints(names, selection_bias)
        at = {name: i for i, name in enumerate(names)}

        def told(matrix: np.ndarray, at: dict[str, int] = at) -> set[str]:
            return {f"{a}{b}" for a, b in product(names, repeat=2) if matrix[at[a], at[b]]}

        tails = {"Cx", "Cy", "Cr", "Dx", "Dy", "Dr", "rC", "rD", "rx", "ry"}
        assert told(found.tail) == tails
        assert told(found.cause) == told(found.target) == {"Cx"}
        assert told(found.unconfounded) == {a + b for a, b in product(names, repeat=2) if a != b} - {"CD", "DC"}
        pure = {"CD", "DC", *(a + b for a in "rxy" for b in "CD"), *(a + "r" for a in "CDxy")}
        # with selection, of these only r is known not to cause what was selected on
        assert told(found.no_cause) == ({pair for pair in pure if pair[0] == "r"} if selection_bias else pure)
        assert {names[i] + names[j] for i, j in found.unasked.tolist()} == {"CD"}
        assert {names[i] + names[j] for i, j in found.apart.tolist()} == {"Cr", "Dr"}
        assert {names[i] + names[j] for i, j in found.required.tolist()} == {"CD", "Cx"}


@pytest.mark.parametrize("assumed", [[], ["exogenous"], ["unconfounded"], ["designed"], ["exogenous", "unconfounded"]])
def test_weaker_assumptions_say_less(assumed: list[str]) -> None:
    names = ["C", "D", "x"]
    found = Knowledge(contexts=["C", "D"], context_assumptions=assumed).constraints(names, False)
    assert found.no_cause[2, 0] == ("exogenous" in assumed)
    assert found.unconfounded[0, 2] == ("unconfounded" in assumed)
    assert found.tail[0, 2] == ({"exogenous", "unconfounded"} <= set(assumed))
    assert len(found.unasked) == ("designed" in assumed)
    assert found.no_cause[0, 1] == ("designed" in assumed)
    assert len(found.contexts) == 2 * ({"exogenous", "unconfounded"} <= set(assumed))


def test_some_variables_alone() -> None:
    known = Knowledge(contexts=["C", "D"], targets={"C": ["x", "y"], "D": ["y"]}, unconfounded=[("x", "y")])
    some = known.among(["C", "D", "x"])
    assert some == Knowledge(contexts=["C", "D"], required=[("C", "x")])
    one = known.among(["C", "x", "y"])
    assert one == Knowledge(
        contexts=["C"], context_assumptions=["exogenous", "designed"], required=[("C", "x"), ("C", "y")]
    )
    names = ["C", "D", "x", "y"]
    cut = known.constraints(names).of_some(np.array([0, 1, 2], dtype=np.intc))
    assert not cut.target.any()
    assert cut.tail[0, 2]
    assert cut.contexts.tolist() == [0, 1]


def test_reasons_in_words() -> None:
    assert EVERYTHING.why_tail("dose", "z") == "dose was randomised (randomised)"
    assert EVERYTHING.why_tail("site", "z") == "site is a context, exogenous and unconfounded (contexts)"
    assert EVERYTHING.why_tail("site", "drug A") is None
    assert EVERYTHING.why("drug A", "a") == '"drug A" --> a (targets)'
    assert EVERYTHING.why_not("z", "dose") == "dose was randomised (randomised)"
    assert EVERYTHING.why_not("drug A", "site") == "drug A and site are contexts, whose relation is designed (contexts)"
    assert EVERYTHING.why_unconfounded("z", "site") == "site is a context, unconfounded with the system (contexts)"
    assert EVERYTHING.why_unconfounded("a", "z") is None
    known = Knowledge(unconfounded=[("a", "b")], tiers=[["a"], ["b"]])
    assert known.why_tail("a", "b") == (
        "nothing unmeasured stands behind a and b (unconfounded), and a comes before b (tiers)"
    )


def test_graphs_that_contradict_it() -> None:
    known = Knowledge(contexts=["c"], targets={"c": ["x"]}, unconfounded=[("x", "y")])
    assert known.violations(PAG.parse("c --> x, x --> y, c --> y"), False) == []
    assert known.violations(PAG.parse("x --> c, x <-> y, y"), False) == [
        "x --> c, but c is a context, which the system does not cause (contexts)",
        "c <-- x, but c --> x (targets)",
        "x <-> y, but nothing unmeasured stands behind x and y (unconfounded)",
    ]
    assert known.violations(PAG.parse("c --> x, c --> y"), False) == [
        "c --> y, but c acts directly on x alone (targets), and none of these may cause y"
    ]


# -- from the options of an experiment ------------------------------------------------------------------------------


def test_what_is_done_in_the_first_sample_is_part_of_each_difference() -> None:
    known = known_of_experiment(None, samples=["a", "b", "c"], targets={"a": ["x"], "b": ["y"]})
    assert known == Knowledge(contexts=["b", "c"], targets={"b": ["x", "y"]})
    known = known_of_experiment(None, samples=["a", "b"], targets={"a": [], "b": ["y"]})
    assert known == Knowledge(contexts=["b"], targets={"b": ["y"]})


def test_options_are_added_to_knowledge(tmp_path: Path) -> None:
    stated = Knowledge(contexts=["site"], context_assumptions=["exogenous", "unconfounded"], tiers=[["x"], ["y"]])
    file = tmp_path / "targets.toml"
    file.write_text('drug = ["x"]\n')
    known = known_of_experiment(stated, context=["drug"], targets=file)
    assert known == Knowledge(
        contexts=["drug", "site"],
        context_assumptions=["exogenous", "unconfounded"],
        tiers=[["x"], ["y"]],
        targets={"drug": ["x"]},
    )
    assert known_of_experiment(stated) is stated


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('"drug Z" = ["x"]', "there is none of the name 'drug Z' (did you mean 'drug A'?)"),
        ("drug A = 3", "is not TOML"),
        ('"drug A" = 3', "must be a list"),
        ('"drug A" = [1]', "targets"),
    ],
)
def test_files_of_targets_that_cannot_be_used(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "targets.toml"
    file.write_text(text)
    with pytest.raises(KnowledgeError) as error:
        known_of_experiment(None, samples=["control", "drug A"], targets=file)
    assert says in str(error.value)
    with pytest.raises(KnowledgeError, match="no knowledge file"):
        known_of_experiment(None, samples=["control", "drug A"], targets=tmp_path / "none.toml")
