"""The strength of causes: what a graph and the data tell about the effect of setting a variable."""

from ancestral.effects.adjustment import AdjustmentSet, adjustment_set, is_adjustment_set
from ancestral.effects.bounds import Bound, EffectBounds, effect_bounds
from ancestral.effects.discrete_formula import Interventional, interventional
from ancestral.effects.effect import Effect
from ancestral.effects.identification import Identification, identify
from ancestral.effects.linear import regression_effect
from ancestral.effects.linear_formula import linear_formula_effect
from ancestral.effects.possible import PossibleEffects, possible_effects
from ancestral.effects.sensitivity import Benchmark, Sensitivity, regression_sensitivity

__all__ = [
    "AdjustmentSet",
    "Benchmark",
    "Bound",
    "Effect",
    "EffectBounds",
    "Identification",
    "Interventional",
    "PossibleEffects",
    "Sensitivity",
    "adjustment_set",
    "effect_bounds",
    "identify",
    "interventional",
    "is_adjustment_set",
    "linear_formula_effect",
    "possible_effects",
    "regression_effect",
    "regression_sensitivity",
]
