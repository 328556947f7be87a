"""Runs that are killed, and runs that save to one file, lose nothing; `make kill` and `make attack` do more of both."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checks.race import race


def test_a_killed_run_resumes_to_the_identical_file() -> None:
    # in a process of its own: forks of one in which threads of other libraries wait may wait forever
    script = Path(__file__).parent / "checks" / "kill.py"
    done = subprocess.run(
        [sys.executable, str(script), "--trials", "20", "--seed", "1"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    summary = re.fullmatch(
        r"20 runs \(seed 1\), killed (\d+) times, (\d+) files found unfinished: each resumed to the identical file of "
        r"[\d,]+ bytes\n",
        done.stdout,
    )
    assert summary
    assert int(summary[1]) >= 20
    assert int(summary[2]) >= 3


@pytest.mark.parametrize("writers", [2, 8])
def test_processes_that_save_to_one_file_never_break_it(writers: int, tmp_path: Path) -> None:
    saved, broken = race(tmp_path, writers, reads=4000)
    assert saved > 50
    assert broken == 0
