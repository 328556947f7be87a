"""Effects in a graph that a search learned: what the graph gives, the numbers from the data."""

from collections.abc import Iterable
from dataclasses import replace

from ancestral.arguments import names_list
from ancestral.effects.adjustment import AdjustmentSet
from ancestral.effects.effect import Contrast, Effect, no_effect
from ancestral.effects.identification import Identification
from ancestral.effects.source import EffectSource
from ancestral.errors import GraphError, Method, Option, OptionError
from ancestral.graphs.names import quoted
from ancestral.search.settings import Settings
from ancestral.search.stage import GraphStage, Stage

__all__ = ["formula_effect", "learned_effect", "refuse_no_edge", "refuse_unidentified", "stopped"]


def refuse_no_edge(stage: Stage, settings: Settings) -> None:
    """Raise OptionError if the graph lacks edges because of `no_edge`, or has some that nobody could ask about.

    Pairs of `no_edge` have no separating set, so open and closed paths between them cannot be told apart. A MAG has
    one. Tables that measured different columns leave edges that may be false, behind which no path may be looked for.
    """
    if settings.together is not None:
        raise OptionError(
            "effects need a graph whose edges were all asked about, and these tables measured different columns; "
            "search one table that has the columns you need"
        )
    has_member = isinstance(stage, GraphStage) and stage.member is not None
    if not has_member and settings.knowledge is not None and settings.knowledge.no_edge:
        raise OptionError(
            "effects need a separating set of every pair without an edge, and the pairs of no_edge have none; search "
            "without no_edge"
        )


def stopped(complete: bool) -> str | None:
    """Why a search that is not complete is doubtful; None if it is."""
    return None if complete else "the search was stopped early, so edges of the graph may still go"


def learned_effect(source: EffectSource, sets: AdjustmentSet, y: str, given: Iterable[str] | None) -> Effect:
    """The effect of the x of `sets` on y, adjusted for the variables `given`, or for the best set.

    Raises GraphError if there is no adjustment set, or `given` is not one; otherwise as `EffectSource.adjusted`.
    """
    if given is None and sets.no_effect:
        return replace(_none(source, sets.x, y, sets.doubt), graph=sets.graph)
    chosen = sets.best if given is None else frozenset(names_list("given", given))
    if chosen is None:
        raise GraphError(
            f"not by adjustment: {sets.reason}; ", Method("adjustment_set(x, y)", "adjust"), " has the whole answer"
        )
    if why_not := sets.why_not(chosen):
        raise GraphError(
            Option("given"),
            f" must be an adjustment set, got {sorted(chosen)}: {why_not}; leave it out to have one chosen",
        )
    effect = source.adjusted(sets.x, y, chosen)
    return replace(effect, doubt=sets.doubt, same_rows=source.same_rows, graph=sets.graph)


def formula_effect(source: EffectSource, said: Identification, y: str) -> Effect:
    """The effect of the x of `said` on y, by its formula.

    Raises GraphError if it is not identified; otherwise as `EffectSource.by_formula`.
    """
    refuse_unidentified(source, said)
    if said.how == "no effect":
        effect = _none(source, said.x, y, said.doubt)
    else:
        effect = source.by_formula(said)
    notes = (*effect.notes, *_conditions(said))
    doubt = effect.doubt or said.doubt
    return replace(effect, notes=notes, doubt=doubt, same_rows=source.same_rows, graph=said.graph)


def _conditions(said: Identification) -> list[str]:
    """What to know about an effect with conditions."""
    if not said.conditions:
        return []
    fixed, left_out = ", ".join(map(quoted, said.conditions)), said.left_out()
    return [f"at fixed values of {fixed}", *([f"left out: {left_out}"] if left_out else [])]


def refuse_unidentified(source: EffectSource, said: Identification) -> None:
    """Raise GraphError if an effect is not identified, with the reason and what may be asked instead."""
    if said:
        return
    single = len(said.x) == len(said.y) == 1 and not said.conditions
    condition = said.within() if single else None
    left_out = said.left_out(condition) if condition else None
    but = "; " if left_out is None else f" (which leaves out {left_out}); "
    raise GraphError(
        f"{said.query} is not identified{' by any formula' if said.final else ''}: {said.reason}; ",
        *((*_pass_within(source, said, condition), but) if condition else ()),
        *_instead(source, said),
    )


def _pass_within(source: EffectSource, said: Identification, condition: tuple[str, ...]) -> list[str | Option]:
    """How to ask within levels: of columns that all have levels, the answer is a table, and not a number."""
    if all(_has_levels(source, name) for name in (*said.x, *said.y, *condition)):
        return ["within levels it is, by ", Method(f"interventional(x, y, within={list(condition)})")]
    return ["within levels it is: pass ", Option("within", condition)]


def _has_levels(source: EffectSource, name: str) -> bool:
    return (source.test.kinds or {}).get(name, "continuous") != "continuous"


def _instead(source: EffectSource, said: Identification) -> list[str | Option]:
    """What may be asked about an effect that is not identified: for one cause, and by the kinds of the two columns."""
    if len(said.x) > 1 or len(said.y) > 1:
        return ["ask for one cause and one outcome at a time to see what can still be said"]
    levels = [_has_levels(source, name) for name in (*said.x, *said.y)]
    if all(levels):
        return [Method("effect_bounds(x, y)", "possible"), " has bounds for columns with levels"]
    if any(levels):
        return ["an experiment, or more knowledge about the edges, can settle it"]
    return [
        Method("possible_effects(x, y)", "possible"),
        " has the values that the graph leaves open, and ",
        Method("sensitivity(x, y)", "sensitivity"),
        " says how strong a hidden cause must be",
    ]


def _none(source: EffectSource, x: tuple[str, ...], y: str, doubt: str | None) -> Effect:
    contrast: Contrast = "ratio" if source.options.contrast == "ratio" else "slope"
    rows, confidence = source.test.rows, source.options.confidence
    return no_effect(x, y, confidence=confidence, rows=rows, contrast=contrast, doubt=doubt)
