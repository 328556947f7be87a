"""Robust estimates: both the outcome and the cause are learned from the adjustment set, and cross-fitted.

Of a cause with levels, augmented inverse probability weighting (Robins, Rotnitzky & Zhao 1994): predictions of the
outcome are corrected by its residuals, weighted by one over the probability of the level that occurred. The estimate
is right if either the outcome or the probabilities are learned well, and its interval if the product of both errors
vanishes faster than the root of the number of rows.

Of a cause in numbers, the partially linear model y = effect · x + g(z) + noise (Robinson 1988; Chernozhukov et al.
2018): what z leaves of y is regressed on what z leaves of x. Where the effect is not the same for all, the slope is
their mean, weighted by how much x varies given z.
"""

from typing import Any

import numpy as np

from ancestral.data import DataError
from ancestral.data.column_kinds import Floats
from ancestral.effects.effect import Contrast
from ancestral.effects.estimation.contrasts import Pairs, compared
from ancestral.effects.estimation.cross_fitting import CrossFitting, Learned
from ancestral.effects.estimation.influence import Estimate, Sampling
from ancestral.printing import counted

__all__ = ["LEAST_PROPENSITY", "partially_linear", "weighted_means"]

#: Probabilities of a level below this are set to it: weights are at most 100.
LEAST_PROPENSITY = 0.01

#: The share of the variance of a cause that must be left by the adjustment set for its effect to be estimated.
LEAST_LEFT = 1e-4


def weighted_means(
    fitting: CrossFitting,
    pairs: Pairs,
    contrast: Contrast,
    confidence: float,
    y: str,
    outcome: Any,
    treatment: Any,
) -> tuple[list[Estimate], list[str]]:
    """The comparison of levels by augmented inverse probability weighting, and notes on overlap and learners."""
    rows = fitting.rows
    levels = rows.x.levels
    assert levels is not None
    chances = fitting.learn("treatment", treatment, rows.x.values, levels=len(levels))
    means: dict[str, Floats] = {}
    learned, rare = [], []
    for level in dict.fromkeys(level for pair in pairs for level in pair):
        code = levels.index(level)
        there = rows.x.values == code
        expected = _outcome(fitting, outcome, there)
        learned.append(expected)
        chance = chances.values[:, code]
        if (low := chance < LEAST_PROPENSITY).any():
            rare.append(
                f"{counted(int(low.sum()), 'row')} had a probability of {rows.x.name} = {level!r} below "
                f"{LEAST_PROPENSITY:g}, the least {chance.min():.2g}, and count as if it were {LEAST_PROPENSITY:g}; "
                "there, the effect rests on predictions"
            )
        weight = there / np.maximum(chance, LEAST_PROPENSITY)
        means[level] = expected.values + weight * (rows.outcome.values - expected.values)
    notes = [*rare, *_learners({f"the outcome within levels of {rows.x.name}": learned, rows.x.name: [chances]})]
    return compared(pairs, means, Sampling.of(rows, confidence), contrast, y), notes


def partially_linear(
    fitting: CrossFitting, confidence: float, y: str, outcome: Any, treatment: Any
) -> tuple[Estimate, list[str]]:
    """The slope of what the adjustment set leaves of y in what it leaves of x, and notes on learners.

    Raises `DataError` if it leaves nothing of x.
    """
    rows = fitting.rows
    x = np.asarray(rows.x.values, dtype=np.float64)
    expected = _outcome(fitting, outcome, None)
    chances = fitting.learn("treatment", treatment, x)
    left_of_x, left_of_y = x - chances.values, rows.outcome.values - expected.values
    sampling = Sampling.of(rows, confidence)
    square = sampling.mean(left_of_x**2)
    if square < LEAST_LEFT * float(np.var(x)):
        raise DataError(f"the adjustment set determines {rows.x.name!r}, so that its effect cannot be estimated")
    value = sampling.mean(left_of_x * left_of_y) / square
    influence = left_of_x * (left_of_y - value * left_of_x) / square
    return sampling.estimate(value, influence), _learners({y: [expected], rows.x.name: [chances]})


def _outcome(fitting: CrossFitting, own: Any, among: Any) -> Learned:
    """The expected outcome; the probability of the event if it has two levels."""
    rows = fitting.rows
    if not rows.outcome.binary or (own is not None and not hasattr(own, "predict_proba")):
        return fitting.learn("outcome", own, rows.outcome.values, among=among)
    codes = rows.outcome.values.astype(np.int64)
    found = fitting.learn("outcome", own, codes, levels=2, among=among)
    return Learned(found.values[:, 1], found.learner)


def _learners(found: dict[str, list[Learned]]) -> list[str]:
    """Which learners were chosen, in words; nothing of those of the user."""
    chosen = {what: sorted({one.learner for one in some if one.learner}) for what, some in found.items()}
    words = [f"{what} by {' and '.join(names)}" for what, names in chosen.items() if names]
    return [f"learned by cross-validation: {', '.join(words)}"] if words else []
