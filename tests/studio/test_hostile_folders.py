"""A project folder that somebody else has made: the studio opens it, answers, and touches nothing else."""

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ancestral as an
from ancestral.studio.choices import DEFAULTS
from ancestral.studio.knowledge_form import EMPTY
from ancestral.studio.knowledge_form import MOST_BYTES as MOST_KNOWLEDGE
from ancestral.studio.project import LOCK, MOST_BYTES, Project
from ancestral.studio.repeating import repeat
from tests.support.studio import RunningStudio, write_study

Spoil = Callable[[Path], None]


def _nested(opening: str, closing: str) -> str:
    return opening * 100_000 + closing * 100_000


#: What may stand where a file of the project is expected; each spoils the path that it is given.
SPOILT: dict[str, Spoil] = {
    "a link out of the folder": lambda path: path.symlink_to(_outside(path)),
    "a link that leads nowhere": lambda path: path.symlink_to(path.parent / "nowhere"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a folder": lambda path: path.mkdir(),
    "a pipe": lambda path: os.mkfifo(path),
    "numbers for all": lambda path: _write(path, '{"warnings": 5, "made": 5, "options": 5, "data": 5}'),
    "deeply nested": lambda path: _write(path, _nested("[", "]")),
    "not text": lambda path: _write(path, "\0\ufffe" * 100),
    "a large file": lambda path: _sparse(path, MOST_BYTES + 1),
}


def _outside(path: Path) -> Path:
    """The file that does not belong to the project."""
    return next(parent for parent in path.parents if (parent / "outside").exists()) / "outside" / "file"


def _write(path: Path, text: str) -> None:
    path.write_text(text)


def _sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one answer."""
    folder = tmp_path_factory.mktemp("made")
    write_study(folder / "study.csv")
    project = Project(folder)
    project.data = "study.csv"
    place = project.place(project.begin_answer())
    an.discover(folder / "study.csv", algorithm="icd", progress=False, save=place / "run.json")
    project.current = "001"
    project.write()
    project.close()
    return folder


def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of the project, beside a file that does not belong to it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("untouched")
    folder = tmp_path / "some" / "project"
    shutil.copytree(made, folder)
    return folder


def test_knowledge_of_the_largest_size_is_read(tmp_path: Path) -> None:
    text = 'tiers = [["a"], ["b"]]\n'
    for more, faults in ((0, False), (1, True)):
        (tmp_path / "knowledge.toml").write_text(text + "#" * (MOST_KNOWLEDGE - len(text) + more))
        with contextlib.closing(Project(tmp_path)) as project:
            assert bool(project.knowledge_faults(None)) is faults
            assert project.knowledge["tiers"] == ([] if faults else [["a"], ["b"]])


@pytest.mark.parametrize("name", ["knowledge.toml", "answers/001/knowledge.toml", "answers/001/options.json"])
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_file_of_no_use_hides_nothing_else(made: Path, tmp_path: Path, name: str, spoil: Spoil) -> None:
    folder = copied(made, tmp_path)
    (folder / name).unlink(missing_ok=True)
    spoil(folder / name)
    with contextlib.closing(Project(folder)) as project:
        assert project.answers() == ["001"] and project.current == "001"
        about = project.about("001")
        assert about["options"] == DEFAULTS and about["warnings"] == []
        assert project.knowledge == EMPTY == about["knowledge"]
        harmless = name != "knowledge.toml" or spoil is SPOILT["a link that leads nowhere"]
        assert (project.knowledge_faults(None) == []) is harmless
    assert (tmp_path / "outside" / "file").read_text() == "untouched"


@pytest.mark.parametrize("spoil", [SPOILT[name] for name in ("a link out of the folder", "a folder", "a pipe")])
@pytest.mark.parametrize("name", ["project.json", LOCK])
def test_a_folder_that_cannot_be_a_project_is_refused(made: Path, tmp_path: Path, name: str, spoil: Spoil) -> None:
    folder = copied(made, tmp_path)
    (folder / name).unlink(missing_ok=True)
    spoil(folder / name)
    with pytest.raises(an.OptionError):
        Project(folder)
    assert (tmp_path / "outside" / "file").read_text() == "untouched"


@pytest.mark.parametrize("last", [-5, 10**30, True, 1.5])
def test_numbers_of_answers_go_on_whatever_the_file_says(made: Path, tmp_path: Path, last: object) -> None:
    folder = copied(made, tmp_path)
    kept = json.loads((folder / "project.json").read_text())
    (folder / "project.json").write_text(json.dumps({**kept, "last": last}))
    with contextlib.closing(Project(folder)) as project:
        assert project.begin_answer() == "002"


def test_hostile_run_files_leave_the_other_answers_as_they_are(made: Path, tmp_path: Path) -> None:
    folder = copied(made, tmp_path)
    good = json.loads((folder / "answers" / "001" / "run.json").read_text())
    hostile = ["", "[]", "{}", _nested("[", "]"), "\0"]
    senseless: list[Any] = [None, [[]]]
    hostile += [json.dumps({**good, name: value}) for name in good for value in senseless]
    for number, text in enumerate(hostile, start=2):
        place = folder / "answers" / f"{number:03}"
        place.mkdir()
        (place / "run.json").write_text(text)
    with contextlib.closing(RunningStudio(folder)) as studio:
        answers = {answer["id"]: answer for answer in studio.get("api/state")["answers"]}
        assert len(answers) == 1 + len(hostile)
        assert answers["001"]["title"].startswith("ICD") and answers["001"]["edges"] > 0
        assert sum(answer["title"] == "cannot be read" for answer in answers.values()) >= 5
        for number in answers:
            assert studio.raw("GET", f"/{studio.secret}/answers/{number}/report")[0] in (200, 400, 500)
        assert studio.post("ask", what="why", id="001", a="c", b="d")["ok"]


@pytest.mark.parametrize(
    "name", ["x\x1b[201~\nid\n", "a\u202eb", "it's\r", "\x9b201~", "a'\\\x07", "$(id)\n`id`", "plain name", "☃ 'so'"]
)
def test_a_command_with_hostile_names_is_one_visible_line_that_means_them(name: str) -> None:
    words = repeat("study.csv", {**DEFAULTS, "weights": name}, None)["command"]
    assert all(character.isprintable() for character in words)
    shown = subprocess.run(["bash", "-c", f"printf '%s\\0' {words}"], capture_output=True, check=True, env={})
    assert name.encode() in shown.stdout.split(b"\0")
