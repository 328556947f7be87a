"""Whether each part of the verification is needed: graphs that go wrong without it, for the table in docs/theory.md.

    python -m tests.checks.repair [--graphs 4000] [--seed 1]

Graphs are drawn from the generators for trouble and by mutating the graphs on which the printed algorithm fails. Each
is searched with one part of verification switched off at a time, with stable and with immediate removal; a graph
counts where a mark or a missing edge of some stage is false, or the end is not the PAG.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ancestral import DAG, GraphError, mag_of, simulate
from ancestral.search.verify import Verifier
from tests.support.example_graphs import ANYTIME, COND3, COND3_STABLE, LEMMA1
from tests.support.stage_laws import assert_sound

#: Parts of the verification, and the method of `Verifier` that each is.
PARTS = {
    "irreducible sets": "not_minimal",
    "verified colliders": "not_colliders",
    "verified discriminating paths": "not_discriminating",
}


@contextmanager
def without(part: str) -> Iterator[None]:
    """Switch a part of the verification off: it then objects to nothing."""
    original = getattr(Verifier, PARTS[part])
    setattr(Verifier, PARTS[part], lambda *_: {})
    try:
        yield
    finally:
        setattr(Verifier, PARTS[part], original)


def mutated(dag: DAG, rng: np.random.Generator) -> DAG | None:
    """The DAG with a few edges added or removed, or nodes doubled; None if the result is not a DAG."""
    nodes, edges = list(dag.nodes), [(a, b) for a, _, b in dag.edges()]
    for _ in range(int(rng.integers(1, 5))):
        kind = rng.random()
        if kind < 0.35:
            edges.pop(int(rng.integers(len(edges))))
        elif kind < 0.75:
            a, b = rng.choice(nodes, 2, replace=False).tolist()
            if (a, b) not in edges and (b, a) not in edges:
                edges.append((a, b))
        else:
            old = str(rng.choice(nodes))
            twin = old + "'"
            if twin not in nodes:
                nodes.append(twin)
                edges += [(twin, b) for a, b in edges if a == old] + [(a, twin) for a, b in edges if b == old]
    try:
        return DAG.from_edges([(a, "-->", b) for a, b in edges], nodes=nodes)
    except GraphError:
        return None


def graphs(seed: int) -> Iterator[DAG]:
    """Endless graphs that are small enough."""
    rng = np.random.default_rng(seed)
    hard = (LEMMA1, ANYTIME, COND3, COND3_STABLE)
    while True:
        if rng.random() < 0.6:
            dag = mutated(hard[int(rng.integers(len(hard)))], rng)
        else:
            make = simulate.trouble.TROUBLE[int(rng.integers(len(simulate.trouble.TROUBLE)))]
            dag = make(seed=int(rng.integers(2**31)))
        if dag is not None and len(dag.observed) <= 13 and len(mag_of(dag).edges()) <= 30:
            yield dag


def goes_wrong(dag: DAG, stable: bool) -> bool:
    """Whether a stage has a false mark or misses an edge, or the last one is not the PAG."""
    try:
        assert_sound(dag, [{"possible_ancestors": "all", "stable": stable}])
    except AssertionError:
        return True
    return False


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong: Counter[tuple[str, bool]] = Counter()
    for _, dag in zip(range(options.graphs), graphs(options.seed), strict=False):
        for stable in (True, False):
            for part in PARTS:
                with without(part):
                    wrong[part, stable] += goes_wrong(dag, stable)
            wrong["nothing", stable] += goes_wrong(dag, stable)
    print(f"{options.graphs} graphs, seed {options.seed}: on how many something false is said\n")
    print("| without | stable removal | immediate removal |\n| --- | --- | --- |")
    for part in (*PARTS, "nothing"):
        print(f"| {part} | {wrong[part, True]} | {wrong[part, False]} |")


if __name__ == "__main__":
    main()
