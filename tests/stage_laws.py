"""The law for searches: every mark and every missing edge of every stage is true of the DAG, and the end is its PAG."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from ancestral import DAG, MAG, Oracle, mag_of, pag_of, stages
from ancestral.search.stage import Stage
from reference import true_of

#: All ways of asking that promise a true graph at every stage.
SOUND: list[dict[str, Any]] = [
    {"possible_ancestors": mode, "stable": stable} for mode, stable in product(["distant", "all", "off"], [True, False])
]


def false_marks(graph: DAG | MAG, stage: Stage) -> list[str]:
    """The marks of a stage that are not true, by ancestry alone; of a MAG, those that its class does not share."""
    pag = stage.pag
    found = []
    for x, y in np.argwhere(pag.marks > 1):
        a, b, mark = pag.nodes[x], pag.nodes[y], int(pag.marks[x, y])
        said = f"{a} {pag.edge(a, b)} {b}: the mark at {b}"
        if isinstance(graph, DAG) and not true_of(graph, b, mark, a):
            found.append(said)
        if isinstance(graph, MAG) and not true_of_mag(graph, b, mark, a):
            found.append(said)
    return found


def true_of_mag(mag: MAG, b: str, mark: int, a: str) -> bool:
    """Whether a mark at b on a–b is true of a MAG: a tail says that b is anterior to a, an arrowhead that it is not."""
    anterior = b in mag.possible_anteriors(a)  # a MAG has no circles: what is possible is so
    return anterior if mark == 3 else not anterior


def missing_edges(graph: DAG | MAG, stage: Stage) -> list[tuple[str, str]]:
    """The true edges that a stage does not have."""
    mag = mag_of(graph) if isinstance(graph, DAG) else graph
    return [(a, b) for a, _, b in mag.edges() if stage.pag.edge(a, b) is None]


def assert_sound(graph: DAG | MAG, ways: Iterable[dict[str, Any]] = SOUND) -> None:
    """Every stage is true, the last one is the PAG, for each way of asking."""
    truth = pag_of(graph)
    for way in ways:
        last = None
        for stage in stages(Oracle(graph), **way):
            assert not false_marks(graph, stage), (way, stage.radius, graph)
            assert not missing_edges(graph, stage), (way, stage.radius, graph)
            last = stage
        assert last is not None
        assert last.complete
        assert last.pag == truth, (way, graph)


def relabeled(dag: DAG, seed: int) -> DAG:
    """The same DAG under other names, in another order."""
    rng = np.random.default_rng(seed)
    names = dict(zip(dag.nodes, (f"v{i}" for i in rng.permutation(len(dag.nodes))), strict=True))
    order = rng.permutation(len(dag.nodes))
    nodes = [names[dag.nodes[i]] for i in order]
    roles = {"latent": [names[v] for v in dag.latent], "selection": [names[v] for v in dag.selection]}
    return DAG(nodes, dag.marks[np.ix_(order, order)], **roles)
