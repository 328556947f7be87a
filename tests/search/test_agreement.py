"""Colliders by agreement: the decisions, what rests on them, and what is said about them."""

from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.search import witnesses
from ancestral.search._witnesses_cy import set_sizes
from ancestral.search.witnesses import MOST_SETS_OF_AN_END, most_questions

NAMES = list("abcdefgh")


class Answers:
    """A test whose answers are written down: p-values by pair and set, and otherwise by whether the pair is joined."""

    def __init__(self, joined: str, p_values: dict[str, float], otherwise: float = 0.5) -> None:
        self.joined = {frozenset(pair) for pair in joined.split()}
        self.p_values = {(frozenset(key.split("|")[0]), frozenset(key.split("|")[1])): p for key, p in p_values.items()}
        self.otherwise = otherwise
        self.names = sorted({name for pair in self.joined for name in pair})

    def __call__(self, x: str, y: str, given: tuple[str, ...]) -> float:
        pair = frozenset((x, y))
        if pair in self.joined:
            return 0.0
        return self.p_values.get((pair, frozenset(given)), self.otherwise)


def found_by(answers: Answers, **options: Any) -> an.Discovery:
    return an.discover(answers, names=answers.names, alpha=0.05, **options)


def test_both_witnesses_must_say_the_same() -> None:
    """a–b–c: the empty set separates a and c, and so may {b}."""
    clear = found_by(Answers("ab bc", {"ac|": 0.5, "ac|b": 0.001}))
    assert str(clear.pag) == "a o-> b\nc o-> b"
    tied = found_by(Answers("ab bc", {"ac|": 0.5, "ac|b": 0.2}))
    assert str(tied.pag) == "a o-o b\nb o-o c"  # the largest p-value says collider, the majority nothing
    other = found_by(Answers("ab bc", {"ac|": 0.001, "ac|b": 0.5}))
    assert str(other.pag) == "a o-o b\nb o-o c"
    assert other.stage.oriented.agreed is not None and other.stage.oriented.agreed.all_decided
    assert tied.stage.oriented.agreed is not None and not tied.stage.oriented.agreed.all_decided


def test_the_majority_may_be_against_the_first_set() -> None:
    """{} separates a and c, and so do {d} and {b, d}; the p-values agree with the majority or they do not."""
    joined = "ab bc ad"
    answers = {"ac|": 0.5, "ac|b": 0.01, "ac|d": 0.3, "ac|bd": 0.4, "bd|": 0.001, "bd|a": 0.9, "cd|": 0.9, "cd|a": 0.9}
    first = found_by(Answers(joined, answers), colliders="first")
    assert first.pag.has("a", "*->", "b") and first.pag.has("c", "*->", "b")
    agreed = found_by(Answers(joined, answers))
    assert agreed.pag.has("c", "*->", "b")  # two of three lack b, and .5 is larger than .4
    against = found_by(Answers(joined, answers | {"ac|bd": 0.6}))
    assert not against.pag.has("c", "*->", "b")


def test_an_open_triple_lets_no_rule_speak() -> None:
    """d *-> b <-* a is a collider; on a–b–c nothing is agreed, so R1 must not write b --> c."""
    base = {
        "ad|": 0.9,
        "ad|b": 0.001,
        "ad|c": 0.9,
        "ad|bc": 0.001,
        "ac|": 0.001,
        "cd|": 0.001,
        "cd|b": 0.9,
        "ac|b": 0.9,
    }
    decided = found_by(Answers("ab bc bd", base))
    assert decided.pag.has("b", "-->", "c")
    half = base | {"cd|": 0.9, "ac|": 0.9}
    open_ = found_by(Answers("ab bc bd", half))
    assert open_.pag.has("a", "*->", "b") and open_.pag.has("d", "*->", "b")
    assert open_.pag.has("b", "o-o", "c")


def test_the_weaker_of_two_decisions_that_contradict_each_other_is_refused() -> None:
    """A ring a–b–c–d whose nodes are all said to be no colliders: without selection it would be a directed cycle."""
    weak = {"ac|b": 0.3, "ac|d": 0.3, "ac|bd": 0.35, "ac|": 0.01}
    strong = {"bd|a": 0.5, "bd|c": 0.5, "bd|ac": 0.9, "bd|": 0.01}
    found = found_by(Answers("ab bc cd da", weak | strong), selection_bias=False)
    assert an.consistent(found.pag)
    refused = {frozenset(conflict.because) for conflict in found.trace.conflicts}
    assert len(refused) == 1 and {"a", "c"} <= refused.pop()
    assert all(conflict.rule == "R0" and conflict.edge[0] == "-" for conflict in found.trace.conflicts)


