"""Does a cause b? What a PAG answers, yes, no or possibly, with the reason in words."""

import numpy as np

from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps
from ancestral.graphs.answers import Answer
from ancestral.graphs.definite_ancestors import two_ways
from ancestral.graphs.marks import ARROW, NONE
from ancestral.graphs.names import quoted
from ancestral.graphs.paths import shortest_of_steps
from ancestral.graphs.relations import causal_answers

__all__ = ["Answer", "causes"]


def causes(pag: PAG, a: str, b: str, selection_bias: bool, complete: bool = True) -> Answer:
    """Whether a causes b, directly or through others, in every graph of the class, in none, or possibly in some.

    The answer is that of `graphs/relations.py`. A path a --> … --> b says that a causes b or what the sample was
    selected on. It is b for certain if selection is ruled out: because there is none (`selection_bias=False`), or
    because an arrowhead at a says that a does not cause it. Two uncovered possibly directed walks whose first nodes are
    not adjacent (`graphs/definite_ancestors.py`) say the same if the graph is complete: as long as edges may still be
    removed, such a walk may lead over one of them.
    """
    i, j = pag.index(a), pag.index(b)
    if i == j:
        return Answer("no", f"{a} and {b} are the same variable")
    answer = str(causal_answers(pag, selection_bias, complete, [j])[i, 0])
    if answer == "no":
        if shortest_of_steps(possible_anterior_steps(pag.class_marks), i, j):  # only the edge between them denies it
            return Answer("no", f"{pag.edge_text(a, b)} has an arrowhead at {a}")
        if not shortest_of_steps(pag.marks != NONE, i, j):
            return Answer("no", f"no path joins {a} and {b}")
        return Answer("no", f"every path from {a} to {b} has an arrowhead that points back towards {a}")
    allows_selection = selection_bias and pag.may_hide
    path = shortest_of_steps(directed_steps(pag.marks), i, j)
    ways = two_ways(pag.class_marks, j, allows_selection).get(i) if complete else None
    if path:
        reason = " --> ".join(quoted(pag.nodes[v]) for v in path)
    elif ways:
        u, v = (pag.nodes[node] for node in ways)
        reason = (
            f"{a} leads to {b} by way of {u} and of {v}, which are not adjacent, and {a} is not a collider between them"
        )
    else:
        steps = shortest_of_steps(possible_anterior_steps(pag.class_marks), i, j)
        return Answer(answer, f"no arrowhead points back towards {a} on {pag.path_text(pag.nodes[v] for v in steps)}")
    if answer == "possibly":
        return Answer(answer, f"{reason}: {a} causes {b}, unless it causes only what the sample was selected on")
    if allows_selection:
        arrow = pag.nodes[np.flatnonzero(pag.marks[:, i] == ARROW)[0]]
        return Answer(answer, f"{reason}, and an arrowhead at {a} (from {arrow}) rules selection out")
    return Answer(answer, reason)
