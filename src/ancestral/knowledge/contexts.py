"""Contexts: variables that are set from outside the system, what is assumed of them, and what they act on directly.

Joint causal inference (Mooij, Magliacane & Claassen 2020) makes one search of several samples: what differs between
them is a variable, such as a drug, a batch or a hospital. Its three assumptions about these variables, by name:

- "exogenous": no variable of the system causes a context (its assumption 1);
- "unconfounded": nothing causes both a context and a variable of the system, or the selection, but other contexts do
  (assumption 2);
- "designed": contexts do not cause each other, and why they depend on each other is not asked: the design of the study
  made them so (assumption 3).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ancestral.errors import KnowledgeError
from ancestral.knowledge.fields import Pair, checked_items, checked_pairs
from ancestral.printing import listed, shown

__all__ = ["ASSUMPTIONS", "DESIGNED", "EXOGENOUS", "UNCONFOUNDED", "checked_assumptions", "checked_targets"]

EXOGENOUS, UNCONFOUNDED, DESIGNED = "exogenous", "unconfounded", "designed"

#: What can be assumed of contexts; all of it, unless less is chosen.
ASSUMPTIONS = (EXOGENOUS, UNCONFOUNDED, DESIGNED)


def checked_assumptions(value: Any, contexts: Sequence[str]) -> tuple[str, ...]:
    """What is assumed of these contexts, in the order of `ASSUMPTIONS`: all of it if None; empty without contexts."""
    if value is None:
        return ASSUMPTIONS if contexts else ()
    chosen = checked_items(value, "context_assumptions", '["exogenous", "unconfounded"]')
    for item in chosen:
        if item not in ASSUMPTIONS:
            raise KnowledgeError(
                f"context_assumptions must be some of {listed(ASSUMPTIONS)}, got {shown(item)}; leave them out to "
                "assume all of them"
            )
    if chosen and not contexts:
        raise KnowledgeError("context_assumptions are about contexts, and there are none; name them in contexts")
    return tuple(name for name in ASSUMPTIONS if name in chosen)


def checked_targets(value: Any) -> tuple[Pair, ...]:
    """Pairs of a context and a target, in the order of names, from a mapping of names to lists, or from such pairs."""
    if not isinstance(value, Mapping):
        return checked_pairs(value, "targets")
    pairs = []
    for context, targets in value.items():
        names = checked_items([targets] if isinstance(targets, str) else targets, "targets", '{"drug": ["x", "y"]}')
        if not names:
            raise KnowledgeError(
                f"targets of {shown(context)} must be one or more variables, got none; leave it out if its targets "
                "are not known"
            )
        pairs += [(context, target) for target in names]
    return checked_pairs(pairs, "targets")
