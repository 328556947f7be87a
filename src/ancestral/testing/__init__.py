"""Compliance checks for what others add: plain functions that raise AssertionError with a sentence."""

from ancestral.testing.graph_formats import check_graph_format

__all__ = ["check_graph_format"]
