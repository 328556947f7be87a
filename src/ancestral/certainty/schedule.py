"""Runs repeats one after the other, on threads, or on the workers of an executor, in chunks.

However they run, the graphs are returned in the order of the repeats, and when something ends the work early, the first
ones without a gap are kept. So a bootstrap that was stopped has the same graphs as a shorter one.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from ancestral.certainty.progress import RepeatsProgress
from ancestral.errors import Option, RunError, RunWarning
from ancestral.given_warnings import warn
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.tasks import run_tasks
from ancestral.parallel.transports import ExecutorGone, Transport, Workers, transport_for
from ancestral.parallel.tuning import DEFAULTS, Tuning
from ancestral.parallel.worker import Task
from ancestral.search.stage import Edges

__all__ = ["RepeatResults", "Work", "graphs_of", "run_repeats"]


class Work(Protocol):
    """Repeats by number. It is pickled for the workers of an executor."""

    def graph(self, number: int, watch: Watch) -> Edges:
        """The graph of one repeat; raises `Stopped` if the watch ends the work."""


@dataclass
class RepeatResults:
    """The graphs of the first repeats, and why there are no more: "time limit", "interrupt", "executor" or None."""

    graphs: list[Edges] = field(default_factory=list)
    stopped: str | None = None


def run_repeats(
    work: Work,
    wanted: int,
    *,
    executor: Executor | None = None,
    workers: int = 1,
    seconds: float | None = None,
    tell: Callable[[RepeatsProgress], None] | None = None,
    tuning: Tuning = DEFAULTS,
) -> RepeatResults:
    """Run repeats 0 to `wanted` - 1 on the executor, or on `workers` threads.

    A time limit (`seconds`), Ctrl-C, or an executor that breaks ends it with what is done. Raises `RunError` if the
    executor breaks before a repeat is done.
    """
    watch = Watch(seconds, tell, report_every=tuning.report_every)
    run = _Run(work, wanted, watch)
    if executor is not None:
        return run.on(transport_for(executor, tuning))
    if workers == 1:
        return run.here()
    with ThreadPoolExecutor(workers) as pool:
        return run.on(transport_for(pool, tuning))


def graphs_of(work: Work, first: int, stop: int, watch: Watch) -> Iterator[Edges]:
    """The graphs of repeats `first` to `stop` - 1, one after the other; fewer if the watch ends the work."""
    for number in range(first, stop):
        try:
            watch.check()
            graph = work.graph(number, watch)
        except Stopped:
            return
        yield graph


def _chunk(work: Work, first: int, stop: int, watch: Watch) -> list[Edges]:
    """The graphs of some repeats, in a worker; the first of them if its time is over."""
    return list(graphs_of(work, first, stop, watch))


class _Run:
    """A number of repeats that are wanted, and the graphs that have come back."""

    def __init__(self, work: Work, wanted: int, watch: Watch) -> None:
        self.work = work
        self.wanted = wanted
        self.watch = watch
        self.chunks: dict[int, list[Edges]] = {}  # that came back, by the number of their first repeat
        self.done = 0
        self.seconds = 0.0  # that workers took for the repeats that are done

    def here(self) -> RepeatResults:
        """Run all in this thread."""
        stopped = None
        try:
            for number, graph in enumerate(graphs_of(self.work, 0, self.wanted, self.watch.child())):
                self._put((number, number + 1), [graph], 0.0)
        except KeyboardInterrupt:
            stopped = "interrupt"
        return self._results(stopped)

    def on(self, transport: Transport) -> RepeatResults:
        """Run them on workers."""
        tuning = transport.tuning
        stopped = None
        try:
            run_tasks(
                Workers(transport),
                self._tasks(transport),
                self.watch,
                self._put,
                most_out=lambda workers: workers * self._chunks_per_worker(tuning),
                grace=tuning.grace,
            )
        except Stopped:
            stopped = "time limit"
        except KeyboardInterrupt:
            stopped = "interrupt"
        except ExecutorGone as error:
            stopped = "executor"
            kept = len(self._kept())
            if not kept:
                raise RunError(
                    f"the executor failed ({error}) before a repeat was done; repair it, or leave out ",
                    Option("executor"),
                ) from error
            warn(RunWarning(f"the executor failed ({error}); repeats that were done before: {kept}"), stacklevel=4)
        return self._results(stopped)

    def _tasks(self, transport: Transport) -> Iterator[Task]:
        """Chunks of repeats, each cut when it is about to be sent: its size depends on how long others took."""
        payload = transport.pack(self.work, "the data")
        first = 0
        while first < self.wanted:
            stop = min(first + self._chunk_size(transport.tuning), self.wanted)
            yield Task((first, stop), _chunk, (payload, first, stop))
            first = stop

    def _chunk_size(self, tuning: Tuning) -> int:
        """How many repeats the next chunk should have; one, until it is known how long they take."""
        if not self.seconds:
            return 1
        return min(tuning.most_repeats_in_chunk, max(1, int(tuning.repeats_chunk * self.done / self.seconds)))

    def _chunks_per_worker(self, tuning: Tuning) -> int:
        """How many chunks may be out at a time for each worker.

        A worker counts the seconds that are left from the moment it begins a chunk, and gets those that are left when
        the chunk is sent. So under a time limit, a chunk that is long, or may be, does not wait behind another one: it
        would end too late.
        """
        short = self.done > 0 and self.seconds / self.done <= tuning.repeats_chunk
        return tuning.chunks_ahead if short or self.watch.deadline is None else 1

    def _put(self, key: tuple[int, int], graphs: list[Edges], seconds: float) -> None:
        self.chunks[key[0]] = graphs
        self.done += len(graphs)
        self.seconds += seconds
        self.watch.report(self._progress, last=self.done == self.wanted)

    def _progress(self, elapsed: float) -> RepeatsProgress:
        remaining = elapsed * (self.wanted - self.done) / self.done if self.done else None
        return RepeatsProgress(self.wanted, self.done, elapsed, remaining)

    def _kept(self) -> list[Edges]:
        """The graphs of the first repeats, without a gap."""
        kept: list[Edges] = []
        while chunk := self.chunks.get(len(kept)):
            kept += chunk
        return kept

    def _results(self, stopped: str | None) -> RepeatResults:
        kept = self._kept()
        if stopped is None and len(kept) < self.wanted:  # a worker was the first to see that the time is over
            stopped = "time limit"
        return RepeatResults(kept, stopped)
