"""Searches and bootstraps, one at a time, each in a process of its own: begun, watched, stopped, and ended in words."""

import asyncio
import contextlib
import json
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ancestral.studio.aside import Aside
from ancestral.studio.reading import overview
from ancestral.studio.refusals import Refused

__all__ = ["Job", "Jobs"]

#: Seconds that a search has to end by itself after it was interrupted; its last stage is saved already.
PATIENCE = 20.0
#: Bytes of a line of a worker.
LONGEST_LINE = 1 << 20


@dataclass
class Job:
    """A search or a bootstrap that runs, and how far it is."""

    kind: str
    number: str
    place: Path
    process: Process
    began: float = field(default_factory=time.monotonic)
    progress: dict[str, Any] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    error: str | None = None
    ended: bool = False
    stopping: bool = False

    def as_dict(self) -> dict[str, Any]:
        """What the page shows of it."""
        now = self.progress
        return {
            "kind": self.kind,
            "id": self.number,
            "label": now.get("label", "reading the data"),
            "done": now.get("done", 0),
            "total": now.get("total", 0),
            "elapsed": round(time.monotonic() - self.began, 2),
            "remaining": now.get("remaining"),
            "edges": self.stages[-1]["edges"] if self.stages else None,
            "stage": len(self.stages) - 1 if self.stages else None,
            "stages": self.stages,
            "stopping": self.stopping,
        }


class Jobs:
    """Runs one job at a time. `changed` is called when a job goes on, `over` with a job that has ended."""

    def __init__(
        self,
        aside: Aside,
        changed: Callable[[], None],
        over: Callable[[Job], None],
        memory: int | None,
        *,
        ahead: bool = True,
    ) -> None:
        self._ahead = ahead
        self._aside, self._changed, self._over, self._memory = aside, changed, over, memory
        self.job: Job | None = None
        self._watching: asyncio.Task[None] | None = None
        self._beginning = self._closing = False
        self._spare: asyncio.Task[Process] | None = None

    def prepare(self) -> None:
        """Start the process of the next job, which waits for it, so that the job begins at once."""
        if self._spare is None:
            self._spare = asyncio.create_task(_process())

    async def _ready(self) -> Process:
        """The process that waits for a job, or a new one."""
        spare, self._spare = self._spare, None
        if spare is not None:
            with contextlib.suppress(OSError):
                process = await spare
                if process.returncode is None:
                    return process
        return await _process()

    def check_free(self) -> None:
        """Raise `Refused` while a job runs."""
        if self.job is not None or self._beginning:
            raise Refused("a search runs already; wait for it, or stop it first", 409)

    async def begin(self, kind: str, number: str, place: Path, task: dict[str, Any]) -> None:
        """Begin a job; `task` is what the worker reads. Raises `Refused` while another one runs."""
        self.check_free()
        self._beginning = True
        try:
            process = await self._ready()
            assert process.stdin is not None
            process.stdin.write(json.dumps({"kind": kind, "memory": self._memory, **task}).encode() + b"\n")
            self.job = Job(kind, number, place, process)
        finally:
            self._beginning = False
        self._watching = asyncio.create_task(self._watch(self.job))

    def stop(self) -> None:
        """Interrupt the job, which keeps its last stage; nothing happens if there is none."""
        if self.job is None or self.job.stopping:
            return
        self.job.stopping = True
        self._changed()
        with contextlib.suppress(ProcessLookupError):
            self.job.process.send_signal(signal.SIGINT)
        asyncio.get_running_loop().call_later(PATIENCE, _kill, self.job.process)

    async def close(self) -> None:
        """Stop the job and wait for it."""
        self._closing = True
        if self._watching is not None:
            self.stop()
            await self._watching
        if self._spare is not None:
            _kill(process := await self._spare)
            await process.wait()

    async def _watch(self, job: Job) -> None:
        assert job.process.stdout is not None
        looking: asyncio.Task[None] | None = None
        stamp = 0
        with contextlib.suppress(ValueError):  # a line that is too long
            async for line in job.process.stdout:
                self._hear(job, line)
                now = _stamp(job.place / "run.json")
                if job.kind == "search" and now != stamp and (looking is None or looking.done()):
                    stamp, looking = now, asyncio.create_task(self._look(job))
                self._changed()
        code = await job.process.wait()
        if job.error is None and not job.ended and not job.stopping:
            job.error = _ending(code)
        self.job = None
        if self._ahead and not self._closing:
            self.prepare()
        self._over(job)

    async def _look(self, job: Job) -> None:
        """Read the stages that were saved so far."""
        with contextlib.suppress(Exception):  # the next stage will do
            job.stages = (await self._aside.run(overview, str(job.place)))["stages"]
            self._changed()

    @staticmethod
    def _hear(job: Job, line: bytes) -> None:
        told = json.loads(line)
        job.progress = told.get("progress", job.progress)
        job.error = told.get("error", job.error)
        job.ended = job.ended or "end" in told
        job.warnings += [told["warning"]] if "warning" in told else []


async def _process() -> Process:
    return await asyncio.create_subprocess_exec(
        # -P: modules are never taken from the folder in which it runs
        *(sys.executable, "-P", "-m", "ancestral.studio.worker"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        start_new_session=True,
        limit=LONGEST_LINE,
    )


def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _ending(code: int) -> str:
    """What to say of a worker that ended without a word."""
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return (
        f"the search was ended by the system ({name}), most likely because the memory was full; its last complete "
        "stage, if there is one, is kept: leave columns out, choose a simpler test or a smaller largest radius, or use "
        "a larger machine"
    )
