"""The design of a study: edges between contexts, which say nothing of the system, and what is known of it in words."""

import numpy as np

from ancestral.graphs import PAG
from ancestral.graphs.marks import NONE
from ancestral.knowledge import Knowledge
from ancestral.knowledge.contexts import ASSUMPTIONS
from ancestral.printing import listed
from ancestral.trace import Conflict, Trace

__all__ = ["acting_title", "asked_conflicts", "asked_edges", "contexts_in_words", "design_in_words", "without_design"]

#: Names that a line lists; of the others it gives the number.
MOST_NAMED = 12


def asked_edges(pag: PAG, knowledge: Knowledge | None) -> list[tuple[str, str, str]]:
    """The edges of a graph but for those between contexts whose relation was designed, which were not asked about."""
    if knowledge is None:
        return pag.edges()
    return [edge for edge in pag.edges() if not knowledge.is_designed(edge[0], edge[2])]


def asked_conflicts(trace: Trace, knowledge: Knowledge | None) -> list[Conflict]:
    """The contradictory proposals of marks but for those about contexts whose relation was designed."""
    return [c for c in trace.conflicts if knowledge is None or not knowledge.is_designed(c.x, c.y)]


def without_design(pag: PAG, knowledge: Knowledge | None) -> PAG:
    """The graph with just these edges, as pictures show it."""
    if knowledge is None:
        return pag
    at = [i for i, name in enumerate(pag.nodes) if knowledge.is_designed(name, name)]
    if len(at) < 2:
        return pag
    marks = pag.marks.copy()
    marks[np.ix_(at, at)] = NONE
    return type(pag)(pag.nodes, marks)


def contexts_in_words(knowledge: Knowledge) -> str:
    """The contexts, and what is assumed of them, in a line.

    >>> print(contexts_in_words(Knowledge(contexts=["drug A", "drug B"])))
    contexts drug A, drug B: exogenous, unconfounded, designed (by default)
    >>> print(contexts_in_words(Knowledge(contexts=["site"], context_assumptions=["exogenous"])))
    context site: exogenous
    """
    names = ", ".join(knowledge.contexts[:MOST_NAMED])
    if len(knowledge.contexts) > MOST_NAMED:
        names = listed(knowledge.contexts, MOST_NAMED, spell=str)
    return f"context{'s' * (len(knowledge.contexts) > 1)} {names}: {_assumed(knowledge)}"


def design_in_words(knowledge: Knowledge | None) -> list[tuple[str, str]]:
    """What is known of the design of a study: labels and values, for a list of facts."""
    if knowledge is None:
        return []
    of_contexts = dict.fromkeys(context for context, _ in knowledge.target_pairs)
    pairs = "; ".join(f"{a} and {b}" for a, b in knowledge.unconfounded)
    rows = [
        ("Contexts", listed(knowledge.contexts, 10 * MOST_NAMED, spell=str)),
        ("Assumed of contexts", _assumed(knowledge) if knowledge.contexts else ""),
        *((f"Targets of {c}", listed(knowledge.targets_of(c), 10 * MOST_NAMED, spell=str)) for c in of_contexts),
        ("Randomised", listed(knowledge.randomised, 10 * MOST_NAMED, spell=str)),
        ("Unconfounded", pairs),
    ]
    return [row for row in rows if row[1]]


def acting_title(knowledge: Knowledge | None) -> str:
    """The title of what contexts and randomised variables act on, for those of the two that there are."""
    stated = (
        [] if knowledge is None else [("contexts", knowledge.contexts), ("randomised variables", knowledge.randomised)]
    )
    return f"What {' and '.join(name for name, some in stated if some)} act on"


def _assumed(knowledge: Knowledge) -> str:
    """What is assumed of contexts."""
    assumed = tuple(knowledge.context_assumptions or ())
    default = " (by default)" if assumed == ASSUMPTIONS else ""
    return ", ".join(assumed) + default or "nothing is assumed"
