"""Ordinal rows: the linear Gaussian rows of the same weights, seen through thresholds."""

import numpy as np
import polars as pl
import pytest

from ancestral.errors import OptionError, UnknownName
from ancestral.graphs import DAG
from ancestral.simulate import gaussian_model, linear_gaussian, ordinal

CHAIN = DAG.parse("a -> b, b -> c, L -> c, L -> d", latent=["L"])


def test_levels_are_intervals_of_the_gaussian_values() -> None:
    """The first random numbers of a seed are the weights, so the values are those of linear_gaussian."""
    rows = ordinal(CHAIN, rows=2000, levels={"a": 2, "b": 4}, continuous=["d"], seed=1)
    latent = linear_gaussian(CHAIN, rows=2000, seed=1)
    assert rows["d"].equals(latent["d"])
    for name, count in (("a", 2), ("b", 4), ("c", 5)):
        assert rows[name].dtype == pl.Enum([str(level + 1) for level in range(count)])
        joined = pl.DataFrame({"level": rows[name].to_physical(), "value": latent[name]}).group_by("level")
        spans = joined.agg(low=pl.col("value").min(), high=pl.col("value").max()).sort("level")
        assert len(spans) == count
        assert (spans["low"].to_numpy()[1:] > spans["high"].to_numpy()[:-1]).all()


def test_levels_are_at_most_three_times_as_frequent_as_others() -> None:
    rows = ordinal(CHAIN, rows=20_000, levels=3, seed=2)
    for name in rows.columns:
        counts = np.bincount(rows[name].to_physical().to_numpy())
        assert counts.max() < 3.2 * counts.min()
    assert np.ptp(np.bincount(rows["a"].to_physical().to_numpy())) > 200  # they are not equally frequent


def test_a_seed_gives_the_same_rows() -> None:
    one, two = (ordinal(CHAIN, rows=rows, seed=3) for rows in (50, 200))
    assert one.equals(two[:50]) and not one.equals(ordinal(CHAIN, rows=50, seed=4))
    assert ordinal(CHAIN, rows=50, seed=np.random.default_rng(3)).equals(one)
    assert gaussian_model(CHAIN, seed=3).weights.any()


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="levels must be a whole number from 2 to 100, got 1"):
        ordinal(CHAIN, rows=10, levels=1, seed=1)
    with pytest.raises(UnknownName, match="unknown node 'e'"):
        ordinal(CHAIN, rows=10, continuous=["e"], seed=1)
