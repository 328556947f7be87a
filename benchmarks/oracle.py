"""Costs without data: the MAG and the PAG of a DAG, all rules on a large graph, and the search with a perfect test."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import ancestral as an
from ancestral.orientation import orient
from ancestral.orientation._judge_cy import TrueGraph
from benchmarks.measure import SEARCHED, Searched, apart, exponent, rounds, searched, short, table

NODES = (100, 300, 1000)


def drawn(nodes: int) -> an.DAG:
    """A random DAG as in the ICD paper, rho = 2."""
    return an.simulate.random_dag(nodes=nodes, degree=2, seed=1)


def case(nodes: int) -> Searched:
    """The search with the oracle."""
    oracle = an.Oracle(drawn(nodes))
    return searched(lambda: an.discover(oracle, progress=False), budget=0.5, least=1)


def dense_mag(nodes: int, edges: int, seed: int) -> an.MAG:
    """The MAG of a random DAG without latent nodes, which is the DAG itself."""
    rng = np.random.default_rng(seed)
    upper = np.transpose(np.triu_indices(nodes, 1))
    marks = np.zeros((nodes, nodes), dtype=np.uint8)
    x, y = upper[rng.choice(len(upper), edges, replace=False)].T
    marks[x, y], marks[y, x] = 2, 3
    return an.MAG([f"x{i}" for i in range(nodes)], marks)


def graphs() -> Iterator[tuple[str, ...]]:
    """The rows of the second table."""
    for nodes in NODES:
        dag = drawn(nodes)
        for name, work in (("mag_of", an.mag_of), ("pag_of", an.pag_of)):
            (taken,) = rounds(partial(work, dag), budget=0.3)
            yield name, str(nodes), str(len(dag.edges())), short(min(taken))
    for nodes, edges in ((1000, 2_000), (1000, 20_000)):
        mag = dense_mag(nodes, edges, seed=1)
        (taken,) = rounds(partial(orient, mag.skeleton(), TrueGraph(mag.marks)), budget=0.3)
        yield "R0–R10", str(nodes), str(edges), short(min(taken))


def report() -> None:
    """Print both tables and how seconds grow with nodes."""
    taken: list[float] = []

    def lines() -> Iterator[tuple[str, ...]]:
        for nodes in NODES:
            found = apart(case, nodes)
            taken.append(found.seconds)
            yield (str(nodes), *found.cells())

    print("## Oracle\n")
    table(("nodes", *SEARCHED), lines())
    print(f"Seconds grow like nodes^{exponent(NODES, taken):.2f}.\n")
    print("## Graphs\n")
    table(("what", "nodes", "edges", "seconds"), graphs())
