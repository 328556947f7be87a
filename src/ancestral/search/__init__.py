"""Searches, and the equivalence classes they look for."""

from ancestral.search.equivalence import equivalent, equivalent_mags, pag_of
from ancestral.search.icd import most_tests
from ancestral.search.possible_d_sep import pds_tree

__all__ = ["equivalent", "equivalent_mags", "most_tests", "pag_of", "pds_tree"]
