"""d- and m-separation against networkx and against the moralisation criterion, on thousands of questions."""

import networkx as nx
import numpy as np

from ancestral import DAG, MAG, is_separated
from tests.support.reference import random_dag_marks, separated_by_augmentation, some_mags


def questions(rng: np.random.Generator, names: list[str], count: int) -> list[tuple[str, str, set[str]]]:
    asked = []
    for _ in range(count):
        x, y, *others = rng.permutation(names).tolist()
        asked.append((x, y, set(others[: int(rng.integers(0, len(others) + 1))])))
    return asked


def test_networkx_agrees() -> None:
    answers = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 30))
        names = [f"v{i}" for i in range(n)]
        selection = set(names[: int(rng.integers(0, min(3, n - 2)))])
        dag = DAG(names, random_dag_marks(rng, n, min(0.9, 2.5 / n)), selection=selection)
        graph = nx.DiGraph([(a, b) for a, _, b in dag.edges()])
        graph.add_nodes_from(names)
        for x, y, given in questions(rng, sorted(set(names) - selection), 50):
            answers.append(is_separated(dag, x, y, given=given))
            assert answers[-1] is nx.is_d_separator(graph, {x}, {y}, given | selection)
    assert len(answers) == 3000
    assert 600 < sum(answers) < 2400


def test_the_augmentation_criterion_agrees() -> None:
    answers = []
    for seed, n in [(1, 4), (2, 6), (3, 8)]:
        rng = np.random.default_rng(seed)
        for mag in some_mags(seed, 40, n):
            for x, y, given in questions(rng, list(mag.nodes), 25):
                answers.append(agreed(mag, x, y, given))
        for _ in range(20):
            dag = DAG([f"v{i}" for i in range(n)], random_dag_marks(rng, n, 0.4))
            answers += [agreed(dag, x, y, given) for x, y, given in questions(rng, list(dag.nodes), 25)]
    assert len(answers) == 3 * (40 + 20) * 25
    assert 0.1 < np.mean(answers) < 0.9


def agreed(graph: DAG | MAG, x: str, y: str, given: set[str]) -> bool:
    ours = is_separated(graph, x, y, given=given)
    theirs = separated_by_augmentation(graph.marks, graph.index(x), graph.index(y), [graph.index(z) for z in given])
    assert ours is theirs, (graph, x, y, given)
    return ours
