"""Ranges of a list, worked on by threads of this process."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import nullcontext
from threading import Lock

from ancestral.parallel.clock import Watch

__all__ = ["map_ranges"]

#: Each thread takes about this many ranges, unless they would be larger than the caller allows: then more.
RANGES_PER_THREAD = 16


def map_ranges(
    tasks: Sequence[Callable[[int, int], None]],
    count: int,
    watch: Watch,
    largest: int,
    pool: ThreadPoolExecutor | None = None,
) -> None:
    """Run each task in a thread; each repeatedly takes the next range [first, stop) of `range(count)`.

    Ranges hold at most `largest` items, and are small, so that no thread waits long for the others. They are taken in
    order. A task writes its results where they belong, so it makes no difference which task took which range. A single
    task gets the whole range, in the calling thread.

    `pool` has a thread for each task; without one, threads are started and end here.
    """
    if len(tasks) == 1:
        tasks[0](0, count)
        return
    size = max(1, min(largest, count // (RANGES_PER_THREAD * len(tasks))))
    starts = iter(range(0, count, size))
    lock = Lock()

    def work(task: Callable[[int, int], None]) -> None:
        while True:
            with lock:
                first = next(starts, None)
            if first is None:
                return
            task(first, min(first + size, count))

    with ThreadPoolExecutor(len(tasks)) if pool is None else nullcontext(pool) as threads:
        running = {threads.submit(work, task) for task in tasks}
        try:
            while running:
                done, running = wait(running, timeout=watch.report_every, return_when=FIRST_EXCEPTION)
                for thread in done:
                    thread.result()  # raises what the thread raised
                if running:
                    watch.look()
        except BaseException:
            watch.stop()  # the other threads end at their next check
            wait(running)
            raise
