"""Graphs and decisions, in words, pictures and pages."""

from ancestral.show.explain import LEGEND, edge_in_words

__all__ = ["LEGEND", "edge_in_words"]
