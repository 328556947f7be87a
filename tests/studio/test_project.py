"""Steps can be undone and done again, and what a folder holds is believed only as far as it makes sense."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import ancestral as an
from ancestral.studio.choices import DEFAULTS
from ancestral.studio.knowledge_form import EMPTY, form_of_file, toml_of
from ancestral.studio.names import checked_id, checked_name, inside
from ancestral.studio.project import Project
from ancestral.studio.refusals import Refused


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path)
    yield project
    project.close()


def alpha(project: Project, value: float) -> None:
    with project.step(f"alpha {value}"):
        project.options = {**project.options, "alpha": value}


def answer(project: Project) -> str:
    number = project.begin_answer()
    (project.place(number) / "run.json").write_text("{}")
    return number


def test_undo_goes_back_by_a_step_and_redo_forth(project: Project) -> None:
    alpha(project, 0.05)
    with project.step("knowledge"):
        project.set_knowledge({**EMPTY, "tiers": [["a"], ["b"]]})
    project.undo()
    assert project.knowledge == EMPTY and project.options["alpha"] == 0.05
    project.undo()
    assert project.options == DEFAULTS
    project.redo()
    project.redo()
    assert project.knowledge["tiers"] == [["a"], ["b"]] and project.options["alpha"] == 0.05
    with pytest.raises(Refused, match="nothing to do again"):
        project.redo()


def test_a_new_step_ends_what_could_be_done_again(project: Project) -> None:
    alpha(project, 0.05)
    project.undo()
    alpha(project, 0.1)
    assert project.undone == [] and [step["sentence"] for step in project.done] == ["alpha 0.1"]


def test_a_step_that_changes_nothing_is_none(project: Project) -> None:
    version = project.version
    alpha(project, DEFAULTS["alpha"])
    assert project.done == [] and project.version == version


def test_undo_shows_the_answer_that_belongs_to_the_options(project: Project) -> None:
    project.current = answer(project)
    alpha(project, 0.05)
    project.current = answer(project)
    project.undo()
    assert (project.current, project.options["alpha"]) == ("001", 0.01)
    project.redo()
    assert (project.current, project.options["alpha"]) == ("002", 0.05)


def test_numbers_of_forgotten_answers_are_not_given_again(project: Project) -> None:
    project.current = answer(project)
    project.forget("001")
    assert project.current is None and project.answers() == []
    assert answer(project) == "002"


def test_a_project_is_read_as_it_was_written(tmp_path: Path) -> None:
    first = Project(tmp_path)
    alpha(first, 0.05)
    alpha(first, 0.1)
    first.undo()
    first.begin_answer()
    first.close()
    again = Project(tmp_path)
    assert again.options["alpha"] == 0.05 and again.done == first.done and again.undone == first.undone
    assert list((tmp_path / "answers").iterdir()) == [], "a search that saved no stage leaves nothing"
    again.close()


@pytest.mark.parametrize(
    "kept",
    [{"options": 3}, {"options": {"alpha": "x"}}, {"data": ["x"]}, {"data": "../../etc/passwd"}, {"current": "900"},
     {"done": [1]}, {"done": [{"sentence": "x"}]},
     {"done": [{"sentence": "x", "data": 1, "options": 2, "knowledge": 3, "current": 4}]},
     {"current": {}}, {"last": "x"}],
)  # fmt: skip
def test_a_project_file_that_makes_no_sense_does_no_harm(tmp_path: Path, kept: dict[str, object]) -> None:
    (tmp_path / "project.json").write_text(json.dumps(kept))
    project = Project(tmp_path)
    assert project.options == DEFAULTS and project.data_path is None and project.current is None
    assert project.done == []
    assert project.begin_answer() == "001"
    project.close()


def test_a_file_that_is_not_that_of_a_project_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "project.json").write_text("[1, 2")
    with pytest.raises(an.OptionError, match="not the file of a project"):
        Project(tmp_path)


@pytest.mark.parametrize("text", ["a.csv", "my study.csv", "naïve ☃.csv", "-x.csv", "x" * 196 + ".csv", "a..b.csv"])
def test_plain_names_are_taken(text: str) -> None:
    assert checked_name(text) == text


@pytest.mark.parametrize(
    "text", ["", " ", ".", "..", ".hidden.csv", "a/b.csv", "a\\b.csv", "a\nb.csv", "a\0.csv", "x" * 201, "☃" * 100, 3,
             None, "a\u202ecsv", "a\x7f.csv", " a.csv", "\ud800.csv"],
)  # fmt: skip
def test_names_that_could_lead_elsewhere_are_refused(text: object) -> None:
    with pytest.raises(Refused, match="name of a file"):
        checked_name(text)


@pytest.mark.parametrize("text", ["", "1", "../1", "001/..", "٠٠١", "001\n", 1, None, "0000001"])
def test_numbers_of_answers_are_digits(text: object) -> None:
    with pytest.raises(Refused) as refused:
        checked_id(text)
    assert refused.value.status == 404


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "other.csv").write_text("x\n1\n")
    (folder / "out.csv").symlink_to(tmp_path / "other.csv")
    (folder / "in.csv").symlink_to(folder / "study.csv")
    assert inside(folder, "in.csv") == folder / "in.csv"
    with pytest.raises(Refused, match="leads out of the project folder"):
        inside(folder, "out.csv")


def test_knowledge_is_written_as_knowledge_reads_it(tmp_path: Path) -> None:
    names = ['a"b', "c\\d", "e\tf", "\x7f", "☃", "[x]", "#", "𝒳"]
    form = {**EMPTY, "tiers": [names[:4], names[4:]], "contexts": ["☃"], "targets": [["☃", "𝒳"]]}
    text = toml_of(form)
    assert text is not None
    (tmp_path / "knowledge.toml").write_text(text, encoding="utf-8")
    known = an.Knowledge.read(tmp_path / "knowledge.toml")
    assert known == an.Knowledge(tiers=[names[:4], names[4:]], contexts=["☃"], targets=[("☃", "𝒳")])
    assert form_of_file(tmp_path / "knowledge.toml") == (form, None)


def test_a_knowledge_file_of_an_editor_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.toml"
    path.write_text('contexts = ["drug"]\n[targets]\ndrug = ["x", "y"]\n')
    assert form_of_file(path)[0]["targets"] == [["drug", "x"], ["drug", "y"]]
    path.write_text("tiers = 3\n")
    form, fault = form_of_file(path)
    assert form == EMPTY and fault is not None and "tiers must be a list" in fault
