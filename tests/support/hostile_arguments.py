"""Commands with hostile arguments: every option of every command, with values that break careless programs.

Every command must end soon with one of its exit codes, say what is wrong in one line, and change no file but the one
it was asked to write.
"""

import os
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

import ancestral as an
from ancestral.cli.app import app
from tests.support.command_line import Ran, ran

__all__ = ["attack_arguments"]

#: Seconds after which a command counts as hanging; none has more than a second's work to do.
PATIENCE = 60

_HOSTILE = (
    "", " ", "-", "--", "---x", "0", "-1", "1", "2", "0.5", "1e400", "-1e400", "nan", "inf", "1e-320", "5e-324",
    str(10**30), "9" * 5000, "1_000", "0x10", "１", "true", "None", "a", "a,b", ",", "a,,b", '"a', '"a","b,c"', "*",
    "a\nb", "a\r\nb", "\t", "\x1b]0;x\x07", "\u202e", "\u2028", "\udcff", "§", ";;", "'", '"', "$(touch owned)",
    "`touch owned`", "%s%n", "{}", "{0.__class__}", "x" * 5000, "../x", "../../x", "/", ".", "..", "~", "~root",
    "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem", "/proc/self/fd/0", "/dev/fd/1",
    "pipe", "loop", "folder", "nothing", "nothing.csv",
    "nothing/x.csv", "data.csv", "./data.csv", "link.csv", "run.json", "boot.json", "truth.txt", "knowledge.txt",
    "page.html", "new.json", "new.csv", "new.html", "new.json.gz", "*.csv", "**/*", "[", "folder/*", "http://localhost/x",
    "file:///etc/passwd", "icd", "pc", "rank", "g", "chi2", "mixed", "fisher-z", "drop", "testwise", "30s", "1e9d",
    "1..2", "2..1", "1000", "1D", "1M", "1fortnight", "all", "a[t-1]", "a[t]", "a[t-0]", "[t]", "series.json", "window",
    "json", "csv", "dot", "graphml", "pcalg", "tetrad", "dagitty", "dag", "pag",
)  # fmt: skip

#: What a command needs to have something to do; the values of its arguments may be replaced.
_BEGINNINGS: dict[str, list[str]] = {
    "discover": ["data.csv"],
    "series": ["data.csv", "--lags", "1"],
    "describe": ["data.csv"],
    "bootstrap": ["data.csv", "--repeats", "2"],
    "why": ["run.json", "a", "c"],
    "report": ["run.json"],
    "plot": ["run.json", "--output", "new.svg"],
    "causes": ["run.json", "a", "c"],
    "adjust": ["run.json", "a", "d"],
    "possible": ["run.json", "a", "d", "--data", "data.csv"],
    "sensitivity": ["run.json", "a", "d", "--data", "data.csv"],
    "compare": ["run.json", "truth.txt"],
    "convert": ["run.json", "--to", "dot"],
    "simulate": ["--rows", "20", "--nodes", "5", "--output", "new.csv", "--truth", "new.txt"],
}
#: Options that make a command run longer than the limit, as they should.
_LONG = {("simulate", "--rows"), ("simulate", "--nodes"), ("bootstrap", "--repeats")}
_FILES = ("data.csv", "run.json", "series.json", "boot.json", "truth.txt", "knowledge.txt")


def attack_arguments(attempts: int, seed: int) -> Counter[int]:
    """Run `attempts` commands; the count of each exit code. Raises AssertionError at the first that misbehaves."""
    rng = random.Random(seed)
    codes: Counter[int] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "outer" / "inner"  # so that ../../x stays in here
        folder.mkdir(parents=True)
        with _here(folder):
            before = _made(folder)
            for number in range(attempts):
                arguments = _arguments(rng)
                with _limit(PATIENCE, arguments):
                    done = ran(*arguments)
                codes[done.code] += 1
                _check(arguments, done)
                _restore(folder, before, arguments, clean=number % 50 == 0)
    return codes


def _options() -> dict[str, list[tuple[str, bool]]]:
    """The options of each command, and whether each is a flag."""
    commands: Any = typer.main.get_command(app)
    return {
        name: [
            (option, bool(parameter.is_flag))
            for parameter in command.params
            for option in (*parameter.opts, *parameter.secondary_opts)
            if parameter.param_type_name == "option"
        ]
        for name, command in commands.commands.items()
    }


_OPTIONS = _options()


def _arguments(rng: random.Random) -> list[str]:
    command = rng.choice(list(_BEGINNINGS))
    words = list(_BEGINNINGS[command])
    if rng.random() < 0.4:
        words[rng.randrange(len(words))] = rng.choice(_HOSTILE)
    for _ in range(rng.randint(0, 3) if _OPTIONS[command] else 0):
        option, flag = rng.choice(_OPTIONS[command])
        value = rng.choice(_HOSTILE)
        if (command, option) in _LONG and value.isdecimal():
            value = str(min(int(value[:3]), 100))
        words += [option] if flag else [option, value]
    if command in ("discover", "series", "bootstrap") and "--time-limit" not in words:
        words += ["--time-limit", "2"]
    if command == "simulate" and rng.random() < 0.5:
        words += ["--force"]
    return [command, *words]


def _check(arguments: list[str], done: Ran) -> None:
    details = (arguments, done.code, done.out[-500:], done.err[-1000:])
    assert done.code in ((0, 1, 2, 3, 4) if "--strict" in arguments else (0, 1, 2, 3)), details
    assert "sorry, this should not have happened" not in done.err, details
    assert "Traceback" not in done.err, details
    if done.code == 2:
        assert done.out == "" or "Usage" in done.out, details
        assert "ancestral: error: " in done.err.splitlines()[-1] or "Usage" in done.err, details
    assert "\x1b]0" not in done.err, details


def _made(folder: Path) -> dict[str, bytes]:
    """Fill a folder with a file of each kind; the files that must not change."""
    dag = an.DAG.parse("a -> c, b -> c, c -> d")
    rows = an.simulate.linear_gaussian(dag, rows=60, seed=1)
    rows.write_csv("data.csv")
    an.discover(rows, progress=False).save("run.json")
    an.discover_series(rows, lags=1, progress=False).save("series.json")
    an.bootstrap(rows, repeats=2, progress=False).save("boot.json")
    Path("truth.txt").write_text(f"{dag}\n")
    Path("knowledge.txt").write_text("a < c\n")
    Path("folder").mkdir()
    Path("link.csv").symlink_to("data.csv")
    Path("loop").symlink_to("loop")
    os.mkfifo("pipe")
    return {name: Path(name).read_bytes() for name in _FILES}


def _restore(folder: Path, before: dict[str, bytes], arguments: list[str], clean: bool) -> None:
    """Raise if a file was changed that the command was not asked to write; restore the folder now and then."""
    for name, content in before.items():
        path = Path(name)
        asked = any(os.path.basename(word).removeprefix("./") in (name, "link.csv") for word in arguments)
        if not path.exists() or (path.read_bytes() != content and not asked):
            raise AssertionError(f"{name} was changed or removed by {arguments}")
        if path.read_bytes() != content:
            path.write_bytes(content)
    assert not Path("owned").exists(), arguments
    assert Path("pipe").is_fifo(), arguments
    if clean:
        for entry in folder.iterdir():
            if entry.is_file() and not entry.is_symlink() and entry.name not in before:
                entry.unlink()


@contextmanager
def _here(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _limit(seconds: int, arguments: list[str]) -> Iterator[None]:
    """Raise AssertionError in the main thread if it takes too long."""

    def ring(number: int, frame: object) -> None:
        raise AssertionError(f"hangs: {arguments}")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
