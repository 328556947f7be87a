"""The strength of causes: what a graph and the data tell about the effect of setting a variable."""

from ancestral.effects.adjustment import AdjustmentSet, adjustment_set, is_adjustment_set
from ancestral.effects.discrete_formula import Interventional, interventional
from ancestral.effects.effect import Effect
from ancestral.effects.identification import Identification, identify
from ancestral.effects.linear import regression_effect
from ancestral.effects.linear_formula import linear_formula_effect

__all__ = [
    "AdjustmentSet",
    "Effect",
    "Identification",
    "Interventional",
    "adjustment_set",
    "identify",
    "interventional",
    "is_adjustment_set",
    "linear_formula_effect",
    "regression_effect",
]
