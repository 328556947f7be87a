"""Searches of windows of time series: pairs come in copies, and known ancestors are always given."""
