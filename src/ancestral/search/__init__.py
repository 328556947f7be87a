"""Searches, and the equivalence classes they look for."""

from ancestral.search.equivalence import equivalent, equivalent_mags, pag_of

__all__ = ["equivalent", "equivalent_mags", "pag_of"]
