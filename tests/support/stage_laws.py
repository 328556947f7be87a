"""The law for searches: every mark and every missing edge of every stage is true of the DAG, and the end is its PAG."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from ancestral import DAG, MAG, Oracle, discover, mag_of, pag_of, stages
from ancestral.graphs.names import by_name
from ancestral.search.stage import Stage
from tests.support.reference import ARROW, TAIL, ancestors

#: All settings of ICD that promise a true graph at every stage.
SOUND: list[dict[str, Any]] = [
    {"possible_ancestors": mode, "stable": stable} for mode, stable in product(["distant", "all", "off"], [True, False])
]


#: Other algorithms that promise a true graph at every stage and the PAG at the end.
EXACT: list[dict[str, Any]] = [
    {"algorithm": algorithm, "stable": stable} for algorithm in ("fci", "fci+") for stable in (True, False)
]


def tails_are_true(graph: DAG | MAG, names: Sequence[str]) -> np.ndarray:
    """`[a, b]`: whether a tail at a on a–b would be true, and so an arrowhead false; by ancestry alone.

    In a DAG: a is an ancestor of b or of selection. In a MAG, which has no circles: a is anterior to b.
    """
    out = np.zeros((len(names), len(names)), dtype=bool)
    for j, b in enumerate(names):
        if isinstance(graph, DAG):
            before = {graph.nodes[i] for i in ancestors(graph.marks, map(graph.index, {b} | graph.selection))}
        else:
            before = set(graph.possible_anteriors(b))
        out[:, j] = [a in before for a in names]
    return out


def false_marks(graph: DAG | MAG, stage: Stage) -> list[str]:
    """The marks of a stage that are not true."""
    tails = tails_are_true(graph, stage.names)
    marks, names = stage.oriented.marks, stage.names
    wrong = ((marks.T == TAIL) & ~tails) | ((marks.T == ARROW) & tails)
    return [
        f"{names[x]} {stage.pag.edge(names[x], names[y])} {names[y]}: the mark at {names[y]}"
        for y, x in np.argwhere(wrong)
    ]


def missing_edges(graph: DAG | MAG, stage: Stage) -> list[tuple[str, str]]:
    """The true edges that a stage does not have."""
    mag = mag_of(graph) if isinstance(graph, DAG) else graph
    return [(a, b) for a, _, b in mag.edges() if stage.pag.edge(a, b) is None]


def assert_sound(graph: DAG | MAG, ways: Iterable[dict[str, Any]] = SOUND) -> int:
    """Assert that every stage is true and the last one the PAG, for each setting; returns the number of stages."""
    truth = pag_of(graph)
    names = sorted(truth.nodes, key=by_name)
    tails = tails_are_true(graph, names)
    edges = truth.arranged(names) != 0
    checked = 0
    for way in ways:
        last = None
        for stage in stages(Oracle(graph), **way):
            marks = stage.oriented.marks
            assert list(stage.names) == names
            assert not ((marks.T == TAIL) & ~tails).any(), (way, stage.radius, graph)
            assert not ((marks.T == ARROW) & tails).any(), (way, stage.radius, graph)
            assert not (edges & (marks == 0)).any(), (way, stage.radius, graph)
            last = stage
            checked += 1
        assert last is not None
        assert last.complete
        assert last.pag == truth, (way, graph)
    return checked


def assert_exact_as_printed(graph: DAG | MAG) -> None:
    """Assert that the search without verification also ends with the PAG."""
    truth = pag_of(graph)
    for way in EXACT:
        found = discover(Oracle(graph), verify=False, **way)
        assert found.complete
        assert found.pag == truth, (way, graph)
        assert not found.verify_tests


def assert_rfci_is_sound(graph: DAG | MAG) -> bool:
    """Assert that no stage has a false mark or misses an edge; returns whether the end is the PAG."""
    for stable in (True, False):
        for stage in stages(Oracle(graph), algorithm="rfci", stable=stable):
            assert not false_marks(graph, stage), graph
            assert not missing_edges(graph, stage), graph
        assert stage.complete
    return stage.pag == pag_of(graph)


def relabeled(dag: DAG, seed: int) -> DAG:
    """The same DAG under other names, in another order."""
    rng = np.random.default_rng(seed)
    names = dict(zip(dag.nodes, (f"v{i}" for i in rng.permutation(len(dag.nodes))), strict=True))
    order = rng.permutation(len(dag.nodes))
    nodes = [names[dag.nodes[i]] for i in order]
    roles = {"latent": [names[v] for v in dag.latent], "selection": [names[v] for v in dag.selection]}
    return DAG(nodes, dag.marks[np.ix_(order, order)], **roles)
