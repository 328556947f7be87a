"""`consistent` against brute force over all ancestral graphs on a skeleton, and the reasons that it gives."""

from itertools import combinations

import numpy as np
import pytest

import ancestral as an
from ancestral.classes._equivalence_cy import enumerate_mags
from ancestral.graphs import MixedGraph
from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.knowledge import Constraints

NAMES = tuple("abcde")


def random_pag(rng: np.random.Generator, edges: int, known: float) -> an.PAG:
    marks = np.zeros((5, 5), dtype=np.uint8)
    pairs = list(combinations(range(5), 2))
    for i in rng.permutation(len(pairs))[:edges].tolist():
        for x, y in (pairs[i], pairs[i][::-1]):
            marks[x, y] = rng.choice([ARROW, TAIL]) if rng.random() < known else CIRCLE
    return an.PAG(NAMES, marks)


def some_ancestral_graph_agrees(pag: an.PAG, constraints: Constraints | None = None) -> bool:
    marks = pag.marks
    for graph in enumerate_mags((marks != 0).astype(np.uint8), like_colliders=False):
        if not ((marks == CIRCLE) | (marks == graph)).all():
            continue
        if constraints is None:
            return True
        undirected = ((graph == TAIL) & (graph.T == TAIL)).any(axis=1)
        selected = (undirected & constraints.no_cause.any(axis=1)).any()
        paths = reachable(directed_steps(graph))
        leads = reachable(graph.T == TAIL)
        denied = (paths & constraints.no_cause).any() or (constraints.cause & ((graph.T == ARROW) | ~leads)).any()
        if not selected and not denied:
            return True
    return False


@pytest.mark.parametrize("seed", range(5))
def test_it_is_true_if_and_only_if_an_ancestral_graph_agrees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    answers = []
    for _ in range(40):
        pag = random_pag(rng, edges=int(rng.integers(3, 7)), known=float(rng.choice([0.4, 0.8])))
        answer = an.consistent(pag)
        assert answer.consistent is some_ancestral_graph_agrees(pag), (str(pag), str(answer))
        assert bool(answer) is answer.consistent
        answers.append(bool(answer))
    assert set(answers) == {True, False}


@pytest.mark.parametrize("seed", range(3))
def test_beside_knowledge_it_must_agree_with_that_too(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    answers = []
    for _ in range(25):
        pag = random_pag(rng, edges=5, known=0.3)
        x, y, z = rng.permutation(NAMES)[:3].tolist()
        known = an.Knowledge(forbidden=[(x, y)], tiers=[[y], [z]] if rng.random() < 0.5 else [])
        answer = an.consistent(pag, known)
        assert answer.consistent is some_ancestral_graph_agrees(pag, known.constraints(NAMES)), (str(pag), str(answer))
        answers.append(bool(answer))
    assert set(answers) == {True, False}


@pytest.mark.parametrize("seed", range(4))
def test_each_known_cause_needs_a_path_in_the_same_ancestral_graph(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    answers = []
    for _ in range(25):
        pag = random_pag(rng, edges=5, known=float(rng.choice([0.2, 0.5])))
        v, w, x, y, z = rng.permutation(NAMES).tolist()
        known = an.Knowledge(causes=[(x, y), (y, z), (v, z)], forbidden=[(w, x)] if rng.random() < 0.5 else [])
        answer = an.consistent(pag, known)
        assert answer.consistent is some_ancestral_graph_agrees(pag, known.constraints(NAMES)), (str(pag), str(answer))
        if answer:
            shown = an.PAG.parse(answer.reason.split("for one, ")[1])
            assert not known.violations(shown) and ((pag.marks == CIRCLE) | (pag.marks == shown.arranged(NAMES))).all()
        answers.append(answer.reason[:12])
    assert len(set(answers)) > 2


def test_a_legal_graph_is_consistent_and_a_graph_that_agrees_is_shown() -> None:
    for seed in range(10):
        pag = an.pag_of(an.simulate.random_dag(nodes=9, degree=3, seed=seed))
        answer = an.consistent(pag)
        assert answer
        shown = MixedGraph.parse(answer.reason.split("for one, ")[1])
        assert ((pag.marks == CIRCLE) | (pag.marks == shown.arranged(pag.nodes))).all()


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        ("a --> b, b --> c, c --> a", "a --> b --> c --> a is a directed cycle"),
        ("a --> b, b --> c, a <-> c", "a --> b --> c is a directed path, but there is an arrowhead at a on a <-> c"),
        ("a --> b, b --> c, c o-> a", "a --> b --> c is a directed path, but there is an arrowhead at a on a <-o c"),
        ("a --- b, c o-> b", "c o-> b has an arrowhead at b, which has the undirected edge b --- a"),
    ],
)
def test_the_reason_names_the_edges(graph: str, reason: str) -> None:
    assert str(an.consistent(an.PAG.parse(graph))) == f"not consistent: {reason}"


