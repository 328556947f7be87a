"""Time series: the front door `discover_series()`, and what it found: graphs over lags, and over processes."""

from ancestral.series.bootstrap_result import SeriesBootstrap
from ancestral.series.discovery import discover_series
from ancestral.series.loading import load_series
from ancestral.series.result import SeriesDiscovery
from ancestral.series.summary_graph import SummaryGraph

__all__ = ["SeriesBootstrap", "SeriesDiscovery", "SummaryGraph", "discover_series", "load_series"]
