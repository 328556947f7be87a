"""A found graph held against its own data: what speaks against it."""

from ancestral.checking.check import Check, DeniedPair, FitCheck, UnansweredEdge
from ancestral.checking.check_run import check_of

__all__ = ["Check", "DeniedPair", "FitCheck", "UnansweredEdge", "check_of"]
