"""Verification, question by question: on small DAGs whose separations one can see."""

import numpy as np
import pytest

from ancestral import DAG, Oracle, discover, simulate
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.verify import Verifier


def verifier_of(text: str) -> tuple[Verifier, Sepsets, dict[str, int]]:
    dag = DAG.parse(text)
    names = sorted(dag.nodes)
    sepsets = Sepsets(len(names))
    return Verifier(Oracle(dag).questions(names), sepsets), sepsets, {name: i for i, name in enumerate(names)}


def test_nodes_that_are_not_needed_are_dropped() -> None:
    verifier, _, at = verifier_of("a -> z, z -> b, e, a -> f")
    given = tuple(sorted(at[v] for v in "efz"))
    assert verifier.minimal(at["a"], at["b"], given) == (at["z"],)
    assert verifier.minimal(at["a"], at["b"], (at["z"],)) == (at["z"],)
    # two ways through: neither node alone is enough
    verifier, _, at = verifier_of("a -> y, y -> b, a -> z, z -> b")
    assert verifier.minimal(at["a"], at["b"], (at["y"], at["z"])) == (at["y"], at["z"])


def test_a_node_that_can_go_only_after_another_goes_too() -> None:
    # y opens the collider that z closes again: without y, z is not needed either
    verifier, _, at = verifier_of("a -> y, z -> y, z -> b")
    assert verifier.minimal(at["a"], at["b"], tuple(sorted((at["y"], at["z"])))) == ()


def test_of_many_sets_those_with_a_part_that_was_never_asked_are_made_minimal() -> None:
    dag = DAG.parse("a -> z, z -> b, e, a -> f, z -> c")
    names = sorted(dag.nodes)
    a, b, c, e, f, z = range(6)
    pairs = np.array([(a, b), (a, c)], dtype=np.intc)
    sets = np.array([(z, e, f), (z, f, e)], dtype=np.intc)

    def asked_of_c(pairs: np.ndarray, sets: np.ndarray) -> np.ndarray:
        return np.asarray(pairs[:, 1] == c)

    verifier = Verifier(Oracle(dag).questions(names), Sepsets(6), has_asked=asked_of_c)
    assert verifier.not_minimal(pairs, sets) == {0: (z,)}
    # one part that was never asked is enough
    verifier = Verifier(
        Oracle(dag).questions(names), Sepsets(6), has_asked=lambda pairs, sets: np.asarray((sets == e).any(axis=1))
    )
    assert verifier.not_minimal(pairs[:1], sets[:1, :2]) == {0: (z,)}


def test_every_set_that_the_search_finds_is_made_minimal(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set[tuple[int, int]]()
    original = Verifier.not_minimal

    def listening(self: Verifier, pairs: np.ndarray, sets: np.ndarray) -> dict[int, tuple[int, ...]]:
        seen.update(map(tuple, pairs.tolist()))
        return original(self, pairs, sets)

    monkeypatch.setattr(Verifier, "not_minimal", listening)
    dag = simulate.random_dag(nodes=12, degree=2, seed=1)
    found = discover(Oracle(dag))
    names = found.stage.names
    separated = {(x, y) for y in range(len(names)) for x in range(y) if found.sepset(names[x], names[y])}
    assert separated
    assert separated <= seen


def test_a_collider_on_a_false_edge_is_found_out() -> None:
    # a and c are separated by z; b, joined to a by a false edge, is separated from it by z as well
    verifier, sepsets, at = verifier_of("z -> a, z -> b, z -> c, b -> c")
    marks = np.zeros((4, 4), dtype=np.uint8)
    for x, y in ("ab", "bc", "az", "bz", "cz"):
        marks[at[x], at[y]] = marks[at[y], at[x]] = 1
    sepsets.record(at["a"], at["c"], [at["z"]])
    false = verifier.not_colliders(marks, np.array([(at["a"], at["c"])], dtype=np.intc))
    assert false == {(at["a"], at["b"]): (at["z"],)}


def test_an_edge_of_a_discriminating_path_may_be_false_given_a_part_of_the_set_only() -> None:
    # u and v are separated by z alone; w, their common effect, connects them again
    verifier, sepsets, at = verifier_of("c -> u, v -> d, z -> u, z -> v, u -> w, v -> w")
    sepsets.record(at["c"], at["d"], [at["w"], at["z"]])
    path = tuple(at[name] for name in "cuvd")
    assert verifier.not_discriminating([path]) == {(at["u"], at["v"]): (at["z"],)}
