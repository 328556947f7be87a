"""A studio in a process of its own, and a page that talks to it, for tests."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ancestral as an

__all__ = ["RunningStudio", "held_at_a_stage", "processes_in", "wait_until", "write_study"]

_PROGRAM = """
import sys
from pathlib import Path
from ancestral.studio.serving import serve
folder, memory, ahead = sys.argv[1:]
serve(
    Path(folder),
    browser=False,
    memory=int(memory) or None,
    ahead=ahead == "True",
    tell=lambda text: print(text, flush=True),
)
"""


def write_study(path: Path, *, rows: int = 300, seed: int = 1) -> Path:
    """A small file with data: c has the causes a and b, and the effect d."""
    frame = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=rows, seed=seed)
    frame.write_csv(path)
    return path


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until something holds; a minute at most."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def processes_in(folder: Path, what: str = "") -> list[int]:
    """The processes whose working folder this is, and whose command names `what`."""
    out = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.readlink(process / "cwd") == str(folder.resolve()) and what in (process / "cmdline").read_text():
                out.append(int(process.name))
    return out


@contextlib.contextmanager
def held_at_a_stage(run: Path) -> Iterator[None]:
    """Wait for the first stage of a search that is saved here, and let it do nothing until the block ends.

    So what is done to the search meanwhile comes before its next stage, however quick or busy the machine is.
    """
    wait_until(run.exists)
    searching = processes_in(run.parents[2], "ancestral.studio.worker")
    assert searching, "the search is over already"
    for process in searching:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in searching:
            os.kill(process, signal.SIGCONT)


class RunningStudio:
    """The process of a studio, and requests to it; `memory` is in bytes, 0 for the default.

    With `ahead`, it starts other processes before they are needed, as for a user.
    """

    def __init__(self, folder: Path, memory: int = 0, *, ahead: bool = False) -> None:
        source = str(Path(an.__file__).parent.parent)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(folder), str(memory), str(ahead)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        _, _, self.host, self.secret, _ = self.address.split("/")

    def raw(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of the answer to a request for a whole path."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The answer to GET, as JSON or as bytes; a status other than 200 is an error."""
        status, headers, body = self.raw("GET", f"/{self.secret}/{path}")
        assert status == 200, body
        return json.loads(body) if headers["content-type"].startswith("application/json") else body

    def post(self, path: str, status: int = 200, **values: Any) -> Any:
        """The answer to POST, which must have this status; the version is added if it is not given."""
        if path not in ("ask", "stop") and "version" not in values:
            values["version"] = self.get("api/state")["version"]
        got, _, body = self.raw("POST", f"/{self.secret}/api/{path}", json.dumps(values).encode())
        assert got == status, body
        return json.loads(body)

    def upload(self, name: str, content: bytes, status: int = 200) -> Any:
        """The answer to a file that is sent."""
        got, _, body = self.raw("POST", f"/{self.secret}/api/data?name={quote(name, safe='')}", content)
        assert got == status, body
        return json.loads(body)

    def finished(self, seconds: float = 60) -> Any:
        """The state when no job runs any more."""
        deadline = time.monotonic() + seconds
        state = self.get("api/state")
        while state["job"] is not None:
            assert time.monotonic() < deadline, state
            state = self.get(f"api/state?after={state['version']}")
        return state

    def kill(self) -> None:
        """Kill the server, as kill -9 does."""
        self.process.kill()
        self._wait()

    def close(self) -> None:
        """End the server as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._wait()

    def _wait(self) -> None:
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
