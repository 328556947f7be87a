import inspect
import json
import signal
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest

import ancestral as an
from ancestral.certainty.repeats import Repeats
from ancestral.cli import bootstrap as command
from ancestral.parallel.clock import Watch
from ancestral.search.stage import Edges
from tests.support.command_line import ran

DAG = an.DAG.parse("a --> c, b --> c, c --> d, L --> d, L --> e", latent=["L"])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "data.csv"
    an.simulate.linear_gaussian(DAG, rows=300, seed=1).write_csv(path)
    return path


#: For each option of bootstrap() and discover(): how it is written, and what bootstrap() gets.
OPTIONS: dict[str, tuple[list[str], Any]] = {
    "repeats": (["--repeats", "7"], 7),
    "seed": (["--seed", "3"], 3),
    "subsample": (["--subsample", "0.5"], 0.5),
    "algorithm": (["--algorithm", "fci"], "fci"),
    "context": (["--context", "a,b"], ["a", "b"]),
    "context_assumptions": (["--context-assumptions", "exogenous"], ["exogenous"]),
    "targets": (["--targets", "targets.toml"], Path("targets.toml")),
    "alpha": (["--alpha", "0.05"], 0.05),
    "test": (["--test", "rank"], "rank"),
    "names": (["--names", "a,b", "--names", "c"], ["a", "b", "c"]),
    "columns": (["--columns", 'a, "b,c"'], ["a", "b,c"]),
    "drop": (["--drop", "a,b"], ["a", "b"]),
    "kinds": (["--discrete", "a", "--continuous", "c"], {"a": "discrete", "c": "continuous"}),
    "missing": (["--missing", "testwise"], "testwise"),
    "separator": (["--separator", ";"], ";"),
    "decimal": (["--decimal", ","], ","),
    "na": (["--na", "NA,-999"], ["NA", "-999"]),
    "encoding": (["--encoding", "latin-1"], "latin-1"),
    "in_memory": (["--in-memory"], True),
    "matrix": (["--matrix", "correlation"], "correlation"),
    "rows": (["--rows", "500"], 500),
    "weights": (["--weights", "w"], "w"),
    "clusters": (["--clusters", "school"], "school"),
    "max_radius": (["--max-radius", "2"], 2),
    "possible_ancestors": (["--possible-ancestors", "all"], "all"),
    "stable": (["--no-stable"], False),
    "verify": (["--no-verify"], False),
    "colliders": (["--colliders", "first"], "first"),
    "fdr": (["--fdr", "0.1"], 0.1),
    "selection_bias": (["--no-selection-bias"], False),
    "knowledge": (["--knowledge", "known.txt"], Path("known.txt")),
    "workers": (["--workers", "2"], 2),
    "time_limit": (["--time-limit", "1.5h"], 5400.0),
    "progress": (["--no-progress"], False),
    "effects": (["--effect", "x,y", "--effect", "a,y"], [("x", "y"), ("a", "y")]),
}
ASKED = {p.name: p.default for p in inspect.signature(an.bootstrap).parameters.values() if p.kind is p.KEYWORD_ONLY}


class _Seen(Exception):
    pass


