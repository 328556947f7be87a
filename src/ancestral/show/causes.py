"""Does a cause b? What a PAG answers: yes, no, or possibly, and the reason."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps
from ancestral.graphs.marks import ARROW, NONE

__all__ = ["Answer", "causes"]


class Answer(str):
    """ "yes", "no" or "possibly", with `reason`."""

    reason: str

    def __new__(cls, answer: str, reason: str) -> "Answer":
        """An answer with its reason."""
        out = super().__new__(cls, answer)
        out.reason = reason
        return out

    def __reduce__(self) -> tuple[type["Answer"], tuple[str, str]]:
        return Answer, (str(self), self.reason)

    def __repr__(self) -> str:
        return f"{str(self)!r}: {self.reason}"


def causes(pag: PAG, a: str, b: str, selection_bias: bool) -> Answer:
    """Whether a causes b, directly or through others, in every graph of the class, in none, or in some perhaps.

    A path a --> … --> b says that a causes b or what the sample was selected on. It is b for sure if selection is ruled
    out: because there is none (`selection_bias=False`), or because an arrowhead at a says that a does not cause it.
    """
    pag.index(a), pag.index(b)
    if a == b:
        return Answer("no", f"{a} and {b} are the same variable")
    if a not in pag.possible_anteriors(b):
        if not _path(pag.marks != NONE, pag, a, b):
            return Answer("no", f"no path joins {a} and {b}")
        return Answer("no", f"every path from {a} to {b} has an arrowhead that points back towards {a}")
    path = _path(directed_steps(pag.marks), pag, a, b)
    if not path:
        steps = _path(possible_anterior_steps(pag.marks), pag, a, b)
        shown = ", ".join(f"{u} {pag.edge(u, v)} {v}" for u, v in pairwise(steps))
        return Answer("possibly", f"no arrowhead points back towards {a} on {shown}")
    shown = " --> ".join(path)
    if not selection_bias:
        return Answer("yes", shown)
    arrows = np.flatnonzero(pag.marks[:, pag.index(a)] == ARROW)
    if arrows.size:
        return Answer("yes", f"{shown}, and an arrowhead at {a} (from {pag.nodes[arrows[0]]}) rules selection out")
    return Answer("possibly", f"{shown}: {a} causes {b}, unless it causes only what the sample was selected on")


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
