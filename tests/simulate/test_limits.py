"""Seeds, sizes and shares that cannot be meant are refused with the way out, at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral import simulate

DAG = an.DAG.parse("a -> c, b -> c, c -> s", selection=["s"])
MODELS = (simulate.linear_gaussian, simulate.discrete, simulate.mixed, simulate.nonlinear)
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
        ("random_dag", {"nodes": 10**7}, r"nodes.*whole number from 2 to 20,000"),
        ("random_dag", {"nodes": 10**5000}, "nodes.*whole number from 2 to 20,000"),
        ("random_dag", {"degree": float("nan")}, "degree must be above 0 and at most 4, .* got nan"),
        (
            "linear_gaussian",
            {"rows": 10**12},
            "from 1 to 333,333,333, got 1000000000000; 3 columns may have .*: draw several parts",
        ),
        (
            "discrete",
            {"rows": 10**30},
            "rows must be a whole number from 1 to 333,333,333, got 1000",
        ),
        ("discrete", {"levels": 1000}, "levels must be a whole number from 2 to 100, got 1000"),
        ("discrete", {"levels": {"a": 101}}, "levels must be a whole number from 2 to 100, got 101 for 'a'"),
        ("mixed", {"levels": 10**9}, "levels must be a whole number from 2 to 100, got 1000000000"),
        ("linear_gaussian", {"keep": 1e-320}, "keep must be at least 0.0001, .*, got 1e-320"),
        ("linear_gaussian", {"keep": float("nan")}, "keep must be between 0 and 1, .* got nan"),
        ("collider_paths", {"most": 10**9}, "most.*whole number from 1 to 200"),
        (
            "mixed",
            {"levels": {"a": 4}, "discrete": ["b"]},
            "levels must name discrete nodes only, and discrete= lacks 'a'; add",
        ),
    ],
)
def test_sizes_that_would_never_end_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(an.AncestralError, match=message):
        DRAWS[name](**options)


def test_the_largest_number_of_levels_is_drawn() -> None:
    frame = simulate.discrete(an.DAG.parse("a -> c, b -> c"), rows=2000, levels=100, seed=1)
    assert frame["c"].n_unique() > 50
