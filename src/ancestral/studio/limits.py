"""Limits of a process that works for the server: its memory, and its life, which ends with that of the server."""

import contextlib
import os
import threading
import time

__all__ = ["default_memory", "end_with_parent", "limit_memory"]

#: The share of the physical memory that a process may map: the rest is for the server, the browser and the system.
SHARE = 0.75
#: Bytes that libraries and the stacks of threads map beside that, and hardly ever use.
MAPPED = 1_500_000_000
#: Seconds between two looks at whether the server is still there.
INTERVAL = 0.5


def default_memory() -> int | None:
    """The bytes that a process may map; None where the memory of the machine is not known."""
    with contextlib.suppress(AttributeError, ValueError, OSError):
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * SHARE) + MAPPED
    return None


def limit_memory(most: int | None) -> None:
    """Let this process map at most so many bytes, so that more raises MemoryError instead of filling the machine."""
    if most is None:
        return
    try:
        import resource
    except ImportError:  # on Windows, where the system has the last word
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def end_with_parent() -> None:
    """End this process when the one that started it is gone, from a thread; files are replaced in one step, so no harm.

    A search has saved its last stage by then.
    """
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(INTERVAL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
