"""Adjustment sets against the criterion by its definition, which lists all paths, in every graph of the class."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import (
    CPDAG,
    DAG,
    MAG,
    PAG,
    GraphError,
    Knowledge,
    Oracle,
    UnknownName,
    adjustment_set,
    discover,
    is_adjustment_set,
    mag_of,
    pag_of,
    simulate,
)
from tests.support.classes import agreed_marks, classes, skeletons, skeletons_up_to_isomorphism
from tests.support.reference import ARROW, TAIL, ancestors, random_dag_marks, simple_paths, subsets

Marks = NDArray[np.uint8]


# ---- the criterion for a DAG or MAG, by listing paths; written for this test alone ---------------------------------


def directed(marks: Marks, path: list[int]) -> bool:
    return all(marks[u, v] == ARROW and marks[v, u] == TAIL for u, v in pairwise(path))


def descendants(marks: Marks, node: int) -> set[int]:
    return {v for v in range(len(marks)) if node in ancestors(marks, {v})}


def visible(marks: Marks, x: int, v: int) -> bool:
    parents = {u for u in range(len(marks)) if marks[u, v] == ARROW and marks[v, u] == TAIL}
    return any(
        marks[path[-2], x] == ARROW
        and v not in path
        and all(
            marks[a, b] == ARROW and marks[c, b] == ARROW and b in parents
            for a, b, c in zip(path, path[1:], path[2:], strict=False)
        )
        for w in range(len(marks))
        if w not in (x, v) and not marks[w, v]
        for path in simple_paths(marks, w, x)
    )


def is_open(marks: Marks, path: list[int], given: set[int]) -> bool:
    return all(
        (v in ancestors(marks, given)) if marks[u, v] == ARROW and marks[w, v] == ARROW else (v not in given)
        for u, v, w in zip(path, path[1:], path[2:], strict=False)
    )


class ByPaths:
    """Definitions 3–5 of Perković et al. (2018) for one DAG or MAG without selection."""

    def __init__(self, marks: Marks, xs: set[int], ys: set[int], dag: bool) -> None:
        self.marks = marks
        proper = [path for x in xs for y in ys for path in simple_paths(marks, x, y) if not xs.intersection(path[1:])]
        causal = [path for path in proper if directed(marks, path)]
        self.amenable = dag or all(visible(marks, path[0], path[1]) for path in causal)
        self.forbidden = {d for path in causal for v in path[1:] for d in descendants(marks, v)}
        self.other = [path for path in proper if not directed(marks, path)]

    def allows(self, given: set[int]) -> bool:
        if not self.amenable or given & self.forbidden:
            return False
        return not any(is_open(self.marks, path, given) for path in self.other)


def unselected(members: list[Marks]) -> list[Marks]:
    return [marks for marks in members if not ((marks == TAIL) & (marks.T == TAIL)).any()]


def pairs_of_sets(n: int, largest: int) -> Iterator[tuple[set[int], set[int]]]:
    for x in subsets(range(n)):
        for y in subsets(set(range(n)) - set(x)):
            if x and y and len(x) <= largest and len(y) <= largest:
                yield set(x), set(y)


def agree(
    graph: DAG | MAG | PAG, members: list[Marks], xs: set[int], ys: set[int], dag: bool, counts: Counter[str]
) -> None:
    """All answers about x and y are those of the members."""
    names = graph.nodes
    answer = adjustment_set(graph, [names[x] for x in xs], [names[y] for y in ys])
    by_paths = [ByPaths(marks, xs, ys, dag) for marks in members]
    valid = []
    for given in subsets(set(range(len(names))) - xs - ys):
        truth = all(one.allows(set(given)) for one in by_paths)
        assert answer.allows([names[z] for z in given]) is truth, (graph, xs, ys, given)
        if truth:
            valid.append(frozenset(names[z] for z in given))
    assert answer.exists is bool(valid), (graph, xs, ys, answer)
    minimal = {z for z in valid if not any(other < z for other in valid)}
    assert len(answer.minimal) == len(minimal)
    assert set(answer.minimal) == minimal, (graph, xs, ys)
    assert answer.all_minimal
    assert answer.doubt is None
    if valid:
        assert answer.canonical in valid
        assert answer.nearest in minimal
        assert not answer.reason
        counts["sets"] += len(valid)
    else:
        assert answer.canonical is None
        assert answer.reason
    counts["yes" if valid else "no"] += 1
    counts["several"] += len(minimal) > 1


@pytest.mark.parametrize(("n", "largest"), [(3, 2), (4, 2)])
def test_in_a_pag_what_holds_in_every_mag_of_its_class(n: int, largest: int) -> None:
    counts = Counter[str]()
    for all_members in classes(skeletons_up_to_isomorphism(n)):
        if not (members := unselected(all_members)):
            continue
        pag = PAG("abcd"[:n], agreed_marks(all_members))
        for xs, ys in pairs_of_sets(n, largest):
            agree(pag, members, xs, ys, dag=False, counts=counts)
    assert min(counts["yes"], counts["no"]) >= (20 if n == 3 else 100)


def test_in_a_pag_of_more_nodes() -> None:
    """Random PAGs with five observed nodes, and all MAGs of their classes."""
    from ancestral import equivalent_mags

    rng = np.random.default_rng(4)
    counts = Counter[str]()
    while counts["yes"] < 40:
        size = 5 + int(rng.integers(0, 4))
        names = [f"v{i}" for i in range(size)]
        dag = DAG(names, random_dag_marks(rng, size, rng.uniform(0.2, 0.4)), latent=rng.permutation(names)[: size - 5])
        mag = mag_of(dag)
        members = unselected([other.marks for other in equivalent_mags(mag)])
        if len(members) > 20:
            continue
        chosen = rng.permutation(5)
        xs, ys = {int(chosen[0])}, {int(chosen[1])}
        if rng.random() < 0.4:
            xs.add(int(chosen[2]))
        agree(pag_of(dag), members, xs, ys, dag=False, counts=counts)
    assert counts["no"] > 5


def test_in_a_mag_and_in_a_dag() -> None:
    rng = np.random.default_rng(9)
    counts = Counter[str]()
    for _ in range(150):
        marks = random_dag_marks(rng, 5, rng.uniform(0.2, 0.7))
        chosen = rng.permutation(5).tolist()
        xs, ys = set(chosen[: rng.integers(1, 3)]), set(chosen[3 : 4 + rng.integers(0, 2)])
        agree(DAG("abcde", marks), [marks], xs, ys, dag=True, counts=counts)
        names = [f"v{i}" for i in range(7)]
        mag = mag_of(DAG(names, random_dag_marks(rng, 7, rng.uniform(0.2, 0.5)), latent=["v1", "v4"]))
        agree(mag, [mag.marks], xs, ys, dag=False, counts=counts)
    assert min(counts["yes"], counts["no"]) > 50


def test_several_minimal_sets() -> None:
    """In DAGs of seven nodes, seen in full and with one of them latent, all minimal sets are found."""
    rng = np.random.default_rng(12)
    counts = Counter[str]()
    for _ in range(400):
        marks = random_dag_marks(rng, 7, 0.4)
        x, y = (int(i) for i in rng.permutation(7)[:2])
        agree(DAG("abcdefg", marks), [marks], {x}, {y}, dag=True, counts=counts)
    assert counts["several"] > 10


def test_in_a_cpdag_what_holds_in_every_dag_of_its_class() -> None:
    counts = Counter[str]()
    for skeleton in skeletons(4):
        if skeleton.sum() < 6 or counts["yes"] > 400:
            continue
        for all_members in classes([skeleton]):
            dags = [m for m in all_members if not ((m == m.T) & (m > 0)).any()]
            if dags:
                stack = np.stack(dags)
                marks = np.where((stack == stack[0]).all(axis=0), stack[0], np.uint8(TAIL))
                for xs, ys in pairs_of_sets(4, 1):
                    agree(CPDAG("abcd", marks), dags, xs, ys, dag=True, counts=counts)
    assert min(counts["yes"], counts["no"]) > 50


# ---- well-known graphs --------------------------------------------------------------------------------------------


def test_a_mediator_that_is_confounded_leaves_no_set() -> None:
    """Nothing may be adjusted for on the way, and the front door is no matter of adjustment."""
    front_door = DAG.parse("u -> x, u -> y, x -> m, m -> y", latent=["u"])
    answer = adjustment_set(front_door, "x", "y")
    assert not answer.exists
    assert "not blocked" in answer.reason
    assert adjustment_set(front_door, "x", "m").minimal == (frozenset(),)
    assert adjustment_set(front_door, "m", "y").minimal == (frozenset({"x"}),)


def test_joint_effects_where_single_ones_fail() -> None:
    """x2 is a mediator of x1 that is confounded with y by x1 only; jointly {x1, x2} needs nothing."""
    dag = DAG.parse("x1 -> x2, x2 -> y, x1 -> y, z -> x1, z -> x2")
    assert adjustment_set(dag, ["x1", "x2"], "y").minimal == (frozenset(),)
    assert adjustment_set(dag, "x2", "y").minimal == (frozenset({"x1"}),)
    assert adjustment_set(dag, "x1", "y").minimal == (frozenset({"z"}),)


# ---- what is said ------------------------------------------------------------------------------------------------


def test_selection_is_refused() -> None:
    for graph in (
        MAG.parse("x --> y, a --- b"),
        PAG.parse("x --> y, a --- b"),
        PAG.parse("x --> y, a o-- b"),
        DAG.parse("x -> y, y -> s", selection=["s"]),
    ):
        answer = adjustment_set(graph, "x", "y")
        assert not answer.exists
        assert "select" in answer.reason
        assert not answer.no_effect
        assert not answer.allows(())


def test_no_effect() -> None:
    answer = adjustment_set(PAG.parse("a o-> x, x <-> y, b o-> y"), "x", "y")
    assert answer.no_effect
    assert not answer.exists
    assert "not blocked: x <-> y stays open" in answer.reason
    assert "By the graph, x has no effect on y: every path from x to y has an arrowhead" in str(answer)
    backwards = adjustment_set(DAG.parse("y -> x"), "x", "y")
    assert backwards.no_effect
    assert not adjustment_set(DAG.parse("x -> y"), "x", "y").no_effect


def test_reasons_name_the_trouble() -> None:
    dag = DAG.parse("z -> x, z -> y, x -> m, m -> y, m -> d, q -> x, q -> y", latent=["q"])
    answer = adjustment_set(dag, "x", "y")
    assert not answer.exists
    assert "x <-- q, q --> y stays open" in str(answer.why_not({"z"}))
    observed = adjustment_set(DAG.parse(str(dag).replace("latent: q", "")), "x", "y")
    assert observed.minimal == (frozenset({"q", "z"}),)
    assert observed.allows({"z", "q"})
    assert not observed.allows({"z"})
    assert "forbidden: d" in str(observed.why_not({"z", "q", "d"}))
    assert "y is a variable of the effect itself" in str(observed.why_not({"y"}))
    assert observed.forbidden == {"m", "y", "d"}
    assert "never: {d, m}" in str(observed)


def test_bad_questions() -> None:
    dag = DAG.parse("x -> y, l -> y", latent=["l"])
    with pytest.raises(UnknownName, match="'z'"):
        adjustment_set(dag, "x", "z")
    with pytest.raises(GraphError, match="both cause and effect"):
        adjustment_set(dag, ["x", "y"], "y")
    with pytest.raises(GraphError, match="'l' is not observed"):
        adjustment_set(dag, "l", "y")
    with pytest.raises(GraphError, match="'l' is not observed"):
        is_adjustment_set(dag, "x", "y", {"l"})
    with pytest.raises(GraphError, match="one of the two sides is empty"):
        adjustment_set(dag, [], "y")
    with pytest.raises(GraphError, match=r"given must be a set of names, got the single string 'l'; pass given={'l'}"):
        is_adjustment_set(dag, "x", "y", "l")


def test_a_graph_that_contradicts_itself_is_doubted() -> None:
    answer = adjustment_set(PAG.parse("a --> x, x --> y, b --> c, c --> d, b <-> d"), "x", "y")
    assert answer.doubt is not None
    assert "Beware: the marks of this graph are not consistent: b --> c --> d is a directed path" in str(answer)


def test_a_mark_that_is_known_beside_the_data_raises_no_doubt() -> None:
    assert adjustment_set(PAG.parse("a --> x, x --> y"), "x", "y").doubt is None
    found = discover(Oracle(DAG.parse("a -> b, b -> c")), knowledge=Knowledge.parse("a < b < c"))
    assert "Beware" not in str(found.adjustment_set("b", "c"))


def test_a_ring_of_circles_has_adjustment_sets() -> None:
    ring = PAG.parse("a o-o b, b o-o c, c o-o d, d o-o a, v o-> x, w o-> x, x --> y")
    assert adjustment_set(ring, "x", "y").exists


def test_the_number_of_minimal_sets_is_limited() -> None:
    """Three back doors of two nodes each: 2 x 2 x 2 minimal sets."""
    dag = DAG.parse(", ".join(f"a{i} -> x, a{i} -> b{i}, b{i} -> y" for i in range(3)) + ", x -> y")
    everything = adjustment_set(dag, "x", "y")
    assert len(everything.minimal) == 8
    assert everything.all_minimal
    assert everything.nearest == frozenset({"b0", "b1", "b2"})
    some = adjustment_set(dag, "x", "y", limit=3)
    assert len(some.minimal) == 3
    assert not some.all_minimal
    assert "there are more" in str(some)


def test_large_graphs() -> None:
    """Many variables: each set that is named is one by separation in the DAG."""
    found = 0
    for seed in range(3):
        dag = simulate.random_dag(nodes=150, degree=3, seed=seed)
        pag = pag_of(dag)
        rng = np.random.default_rng(seed)
        for x, y in combinations(rng.permutation(pag.nodes)[:6].tolist(), 2):
            answer = adjustment_set(pag, x, y, limit=5)
            if answer.exists:
                found += 1
                for given in (*answer.minimal, answer.canonical or frozenset()):
                    assert is_adjustment_set(dag, x, y, given)
                    for one in given if given in answer.minimal else ():
                        assert not answer.allows(given - {one})
    assert found > 20
