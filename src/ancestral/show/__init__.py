"""Graphs and decisions, shown to a person."""

from ancestral.show.explain import LEGEND, edge_in_words

__all__ = ["LEGEND", "edge_in_words"]
