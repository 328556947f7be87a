"""The bars on a terminal: nothing for short work, then what is done and what is left."""

import os
import pty
import subprocess
import sys

WORK = """
from ancestral.certainty.progress import RepeatsProgress
from ancestral.show.repeats_bar import RepeatsBar
from ancestral.search.progress import Progress
from ancestral.show.progress import ProgressBar
"""


def shown(code: str) -> str:
    """What stands on a terminal after some code."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    subprocess.run([sys.executable, "-c", WORK + code], stderr=theirs, env=environment, check=True, timeout=60)
    os.close(theirs)
    out = b""
    try:
        while part := os.read(ours, 65536):
            out += part
    except OSError:  # the other end is closed, and all is read
        pass
    os.close(ours)
    return out.decode()


def test_a_bootstrap_shows_its_repeats() -> None:
    out = shown("with RepeatsBar() as bar: bar(RepeatsProgress(200, 50, 10.0, 30.0))")
    assert "resamples" in out and "50 of 200" in out and "10 s" in out and "(~30 s left)" in out


def test_a_search_shows_its_edges() -> None:
    out = shown("with ProgressBar() as bar: bar(Progress(2, 1200, 300, 4567, 7.0, 21.0))")
    assert "radius 2" in out and "300 of 1,200 edges" in out and "4,567 questions" in out
    assert "(~21 s left in this radius)" in out


def test_short_work_shows_nothing() -> None:
    assert shown("with RepeatsBar() as bar: bar(RepeatsProgress(200, 1, 0.1, 19.9))") == ""
    assert shown("with ProgressBar() as bar: bar(Progress(1, 10, 1, 5, 0.1, None))") == ""
