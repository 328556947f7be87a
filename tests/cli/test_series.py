import inspect
import json
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ancestral as an
from ancestral import PAG
from ancestral.show.rerun import command, python_call
from tests.cli.series_files import DAG, panel
from tests.support.command_line import Ran, one_factor, ran

OF_PANEL = ("--time", "date", "--unit", "shop")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return panel(tmp_path_factory.mktemp("data") / "panel.csv")


@pytest.fixture(scope="module")
def gappy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return panel(tmp_path_factory.mktemp("gappy") / "panel.csv", gaps=True)


@pytest.fixture(scope="module")
def run(data: Path) -> Path:
    path = data.parent / "run.json"
    assert ran("series", data, *OF_PANEL, "--lags", 2, "--save", path).code == 0
    return path


#: For each option of discover_series(): how it is written, and what discover_series() gets.
OPTIONS: dict[str, list[tuple[list[str], Any]]] = {
    "lags": [(["--lags", "3"], 3), (["--lags", "1..3"], "1..3")],
    "time": [(["--time", "date"], "date"), ([], None)],
    "unit": [(["--unit", "id"], "id"), ([], None)],
    "step": [(["--step", "1D"], "1D"), (["--step", "5"], "5"), ([], None)],
    "names": [(["--names", "a,b", "--names", "c"], ["a", "b", "c"])],
    "columns": [(["--columns", 'a, "b,c"'], ["a", "b,c"])],
    "drop": [(["--drop", "a,b"], ["a", "b"])],
    "kinds": [(["--discrete", "a", "--continuous", "c"], {"a": "discrete", "c": "continuous"}), ([], None)],
    "missing": [(["--missing", "testwise"], "testwise")],
    "separator": [(["--separator", ";"], ";")],
    "decimal": [(["--decimal", ","], ",")],
    "na": [(["--na", "NA,-999"], ["NA", "-999"])],
    "encoding": [(["--encoding", "latin-1"], "latin-1")],
    "test": [(["--test", "rank"], "rank")],
    "alpha": [(["--alpha", "0.05"], 0.05)],
    "max_radius": [(["--max-radius", "2"], 2)],
    "knowledge": [(["--knowledge", "known.txt"], Path("known.txt"))],
    "own_past": [(["--own-past", "all"], ["all"]), (["--own-past", "a,b", "--own-past", "c"], ["a", "b", "c"])],
    "time_limit": [(["--time-limit", "1.5h"], 5400.0)],
    "progress": [(["--progress"], True), (["--no-progress"], False)],
    "save": [(["--save", "run.json"], Path("run.json"))],
    "resume": [(["--resume", "run.json"], Path("run.json"))],
}
#: Options that series refuse, whatever their value.
REFUSED = ("in_memory", "matrix", "rows", "weights", "clusters")
ASKED = {
    parameter.name: parameter.default
    for parameter in inspect.signature(an.discover_series).parameters.values()
    if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in (*REFUSED, "alpha")
}


