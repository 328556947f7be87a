"""Run the tasks of experiments on several processes, and keep their results, so that an interrupted run can continue.

Each finished task is a file in the output folder. It is used again if it was written with the same settings by the same
version. The CSVs are assembled from these files in the order of the tasks, so they depend neither on which task was
finished first nor on how often a run was interrupted.
"""

import csv
import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from io import StringIO
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from ancestral.errors import RunError
from ancestral.io.files import write_atomically
from ancestral.reproduce.experiment import Experiment, Outcome, Results, Row, Scale, Task
from ancestral.show.progress import on_terminal
from ancestral.version import VERSION

__all__ = ["DONE", "finished", "results", "run_tasks"]

#: The subfolder of the output folder in which finished tasks are kept.
DONE = "tasks"


def run_tasks(experiments: Sequence[Experiment], scale: Scale, seed: int, out: Path, workers: int) -> None:
    """Run the tasks of these experiments that are not finished yet."""
    tasks = [(experiment.run, task) for experiment in experiments for task in experiment.tasks(scale, seed)]
    for experiment in experiments:
        _make_folder(out / DONE / experiment.name)
    pending = [(run, task) for run, task in tasks if stored(out, task) is None]
    with _bar(len(tasks), len(tasks) - len(pending)) as advance:
        for task, outcome in _outcomes(pending, workers):
            write_atomically(_file(out, task), _as_text(task, outcome).encode())
            advance(task)


def finished(experiment: Experiment, scale: Scale, seed: int, out: Path) -> bool:
    """Whether all tasks of the experiment are finished."""
    return all(stored(out, task) is not None for task in experiment.tasks(scale, seed))


def results(experiment: Experiment, scale: Scale, seed: int, out: Path) -> Results:
    """Assemble the results of all tasks: write the rows as a CSV and the seconds as JSON, and return both as frames."""
    import polars as pl

    outcomes = [stored(out, task) for task in experiment.tasks(scale, seed)]
    whole = Outcome.joined([outcome for outcome in outcomes if outcome is not None])
    content = _csv(whole.rows)
    write_atomically(out / f"{experiment.name}.csv", content)
    if whole.seconds:  # not in the CSV, which has the same bytes each time
        write_atomically(out / f"{experiment.name}.seconds.json", (json.dumps(whole.seconds, indent=0) + "\n").encode())
    return Results(pl.read_csv(content, infer_schema_length=None), pl.DataFrame(whole.seconds))


def stored(out: Path, task: Task) -> Outcome | None:
    """The stored outcome of a task, if it was finished with these settings; otherwise None."""
    try:
        content = json.loads(_file(out, task).read_bytes())
        if content["made_by"] != _made_by(task):
            return None
        return Outcome(content["rows"], content["seconds"])
    except (OSError, ValueError, KeyError, TypeError):  # missing or damaged: the task is run again
        return None


def _outcomes(work: list[tuple[Callable[[Task], Outcome], Task]], workers: int) -> Iterator[tuple[Task, Outcome]]:
    """Run tasks, and yield each with its outcome when it is finished."""
    if workers == 1:
        for run, task in work:
            yield task, run(task)
        return
    # spawned, not forked: threads of other libraries may hold locks in this process
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_parent) as pool:
        try:
            with _interrupts_deferred():
                futures = {pool.submit(run, task): task for run, task in work}
            for future in as_completed(futures):
                yield futures.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _end_with_parent() -> None:
    """Prepare a worker process: end without a message on Ctrl-C, and as soon as the parent process has ended.

    Ctrl-C reaches all processes of a terminal, and only the parent should report it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _mask_interrupts(signal.SIG_UNBLOCK)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C, also in processes that are started in the meantime, until `_end_with_parent` has run there."""
    _mask_interrupts(signal.SIG_BLOCK)
    try:
        yield
    finally:
        _mask_interrupts(signal.SIG_UNBLOCK)


def _mask_interrupts(how: int) -> None:
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(how, {signal.SIGINT})


def _exit_after(sentinel: int) -> None:
    """Wait until a process has ended, then end this one."""
    wait([sentinel])
    os._exit(1)


def _file(out: Path, task: Task) -> Path:
    return out / DONE / task.experiment / f"{task.name}.json"


def _made_by(task: Task) -> dict[str, Any]:
    return {"version": VERSION, "settings": json.loads(json.dumps(dict(task.settings)))}


def _as_text(task: Task, outcome: Outcome) -> str:
    return json.dumps({"made_by": _made_by(task), **outcome.as_dict()}) + "\n"


def _csv(rows: list[Row]) -> bytes:
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder}: the folder cannot be created ({error.strerror}); choose another one") from None


@contextmanager
def _bar(tasks: int, done: int) -> Iterator[Callable[[Task], None]]:
    """A progress bar on standard error, if that is a terminal; yields the function to call after each task."""
    if not on_terminal():
        yield lambda task: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:<12}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("tasks"),
    )
    with Progress(
        *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        row = bar.add_task("", total=tasks, completed=done)
        yield lambda task: bar.update(row, advance=1, description=task.experiment)
