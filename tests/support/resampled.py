"""Rows of a small graph, whose resamples are searched; no test changes them."""

import polars as pl
import pytest

import ancestral as an

__all__ = ["dag", "rows"]

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e, e -> f", latent=["L"])


@pytest.fixture(scope="session")
def dag() -> an.DAG:
    """A graph with a latent cause."""
    return DAG


@pytest.fixture(scope="session")
def rows() -> pl.DataFrame:
    """Rows of the graph."""
    return an.simulate.linear_gaussian(DAG, rows=200, seed=3)
