"""A resample answers as the test on a table with its rows would: the rows are written out, and `discover` is called."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.certainty.repeats import weights_of
from ancestral.independence.choice import choose_test
from ancestral.independence.scores import normal_scores

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e, e -> f", latent=["L"])


def drawn(frame: pl.DataFrame, weights: np.ndarray) -> pl.DataFrame:
    """The rows as often as they were drawn, one by one."""
    return frame[[row for row, times in enumerate(weights.tolist()) for _ in range(times)]]


def continuous() -> pl.DataFrame:
    return an.simulate.linear_gaussian(DAG, rows=150, seed=3)


def skewed() -> pl.DataFrame:
    """With ties: ranks must share them."""
    return continuous().select(pl.all().exp().round(1))


def levels() -> pl.DataFrame:
    return an.simulate.discrete(DAG, rows=120, levels=3, seed=5)


def both() -> pl.DataFrame:
    return an.simulate.mixed(DAG, rows=200, seed=4)


def holes() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    frame = continuous()
    return frame.with_columns(
        pl.when(pl.Series(rng.random(len(frame)) < 0.06)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )


CASES: dict[str, tuple[Callable[[], pl.DataFrame], dict[str, Any]]] = {
    "fisher-z": (continuous, {"test": "fisher-z"}),
    "rank": (skewed, {"test": "rank", "kinds": "continuous"}),
    "labels": (levels, {"test": "labels", "kinds": "discrete"}),
    "g": (levels, {"test": "g", "kinds": "discrete"}),
    "chi2": (levels, {"test": "chi2", "kinds": "discrete"}),
    "mixed": (both, {"test": "mixed"}),
    "testwise": (holes, {"test": "fisher-z", "missing": "testwise"}),
    "testwise ranks": (holes, {"test": "rank", "missing": "testwise"}),
    "testwise levels": (lambda: levels().with_columns(pl.col("a").replace("0", None)), {"missing": "testwise"}),
}


@pytest.mark.filterwarnings("ignore::ancestral.DataWarning")
@pytest.mark.parametrize("subsample", [None, 0.6])
@pytest.mark.parametrize("case", CASES)
def test_frequencies_are_those_of_a_plain_loop(case: str, subsample: float | None) -> None:
    make, options = CASES[case]
    frame, repeats, seed = make(), 12, 4
    kinds = dict(zip(frame.columns, an.Table.of(frame, missing="testwise").kinds, strict=True))
    options = {"kinds": kinds, "alpha": 0.05, "colliders": "first", **options}
    boot = an.bootstrap(frame, repeats=repeats, seed=seed, subsample=subsample, **options)
    some = None if subsample is None else round(subsample * len(frame))
    plain = [
        an.discover(drawn(frame, weights_of(seed, number, len(frame), some)), **options).pag
        for number in range(repeats)
    ]
    assert Counter(plain) == dict(boot.graphs)
    assert len(boot.graphs) > 1
    for i, a in enumerate(frame.columns):
        for b in frame.columns[i + 1 :]:
            found = boot.edge(a, b)
            edges = Counter(pag.edge(a, b) for pag in plain)
            assert found.no_edge == edges.pop(None, 0) / repeats
            assert found.types == {edge: count / repeats for edge, count in edges.items()}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore::ancestral.DataWarning")
def test_weights_of_one_give_the_answer_of_discover(case: str) -> None:
    make, options = CASES[case]
    frame = make()
    test = choose_test(frame, **options)
    same = test.resampler().test(np.ones(len(frame), dtype=np.int64))
    assert same is not None and same.rows == len(frame)
    names = test.resampler().names
    here, there = test.questions(names), same.questions(names)
    one, other = here.marginals(), there.marginals()
    # sums over rows come in another order, so the last digits of a statistic of some hundreds differ
    assert np.allclose(one, other, rtol=1e-13, atol=1e-12, equal_nan=True)
    assert an.discover(same).pag == an.discover(test).pag


def test_scores_are_those_of_the_rows_written_out() -> None:
    frame = skewed()
    test = choose_test(frame, test="rank", kinds="continuous")
    for number in range(20):
        weights = weights_of(7, number, len(frame), None)
        found = test.resampler().scores(weights)  # type: ignore[attr-defined]
        table = np.array([frame[name] for name in test.resampler().names])
        wanted = normal_scores(np.repeat(table, weights, axis=1).T).T
        assert np.allclose(np.repeat(found, weights, axis=1), wanted, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore::ancestral.DataWarning")
@pytest.mark.parametrize("test", ["fisher-z", "rank", "g", "mixed"])
def test_a_variable_that_does_not_vary_in_a_resample_is_left_out_of_it(test: str) -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 3, 60)
    y = (x + (rng.random(60) < 0.2)) % 3
    z = np.zeros(60, dtype=int)
    z[:3] = 1
    frame = pl.DataFrame({"x": x, "y": y, "z": z, "w": rng.integers(0, 2, 60)})
    kind = "continuous" if test in ("fisher-z", "rank") else {"x": "discrete", "y": "discrete", "z": "discrete"}
    if test == "g":
        kind = "discrete"
    if test == "mixed":
        frame = frame.with_columns(w=pl.Series(rng.standard_normal(60)))
    weights = np.ones(60, dtype=np.int64)
    weights[:3] = 0
    source = choose_test(frame, test=test, kinds=kind).resampler()
    found = source.test(weights)
    assert found is not None and set(found.names) == {"x", "y", "w"} and source.names == ("w", "x", "y", "z")
    kinds = kind if isinstance(kind, str) else {"x": "discrete", "y": "discrete"}
    plain = an.discover(frame[3:].drop("z"), algorithm="icd", test=test, kinds=kinds).pag
    assert an.discover(found).pag == plain
    same = np.zeros(60, dtype=np.int64)
    same[5] = 60
    assert source.test(same) is None


@pytest.mark.filterwarnings("ignore::ancestral.DataWarning")
def test_in_such_a_resample_it_has_no_edges() -> None:
    rng = np.random.default_rng(2)
    x = rng.standard_normal(40)
    rare = np.zeros(40)
    rare[0] = 1.0
    frame = pl.DataFrame({"x": x, "y": x + 0.1 * rng.standard_normal(40), "rare": rare})
    boot = an.bootstrap(frame, kinds="continuous", repeats=60, seed=1)
    missed = sum(weights_of(1, number, 40, None)[0] == 0 for number in range(60))
    assert missed > 10
    assert boot.edge("x", "y").edge == 1 and boot.edge("x", "rare").no_edge >= missed / 60
