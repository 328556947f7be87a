"""Work that takes long, or much memory: done by processes aside, so that the server answers and lives meanwhile."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TypeVar

from ancestral.studio.limits import end_with_parent, limit_memory
from ancestral.studio.refusals import Refused, lacks_memory, sentence_of
from ancestral.studio.warming import warm_reading

__all__ = ["Aside"]

T = TypeVar("T")

#: Processes that read answers and data; each has its own cache, and two are enough for a person with two tabs.
PROCESSES = 2


class Aside:
    """Calls functions in other processes, whose working folder is the project folder."""

    def __init__(self, folder: Path, memory: int | None) -> None:
        self._folder, self._memory = folder, memory
        self._pool = self._new()
        self._beginning: asyncio.Task[None] | None = None

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            PROCESSES,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(str(self._folder), self._memory),
        )

    def begin(self) -> None:
        """Start the processes, whose imports take more than a second each."""
        self._beginning = asyncio.get_running_loop().create_task(self._begin_all())

    async def _begin_all(self) -> None:
        """Start one after the other, so that the first one is there soon even on a small machine."""
        with contextlib.suppress(BrokenProcessPool, RuntimeError):  # it dies, or the studio is closed meanwhile
            await asyncio.wrap_future(self._pool.submit(int))
            for _ in range(PROCESSES):  # one is idle, so that the other has to start
                self._pool.submit(int)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """What the function returns; its errors are raised here. Raises `Refused` if its process dies."""
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.submit(function, *arguments))
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = self._new()
            raise Refused(
                "the process that read this was ended by the system, most likely because the memory was full; leave "
                "columns out, or use a smaller file",
                507,
            ) from None
        except (MemoryError, RuntimeError) as error:
            if lacks_memory(error):
                raise Refused(sentence_of(error), 507) from None
            raise

    def close(self) -> None:
        """End the processes, without waiting for what they do."""
        if self._beginning is not None:
            self._beginning.cancel()
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with contextlib.suppress(OSError):
                process.terminate()


def _begin(folder: str, memory: int | None) -> None:
    """Prepare a process: imports first, since the folder may hold files with names of modules."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    warm_reading()
    limit_memory(memory)
    os.chdir(folder)
