"""On the workers of an executor, the answer is the same to the byte; a failing executor ends the run properly."""

import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.errors import KnowledgeWarning, RunError, RunWarning
from ancestral.parallel.tuning import Tuning
from ancestral.search.progress import Progress
from ancestral.search.remote import cut
from tests.support.custom_tests import Deadly, PartialCorrelation, Telling, Unable, other_clocks, wrong
from tests.support.executors import SEND_ALL, CountingExecutor, ShuffledExecutor, discover, stages

dask: Any = import_module("distributed")  # it has types, and most of its names have none

#: On these verification has more to ask than on most.
DAG = an.simulate.random_dag(nodes=14, degree=4, latent=3, seed=3)
VALUES = an.simulate.linear_gaussian(DAG, rows=200, seed=1).to_numpy()

#: A table for each kind of test, one with holes, a true graph, and a test of the user's own.
SOURCES: dict[str, tuple[Any, dict[str, Any]]] = {
    "fisher-z": (an.simulate.linear_gaussian(DAG, rows=300, seed=1), {}),
    "g": (an.simulate.discrete(DAG, rows=400, levels=3, seed=1), {}),
    "mixed": (an.simulate.mixed(DAG, rows=500, seed=1), {}),
    "testwise": (
        np.where(np.random.default_rng(1).random(VALUES.shape) < 0.03, np.nan, VALUES),
        {"missing": "testwise"},
    ),
    "oracle": (an.Oracle(DAG), {}),
    "own": (PartialCorrelation(VALUES), {}),
}


@pytest.fixture
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """One of several kinds of executors."""
    if request.param == "threads":
        with ThreadPoolExecutor(2) as pool:
            yield pool
    elif request.param == "processes":
        yield request.getfixturevalue("processes")
    elif request.param == "shuffled":
        with ShuffledExecutor() as shuffled:
            yield shuffled
    else:
        yield request.getfixturevalue("cluster").get_executor()


EVERY_KIND = pytest.mark.parametrize("executor", ["threads", "processes", "shuffled", "dask"], indirect=True)


@EVERY_KIND
@pytest.mark.parametrize("kind", SOURCES)
def test_the_run_file_is_the_same_to_the_byte(kind: str, executor: Executor) -> None:
    source, options = SOURCES[kind]
    for algorithm, verify in [("icd", True), ("icd", False), ("fci", True), ("pc", True)]:
        chosen = {**options, "algorithm": algorithm, "verify": verify, "max_radius": 3}
        here = an.discover(source, **chosen)
        there = discover(source, executor=executor, **chosen)
        assert there.to_json() == here.to_json(), (algorithm, verify)
        assert there.unsupported == here.unsupported
        assert kind != "g" or here.unsupported.total() > 0


@pytest.mark.parametrize("algorithm", ["rfci", "fci+"])
@pytest.mark.parametrize("kind", ["g", "mixed", "own"])
def test_the_other_algorithms_too(kind: str, algorithm: str) -> None:
    source, options = SOURCES[kind]
    with ShuffledExecutor(seed=2) as shuffled:
        there = discover(source, executor=shuffled, algorithm=algorithm, **options)
    assert there.to_json() == an.discover(source, algorithm=algorithm, **options).to_json()


def test_knowledge_goes_along() -> None:
    names = an.discover(SOURCES["fisher-z"][0], max_radius=0).pag.nodes
    knowledge = an.Knowledge(tiers=[names[:5], names[5:]], no_edge=[(names[1], names[9])])
    for algorithm in ("icd", "fci"):
        chosen: dict[str, Any] = {"algorithm": algorithm, "knowledge": knowledge}
        with ShuffledExecutor() as shuffled, warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)  # whether it is true does not matter here
            there = discover(SOURCES["fisher-z"][0], executor=shuffled, **chosen)
            here = an.discover(SOURCES["fisher-z"][0], **chosen)
        assert there.to_json() == here.to_json()
        assert here.tests != an.discover(SOURCES["fisher-z"][0], algorithm=algorithm).tests


def test_it_did_arrive_out_of_order() -> None:
    with ShuffledExecutor() as shuffled:
        discover(SOURCES["own"][0], executor=shuffled)
    assert len(shuffled.order) > 20
    assert any(a > b for a, b in pairwise(shuffled.order))


