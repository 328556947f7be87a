"""Effects between columns with levels: differences or ratios of the probabilities under two interventions."""

import numpy as np
from numpy.typing import NDArray

from ancestral.effects.discrete_formula import Interventional
from ancestral.effects.effect import Contrast, Effect, How
from ancestral.effects.estimation.contrasts import checked_pairs, level_name
from ancestral.effects.options import EffectOptions
from ancestral.errors import Option, OptionError, UnknownName

__all__ = ["contrasted"]

Floats = NDArray[np.float64]


def contrasted(
    found: Interventional, how: How, options: EffectOptions, reference: str, given: frozenset[str] | None = None
) -> Effect:
    """The effect of the only x on the only y: how P(y = event | do(x)) differs between levels of x.

    `reference` is the level with which others are compared, unless the options name pairs of levels. Raises
    `OptionError` if y has more than two levels and no event is named, or if there are several causes or conditions,
    `UnknownName` for a level that does not occur.
    """
    from scipy.stats import norm

    if len(found.names) != 2:
        raise OptionError(
            "of columns with levels, an effect is a number for one cause and no conditions, and this is about "
            f"{len(found.names)} variables; in Python, found.interventional(x, y, within=...) has all probabilities"
        )
    x, y = found.names
    levels, outcomes = found.levels
    event = _event(y, outcomes, options.event)
    if options.levels is None:
        pairs = tuple((level, reference) for level in levels if level != reference)
    else:
        pairs = checked_pairs(x, levels, options.levels)
    contrast: Contrast = "ratio" if options.contrast == "ratio" else "difference"
    reach = float(norm.ppf((1 + options.confidence) / 2))
    estimates, errors, lows, highs = [], [], [], []
    for level, other in pairs:
        one, two = (levels.index(name) for name in (level, other))
        values = found.values[one, event], found.values[two, event]
        draws = found.draws[:, one, event], found.draws[:, two, event]
        if contrast == "ratio":
            estimate, spread = float(values[0] / values[1]), float(np.log(draws[0] / draws[1]).std(ddof=1))
            ends = estimate * np.exp(-reach * spread), estimate * np.exp(reach * spread)
            error = estimate * spread
        else:
            estimate, error = float(values[0] - values[1]), float((draws[0] - draws[1]).std(ddof=1))
            ends = max(estimate - reach * error, -1.0), min(estimate + reach * error, 1.0)
        estimates.append(estimate)
        errors.append(error)
        lows.append(float(ends[0]))
        highs.append(float(ends[1]))
    return Effect(
        x=(x,),
        y=y,
        how=how,
        estimates=tuple(estimates),
        errors=tuple(errors),
        lows=tuple(lows),
        highs=tuple(highs),
        confidence=options.confidence,
        rows=found.rows,
        given=given,
        formula=None if how == "adjustment" else found.text,
        estimator="levels",
        contrast=contrast,
        levels=pairs,
        notes=(f"numbers are probabilities of {y} = {outcomes[event]}", *found.notes),
        doubt=found.doubt,
    )


def _event(y: str, outcomes: tuple[str, ...], chosen: object) -> int:
    """The level of y that is meant: the one that was chosen, otherwise the second of two."""
    if chosen is not None:
        name = level_name(chosen)
        if name not in outcomes:
            raise UnknownName(name, outcomes, what=f"level of {y!r},")
        return outcomes.index(name)
    if len(outcomes) != 2:
        raise OptionError(
            f"{y!r} has {len(outcomes)} levels, and one of them must be the event whose probability is meant",
            way_out=["for example, pass ", Option("event", outcomes[-1])],
        )
    return 1
