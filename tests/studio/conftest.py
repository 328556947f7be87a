from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.studio import RunningStudio, write_study


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """A studio with a small study and one answer; tests leave it able to answer."""
    folder = tmp_path_factory.mktemp("studio") / "project"
    folder.mkdir()
    write_study(folder / "study.csv")
    running = RunningStudio(folder, ahead=True)
    running.post("choose", name="study.csv")
    running.post("options", options={"algorithm": "icd"})
    running.post("search")
    state = running.finished()
    assert state["current"] == "001", state
    yield running
    running.close()


@pytest.fixture
def folder(studio: RunningStudio) -> Path:
    return Path(studio.get("api/state")["folder"])
