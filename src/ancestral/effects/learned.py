"""Effects in a graph that a search learned: the adjustment set from the graph, the estimate from the data."""

from collections.abc import Iterable
from dataclasses import replace

from ancestral.arguments import names_list
from ancestral.effects.adjustment import AdjustmentSet, adjustment_set
from ancestral.effects.effect import Contrast, Effect, no_effect
from ancestral.effects.source import EffectSource
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs import PAG
from ancestral.knowledge import Knowledge

__all__ = ["learned_adjustment_set", "learned_effect"]


def learned_adjustment_set(
    pag: PAG,
    x: str | Iterable[str],
    y: str | Iterable[str],
    *,
    limit: int,
    knowledge: Knowledge | None,
    complete: bool,
) -> AdjustmentSet:
    """The adjustment sets in a learned graph, with a `doubt` if the search is not `complete`.

    Raises OptionError if the graph lacks edges because of `no_edge`: these pairs have no separating set, so open and
    closed paths between them cannot be told apart.
    """
    if knowledge is not None and knowledge.no_edge:
        raise OptionError(
            "effects need a separating set of every pair without an edge, and the pairs of no_edge have none; search "
            "without no_edge"
        )
    found = adjustment_set(pag, x, y, limit=limit)
    early = "the search was stopped early, so edges of the graph may still go"
    return found if complete else replace(found, doubt=early)


def learned_effect(source: EffectSource, sets: AdjustmentSet, y: str, given: Iterable[str] | None) -> Effect:
    """The effect of the x of `sets` on y, adjusted for the variables `given`, or for the best set.

    Raises GraphError if there is no adjustment set, or `given` is not one; otherwise as `EffectSource.adjusted`.
    """
    options = source.options
    if given is None and sets.no_effect:
        contrast: Contrast = "ratio" if options.contrast == "ratio" else "slope"
        rows, confidence = source.test.rows, options.confidence
        return no_effect(sets.x, y, confidence=confidence, rows=rows, contrast=contrast, doubt=sets.doubt)
    chosen = sets.best if given is None else frozenset(names_list("given", given))
    if chosen is None:
        raise GraphError(f"not by adjustment: {sets.reason}; print found.adjustment_set(...) for the whole answer")
    if why_not := sets.why_not(chosen):
        raise GraphError(
            Option("given"),
            f" must be an adjustment set, got {sorted(chosen)}: {why_not}; leave it out to have one chosen",
        )
    effect = source.adjusted(sets.x, y, chosen)
    return replace(effect, doubt=sets.doubt, same_rows=source.same_rows)