def test_why_gives_both_p_values() -> None:
    found = found_by(Answers("ab bc", {"ac|": 0.5, "ac|b": 0.001}))
    assert (
        "and a collider between them; agreed: p = 0.5 at most given sets without b, p = 0.001 given sets with it"
        in str(found.why("a", "b"))
    )
    agreed = found.trace.agreed("a", "b", "c")
    assert agreed is not None and agreed.collider
    assert agreed.strength == pytest.approx(np.log(500))
    assert found.trace.agreed("c", "b", "a") == agreed
    by_set = found_by(Answers("ab bc", {"ac|": 0.5, "ac|b": 0.001}), colliders="first")
    assert "agreed" not in str(by_set.why("a", "b"))
    assert "but not in the set that separates them, {}: a collider" in str(by_set.why("a", "b"))


def test_decisions_among_many_variables_must_be_strong() -> None:
    rows = np.random.default_rng(0).standard_normal((60, 20))
    rows[:, 2] += 0.9 * rows[:, 0] + 0.9 * rows[:, 1]
    frame = pl.DataFrame(rows, schema=[f"v{i:02d}" for i in range(20)])
    for columns in (frame.columns, frame.columns[:15]):
        found = an.discover(frame.select(columns), algorithm="icd")
        evidence = found.stage.oriented.agreed
        assert evidence is not None
        assert all(
            (agreed := found.trace.agreed(*triple)) and agreed.strength > (3 if len(columns) > 15 else 0)
            for triple in evidence.by_name(found.stage.names)
        )


def test_a_run_file_says_how_colliders_were_found(tmp_path: Path) -> None:
    data = an.simulate.linear_gaussian(an.simulate.random_dag(nodes=10, degree=3, seed=4), rows=300, seed=1)
    for colliders in ("agreed", "first"):
        path = tmp_path / f"{colliders}.json"
        found = an.discover(data, algorithm="icd", colliders=colliders, save=path)
        again = an.load(path)
        assert again.settings.colliders == found.settings.colliders == colliders
        assert str(again) == str(found) and again.to_json() == found.to_json()
        assert again.trace.conflicts == found.trace.conflicts
        for a, b in combinations(found.pag.nodes, 2):
            assert str(again.why(a, b)) == str(found.why(a, b))
            assert again.causes(a, b) == found.causes(a, b)
    assert an.discover(data, algorithm="icd").settings.colliders == "agreed"


def test_a_file_without_the_option_is_one_of_first_sets(tmp_path: Path) -> None:
    data = an.simulate.linear_gaussian(an.simulate.random_dag(nodes=8, degree=2, seed=4), rows=300, seed=1)
    path, whole = tmp_path / "run.json", tmp_path / "whole.json"
    an.discover(data, algorithm="icd", colliders="first", max_radius=0, save=path)
    an.discover(data, algorithm="icd", colliders="first", save=whole)
    text = path.read_text(encoding="utf-8")
    assert '"colliders":"first"' in text.replace(" ", "")
    path.write_text(text.replace('"colliders":"first",', "").replace(',"colliders":"first"', ""), encoding="utf-8")
    assert an.load(path).settings.colliders == "first"
    resumed = an.discover(data, resume=path)
    assert resumed.settings.colliders == "first"
    assert resumed.to_json() == an.load(whole).to_json()
    with pytest.raises(an.RunError, match='is a run with colliders="first", not colliders="agreed"'):
        an.discover(data, algorithm="icd", colliders="agreed", resume=whole)


def test_an_oracle_is_not_asked_to_agree() -> None:
    oracle = an.Oracle(an.DAG.parse("a -> b, c -> b"))
    found = an.discover(oracle)
    assert found.settings.colliders == "first" and not found.verify_tests
    with pytest.raises(an.OptionError, match='colliders="agreed" does not apply to an oracle'):
        an.discover(oracle, colliders="agreed")


@pytest.mark.parametrize("algorithm", ["pc", "scored", "boss"])
def test_algorithms_without_the_option_refuse_it(algorithm: str) -> None:
    data = an.simulate.linear_gaussian(an.DAG.parse("a -> b, c -> b"), rows=100, seed=1)
    with pytest.raises(an.OptionError, match="colliders"):
        an.discover(data, algorithm=algorithm, colliders="agreed")
    assert an.discover(data, algorithm=algorithm).settings.colliders is None


