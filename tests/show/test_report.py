"""What a report says, without a browser; tests/browser opens it in one."""

import json
import re
import shlex
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.show.report import report_page
from tests.support.command_line import ran


def content_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_thirty_variables_stay_below_a_megabyte(tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=34, degree=3, seed=2)
    found = an.discover(an.simulate.linear_gaussian(dag, rows=1000, seed=2))
    assert len(found.pag.nodes) >= 30
    found.report(tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size < 1_000_000


def test_nothing_is_loaded_from_anywhere() -> None:
    page = report_page(an.discover(an.Oracle(an.DAG.parse("a -> b"))))
    links = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"'<>)]*""", page)) - {"http://www.w3.org/2000/svg"}
    assert links == set()
    assert "default-src 'none'" in page


def test_a_saved_run_gives_the_same_report(tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=10, degree=2.5, seed=4)
    data = tmp_path / "study.csv"
    an.simulate.linear_gaussian(dag, rows=500, seed=4).write_csv(data)
    found = an.discover(data, save=tmp_path / "run.json", drop=["x2"])
    found.report(tmp_path / "one.html")
    an.load(tmp_path / "run.json").report(tmp_path / "two.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    done = ran("report", tmp_path / "run.json")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "run.html").read_bytes() == (tmp_path / "one.html").read_bytes()


def test_the_command_of_a_report_repeats_the_run(tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=9, degree=2.5, seed=4)
    data = tmp_path / "my study.csv"
    table = an.simulate.mixed(dag, rows=500, seed=4)
    kept, one, *_, other = sorted(table.columns, key=lambda name: not table[name].dtype.is_numeric())
    table.rename({one: "x, 3", other: 'a "b"'}).write_csv(data)
    options: dict[str, object] = {"drop": ["x, 3", 'a "b"'], "alpha": 0.05, "verify": False, "stable": False}
    found = an.discover(data, **options, kinds={kept: "continuous"}, missing="drop", max_radius=2)  # type: ignore[arg-type]
    command = str(content_of(report_page(found))["command"])
    words = shlex.split(command)
    assert words[0] == "ancestral"
    done = ran(*words[1:], "--save", tmp_path / "again.json", "--quiet")
    assert done.code == 0, done.err
    again = an.load(tmp_path / "again.json")
    assert (again.pag, again.settings, again.tests) == (found.pag, found.settings, found.tests)
    assert again.test.fingerprint == found.test.fingerprint
    call = str(content_of(report_page(found))["call"])
    once_more = eval(call, {"an": an})
    assert (once_more.pag, once_more.settings) == (found.pag, found.settings)


def test_what_is_known_is_repeated_too(tmp_path: Path) -> None:
    dag = an.DAG.parse("a -> b, b -> c, a -> d, d -> c")
    an.simulate.linear_gaussian(dag, rows=500, seed=1).write_csv(tmp_path / "d.csv")
    (tmp_path / "known.txt").write_text("a < b, d < c\n")
    found = an.discover(tmp_path / "d.csv", knowledge=tmp_path / "known.txt")
    command = str(content_of(report_page(found))["command"])
    assert ran(*shlex.split(command)[1:], "--save", tmp_path / "again.json").code == 0
    again = an.load(tmp_path / "again.json")
    assert (again.pag, again.settings, again.reading) == (found.pag, found.settings, found.reading)
    found = an.discover(tmp_path / "d.csv", knowledge=an.Knowledge.read(tmp_path / "known.txt"))
    content = content_of(report_page(found))
    assert content["command"] == ""
    assert eval(str(content["call"]), {"an": an}).settings == found.settings


def test_data_from_python_are_repeated_in_python() -> None:
    data = an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=100, seed=1)
    content = content_of(report_page(an.discover(data, alpha=0.05)))
    assert content["command"] == ""
    assert content["call"] == "an.discover(data, algorithm='icd', test='fisher-z', alpha=0.05)"
    oracle = an.Oracle(an.DAG.parse("a -> b"))
    content = content_of(report_page(an.discover(oracle, max_radius=1)))
    assert content["call"] == "an.discover(test, algorithm='icd', max_radius=1)"


