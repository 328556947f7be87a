"""From a skeleton to marks: the rules R0–R10 propose, one loop writes."""

from ancestral.orientation.orient import Oriented, TripleEvidence, orient
from ancestral.orientation.rules import ALL_RULES, ANYTIME_RULES, RULES

__all__ = ["ALL_RULES", "ANYTIME_RULES", "RULES", "Oriented", "TripleEvidence", "orient"]
