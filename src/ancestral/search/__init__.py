"""Searches: ICD, FCI, RFCI, FCI+ and PC, each a generator of stages."""

from ancestral.search.icd import most_tests

__all__ = ["most_tests"]
