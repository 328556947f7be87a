"""Why an effect is not identified: the obstacle that was met, in words, with the edges that stand in the way."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ancestral.effects.identification.conditional_plans import Exchange
from ancestral.effects.identification.plans import Obstacle
from ancestral.effects.identification.structure import Structure, nodes_of
from ancestral.graphs import DAG, MixedGraph
from ancestral.graphs.paths import shortest

__all__ = ["Reason", "reason_for"]

Edge = tuple[str, str]


@dataclass(frozen=True)
class Reason:
    """A reason in words, and the edges that it names."""

    words: str
    edges: tuple[Edge, ...]


def reason_for(graph: MixedGraph, structure: Structure, obstacle: Obstacle | Exchange, x: int) -> Reason:
    """Why the effect of x is not identified; obstacles at x itself are named first."""
    if isinstance(obstacle, Exchange):
        return _undirected(graph, structure, obstacle.part, obstacle.bucket & ~obstacle.part)
    target, given = obstacle.target, obstacle.given
    for bucket in structure.buckets(given):
        if bucket & target and bucket & ~target:
            return _undirected(graph, structure, bucket & ~target, bucket & target)
    outside = [bucket for bucket in structure.buckets(given) if not bucket & target]
    for bucket in sorted(outside, key=lambda bucket: not bucket & x):
        if reason := _bow(graph, structure, bucket, given):
            return reason
    raise AssertionError("an obstacle has a bucket that cannot be removed")


def _undirected(graph: MixedGraph, structure: Structure, one: int, other: int) -> Reason:
    """An edge o-o from one part of a bucket to the other."""
    u, v = next((u, v) for u in nodes_of(one) for v in nodes_of(structure.circles[u] & other))
    a, b = structure.names[u], structure.names[v]
    return Reason(f"{graph.edge_text(a, b)} leaves open which of them, if any, causes the other", ((a, b),))


def _bow(graph: MixedGraph, structure: Structure, bucket: int, given: int) -> Reason | None:
    """A node on which the bucket may act and with which it may share a hidden cause."""
    shared = structure.possible_component(bucket, given) & structure.descendants(bucket, given) & ~bucket
    if not shared:
        return None
    names = structure.names
    for u in nodes_of(bucket):  # an edge that is both at once says it in the fewest words
        for v in nodes_of(structure.after[u] & structure.hiding[u] & shared):
            a, b = names[u], names[v]
            if isinstance(graph, DAG):
                return Reason(f"{a} causes {b}, and something unmeasured causes both", ((a, b),))
            edge = graph.edge_text(a, b)
            certain = graph.has(a, "-->", b)
            words = "may be causal and confounded at once" if certain else f"leaves open whether {a} causes {b}"
            return Reason(f"{edge} {words}", ((a, b),))
    end = next(nodes_of(shared))
    acts = _acting(structure, bucket, end, given)
    hides = _hiding(structure, bucket, end, given)
    one, other = (" … ".join(names[i] for i in path) for path in (acts, hides))
    if not isinstance(graph, DAG):
        one, other = (graph.path_text([names[i] for i in path]) for path in (acts, hides))
    words = f"{names[acts[0]]} may act on {names[end]} ({one}) and share unmeasured causes with it ({other})"
    edges = [*pairwise(acts), *pairwise(hides)]
    pairs = dict.fromkeys((names[a], names[b]) for a, b in edges)
    return Reason(words, tuple(pair for pair in pairs if isinstance(graph, DAG) or graph.edge(*pair)))


def _acting(structure: Structure, bucket: int, end: int, given: int) -> list[int]:
    """A shortest possibly directed path from the bucket to a node."""

    def after(node: int) -> Iterator[int]:
        return nodes_of((bucket if node < 0 else structure.after[node]) & given)

    return shortest(after, -1, end)[1:]


def _hiding(structure: Structure, bucket: int, end: int, given: int) -> list[int]:
    """A shortest path from the bucket to a node along which hidden causes may join them: every node between collides.

    A node is marked twice: as reached, and, with its number beyond all nodes, as a collider from which to go on.
    """
    n = len(structure.names)

    def after(node: int) -> Iterator[int]:
        if node < 0:
            yield from nodes_of(bucket)
        elif node < n and 1 << node & bucket:
            yield from nodes_of(structure.hiding[node] & given & ~bucket)
            yield from (n + v for v in nodes_of(structure.hiding_out[node] & given & ~bucket))
        elif node >= n:
            yield from nodes_of(structure.hiding_into[node - n] & given)
            yield from (n + v for v in nodes_of(structure.hiding_both[node - n] & given & ~bucket))

    return [node % n for node in shortest(after, -1, end)[1:]]
