"""The front door of resampling: options, what a bootstrap says, who carries it out, and how it ends."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ancestral as an
from ancestral.data.read_options import ReadOptions
from ancestral.parallel import transports
from ancestral.parallel.clock import RepeatsProgress, Stopped, Watch
from ancestral.parallel.payloads import TaskError
from ancestral.resampling import schedule
from ancestral.resampling.file import SavedBootstrap
from ancestral.resampling.repeats import Repeats, weights_of
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges
from tests.support.custom_tests import other_clocks

dask: Any = import_module("distributed")  # it has types, and most of its names have none

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e, e -> f", latent=["L"])


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return an.simulate.linear_gaussian(DAG, rows=200, seed=3)


@pytest.fixture(scope="module")
def boot(rows: pl.DataFrame) -> an.Bootstrap:
    return an.bootstrap(rows, repeats=40, seed=2, alpha=0.05)


def counted(boot: an.Bootstrap) -> list[tuple[an.PAG, int]]:
    """All whole graphs, one for each repeat, written out."""
    return [(graph, times) for graph, times in boot.graphs]


# -- what it says --------------------------------------------------------------------------------------------------


def test_each_mark_is_counted_at_its_end(boot: an.Bootstrap) -> None:
    graphs = counted(boot)
    assert sum(times for _, times in graphs) == boot.repeats == boot.wanted == 40 and boot.stopped is None
    names = {"o": "circle", "<": "arrowhead", ">": "arrowhead", "-": "tail"}
    for a in boot.nodes:
        for b in boot.nodes:
            if a == b:
                continue
            found = boot.edge(a, b)
            edges = [(graph.edge(a, b), times) for graph, times in graphs]
            assert found.edge == sum(times for edge, times in edges if edge) / 40
            assert found.edge + found.no_edge == 1
            for end, marks in ((0, found.at_a), (2, found.at_b)):
                for mark in ("circle", "arrowhead", "tail"):
                    said = sum(times for edge, times in edges if edge and names[edge[end]] == mark)
                    assert marks[mark] == said / 40
            assert found.estimate == boot.pag.edge(a, b)


def test_the_frame_says_the_same_as_single_pairs(boot: an.Bootstrap) -> None:
    frame = boot.to_frame()
    assert isinstance(frame, pl.DataFrame) and len(frame) == 15
    for row in frame.iter_rows(named=True):
        found = boot.edge(row["a"], row["b"])
        assert (row["edge"], row["no_edge"], row["estimate"]) == (found.edge, found.no_edge, found.estimate)
        for end, marks in (("a", found.at_a), ("b", found.at_b)):
            for mark, share in marks.items():
                assert row[f"{mark}_at_{end}"] == share
        assert {edge: row[edge] for edge in found.types} == found.types
        kinds = ("o-o", "o->", "o--", "<-o", "<->", "<--", "--o", "-->", "---")
        assert sum(row[edge] for edge in kinds) == pytest.approx(found.edge)
    seen = boot.to_frame("seen")
    assert set(seen.select("a", "b").iter_rows()) == {
        (a, b) for a, b, share in frame.select("a", "b", "edge").iter_rows() if share or boot.pag.edge(a, b)
    }
    assert len(seen) < 15
    assert set(boot.to_frame(involving="f")["b"]) == {"f"} and len(boot.to_frame(involving="f")) == 5
    with pytest.raises(an.OptionError, match="pairs='edges' is not known; choose 'all' or 'seen'"):
        boot.to_frame("edges")  # type: ignore[arg-type]
    with pytest.raises(an.UnknownName, match="unknown variable 'g'"):
        boot.to_frame(involving="g")


def test_frames_are_of_the_callers_library(rows: pl.DataFrame) -> None:
    boot = an.bootstrap(rows.to_pandas(), repeats=3)
    assert isinstance(boot.to_frame(), pd.DataFrame)
    assert isinstance(boot.to_frame(library="polars"), pl.DataFrame)
    assert set(boot.to_frame().columns) == set(boot.to_frame(library="pyarrow").column_names)


def voted(*graphs: str, threshold: float = 0.5) -> an.PAG:
    """The consensus of these graphs over a, b, c, made as if resamples had found them."""
    parsed = [an.PAG.parse(f"{text}, a, b, c" if text else "a, b, c") for text in graphs]
    edges = tuple(Edges.of(graph.arranged(("a", "b", "c"))) for graph in parsed)
    saved = SavedBootstrap(
        "", Settings(), "", 9, ReadOptions(), None, ("a", "b", "c"), 1, None, len(edges), None, edges[0], edges
    )
    return an.Bootstrap(saved).consensus(threshold)


@pytest.mark.parametrize(
    ("graphs", "expected"),
    [
        (["a --> b", "a --> b", "a o-> b"], "a --> b, c"),
        (["a --> b", "a <-> b"], "a o-> b, c"),  # no majority at a: half is not more than half
        (["a --> b", "a o-> b", "a <-> b"], "a o-> b, c"),  # three opinions at a
        (["a --> b", "", "", "a --> b"], "a --> b, c"),  # half of the resamples have it, and agree
        (["a --> b", "", ""], "a, b, c"),
        (
            ["a --> b, b --> c", "b --> c, c --> a", "c --> a, a --> b"],
            "a --> b, b --> c, c --> a",
        ),  # no PAG of any MAG
        (["", ""], "a, b, c"),
    ],
)
def test_each_edge_and_mark_is_put_to_the_vote(graphs: list[str], expected: str) -> None:
    assert voted(*graphs) == an.PAG.parse(expected)


def test_the_threshold_counts_edges_whatever_their_marks() -> None:
    graphs = ["a --> b", "a o-o b", "a <-> b", ""]
    assert voted(*graphs, threshold=0.75) == an.PAG.parse("a o-> b, c")
    assert voted(*graphs, threshold=0.76) == an.PAG.parse("a, b, c")
    for wrong in (0, 1.5, True, "half"):
        with pytest.raises(an.OptionError, match=r"threshold=.* is no share; pass a number above 0, up to 1"):
            voted(*graphs, threshold=wrong)  # type: ignore[arg-type]


def test_graphs_come_by_frequency(boot: an.Bootstrap) -> None:
    counts = [times for _, times in boot.graphs]
    assert counts == sorted(counts, reverse=True) and len({graph for graph, _ in boot.graphs}) == len(counts)


def test_it_prints_firm_and_doubtful_edges(boot: an.Bootstrap) -> None:
    text = str(boot)
    firm, doubtful = text.split("doubtful: ")
    assert text.startswith("40 resamples of 200 rows, with replacement (seed 2): ICD on 6 variables, test fisher-z")
    assert "firm: an edge in at least 90 % of the resamples" in firm
    listed = []
    for part, least, most in ((firm, 0.9, 1.0), (doubtful, 0.1, 0.9)):
        for line in part.splitlines():
            if line.startswith("  ") and not line.startswith("   "):
                a, edge, b = line.split()[:3]
                found = boot.edge(a, b)
                assert least <= found.edge <= most and found.types[edge] == max(found.types.values())
                listed.append({a, b})
    seen = [{a, b} for a, b, share in boot.to_frame().select("a", "b", "edge").iter_rows() if share > 0.1]
    assert len(listed) == len(seen) and all(pair in listed for pair in seen)
    assert "not how probable" in text
    assert repr(boot) == "<Bootstrap: 6 variables, 40 of 40 repeats>"
    shown = str(boot.edge("a", "c"))
    assert shown.startswith("a and c: an edge in ") and "an arrowhead in 98 %" in shown


def test_a_pair_must_be_two_variables(boot: an.Bootstrap) -> None:
    with pytest.raises(an.OptionError, match="'a' and 'a' are the same variable"):
        boot.edge("a", "a")
    with pytest.raises(an.UnknownName, match="unknown node 'z'"):
        boot.edge("a", "z")


def test_all_rows_are_searched_too(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    plain = an.discover(rows, alpha=0.05)
    assert boot.found is not None and boot.found.pag == boot.pag == plain.pag
    assert boot.fingerprint == plain.test.fingerprint and boot.settings == plain.settings


def test_pc_gives_cpdags(rows: pl.DataFrame) -> None:
    boot = an.bootstrap(rows, repeats=10, algorithm="pc")
    assert boot.pag == an.discover(rows, algorithm="pc").pag
    assert {type(graph) for graph, _ in boot.graphs} == {an.CPDAG} == {type(boot.pag)}


def test_resamples_keep_to_what_is_known(rows: pl.DataFrame) -> None:
    known = an.Knowledge(tiers=[["d"], ["a", "b", "c", "e", "f"]])
    with pytest.warns(an.KnowledgeWarning):
        boot = an.bootstrap(rows, repeats=10, knowledge=known)
    found = boot.edge("c", "d")
    assert found.edge == 1 and found.at_a["arrowhead"] == 1


def test_the_order_of_columns_does_not_matter(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    other = an.bootstrap(rows.select(sorted(rows.columns, reverse=True)), repeats=40, seed=2, alpha=0.05)
    assert other.nodes == tuple("fedcba") != boot.nodes
    for a in boot.nodes:
        for b in set(boot.nodes) - {a}:
            assert other.edge(a, b).types == boot.edge(a, b).types


def test_the_picture_is_fainter_where_resamples_disagree(boot: an.Bootstrap, tmp_path: Path) -> None:
    boot.plot(tmp_path / "boot.svg", threshold=0.1)
    firm = {(a, b): boot.edge(a, b).edge for a in boot.nodes for b in boot.nodes if a < b}
    boot.consensus(0.1).plot(tmp_path / "plain.svg", fade={pair: share for pair, share in firm.items() if share})
    assert (tmp_path / "boot.svg").read_text() == (tmp_path / "plain.svg").read_text()
    boot.consensus(0.1).plot(tmp_path / "none.svg")
    assert (tmp_path / "boot.svg").read_text() != (tmp_path / "none.svg").read_text()


# -- streams -------------------------------------------------------------------------------------------------------


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


def test_fewer_repeats_are_the_first_ones(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    short = an.bootstrap(rows, repeats=15, seed=2, alpha=0.05)
    assert [g.pairs.tolist() for g in short._saved.graphs] == [g.pairs.tolist() for g in boot._saved.graphs[:15]]
    other = an.bootstrap(rows, repeats=15, seed=3, alpha=0.05)
    assert (
        other.to_frame().drop("a", "b", "estimate").to_numpy().tolist()
        != short.to_frame().drop("a", "b", "estimate").to_numpy().tolist()
    )


# -- who carries it out --------------------------------------------------------------------------------------------


def test_threads_and_processes_find_the_same(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    options: dict[str, Any] = {"repeats": 40, "seed": 2, "alpha": 0.05}
    assert an.bootstrap(rows, workers=3, **options).to_json() == boot.to_json()
    with ThreadPoolExecutor(2) as threads:
        assert an.bootstrap(rows, executor=threads, **options).to_json() == boot.to_json()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert an.bootstrap(rows, executor=processes, **options).to_json() == boot.to_json()
        mixed = an.simulate.mixed(DAG, rows=100, seed=1)
        here = an.bootstrap(mixed, repeats=5)
        assert an.bootstrap(mixed, repeats=5, executor=processes).to_json() == here.to_json()


class Troubled(Executor):
    """Runs what it is given at once, last things first, and fails as it is told."""

    def __init__(self, fault: Callable[[int], BaseException | None], stuck: int | None = None) -> None:
        self.fault = fault
        self.stuck = stuck  # the repeat with which a chunk begins that never comes back
        self.calls = 0

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        self.calls += 1
        future: Future[Any] = Future()
        error = OSError("no") if arguments[2] == self.stuck else self.fault(self.calls)
        if isinstance(error, RuntimeError) and "shutdown" in str(error):
            raise error
        if isinstance(error, an.AncestralError):
            future.set_result(TaskError.by(error))
        elif error is None:
            future.set_result(function(*arguments, **options))
        else:
            future.set_exception(error)
        return future


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each repeat is a chunk, and four are out at a time."""
    monkeypatch.setattr(schedule, "ABOUT", 0.0)
    monkeypatch.setattr(transports.Transport, "workers", lambda self: 2)
    monkeypatch.setattr(transports, "PAUSES", (0.02, 0.02))


