"""The order of columns changes no graph, separating set or p-value; the order of rows no graph."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an

TRUTH = an.simulate.random_dag(nodes=9, degree=2.5, seed=3)

DATA: dict[str, tuple[pl.DataFrame, dict[str, Any]]] = {
    "fisher-z": (an.simulate.linear_gaussian(TRUTH, rows=400, seed=1), {"algorithm": "icd"}),
    "rank": (an.simulate.linear_gaussian(TRUTH, rows=400, seed=2), {"algorithm": "icd", "test": "rank"}),
    "g": (an.simulate.discrete(TRUTH, rows=800, seed=1), {}),
    "chi2": (an.simulate.discrete(TRUTH, rows=800, levels=3, seed=2), {"test": "chi2"}),
    "mixed": (an.simulate.mixed(TRUTH, rows=500, seed=1), {"algorithm": "icd", "test": "mixed"}),
}


def with_holes(frame: pl.DataFrame) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return frame.with_columns(
        pl.when(pl.Series(rng.random(len(frame)) < 0.1)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns[:2]
    )


for algorithm in ("fci", "fci+", "rfci", "pc"):
    DATA[algorithm] = (DATA["fisher-z"][0], {"algorithm": algorithm, "alpha": 0.05})
for kind in ("fisher-z", "rank", "mixed"):
    DATA[f"scored, {kind}"] = (DATA[kind][0], {"algorithm": "scored", "test": kind})

for kind in ("fisher-z", "g", "mixed"):
    frame, options = DATA[kind]
    DATA[f"{kind}, testwise"] = (with_holes(frame), options | {"missing": "testwise"})


def told(frame: pl.DataFrame, options: dict[str, Any]) -> tuple[list[tuple[object, ...]], list[float]]:
    """All that is said at every stage, by name, and the p-values of all separations."""
    said: list[tuple[object, ...]] = []
    for stage in an.stages(frame, **options):
        names = sorted(stage.pag.nodes)
        pairs = [(a, b) for a in names for b in names if a < b]
        sets = [(a, b, sorted(s.given)) for a, b in pairs if (s := stage.separation(a, b))]
        counts = sorted(stage.tests.items()), sorted(stage.verify_tests.items())
        said.append((stage.phase, stage.radius, str(stage.pag), sets, counts))
    found = an.discover(frame, resamples=0, **options)
    return said, [found.evidence(a, b).p_value for a, b in pairs if found.sepset(a, b) is not None]


@pytest.mark.parametrize("kind", DATA)
def test_the_order_of_columns(kind: str) -> None:
    frame, options = DATA[kind]
    said, p_values = told(frame, options)
    for seed in range(3):
        columns = np.random.default_rng(seed).permutation(frame.columns).tolist()
        again, p_again = told(frame.select(columns), options)
        assert again == said
        assert p_again == pytest.approx(p_values, abs=1e-9)
        assert an.discover(frame.select(columns), resamples=0, **options).pag.nodes == tuple(columns)


@pytest.mark.parametrize("kind", DATA)
def test_the_order_of_rows(kind: str) -> None:
    frame, options = DATA[kind]
    pag = an.discover(frame, resamples=0, **options).pag
    assert an.discover(frame.sample(fraction=1.0, shuffle=True, seed=1), resamples=0, **options).pag == pag


@pytest.mark.parametrize("kind", DATA)
def test_the_number_of_threads(kind: str) -> None:
    frame, options = DATA[kind]
    assert told(frame, options | {"workers": 3}) == told(frame, options)


def test_a_search_in_data_is_not_trivial() -> None:
    for kind, (frame, options) in DATA.items():
        edges = len(an.discover(frame, resamples=0, **options).pag.edges())
        assert 3 <= edges <= len(TRUTH.observed) * 3, kind
