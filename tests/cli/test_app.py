import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ancestral as an
from command_line import Ran, one_factor, ran, started


def test_version() -> None:
    assert ran("--version") == Ran(0, f"ancestral {an.__version__}\n", "")


def test_nothing_asked_shows_the_help() -> None:
    done = ran()
    assert done.code == 2
    assert "discover" in done.out + done.err


def test_bad_usage_is_one_line() -> None:
    for arguments in (["discovr"], ["why", "run.json", "a"], ["compare", "a", "b", "--format", "dot"]):
        done = ran(*arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("ancestral: error: ")
        assert done.err.endswith("--help\n")
        assert done.err.count("\n") == 1


def test_a_failure_of_ours_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(path: object) -> None:
        raise KeyError("a\nb")

    monkeypatch.setattr(an, "load", broken)
    done = ran("why", "run.json", "a", "b")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "KeyError" in done.err
    assert "ANCESTRAL_TRACEBACK=1" in done.err
    monkeypatch.setenv("ANCESTRAL_TRACEBACK", "1")
    done = ran("why", "run.json", "a", "b")
    assert done.code == 1
    assert "Traceback (most recent call last)" in done.err
    assert "in broken" in done.err


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(an, "discover", closed)
    assert ran("discover", "data.csv") == Ran(2, "", "ancestral: error: data.csv: Permission denied\n")


def test_ctrl_c_before_there_is_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(an, "discover", interrupted)
    assert ran("discover", "data.csv") == Ran(130, "", "ancestral: interrupted\n")

    def terminated(path: object, **options: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(an, "discover", terminated)
    before = signal.signal(signal.SIGTERM, nothing)  # should our handler be missing, pytest lives on
    try:
        assert ran("discover", "data.csv") == Ran(143, "", "ancestral: interrupted\n")
        assert signal.getsignal(signal.SIGTERM) is nothing
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_long_run_with_its_last_graph(number: signal.Signals, tmp_path: Path) -> None:
    data, run = one_factor(tmp_path / "data.csv", 24), tmp_path / "run.json"
    process = started("discover", data, "--possible-ancestors", "off", "--save", run)
    until = time.monotonic() + 60
    while not run.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    found = an.load(run)
    assert an.PAG.parse(out) == found.pag
    assert found.stopped == "interrupt"
    assert "Traceback" not in err
    assert "ancestral: warning: interrupted: this is the graph of the last complete stage\n" in err


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    data = one_factor(tmp_path / "data.csv", 4)
    process = started("discover", data)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()  # as `| head` does
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 141
    assert err == ""


def test_standard_output_that_is_full(tmp_path: Path) -> None:
    data = one_factor(tmp_path / "data.csv", 4)
    with open("/dev/full", "w") as full:
        process = started("discover", data, stdout=full.fileno())
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err == "ancestral: error: standard output cannot be written (No space left on device)\n"


def test_standard_output_that_cannot_hold_a_name(tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    an.discover(an.Oracle(an.DAG.parse("größe -> b"))).save(run)
    process = started("why", run, "größe", "b", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err.startswith("ancestral: error: standard output, in ascii, cannot hold '\\xf6")
    assert err.count("\n") == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    process = started("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "_ANCESTRAL_COMPLETE" in out


def test_the_help_imports_nothing_heavy() -> None:
    said = "import sys; from ancestral.cli import run; run(['discover', '--help']); "
    said += "sys.exit(str([m for m in ('numpy', 'polars', 'pandas', 'scipy') if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"