def test_the_questions_of_verification_go_out_too() -> None:
    """But for those that depend on each other's answers. One that stands in two lines may be asked twice."""
    oracle = an.Oracle(an.simulate.random_dag(nodes=12, degree=4, latent=2, seed=10))
    asked: list[tuple[bool, tuple[str, ...], tuple[str, ...]]] = []
    main = threading.get_ident()

    def own(x: str, y: str, given: tuple[str, ...]) -> float:
        asked.append((threading.get_ident() == main, tuple(sorted((x, y))), tuple(sorted(given))))
        return float(oracle.independent(x, y, given) is True)

    for algorithm in ("icd", "rfci"):
        asked.clear()
        here = an.discover(own, names=oracle.names, algorithm=algorithm, colliders="first")
        alone = Counter(question[1:] for question in asked)
        asked.clear()
        with ThreadPoolExecutor(2) as pool:
            there = discover(own, names=oracle.names, algorithm=algorithm, colliders="first", executor=pool)
        assert there.to_json() == here.to_json()
        assert here.verify_tests.total() > 30
        more = Counter(question[1:] for question in asked)
        assert alone <= more
        assert (more - alone).total() < here.verify_tests.total() // 3
        assert sum(question[0] for question in asked) < here.verify_tests.total() // 3


def test_the_questions_of_agreement_go_out_too() -> None:
    """Each of them once: later stages know the answers."""
    oracle = an.Oracle(an.simulate.random_dag(nodes=10, degree=3, latent=2, seed=10))
    asked: list[tuple[bool, tuple[str, ...], tuple[str, ...]]] = []
    main = threading.get_ident()

    def own(x: str, y: str, given: tuple[str, ...]) -> float:
        asked.append((threading.get_ident() == main, tuple(sorted((x, y))), tuple(sorted(given))))
        return float(oracle.independent(x, y, given) is True)

    here = an.discover(own, names=oracle.names, verify=False)
    asked.clear()
    with ThreadPoolExecutor(2) as pool:
        there = discover(own, names=oracle.names, verify=False, executor=pool)
    assert there.to_json() == here.to_json()
    assert here.verify_tests.total() > 100
    assert not any(question[0] for question in asked)
    assert len(asked) == here.tests.total() + here.verify_tests.total()
    assert max(Counter(question[1:] for question in asked).values()) == 2  # once by the search, once by agreement


def test_quick_and_small_is_done_here() -> None:
    with CountingExecutor(2) as pool:
        an.discover(SOURCES["fisher-z"][0], executor=pool)
        assert pool.calls == 0
        an.discover(SOURCES["g"][0], executor=pool)
        assert pool.calls > 0


def test_a_run_goes_on_elsewhere(tmp_path: Path, processes: ProcessPoolExecutor) -> None:
    """Begun here, ended there, with what was learned given nothing."""
    for kind in ("g", "own"):
        source, options = SOURCES[kind]
        path = tmp_path / f"{kind}.json"
        an.discover(source, max_radius=1, save=path, **options)
        there = discover(source, resume=path, executor=processes, **options)
        assert there.to_json() == an.discover(source, **options).to_json()


def test_stages_too() -> None:
    with ShuffledExecutor() as shuffled:
        there = [(s.radius, s.tests, s.pag) for s in stages(SOURCES["own"][0], executor=shuffled)]
    assert there == [(s.radius, s.tests, s.pag) for s in an.stages(SOURCES["own"][0])]


