"""The bootstrap of time series: what is drawn, that it is the same search, and what frequencies are worth."""

import warnings
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data import Moments
from ancestral.data.read_options import ReadOptions
from ancestral.errors import OptionError, UnknownName
from ancestral.graphs import MixedGraph
from ancestral.independence.fisher_z import FisherZ
from ancestral.options import RunOptions
from ancestral.parallel.clock import Watch
from ancestral.search.stage import Edges
from ancestral.search_run import SearchRun
from ancestral.series.block_repeats import BlockRepeats, usual_block
from ancestral.series.bootstrap_result import SeriesBootstrap
from ancestral.simulate.series_graphs import random_series_dag
from tests.support.executors import ShuffledExecutor

RIVER = an.SeriesDAG.parse("rain -1-> rain, rain -1-> river, river -1-> river, river -0-> ferry, wind -1-> ferry")


@pytest.fixture(scope="module")
def found() -> an.SeriesDiscovery:
    """A search of 400 steps."""
    return an.discover_series(an.simulate.linear_series(RIVER, rows=400, seed=2), lags=1)


@pytest.fixture(scope="module")
def boot(found: an.SeriesDiscovery) -> SeriesBootstrap:
    """Its bootstrap."""
    return found.bootstrap(30, seed=5)


def repeats(found: an.SeriesDiscovery, length: int | None, seed: int = 1) -> BlockRepeats:
    """The repeats of a search with blocks of this length."""
    assert found.windows is not None
    windows = found.windows
    return BlockRepeats(found.test.resampler(), found.settings, seed, windows.blocks(length), windows.degrees_lost)


# -- what is drawn -----------------------------------------------------------------------------------------------------


def test_blocks_are_drawn_whole_and_as_many_as_there_are(found: an.SeriesDiscovery) -> None:
    work = repeats(found, 15)
    for number in range(20):
        weights = work.weights(number)
        blocks = [weights[first : first + 15] for first in range(0, 399, 15)]
        assert all(len(set(block.tolist())) == 1 for block in blocks)
        assert sum(int(block[0]) for block in blocks) == len(blocks) == 27


def test_units_are_drawn_whole_if_there_are_many() -> None:
    rows = an.simulate.linear_series(RIVER, rows=30, units=12, seed=3)
    found = an.discover_series(rows, lags=1, unit="unit", time="time")
    assert found.bootstrap(2).drawn == "12 whole units"
    assert found.bootstrap(2, block=10).drawn == "36 blocks of up to 10 windows"
    weights = repeats(found, None).weights(3).reshape(12, 29)
    assert (weights == weights[:, :1]).all() and weights[:, 0].sum() == 12