def test_the_search_itself_is_the_same() -> None:
    for seed in range(5):
        data = an.simulate.linear_gaussian(an.simulate.random_dag(nodes=12, degree=3, seed=seed), rows=400, seed=seed)
        for algorithm in ("icd", "fci", "rfci", "fci+"):
            one, other = (
                list(an.stages(data, algorithm=algorithm, colliders=colliders)) for colliders in ("first", "agreed")
            )
            for first, agreed in zip(one, other, strict=True):
                assert first.tests == agreed.tests
                assert ((first.oriented.marks != 0) == (agreed.oriented.marks != 0)).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_number_of_workers_changes_nothing(seed: int) -> None:
    dag = an.simulate.random_dag(nodes=14, degree=3, seed=seed)
    for data in (an.simulate.linear_gaussian(dag, rows=300, seed=1), an.simulate.discrete(dag, rows=300, seed=1)):
        one, two = (an.discover(data, alpha=0.05, workers=workers) for workers in (1, 3))
        assert one.to_json() == two.to_json()


def test_a_graph_from_exact_answers_is_the_pag() -> None:
    """A function that knows the truth and has p-values 0 and 1: all witnesses agree."""
    for seed in range(6):
        dag = an.simulate.random_dag(nodes=9, degree=2.5, seed=seed)
        oracle = an.Oracle(dag)
        found = an.discover(lambda x, y, given, o=oracle: float(o.independent(x, y, given)), names=oracle.names)
        truth = an.pag_of(dag)
        marks, true = found.pag.arranged(truth.nodes), truth.marks
        assert ((marks == true) | (marks == 1)).all()
        assert found.settings.colliders == "agreed"


def sizes_for(degrees: list[tuple[int, int]], most: int) -> tuple[list[int], list[int]] | None:
    """The largest sets, and the number of sets, for pairs of nodes with these numbers of neighbours."""
    flat = np.array(degrees, dtype=np.intc).ravel()
    offsets = np.concatenate([[0], np.cumsum(flat)]).astype(np.intc)
    pairs = np.arange(len(flat), dtype=np.intc).reshape(-1, 2)
    found = set_sizes(pairs, offsets, MOST_SETS_OF_AN_END, most)
    return None if found is None else (found[0].tolist(), found[1].tolist())


def test_hubs_are_asked_about_smaller_sets() -> None:
    degrees = [(3, 3), (18, 2), (19, 2), (44, 1), (45, 1), (2000, 1)]
    found = sizes_for(degrees, 10**6)
    assert found is not None
    assert found[0] == [3, 3, 2, 2, 1, 1]
    sizes = zip(degrees, found[0], strict=True)
    counts = [sum(comb(d, k) for d in pair for k in range(size + 1)) + 1 for pair, size in sizes]
    assert found[1] == counts


def test_if_there_are_too_many_sets_smaller_ones_are_asked_about() -> None:
    found = [sizes_for([(6, 6)] * 10, most) for most in (850, 849, 450, 449, 150, 149)]
    assert [None if sizes is None else sizes[0][0] for sizes in found] == [3, 2, 2, 1, 1, None]


def test_before_the_search_is_complete_there_are_no_more_questions_than_it_has_asked() -> None:
    assert most_questions(True, 500, complete=False) == 500
    assert most_questions(True, 500, complete=True) == witnesses.MOST_QUESTIONS
    assert most_questions(False, 500, complete=True) == witnesses.MOST_SLOW_QUESTIONS
    assert most_questions(True, 10**9, complete=True) == most_questions(True, 10**9, complete=False) == 10**9 // 4


@pytest.mark.parametrize("seed", range(3))
def test_each_stage_has_the_marks_of_a_search_that_ends_there(seed: int) -> None:
    """Later stages continue the marks of earlier ones, and leave these as they are."""
    dag = an.simulate.random_dag(nodes=20, degree=2, seed=seed)
    moments = an.Moments.of(an.simulate.linear_gaussian(dag, rows=500, seed=seed))
    stages = list(an.stages(moments, algorithm="icd"))
    assert len(stages) > 3
    for stage in stages[:-1]:
        alone = an.discover(moments, algorithm="icd", max_radius=stage.radius)
        assert stage.pag == alone.pag
        assert stage.trace.orientations == alone.trace.orientations
    assert any((stage.oriented.marks != stages[-1].oriented.marks).any() for stage in stages[:-1])


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_of_pairs_have_each_pair_once(threads: int) -> None:
    sizes = np.random.default_rng(1).integers(1, 40, size=500)
    blocks = witnesses._blocks(sizes.cumsum(), 1000, threads).tolist()
    assert blocks[0] == 0 and blocks[-1] == 500 and len(blocks) > 8
    assert all(0 < sizes[first:stop].sum() < 1100 for first, stop in pairwise(blocks))
