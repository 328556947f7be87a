"""The strength of causes: which variables to adjust for, and the effect that the data then give."""

from ancestral.effects.adjustment import AdjustmentSet, adjustment_set, is_adjustment_set
from ancestral.effects.effect import Effect
from ancestral.effects.linear import regression_effect

__all__ = ["AdjustmentSet", "Effect", "adjustment_set", "is_adjustment_set", "regression_effect"]