@pytest.mark.parametrize("count", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("parts", [1, 3, 16])
def test_a_cut_leaves_nothing_out(count: int, parts: int) -> None:
    work = np.random.default_rng(count).exponential(size=count) ** 3
    shares = cut(work, parts)
    assert [i for first, stop in shares for i in range(first, stop)] == list(range(count))
    assert all(first < stop for first, stop in shares)
    assert len(shares) <= parts
    for first, stop in shares:  # no more than its part, but for its last one
        assert work[first : stop - 1].sum() <= work.sum() / parts * (1 + 1e-9)


def test_chunks_are_worth_sending() -> None:
    """As soon as it is known how long a question takes: a few chunks for quick ones, more for slow ones."""

    class Slow(PartialCorrelation):
        def before(self, given: tuple[str, ...]) -> None:
            time.sleep(0.002)

    sent = []
    for shortest in (100.0, 1e-9):  # every question is quick, every question is slow, in comparison
        with CountingExecutor(2) as pool:
            tuning = replace(SEND_ALL, chunks_per_worker=6, shortest_chunk=shortest)
            found = discover(Slow(VALUES), tuning, executor=pool, max_radius=1, verify=False, colliders="first")
            sent.append(pool.calls)
    pairs = found.history[0].edges
    rows = len(found.pag.nodes) - 1
    assert sent[0] <= 12 + 2 and sent[0] > 4
    assert sent[1] > sent[0]
    assert sent[1] <= min(12, rows) + min(12, pairs)


# -- trouble ----------------------------------------------------------------------------------------------------------


def test_what_is_lost_is_sent_again() -> None:
    lost = {2: ConnectionError("reset"), 5: OSError("closed"), 30: TimeoutError("too long")}
    with ShuffledExecutor(fails=lambda number: lost.get(number)) as shuffled:
        there = discover(SOURCES["own"][0], executor=shuffled)
    assert set(lost) <= set(shuffled.order)
    assert there.to_json() == an.discover(SOURCES["own"][0]).to_json()


def test_a_chunk_may_be_lost_three_times() -> None:
    """There is one chunk in a radius, and only each fourth call comes back."""
    with ShuffledExecutor(fails=lambda number: None if number % 4 == 3 else OSError("closed")) as single:
        single._max_workers = 1
        tuning = replace(SEND_ALL, chunks_per_worker=1)
        there = discover(SOURCES["own"][0], tuning, executor=single, verify=False, colliders="first")
    assert len(single.order) == 4 * len(there.history)
    assert there.to_json() == an.discover(SOURCES["own"][0], verify=False, colliders="first").to_json()


def test_what_is_lost_again_and_again_ends_the_run() -> None:
    """The first chunks come back; then nothing does."""
    with ShuffledExecutor(fails=lambda number: ConnectionError("reset") if number >= 40 else None) as shuffled:
        with pytest.warns(RunWarning, match=r"the executor is gone \(ConnectionError: reset\): this is the graph"):
            found = discover(SOURCES["own"][0], executor=shuffled)
        assert found.stopped == "executor"
        whole = list(an.stages(SOURCES["own"][0]))
        assert found.radius is not None and 0 <= found.radius < (whole[-1].radius or 0)
        assert found.pag == whole[found.radius].pag
        with pytest.warns(RunWarning, match="the executor is gone"):
            assert list(stages(SOURCES["own"][0], executor=shuffled)) == []
    assert "stopped when its executor was gone: if every test was right, what it says is true" in str(found)


def test_a_run_without_its_executor_is_saved_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with (
        ShuffledExecutor(fails=lambda number: ConnectionError("reset") if number >= 40 else None) as shuffled,
        pytest.warns(RunWarning, match="the executor is gone"),
    ):
        discover(SOURCES["own"][0], executor=shuffled, save=path)
    assert an.load(path).stopped == "executor"
    assert an.discover(SOURCES["own"][0], resume=path).to_json() == an.discover(SOURCES["own"][0]).to_json()


def test_an_executor_that_was_shut_down() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.warns(RunWarning, match="the executor is gone .*after shutdown"):
        found = an.discover(SOURCES["own"][0], executor=pool)
    assert (found.stopped, found.radius) == ("executor", -1)


def test_an_error_of_the_function_is_the_users() -> None:
    """Even one that looks as if a line were broken: it is raised at once, and says where it happened."""
    for executor in (ThreadPoolExecutor(2), ShuffledExecutor()):
        with executor, pytest.raises(ConnectionError, match="the database said no") as caught:
            discover(Unable(VALUES), executor=executor)
        assert "in before" in "".join(caught.value.__notes__)
    with (
        ShuffledExecutor() as shuffled,
        pytest.raises(an.OptionError, match=r"'wrong' answered 7 for . and . given nothing"),
    ):
        discover(wrong, names=["a", "b", "c"], executor=shuffled)


def test_workers_that_cannot_run_it() -> None:
    error = ModuleNotFoundError("No module named 'ancestral'")
    message = r"No module named 'ancestral'.*install the same packages on all workers"
    with ShuffledExecutor(fails=lambda number: error) as shuffled, pytest.raises(RunError, match=message):
        discover(SOURCES["own"][0], executor=shuffled)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"executor": 2}, "executor must be a concurrent.futures.Executor, got 2"),
        ({"stable": False}, "stable=False cannot be combined with executor=; an edge would have to be removed before"),
        ({"workers": 2}, "workers=2 cannot be combined with executor=; workers are threads of this process"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], message: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        for call in (an.discover, an.stages):
            with pytest.raises(an.OptionError, match=message):
                call(SOURCES["fisher-z"][0], **{"executor": pool, **options})


def test_a_test_that_cannot_be_sent() -> None:
    lock = threading.Lock()

    def function(x: str, y: str, given: tuple[str, ...]) -> float:
        with lock:
            return 0.5

    with (
        ShuffledExecutor() as shuffled,
        pytest.raises(an.OptionError, match=r"'function' cannot be sent .* ThreadPoolExecutor"),
    ):
        discover(function, names=["a", "b", "c"], executor=shuffled)
    with ThreadPoolExecutor(2) as pool:
        assert an.discover(function, names=["a", "b", "c"], executor=pool).complete


@EVERY_KIND
def test_a_closure_can_be_sent(executor: Executor) -> None:
    level = 0.5
    found = discover(lambda x, y, given: level, names=["a", "b", "c"], executor=executor)
    assert found.pag.edges() == []


def test_the_clocks_of_workers_do_not_matter() -> None:
    with ProcessPoolExecutor(2, initializer=other_clocks) as pool:
        found = discover(SOURCES["own"][0], executor=pool, time_limit=500)
    assert found.complete and found.pag == an.discover(SOURCES["own"][0]).pag


