"""Regression adjustment (g-computation): y is regressed on the adjustment set, and predictions are averaged.

Of a cause with levels, there is a regression within each level; its predictions for all rows are averaged, as if the
cause had been set to that level for everyone. Of a cause in numbers, the regression has the cause, the adjustment set
and their products, and its slope in the cause is averaged over the rows. Regressions are linear, or logistic for an
outcome with two levels, so the intervals follow from estimating equations (Newey & McFadden 1994).
"""

import numpy as np

from ancestral.data.column_kinds import Floats
from ancestral.effects.effect import Contrast
from ancestral.effects.estimation.contrasts import Pairs, compared
from ancestral.effects.estimation.generalised_linear import GeneralisedLinear
from ancestral.effects.estimation.influence import Estimate, Sampling
from ancestral.effects.estimation.rows import Rows

__all__ = ["adjusted_means", "average_slope"]


def adjusted_means(rows: Rows, pairs: Pairs, contrast: Contrast, confidence: float, y: str) -> list[Estimate]:
    """The comparison of levels of the cause, each with a regression of its own."""
    assert rows.x.levels is not None
    design = np.column_stack([np.ones(rows.count), rows.features])
    means: dict[str, Floats] = {}
    for level in dict.fromkeys(level for pair in pairs for level in pair):
        inside = (rows.x.values == rows.x.levels.index(level)).astype(np.float64)
        what = f"the regression of {y!r} within {rows.x.name} = {level!r}"
        fitted = GeneralisedLinear.fit(design, rows.outcome.values, rows.weights * inside, rows.outcome.binary, what)
        mean, slope, _ = fitted.predict(design)
        gradient = rows.weights * slope @ design / rows.count
        means[level] = mean + fitted.influence(gradient) / rows.weights
    return compared(pairs, means, Sampling.of(rows, confidence, design.shape[1]), contrast, y)


def average_slope(rows: Rows, confidence: float, y: str) -> Estimate:
    """The mean, over all rows, of how much the outcome changes with the cause."""
    x = np.asarray(rows.x.values, dtype=np.float64)
    scale = float(x.std())
    x = (x - x.mean()) / scale
    z, one, none = rows.features, np.ones((rows.count, 1)), np.zeros((rows.count, 1))
    design = np.column_stack([one, x, z, z * x[:, None]])
    by_x = np.column_stack([none, one, np.zeros_like(z), z])  # the derivative of the design by x
    fitted = GeneralisedLinear.fit(
        design, rows.outcome.values, rows.weights, rows.outcome.binary, f"the regression of {y!r} on {rows.x.name!r}"
    )
    _, slope, bend = fitted.predict(design)
    along = by_x @ fitted.beta
    slopes = slope * along
    gradient = (rows.weights * bend * along @ design + rows.weights * slope @ by_x) / rows.count
    sampling = Sampling.of(rows, confidence, design.shape[1])
    value = sampling.mean(slopes)
    influence = slopes - value + fitted.influence(gradient) / rows.weights
    return sampling.estimate(value / scale, influence / scale)
