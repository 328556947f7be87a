"""A studio that is stopped, killed or starved: nothing is lost but the stage that was under way."""

import contextlib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.studio.project import Project
from tests.support.studio import RunningStudio, held_at_a_stage, processes_in, wait_until, write_study

#: A search of several stages.
SLOW = {"algorithm": "icd", "test": "kernel"}


def write_slow_study(path: Path) -> None:
    """Nine variables with three causes that were not measured."""
    random = np.random.default_rng(0)
    values = random.normal(size=(800, 3)) @ random.normal(size=(3, 9)) + 0.7 * random.normal(size=(800, 9))
    pl.DataFrame({f"x{i}": values[:, i].round(4) for i in range(9)}).write_csv(path)


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="looks for processes as on Linux")
def test_a_search_that_is_stopped_killed_and_resumed_finds_what_an_uninterrupted_one_finds(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "project"
    folder.mkdir()
    write_slow_study(folder / "study.csv")
    expected = an.discover(folder / "study.csv", algorithm="icd", test="kernel", progress=False)

    run = folder / "answers" / "001" / "run.json"

    with contextlib.closing(RunningStudio(folder)) as first:
        first.post("choose", name="study.csv")
        first.post("options", options=SLOW)
        first.post("search")
        with held_at_a_stage(run):
            first.post("stop")
        state = first.finished()
        [answer] = state["answers"]
        assert not answer["complete"] and answer["resumable"] and answer["stopped"] == "The search was stopped."
        assert state["current"] == "001" and state["last_error"] is None
        stopped = an.load(run)
        assert stopped.radius == len(answer["stages"]) - 1
        assert first.raw("GET", f"/{first.secret}/answers/001/stage/last")[0] == 200
        first.post("resume")
        wait_until(lambda: (first.get("api/state")["job"] or {"label": "radius"})["label"].startswith("radius"))
        first.kill()
    wait_until(lambda: not processes_in(folder))  # no process outlives the server
    assert str(an.load(run).graphs[stopped.radius]) == str(stopped.pag)

    with contextlib.closing(RunningStudio(folder)) as second:
        assert second.secret != first.secret
        state = second.get("api/state")
        assert state["data"]["name"] == "study.csv" and state["options"]["test"] == "kernel"
        assert state["current"] == "001" and state["job"] is None and state["undo"] is not None
        if not state["answers"][0]["complete"]:
            second.post("resume")
            state = second.finished()
        assert state["answers"][0]["complete"]
        assert str(an.load(run).pag) == str(expected.pag)
        assert "complete" in second.post("resume", 400)["error"]


def test_a_search_that_needs_more_memory_than_there_is_ends_in_a_message(tmp_path: Path) -> None:
    write_study(tmp_path / "study.csv")
    with contextlib.closing(RunningStudio(tmp_path, memory=600_000_000)) as studio:
        studio.post("choose", name="study.csv")
        studio.post("search")
        state = studio.finished()
        assert "memory" in state["last_error"] and state["answers"] == [] and state["current"] is None
        status, _, body = studio.raw("GET", f"/{studio.secret}/api/describe")
        assert status in (200, 507), body
        assert studio.post("options", options={"alpha": 0.05})["options"]["alpha"] == 0.05
    assert list((tmp_path / "answers").iterdir()) == []


def test_a_folder_that_is_open_is_not_opened_twice(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with pytest.raises(an.OptionError, match="open in another studio"):
        Project(tmp_path)
    project.close()
    Project(tmp_path).close()
