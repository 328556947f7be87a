"""The strength of causes: what to adjust for, the effect that the data then give, and what they tell without one."""

from ancestral.effects.adjustment import AdjustmentSet, adjustment_set, is_adjustment_set
from ancestral.effects.bounds import Bound, EffectBounds, effect_bounds
from ancestral.effects.linear import Effect, regression_effect
from ancestral.effects.possible import PossibleEffects, possible_effects
from ancestral.effects.sensitivity import Benchmark, Sensitivity, regression_sensitivity

__all__ = [
    "AdjustmentSet",
    "Benchmark",
    "Bound",
    "Effect",
    "EffectBounds",
    "PossibleEffects",
    "Sensitivity",
    "adjustment_set",
    "effect_bounds",
    "is_adjustment_set",
    "possible_effects",
    "regression_effect",
    "regression_sensitivity",
]
