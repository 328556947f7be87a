"""`sweep`: a search at each level, what stops it, and what it refuses."""

import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.independence.choice import choose_test
from ancestral.options import DEFAULT_ALPHAS

ALPHAS = [0.001, 0.01, 0.1]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    dag = an.simulate.random_dag(9, 2.5, seed=3)
    return an.simulate.linear_gaussian(dag, rows=400, seed=3)


def test_every_level_is_the_search_at_that_level(rows: pl.DataFrame) -> None:
    swept = an.sweep(rows, alphas=[0.1, 0.001, 0.01, 0.1], progress=False)
    assert swept.alphas == (0.001, 0.01, 0.1)
    assert swept.stopped is None
    for alpha, found in zip(swept.alphas, swept.found, strict=True):
        alone = an.discover(rows, alpha=alpha, progress=False)
        assert found.to_json() == alone.to_json()
        assert swept.at(alpha) is found
    assert swept.graphs == tuple(found.pag for found in swept.found)
    assert len(set(map(str, swept.graphs))) == 3


def test_without_levels_there_is_a_grid(rows: pl.DataFrame) -> None:
    assert an.sweep(rows[:, :4], progress=False).alphas == DEFAULT_ALPHAS


@pytest.mark.parametrize("algorithm", ["fci", "pc", "gfci"])
def test_any_algorithm_that_asks_can_be_swept(rows: pl.DataFrame, algorithm: str) -> None:
    swept = an.sweep(rows, alphas=[0.01, 0.05], algorithm=algorithm, progress=False)
    for alpha, found in zip(swept.alphas, swept.found, strict=True):
        assert found.pag == an.discover(rows, alpha=alpha, algorithm=algorithm, progress=False).pag
    assert str(swept).startswith(found.settings.chosen.title)


def test_options_of_the_search_reach_every_level(rows: pl.DataFrame) -> None:
    known = an.Knowledge(no_edge=[(rows.columns[0], rows.columns[1])])
    with ThreadPoolExecutor(2) as pool:
        swept = an.sweep(
            rows, alphas=ALPHAS, knowledge=known, test="rank", max_radius=1, fdr=0.1, executor=pool, progress=False
        )
    for alpha, found in zip(swept.alphas, swept.found, strict=True):
        options: dict[str, Any] = {"knowledge": known, "test": "rank", "max_radius": 1, "fdr": 0.1}
        assert found.to_json() == an.discover(rows, alpha=alpha, progress=False, **options).to_json()
        assert found.stopped == "max_radius"


def test_a_test_of_ones_own_is_asked_at_every_level() -> None:
    def p_value(x: str, y: str, given: tuple[str, ...]) -> float:
        return {"ab": 0.0005, "bc": 0.03}.get("".join(sorted((x, y))), 0.9)

    swept = an.sweep(p_value, names=list("abc"), alphas=ALPHAS, progress=False)
    assert [len(graph.edges()) for graph in swept.graphs] == [1, 1, 2]
    moments = choose_test(np.random.default_rng(1).normal(size=(50, 3)), alpha=0.3)
    assert [found.settings.alpha for found in an.sweep(moments, alphas=ALPHAS, progress=False).found] == ALPHAS


def test_what_has_no_level_is_refused(rows: pl.DataFrame) -> None:
    with pytest.raises(an.OptionError, match=r'^algorithm="scored" has no significance level to vary: it asks no'):
        an.sweep(rows, algorithm="scored")
    with pytest.raises(an.OptionError, match="the test 'oracle' has no significance level to vary"):
        an.sweep(an.Oracle(an.DAG.parse("a -> b")))

    class Decides:
        names = tuple("abc")

        def independent(self, x: str, y: str, given: tuple[str, ...]) -> bool:
            return False

    with pytest.raises(an.OptionError, match="has no significance level to vary"):
        an.sweep(Decides())
    with pytest.raises(an.OptionError, match="algorithm must be one of"):
        an.sweep(rows, algorithm="icdd")


