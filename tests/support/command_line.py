"""Run commands of the command line, in this process or in a new one."""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
import polars as pl

from ancestral.cli import run

__all__ = ["COMMAND", "Ran", "one_factor", "ran", "started"]

COMMAND = [sys.executable, "-m", "ancestral"]


@dataclass(frozen=True)
class Ran:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def ran(*arguments: object) -> Ran:
    """Run a command in this process."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    return Ran(int(code), out.getvalue(), err.getvalue())


def started(*arguments: object, stdout: int = subprocess.PIPE, **environment: str) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def one_factor(path: Path, columns: int) -> Path:
    """A table in which one hidden cause drives every column, so no pair is ever separated: a long search."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((4000, 1)) + rng.standard_normal((4000, columns))
    pl.DataFrame(values, schema=[f"x{i}" for i in range(1, columns + 1)]).write_csv(path)
    return path
