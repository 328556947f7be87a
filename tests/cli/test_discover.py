import inspect
import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ancestral as an
from ancestral import PAG
from ancestral.independence import TESTS
from ancestral.search.algorithms import ALGORITHMS
from tests.support.command_line import one_factor, ran

DAG = an.DAG.parse("a --> c, b --> c, c --> d, L --> d, L --> e", latent=["L"])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "data.csv"
    an.simulate.linear_gaussian(DAG, rows=3000, seed=1).write_csv(path)
    return path


#: For each option of discover(): how it is written, and what discover() gets.
OPTIONS: dict[str, list[tuple[list[str], Any]]] = {
    "algorithm": [(["--algorithm", "icd"], "icd")],
    "alpha": [(["--alpha", "0.05"], 0.05)],
    "test": [(["--test", "rank"], "rank"), ([], None)],
    "names": [(["--names", "a,b", "--names", "c"], ["a", "b", "c"]), ([], None)],
    "columns": [(["--columns", 'a, "b,c"'], ["a", "b,c"]), ([], None)],
    "drop": [(["--drop", "a,b"], ["a", "b"]), ([], None)],
    "kinds": [
        (["--discrete", "a,b", "--continuous", "c"], {"a": "discrete", "b": "discrete", "c": "continuous"}),
        (["--continuous", "*"], "continuous"),
        ([], None),
    ],
    "missing": [(["--missing", "testwise"], "testwise")],
    "separator": [(["--separator", ";"], ";"), ([], None)],
    "decimal": [(["--decimal", ","], ","), ([], None)],
    "na": [(["--na", "NA,.,-999", "--na", "?"], ["NA", ".", "-999", "?"]), (["--na", ""], [""]), ([], None)],
    "encoding": [(["--encoding", "latin-1"], "latin-1"), ([], None)],
    "in_memory": [(["--in-memory"], True), ([], False)],
    "matrix": [(["--matrix", "correlation"], "correlation"), ([], None)],
    "rows": [(["--rows", "500"], 500), ([], None)],
    "weights": [(["--weights", "w"], "w"), ([], None)],
    "clusters": [(["--clusters", "school"], "school"), ([], None)],
    "max_radius": [(["--max-radius", "2"], 2), ([], None)],
    "possible_ancestors": [(["--possible-ancestors", "all"], "all")],
    "stable": [(["--stable"], True), (["--no-stable"], False)],
    "verify": [(["--verify"], True), (["--no-verify"], False)],
    "colliders": [(["--colliders", "first"], "first"), ([], None)],
    "fdr": [(["--fdr", "0.1"], 0.1), ([], None)],
    "knowledge": [(["--knowledge", "known.txt"], Path("known.txt"))],
    "context": [(["--context", "a,b", "--context", "c"], ["a", "b", "c"]), ([], None)],
    "context_assumptions": [(["--context-assumptions", "exogenous,designed"], ["exogenous", "designed"]), ([], None)],
    "targets": [(["--targets", "targets.toml"], Path("targets.toml")), ([], None)],
    "selection_bias": [(["--selection-bias"], True), (["--no-selection-bias"], False)],
    "workers": [(["--workers", "2"], 2)],
    "time_limit": [(["--time-limit", "90"], 90.0), (["--time-limit", "1.5h"], 5400.0), ([], None)],
    "progress": [(["--progress"], True), (["--no-progress"], False), ([], None)],
    "save": [(["--save", "run.json"], Path("run.json")), ([], None)],
    "resamples": [(["--resamples", "5"], 5), (["--resamples", "0"], 0)],
    "resume": [(["--resume", "run.json"], Path("run.json")), ([], None)],
}
ASKED = {p.name: p.default for p in inspect.signature(an.discover).parameters.values() if p.kind is p.KEYWORD_ONLY}
del ASKED["executor"]  # an object of Python, for which a shell has no words
del ASKED["alpha"]  # is passed on only if it is given


