from pathlib import Path
from typing import Any

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
    ("kind", "words", "options"),
    [
        (
            "gaussian",
            ["--do", "x2=0.5", "--shift", "x3=-1", "--shift", "x4=2"],
            {"do": {"x2": 0.5}, "shift": {"x3": -1, "x4": 2}},
        ),
        ("gaussian", ["--do", "x2 = random", "--sample", 3], {"do": {"x2": "random"}, "sample": 3}),
        ("nonlinear", ["--shift", "x2=1e-1"], {"shift": {"x2": 0.1}}),
        ("discrete", ["--do", "x2=1", "--levels", 3], {"do": {"x2": 1}, "levels": 3}),
        ("mixed", ["--do", "x2=random", "--sample", 1], {"do": {"x2": "random"}, "sample": 1}),
    ],
)
def test_experiments(kind: str, words: list[Any], options: dict[str, Any], tmp_path: Path) -> None:
    data, truth = tmp_path / "data.parquet", tmp_path / "truth.txt"
    done = ran("simulate", "--kind", kind, *words, "--rows", 50, "--output", data, "--truth", truth)
    assert done.code == 0, done.err
    dag = read_graph(truth)
    assert isinstance(dag, an.DAG)
    assert_frame_equal(pl.read_parquet(data), an.simulate.intervene(dag, 50, system=kind, seed=1, **options))


def test_a_selection_that_hardly_any_row_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dag.txt").write_text("a --> s\nselection: s\n", encoding="utf-8")
    sign = 1 if an.simulate.gaussian_model(an.DAG.parse("a -> s", selection=["s"]), seed=1).weights[0, 1] > 0 else -1
    done = ran("simulate", "--graph", "dag.txt", "--do", f"a={-50 * sign}")
    assert done.code == 2
    assert "; change less by --do and --shift, pass a share larger than --keep 0.5, select by fewer" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--nodes", "1"], "nodes must be a whole number of at least 2, got 1"),
        (["--rows", "0"], "rows must be a whole number of at least 1, got 0"),
        (["--levels", "3"], "--levels cannot be combined with --kind gaussian"),
        (["--kind", "mixed", "--keep", "0.2"], "--keep cannot be combined with --kind mixed"),
        (["--kind", "nonlinear", "--levels", "3"], "--levels cannot be combined with --kind nonlinear"),
        (["--kind", "ordinal", "--do", "x1=1"], "--do cannot be combined with --kind ordinal"),
        (["--kind", "ordinal", "--sample", "1"], "--sample cannot be combined with --kind ordinal"),
        (["--do", "x1"], "--do must be a name and a value, got 'x1'; for example --do x=1"),
        (["--shift", "=1"], "--shift must be a name and a value, got '=1'; for example --shift x=1"),
        (["--do", "x1=1", "--do", "x1=2"], "--do names 'x1' twice; name it once"),
        (["--do", "x1=1", "--shift", "x1=2"], "--do names 'x1', and so does --shift; "),
        (["--do", "x1=b"], "for the continuous node 'x1', got 'b'; for example --do x1=0.0"),
        (["--shift", "y1=1"], "--shift must name nodes of the DAG, which has no 'y1'"),
        (["--sample", "-1"], "--sample must be a whole number of at least 0, got -1"),
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
