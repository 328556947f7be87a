"""The command that opens the studio, as far as it gets without a browser."""

import socket
from pathlib import Path

import pytest

from tests.support.command_line import ran


def test_a_file_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = ran("studio", "nothing.csv")
    assert done.code == 2 and "nothing.csv: must be a file with data" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = ran("studio", "--project", tmp_path / "project", "--port", port, "--no-browser")
    assert done.code == 2 and f"port {port} cannot be used" in done.err
    assert not (tmp_path / "project").exists()


def test_a_missing_extra_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ancestral.extras.find_spec", lambda name: None)
    done = ran("studio", "--project", tmp_path / "project")
    assert done.code == 2 and "pip install 'ancestral[studio]'" in done.err


def test_a_file_that_is_no_data_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.docx").write_text("x")
    done = ran("studio", tmp_path / "notes.docx", "--project", tmp_path / "project", "--no-browser")
    assert done.code == 2 and "must end in one of" in done.err
    assert not list((tmp_path / "project").glob("*.docx"))
