"""Seeds, sizes and shares that cannot be meant are refused with the way out, at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral import simulate

DAG = an.DAG.parse("a -> c, b -> c, c -> s", selection=["s"])
MODELS = (simulate.linear_gaussian, simulate.discrete, simulate.mixed)
#: Everything that draws, with what it needs.
DRAWS: dict[str, Callable[..., Any]] = {
    "random_dag": partial(simulate.random_dag, nodes=5, seed=1),
    "gaussian_model": partial(simulate.gaussian_model, DAG, seed=1),
    **{model.__name__: partial(model, DAG, rows=10, seed=1) for model in MODELS},
    **{make.__name__: partial(make, seed=1) for make in simulate.TROUBLE},
}


@pytest.mark.parametrize("seed", [-1, 1.5, "one", None, True, -(10**30)])
@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_is_a_count_or_a_generator(name: str, seed: object) -> None:
    with pytest.raises(an.OptionError, match="seed must be a whole number of at least 0, or a numpy Generator, got"):
        DRAWS[name](seed=seed)
    assert DRAWS[name](seed=np.int64(7)) is not None
    assert DRAWS[name](seed=np.random.default_rng(7)) is not None
    assert DRAWS[name](seed=10**40) is not None


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("random_dag", {"nodes": 10**7}, r"nodes=10000000 is too large; .* up to 20,000 nodes"),
        ("random_dag", {"nodes": 10**5000}, "nodes=<int> is too large"),
        ("random_dag", {"degree": float("nan")}, "degree=nan is the mean number of neighbours"),
        (
            "linear_gaussian",
            {"rows": 10**12},
            "rows=1000000000000 is too large: .*draw up to 333,333,333 rows at a time",
        ),
        ("discrete", {"rows": 10**30}, "rows=1.* is too large"),
        ("discrete", {"levels": 1000}, "levels=1000 is too large; a node may have up to 100 values"),
        ("discrete", {"levels": {"a": 101}}, "levels=101 of 'a' is too large"),
        ("mixed", {"levels": 10**9}, "levels=1000000000 is too large"),
        ("linear_gaussian", {"keep": 1e-320}, "keep=1e-320 is too small: .*from 0.0001 to 1"),
        ("linear_gaussian", {"keep": float("nan")}, "keep=nan is the share of rows"),
        ("collider_paths", {"most": 10**9}, "most=1000000000 leaves no size to choose from; .* from 1 to 200"),
        ("mixed", {"levels": {"a": 4}, "discrete": ["b"]}, "levels= says how many levels 'a' has, which is not among"),
    ],
)
def test_sizes_that_would_never_end_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(an.AncestralError, match=message):
        DRAWS[name](**options)


def test_the_largest_number_of_levels_is_drawn() -> None:
    frame = simulate.discrete(an.DAG.parse("a -> c, b -> c"), rows=2000, levels=100, seed=1)
    assert frame["c"].n_unique() > 50
