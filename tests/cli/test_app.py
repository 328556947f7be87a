import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import typer

import ancestral as an
from ancestral.cli.app import app
from ancestral.data.read.formats import endings_in_words
from tests.support.command_line import COMMAND, Ran, one_factor, ran, started


def test_version() -> None:
    assert ran("--version") == Ran(0, f"ancestral {an.__version__}\n", "")


def test_nothing_asked_shows_the_help() -> None:
    done = ran()
    assert done.code == 2
    assert "discover" in done.out + done.err


def test_bad_usage_is_one_line() -> None:
    for arguments in (["discovr"], ["why", "run.json", "a"], ["compare", "a", "b", "--formt", "dot"]):
        done = ran(*arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("ancestral: error: ")
        assert done.err.endswith("--help\n")
        assert done.err.count("\n") == 1


def test_a_failure_of_ours_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(path: object) -> None:
        raise KeyError("a\nb")

    monkeypatch.setattr("ancestral.cli.why.read_run", broken)
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
    assert err.splitlines()[-1] == "ancestral: error: standard output cannot be written (No space left on device)"


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
    script = "import sys; from ancestral.cli import run; run(['discover', '--help']); "
    script += "sys.exit(str([m for m in ('numpy', 'polars', 'pandas', 'scipy') if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_the_help_lists_the_endings_of_data_files() -> None:
    """The help spells them out, since it does not import the formats."""
    written = endings_in_words(lambda data_format: data_format.write is not None, compressed=[".gz"])
    for command, name, endings in (
        ("discover", "data", endings_in_words()),
        ("bootstrap", "data", endings_in_words()),
        ("simulate", "output", written),
    ):
        commands: Any = typer.main.get_command(app)
        parameters = commands.commands[command].params
        assert endings in next(parameter.help for parameter in parameters if parameter.name == name)


# -- streams that are closed, or whose reader leaves ------------------------------------------------------------------


def shell(command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell; `ancestral` is this package."""
    script = f'ancestral() {{ {sys.executable} -m ancestral "$@"; }}; {command}'
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, env={**os.environ, **more}
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_failure(closed: str, tmp_path: Path) -> None:
    data = one_factor(tmp_path / "data.csv", 4)
    run, graph, page = tmp_path / "run.json", tmp_path / "graph.txt", tmp_path / "page.html"
    before = data.read_bytes()
    done = shell(f"ancestral discover {data} --save {run} --report {page} --output {graph} {closed}")
    assert done.returncode == 0, done.stderr
    assert an.PAG.parse(graph.read_text()) == an.load(run).pag
    assert page.read_text().startswith("<!doctype html>")
    assert data.read_bytes() == before
    done = shell(f"ancestral discover {data} {closed}")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_standard_error_that_nobody_reads(tmp_path: Path) -> None:
    data = one_factor(tmp_path / "data.csv", 4)
    done = shell(f"ancestral discover {data} 2> >(exec true); exit $?")
    assert done.returncode == 0
    assert len(an.PAG.parse(done.stdout).edges()) == 6


def test_ctrl_c_at_any_early_moment_is_no_traceback(tmp_path: Path) -> None:
    """From the moment that Python has begun with our code; what it does before that is not ours."""
    data = one_factor(tmp_path / "data.csv", 4)
    for after in (0.01, 0.02, 0.05, 0.1, 0.2, 0.4):
        script = (
            "import os, signal, sys; from ancestral.__main__ import main; "
            f"sys.argv = ['ancestral', 'discover', {str(data)!r}]; "
            "signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT)); "
            f"signal.setitimer(signal.ITIMER_REAL, {after}); main()"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in (0, 3, 130, -signal.SIGINT)


# -- names that a terminal would act on -------------------------------------------------------------------------------

HOSTILE = {"title": "\x1b]0;owned\x07", "c1": "a\x9b2J", "bidi": "a\u202etxt.b", "isolate": "\u2066b"}


def on_a_terminal(*arguments: object) -> str:
    """What a command shows on a terminal, standard error included."""
    leader, follower = pty.openpty()
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(leader, 65536):
            shown += part
    os.close(leader)
    assert process.wait(timeout=60) in (0, 2)
    return shown.decode()


def test_names_do_not_command_a_terminal(tmp_path: Path) -> None:
    run, data = tmp_path / "run.json", tmp_path / "data.csv"
    names = [*HOSTILE.values()]
    rows = np.random.default_rng(1).normal(size=(200, 4))
    rows[:, 1] += rows[:, 0]
    pl.DataFrame(rows, schema=names).write_csv(data)
    an.discover(data).save(run)
    for shown in (
        on_a_terminal("discover", data, "--no-progress"),
        on_a_terminal("why", run, names[0], names[1]),
        on_a_terminal("why", run, names[0], "nothing"),
        on_a_terminal("causes", run, names[0], names[1]),
        on_a_terminal("bootstrap", data, "--repeats", "3", "--no-progress"),
    ):
        assert "\\u001b]0;owned\\u0007" in shown or "\\x1b]0;owned\\x07" in shown
        assert not set("".join(HOSTILE.values())) & set(shown) & set("\x1b\x07\x9b\u202e\u2066")


def test_the_text_of_a_graph_says_such_names_and_reads_them_again() -> None:
    names = [*HOSTILE.values(), "a\u2028b", "\ud800", "plain"]
    graph = an.DAG.parse(", ".join(f"{json.dumps(a)} -> {json.dumps(b)}" for a, b in pairwise(names)))
    text = str(graph)
    assert text.isascii()
    assert an.DAG.parse(text) == graph
    assert set(graph.nodes) == set(names)