@pytest.mark.parametrize("option", [name for name in ASKED if name != "executor"])
def test_every_option_has_one_here(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def watched(source: Any, **options: Any) -> None:
        seen.update(options)
        raise _Seen

    monkeypatch.setattr(an, "bootstrap", watched)
    words, expected = OPTIONS[option]
    assert "_Seen" in ran("bootstrap", "data.csv", *words).err
    assert seen[option] == expected
    seen.clear()
    ran("bootstrap", "data.csv")
    # a significance level is passed on only if it is given
    assert seen == {name: default for name, default in ASKED.items() if name not in ("executor", "alpha")}


def test_no_word_is_declared_twice() -> None:
    """What discover takes has its help and its default here, too."""
    from ancestral.cli.discover import discover

    here, there = (inspect.signature(one).parameters for one in (command.bootstrap, discover))
    for name in ("columns", "missing", "discrete", "alpha", "algorithm", "stable", "knowledge", "progress"):
        assert here[name].default == there[name].default
        assert get_args(here[name].annotation)[0] == get_args(there[name].annotation)[0]
        assert get_args(here[name].annotation)[1].help == get_args(there[name].annotation)[1].help
    assert "resume" not in here


def test_the_table_is_the_result(data: Path, tmp_path: Path) -> None:
    boot = an.bootstrap(data, repeats=12, seed=5, alpha=0.05)
    words = ("bootstrap", data, "--repeats", 12, "--seed", 5, "--alpha", 0.05)
    text = ran(*words)
    assert (text.code, text.out, text.err) == (0, str(boot) + "\n", "")
    assert ran(*words, "--format", "csv").out == boot.to_frame(library="polars").write_csv()
    assert json.loads(ran(*words, "--format", "json").out) == json.loads(boot.to_json())
    saved = ran(*words, "--save", tmp_path / "b.json", "--output", tmp_path / "t.csv", "--format", "csv")
    assert saved.code == 0 and saved.out == ""
    assert saved.err == f"bootstrap written to {tmp_path / 'b.json'}\ntable written to {tmp_path / 't.csv'}\n"
    assert pl.read_csv(tmp_path / "t.csv")["edge"].to_list() == boot.to_frame()["edge"].to_list()
    assert an.load_bootstrap(tmp_path / "b.json").edge("a", "c").types == boot.edge("a", "c").types
    assert ran(*words, "--quiet", "--save", tmp_path / "b.json").err == ""


def test_the_report_has_the_reliabilities(data: Path, tmp_path: Path) -> None:
    assert (
        ran("bootstrap", data, "--repeats", 6, "--save", tmp_path / "b.json", "--report", tmp_path / "b.html").code == 0
    )
    assert "6 resamples of 300 rows" in (tmp_path / "b.html").read_text()
    assert ran("discover", data, "--save", tmp_path / "run.json").code == 0
    done = ran("report", tmp_path / "run.json", "--reliabilities", tmp_path / "b.json", "--output", tmp_path / "r.html")
    assert done.code == 0 and "6 resamples of 300 rows" in (tmp_path / "r.html").read_text()
    assert ran("discover", data, "--drop", "a", "--save", tmp_path / "other.json").code == 0
    refused = ran("report", tmp_path / "other.json", "--reliabilities", tmp_path / "b.json")
    assert refused.code == 2 and "must be of the data of this run" in refused.err


def test_ended_by_the_time_limit(data: Path, tmp_path: Path) -> None:
    done = ran("bootstrap", data, "--repeats", 10**6, "--time-limit", 1, "--save", tmp_path / "b.json")
    assert done.code == 3 and "ended early (time limit): " in done.err and " of 1,000,000 repeats" in done.out
    assert an.load_bootstrap(tmp_path / "b.json").stopped == "time limit"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ended_by_a_signal(how: signal.Signals, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Repeats.graph

    def graph(self: Repeats, number: int, watch: Watch) -> Edges:
        if number == 5:
            signal.raise_signal(how)
        return real(self, number, watch)

    monkeypatch.setattr(Repeats, "graph", graph)
    done = ran("bootstrap", data, "--repeats", 9, "--save", tmp_path / "b.json")
    assert done.code == 3 and "interrupted; repeats that were done: 5" in done.err
    assert "ended early (interrupt): 5 of 9 repeats were done" in done.out
    assert an.load_bootstrap(tmp_path / "b.json").stopped == "interrupt"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--repeats", "0"], "--repeats must be a whole number of at least 1, got 0"),
        (["--subsample", "2"], "--subsample must be between 0 and 1, got 2.0; for example 0.5"),
        (["--time-limit", "soon"], "--time-limit must be a duration, got 'soon'; write 90 (seconds)"),
        (["--resume", "x.json"], "No such option: --resume"),
        (["--report", "boot.pdf"], "--report must end in .html, got 'boot.pdf'"),
        (["--output", "{data}"], "would overwrite the data, which is left alone"),
        (["--save", "{data}"], "would overwrite the data, which is left alone"),
        (["--save", "no/such/place.json"], "there is no directory"),
    ],
)
def test_bad_words_are_told(words: list[str], message: str, data: Path) -> None:
    done = ran("bootstrap", data, *(word.replace("{data}", str(data)) for word in words))
    assert done.code == 2 and message in done.err and done.out == ""


def test_a_file_of_another_kind_is_left_alone(data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    assert ran("discover", data, "--save", run).code == 0
    done = ran("bootstrap", data, "--save", run)
    assert done.code == 2 and "exists and is not a bootstrap file" in done.err and an.load(run).complete