def test_a_time_limit_binds(processes: ProcessPoolExecutor, tmp_path: Path) -> None:
    # workers take some time to start
    assert discover(SOURCES["own"][0], executor=processes).complete
    test = Telling(VALUES, tmp_path / "mark")
    found = discover(test, executor=processes, time_limit=1.0)
    assert found.stopped == "time limit"
    assert found.radius is not None and found.radius <= 1  # radius 2 would take many times as long
    time.sleep(2.0)  # workers look at the clock themselves, and are free soon
    asked_last = test.asked_last()
    time.sleep(0.5)
    assert test.asked_last() == asked_last
    assert discover(SOURCES["own"][0], executor=processes).complete


def test_progress_and_ctrl_c() -> None:
    reports: list[Progress] = []

    def tell(progress: Progress) -> None:
        reports.append(progress)
        if progress.radius == 2:
            raise KeyboardInterrupt

    class Slow(PartialCorrelation):
        def before(self, given: tuple[str, ...]) -> None:
            time.sleep(0.005)

    with CountingExecutor(2) as pool, pytest.warns(RunWarning, match="interrupted"):
        found = discover(Slow(VALUES), executor=pool, progress=tell)
    assert (found.stopped, found.radius) == ("interrupt", 1)
    assert all(a.questions <= b.questions and (a.radius or 0) <= (b.radius or 0) for a, b in pairwise(reports))
    assert all(0 <= p.done <= p.edges for p in reports)


def test_a_pool_whose_worker_is_killed_ends_the_run(tmp_path: Path) -> None:
    with (
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool,
        pytest.warns(RunWarning, match="the executor is gone .BrokenProcessPool"),
    ):
        found = discover(Deadly(VALUES, tmp_path, times=1), executor=pool)
    assert (found.stopped, found.radius) == ("executor", 1)
    assert found.pag == list(an.stages(SOURCES["own"][0], max_radius=1))[-1].pag


# -- on a cluster -----------------------------------------------------------------------------------------------------


def test_dask_sends_the_test_once(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each payload is scattered once: the test, and every radius; chunks only refer to them."""
    scattered: list[int] = []
    scatter = cluster.scatter

    def counted(things: list[Any], **options: Any) -> Any:
        assert options["broadcast"]
        scattered.append(len(things[0].content))
        return scatter(things, **options)

    monkeypatch.setattr(cluster, "scatter", counted)
    found = discover(SOURCES["g"][0], executor=cluster.get_executor(), verify=False, colliders="first")
    assert len(scattered) == 1 + len(found.history)
    assert scattered[0] > 10_000  # of 400 rows
    assert max(scattered[1:]) < 10_000


def test_a_worker_that_dies_is_retried(cluster: Any, tmp_path: Path) -> None:
    """Killed in the middle of a chunk; its nanny starts another one."""
    test = Deadly(VALUES, tmp_path, times=1)
    there = discover(test, executor=cluster.get_executor())
    assert test.marks[0].exists()
    here = an.discover(Deadly(VALUES, tmp_path, times=0))
    assert there.to_json() == here.to_json()


def test_all_workers_may_die(cluster: Any, tmp_path: Path) -> None:
    """With them goes all that was sent; it is sent again."""
    cluster.wait_for_workers(2)
    test = Deadly(VALUES, tmp_path, times=2)
    there = discover(test, executor=cluster.get_executor())
    assert all(mark.exists() for mark in test.marks)
    assert there.to_json() == an.discover(Deadly(VALUES, tmp_path, times=0)).to_json()


def test_a_cluster_without_workers() -> None:
    """They are waited for, as long as there is time, and then for a while."""
    with (
        dask.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
    ):
        found = an.discover(SOURCES["own"][0], executor=client.get_executor(), time_limit=0.5)
        assert (found.stopped, found.radius) == ("time limit", -1)
        with pytest.warns(RunWarning, match="the executor is gone .it has had no workers for 1 s"):
            found = discover(SOURCES["own"][0], Tuning(no_workers_timeout=1.0), executor=client.get_executor())
        assert (found.stopped, found.radius) == ("executor", -1)


def test_a_cluster_that_goes_away_ends_the_run(tmp_path: Path) -> None:
    test = Telling(VALUES, tmp_path / "mark")
    with (
        dask.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
    ):

        def close(progress: Progress) -> None:
            if test.mark.exists():
                cluster.close()

        with pytest.warns(RunWarning, match="the executor is gone"):
            found = discover(test, executor=client.get_executor(), progress=close)
    assert (found.stopped, found.radius) == ("executor", 1)
    assert found.pag == list(an.stages(SOURCES["own"][0], max_radius=1))[-1].pag
