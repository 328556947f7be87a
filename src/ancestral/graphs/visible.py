"""Visible edges: directed edges x --> y for which an unmeasured common cause of x and y is ruled out.

x --> y is visible if some node c that is not adjacent to y has an edge into x, or a path into x on which every node
between is a collider and a parent of y (Zhang 2008, Causal reasoning with ancestral graphs, definition 8). Otherwise
c and y would not be separable, and so adjacent. The same holds under selection.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.marks import ARROW, NONE

__all__ = ["visible_by", "visible_steps"]

Marks = NDArray[np.uint8]


def visible_by(marks: Marks, x: int, y: int) -> list[int] | None:
    """The nodes of a shortest path c … x, y that shows that x --> y is visible (see above); None if it is not."""
    parents = directed_steps(marks)[:, y]
    if not parents[x]:
        return None
    leads_to = {x: y}  # the next node on the way back to y
    queue = [x]
    for v in queue:
        into = marks[:, v] == ARROW
        for c in np.flatnonzero(into & (marks[:, y] == NONE)).tolist():
            if c != y:
                path = [c, v]
                while path[-1] != y:
                    path.append(leads_to[path[-1]])
                return path
        for w in np.flatnonzero(into & (marks[v] == ARROW) & parents).tolist():  # w <-> v, and w --> y
            if w not in leads_to:
                leads_to[w] = v
                queue.append(w)
    return None


def visible_steps(marks: Marks) -> NDArray[np.bool_]:
    """At x, y: whether x --> y is visible."""
    out = np.zeros(marks.shape, dtype=bool)
    for x, y in np.argwhere(directed_steps(marks)).tolist():
        out[x, y] = visible_by(marks, x, y) is not None
    return out