def test_with_very_many_variables_it_holds_the_edges_and_what_they_rest_on(tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=520, degree=1.6, seed=1)
    found = an.discover(an.Oracle(dag))
    n = len(found.pag.nodes)
    assert n * (n - 1) // 2 > 100_000
    content = content_of(report_page(found))
    assert content["allPairs"] is False
    pairs, marks = content["pairs"], content["marks"]
    assert isinstance(pairs, list) and isinstance(marks, list)
    there = {(row[0], row[1]) for row in pairs}
    assert len(there) == len(pairs)
    assert sum(row[6] is None for row in pairs) == len(found.pag.edges())
    assert all((min(pair), max(pair)) in there for mark in marks for pair in mark[6])


@pytest.mark.parametrize(
    ("name", "message"), [("run.txt", "path must end in .html, got"), ("no/run.html", "no directory")]
)
def test_where_no_report_can_go(name: str, message: str, tmp_path: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")))
    with pytest.raises(an.AncestralError, match=message):
        found.report(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_discover_writes_a_report_and_says_where(tmp_path: Path) -> None:
    data = tmp_path / "d.csv"
    an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=300, seed=1).write_csv(data)
    done = ran("discover", data, "--report", tmp_path / "run.html")
    assert done.code == 0
    assert f"report written to {tmp_path / 'run.html'}" in done.err
    assert (tmp_path / "run.html").read_text().startswith("<!doctype html>")
    before = data.read_bytes()
    assert ran("discover", data, "--report", data).code == 2
    assert data.read_bytes() == before
    done = ran("discover", data, "--report", tmp_path / "run.pdf")
    assert (done.code, done.out) == (2, "")
    assert "end in .html" in done.err


def test_the_graph_is_held_against_its_data() -> None:
    rows = an.simulate.linear_gaussian(an.simulate.random_dag(9, 2.5, seed=2), rows=300, seed=2)
    found = an.discover(rows, algorithm="icd")
    assert found.check is not None and found.check.denied
    part = content_of(report_page(found))["check"]
    assert isinstance(part, dict)
    assert part["lines"] == str(found.check).splitlines()
    assert [row[:2] for row in part["denied"]] == [list(pair[:2]) for pair in found.check.denied_pairs]
    assert part["count"] == found.check.denied
    assert content_of(report_page(an.discover(an.Oracle(an.DAG.parse("a -> b")))))["check"] is None


def test_what_was_known_is_listed_and_what_contradicts_it() -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
    known = an.Knowledge(tiers=[["a", "b"], ["c"]], required=[("a", "b")], no_edge=[("a", "d")])
    with pytest.warns(an.KnowledgeWarning):
        found = an.discover(rows, algorithm="icd", knowledge=known)
    part = content_of(report_page(found))["knowledge"]
    assert isinstance(part, dict)
    assert part["statements"] == [
        ["Tiers", "a, b; then c"],
        ["Required", "a causes b, and not only through other measured variables"],
        ["No edge", "a and d have no edge"],
    ]
    assert part["count"] == 3
    (text, pairs), *_ = part["contradicted"]
    assert text.startswith("the data separate a and b given nothing") and pairs == [[0, 1]]
    assert "from left to right" in str(content_of(report_page(found))["lessons"])
    without = content_of(report_page(an.discover(rows)))
    assert without["knowledge"] is None and "from left to right" not in str(without["lessons"])


def test_of_many_statements_the_first_are_listed() -> None:
    names = [f"x{i:02}" for i in range(12)]
    known = an.Knowledge(forbidden=[(a, b) for a in names[:6] for b in names[6:]] + [(names[0], a) for a in names[1:6]])
    rows = pl.DataFrame(np.random.default_rng(1).normal(size=(100, 12)), schema=names)
    part = content_of(report_page(an.discover(rows, knowledge=known)))["knowledge"]
    assert isinstance(part, dict)
    assert (part["count"], len(part["statements"])) == (41, 40)


def test_every_warning_is_there_also_in_a_loaded_run(tmp_path: Path) -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=500, seed=1)
    rows = rows.with_columns(a=rows["a"].round(0).clip(-2, 2) + 3)
    coded = rows.with_row_index().with_columns(a=pl.when(pl.col("index") % 9 == 0).then(9).otherwise(pl.col("a")))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = an.discover(
            coded.drop("index"),
            algorithm="icd",
            knowledge=an.Knowledge(required=[("a", "b")]),
            save=tmp_path / "run.json",
        )
    told = [str(one.message) for one in caught]
    for run in (found, an.load(tmp_path / "run.json")):
        part = content_of(report_page(run))["warned"]
        assert isinstance(part, dict)
        assert [text for _, text, _ in part["given"]] == told
        assert {about for about, *_ in part["given"]} == {"Data", "Knowledge"}


