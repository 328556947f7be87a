"""The rows of a small graph, which no test changes."""

from tests.support.resampled import dag, rows

__all__ = ["dag", "rows"]
