"""What a report says, without a browser; tests/browser opens it in one."""

import json
import re
import shlex
from pathlib import Path

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
