"""With true knowledge: nothing false, nothing lost, and as much as all equivalent graphs that satisfy it share."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from ancestral import DAG, PAG, Knowledge, Oracle, discover, pag_of, simulate, stages
from ancestral.graphs.names import by_name
from tests.support.classes import agreed_marks
from tests.support.knowledge_laws import KINDS, Truth, check, draw, known_pag
from tests.support.reference import ARROW, TAIL, ancestors, random_dag_marks
from tests.support.stage_laws import SOUND, false_marks, missing_edges

MAKERS = {
    True: [simulate.trouble.confounded_pairs, simulate.trouble.selected_pairs, simulate.trouble.mixed_trouble],
    False: [simulate.trouble.confounded_pairs],
}


def small(selection_bias: bool, count: int) -> Iterator[DAG]:
    makers = MAKERS[selection_bias]
    for seed in range(count):
        yield makers[seed % len(makers)](seed=40_000 + seed, most=4)


@pytest.mark.parametrize("selection_bias", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_small_graphs_against_all_equivalent_mags(kind: str, selection_bias: bool) -> None:
    rng = np.random.default_rng(7)
    gap = marks = new = 0
    for k, dag in enumerate(small(selection_bias, 36)):
        knowledge = draw(dag, rng, kind)
        if not knowledge:
            continue
        names = sorted(dag.observed, key=by_name)
        without = pag_of(dag).arranged(names)
        expected = known_pag(dag, knowledge, selection_bias)
        ways = [SOUND[k % len(SOUND)], {"algorithm": "fci", "stable": k % 2 == 0}]
        if not knowledge.no_edge:
            ways.append({"algorithm": "fci+", "stable": k % 2 == 1})
        outcomes = [check(dag, knowledge, expected, without, {**way, "selection_bias": selection_bias}) for way in ways]
        for stable in (True, False):
            way = {"algorithm": "rfci", "stable": stable, "selection_bias": selection_bias}
            check(dag, knowledge, expected, None, way, exact=False)
        assert len({outcome.gap for outcome in outcomes}) == 1
        gap += outcomes[0].gap
        marks += outcomes[0].marks
        new += outcomes[0].marks - int((without > 1).sum())
    assert new > {"no_edge": -1, "unconfounded": 3}.get(kind, 10)  # what the statements of a kind can tell
    if kind not in ("no_edge", "all"):  # where R0 and R4 must be silent, they leave much open
        assert gap <= 0.02 * marks


@pytest.mark.parametrize("kind", ["tiers", "forbidden", "all"])
def test_larger_troubled_graphs_stay_sound(kind: str) -> None:
    rng = np.random.default_rng(8)
    for k, make in enumerate(simulate.trouble.TROUBLE):
        for seed in range(12):
            dag = make(seed=50_000 + seed)
            if len(dag.observed) > 10:
                continue
            knowledge = draw(dag, rng, kind)
            names = sorted(dag.observed, key=by_name)
            without = pag_of(dag).arranged(names)
            for way in (SOUND[(k + seed) % len(SOUND)], {"algorithm": ("fci", "fci+", "rfci")[seed % 3]}):
                for stage in stages(Oracle(dag), knowledge=knowledge, **way):
                    assert not false_marks(dag, stage), (way, dag, knowledge)
                    assert not missing_edges(dag, stage), (way, dag, knowledge)
                    # of an edge that is still to be removed, nothing is known
                    assert not replace(knowledge, unconfounded=()).violations(stage.pag)
                if way.get("algorithm", "icd") in ("icd", "fci") or (kind == "tiers" and way["algorithm"] == "fci+"):
                    assert ((stage.oriented.marks == 0) == (without == 0)).all(), (way, dag, knowledge)


# -- PC -----------------------------------------------------------------------------------------------------------


def v_structures(marks: np.ndarray) -> set[tuple[int, int, int]]:
    found = set()
    for b in range(len(marks)):
        into = np.flatnonzero((marks[:, b] == ARROW) & (marks[b] == TAIL)).tolist()
        found |= {(a, b, c) for a, c in combinations(into, 2) if not marks[a, c]}
    return found


def equivalent_dags(marks: np.ndarray) -> Iterator[np.ndarray]:
    """Every DAG with the same edges and the same v-structures, by trying all directions (Verma & Pearl 1990)."""
    n = len(marks)
    edges = [(x, y) for x, y in combinations(range(n), 2) if marks[x, y]]
    for turned in product([False, True], repeat=len(edges)):
        other = np.zeros_like(marks)
        for (x, y), back in zip(edges, turned, strict=True):
            u, v = (y, x) if back else (x, y)
            other[u, v], other[v, u] = ARROW, TAIL
        reach = [ancestors(other, [y]) for y in range(n)]
        acyclic = not any(y in reach[x] and x in reach[y] for x, y in combinations(range(n), 2))
        if acyclic and v_structures(other) == v_structures(marks):
            yield other


@pytest.mark.parametrize("kind", ["tiers", "order", "forbidden", "required", "causes", "exogenous", "all but no_edge"])
def test_pc_finds_what_all_equivalent_dags_share(kind: str) -> None:
    rng = np.random.default_rng(9)
    new = gap = 0
    for _ in range(25):
        n = int(rng.integers(3, 6))
        names = [f"v{i}" for i in range(n)]
        dag = DAG(names, random_dag_marks(rng, n, 0.7))
        knowledge = draw(dag, rng, kind)
        kept = []
        for marks in equivalent_dags(dag.marks):
            other = Truth(DAG(names, marks))
            rank = {v: i for i, tier in enumerate(knowledge.tiers) for v in tier}
            nothing = [(x, y) for x in rank for y in rank if rank[x] > rank[y]] + list(knowledge.forbidden)
            nothing += [(x, y) for y in knowledge.exogenous for x in names if x != y]
            required = all(other.dag.has(x, "-->", y) for x, y in knowledge.required)
            caused = all(other.causes(x, y) for x, y in knowledge.causes)
            if required and caused and all(other.no_cause(x, y) for x, y in nothing):
                kept.append(marks)
        expected = agreed_marks(kept)
        found = discover(Oracle(dag), algorithm="pc", knowledge=knowledge)
        marks = found.stage.oriented.marks
        assert ((marks == expected) | (marks == 1)).all(), (dag, knowledge)
        assert ((marks == 0) == (expected == 0)).all(), (dag, knowledge)
        gap += int(((marks == 1) & (expected > 1)).sum())
        new += int((expected > 1).sum() - (discover(Oracle(dag), algorithm="pc").stage.oriented.marks > 1).sum())
    assert new > 20
    # Meek's rules are complete for what is known of adjacent pairs; of others it may say more than K5 and K6 reach
    most = {"order": 0.0, "required": 0.0, "causes": 0.1, "all but no_edge": 0.02}
    assert gap <= most.get(kind, 0.01) * new


def test_meeks_fourth_rule_is_needed() -> None:
    # c --> d by knowledge, so d --> b; a is joined to all of them, c and b are apart: only M4 directs a --> b
    dag = DAG.parse("a -> b, a -> c, a -> d, c -> d, d -> b")
    knowledge = Knowledge(required=[("c", "d")])
    found = discover(Oracle(dag), algorithm="pc", knowledge=knowledge)
    reason = found.trace.orientation("a", "b")
    assert found.pag.has("a", "-->", "b")
    assert reason is not None
    assert reason.rule == "M4"
    assert "in a cycle" in str(found.why("a", "b"))


# -- fewer questions ----------------------------------------------------------------------------------------------


def causal_order(dag: DAG) -> Knowledge:
    observed = [v for v in _sorted_by_depth(dag) if v in set(dag.observed)]
    return Knowledge(tiers=[[v] for v in observed])


def _sorted_by_depth(dag: DAG) -> list[str]:
    return sorted(dag.nodes, key=lambda v: len(ancestors(dag.marks, [dag.index(v)])))


@pytest.mark.parametrize("algorithm", ["icd", "fci", "rfci", "pc"])
def test_a_causal_order_saves_questions(algorithm: str) -> None:
    asked = np.zeros(2, dtype=int)
    for seed in range(6):
        dag = simulate.random_dag(nodes=15, degree=2, seed=seed)
        if algorithm == "pc":
            dag = DAG(dag.nodes, dag.marks)
        without = discover(Oracle(dag), algorithm=algorithm)
        known = discover(Oracle(dag), algorithm=algorithm, knowledge=causal_order(dag))
        asked += [f.tests.total() + f.verify_tests.total() for f in (without, known)]
        assert {frozenset((a, b)) for a, _, b in known.pag.edges()} == {
            frozenset((a, b)) for a, _, b in without.pag.edges()
        }
    assert asked[1] < 0.9 * asked[0]


def test_what_is_known_to_come_later_is_in_no_set() -> None:
    for seed in range(10):
        dag = simulate.random_dag(nodes=15, degree=2, seed=seed)
        knowledge = causal_order(dag)
        rank = {tier[0]: i for i, tier in enumerate(knowledge.tiers)}
        for algorithm in ("icd", "fci", "rfci", "fci+"):
            found = discover(Oracle(dag), algorithm=algorithm, knowledge=knowledge)
            for a, b in combinations(found.pag.nodes, 2):
                given = found.sepset(a, b) or frozenset()
                assert all(rank[z] < max(rank[a], rank[b]) for z in given)


def test_nothing_depends_on_the_order_of_columns() -> None:
    rng = np.random.default_rng(4)
    for seed in range(10):
        dag = simulate.trouble.mixed_trouble(seed=seed, most=6)
        knowledge = draw(dag, rng, "all")
        order = rng.permutation(len(dag.nodes))
        nodes = [dag.nodes[i] for i in order]
        turned = DAG(nodes, dag.marks[np.ix_(order, order)], latent=dag.latent, selection=dag.selection)
        one, other = (discover(Oracle(graph), knowledge=knowledge) for graph in (dag, turned))
        assert one.pag == other.pag
        assert one.tests == other.tests
        assert {(o.x, o.y, o.rule, o.because) for o in one.trace.orientations} == {
            (o.x, o.y, o.rule, o.because) for o in other.trace.orientations
        }


# -- data and knowledge that may be false ---------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::ancestral.KnowledgeWarning")
@pytest.mark.parametrize("algorithm", ["icd", "fci", "rfci", "fci+", "pc"])
def test_whatever_the_data_say_knowledge_is_kept_to(algorithm: str) -> None:
    rng = np.random.default_rng(11)
    contested = 0
    for seed in range(16):
        dag = simulate.random_dag(nodes=8, degree=3, seed=seed)
        rows = simulate.linear_gaussian(dag, rows=60, seed=seed)
        names = list(rows.columns)
        shuffled = [str(name) for name in rng.permutation(names)]
        earlier = list(combinations(shuffled, 2))
        required = [pair for pair in earlier if rng.random() < 0.1]
        knowledge = Knowledge(
            tiers=[shuffled[:2], shuffled[2:5]] if rng.random() < 0.5 else [],
            forbidden=[(y, x) for x, y in earlier if rng.random() < 0.2],
            required=required,
            causes=[pair for pair in earlier if rng.random() < 0.1],
            no_edge=[pair for pair in earlier if pair not in required and rng.random() < 0.1],
            exogenous=shuffled[:1] if rng.random() < 0.3 else [],
        )
        selection_bias, stable = seed % 2 == 0, seed % 4 < 2
        way = {"algorithm": algorithm, "selection_bias": selection_bias, "stable": stable, "alpha": 0.1}
        for stage in stages(rows, knowledge=knowledge, **way):  # type: ignore[arg-type]
            # the data decide on edges, and may leave no path from a variable to one that it is known to cause
            allowed = selection_bias and algorithm != "pc"
            assert len(knowledge.violations(stage.pag, allowed)) == len(knowledge.unreached(stage.pag, allowed))
        found = discover(rows, knowledge=knowledge, **way)  # type: ignore[arg-type]
        contested += bool(found.trace.conflicts)
    assert contested > 2


# -- pictures -----------------------------------------------------------------------------------------------------


def found_with(dag: str, knowledge: str, **options: object) -> PAG:
    return discover(Oracle(DAG.parse(dag)), knowledge=Knowledge.parse(knowledge), **options).pag  # type: ignore[arg-type]


def test_not_a_cause_is_one_arrowhead() -> None:
    assert found_with("a -> b", "b -/-> a") == PAG.parse("a o-> b")


def test_tiers_are_silent_within() -> None:
    assert found_with("a -> b, a -> c, b -> c", "a < b, c") == PAG.parse("a o-> b, a o-> c, b o-o c")


def test_rules_go_on_from_knowledge() -> None:
    assert found_with("a -> b, b -> c", "b -/-> a") == PAG.parse("a o-> b, b --> c")


def test_required_is_a_tail_and_with_no_selection_an_arrow() -> None:
    assert found_with("a -> b", "a --> b") == PAG.parse("a --o b")
    assert found_with("a -> b", "a --> b", selection_bias=False) == PAG.parse("a --> b")
    assert found_with("a -> b", "a --> b\nb -/-> a") == PAG.parse("a --> b")


def test_a_cause_is_a_tail_on_an_edge_and_makes_none() -> None:
    assert found_with("a -> b", "a ~~> b") == PAG.parse("a --o b")
    assert found_with("a -> b", "a ~~> b", selection_bias=False) == PAG.parse("a --> b")
    assert found_with("a -> b", "a ~~> b\nb -/-> a") == PAG.parse("a --> b")
    assert found_with("a -> b, b -> c", "a ~~> c") == PAG.parse("a o-o b, b o-o c")
    # statements follow from each other: a causes c, and c does not cause a
    dag = "a -> b, b -> c, a -> c"
    assert found_with(dag, "a ~~> b\nb ~~> c", selection_bias=False) == PAG.parse("a --> b, b --> c, a --> c")


def test_no_edge_lets_no_rule_speak() -> None:
    # a and b are apart by knowledge, so nobody knows whether c is a collider between them
    found = discover(Oracle(DAG.parse("a -> c, b -> c, c -> d")), knowledge=Knowledge(no_edge=[("a", "b")]))
    assert found.pag == PAG.parse("a o-o c, b o-o c, c o-o d")
    assert found.sepset("a", "b") is None
    assert found.sepset("a", "d") == frozenset({"c"})
    arrow = discover(Oracle(DAG.parse("a -> b, b -> c")), knowledge=Knowledge.parse("a | c\nb -/-> a"))
    assert arrow.pag == PAG.parse("a o-> b, b o-o c")
