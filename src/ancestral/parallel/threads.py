"""Work shared out between threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Lock

from ancestral.parallel.clock import TELL_EVERY, Watch

__all__ = ["map_ranges"]


def map_ranges(tasks: Sequence[Callable[[int, int], None]], count: int, watch: Watch, largest: int) -> None:
    """Let every task, each in a thread of its own, take its next share `first, stop` of so many until none is left.

    Shares are small and go in order, so that no thread has to wait long for the others. What a share gives is written
    where it belongs, so who took it makes no difference.
    """
    if len(tasks) == 1:
        tasks[0](0, count)
        return
    size = max(1, min(largest, count // (16 * len(tasks))))
    turn = iter(range(0, count, size))
    lock = Lock()

    def work(task: Callable[[int, int], None]) -> None:
        while True:
            with lock:
                first = next(turn, None)
            if first is None:
                return
            task(first, min(first + size, count))

    with ThreadPoolExecutor(len(tasks)) as pool:
        try:
            working = [pool.submit(work, task) for task in tasks]
            while wait(working, timeout=TELL_EVERY, return_when=FIRST_EXCEPTION).not_done:
                watch.look()
        except BaseException:
            watch.stop()  # the others end at their next look, and the pool waits for them
            raise
    for thread in working:
        thread.result()
