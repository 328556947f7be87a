"""Who causes whom: what a class of graphs answers for many pairs of nodes at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps, reaching
from ancestral.graphs.definite_ancestors import two_ways
from ancestral.graphs.kinds import PAG
from ancestral.graphs.marks import ARROW

__all__ = ["causal_answers"]


def causal_answers(
    pag: PAG, selection_bias: bool, complete: bool = True, effects: Sequence[int] | None = None
) -> NDArray[np.object_]:
    """At a, k: whether node a causes node `effects[k]`, directly or through others: "yes", "no" or "possibly".

    Parameters: `selection_bias` says whether the sample may have been selected, `complete` whether the search was
    complete; `effects` are positions of nodes, all of them if None.

    An ancestor of b in every MAG causes b or what the sample was selected on. It causes b for certain if selection is
    ruled out: because there is none, or because an arrowhead at a says that a does not cause it. An incomplete graph
    has edges that may still be removed, so there only a directed path counts. An arrowhead at a on a–b always says no,
    also where a possibly directed path leads from a to b, as in a graph in which not all marks are known that follow.
    """
    marks = pag.class_marks
    allows_selection = selection_bias and pag.may_hide
    directed, possible = directed_steps(marks), possible_anterior_steps(marks)
    has_arrowhead = (marks == ARROW).any(axis=0)
    targets = range(len(marks)) if effects is None else effects
    out = np.full((len(marks), len(targets)), "no", dtype=object)
    for k, b in enumerate(targets):
        definite = set(reaching(directed, b).tolist())
        if complete:
            definite.update(two_ways(marks, b, allows_selection))
        for a in reaching(possible, b).tolist():
            certain = a in definite and (has_arrowhead[a] or not allows_selection)
            out[a, k] = "yes" if certain else "possibly"
        out[(marks[b] == ARROW) | (np.arange(len(marks)) == b), k] = "no"
    return out
