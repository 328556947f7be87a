"""Causal graphs with arrows and hidden common causes, and identification in them by the algorithm ID, written plainly.

A graph is a pair of tuples of sets: the parents of each node, and the nodes that share a hidden cause with it. Nothing
here is taken from the package, but for its graphs and the MAG of a DAG.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from ancestral import DAG, MAG, mag_of


@dataclass(frozen=True)
class MixedCauses:
    """Nodes 0 … n - 1, with arrows, and with hidden causes of two nodes each."""

    parents: tuple[frozenset[int], ...]
    spouses: tuple[frozenset[int], ...]

    def renamed(self, order: tuple[int, ...]) -> "MixedCauses":
        """The same graph, in which node i is called order[i]."""
        n = len(order)
        parents, spouses = [frozenset[int]()] * n, [frozenset[int]()] * n
        for i, name in enumerate(order):
            parents[name] = frozenset(order[u] for u in self.parents[i])
            spouses[name] = frozenset(order[u] for u in self.spouses[i])
        return MixedCauses(tuple(parents), tuple(spouses))

    def joined(self, u: int, v: int) -> "MixedCauses":
        """The same graph with a hidden cause of u and v."""
        spouses = list(self.spouses)
        spouses[u], spouses[v] = spouses[u] | {v}, spouses[v] | {u}
        return MixedCauses(self.parents, tuple(spouses))

    def dag(self) -> DAG:
        """The DAG with a latent node for each hidden cause; node i is called v{i}."""
        names = [f"v{i}" for i in range(len(self.parents))]
        edges = [(names[u], "-->", names[v]) for v, us in enumerate(self.parents) for u in us]
        pairs = [(u, v) for v, us in enumerate(self.spouses) for u in us if u < v]
        hidden = [f"h{u}_{v}" for u, v in pairs]
        edges += [(h, "-->", names[i]) for h, pair in zip(hidden, pairs, strict=True) for i in pair]
        return DAG.from_edges(edges, nodes=[*names, *hidden], latent=hidden)


def mixed_causes(n: int) -> Iterator[MixedCauses]:
    """All of these graphs on n nodes whose arrows point from smaller to greater numbers, with all hidden causes."""
    pairs = list(combinations(range(n), 2))
    for arrows in product((False, True), repeat=len(pairs)):
        drawn = [pair for pair, there in zip(pairs, arrows, strict=True) if there]
        parents = [frozenset(u for u, w in drawn if w == v) for v in range(n)]
        for causes in product((False, True), repeat=len(pairs)):
            chosen = [pair for pair, there in zip(pairs, causes, strict=True) if there]
            spouses = [frozenset(u if w == v else w for u, w in chosen if v in (u, w)) for v in range(n)]
            yield MixedCauses(tuple(parents), tuple(spouses))


def identifies(graph: MixedCauses, x: set[int], y: set[int]) -> bool:
    """Whether P(y | do(x)) is identified: ID of Shpitser & Pearl (2006), line by line, without its formulas."""
    return _id(graph, frozenset(range(len(graph.parents))), frozenset(x), frozenset(y))


def _id(graph: MixedCauses, nodes: frozenset[int], x: frozenset[int], y: frozenset[int]) -> bool:
    if not x:  # line 1
        return True
    above = _ancestors(graph, nodes, y, cut=frozenset())
    if above != nodes:  # line 2
        return _id(graph, above, x & above, y)
    extra = nodes - x - _ancestors(graph, nodes, y, cut=x)
    if extra:  # line 3
        return _id(graph, nodes, x | extra, y)
    parts = _districts(graph, nodes - x)
    if len(parts) > 1:  # line 4
        return all(_id(graph, nodes, nodes - part, part) for part in parts)
    (part,) = parts
    whole = _districts(graph, nodes)
    if len(whole) == 1:  # line 5
        return False
    if part in whole:  # line 6
        return True
    around = next(district for district in whole if part < district)  # line 7
    return _id(graph, around, x & around, y)


def identifies_within(graph: MixedCauses, x: set[int], y: set[int], z: set[int]) -> bool:
    """Whether P(y | do(x), z) is identified: IDC of Shpitser & Pearl (2006)."""
    for one in sorted(z):
        if _separated(graph, y, {one}, x | (z - {one}), into=x, out_of={one}):
            return identifies_within(graph, x | {one}, y, z - {one})
    return identifies(graph, x, y | z)


def _ancestors(graph: MixedCauses, nodes: frozenset[int], of: frozenset[int], cut: frozenset[int]) -> frozenset[int]:
    """The ancestors of some nodes without the edges into `cut`."""
    found = set(of)
    queue = list(of)
    for v in queue:
        if v not in cut:
            fresh = (graph.parents[v] & nodes) - found
            found |= fresh
            queue += fresh
    return frozenset(found)


def _districts(graph: MixedCauses, nodes: frozenset[int]) -> list[frozenset[int]]:
    out, left = [], set(nodes)
    while left:
        part = {min(left)}
        queue = list(part)
        for v in queue:
            fresh = (graph.spouses[v] & nodes) - part
            part |= fresh
            queue += fresh
        out.append(frozenset(part))
        left -= part
    return out


def _separated(graph: MixedCauses, a: set[int], b: set[int], given: set[int], into: set[int], out_of: set[int]) -> bool:
    """Separation without the edges into some nodes and the arrows out of others, in the moral graph of ancestors."""
    n = len(graph.parents)
    parents: dict[object, set[object]] = {
        v: {u for u in graph.parents[v] if u not in out_of} if v not in into else set() for v in range(n)
    }
    for v in range(n):
        for u in graph.spouses[v]:
            if u < v:
                hidden = ("hidden", u, v)
                parents[hidden] = set()
                for w in {u, v} - into:
                    parents[w].add(hidden)
    kept = set[object](a | b | given)
    waiting = list(kept)
    for node in waiting:
        above = parents[node] - kept
        kept |= above
        waiting += above
    near: dict[object, set[object]] = {node: set() for node in kept}
    for node in kept:
        family = [node, *parents[node]]
        for one in family:
            near[one] |= set(family) - {one}
    found = set[object](a - given)
    waiting = list(found)
    for node in waiting:
        around = near[node] - found - given
        found |= around
        waiting += around
    return not found & b


def causes_of(mag: MAG) -> MixedCauses:
    """The causal graph whose arrows and hidden causes are the edges of a MAG without `---`."""
    nodes = range(len(mag.nodes))
    arrow = mag.marks == 2
    parents = [frozenset(u for u in nodes if arrow[u, v] and not arrow[v, u]) for v in nodes]
    spouses = [frozenset(u for u in nodes if arrow[u, v] and arrow[v, u]) for v in nodes]
    return MixedCauses(tuple(parents), tuple(spouses))


def confounded_versions(mag: MAG) -> Iterator[MixedCauses]:
    """Causal graphs with this MAG: its own edges; one hidden cause more behind an arrow; as many as the MAG allows."""
    plain = causes_of(mag)
    yield plain
    arrows = [(u, v) for v, us in enumerate(plain.parents) for u in sorted(us)]
    most = plain
    for u, v in arrows:
        single, more = plain.joined(u, v), most.joined(u, v)
        if _has_mag(single, mag):
            yield single
        if _has_mag(more, mag):
            most = more
    yield most


def _has_mag(graph: MixedCauses, mag: MAG) -> bool:
    return bool(np.array_equal(mag_of(graph.dag()).marks, mag.marks))
