"""The laws of experiments: with contexts of which the assumptions are true, a search finds nothing false.

Truth is found by trying, without orientation rules and closures: by ancestry in the DAG; over all MAGs of a class whose
edges at contexts are as the assumptions say; and, where targets are known, over all causal graphs of few variables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, pairwise, product

import numpy as np

from ancestral import DAG, MAG, Knowledge, mag_of
from ancestral.classes._equivalence_cy import separations
from ancestral.graphs.names import by_name
from tests.support.classes import Marks, agreed_marks
from tests.support.knowledge_laws import keeps_to, members
from tests.support.reference import ARROW, TAIL

#: How contexts depend on each other in a study: by a common design, not at all, or one decides on the next.
DESIGNS = ("common", "independent", "chain")


@dataclass(frozen=True)
class Study:
    """A DAG with contexts: their names, and for each of them the observed variables that it acts on first."""

    dag: DAG
    contexts: tuple[str, ...]
    targets: dict[str, tuple[str, ...]]

    @property
    def names(self) -> list[str]:
        """The observed variables in the order of names."""
        return sorted(self.dag.observed, key=by_name)


def studied(dag: DAG, rng: np.random.Generator, contexts: int, design: str = "common") -> Study:
    """A DAG with this many contexts, each with an edge to one or two nodes, observed or latent."""
    names = tuple(f"C{i}" for i in range(contexts))
    reachable = sorted({*dag.observed, *dag.latent})
    edges = list(dag.edges())
    for name in names:
        for node in rng.choice(reachable, size=min(int(rng.integers(1, 3)), len(reachable)), replace=False).tolist():
            edges.append((name, "-->", node))
    latent = set(dag.latent)
    if contexts > 1 and design == "common":
        latent.add("D")
        edges += [("D", "-->", name) for name in names]
    if design == "chain":
        edges += [(a, "-->", b) for a, b in pairwise(names)]
    whole = DAG.from_edges(edges, [*dag.nodes, *names], latent=latent, selection=dag.selection)
    return Study(whole, names, {name: first_measured(whole, name, set(names)) for name in names})


def first_measured(dag: DAG, x: str, others: set[str]) -> tuple[str, ...]:
    """The observed variables, other than these, that are first on a directed path from x."""
    found, queue, seen = set(), [x], {x}
    for u in queue:
        for v in dag.nodes:
            if v in seen or not dag.has(u, "-->", v) or v in others:
                continue
            seen.add(v)
            if v in dag.latent:
                queue.append(v)
            elif v not in dag.selection:
                found.add(v)
    return tuple(sorted(found, key=by_name))


def class_of_contexts(study: Study, knowledge: Knowledge, selection_bias: bool) -> Marks:
    """The marks on which all MAGs of the class agree whose edges between contexts and the system leave contexts.

    The study must have contexts that all depend on each other. With selection, the edges between contexts are not
    compared.
    """
    mag = mag_of(study.dag)
    names = study.names
    arranged = MAG(names, mag.arranged(names))
    at = [names.index(context) for context in study.contexts]
    agreed = agreed_marks(
        marks
        for marks in members(arranged, selection_bias)
        if keeps_to(marks, names, knowledge) and _leave(marks, at, selection_bias)
    )
    if selection_bias:
        for c, d in combinations(at, 2):
            agreed[c, d] = agreed[d, c] = 1
    return agreed


def _leave(marks: Marks, contexts: Sequence[int], selection_bias: bool) -> bool:
    """Whether all edges of contexts to others have their tail at the context, and contexts do not cause each other."""
    inside = set(contexts)
    for c in contexts:
        for v in np.flatnonzero(marks[c]).tolist():
            if v not in inside and marks[v, c] != TAIL:
                return False
            if v in inside and not selection_bias and marks[v, c] != ARROW:
                return False
    return True


# -- known targets: all causal graphs of few variables ------------------------------------------------------------


def causal_graphs(system: int, contexts: int) -> Iterator[tuple[Study, Marks, bytes]]:
    """Every study of this many variables: each DAG, each set of hidden common causes of pairs, each set of targets.

    With the marks of its MAG, and its separations as a key. Latent variables between observed ones, and on which
    contexts act, add nothing: their latent projection is one of these graphs. Contexts share a common cause.
    """
    names = tuple(f"x{i}" for i in range(system))
    given = tuple(f"C{i}" for i in range(contexts))
    pairs = list(combinations(names, 2))
    every = [*chain.from_iterable(combinations(names, k) for k in range(1, system + 1))]
    order = sorted([*names, *given], key=by_name)
    for arrows in _dags(names):
        for hidden in product((False, True), repeat=len(pairs)):
            latent = {f"L{a}{b}": (a, b) for (a, b), there in zip(pairs, hidden, strict=True) if there}
            edges = [(a, "-->", b) for a, b in arrows]
            edges += [(name, "-->", end) for name, ends in latent.items() for end in ends]
            if contexts > 1:
                edges += [("D", "-->", c) for c in given]
            for chosen in product(every, repeat=contexts):
                acted = [(c, "-->", t) for c, targets in zip(given, chosen, strict=True) for t in targets]
                roles = [*latent, *(["D"] if contexts > 1 else [])]
                dag = DAG.from_edges(edges + acted, [*names, *given], latent=roles)
                marks = mag_of(dag).arranged(order)
                yield Study(dag, given, dict(zip(given, chosen, strict=True))), marks, _key(marks.tobytes(), len(order))


@cache
def _key(content: bytes, n: int) -> bytes:
    marks = np.frombuffer(content, dtype=np.uint8).reshape(n, n)
    return bytes(separations(marks).tobytes())


@cache
def _dags(names: tuple[str, ...]) -> list[tuple[tuple[str, str], ...]]:
    """The edges of every DAG on these nodes."""
    pairs = list(combinations(names, 2))
    out = []
    for turned in product((0, 1, 2), repeat=len(pairs)):
        edges = tuple((a, b) if t == 1 else (b, a) for (a, b), t in zip(pairs, turned, strict=True) if t)
        left, free = set(names), True
        while left and free:
            ends = {a for a in left if not any(x == a and y in left for x, y in edges)}
            free, left = bool(ends), left - ends
        if free:
            out.append(edges)
    return out
