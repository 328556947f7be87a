"""Plain definitions, written to be checked by eye rather than to be fast."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from ancestral import DAG, MAG

Marks = NDArray[np.uint8]
ARROW, TAIL = 2, 3


def subsets(items: Iterable[int]) -> Iterator[tuple[int, ...]]:
    pool = list(items)
    return chain.from_iterable(combinations(pool, k) for k in range(len(pool) + 1))


def ancestors(marks: Marks, nodes: Iterable[int]) -> set[int]:
    """The given nodes and all with a directed path to one of them."""
    found = set(nodes)
    while True:
        more = {u for u in range(len(marks)) for v in found if marks[u, v] == ARROW and marks[v, u] == TAIL} - found
        if not more:
            return found
        found |= more


def simple_paths(marks: Marks, x: int, y: int) -> Iterator[list[int]]:
    def extend(path: list[int]) -> Iterator[list[int]]:
        for v in np.flatnonzero(marks[path[-1]]):
            if v == y:
                yield [*path, y]
            elif v not in path:
                yield from extend([*path, int(v)])

    return extend([x])


def separated_by_paths(marks: Marks, x: int, y: int, given: Iterable[int]) -> bool:
    """m-separation as it is defined: every path has a closed collider or an observed non-collider."""
    given = set(given)
    open_colliders = ancestors(marks, given)
    for path in simple_paths(marks, x, y):
        inner = zip(path, path[1:], path[2:], strict=False)
        if all(
            (v in open_colliders) if marks[u, v] == ARROW and marks[w, v] == ARROW else (v not in given)
            for u, v, w in inner
        ):
            return False
    return True


def separated_by_augmentation(marks: Marks, x: int, y: int, given: Iterable[int]) -> bool:
    """The other criterion: ordinary separation in the augmented (for a DAG: moral) graph of the anterior set.

    Richardson & Spirtes (2002), theorem 3.18; for DAGs, Lauritzen et al. (1990).
    """
    given = set(given)
    anterior = {x, y} | given
    while more := {u for u in range(len(marks)) for v in anterior if marks[u, v] and marks[v, u] == TAIL} - anterior:
        anterior |= more
    # two nodes are joined if they are adjacent or connected by a path on which every inner node is a collider
    joined: dict[int, set[int]] = {}
    for a in anterior:
        reached = {int(v) for v in np.flatnonzero(marks[a]) if v in anterior}
        into = [v for v in reached if marks[a, v] == ARROW]
        seen = set(into)
        while into:
            v = into.pop()
            for w in np.flatnonzero(marks[v]):
                if w in anterior and w != a and marks[w, v] == ARROW:
                    reached.add(int(w))
                    if marks[v, w] == ARROW and w not in seen:
                        seen.add(int(w))
                        into.append(int(w))
        joined[a] = reached
    frontier, seen = [x], {x}
    while frontier:
        u = frontier.pop()
        if u == y:
            return False
        fresh = joined[u] - seen - given
        seen |= fresh
        frontier.extend(fresh)
    return True


def true_of(dag: DAG, a: str, mark_at_a: int, b: str) -> bool:
    """Whether a mark at a on the edge a–b says the truth about a DAG, by ancestry alone."""
    before = bool(({b} | dag.selection) & dag.descendants(a))
    return before if mark_at_a == TAIL else not before


def random_marks(rng: np.random.Generator, n: int, density: float, kinds: Iterable[tuple[int, int]]) -> Marks:
    """Each pair gets an edge with this probability, its marks one of these pairs."""
    choices = list(kinds)
    marks = np.zeros((n, n), dtype=np.uint8)
    for x, y in combinations(range(n), 2):
        if rng.random() < density:
            marks[x, y], marks[y, x] = choices[rng.integers(len(choices))]
    return marks


def random_dag_marks(rng: np.random.Generator, n: int, density: float) -> Marks:
    """A DAG in a random order of its nodes."""
    marks = random_marks(rng, n, density, [(ARROW, TAIL)])
    order = rng.permutation(n)
    return marks[np.ix_(order, order)]


def some_mags(seed: int, count: int, n: int) -> Iterator[MAG]:
    """MAGs of small random DAGs with latent and selection nodes."""
    from ancestral import mag_of

    rng = np.random.default_rng(seed)
    for _ in range(count):
        size = n + int(rng.integers(1, 5))
        names = [f"v{i}" for i in range(size)]
        hidden = list(rng.permutation(names)[: size - n])
        cut = int(rng.integers(0, len(hidden) + 1))
        yield mag_of(
            DAG(names, random_dag_marks(rng, size, rng.uniform(0.2, 0.6)), latent=hidden[:cut], selection=hidden[cut:])
        )
