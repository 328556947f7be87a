"""Run parts of the suite in forked processes, which inherit the imported libraries; started by `tests.faults.plant`.

Each line of standard input is a request: a JSON list of arguments for pytest. The answers are JSON lines on standard
output: `["process", id]` when pytest starts, `["running", node id]` before each test, `["failed", node id]` after each
failure, and `["ended", exit code]`, which is negative if a signal ended pytest. Only the forked processes import the
package under test, so each sees the sources as they are at that moment.
"""

import importlib
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any

#: Libraries that many tests import.
LIBRARIES = (
    "pytest", "hypothesis", "numpy", "scipy.linalg", "scipy.special", "scipy.stats", "polars", "narwhals", "pandas",
    "pyarrow", "igraph", "typer", "typer.testing", "rich.console", "networkx", "sklearn.base", "sklearn.pipeline",
    "dask", "distributed", "duckdb", "concurrent.futures.process", "multiprocessing.pool",
)  # fmt: skip


class Reporter:
    """A plugin of pytest that writes what happens to a file descriptor."""

    def __init__(self, out: int) -> None:
        self.out = out

    def tell(self, event: str, value: object) -> None:
        """Write one answer."""
        os.write(self.out, f"{json.dumps([event, value])}\n".encode())

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self.tell("running", nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has ended."""
        if report.failed:
            self.tell("failed", report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """A file was imported, or could not be."""
        if report.failed:
            self.tell("failed", report.nodeid)


def serve() -> None:
    """Answer requests until standard input is closed."""
    reporter = Reporter(os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    for library in LIBRARIES:
        importlib.import_module(library)
    import pytest

    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.setsid()  # a process group of its own, which can be ended as a whole
            os.dup2(nowhere, 0)
            # a process in the background ignores Ctrl-C, and so would its children, where tests need to see it
            signal.signal(signal.SIGINT, signal.default_int_handler)
            reporter.tell("process", os.getpid())
            os._exit(pytest.main(json.loads(line), plugins=[reporter]))
        _, status = os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # processes that tests have left behind
        reporter.tell("ended", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    serve()