def test_no_block_crosses_a_unit_or_a_gap() -> None:
    rng = np.random.default_rng(1)
    times = np.concatenate([np.sort(rng.choice(120, 90, replace=False)) for _ in range(3)])
    unit = np.repeat(["a", "b", "c"], 90)
    rows = pl.DataFrame({"unit": unit, "day": times, "x": rng.normal(size=270), "y": rng.normal(size=270)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        windows = an.discover_series(rows, lags=1, time="day", unit="unit", step=1).windows
    assert windows is not None
    ends = [(u, day) for u in "abc" for day in times[unit == u] if day - 1 in times[unit == u]]
    first = {u: times[unit == u].min() for u in "abc"}
    assert [(int(u), int(s)) for u, s in zip(windows.unit, windows.step, strict=True)] == [
        ("abc".index(u), day - first[u]) for u, day in ends
    ]
    blocks = windows.blocks(4)
    for number in range(int(blocks.max()) + 1):
        inside = [end for end, block in zip(ends, blocks, strict=True) if block == number]
        assert len({u for u, _ in inside}) == 1 and len(inside) <= 4
        assert [day for _, day in inside] == list(range(inside[0][1], inside[0][1] + len(inside)))


def test_the_usual_block_grows_with_the_cube_root_of_windows() -> None:
    assert usual_block(8000, 2) == 2 * usual_block(1000, 2) == 40
    assert usual_block(100, 12) == 24


# -- the same search ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("units", [1, 40])
def test_a_repeat_is_the_search_of_its_drawn_rows(units: int) -> None:
    rows = an.simulate.linear_series(RIVER, rows=400 // units, units=units, seed=2)
    unit, time = ("unit", "time") if units > 1 else (None, None)
    found = an.discover_series(rows, lags=1, unit=unit, time=time)
    work = repeats(found, 5)
    assert found.windows is not None and found.windows.table is not None
    table = found.windows.table
    for number in range(8):
        weights = work.weights(number)
        drawn = np.repeat(np.column_stack([column.values for column in table.columns]), weights, axis=0)
        centred = drawn - drawn.mean(axis=0)
        lost = round((units - 1) * len(drawn) / table.rows)
        moments = Moments(table.names, len(drawn) - lost, None, centred.T @ centred)
        search = SearchRun(FisherZ(moments), found.settings, RunOptions(), ReadOptions())
        expected = search.run(Watch(None, None), None, "polars").pag
        names = work.source.names
        marks = work.graph(number, Watch(None, None)).matrix(len(names))
        assert MixedGraph(names, marks) == MixedGraph(expected.nodes, expected.marks)


def test_neither_workers_nor_an_executor_change_the_answer(found: an.SeriesDiscovery, boot: SeriesBootstrap) -> None:
    assert found.bootstrap(30, seed=5, workers=3).to_json() == boot.to_json()
    with ShuffledExecutor(1) as executor:
        assert found.bootstrap(30, seed=5, executor=executor).to_json() == boot.to_json()
    assert found.bootstrap(30, seed=6).to_json() != boot.to_json()
    shorter = found.bootstrap(10, seed=5)
    assert [graph.pairs.tolist() for graph in shorter._saved.graphs] == [
        graph.pairs.tolist() for graph in boot._saved.graphs[:10]
    ]


def test_knowledge_holds_in_every_resample() -> None:
    rows = an.simulate.linear_series(RIVER, rows=300, seed=2)
    known = an.SeriesKnowledge(forbidden=[("ferry", "rain")], own_past=["wind"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the data deny that wind has a memory
        boot = an.discover_series(rows, lags=1, knowledge=known).bootstrap(20)
    assert boot.edge("wind[t-1]", "wind").types == {"-->": 1.0}
    assert boot.edge("ferry[t-1]", "rain").at_a["tail"] == boot.edge("ferry[t-1]", "rain").at_a["circle"] == 0


def test_a_process_that_does_not_vary_in_a_resample_has_no_edges_there() -> None:
    rng = np.random.default_rng(1)
    rare = np.zeros(300)
    rare[90:100] = 1  # the last window of the third block, which ends at step 90, has it at t and not at t-1
    x = rng.normal(size=300)
    y = np.append(0.0, x[:-1]) + rng.normal(size=300)
    rows = pl.DataFrame({"x": x, "y": y, "rare": np.where(rare, "yes", "no")})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = an.discover_series(rows, lags=1)
    work = repeats(found, 30)
    drawn = [work.weights(number)[[60, 90]].tolist() for number in range(20)]
    nowhere, only_at_t = (
        next(i for i, (third, fourth) in enumerate(drawn) if not fourth and (third > 0) == some)
        for some in (False, True)
    )
    names = work.source.names
    for number in (nowhere, only_at_t):
        graph: Edges = work.graph(number, Watch(None, None))
        joined = {frozenset((names[a], names[b])) for a, b in graph.pairs.tolist()}
        assert frozenset(("x[t-1]", "y[t]")) in joined
        assert not any("rare" in name for pair in joined for name in pair)


# -- what is counted ---------------------------------------------------------------------------------------------------


def test_summary_edges_are_counted_over_the_summaries_of_all_graphs(
    found: an.SeriesDiscovery, boot: SeriesBootstrap
) -> None:
    names = ("rain", "river", "ferry", "wind")
    counts = Counter[tuple[str, str]]()
    for graph, times in boot.graphs:
        now = [(a, b) for a, b in product(graph.nodes, graph.nodes) if b.endswith("[t]") and graph.edge(a, b)]
        lagged = {(a.split("[")[0], b[:-3]) for a, b in now if not a.endswith("[t]")}
        within = {(a[:-3], b[:-3]) for a, b in now if graph.edge(a, b) == "-->" and a.endswith("[t]")}
        for pair in lagged | within:
            counts[pair] += times
    for a, b in [("rain", "river"), ("rain", "rain"), ("wind", "ferry"), ("ferry", "ferry"), ("river", "rain")]:
        assert boot.summary_edge(a, b).edge == counts[a, b] / 30
    assert set(boot.summary_frame()["a"]) <= set(names)
    shown = next(edge for edge in found.summary.edges if (edge.a, edge.b) == ("rain", "river"))
    assert boot.summary_edge("rain", "river").estimate == shown.edge
    with pytest.raises(UnknownName, match="unknown process 'snow'"):
        boot.summary_edge("rain", "snow")


def test_edges_that_most_resamples_have_are_true_more_often_than_others() -> None:
    true = Counter[str]()
    seen = Counter[str]()
    for seed in range(5):
        dag = random_series_dag(5, seed=seed, lags=2, latent=1)
        mag = dag.mag(2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            boot = an.discover_series(an.simulate.linear_series(dag, rows=400, seed=seed), lags=2).bootstrap(20)
        for a, b in product(mag.nodes, mag.nodes):
            if b.endswith("[t]") and not a.endswith("[t]"):
                share = boot.edge(a, b).edge
                kind = "most" if share >= 0.9 else "few" if 0 < share < 0.5 else "other"
                seen[kind] += 1
                true[kind] += mag.edge(a, b) is not None
    assert seen["most"] >= 20 and seen["few"] >= 20
    assert true["most"] / seen["most"] > 0.9 > 0.6 > true["few"] / seen["few"]


def test_it_is_a_bootstrap_of_the_window(boot: SeriesBootstrap, tmp_path: Path) -> None:
    assert boot.edge("river", "ferry") == boot.edge("river[t]", "ferry[t]")
    boot.save(tmp_path / "boot.json")
    loaded = an.load_bootstrap(tmp_path / "boot.json")
    assert loaded.to_json() == boot.to_json() and loaded.pag == boot.pag
    boot.report(tmp_path / "report.html")
    assert "blocks of up to" in (tmp_path / "report.html").read_text()
    assert repr(boot) == "<SeriesBootstrap: 4 processes, 2 steps, 30 of 30 repeats>"


def test_its_words_are_about_t_and_processes(boot: SeriesBootstrap) -> None:
    words = str(boot)
    assert words.startswith("30 resamples of 27 blocks of up to 15 windows (seed 5): ICD for time series")
    assert "river[t] --> ferry[t]" in words and "river --> ferry" in words
    assert "river[t-1] --> ferry[t-1]" not in words


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_what_cannot_be_drawn_is_refused(found: an.SeriesDiscovery, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"block=100 of 399 windows leaves 4 blocks.*at least 5"):
        found.bootstrap(block=100)
    with pytest.raises(OptionError, match="block"):
        found.bootstrap(block=0)
    with pytest.raises(OptionError, match="repeats"):
        found.bootstrap(0)
    with pytest.raises(OptionError, match="this run has none"):
        an.discover_series(RIVER, lags=1).bootstrap()
    found.save(tmp_path / "run.json")
    with pytest.raises(OptionError, match="this run has none"):
        an.load_series(tmp_path / "run.json").bootstrap()


def test_a_time_limit_keeps_the_repeats_that_are_done(found: an.SeriesDiscovery) -> None:
    boot = found.bootstrap(100_000, time_limit=0.3)
    assert boot.stopped == "time limit" and boot.repeats < boot.wanted
    assert f"{boot.repeats:,} of 100,000 repeats were done" in str(boot)


def test_two_edges_between_processes_count_once_in_a_resample() -> None:
    dag = an.SeriesDAG.parse("A-1->A, B-1->B, A-1->B, L-0->A, L-0->B", latent=["L"])
    found = an.discover_series(an.simulate.linear_series(dag, rows=400, seed=2), lags=2, progress=False)
    boot = found.bootstrap(10, progress=False)
    for a in "AB":
        for b in "AB":
            assert 0 <= boot.summary_edge(a, b).edge <= 1
