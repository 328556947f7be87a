"""Does a cause b? What a PAG answers: yes, no, or possibly, and the reason."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps
from ancestral.graphs.answers import Answer
from ancestral.graphs.definite_ancestors import two_ways
from ancestral.graphs.marks import ARROW, NONE

__all__ = ["Answer", "causes"]


def causes(pag: PAG, a: str, b: str, selection_bias: bool, complete: bool = True) -> Answer:
    """Whether a causes b, directly or through others, in every graph of the class, in none, or in some perhaps.

    A path a --> … --> b says that a causes b or what the sample was selected on. It is b for sure if selection is ruled
    out: because there is none (`selection_bias=False`), or because an arrowhead at a says that a does not cause it.
    So do two uncovered possibly directed walks with first nodes that are not adjacent (`graphs/definite.py`), if the
    graph is complete: as long as edges may still go, a walk may lead over one of them.
    """
    pag.index(a), pag.index(b)
    if a == b:
        return Answer("no", f"{a} and {b} are the same variable")
    if a not in pag.possible_anteriors(b):
        if not _path(pag.marks != NONE, pag, a, b):
            return Answer("no", f"no path joins {a} and {b}")
        return Answer("no", f"every path from {a} to {b} has an arrowhead that points back towards {a}")
    path = _path(directed_steps(pag.marks), pag, a, b)
    ways = two_ways(pag.class_marks, pag.index(b), selection_bias).get(pag.index(a)) if complete else None
    if not path and not ways:
        steps = _path(possible_anterior_steps(pag.marks), pag, a, b)
        shown = ", ".join(f"{u} {pag.edge(u, v)} {v}" for u, v in pairwise(steps))
        return Answer("possibly", f"no arrowhead points back towards {a} on {shown}")
    shown = " --> ".join(path) or _two_ways(pag, a, b, ways)
    if not selection_bias:
        return Answer("yes", shown)
    arrows = np.flatnonzero(pag.marks[:, pag.index(a)] == ARROW)
    if arrows.size:
        return Answer("yes", f"{shown}, and an arrowhead at {a} (from {pag.nodes[arrows[0]]}) rules selection out")
    return Answer("possibly", f"{shown}: {a} causes {b}, unless it causes only what the sample was selected on")


def _two_ways(pag: PAG, a: str, b: str, ways: tuple[int, int] | None) -> str:
    u, v = (pag.nodes[i] for i in ways or ())
    return f"{a} leads to {b} by way of {u} and of {v}, which are not adjacent, and {a} is no collider between them"


def _path(steps: NDArray[np.bool_], pag: PAG, a: str, b: str) -> list[str]:
    """The nodes of a shortest path of such steps from a to b; empty where there is none."""
    came_from = {pag.index(a): -1}
    queue = [pag.index(a)]
    for u in queue:
        for v in np.flatnonzero(steps[u]).tolist():
            if v not in came_from:
                came_from[v] = u
                queue.append(v)
    v = pag.index(b)
    if v not in came_from:
        return []
    path = []
    while v >= 0:
        path.append(pag.nodes[v])
        v = came_from[v]
    return path[::-1]
