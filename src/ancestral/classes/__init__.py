"""Equivalence classes of ancestral graphs: the PAG of a graph, the members of a class, and PDS-trees."""

from ancestral.classes.consistency import Consistency, consistent
from ancestral.classes.equivalence import equivalent, equivalent_mags, pag_of
from ancestral.classes.members import Legality, legal, list_mags, mag_in, sample_dags, sample_mags
from ancestral.classes.pds_tree import pds_tree

__all__ = [
    "Consistency",
    "Legality",
    "consistent",
    "equivalent",
    "equivalent_mags",
    "legal",
    "list_mags",
    "mag_in",
    "pag_of",
    "pds_tree",
    "sample_dags",
    "sample_mags",
]
