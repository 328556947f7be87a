"""Repeats: which rows are drawn, and how a worker ends when its time is over."""

import time

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.certainty.repeats import Repeats, weights_of
from ancestral.certainty.schedule import graphs_of
from ancestral.parallel.clock import Watch
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges


def test_weights_are_drawn_with_and_without_replacement() -> None:
    many = np.array([weights_of(1, number, 50, None) for number in range(2000)])
    assert (many.sum(axis=1) == 50).all()
    # a row is left out with probability (1 − 1/50)^50; the standard error of the share is below 0.002
    assert abs((many == 0).mean() - (1 - 1 / 50) ** 50) < 0.008
    assert np.abs(many.mean(axis=0) - 1).max() < 0.12
    few = np.array([weights_of(1, number, 50, 20) for number in range(2000)])
    assert (few.sum(axis=1) == 20).all() and few.max() == 1 and np.abs(few.mean(axis=0) - 0.4).max() < 0.06


def test_streams_are_children_of_the_seed() -> None:
    children = np.random.SeedSequence(9).spawn(3)
    for number, child in enumerate(children):
        drawn = np.random.default_rng(child).integers(0, 30, 30)
        assert (np.bincount(drawn, minlength=30) == weights_of(9, number, 30, None)).all()
    assert not np.array_equal(weights_of(9, 0, 30, None), weights_of(10, 0, 30, None))


def test_a_worker_counts_the_seconds_that_are_left_by_itself(
    monkeypatch: pytest.MonkeyPatch, rows: pl.DataFrame
) -> None:
    """A repeat of a second each, and two and a half seconds: two are done, and the third is given up."""
    source = an.discover(rows).test.resampler()
    now = [5e8]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "time", lambda: -1e12)

    def second(self: Repeats, number: int, watch: Watch) -> Edges:
        now[0] += 1
        watch.check()
        return Edges.of(np.zeros((2, 2), dtype=np.uint8))

    monkeypatch.setattr(Repeats, "graph", second)
    repeats = Repeats(source, Settings(), 1)
    assert len(list(graphs_of(repeats, 0, 10, Watch(2.5)))) == 2
    assert len(list(graphs_of(repeats, 0, 10, Watch(0.0)))) == 0
    assert len(list(graphs_of(repeats, 0, 10, Watch()))) == 10


@pytest.mark.filterwarnings("ignore:far from normal")
def test_a_variable_that_does_not_vary_leaves_the_others_where_they_are() -> None:
    rng = np.random.default_rng(3)
    b = rng.standard_normal(60)
    rare = np.zeros(60)
    rare[0] = 1.0  # not drawn in more than a third of the resamples
    rows = pl.DataFrame({"a": rare, "b": b, "c": b + 0.1 * rng.standard_normal(60)})
    boot = an.bootstrap(rows, repeats=40, seed=1, kinds="continuous", algorithm="icd", progress=False)
    assert boot.edge("b", "c").edge == 1.0
    assert boot.edge("a", "b").edge < 0.2
