"""The `BackgroundKnowledge` of causal-learn: forbidden and required edges, patterns of names, and tiers.

Its statements are about direct edges, ours about causes; they are read as those of Tetrad's files (`tetrad`), whose
model it follows. A forbidden tier is one within which no edge is allowed: none of its variables causes another.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

from ancestral.errors import KnowledgeError
from ancestral.knowledge.tetrad import refuse_large_tier
from ancestral.printing import shown_type

__all__ = ["from_background_knowledge"]

#: What such an object has, by which it is recognised without importing causal-learn.
_PARTS = (
    "forbidden_rules_specs", "required_rules_specs", "forbidden_pattern_rules_specs", "required_pattern_rules_specs",
    "tier_value_map",
)  # fmt: skip


def from_background_knowledge(background: Any, names: Sequence[str] | None) -> dict[str, Any]:
    """The arguments of `Knowledge` that an object of this kind states; `names` are the variables patterns speak of."""
    if not all(hasattr(background, part) for part in _PARTS):
        raise KnowledgeError(
            f"knowledge of causal-learn must be a BackgroundKnowledge, got {shown_type(background)}; make one with "
            "BackgroundKnowledge() and its add_… methods, or write a Knowledge"
        )
    tiers: dict[int, list[str]] = {}
    for node, tier in background.tier_value_map.items():
        tiers.setdefault(tier, []).append(_name(node))
    forbidden = [*_pairs(background.forbidden_rules_specs), *_matching(background.forbidden_pattern_rules_specs, names)]
    for tier in getattr(background, "forbidden_within_tiers", ()):
        variables = tiers.get(tier, [])
        refuse_large_tier(f"forbid_within_tier({tier})", len(variables))
        forbidden += permutations(variables, 2)
    return {
        "tiers": [tiers[tier] for tier in sorted(tiers)],
        "forbidden": forbidden,
        "required": [
            *_pairs(background.required_rules_specs),
            *_matching(background.required_pattern_rules_specs, names),
        ],
    }


def _name(node: Any) -> str:
    return str(node.get_name())


def _pairs(nodes: Iterable[tuple[Any, Any]]) -> list[tuple[str, str]]:
    return [(_name(x), _name(y)) for x, y in nodes]


def _matching(patterns: Iterable[tuple[str, str]], names: Sequence[str] | None) -> list[tuple[str, str]]:
    """The pairs of different variables that match a pair of patterns from their beginning, as in causal-learn."""
    patterns = sorted(patterns)
    if patterns and names is None:
        raise KnowledgeError(
            f"the pattern {patterns[0][0]!r} can only be resolved if the variables are known; pass the list of "
            "columns as names"
        )
    return [
        (x, y)
        for before, after in patterns
        for x, y in permutations(names or (), 2)
        if re.match(before, x) and re.match(after, y)
    ]
