"""The choice of an estimator, and from its numbers an `Effect`."""

from collections.abc import Sequence

from ancestral.data import Table
from ancestral.effects.effect import Contrast, Effect
from ancestral.effects.estimation.contrasts import compared_levels, level_name
from ancestral.effects.estimation.cross_fitting import CrossFitting
from ancestral.effects.estimation.influence import Estimate
from ancestral.effects.estimation.regression import adjusted_means, average_slope
from ancestral.effects.estimation.robust import partially_linear, weighted_means
from ancestral.effects.estimation.rows import effect_rows
from ancestral.effects.options import EffectOptions
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import in_order

__all__ = ["estimated_effect"]


def estimated_effect(table: Table, x: Sequence[str], y: str, given: frozenset[str], options: EffectOptions) -> Effect:
    """The effect of x on y, adjusted for the given variables, by the estimator "regression" or "robust".

    Raises `OptionError` for several causes, and for options that the columns do not allow; `DataError` for rows that
    are too few, or do not determine the effect.
    """
    if len(x) != 1:
        raise OptionError(
            ["is for one cause, and there are ", str(len(x))],
            option="estimator",
            value=options.estimator,
            assigned=True,
            way_out=["ask for one at a time, or pass ", Option("estimator", "linear")],
        )
    confidence = options.confidence
    event = None if options.event is None else level_name(options.event)
    rows = effect_rows(table, x[0], y, in_order(tuple(given)), event)
    robust = options.estimator == "robust"
    estimator: str = "robust" if robust else "regression"
    notes = list(rows.notes)
    contrast: Contrast = "slope"
    assumed: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    found: list[Estimate]
    if rows.x.levels is not None:
        pairs = compared_levels(rows.x, options.levels)
        contrast = "ratio" if options.contrast == "ratio" else "difference"
        if robust:
            fitting = CrossFitting.of(rows, options.folds, options.seed)
            found, more = weighted_means(fitting, pairs, contrast, confidence, y, options.outcome, options.treatment)
            notes += more
        else:
            found = adjusted_means(rows, pairs, contrast, confidence, y)
    else:
        _refuse_levels(rows.x.name, options)
        if robust:
            estimator = "partially linear"
            fitting = CrossFitting.of(rows, options.folds, options.seed)
            one, more = partially_linear(fitting, confidence, y, options.outcome, options.treatment)
            notes += more
            same = f"a unit of {x[0]} has the same effect everywhere"
            assumed = (f"{same}; otherwise this is a mean, weighted by how much {x[0]} varies",)
        else:
            one = average_slope(rows, confidence, y)
        found = [one]
    return Effect(
        x=tuple(x),
        y=y,
        how="adjustment",
        estimates=tuple(one.value for one in found),
        errors=tuple(one.error for one in found),
        lows=tuple(one.low for one in found),
        highs=tuple(one.high for one in found),
        confidence=confidence,
        rows=rows.count,
        given=given,
        estimator=estimator,
        contrast=contrast,
        levels=pairs,
        assumed=assumed,
        notes=tuple(notes),
    )


def _refuse_levels(x: str, options: EffectOptions) -> None:
    """Refuse options that are about levels, where the cause has none."""
    for name in ("contrast", "levels"):
        if (value := getattr(options, name)) is not None:
            raise OptionError(
                f"compares levels, and {x!r} is a column of numbers, whose effect is a slope",
                option=name,
                value=value,
                assigned=True,
                way_out=["leave it out, or search with ", Option("kinds", {x: "discrete"})],
            )
