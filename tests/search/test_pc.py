"""PC on an oracle, without latent nodes: the CPDAG, which is found here by listing DAGs."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import ancestral as an
from ancestral import CPDAG, DAG, Oracle, discover, simulate
from tests.support.reference import ARROW, TAIL

NAMES = "abcd"
Marks = np.ndarray


def all_dags(n: int) -> list[Marks]:
    """Matrices with 1 at u, v where u → v."""
    pairs = list(combinations(range(n), 2))
    out = []
    for choice in product([None, False, True], repeat=len(pairs)):
        steps = np.zeros((n, n), dtype=int)
        for (u, v), forwards in zip(pairs, choice, strict=True):
            if forwards is not None:
                steps[(u, v) if forwards else (v, u)] = 1
        if np.trace(np.linalg.matrix_power(np.eye(n) + steps, n)) == n:
            out.append(steps)
    return out


def dag_of(steps: Marks) -> DAG:
    marks = np.where(steps, ARROW, np.where(steps.T, TAIL, 0)).astype(np.uint8)
    return DAG([f"v{i}" for i in range(len(steps))], marks)


def separations(dag: DAG) -> frozenset[tuple[str, str, tuple[str, ...]]]:
    """All separations of a DAG."""
    return frozenset(
        (a, b, given)
        for a, b in combinations(dag.nodes, 2)
        for size in range(len(dag.nodes) - 1)
        for given in combinations([v for v in dag.nodes if v not in (a, b)], size)
        if an.is_separated(dag, a, b, given=given)
    )


@cache
def classes_of_four() -> dict[frozenset[tuple[str, str, tuple[str, ...]]], list[Marks]]:
    out: dict[frozenset[tuple[str, str, tuple[str, ...]]], list[Marks]] = {}
    for steps in all_dags(4):
        out.setdefault(separations(dag_of(steps)), []).append(steps)
    return out


def agreed(members: list[Marks]) -> CPDAG:
    """`-->` where all members agree, `---` elsewhere."""
    every, some = np.all(members, axis=0), np.any(members, axis=0)
    marks = np.where(every, ARROW, np.where(some | some.T, TAIL, 0))
    return CPDAG([f"v{i}" for i in range(len(marks))], marks)


def test_every_dag_of_four_nodes() -> None:
    classes = classes_of_four()
    assert (sum(map(len, classes.values())), len(classes)) == (543, 185)  # as counted by Gillispie & Perlman (2001)
    for members in classes.values():
        expected = agreed(members)
        for steps in members:
            for stable in (True, False):
                found = discover(Oracle(dag_of(steps)), algorithm="pc", stable=stable)
                assert found.complete
                assert found.pag == expected


def v_structures(steps: Marks) -> set[tuple[int, int, int]]:
    joined = steps | steps.T
    return {
        (a, b, c)
        for b in range(len(steps))
        for a, c in combinations(np.flatnonzero(steps[:, b]).tolist(), 2)
        if not joined[a, c]
    }


@pytest.mark.parametrize("seed", range(25))
def test_random_dags_of_six_nodes(seed: int) -> None:
    """Equivalent are the DAGs with the same skeleton and the same v-structures (Verma & Pearl 1990)."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(6)
    steps = np.triu(rng.random((6, 6)) < 0.5, 1)[np.ix_(order, order)].astype(int)
    edges = np.argwhere(np.triu(steps | steps.T)).tolist()
    members = []
    for choice in product([0, 1], repeat=len(edges)):
        other = np.zeros_like(steps)
        for (u, v), backwards in zip(edges, choice, strict=True):
            other[(v, u) if backwards else (u, v)] = 1
        if np.trace(np.linalg.matrix_power(np.eye(6) + other, 6)) == 6 and v_structures(other) == v_structures(steps):
            members.append(other)
    found = discover(Oracle(dag_of(steps)), algorithm="pc")
    assert found.pag == agreed(members)


def test_stages_before_the_last_say_only_what_is_not_adjacent() -> None:
    dag = simulate.random_dag(nodes=12, degree=3, seed=2, latent=0)
    *before, last = an.stages(Oracle(dag), algorithm="pc")
    assert before
    assert all(edge == "o-o" for stage in before for _, edge, _ in stage.pag.edges())
    assert isinstance(last.pag, CPDAG)
    assert {edge for _, edge, _ in last.pag.edges()} == {"-->", "---"}
    cut = discover(Oracle(dag), algorithm="pc", max_radius=1)
    assert not cut.complete
    assert {edge for _, edge, _ in cut.pag.edges()} == {"o-o"}


def test_answers_that_contradict_each_other_leave_edges_open() -> None:
    """a–b–c–d with colliders at b and at c: the edge b–c cannot point both ways."""
    separated = {("a", "c"): (), ("a", "d"): (), ("b", "d"): ()}
    found = discover(
        lambda x, y, given: 1.0 if separated.get((x, y)) == given else 0.0, names=list("abcd"), algorithm="pc"
    )
    assert found.pag.edges() == [("a", "-->", "b"), ("b", "---", "c"), ("d", "-->", "c")]
    assert {(conflict.x, conflict.y) for conflict in found.trace.conflicts} == {("b", "c"), ("c", "b")}


def test_the_edges_of_a_directed_cycle_stay_open() -> None:
    """Three v-structures around a triangle, each with an outer node: no DAG has them."""
    dependent = {frozenset(p) for p in ("ab", "bc", "ac", "xb", "yc", "za")}

    def answer(x: str, y: str, given: tuple[str, ...]) -> float:
        pair = frozenset((x, y))
        if pair in dependent:
            return 0.0
        # a and x, b and y, c and z are separated by nothing, so b, c and a are colliders
        return 1.0 if pair in map(frozenset, ("ax", "by", "cz")) or given else 0.0

    found = discover(answer, names=list("abcxyz"), algorithm="pc")
    assert found.complete
    assert isinstance(found.pag, CPDAG)
    arrows = {("x", "b"), ("y", "c"), ("z", "a")}
    assert {(a, b) for a, edge, b in found.pag.edges() if edge == "-->"} == arrows
    assert {(a, b) for a, edge, b in found.pag.edges() if edge == "---"} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert {(c.x, c.y) for c in found.trace.conflicts if c.rule == "M0"} == {("a", "b"), ("b", "c"), ("c", "a")}
    assert {(o.x, o.y) for o in found.trace.orientations if o.mark == ">"} == arrows
    for said in found.why("a", "b").steps[1:]:
        assert "is open: the answers contradict each other (M0: a --> b, " in said.text


def test_nothing_rests_on_the_edges_of_a_cycle() -> None:
    """The same triangle with a further node after b: a --> b would make b --> w by Meek's first rule."""
    dependent = {frozenset(p) for p in ("ab", "bc", "ac", "xb", "yc", "za", "bw")}

    def answer(x: str, y: str, given: tuple[str, ...]) -> float:
        pair = frozenset((x, y))
        if pair in dependent:
            return 0.0
        if "w" in pair:
            return 1.0 if "b" in given else 0.0
        return 1.0 if pair in map(frozenset, ("ax", "by", "cz")) or given else 0.0

    found = discover(answer, names=list("abcwxyz"), algorithm="pc")
    assert found.pag.edge("x", "b") == "-->"
    for o in found.trace.orientations:
        for a, b in combinations(o.because[:2], 2):
            assert found.pag.edge(a, b) != "---" or o.rule == "M0"
