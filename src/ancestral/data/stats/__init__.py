"""Statistics of rows that add up: moments, counts, and summaries of streams."""
