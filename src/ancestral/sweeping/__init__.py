"""Sweep: the same search at one significance level after the other, and what changes between them."""

from ancestral.sweeping.result import Sweep
from ancestral.sweeping.suggestion import Suggestion
from ancestral.sweeping.sweep import sweep

__all__ = ["Suggestion", "Sweep", "sweep"]