def test_where_no_single_cycle_shows_it_the_edges_are_named_that_cannot_stand_together() -> None:
    # b has an arrowhead, so a tail at b makes b --> c; likewise c --> d and d --> b
    pag = an.PAG.parse("a o-> b, b --o c, e o-> c, c --o d, f o-> d, d --o b, g o-o h")
    answer = an.consistent(pag)
    assert answer.consistent is False
    assert answer.reason.startswith("no ancestral graph has the marks of ")
    assert all(edge in answer.reason for edge in ("b --o c", "c --o d")) and "g o-o h" not in answer.reason


def test_knowledge_that_the_graph_denies_is_named() -> None:
    pag = an.PAG.parse("a --> b, b o-o c, d")
    assert "there is a tail at a on a --> b, but a is known not to cause b" in str(
        an.consistent(pag, an.Knowledge(forbidden=[("a", "b")]))
    )
    assert "a and d must be adjacent" in str(an.consistent(pag, an.Knowledge(required=[("a", "d")])))
    assert "b and c must not be adjacent" in str(an.consistent(pag, an.Knowledge(no_edge=[("b", "c")])))
    assert "there is an arrowhead at b on b <-- a, but b is known to cause a" in str(
        an.consistent(pag, an.Knowledge(required=[("b", "a")]))
    )


def test_a_path_that_is_known_not_to_be_there_is_a_contradiction() -> None:
    pag = an.PAG.parse("a --> b, b --> c")
    assert an.consistent(pag)
    assert not an.consistent(pag, an.Knowledge(forbidden=[("a", "c")]))


def test_a_cause_without_a_path_is_named() -> None:
    known = an.Knowledge(causes=[("a", "c")])
    assert str(an.consistent(an.PAG.parse("a o-> b, b <-> c"), known)) == (
        "not consistent: no path allows a to cause c, as it is known to"
    )
    apart = an.PAG.parse("a o-o b, b o-o c, d o-> b, e o-> c")  # a --> b --> c, and c must not cause itself
    assert an.consistent(apart, known)
    assert not an.consistent(apart, an.Knowledge(causes=[("a", "c"), ("c", "b")]))


def test_a_search_for_paths_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pag, known = an.PAG.parse("a o-o b, b o-o c"), an.Knowledge(causes=[("a", "c")])
    assert str(an.consistent(pag, known)) == "consistent: all its marks are those of, for one, a --> b, b --> c"
    monkeypatch.setattr("ancestral.classes.consistency.MOST_SEARCHES", 1)  # there are two steps
    answer = an.consistent(pag, known)
    assert answer.consistent is None
    assert answer.reason == "no graph with a path for each known cause was found in 1 searches"


def test_only_pags_are_asked_about() -> None:
    with pytest.raises(an.GraphError, match="must be a PAG or a CPDAG, got a DAG"):
        an.consistent(an.DAG.parse("a -> b"))  # type: ignore[arg-type]


def test_a_cpdag_has_no_undirected_member() -> None:
    assert an.consistent(an.CPDAG.parse("a --- b, b --- c"))


def test_large_graphs_are_answered() -> None:
    pag = an.pag_of(an.simulate.random_dag(nodes=150, degree=3, seed=1))
    assert an.consistent(pag)
