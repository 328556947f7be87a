"""Words about graphs that were found without asking questions: no word of a radius or of questions anywhere."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.parallel.clock import Stopped
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.base import Problem
from ancestral.search.progress import Progress, StepProgress
from ancestral.search.stage import Stage
from ancestral.show.progress import ProgressBar
from ancestral.show.report.content import content
from ancestral.show.summary import summary
from ancestral.trace import Note
from tests.support.chow_liu import POLYTREE, registered

ROWS = an.simulate.linear_gaussian(
    an.DAG.parse("size -> age, diet -> age, age -> load, load -> rate, rest"), rows=300, seed=4
)

#: Words of searches that ask.
ASKING = re.compile(r"radius|radii|question|asked", re.IGNORECASE)


@pytest.fixture
def found() -> Iterator[an.Discovery]:
    with registered("polytree", POLYTREE):
        yield an.discover(ROWS, algorithm="polytree")


def test_the_summary_has_a_table_of_steps(found: an.Discovery) -> None:
    lines = str(found).splitlines()
    assert lines[0] == "Polytree on 6 variables and 300 rows, score BIC"
    assert lines[1] == "all 6 columns were read as continuous"
    assert lines[3].split() == ["step", "edges", "BIC"]
    assert lines[4].split() == ["forest", "4", f"{found.score:,.1f}"]
    assert lines[5].split() == ["colliders", "4", f"{found.score:,.1f}"]
    assert lines[6].startswith("complete: a forest")
    assert not ASKING.search(str(found)) and not ASKING.search(summary(found, for_shell=True))
    assert not ASKING.search(repr(found))


def test_steps_without_a_score() -> None:
    def run(problem: Problem) -> Iterator[Stage]:
        return (replace(stage, score=None) for stage in POLYTREE.run(problem))

    with registered("bare", replace(POLYTREE, run=run, score=None)):
        lines = str(an.discover(ROWS, algorithm="bare")).splitlines()
    assert lines[0] == "Polytree on 6 variables and 300 rows"
    assert lines[3].split() == ["step", "edges"] and lines[4].split() == ["forest", "4"]


def test_why_names_notes_rules_and_implied_separations(found: an.Discovery) -> None:
    p = found.evidence("diet", "size").p_value
    correlation = abs(np.corrcoef(ROWS["diet"], ROWS["size"])[0, 1])
    gain = next(note for note in found.trace.notes if {note.x, note.y} == {"age", "size"} and note.about == "edge")
    assert str(found.why("size", "age")).splitlines() == [
        f"size o-> age: kept: {gain.text}.",
        "  Whether size causes age is open: no rule decides it.",
        "  age is not a cause of size (nor of the selection): age is adjacent to size and diet, but not in the set "
        "that separates them, {}: a collider (R0)",
        "    denying it costs 1.5.",
        f"    diet and size are independent given nothing by the graph (implied; p = {p:.2g}, "
        f"correlation {correlation:.2f} in the data).",
    ]
    p = found.evidence("size", "load").p_value
    inverse = np.linalg.inv(np.corrcoef([ROWS[name] for name in ("size", "load", "age")]))
    correlation = abs(inverse[0, 1]) / np.sqrt(inverse[0, 0] * inverse[1, 1])
    why = found.why("size", "load")
    assert str(why).splitlines() == [
        "No edge between size and load.",
        f"  size and load are independent given {{age}} by the graph (implied; p = {p:.2g}, "
        f"partial correlation {correlation:.2f} in the data).",
    ]
    assert why.steps[1].radius is None and why.steps[1].given == frozenset({"age"})


def test_no_explanation_speaks_of_questions(found: an.Discovery) -> None:
    for a in ROWS.columns:
        for b in ROWS.columns:
            if a != b:
                assert not ASKING.search(str(found.why(a, b)))
                assert not ASKING.search(found.causes(a, b).reason)


def test_notes_about_missing_edges() -> None:
    def run(problem: Problem) -> Iterator[Stage]:
        for stage in POLYTREE.run(problem):
            note = Note("size", "load", "no edge", 6.9, "adding it costs at least 6.9.")
            yield replace(stage, notes=(note,))  # type: ignore[call-arg]

    with registered("noted", replace(POLYTREE, run=run)):
        found = an.discover(ROWS, algorithm="noted")
        assert str(found.why("load", "size")).startswith(
            "No edge between load and size: adding it costs at least 6.9.\n"
        )
        assert str(found.why("size", "age")).startswith("size o-> age: the graph that was found has this edge.\n")


def test_the_content_of_a_report(found: an.Discovery) -> None:
    page = content(found)
    assert page["asks"] is False and page["score"] == "BIC" and "radius" not in page and page["alpha"] is None
    assert [(stage["name"], stage["score"]) for stage in page["stages"]] == [
        ("forest", found.score),
        ("colliders", found.score),
    ]
    assert ("BIC", f"{found.score:,.1f}") in page["facts"]
    assert {row[7] for row in page["pairs"]} == {None, "implied"} and {row[6] for row in page["pairs"]} == {None}
    assert {note[0] for note in page["notes"]} == {"edge", "mark"}
    assert not ASKING.search(json.dumps(page))


def test_a_report_of_many_pairs_has_p_values_of_what_marks_rest_on(
    found: an.Discovery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["ancestral.show.report.content"], "MOST_PAIRS", 3)
    page = content(found)
    rows = {(page["names"][row[0]], page["names"][row[1]]): row for row in page["pairs"]}
    row = rows["diet", "size"]
    assert row[2] == pytest.approx(found.evidence("diet", "size").p_value, rel=1e-3)
    assert (row[5], row[6], row[7]) == ([], None, "implied")


def test_a_run_that_was_stopped_at_once() -> None:
    def run(problem: Problem) -> Iterator[Stage]:
        raise Stopped
        yield

    with registered("late", replace(POLYTREE, run=run)):
        found = an.discover(ROWS, algorithm="late")
        page = content(found)
        assert [stage["name"] for stage in page["stages"]] == ["no step is finished yet"]
        assert not ASKING.search(json.dumps(page)) and not ASKING.search(str(found))
        assert str(found.why("size", "age")).startswith("size o-o age: no graph was found yet, so nothing is known.")


def test_no_edge_is_faded(found: an.Discovery, tmp_path: Path) -> None:
    found.plot(tmp_path / "faded.svg", fade=True)
    found.plot(tmp_path / "plain.svg")
    assert (tmp_path / "faded.svg").read_text() == (tmp_path / "plain.svg").read_text()


def test_answers_about_causes_rest_on_the_whole_graph(found: an.Discovery) -> None:
    assert found._missing_edges_are_separations
    assert found.causes("age", "size").verdict == "no"


def test_a_bootstrap_names_the_score(found: an.Discovery) -> None:
    boot = an.bootstrap(ROWS, algorithm="polytree", repeats=3, seed=1, progress=False)
    assert "Polytree on 6 variables, score BIC\n" in str(boot)


# -- progress ---------------------------------------------------------------------------------------------------------


def test_the_bar_shows_the_label(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(
        ProgressBar, "show", lambda self, elapsed, columns, **fields: shown.append(fields | {"columns": columns})
    )
    bar = ProgressBar()
    step = StepProgress("climb, start 3 of 7", 40)
    step.done = 12
    bar(step(3.0))
    bar(Progress(2, 10, 4, 99, 1.0, None))
    assert (shown[0]["label"], shown[0]["completed"], shown[0]["total"]) == ("climb, start 3 of 7", 12, 40)
    assert not any("radius" in column or "questions" in column for column in shown[0]["columns"])
    assert shown[1]["radius"] == 2 and "label" not in shown[1]


def test_the_bar_is_drawn_with_its_label(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar() as bar:
        bar(StepProgress("climb, start 3 of 7", 40)(3.0))
        bar._bar.refresh()
        rendered = [column.render(bar._bar.tasks[0]) for column in bar._bar.columns]
    assert "climb, start 3 of 7" in str(rendered[0]) and "0 of 40" in str(rendered[2])


def test_progress_is_told_of_steps() -> None:
    told: list[Progress] = []

    def run(problem: Problem) -> Iterator[Stage]:
        problem.watch.report_every = 0.0
        return POLYTREE.run(problem)

    with registered("told", replace(POLYTREE, run=run)):
        an.discover(ROWS, algorithm="told", progress=told.append)
    assert {progress.label for progress in told} == {"forest"} and {progress.radius for progress in told} == {None}
    assert "told" not in ALGORITHMS