@pytest.mark.parametrize(
    ("alphas", "message"),
    [
        ([], r"^alphas must have at least one significance level, got \[\]"),
        ("0.05", "^alphas must be a list of significance levels, got '0.05'"),
        (0.05, "^alphas must be a list of significance levels, got 0.05"),
        ([0.01, 2], "^alphas must be between 0 and 1, got 2"),
        ([0.01, None], "^alphas must be between 0 and 1, got None"),
    ],
)
def test_levels_are_checked(alphas: Any, message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.sweep(np.zeros((3, 3)), alphas=alphas)


def test_an_array_of_levels_will_do(rows: pl.DataFrame) -> None:
    assert an.sweep(rows[:, :4], alphas=np.array([0.05, 0.01]), progress=False).alphas == (0.01, 0.05)


class Slow:
    """Answers at once until it has answered about all pairs once; then it waits until the time is over."""

    names = tuple("abc")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked = 0

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        self.asked += 1
        if self.asked > 3 and not given:
            time.sleep(self.seconds)
        return 0.9


def test_when_the_time_is_over_the_levels_done_are_kept() -> None:
    swept = an.sweep(Slow(0.6), alphas=ALPHAS, time_limit=0.5, progress=False)
    assert swept.alphas == (0.001,)
    assert (swept.stopped, len(swept.wanted)) == ("time limit", 3)
    assert "ended early (time limit): 1 of 3 levels were done" in str(swept)
    slow = Slow(0.6)
    slow.asked = 3
    with pytest.raises(an.RunError, match=r"ended \(time limit\) before one level was done; allow more time"):
        an.sweep(slow, alphas=ALPHAS, time_limit=0.5, progress=False)


@pytest.mark.parametrize("within", [True, False])
def test_an_interrupt_keeps_the_levels_done(within: bool) -> None:
    class Interrupted:
        names = tuple("abc")
        asked = 0

        def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
            self.asked += 1
            if within and self.asked > 4:
                raise KeyboardInterrupt
            return 0.9

    def tell(progress: an.Progress) -> None:
        raise KeyboardInterrupt  # after the last level, which is told at once

    with pytest.warns(an.RunWarning, match=r"^interrupted; levels that were done: [12] of 2$") as told:
        swept = an.sweep(Interrupted(), alphas=[0.01, 0.05], progress=False if within else tell)
    assert len(told) == 1
    assert swept.stopped == "interrupt"
    assert len(swept.found) == (1 if within else 2)


def test_a_contradiction_with_knowledge_is_told_once() -> None:
    frame = pl.DataFrame({"a": np.arange(50) * 7 % 50 / 2, "b": np.random.default_rng(1).normal(size=50)})
    frame = frame.with_columns(c=pl.Series(np.random.default_rng(2).normal(size=50)))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        an.sweep(frame, alphas=ALPHAS, knowledge=an.Knowledge(required=[("a", "c")]), progress=False)
    assert [warning.category for warning in told] == [an.KnowledgeWarning]
    assert str(told[0].message).startswith(f"at {len(ALPHAS)} of {len(ALPHAS)} levels, first at {ALPHAS[0]:g}: ")


def test_a_contradiction_with_other_evidence_at_another_level_is_the_same() -> None:
    """At the first level b has no edge, so nothing is asked given b; at the last, a and c are dependent given b."""
    rng = np.random.default_rng(3)
    a = rng.standard_normal(400)
    b = a + 3 * rng.standard_normal(400)
    c = b + 3 * rng.standard_normal(400)
    frame = pl.DataFrame({"a": a, "b": b, "c": c})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        known = an.Knowledge(required=[("a", "c")])
        swept = an.sweep(frame, alphas=[1e-90, 0.0001, 0.01, 0.95], knowledge=known, progress=False)
    texts = [[one.text for one in found.warnings] for found in swept.found]
    assert [len(some) for some in texts] == [1, 1, 1, 0]
    assert "given nothing" in texts[0][0] and "given {b}" in texts[1][0]
    assert [str(one.message) for one in told] == [f"at 3 of 4 levels, first at 1e-90: {texts[0][0]}"]


def test_progress_is_told_of_levels(rows: pl.DataFrame) -> None:
    told: list[an.Progress] = []
    an.sweep(rows[:, :4], alphas=ALPHAS, progress=told.append)
    assert (told[-1].done, told[-1].edges, told[-1].label) == (3, 3, "levels of alpha")


def test_instability_is_that_of_the_edges_in_subsamples(rows: pl.DataFrame) -> None:
    """The subsamples are those of a bootstrap with as many rows: 10 √400 = 200."""
    swept = an.sweep(rows, alphas=[0.01, 0.1], resamples=8, seed=5, progress=False)
    for alpha, level in zip(swept.alphas, swept.to_frame(library="polars")["instability"], strict=True):
        boot = an.bootstrap(rows, alpha=alpha, repeats=8, seed=5, subsample=0.5, progress=False)
        share = boot.to_frame("all", library="polars")["edge"].to_numpy()
        assert level == pytest.approx((2 * share * (1 - share)).mean())
        assert level > 0
    assert "instability by 8 subsamples of 200 rows (seed 5)" in str(swept)
    assert swept.to_dict()["subsamples"] == {"count": 8, "drawn": 200, "seed": 5}


def test_subsamples_need_rows(rows: pl.DataFrame) -> None:
    with pytest.raises(an.OptionError, match="have no rows to draw"):
        an.sweep(an.Moments.of(rows), resamples=5)
    few = pytest.raises(an.OptionError, match=r"^resamples=5 needs more rows: 4 of 6 would be drawn")
    with few, pytest.warns(an.DataWarning, match="there are only 6 rows"):
        an.sweep(rows[:6, :2], resamples=5)
