"""Searches, and the equivalence classes they look for."""

from ancestral.search.equivalence import equivalent, equivalent_mags, pag_of
from ancestral.search.icd import most_tests
from ancestral.search.members import Legality, legal, mag_in, sample_dags, sample_mags
from ancestral.search.possible_d_sep import pds_tree

__all__ = [
    "Legality",
    "equivalent",
    "equivalent_mags",
    "legal",
    "mag_in",
    "most_tests",
    "pag_of",
    "pds_tree",
    "sample_dags",
    "sample_mags",
]