def test_kinds_of_columns_and_who_gave_them() -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=300, seed=1)
    rows = rows.with_columns(b=(rows["b"] > 0).cast(pl.Int64))
    columns = content_of(report_page(an.discover(rows, kinds={"b": "discrete"})))["columns"]
    assert columns == [["a", "continuous", False], ["b", "discrete", True], ["c", "continuous", False]]
    assert content_of(report_page(an.discover(rows.drop("b"))))["columns"] == []


def test_it_says_what_causes_and_confounded_say() -> None:
    dag = an.simulate.random_dag(nodes=9, degree=3, seed=3)
    found = an.discover(an.simulate.linear_gaussian(dag, rows=1000, seed=3), resamples=5, progress=False)
    content = content_of(report_page(found))
    names, rows = content["names"], content["answers"]
    assert isinstance(names, list) and isinstance(rows, list)
    assert len(rows) == len(names) * (len(names) - 1) // 2
    for x, y, *said, turned in rows:
        a, b = names[x], names[y]
        assert (said[-1] if turned is None else turned) == found.confounded(b, a).reason
        answers = [found.causes(a, b), found.causes(b, a), found.confounded(a, b)]
        assert said == [text for answer in answers for text in (str(answer), answer.reason)]


@pytest.mark.parametrize("selection", [True, False])
def test_nothing_unmeasured_stands_behind_a_visible_edge(selection: bool) -> None:
    """Zhang's example: c o-> a is not adjacent to b, so that a --> b is visible."""
    found = an.discover(an.Oracle(an.DAG.parse("c -> a, d -> a, a -> b")), selection_bias=selection, algorithm="icd")
    assert [" ".join(edge) for edge in found.pag.edges()] == ["a --> b", "c o-> a", "d o-> a"]
    content = content_of(report_page(found))
    meanings = content["meanings"]
    assert isinstance(meanings, dict)
    assert content["visible"] == [[0, 1]]
    assert meanings["visible"].endswith("Nothing unmeasured causes both.")
    assert "may cause both" in meanings["-->"]


def texts_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts_in(one)]
    return [text for one in value for text in texts_in(one)] if isinstance(value, list) else []


@pytest.mark.parametrize("how", ["scored", "icd", "icd, known", "oracle", "fci"])
def test_without_selection_there_is_no_word_of_it(how: str) -> None:
    dag = an.simulate.random_dag(nodes=8, degree=3, seed=3)
    rows = an.simulate.linear_gaussian(dag, rows=400, seed=3)
    if how == "oracle":
        found = an.discover(an.Oracle(dag), algorithm="icd", selection_bias=False)
    elif how == "scored":
        found = an.discover(rows, algorithm="scored", resamples=5, progress=False)
    elif how == "icd, known":
        first, second, *_ = rows.columns
        known = an.Knowledge(tiers=[[first], [second]], exogenous=[first])
        found = an.discover(rows, algorithm="icd", selection_bias=False, knowledge=known)
    else:
        found = an.discover(rows, algorithm=how, selection_bias=False)
    assert not found.allows_selection
    page = report_page(found)
    content = content_of(page)
    for part in ("settings", "command", "call"):  # which name the option
        del content[part]
    assert [text for text in texts_in(content) if "select" in text.lower()] == []
    html = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert "select" not in re.sub(r"<[^>]*>", " ", html).lower()
