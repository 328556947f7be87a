"""Who causes whom, for all pairs at once: the answers of a class of graphs as a table."""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._ancestry_cy import closure
from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps
from ancestral.graphs.definite_ancestors import two_ways
from ancestral.graphs.kinds import PAG
from ancestral.graphs.marks import ARROW

__all__ = ["causal_answers"]


def causal_answers(pag: PAG, selection_bias: bool, complete: bool = True) -> NDArray[np.object_]:
    """At a, b: whether a causes b: "yes", "no" or "possibly".

    An ancestor in every MAG causes b or what the sample was selected on; b for sure if selection is ruled out: because
    there is none, or because an arrowhead at a says that a does not cause it. An incomplete graph has edges that will
    go, so there only a directed path says yes.
    """
    marks = pag.class_marks
    n = len(marks)
    allows_selection = selection_bias and pag.may_hide
    possible = _reached(possible_anterior_steps(marks))
    definite = _reached(directed_steps(marks))
    if complete:
        for b in range(n):
            definite[list(two_ways(marks, b, allows_selection)), b] = True
    if allows_selection:
        definite &= (marks == ARROW).any(axis=0)[:, None]
    np.fill_diagonal(possible, False)
    out = np.full((n, n), "no", dtype=object)
    out[possible] = "possibly"
    out[possible & definite] = "yes"
    return out


def _reached(steps: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """At u, v: whether steps lead from u to v."""
    bits = closure(np.ascontiguousarray(steps))
    return np.unpackbits(bits.view(np.uint8), axis=1, count=len(steps), bitorder="little").astype(bool)