@pytest.mark.usefixtures("one_by_one")
def test_a_chunk_that_fails_is_tried_again(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    flaky = Troubled(lambda call: OSError("a worker is gone") if call in (1, 5, 21, 22) else None)
    found = an.bootstrap(rows, repeats=40, seed=2, alpha=0.05, executor=flaky)
    assert found.to_json() == boot.to_json() and flaky.calls == 44


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize(
    "error", [BrokenExecutor("lost its workers"), RuntimeError("cannot schedule new futures after shutdown")]
)
def test_an_executor_that_breaks_leaves_what_was_done(
    rows: pl.DataFrame, boot: an.Bootstrap, error: BaseException
) -> None:
    broken = Troubled(lambda call: error if call > 6 else None)
    with pytest.warns(an.RunWarning, match=r"the executor failed \(.*\); repeats that were done before: 6"):
        found = an.bootstrap(rows, repeats=40, seed=2, alpha=0.05, executor=broken)
    assert (found.repeats, found.wanted, found.stopped) == (6, 40, "executor")
    assert [g.marks.tolist() for g in found._saved.graphs] == [g.marks.tolist() for g in boot._saved.graphs[:6]]


@pytest.mark.usefixtures("one_by_one")
def test_what_fails_again_and_again_ends_it_with_the_first_repeats(rows: pl.DataFrame) -> None:
    hopeless = Troubled(lambda _: None, stuck=3)
    with pytest.warns(an.RunWarning, match="OSError: no"):
        found = an.bootstrap(rows, repeats=40, seed=2, executor=hopeless)
    assert found.repeats == 3 and found.stopped == "executor"  # later ones came back, too
    with pytest.raises(an.RunError, match=r"OSError: never\) before a repeat was done; mend it, or"):
        an.bootstrap(rows, repeats=4, executor=Troubled(lambda call: OSError("never")))


def test_rows_that_come_in_parts_are_read_as_one_table(rows: pl.DataFrame, boot: an.Bootstrap, tmp_path: Path) -> None:
    for i in range(4):
        rows[50 * i : 50 * (i + 1)].write_parquet(tmp_path / f"{i}.parquet")
    found = an.bootstrap(f"{tmp_path}/*.parquet", repeats=40, seed=2, alpha=0.05)
    assert found._saved.reading.source == f"{tmp_path}/*.parquet" and found.fingerprint == boot.fingerprint
    assert found.graphs == boot.graphs
    assert an.bootstrap(iter([rows[:80], rows[80:]]), repeats=40, seed=2, alpha=0.05).graphs == boot.graphs


def test_what_we_refuse_is_not_tried_again(rows: pl.DataFrame) -> None:
    refused = Troubled(lambda call: an.DataError("too large"))
    with pytest.raises(an.DataError, match="too large"):
        an.bootstrap(rows, repeats=4, executor=refused)
    assert refused.calls == 4


@pytest.mark.parametrize("error", [ValueError("odd"), an.DataError("a clear message"), MemoryError("full")])
def test_what_the_work_raises_is_raised_as_it_is(
    rows: pl.DataFrame, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(self: Repeats, number: int, watch: Watch) -> Edges:
        raise error

    monkeypatch.setattr(Repeats, "one", one)
    for options in ({}, {"workers": 2}, {"executor": Troubled(lambda _: None)}):
        with pytest.raises(type(error), match=str(error)):
            an.bootstrap(rows, repeats=4, **options)


@pytest.mark.usefixtures("one_by_one")
def test_what_is_lost_is_sent_again_after_a_pause_and_all_at_once(
    rows: pl.DataFrame, boot: an.Bootstrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[float] = []
    monkeypatch.setattr(transports.Transport, "forget", lambda self, parcel=None: forgotten.append(time.monotonic()))
    monkeypatch.setattr(transports, "PAUSES", (0.3, 0.3))
    began = time.monotonic()
    flaky = Troubled(lambda call: OSError("all workers are gone") if call <= 4 else None)
    found = an.bootstrap(rows, repeats=40, seed=2, alpha=0.05, executor=flaky)
    assert found.to_json() == boot.to_json()
    assert len(forgotten) == 1 and forgotten[0] - began >= 0.3


def test_a_worker_that_is_killed_leaves_what_was_done(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        (worker,) = [pool.submit(os.getpid).result()]
        first = an.bootstrap(rows, repeats=2, seed=2, alpha=0.05, executor=pool)
        assert first.repeats == 2
        os.kill(worker, signal.SIGKILL)
        time.sleep(0.3)
        with pytest.raises(an.RunError, match="before a repeat was done"):
            an.bootstrap(rows, repeats=40, seed=2, alpha=0.05, executor=pool)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes of Dask."""
    with (
        dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
    ):
        yield client


def test_dask_finds_the_same_and_gets_the_data_once(
    rows: pl.DataFrame, boot: an.Bootstrap, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scattered: list[Any] = []
    scatter = cluster.scatter

    def counted(things: list[Any], **options: Any) -> Any:
        scattered.extend(things)
        return scatter(things, **options)

    monkeypatch.setattr(cluster, "scatter", counted)
    found = an.bootstrap(rows, repeats=40, seed=2, alpha=0.05, executor=cluster.get_executor())
    assert found.to_json() == boot.to_json() and len(scattered) == 1


def test_a_worker_of_dask_that_dies_is_replaced(rows: pl.DataFrame, cluster: Any) -> None:
    killed: list[int] = []

    def kill(progress: RepeatsProgress) -> None:
        if not killed:
            killed.append(next(iter(cluster.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    found = an.bootstrap(rows, repeats=1280, seed=2, executor=cluster.get_executor(), progress=kill)
    assert killed and found.stopped is None
    assert found.to_json() == an.bootstrap(rows, repeats=1280, seed=2).to_json()


def test_a_cluster_that_goes_away_leaves_what_was_done(rows: pl.DataFrame) -> None:
    with (
        dask.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
        pytest.warns(an.RunWarning, match="the executor failed"),
    ):
        found = an.bootstrap(
            rows, repeats=50_000, seed=2, executor=client.get_executor(), progress=lambda progress: cluster.close()
        )
    assert found.stopped == "executor" and 0 < found.repeats < 50_000
    first = an.bootstrap(rows, repeats=found.repeats, seed=2)
    assert [g.marks.tolist() for g in found._saved.graphs] == [g.marks.tolist() for g in first._saved.graphs]


def test_a_cluster_without_workers_is_given_up(rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "PATIENCE", 1.0)
    with (
        dask.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
        pytest.raises(an.RunError, match="it has had no workers for 1 s"),
    ):
        an.bootstrap(rows, repeats=4, executor=client.get_executor())


# -- how it ends ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_limit_keeps_the_first_repeats(rows: pl.DataFrame, boot: an.Bootstrap, workers: int) -> None:
    found = an.bootstrap(rows, repeats=10**6, seed=2, alpha=0.05, time_limit=1.0, workers=workers)
    assert found.stopped == "time limit" and 0 < found.repeats < 10**6 == found.wanted
    done = min(found.repeats, 40)
    assert [g.marks.tolist() for g in found._saved.graphs[:done]] == [
        g.marks.tolist() for g in boot._saved.graphs[:done]
    ]
    assert f"ended early (time limit): {found.repeats:,} of 1,000,000 repeats" in str(found)


def test_the_time_limit_ends_an_executor_too(rows: pl.DataFrame) -> None:
    with ThreadPoolExecutor(2) as threads:
        began = time.monotonic()
        found = an.bootstrap(rows, repeats=10**6, time_limit=0.5, executor=threads)
    assert found.stopped == "time limit" and time.monotonic() - began < 20


def test_the_clocks_of_workers_do_not_matter(rows: pl.DataFrame) -> None:
    expected = an.bootstrap(rows, repeats=20, seed=2)
    with ProcessPoolExecutor(2, initializer=other_clocks) as processes:
        found = an.bootstrap(rows, repeats=20, seed=2, time_limit=500, executor=processes)
    assert found.stopped is None and found.repeats == 20
    assert found.to_json() == expected.to_json()


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

    monkeypatch.setattr(Repeats, "one", second)
    repeats = Repeats(source, Settings(), 1)
    assert len(repeats.some(0, 10, seconds=2.5)) == 2
    assert len(repeats.some(0, 10, seconds=0.0)) == 0
    assert len(repeats.some(0, 10)) == 10


def test_nothing_looks_at_the_wall_clock() -> None:
    sources = Path(an.__file__).parent
    assert not [path for path in sources.rglob("*.py") if "time.time(" in path.read_text(encoding="utf-8")]


def one_factor(columns: int) -> pl.DataFrame:
    """One hidden cause drives every column, so that nothing is ever separated: a long search."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((400, 1)) + 0.5 * rng.standard_normal((400, columns))
    return pl.DataFrame(values, schema=[f"x{i}" for i in range(columns)])


def test_no_time_at_all_leaves_no_repeats() -> None:
    boot = an.bootstrap(one_factor(22), repeats=5, time_limit=0.3, possible_ancestors="off")
    assert boot.repeats == 0 and boot.stopped == "time limit"
    assert boot.edge("x0", "x1").edge != boot.edge("x0", "x1").edge  # unknown
    assert "no resample was searched" in str(boot.edge("x0", "x1")) and "0 of 5 repeats" in str(boot)
    assert boot.consensus() == an.PAG(boot.nodes, np.zeros((22, 22), dtype=np.uint8))
    assert boot.to_frame()["edge"].is_nan().all()


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_the_repeats_done(rows: pl.DataFrame, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    told = []

    def tell(progress: an.RepeatsProgress) -> None:
        told.append(progress)
        if progress.done > 3 and not done.is_set():
            done.set()
            raise KeyboardInterrupt

    monkeypatch.setattr(schedule, "TELL_EVERY", 0)
    with pytest.warns(an.RunWarning, match="interrupted; repeats that were done: [0-9]+"):
        found = an.bootstrap(rows, repeats=500, workers=workers, progress=tell)
    # of two threads one may be slow: what came after a gap is not kept
    assert found.stopped == "interrupt" and (3 if workers == 1 else -1) < found.repeats < 500
    whole = an.bootstrap(rows, repeats=max(found.repeats, 1))
    assert [g.marks.tolist() for g in found._saved.graphs] == [
        g.marks.tolist() for g in whole._saved.graphs[: found.repeats]
    ]
    assert told[-1].repeats == 500 and told[-1].remaining is not None and told[-1].elapsed > 0


def test_a_signal_ends_a_long_repeat(tmp_path: Path) -> None:
    """A repeat that takes minutes, in a process of its own, which gets Ctrl-C."""
    script = textwrap.dedent(f"""
        import sys, warnings
        import polars as pl
        import ancestral as an
        warnings.simplefilter("ignore")
        whole = pl.read_csv({str(tmp_path / "data.csv")!r})
        real = an.bootstrap.__globals__["run_repeats"]
        def begun(*arguments, **options):
            print("begun", flush=True)
            return real(*arguments, **options)
        an.bootstrap.__globals__["run_repeats"] = begun
        boot = an.bootstrap(whole, repeats=5, max_radius=9, possible_ancestors="off", workers=int(sys.argv[1]))
        print(boot.stopped, boot.repeats, flush=True)
    """)
    one_factor(16).write_csv(tmp_path / "data.csv")
    for workers in ("1", "2"):
        process = subprocess.Popen([sys.executable, "-c", script, workers], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0 and out.split()[0] == "interrupt" and int(out.split()[1]) < 5


def test_threads_end_when_nobody_waits_for_them(rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), []

    def one(self: Repeats, number: int, watch: Watch) -> Edges:
        if number == 0:
            begun.wait(30)
            raise KeyboardInterrupt
        begun.set()
        until = time.monotonic() + 10
        try:
            while time.monotonic() < until:
                watch.check()
                time.sleep(0.005)
            ended.append("by itself")
        except Stopped:
            ended.append("stopped")
            raise
        return Edges.of(np.zeros((6, 6), dtype=np.uint8))

    monkeypatch.setattr(Repeats, "one", one)
    with pytest.warns(an.RunWarning, match="interrupted; repeats that were done: 0"):
        assert an.bootstrap(rows, repeats=50, workers=2).stopped == "interrupt"
    assert ended and set(ended) == {"stopped"}


def test_progress_is_told(rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "TELL_EVERY", 0)
    told: list[an.RepeatsProgress] = []
    an.bootstrap(rows, repeats=7, progress=told.append)
    assert [p.done for p in told] == list(range(1, 8)) and told[-1].remaining == 0


# -- what is refused -----------------------------------------------------------------------------------------------


def function(x: str, y: str, given: tuple[str, ...]) -> float:
    raise AssertionError("nothing may be asked")


class Tester:
    names = ("a", "b")

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        raise AssertionError("nothing may be asked")


@pytest.mark.parametrize(
    ("make", "options", "said"),
    [
        (lambda rows: an.Oracle(DAG), {}, "an Oracle knows the truth and has no rows to draw"),
        (lambda rows: an.Moments.of(rows), {}, "moments have no rows to draw; pass the table"),
        (lambda rows: an.Counts.of(rows.head(5)), {}, "counts have no rows to draw; pass the table"),
        (lambda rows: function, {"names": ["a", "b"]}, "a function does not see which rows are drawn"),
        (lambda rows: Tester(), {}, "a function does not see which rows are drawn"),
        (lambda rows: rows, {"test": function}, "a function does not see which rows are drawn"),
        (lambda rows: DAG, {}, "a source must be data or a test, and a DAG is a graph"),
        (lambda rows: rows, {"repeats": 0}, "repeats=0 is no count; pass a whole number, 1 or more"),
        (lambda rows: rows, {"seed": -1}, "seed=-1 is no count"),
        (lambda rows: rows, {"seed": 1 << 64}, "is too large; pass a whole number from 0 to 18,446"),
        (lambda rows: rows, {"subsample": 1.5}, "subsample=1.5 is no share of the rows; pass a number between 0 and 1"),
        (lambda rows: rows, {"subsample": True}, "subsample=True is no share"),
        (lambda rows: rows, {"subsample": 0.01}, "subsample=0.01 of 200 rows are 2; a search needs at least 5"),
        (lambda rows: rows, {"executor": 4}, "executor=4 is no executor; pass a concurrent.futures.Executor"),
        (lambda rows: rows, {"executor": Troubled(lambda _: None), "workers": 2}, "workers=2 are threads"),
        (lambda rows: rows, {"workers": 0}, "workers=0 is no count"),
        (lambda rows: rows, {"progress": "yes"}, "progress='yes' is neither"),
        (lambda rows: rows, {"time_limit": 0}, "time_limit=0 is no time"),
    ],
)
def test_what_cannot_be_resampled_is_refused(
    rows: pl.DataFrame, make: Callable[[pl.DataFrame], Any], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(an.OptionError, match=said):
        an.bootstrap(make(rows), **options)


def test_a_test_that_has_its_table_is_resampled(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    made = an.discover(rows, alpha=0.05).test
    assert an.bootstrap(made, repeats=40, seed=2).edge("c", "d").types == boot.edge("c", "d").types
