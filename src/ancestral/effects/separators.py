"""Enumeration of all minimal sets of nodes that separate two nodes of an undirected graph.

The idea: a minimal separator of a and b is determined by the part of the graph that it leaves connected to a. The
smallest such part belongs to the separator nearest to a. From each separator further ones are found by adding one of
its nodes to that part: the nodes that then separate it from b are a separator further from a. Every minimal separator
is found in this way, in polynomial time per separator. (After Shen & Liang 1997, Efficient enumeration of all minimal
separators in a graph, Theoretical Computer Science 180.)
"""

import heapq
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["minimal_separators", "moral", "next_to"]

Edges = NDArray[np.bool_]
Nodes = frozenset[int]


def minimal_separators(edges: Edges, near: Iterable[int], far: Iterable[int], allowed: Nodes) -> Iterator[Nodes]:
    """Yield all minimal sets of allowed nodes that separate `near` from `far`, the one nearest to `near` first.

    After that, of the separators found but not yet given, the smallest comes next.
    """
    sides = frozenset(near), frozenset(far)
    joined = _without(edges, [v for v in range(len(edges)) if v not in allowed | sides[0] | sides[1]])
    first = _separator(joined, sides[0], sides[1])
    if first is None:
        return
    seen = {first}
    queue = [(len(first), sorted(first), first)]
    while queue:
        _, _, found = heapq.heappop(queue)
        yield found
        part = _connected(joined, sides[0], found)
        for v in sorted(found):
            further = _separator(joined, part | {v}, sides[1])
            if further is not None and further not in seen:
                seen.add(further)
                heapq.heappush(queue, (len(further), sorted(further), further))


def next_to(edges: Edges, near: Iterable[int], far: Iterable[int], allowed: Nodes) -> Nodes | None:
    """The allowed nodes that an edge, or a path over nodes that are not allowed, joins to `near`; None if `far` is."""
    start, end = frozenset(near), frozenset(far)
    joined = _without(edges, [v for v in range(len(edges)) if v not in allowed | start | end])
    around = _around(joined, start)
    return None if around & end else around


def moral(into: Edges, adjacent: Edges, nodes: Nodes) -> Edges:
    """The undirected graph in which m-separation given some of these nodes is ordinary separation.

    `into[u, v]`: the edge u–v has an arrowhead at v. Two nodes are joined if they are adjacent or connected by a path
    on which every node between is a collider; all within `nodes`, which must include the ancestors of each of them.
    (Richardson & Spirtes 2002, theorem 3.18.)
    """
    inside = np.zeros(len(adjacent), dtype=bool)
    inside[list(nodes)] = True
    within = adjacent & inside & inside[:, None]
    into = into & within
    out = within.copy()
    for a in sorted(nodes):
        queue = np.flatnonzero(into[a]).tolist()  # colliders so far: entered through an arrowhead
        seen = set(queue)
        for v in queue:
            for w in np.flatnonzero(into[:, v]).tolist():  # and left through one
                out[a, w] = out[w, a] = True
                if into[v, w] and w not in seen:
                    seen.add(w)
                    queue.append(w)
    np.fill_diagonal(out, False)
    return out


def _without(edges: Edges, gone: list[int]) -> Edges:
    """The graph without these nodes, in which each path over them is replaced by an edge between its ends."""
    out = edges.copy()
    for v in gone:
        around = np.flatnonzero(out[v])
        out[np.ix_(around, around)] = True
        out[v] = out[:, v] = False
    np.fill_diagonal(out, False)
    return out


def _separator(edges: Edges, part: Nodes, far: Nodes) -> Nodes | None:
    """The neighbours of `part` with a path to `far` that avoids the others; None if a neighbour is in `far`."""
    around = _around(edges, part)
    if around & far:
        return None
    return _around(edges, _connected(edges, far, around)) & around


def _around(edges: Edges, part: Nodes) -> Nodes:
    """The neighbours of these nodes outside of them."""
    return frozenset(np.flatnonzero(edges[list(part)].any(axis=0)).tolist()) - part


def _connected(edges: Edges, start: Nodes, barred: Nodes) -> Nodes:
    """The nodes that can be reached from these without entering the barred ones."""
    found = np.zeros(len(edges), dtype=bool)
    found[list(start)] = True
    closed = np.zeros(len(edges), dtype=bool)
    closed[list(barred)] = True
    frontier = np.flatnonzero(found)
    while frontier.size:
        fresh = edges[frontier].any(axis=0) & ~found & ~closed
        found |= fresh
        frontier = np.flatnonzero(fresh)
    return frozenset(np.flatnonzero(found).tolist())
