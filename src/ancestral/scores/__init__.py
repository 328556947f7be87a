"""Scores: how well an ancestral graph fits Gaussian data, and searches for graphs that fit better."""
