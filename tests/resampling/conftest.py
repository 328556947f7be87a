"""A bootstrap of the rows of a small graph, which no test changes."""

import polars as pl
import pytest

import ancestral as an
from tests.support.resampled import dag, rows

__all__ = ["boot", "dag", "rows"]


@pytest.fixture(scope="session")
def boot(rows: pl.DataFrame) -> an.Bootstrap:
    """A bootstrap of the rows."""
    return an.bootstrap(rows, repeats=40, seed=2, alpha=0.05)
