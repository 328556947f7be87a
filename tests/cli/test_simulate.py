from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ancestral as an
from ancestral.cli.graphs import read_graph
from tests.support.command_line import ran


def test_data_and_truth(tmp_path: Path) -> None:
    data, truth = tmp_path / "data.csv", tmp_path / "truth.txt"
    options = ["--nodes", 8, "--degree", 2.5, "--latent", 2, "--selection", 1, "--rows", 200, "--seed", 3]
    done = ran("simulate", *options, "--output", data, "--truth", truth)
    assert (done.code, done.out) == (0, "")
    dag = an.simulate.random_dag(8, 2.5, seed=3, latent=2, selection=1)
    assert read_graph(truth) == dag
    assert_frame_equal(pl.read_csv(data), an.simulate.linear_gaussian(dag, 200, seed=3))
    again = tmp_path / "again.csv"
    assert ran("simulate", "--graph", truth, "--rows", 200, "--seed", 3, "--output", again).code == 0
    assert again.read_bytes() == data.read_bytes()


def test_files_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ran("simulate").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "truth.txt"]
    before = (tmp_path / "data.csv").read_bytes()
    assert pl.read_csv(before).height == 1000
    done = ran("simulate", "--rows", 10)
    assert done.code == 2
    assert done.err == "ancestral: error: data.csv: exists already; choose another name, or overwrite it with --force\n"
    done = ran("simulate", "--rows", 10, "--output", "other.csv")
    assert (done.code, (tmp_path / "other.csv").exists()) == (2, False)
    assert (tmp_path / "data.csv").read_bytes() == before
    assert ran("simulate", "--rows", 10, "--force").code == 0
    assert pl.read_csv(tmp_path / "data.csv").height == 10


@pytest.mark.parametrize(
    ("kind", "options"), [("discrete", {"levels": 3}), ("mixed", {"levels": 4}), ("discrete", {}), ("nonlinear", {})]
)
@pytest.mark.parametrize("name", ["data.parquet", "data.csv.gz", "data.tsv"])
def test_kinds_and_files(kind: str, options: dict[str, int], name: str, tmp_path: Path) -> None:
    data, truth = tmp_path / name, tmp_path / "truth.txt"
    levels = [part for key, value in options.items() for part in (f"--{key}", value)]
    done = ran("simulate", "--kind", kind, *levels, "--rows", 50, "--output", data, "--truth", truth)
    assert done.code == 0
    expected = getattr(an.simulate, kind)(read_graph(truth), 50, seed=1, **options)
    assert an.Table.of(data).names == tuple(expected.columns)
    if name.endswith("parquet"):
        assert_frame_equal(pl.read_parquet(data), expected)
    else:
        assert_frame_equal(pl.read_csv(data, separator="\t" if "tsv" in name else ","), expected)


def test_a_graph_of_ones_own(tmp_path: Path) -> None:
    graph, data = tmp_path / "dag.txt", tmp_path / "data.csv"
    graph.write_text("a --> b, L --> b, L --> c\nlatent: L\n", encoding="utf-8")
    assert ran("simulate", "--graph", graph, "--rows", 20, "--keep", 0.3, "--output", data).code == 0
    assert pl.read_csv(data).shape == (20, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dag.txt", "data.csv"]
    graph.write_text("a o-> b", encoding="utf-8")
    done = ran("simulate", "--graph", graph, "--output", data, "--force")
    assert done.code == 2
    assert "must be a DAG" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--nodes", "1"], "nodes must be a whole number of at least 2, got 1"),
        (["--rows", "0"], "rows must be a whole number of at least 1, got 0"),
        (["--levels", "3"], "--levels cannot be combined with --kind gaussian"),
        (["--kind", "mixed", "--keep", "0.2"], "--keep cannot be combined with --kind mixed"),
        (["--kind", "nonlinear", "--levels", "3"], "--levels cannot be combined with --kind nonlinear"),
        (["--output", "data.xlsx"], "must end in one of .csv, .tsv (also with .gz) and .parquet"),
        (["--output", "a.csv", "--truth", "a.csv"], "is named twice"),
        (["--output", "none/a.csv"], "there is no directory"),
    ],
)
def test_bad_options(options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = ran("simulate", *options)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert list(tmp_path.iterdir()) == []
