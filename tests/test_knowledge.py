"""Knowledge at the front door: reasons, warnings, run files, the command line."""

import warnings
from itertools import combinations, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral import DAG, PAG, Knowledge, KnowledgeError, KnowledgeWarning, Oracle
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Problem
from tests.support.command_line import ran

CHAIN = Oracle(DAG.parse("age -> smoking, smoking -> cancer"))
ALGORITHMS = ("icd", "fci", "rfci", "fci+", "pc")


def test_it_may_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "known.txt").write_text("age < smoking", encoding="utf-8")
    found = an.discover(CHAIN, knowledge=tmp_path / "known.txt")
    assert found.settings.knowledge == Knowledge(tiers=[["age"], ["smoking"]])
    assert found.pag == PAG.parse("age o-> smoking, smoking --> cancer")
    assert [stage.pag for stage in an.stages(CHAIN, knowledge=str(tmp_path / "known.txt"))][-1] == found.pag


def test_what_says_nothing_is_none() -> None:
    assert an.discover(CHAIN, knowledge=Knowledge()).settings.knowledge is None


def test_what_is_no_knowledge_is_refused() -> None:
    with pytest.raises(
        KnowledgeError, match=r"knowledge must be a Knowledge or the path of a file, got {'tiers': ..}; pass Knowledge"
    ):
        an.discover(CHAIN, knowledge={"tiers": []})  # type: ignore[arg-type]
    with pytest.raises(KnowledgeError, match="names a variable that is not in this search: 'sex'; correct the name"):
        an.discover(CHAIN, knowledge=Knowledge(exogenous=["sex"]))


# -- reasons ------------------------------------------------------------------------------------------------------


def test_marks_say_what_is_known() -> None:
    found = an.discover(CHAIN, knowledge=Knowledge(tiers=[["age"], ["smoking"]]))
    known = found.trace.orientation("age", "smoking")
    assert known is not None
    assert (known.mark, known.rule, set(known.because)) == (">", "knowledge", {"age", "smoking"})
    assert "known: age comes before smoking (tiers) (knowledge)" in str(found.why("age", "smoking"))
    # and what the rules made of it leads back to it
    assert "known: age comes before smoking" in str(found.why("smoking", "cancer"))


def test_edges_say_what_is_known() -> None:
    knowledge = Knowledge(no_edge=[("age", "cancer")], required=[("age", "smoking")])
    for algorithm in ALGORITHMS:
        found = an.discover(CHAIN, algorithm=algorithm, knowledge=knowledge)
        assert found.pag.edge("age", "cancer") is None
        assert found.sepset("age", "cancer") is None
        assert "known not to be adjacent (no_edge)" in str(found.why("age", "cancer"))
        assert "known to be adjacent, whatever the data say (required)" in str(found.why("age", "smoking"))
        assert "known: age --> smoking (required)" in str(found.why("age", "smoking"))
        row = found.to_frame().row(by_predicate=pl.col("found_by") == "knowledge", named=True)
        assert (row["edge"], row["sepset"], row["radius"]) == (None, None, None)
        assert "with knowledge: 2 statements" in str(found)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_everything_that_is_found_can_be_explained(algorithm: str) -> None:
    for seed in range(6):
        dag = an.simulate.random_dag(nodes=9, degree=3, seed=seed)
        order = sorted(dag.observed, key=lambda v: len(dag.ancestors(v)))
        half = len(order) // 2
        nothing = [(y, x) for x, y in combinations(order, 2)][::3]
        knowledge = Knowledge(tiers=[order[:half], order[half:]], forbidden=nothing)
        with warnings.catch_warnings():
            if algorithm == "pc":  # which takes it that nothing is latent
                warnings.simplefilter("ignore", KnowledgeWarning)
            found = an.discover(Oracle(dag), algorithm=algorithm, knowledge=knowledge)
        for a, b in combinations(found.pag.nodes, 2):
            assert "None" not in str(found.why(a, b))


# -- data against knowledge ---------------------------------------------------------------------------------------


def frame(**columns: np.ndarray) -> pl.DataFrame:
    return pl.DataFrame(columns)


