"""Statistics of rows that add up: moments, counts, and the summaries of streams."""
