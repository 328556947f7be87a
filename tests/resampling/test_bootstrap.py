"""The front door of resampling: options, sources, and how a bootstrap ends."""

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from tests.support.executors import FailingExecutor


def test_all_rows_are_searched_too(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    plain = an.discover(rows, alpha=0.05)
    assert boot.found is not None and boot.found.pag == boot.pag == plain.pag
    assert boot.fingerprint == plain.test.fingerprint and boot.settings == plain.settings


def test_resamples_keep_to_what_is_known(rows: pl.DataFrame) -> None:
    known = an.Knowledge(tiers=[["d"], ["a", "b", "c", "e", "f"]])
    with pytest.warns(an.KnowledgeWarning):
        asked = an.bootstrap(rows, repeats=10, knowledge=known, algorithm="icd")
    for boot in (asked, an.bootstrap(rows, repeats=10, knowledge=known)):
        found = boot.edge("c", "d")
        assert found.edge == 1 and found.at_a["arrowhead"] == 1


def test_the_order_of_columns_does_not_matter(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    other = an.bootstrap(rows.select(sorted(rows.columns, reverse=True)), repeats=40, seed=2, alpha=0.05)
    assert other.nodes == tuple("fedcba") != boot.nodes
    for a in boot.nodes:
        for b in set(boot.nodes) - {a}:
            assert other.edge(a, b).types == boot.edge(a, b).types


def test_fewer_repeats_are_the_first_ones(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    short = an.bootstrap(rows, repeats=15, seed=2, alpha=0.05)
    assert [g.pairs.tolist() for g in short._saved.graphs] == [g.pairs.tolist() for g in boot._saved.graphs[:15]]
    other = an.bootstrap(rows, repeats=15, seed=3, alpha=0.05)
    assert (
        other.to_frame().drop("a", "b", "estimate").to_numpy().tolist()
        != short.to_frame().drop("a", "b", "estimate").to_numpy().tolist()
    )


def test_threads_and_processes_find_the_same(
    rows: pl.DataFrame, boot: an.Bootstrap, dag: an.DAG, processes: ProcessPoolExecutor
) -> None:
    options: dict[str, Any] = {"repeats": 40, "seed": 2, "alpha": 0.05}
    assert an.bootstrap(rows, workers=3, **options).to_json() == boot.to_json()
    with ThreadPoolExecutor(2) as threads:
        assert an.bootstrap(rows, executor=threads, **options).to_json() == boot.to_json()
    assert an.bootstrap(rows, executor=processes, **options).to_json() == boot.to_json()
    mixed = an.simulate.mixed(dag, rows=100, seed=1)
    here = an.bootstrap(mixed, repeats=5)
    assert an.bootstrap(mixed, repeats=5, executor=processes).to_json() == here.to_json()


def test_rows_that_come_in_parts_are_read_as_one_table(rows: pl.DataFrame, boot: an.Bootstrap, tmp_path: Path) -> None:
    for i in range(4):
        rows[50 * i : 50 * (i + 1)].write_parquet(tmp_path / f"{i}.parquet")
    found = an.bootstrap(f"{tmp_path}/*.parquet", repeats=40, seed=2, alpha=0.05)
    assert found._saved.reading.source == f"{tmp_path}/*.parquet" and found.fingerprint == boot.fingerprint
    assert found.graphs == boot.graphs
    assert an.bootstrap(iter([rows[:80], rows[80:]]), repeats=40, seed=2, alpha=0.05).graphs == boot.graphs


def test_a_test_that_has_its_table_is_resampled(rows: pl.DataFrame, boot: an.Bootstrap) -> None:
    made = an.discover(rows, alpha=0.05).test
    assert an.bootstrap(made, repeats=40, seed=2).edge("c", "d").types == boot.edge("c", "d").types


def one_factor(columns: int) -> pl.DataFrame:
    """One hidden cause drives every column, so that nothing is ever separated: a long search."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((400, 1)) + 0.5 * rng.standard_normal((400, columns))
    return pl.DataFrame(values, schema=[f"x{i}" for i in range(columns)])


def test_no_time_at_all_leaves_no_repeats() -> None:
    boot = an.bootstrap(one_factor(40), repeats=5, time_limit=0.3, possible_ancestors="off")
    assert boot.repeats == 0 and boot.stopped == "time limit"
    assert boot.edge("x0", "x1").edge != boot.edge("x0", "x1").edge  # unknown
    assert "no resample was searched" in str(boot.edge("x0", "x1")) and "0 of 5 repeats" in str(boot)
    assert boot.consensus() == an.PAG(boot.nodes, np.zeros((40, 40), dtype=np.uint8))
    assert boot.to_frame()["edge"].is_nan().all()


@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_limit_keeps_the_first_repeats(rows: pl.DataFrame, boot: an.Bootstrap, workers: int) -> None:
    found = an.bootstrap(rows, repeats=10**6, seed=2, alpha=0.05, time_limit=1.0, workers=workers)
    assert found.stopped == "time limit" and 0 < found.repeats < 10**6 == found.wanted
    done = min(found.repeats, 40)
    assert [g.marks.tolist() for g in found._saved.graphs[:done]] == [
        g.marks.tolist() for g in boot._saved.graphs[:done]
    ]
    assert f"ended early (time limit): {found.repeats:,} of 1,000,000 repeats" in str(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_the_repeats_done(rows: pl.DataFrame, boot: an.Bootstrap, workers: int) -> None:
    def tell(progress: an.RepeatsProgress) -> None:
        raise KeyboardInterrupt

    with pytest.warns(an.RunWarning, match="interrupted; repeats that were done: [0-9]+"):
        found = an.bootstrap(rows, repeats=10**6, seed=2, alpha=0.05, workers=workers, progress=tell)
    assert found.stopped == "interrupt" and found.repeats < 10**6 == found.wanted
    done = min(found.repeats, 40)
    assert [g.marks.tolist() for g in found._saved.graphs[:done]] == [
        g.marks.tolist() for g in boot._saved.graphs[:done]
    ]


def test_a_signal_ends_long_repeats(tmp_path: Path) -> None:
    """Repeats that take minutes together, in a process of its own, which gets Ctrl-C within one of the first."""
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
        boot = an.bootstrap(whole, repeats=1000, max_radius=9, possible_ancestors="off", workers=int(sys.argv[1]))
        print(boot.stopped, boot.repeats, flush=True)
    """)
    one_factor(20).write_csv(tmp_path / "data.csv")
    for workers in ("1", "2"):
        process = subprocess.Popen([sys.executable, "-c", script, workers], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0 and out.split()[0] == "interrupt" and int(out.split()[1]) < 1000


def function(x: str, y: str, given: tuple[str, ...]) -> float:
    raise AssertionError("nothing may be asked")


class Tester:
    names = ("a", "b")

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        raise AssertionError("nothing may be asked")


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (lambda rows: an.Oracle(an.DAG.parse("a -> b")), {}, "an Oracle knows the truth and has no rows to draw"),
        (lambda rows: an.Moments.of(rows), {}, "moments have no rows to draw; pass the rows that they were made of$"),
        (
            lambda rows: an.Counts.of(rows.head(5)),
            {},
            "counts have no rows to draw; pass the rows that they were made of$",
        ),
        (lambda rows: function, {"names": ["a", "b"]}, "a function does not see which rows are drawn"),
        (lambda rows: Tester(), {}, "a function does not see which rows are drawn"),
        (lambda rows: rows, {"test": function}, "a function does not see which rows are drawn"),
        (lambda rows: an.DAG.parse("a -> b"), {}, "a source must be data or a test, and a DAG is a graph"),
        (lambda rows: rows, {"repeats": 0}, "repeats must be a whole number of at least 1, got 0"),
        (lambda rows: rows, {"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        (lambda rows: rows, {"seed": 1 << 64}, "seed must be a whole number from 0 to 18,446"),
        (lambda rows: rows, {"subsample": 1.5}, "subsample must be between 0 and 1, got 1.5; for example 0.5"),
        (lambda rows: rows, {"subsample": True}, "subsample must be between 0 and 1, got True"),
        (lambda rows: rows, {"subsample": 0.01}, "subsample=0.01 of 200 rows are 2, and a search needs at least 5"),
        (lambda rows: rows, {"executor": 4}, "executor must be a concurrent.futures.Executor, got 4"),
        (
            lambda rows: rows,
            {"executor": FailingExecutor(), "workers": 2},
            "workers=2 cannot be combined with executor=",
        ),
        (lambda rows: rows, {"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        (lambda rows: rows, {"progress": "yes"}, "progress must be True, False, None or a function, got 'yes'"),
        (lambda rows: rows, {"time_limit": 0}, "time_limit must be a number of seconds above 0, got 0"),
    ],
)
def test_what_cannot_be_resampled_is_refused(
    rows: pl.DataFrame, make: Callable[[pl.DataFrame], Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.bootstrap(make(rows), **options)
