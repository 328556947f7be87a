"""Rows of a small graph, and a bootstrap of them, which no test changes."""

import polars as pl
import pytest

import ancestral as an

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e, e -> f", latent=["L"])


@pytest.fixture(scope="session")
def dag() -> an.DAG:
    """A graph with a latent cause."""
    return DAG


@pytest.fixture(scope="session")
def rows() -> pl.DataFrame:
    """Rows of the graph."""
    return an.simulate.linear_gaussian(DAG, rows=200, seed=3)


@pytest.fixture(scope="session")
def boot(rows: pl.DataFrame) -> an.Bootstrap:
    """A bootstrap of the rows."""
    return an.bootstrap(rows, repeats=40, seed=2, alpha=0.05)
