"""Identification: whether the effect of setting variables follows from a graph and what was observed, and how."""

from ancestral.effects.identification.formulas import Conditional, Product, Sum
from ancestral.effects.identification.identify import Identification, identify

__all__ = ["Conditional", "Identification", "Product", "Sum", "identify"]