def collider(rows: int = 2000) -> pl.DataFrame:
    """a --> c <-- b."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, rows))
    return frame(a=a, b=b, c=a + b + rng.normal(size=rows))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_knowledge_wins_over_a_collider(algorithm: str) -> None:
    knowledge = Knowledge(required=[("c", "a")])
    with pytest.warns(KnowledgeWarning, match=r"R0|M0") as caught:
        found = an.discover(collider(), algorithm=algorithm, knowledge=knowledge)
    (warnings,) = {str(w.message) for w in caught}
    p = found.evidence("a", "b").p_value
    assert "independent c and b given" not in warnings
    assert f"a and b given nothing, p = {p:.3g}" in warnings or f"b and a given nothing, p = {p:.3g}" in warnings
    assert "since c --> a (required)" in warnings
    assert found.pag.has("c", "--*", "a")
    assert not found.pag.has("b", "*->", "c")
    assert any(c.rule in ("R0", "M0") for c in found.trace.conflicts)


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_required_edge_stays_and_the_data_are_heard(algorithm: str, stable: bool) -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(size=2000)
    b = a + rng.normal(size=2000)
    data = frame(a=a, b=b, c=b + rng.normal(size=2000), d=rng.normal(size=2000))
    knowledge = Knowledge(required=[("a", "c"), ("a", "d")])
    with pytest.warns(KnowledgeWarning) as caught:
        found = an.discover(data, algorithm=algorithm, knowledge=knowledge, stable=stable)
    warnings = " / ".join(str(w.message) for w in caught)
    given = found.evidence("a", "c", ["b"]).p_value
    nothing = found.evidence("a", "d", []).p_value
    assert found.pag.edge("a", "c") is not None
    assert found.pag.edge("a", "d") is not None
    assert f"the data separate a and c given {{b}}, p = {given:.3g}; the edge stays" in warnings
    assert "the data separate a and d given" in warnings
    assert nothing > 0.01


def test_a_directed_path_against_knowledge_stays_open() -> None:
    # x causes m by two colliders, m causes y; who says that x does not cause y is not denied
    knowledge = Knowledge(forbidden=[("x", "y")])
    short, long = (DAG.parse(f"i -> x, j -> x, x -> m, {rest}") for rest in ("m -> y", "m -> n, n -> y"))
    for algorithm, dag in product(ALGORITHMS, (short, long)):
        assert an.pag_of(dag).has("x", "-->", "m")
        with pytest.warns(KnowledgeWarning, match="x does not cause y"):
            found = an.discover(Oracle(dag), algorithm=algorithm, knowledge=knowledge)
        assert not knowledge.violations(found.pag)
        assert str(found.causes("x", "y")) != "yes"


def test_what_was_left_out_was_not_asked() -> None:
    oracle = Oracle(DAG.parse("a -> b, a -> c, b -> c"))
    for knowledge, asked in ((None, True), (Knowledge(tiers=[["a", "b"], ["c"]]), False)):
        constraints = None if knowledge is None else knowledge.constraints(oracle.names)
        names = oracle.names
        problem = Problem(questions=oracle.questions(names), names=names, columns=names, constraints=constraints)
        search = AdjacencySearch(problem)
        assert list(search.sizes()) == [0, 1]
        assert search.has_asked(np.array([[0, 1]], dtype=np.intc), np.array([[2]], dtype=np.intc)).tolist() == [asked]


def test_pc_leaves_open_what_cannot_be_without_latent_variables() -> None:
    knowledge = Knowledge(forbidden=[("age", "smoking"), ("smoking", "age")])
    with pytest.warns(KnowledgeWarning, match="neither causes the other, or implies a cycle"):
        found = an.discover(CHAIN, algorithm="pc", knowledge=knowledge)
    assert found.pag.edge("age", "smoking") == "---"
    circle = Knowledge(forbidden=[("a", "b"), ("b", "c"), ("c", "a")])
    with pytest.warns(KnowledgeWarning, match="or implies a cycle"):
        an.discover(Oracle(DAG.parse("a -> b, a -> c, b -> c")), algorithm="pc", knowledge=circle)


def test_data_that_agree_are_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        known = Knowledge(tiers=[["a", "b"], ["c"]], required=[("a", "c")])
        an.discover(collider(), knowledge=known, algorithm="icd")


def test_a_cause_is_a_tail_if_the_data_leave_an_edge() -> None:
    known = Knowledge(causes=[("age", "cancer")])
    for algorithm in ("icd", "fci", "rfci", "fci+"):
        found = an.discover(CHAIN, algorithm=algorithm, knowledge=known)
        assert found.pag == PAG.parse("age o-o smoking, smoking o-o cancer")  # no edge is added
        found = an.discover(CHAIN, algorithm=algorithm, knowledge=Knowledge(causes=[("age", "smoking")]))
        assert found.pag == PAG.parse("age --o smoking, smoking --o cancer")
        assert "known: age ~~> smoking (causes)" in str(found.why("age", "smoking"))
    found = an.discover(CHAIN, knowledge=Knowledge(causes=[("age", "smoking")]), selection_bias=False)
    assert found.pag == PAG.parse("age --> smoking, smoking --> cancer")
    assert "with knowledge: 1 statement" in str(found)


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "scored", "boss", "gfci", "boss-fci"])
def test_data_that_leave_a_cause_no_path_are_told(algorithm: str) -> None:
    data = collider().with_columns(d=pl.Series(np.random.default_rng(5).normal(size=2000)))
    known = Knowledge(causes=[("a", "c"), ("d", "c")])
    with pytest.warns(KnowledgeWarning) as caught:
        found = an.discover(data, algorithm=algorithm, knowledge=known)
    assert {str(w.message) for w in caught} == {
        "the data leave no path along which d may cause c, although d ~~> c (causes)"
    }
    assert found.pag.edge("c", "d") is None and found.pag.has("a", "-->", "c")


def test_a_collider_by_knowledge_that_separates_is_told() -> None:
    # x separates i and m, so it is no collider between them; knowledge makes it one
    dag = DAG.parse("i -> x, j -> x, x -> m")
    with pytest.warns(
        KnowledgeWarning, match=r"separate [ij] and m given \{x\}, p = 1, which says that x is not a collider"
    ):
        found = an.discover(Oracle(dag), knowledge=Knowledge(forbidden=[("x", "m")]))
    assert found.pag == PAG.parse("i o-> x, j o-> x, m o-> x")


# -- run files ----------------------------------------------------------------------------------------------------

KNOWN = Knowledge(tiers=[["x0", "x1"], ["x2"]], forbidden=[("x4", "x3")], no_edge=[("x0", "x5")], causes=[("x1", "x6")])


@pytest.fixture
def data() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 7))
    for k in range(1, 7):
        x[:, k] += x[:, :k] @ rng.choice([0, 0.8], size=k)
    return pl.DataFrame(x, schema=[f"x{k}" for k in range(7)])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_is_kept_and_gone_on_with(algorithm: str, data: pl.DataFrame, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        found = an.discover(data, algorithm=algorithm, knowledge=KNOWN, save=whole)
        loaded = an.load(whole)
        assert loaded.settings == found.settings
        assert loaded.pag == found.pag
        assert loaded.sepset("x0", "x5") is None
        assert loaded.to_json() == found.to_json()
        assert str(loaded.why("x0", "x5")) == str(found.why("x0", "x5"))
        text = an.discover(data, algorithm=algorithm, knowledge=KNOWN, max_radius=1).to_json()
        part.write_text(text.replace('"max_radius":1', '"max_radius":null'), encoding="utf-8")
        if algorithm in ("icd", "pc"):
            again = an.discover(data, algorithm=algorithm, knowledge=KNOWN, resume=part)
            assert again.pag == found.pag
            assert part.read_bytes() == whole.read_bytes()


def test_resuming_wants_the_same_knowledge(data: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    an.discover(data, knowledge=Knowledge(tiers=[["x0"], ["x2"]]), max_radius=0, save=path)
    for other, words in ((None, "a run with other knowledge"), (KNOWN, "a run with other knowledge")):
        with pytest.raises(an.RunError, match=words):
            an.discover(data, knowledge=other, resume=path)
    an.discover(data, max_radius=0, save=tmp_path / "plain.json")
    with pytest.raises(an.RunError, match="a run with no knowledge"):
        an.discover(data, knowledge=KNOWN, resume=tmp_path / "plain.json")


def test_a_run_without_knowledge_does_not_speak_of_it(data: pl.DataFrame, tmp_path: Path) -> None:
    assert "knowledge" not in an.discover(data).to_json()


def test_a_file_that_denies_its_knowledge_is_refused(data: pl.DataFrame, tmp_path: Path) -> None:
    text = an.discover(Oracle(DAG.parse("a -> b, b -> c")), knowledge=Knowledge.parse("b -/-> a")).to_json()
    path = tmp_path / "run.json"
    for new, words in (
        ('"forbidden":[["b","c"]]', "keeps to the knowledge"),
        ('"forbidden":[["a","z"]]', "not in this search: 'z'"),
        ('"forbidden":[["a"]]', "must have pairs of names"),
        ('"tears":[["a"]]', "tears"),
        ('"no_edge":[["a","b"]]', "keeps to the knowledge"),
        ('"required":[["a","b"],["b","a"]]', "contradicts itself"),
        ('"forbidden":7', "list"),
        ('"causes":[["c","b"]]', "keeps to the knowledge"),
        ('"causes":[["a","b"],["b","a"]]', "contradicts itself"),
        ('"causes":[["a","z"]]', "not in this search: 'z'"),
    ):
        assert text.count('"forbidden":[["b","a"]]') == 1
        path.write_text(text.replace('"forbidden":[["b","a"]]', new), encoding="utf-8")
        with pytest.raises(an.RunError, match=words):
            an.load(path)


# -- the command line ---------------------------------------------------------------------------------------------


def test_the_command_line_keeps_to_a_file(tmp_path: Path) -> None:
    collider().write_csv(tmp_path / "data.csv")
    known = tmp_path / "known.toml"
    known.write_text('required = [["c", "a"]]', encoding="utf-8")
    done = ran("discover", tmp_path / "data.csv", "--knowledge", known)
    assert (done.code, PAG.parse(done.out).edge("c", "a")) == (0, "-->")
    assert "Scored search on 3 variables" in done.err
    assert "with knowledge: 1 statement" in done.err
    done = ran("discover", tmp_path / "data.csv", "--knowledge", known, "--algorithm", "icd")
    assert done.code == 0
    assert PAG.parse(done.out).has("c", "--*", "a")
    assert "since c --> a (required)" in done.err
    assert "with knowledge: 1 statement" in done.err
    done = ran("discover", tmp_path / "data.csv", "--knowledge", known, "--output", known)
    assert done.code == 2
    assert "--output would overwrite --knowledge, which is left alone" in done.err