class _Seen(Exception):
    pass


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_discover_has_one_here(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(OPTIONS) == {*ASKED, "alpha"}
    for arguments, expected in [*OPTIONS[option], *([([], ASKED[option])] if option in ASKED else [])]:
        seen: dict[str, Any] = {}

        def discover(source: Any, seen: dict[str, Any] = seen, **options: Any) -> None:
            seen.update(options, source=source)
            raise _Seen

        monkeypatch.setattr(an, "discover", discover)
        ran("discover", "data.csv", *arguments)
        assert seen.pop("source") == Path("data.csv")
        assert seen == {**ASKED, option: expected}


def test_standard_output_is_the_graph_alone(data: Path) -> None:
    done = ran("discover", data)
    found = an.discover(data)
    assert done.code == 0
    assert PAG.parse(done.out) == found.pag == an.pag_of(DAG)
    assert done.out == f"{found.pag}\n"
    assert done.err.startswith(
        "Scored search on 5 variables and 3,000 rows, score EBIC + prior\nchosen because the columns are "
    )
    assert "a --> b   a causes b" in done.err
    assert "c --> d" not in done.err


def test_a_significance_level_that_is_given_chooses_questions(data: Path) -> None:
    """Also one that is the default, which cannot be told from none by its value."""
    done = ran("discover", data, "--alpha", "0.01")
    assert (done.code, PAG.parse(done.out)) == (0, an.pag_of(DAG))
    assert done.err.startswith("ICD on 5 variables and 3,000 rows, test fisher-z, alpha 0.01\nchosen because a ")


def test_quiet(data: Path) -> None:
    done = ran("discover", data, "--quiet")
    assert (done.code, done.err) == (0, "")


def test_formats(data: Path, tmp_path: Path) -> None:
    found = an.discover(data)
    saved, written = tmp_path / "saved.json", tmp_path / "written.json"
    done = ran("discover", data, "--format", "json", "--save", saved)
    written.write_text(done.out, encoding="utf-8")
    assert an.load(written).pag == found.pag
    assert json.loads(done.out) == json.loads(saved.read_text())

    done = ran("discover", data, "--format", "csv", "-q")
    frame = pl.read_csv(done.out.encode())
    expected = found.to_frame()
    assert frame.columns == expected.columns
    for name in ("a", "edge", "b", "radius", "found_by", "df"):
        assert frame[name].to_list() == expected[name].to_list()
    assert frame["p_value"].to_list() == pytest.approx(expected["p_value"].to_list())
    for name in ("sepset", "closest"):  # an empty set is not the same as no set
        read = [None if cell is None else cell.split(";") if cell else [] for cell in frame[name].to_list()]
        assert read == expected[name].to_list()

    done = ran("discover", data, "--format", "dot", "-q")
    assert done.out.startswith("digraph {\n")
    assert '"c" -> "d" [arrowtail=none, arrowhead=normal];' in done.out


def test_names_with_semicolons_are_told_apart_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    frame = an.simulate.linear_gaussian(an.DAG.parse('a --> "m;n", "m;n" --> z'), rows=2000, seed=1)
    frame.write_csv(path)
    done = ran("discover", path, "--format", "csv")
    rows = pl.read_csv(done.out.encode()).rows(named=True)
    assert [row["sepset"] for row in rows if row["edge"] is None] == ['"m;n"']


def test_a_file_for_the_graph(data: Path, tmp_path: Path) -> None:
    target = tmp_path / "graph.txt"
    target.write_text("old", encoding="utf-8")
    done = ran("discover", data, "--output", target)
    assert (done.code, done.out) == (0, "")
    assert PAG.parse(target.read_text(encoding="utf-8")) == an.pag_of(DAG)
    assert f"graph written to {target}" in done.err
    assert os.listdir(tmp_path) == ["graph.txt"]


def test_the_data_and_the_run_are_not_written_over(data: Path, tmp_path: Path) -> None:
    before = data.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(data)
    run = tmp_path / "run.json"
    for options, reason in (
        (["--output", data], "would overwrite the data"),
        (["--output", link], "would overwrite the data"),
        (["--save", data], "--save would overwrite the data"),
        (["--save", run, "--output", run], "is named twice, as --output and as --save"),
        (["--resume", run, "--save", tmp_path / "b.json", "--output", run], "--output would overwrite --resume"),
        (["--output", tmp_path], "must be a file, got a directory"),
        (["--output", tmp_path / "no" / "graph.txt"], "there is no directory"),
    ):
        done = ran("discover", data, *options)
        assert (done.code, done.out) == (2, "")
        assert reason in done.err
        assert done.err.count("\n") == 1
    assert data.read_bytes() == before


def test_none_of_many_data_files_is_written_over(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_bytes(data.read_bytes())
    for source, output, reason in (
        (folder, folder / "two.csv", "would overwrite the data"),
        (folder / "*.csv", folder / "one.csv", "would overwrite the data"),
        (folder, folder / "new.csv", "lies in the folder of the data, and would be read as data"),
    ):
        for command in ("discover", "bootstrap"):
            done = ran(command, source, "--output", output)
            assert (done.code, done.out) == (2, "") and reason in done.err
    assert sorted(file.name for file in folder.iterdir()) == ["one.csv", "two.csv"]
    assert {file.read_bytes() for file in folder.iterdir()} == {data.read_bytes()}
    assert ran("discover", folder, "--output", folder / "graph.dot", "--format", "dot").code == 0


def test_several_files_as_the_shell_names_them(data: Path, tmp_path: Path) -> None:
    lines = data.read_text().splitlines(keepends=True)
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("".join(lines[:300]))
    two.write_text("".join(lines[:1] + lines[300:]))
    for command, more in (("discover", []), ("bootstrap", ["--repeats", "5"])):
        whole, parts = (ran(command, *files, *more, "--quiet") for files in ([data], [one, two]))
        assert (parts.code, parts.out) == (0, whole.out)
    done = ran("discover", one, two, "--output", two)
    assert done.code == 2 and "--output would overwrite the data" in done.err
    done = ran("discover", data, data)
    assert done.code == 2 and "is named twice, so its rows would count twice" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--columns", "a,bb,c"], "error: unknown column 'bb'; did you mean 'b'?"),
        (["--columns", "a,,b"], "has an empty name"),
        (["--discrete", "zz"], "unknown column 'zz'"),
        (
            ["--discrete", "a", "--continuous", "a"],
            "--discrete names 'a', and so does --continuous; leave it out of one",
        ),
        (["--discrete", "*", "--continuous", "a"], "--discrete '*' means all columns"),
        (["--alpha", "2"], "error: --alpha must be between 0 and 1, got 2.0; common choices are 0.05 and 0.01\n"),
        (["--max-radius", "-1"], "error: --max-radius must be a whole number of at least 0, got -1"),
        (["--test", "magic"], f"--test must be one of {', '.join(map(repr, TESTS))}, got 'magic'"),
        (["--time-limit", "soon"], "--time-limit must be a duration, got 'soon'; write 90 (seconds), 30s, 5m or 2h"),
        (["--time-limit", "0"], "--time-limit must be a number of seconds above 0, got 0.0"),
        (
            ["--algorithm", "rfci", "--no-verify"],
            "--no-verify cannot be combined with --algorithm rfci; leave it out: RFCI verifies in the place of FCI's",
        ),
        (
            ["--algorithm", "fci", "--possible-ancestors", "off"],
            "--possible-ancestors off cannot be combined with --algorithm fci",
        ),
        (
            ["--algorithm", "fcii"],
            f"--algorithm must be one of {', '.join(map(repr, ALGORITHMS))}, got 'fcii'; did you",
        ),
        (["--missing", "guess"], "--missing must be one of 'refuse', 'drop', 'testwise', 'impute', got 'guess'"),
        (["--possible-ancestors", "of"], "must be one of 'distant', 'all', 'off', got 'of'; did you mean 'off'?"),
        (["--format", "txt"], "--format must be one of 'text', 'json', 'csv', 'dot', got 'txt'; did you mean 'text'?"),
        (["--alhpa", "1"], "--alpha"),
        (["--resume", "nothing.json"], "nothing.json: cannot be read"),
        (
            ["--test", "g"],
            "--test g is for discrete columns, and 'a', 'c', 'b', 'd' and 'e' are not; pass --test fisher-z\n",
        ),
    ],
)
def test_bad_input_is_told_in_one_line(data: Path, arguments: list[str], message: str) -> None:
    done = ran("discover", data, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("ancestral: error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_missing_values_and_warnings(data: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(data).with_columns(pl.col("e").exp().exp().alias("e"))
    rows = frame.with_columns(pl.when(pl.int_range(pl.len()) == 3).then(None).otherwise(pl.col("a")).alias("a"))
    path = tmp_path / "gaps.tsv"
    rows.write_csv(path, separator="\t")
    done = ran("discover", path)
    assert done.code == 2
    assert "pass --missing drop to use the 2,999 rows" in done.err
    done = ran("discover", path, "--missing", "drop", "-q")
    assert done.code == 0
    assert done.err.count("\n") == 1
    assert done.err.startswith("ancestral: warning: far from normal: 'e'; fisher-z may be misled, --test rank looks")


def test_parquet(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.read_csv(data).write_parquet(path)
    assert ran("discover", path).out == ran("discover", data).out


def test_a_radius_that_was_asked_for_is_no_early_end(data: Path) -> None:
    done = ran("discover", data, "--max-radius", "0")
    assert done.code == 0
    assert PAG.parse(done.out) == an.discover(data, max_radius=0).pag
    assert "stopped at the largest radius allowed" in done.err


def test_a_time_limit_and_how_to_go_on(tmp_path: Path) -> None:
    path, run = one_factor(tmp_path / "data.csv", 10), tmp_path / "run.json"
    done = ran("discover", path, "--time-limit", "0.01s", "--save", run)
    assert done.code == 3
    assert PAG.parse(done.out) == an.load(run).pag
    assert an.load(run).stopped == "time limit"
    assert f"to go on: the same command with --resume {run}" in done.err
    whole = tmp_path / "whole.json"
    assert ran("discover", path, "--save", whole).code == 0
    done = ran("discover", path, "--resume", run)
    assert done.code == 0
    assert run.read_bytes() == whole.read_bytes()
    assert PAG.parse(done.out) == an.load(whole).pag


def test_a_graph_that_cannot_be_saved_is_printed(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ancestral.io.files.os.replace", full)
    for option in ("--save", "--output"):
        done = ran("discover", data, option, tmp_path / "file.json", "--format", "text")
        assert done.code == 1
        assert PAG.parse(done.out) == an.pag_of(DAG)
        assert "error: " in done.err
        assert "cannot be written (No space left on device)" in done.err.splitlines()[-1]
        assert "written to" not in done.err
        assert os.listdir(tmp_path) == []


def test_a_stage_that_could_not_be_saved_is_forgotten_once_the_run_is(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, calls = os.replace, []

    def full_once(*places: Any) -> None:
        calls.append(places)
        if len(calls) == 1:
            raise OSError(28, "No space left on device")
        replace(*places)

    monkeypatch.setattr("ancestral.io.files.os.replace", full_once)
    done = ran("discover", data, "--save", tmp_path / "run.json")
    assert done.code == 0
    assert "ancestral: warning: " in done.err
    assert an.load(tmp_path / "run.json").complete


def test_a_folder_and_a_pattern_are_read_some_rows_at_a_time(data: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(data)
    for i in range(3):
        frame[1000 * i : 1000 * (i + 1)].write_parquet(tmp_path / f"part-{i}.parquet")
    whole = ran("discover", data, "--quiet")
    assert whole.code == 0
    assert ran("discover", tmp_path, "--quiet").out == whole.out
    assert ran("discover", f"{tmp_path}/part-*.parquet", "--quiet").out == whole.out
    refused = ran("discover", tmp_path, "--missing", "testwise")
    assert refused.code == 2 and "--missing testwise goes back to the rows" in refused.err
    assert "pass --missing drop, or --in-memory to read all rows as one table" in refused.err
    assert ran("discover", tmp_path, "--missing", "testwise", "--in-memory", "--quiet").out == whole.out
    assert "to know, read all rows as one table: --in-memory\n" in ran("describe", tmp_path).out.replace("\n--", " --")


def test_no_name_of_python_is_in_the_summary(data: Path, tmp_path: Path) -> None:
    """Python's summary names attributes, such as `.trace.conflicts`, in which there is more; a shell has none."""
    known, rows = tmp_path / "known.txt", tmp_path / "rows.csv"
    known.write_text("a, b < c", encoding="utf-8")
    dag = an.simulate.random_dag(nodes=12, degree=4, seed=67)
    an.simulate.linear_gaussian(dag, rows=150, seed=67).write_csv(rows)
    found = an.discover(rows, alpha=0.05)
    assert found.trace.conflicts and "(.trace.conflicts)" in str(found)
    done = ran("discover", rows, "--alpha", "0.05")
    assert f"{len(found.trace.conflicts)} contradictory answers, whose marks stay open\n" in done.err
    assert "(." not in done.err
    done = ran("discover", data, "--resamples", "0")
    assert "say so in a file of tiers (--knowledge knowledge.txt), and search again.\n" in done.err
    assert "knowledge:" not in done.err
    assert "say so (knowledge: tiers), and search again." in str(an.discover(data, resamples=0))
    done = ran("discover", data, "--knowledge", known)
    assert "with knowledge: 2 statements\n" in done.err
    assert "(." not in done.err


# -- the check -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows in which PC denies dependences beyond chance."""
    path = tmp_path_factory.mktemp("doubtful") / "rows.csv"
    an.simulate.linear_gaussian(an.simulate.random_dag(8, 3, latent=0, seed=5), rows=1000, seed=5).write_csv(path)
    return path


def test_the_summary_holds_the_graph_against_its_data(doubtful: Path) -> None:
    check = an.discover(doubtful, algorithm="pc").check
    assert check is not None and check.beyond_chance
    done = ran("discover", doubtful, "--algorithm", "pc")
    assert done.code == 0 and "\n".join(["", *check.headlines(), ""]) in done.err
    assert "denies" not in done.out


def test_strict_ends_with_exit_code_4_and_writes_everything(doubtful: Path, tmp_path: Path) -> None:
    run, report = tmp_path / "run.json", tmp_path / "run.html"
    plain = ran("discover", doubtful, "--algorithm", "pc", "--quiet")
    done = ran("discover", doubtful, "--algorithm", "pc", "--quiet", "--strict", "--save", run, "--report", report)
    assert (plain.code, done.code, done.out) == (0, 4, plain.out)
    assert done.err == "--strict: the graph denies 3 dependences in the data beyond chance\n"
    assert report.exists() and an.load(run).check == an.discover(doubtful, algorithm="pc").check


def test_strict_ends_with_exit_code_4_if_the_graph_contradicts_itself(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ancestral.checking.check_run.contradictions", lambda marks, names: ("a --> b --> a: …",))
    done = ran("discover", data, "--quiet", "--strict")
    assert (done.code, done.err) == (4, "--strict: the graph contradicts itself\n")


def test_strict_is_silent_if_nothing_is_found(data: Path) -> None:
    done = ran("discover", data, "--quiet", "--strict")
    assert (done.code, done.err) == (0, "")


# -- how certain the marks are ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "advised"),
    [
        (["--alpha", "0.01"], "(--resamples 30)"),
        (["--test", "basis"], "(ancestral bootstrap tells how stable they are)"),
        (["--missing", "impute"], "(ancestral bootstrap tells how stable they are)"),
        (["--missing", "testwise"], "(ancestral bootstrap tells how stable they are)"),
    ],
)
def test_the_summary_advises_what_these_data_can_do(options: list[str], advised: str, tmp_path: Path) -> None:
    rows = an.simulate.linear_gaussian(DAG, rows=200, seed=1)
    hole = pl.when(pl.int_range(pl.len()) > 4).then(pl.col("a"))
    path = tmp_path / "data.csv"
    rows.with_columns(hole if "--missing" in options else pl.col("a")).write_csv(path)
    said = ran("discover", path, "--algorithm", "icd", *options).err
    assert f"How certain the marks are was not checked {advised}." in said
    done = ran("discover", path, "--algorithm", "icd", "--resamples", 2, *options)
    if "--resamples" in advised:
        assert done.code == 0
    else:
        assert done.code == 2
        assert done.err.endswith("; ancestral bootstrap tells how stable the answers are\n")
        assert ran("bootstrap", path, "--algorithm", "icd", "--repeats", 2, *options).code == 0


# -- the ending of --output -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ending", "begins"), [("json", "{"), ("csv", "a,edge,b,"), ("dot", "digraph"), ("txt", "a ")])
def test_the_ending_of_the_output_decides_about_its_format(
    data: Path, tmp_path: Path, ending: str, begins: str
) -> None:
    output = tmp_path / f"out.{ending}"
    assert ran("discover", data, "--output", output, "--quiet").code == 0
    assert output.read_text().startswith(begins)
    assert ran("discover", data, "--output", output, "--quiet", "--format", "csv").code == 0
    assert output.read_text().startswith("a,edge,b,")


@pytest.mark.parametrize("command", ["discover", "sweep", "bootstrap"])
def test_text_is_not_written_into_a_page(command: str, data: Path, tmp_path: Path) -> None:
    done = ran(command, data, "--output", tmp_path / "out.html")
    assert done.code == 2
    assert "--output writes no HTML; pass --report for a page" in done.err
    assert not list(tmp_path.iterdir())