class _Seen(Exception):
    pass


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_discover_series_has_one_here(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(OPTIONS) == {*ASKED, "alpha"}
    for arguments, expected in [*OPTIONS[option], *([([], ASKED[option])] if option in ASKED else [])]:
        seen: dict[str, Any] = {}

        def discover_series(source: Any, seen: dict[str, Any] = seen, **options: Any) -> None:
            seen.update(options, source=source)
            raise _Seen

        monkeypatch.setattr(an, "discover_series", discover_series)
        ran("series", "panel.csv", *arguments)
        assert seen.pop("source") == Path("panel.csv")
        assert seen == {**ASKED, option: expected}


def test_standard_output_is_the_edges_that_end_at_t(data: Path) -> None:
    done = ran("series", data, *OF_PANEL, "--lags", 2)
    found = an.discover_series(data, lags=2, time="date", unit="shop")
    assert done.code == 0
    assert PAG.parse(done.out) == found.pag
    assert done.out == f"{found.pag}\n"
    assert {(a, b) for a, _, b in found.pag.edges()} == {
        ("rain[t-1]", "rain[t]"),
        ("rain[t-1]", "sales[t]"),
        ("sales[t-1]", "sales[t]"),
        ("sales[t-1]", "visits[t]"),  # L drives both
    }


def test_the_summary_tells_processes_and_windows_on_standard_error(data: Path) -> None:
    done = ran("series", data, *OF_PANEL, "--lags", 2)
    lines = done.err.splitlines()
    assert lines[0] == "ICD for time series on 3 processes at 3 steps, test fisher-z, alpha 0.01"
    assert lines[1].startswith("596 of 596 possible windows in 2 units (600 steps of 1D); unit means removed from ")
    assert "4 edges that end at t" in lines
    assert "  rain --> sales (lag 1)" in lines
    assert "  rain[t-1] --> sales[t]" not in lines  # stands on standard output
    assert ran("series", data, *OF_PANEL, "--lags", 2, "--quiet") == Ran(0, done.out, "")


def test_gaps_cost_the_windows_that_hold_them(gappy: Path) -> None:
    lines = gappy.read_text().splitlines()[1:]
    days = {shop: {row.split(",")[1] for row in lines if row.startswith(shop)} for shop in ("shop 1", "shop 2")}
    dropped = ran("series", gappy, *OF_PANEL, "--lags", 1, "--step", "1D")
    kept = ran("series", gappy, *OF_PANEL, "--lags", 1, "--step", "1D", "--missing", "testwise")
    assert (dropped.code, kept.code) == (0, 0)
    rows = pl.read_csv(gappy, try_parse_dates=True).sort("shop", "date")
    follows = (pl.col("date").diff() == pl.duration(days=1)) & (pl.col("shop") == pl.col("shop").shift())
    whole = pl.col("rain").is_not_null() & pl.col("rain").shift().is_not_null()
    steps = sum(map(len, days.values()))
    every = 2 * 299  # a question about rain[t-1] and sales[t] needs no other value of a window
    for done, used in [(dropped, rows.filter(follows & whole).height), (kept, every)]:
        assert done.err.splitlines()[1].startswith(f"{used} of ")
        assert f"({steps} steps of 1D, " in done.err.splitlines()[1]


def test_formats(data: Path, tmp_path: Path) -> None:
    found = an.discover_series(data, lags=2, time="date", unit="shop")
    command = ("series", data, *OF_PANEL, "--lags", 2, "--quiet")
    assert ran(*command, "--format", "window").out == f"{found.window}\n"
    assert ran(*command, "--format", "summary").out == f"{found.summary}\n"
    written = tmp_path / "written.json"
    assert ran(*command, "--output", written) == Ran(0, "", "")
    assert an.load_series(written).pag == found.pag
    frame = pl.read_csv(ran(*command, "--format", "csv").out.encode())
    assert frame.height == 9 * 8 // 2
    assert frame["edge"].to_list() == found.to_frame()["edge"].to_list()
    dot = ran(*command, "--format", "dot").out
    assert '"rain[t-1]" -> "sales[t]" [arrowtail=none, arrowhead=normal];' in dot
    assert '"rain[t-2]" -> "sales[t-1]"' not in dot


def test_several_files_are_a_series_each(data: Path, tmp_path: Path) -> None:
    for (shop,), rows in pl.read_csv(data).group_by("shop"):
        rows.drop("shop").write_csv(tmp_path / f"{shop}.csv")
    done = ran("series", tmp_path / "shop 1.csv", tmp_path / "shop 2.csv", "--time", "date", "--lags", 2)
    assert done.out == ran("series", data, *OF_PANEL, "--lags", 2).out
    assert "596 of 596 possible windows in 2 units" in done.err


def test_own_past_and_lags_from_one_are_stated(data: Path) -> None:
    stated = ran("series", data, *OF_PANEL, "--lags", "1..2", "--own-past", "rain,sales", "-q")
    known = an.SeriesKnowledge(own_past=["rain", "sales"], within_step=False)
    found = an.discover_series(data, lags=2, time="date", unit="shop", knowledge=known)
    assert (stated.code, stated.out) == (0, f"{found.pag}\n")
    every = ran("series", data, *OF_PANEL, "--own-past", "all", "-q")
    assert "visits[t-1] --> visits[t]" in every.out  # it is stated, and false: the data are heard in a warning
    assert "warning: the data separate visits[t-1] and visits[t] given nothing" in every.err


def test_knowledge_in_a_file(data: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("own past: rain\nvisits -/-> rain\n", encoding="utf-8")
    done = ran("series", data, *OF_PANEL, "--knowledge", known, "-q")
    found = an.discover_series(data, time="date", unit="shop", knowledge=known)
    assert (done.code, done.out) == (0, f"{found.pag}\n")
    known.write_text("rian -/-> sales\n", encoding="utf-8")
    done = ran("series", data, *OF_PANEL, "--knowledge", known)
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'rain'?" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lags", "0"], "--lags must be a whole number of at least 1, got 0"),
        (["--lags", "two"], "--lags must be a whole number of steps, or a range such as 1..3 if nothing acts within a"),
        (["--lags", "2..3"], "--lags must be a whole number of steps, or a range such as"),
        (["--lags", "9" * 5000], "--lags must be a whole number of steps"),
        (["--lags", "250"], "--lags"),
        (["--time", "dat"], "unknown column 'dat'; did you mean 'date'?"),
        (["--unit", "shpo"], "unknown column 'shpo'; did you mean 'shop'?"),
        (["--time", "shop"], "--time shop cannot be combined with --unit shop: one column cannot be both"),
        (["--step", "1 fortnight"], "--step must be a duration or a number above 0, got '1 fortnight'; pass a"),
        (["--missing", "impute"], "--missing must be one of "),
        (["--own-past", "rian"], "did you mean 'rain'?"),
        (["--own-past", "rain,"], "has an empty name"),
        (["--alpha", "5"], "--alpha must be between 0 and 1, got 5.0"),
        (["--test", "fisherz"], "did you mean 'fisher-z'?"),
        (["--max-radius", "-1"], "--max-radius must be a whole number of at least 0, got -1"),
        (["--time-limit", "soon"], "--time-limit must be a duration, got 'soon'"),
        (["--output", "page.html"], "--output writes no HTML; pass --report"),
    ],
)
def test_wrong_options_are_told_in_the_words_of_the_shell(data: Path, arguments: list[str], message: str) -> None:
    done = ran("series", data, *OF_PANEL, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
    assert done.err.startswith("ancestral: error: ") and message in done.err


def test_rows_that_are_no_series(data: Path, gappy: Path, tmp_path: Path) -> None:
    for arguments, message in [
        ((data, "--time", "date"), "--unit"),  # a date stands there twice
        ((data, "--unit", "shop"), "--time date"),  # dates are no process
        ((gappy, *OF_PANEL), "--step 1D"),  # days are missing
        ((data, *OF_PANEL, "--step", "1D", "--weights", "rain"), "No such option: --weights"),
        ((data, "--step", "1D", "--drop", "shop,date"), "--step 1D needs --time"),
        ((tmp_path / "none.csv",), "none.csv"),
    ]:
        done = ran("series", *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
        assert message in done.err


def test_nothing_is_overwritten_by_accident(data: Path, tmp_path: Path) -> None:
    before = data.read_bytes()
    known = tmp_path / "known.txt"
    known.write_text("own past: all\n", encoding="utf-8")
    for arguments, message in [
        (("--output", data), "--output would overwrite the data"),
        (("--save", data), "--save would overwrite the data"),
        (("--knowledge", known, "--output", known), "--output would overwrite --knowledge"),
        (("--save", tmp_path / "a.json", "--output", tmp_path / "a.json"), "is named twice, as "),
        (("--report", tmp_path / "a.txt"), "--report must end in .html"),
    ]:
        done = ran("series", data, *OF_PANEL, *arguments)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
    assert data.read_bytes() == before
    assert known.read_text() == "own past: all\n"
    assert not (tmp_path / "a.json").exists()


def test_a_run_is_saved_and_resumed(data: Path, run: Path, tmp_path: Path) -> None:
    whole = ran("series", data, *OF_PANEL, "--lags", 2, "-q")
    before = run.read_bytes()
    assert ran("series", data, *OF_PANEL, "--lags", 2, "--resume", run, "-q") == whole
    assert run.read_bytes() == before
    begun = tmp_path / "begun.json"
    both = ("--save", begun, "--resume", begun, "-q")  # neither exists: the run begins
    assert ran("series", data, *OF_PANEL, "--lags", 2, *both).out == whole.out
    assert json.loads(begun.read_text())["edges"] == json.loads(before)["edges"]
    done = ran("series", data, *OF_PANEL, "--lags", 1, "--resume", run)
    assert (done.code, done.out) == (2, "") and "was made from different data" in done.err
    done = ran("series", data, *OF_PANEL, "--lags", 2, "--alpha", 0.05, "--resume", run)
    assert done.code == 2 and "is a run with --alpha 0.01, not --alpha 0.05" in done.err
    done = ran("series", data, *OF_PANEL, "--lags", 2, "--own-past", "all", "--resume", run)
    assert done.code == 2 and "knowledge" in done.err


def test_a_search_out_of_time_ends_with_a_graph_and_can_be_taken_up(tmp_path: Path) -> None:
    many, saved = one_factor(tmp_path / "many.csv", 40), tmp_path / "run.json"
    pl.read_csv(many).head(400).write_csv(many)
    done = ran("series", many, "--lags", 3, "--time-limit", 2, "--save", saved)
    assert done.code == 3
    assert "stopped by the time limit" in done.err
    assert f"the same command with --resume {saved}, and more time" in done.err
    assert not an.load_series(saved).complete
    assert PAG.parse(done.out) == an.load_series(saved).pag


def test_why_takes_nodes_and_processes(run: Path) -> None:
    done = ran("why", run, "rain[t-1]", "sales")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("rain[t-1] --> sales[t]")
    assert done.out == ran("why", run, "rain[t-1]", "sales[t]").out
    done = ran("why", run, "sales[t-1]", "sales[t-2]")
    assert "The pair was asked about where it ends at t: sales[t-1] – sales[t]." in done.out
    for names, message in [
        (("rain", "sals"), "unknown node 'sals'; did you mean 'sales' or 'sales[t]'?"),
        (("rain[t-3]", "sales"), "unknown node 'rain[t-3]'"),
        (("rain", "rain[t]"), "the two nodes must differ"),
    ]:
        done = ran("why", run, *names)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert message in done.err


def test_causes_and_identify_take_nodes_and_processes(run: Path) -> None:
    done = ran("causes", run, "rain[t-1]", "sales")
    assert done.out.startswith("Does rain[t-1] cause sales[t]? Yes, not checked: rain[t-1] --> sales[t]")
    assert "\nDoes sales[t] cause rain[t-1]? No, not checked" in done.out
    assert "ask about two different ones" in ran("causes", run, "rain", "rain[t]").err
    assert "unknown node 'rian'" in ran("causes", run, "rian", "sales").err
    done = ran("identify", run, "rain[t-1]", "sales")
    assert done.code == 0 and done.out.startswith("P(sales[t] | do(rain[t-1])) = ")


def test_adjust_and_effect_take_nodes_and_processes(data: Path, run: Path, tmp_path: Path) -> None:
    found = an.discover_series(data, lags=2, time="date", unit="shop")
    assert ran("adjust", run, "rain[t-1]", "sales").out == f"{found.adjustment_set('rain[t-1]', 'sales')}\n"
    assert "got 'sales,visits'" in ran("adjust", run, "rain[t-1]", "sales,visits").err
    expected = found.effect("rain[t-1]", "sales", confidence=0.9, bandwidth=5)
    again = ("effect", run, "rain[t-1]", "sales", "--confidence", 0.9, "--bandwidth", 5)
    assert ran(*again) == Ran(0, f"{expected}\n", "")
    assert ran(*again, "--data", data) == ran(*again)
    other = panel(tmp_path / "other.csv", rows=200)
    for arguments, message in [
        (("--data", other), "was made from different data"),
        (("--data", tmp_path / "none.csv"), "none.csv"),
        (("--estimator", "robust"), "--estimator robust does not apply to a run of time series"),
        (("--how", "formula"), "--how formula does not apply to a run of time series"),
        (("--given", "rian"), "unknown node 'rian'"),
        (("--bandwidth", -1), "--bandwidth must be a whole number of at least 0"),
    ]:
        done = ran("effect", run, "rain[t-1]", "sales", *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
        assert message in done.err
    rows = tmp_path / "rows.csv"
    an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=100, seed=1).write_csv(rows)
    assert ran("discover", rows, "--save", tmp_path / "rows.json", "-q").code == 0
    done = ran("effect", tmp_path / "rows.json", "a", "b", "--bandwidth", 3)
    assert done.code == 2 and "--bandwidth 3 applies to runs of time series; leave it out" in done.err


def test_compare_and_convert_take_the_window_of_a_run(data: Path, run: Path, tmp_path: Path) -> None:
    window = tmp_path / "window.txt"
    assert ran("series", data, *OF_PANEL, "--lags", 2, "--format", "window", "--output", window, "-q").code == 0
    assert "The graphs are the same." in ran("compare", run, window).out
    assert ran("convert", run, "--to", "text").out == window.read_text(encoding="utf-8")


def test_reports_are_pages_about_the_window_and_the_processes(data: Path, run: Path, tmp_path: Path) -> None:
    page, again = tmp_path / "page.html", tmp_path / "again.html"
    done = ran("series", data, *OF_PANEL, "--lags", 2, "--report", page)
    assert done.code == 0 and f"report written to {page}\n" in done.err
    assert ran("report", run, "--output", again) == Ran(0, "", f"report written to {again}\n")
    for place in (page, again):
        text = place.read_text(encoding="utf-8")
        assert text.lower().startswith("<!doctype html>") and "rain[t-1]" in text
    known = tmp_path / "boot.json"
    for option, value in [("--reliabilities", known), ("--effect", "rain,sales"), ("--data", data)]:
        done = ran("report", run, "--output", again, option, value)
        assert done.code == 2 and f"is a run of time series, whose report does not take {option}" in done.err


def test_commands_that_need_independent_rows_refuse_a_run_of_series(run: Path) -> None:
    for name in ("possible", "sensitivity"):
        done = ran(name, run, "rain[t-1]", "sales[t]")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert "is a run of time series" in done.err


def test_the_command_that_repeats_a_run_repeats_it(gappy: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("visits -/-> rain\n", encoding="utf-8")
    said = ["--lags", "1..2", "--own-past", "rain", "--step", "1D", "--missing", "testwise", "--alpha", "0.05"]
    saved = tmp_path / "run.json"
    done = ran("series", gappy, *OF_PANEL, *said, "--max-radius", 2, "--knowledge", known, "--save", saved, "-q")
    found = an.load_series(saved).run
    again = command(found.settings, found.reading)
    assert again is not None and again.startswith(f"ancestral series {gappy} ")
    assert ran(*shlex.split(again)[1:], "--quiet").out == done.out
    ran(*shlex.split(again)[1:], "--quiet", "--save", tmp_path / "again.json")
    assert an.load(tmp_path / "again.json").settings == found.settings
    called = eval(python_call(found.settings, found.reading), {"an": an})
    assert (called.pag, called.settings) == (PAG.parse(done.out), found.settings)


def test_the_call_that_repeats_a_run_names_what_was_passed_as_an_object(data: Path) -> None:
    options: dict[str, Any] = {"lags": 2, "time": "date", "unit": "shop"}
    found = an.discover_series(data, **options).run
    assert command(found.settings, found.reading) == (
        f"ancestral series {data} --lags 2 --test fisher-z --alpha 0.01 --time date --unit shop"
    )
    known = an.SeriesKnowledge(forbidden=[("visits", "rain")])
    found = an.discover_series(data, **options, knowledge=known).run
    assert command(found.settings, found.reading) is None
    assert python_call(found.settings, found.reading).endswith("unit='shop', knowledge=knowledge)")
    known = an.SeriesKnowledge(own_past=["rain", "sales"], within_step=False)  # options can say it
    found = an.discover_series(pl.read_csv(data), **options, missing="refuse", knowledge=known).run
    assert python_call(found.settings, found.reading) == (
        "an.discover_series(data, lags='1..2', own_past=['rain', 'sales'], test='fisher-z', alpha=0.01, "
        "time='date', unit='shop', missing='refuse')"
    )
    oracle = an.discover_series(DAG, lags=2).run
    assert python_call(oracle.settings, oracle.reading) == "an.discover_series(dag, lags=2)"
