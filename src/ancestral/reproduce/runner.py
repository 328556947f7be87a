"""Does the tasks of experiments, on several processes; keeps what is done, so that a run that was ended goes on.

Each finished task is a file in the output folder. It is taken as it is if it was made with the same settings by the
same version; the CSVs are put together from these files in the order of the tasks, so they do not depend on who
finished first, nor on how often a run was ended.
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

__all__ = ["DONE", "done_all", "finished", "results"]

#: Where in the output folder finished tasks are kept.
DONE = "tasks"

Tell = Callable[[Task], None]


def done_all(experiments: Sequence[Experiment], scale: Scale, seed: int, out: Path, workers: int) -> None:
    """Do the tasks that are not done yet."""
    tasks = [(experiment.run, task) for experiment in experiments for task in experiment.tasks(scale, seed)]
    for experiment in experiments:
        _make_folder(out / DONE / experiment.name)
    left = [(run, task) for run, task in tasks if kept(out, task) is None]
    with _bar(len(tasks), len(tasks) - len(left)) as advance:
        for task, outcome in _finished(left, workers):
            write_atomically(_file(out, task), _as_text(task, outcome).encode())
            advance(task)


def finished(experiment: Experiment, scale: Scale, seed: int, out: Path) -> bool:
    """Whether all tasks of the experiment are done."""
    return all(kept(out, task) is not None for task in experiment.tasks(scale, seed))


def results(experiment: Experiment, scale: Scale, seed: int, out: Path) -> Results:
    """Put the tasks together: the CSV of all rows, the seconds beside it, both also as frames."""
    import polars as pl

    outcomes = [kept(out, task) for task in experiment.tasks(scale, seed)]
    whole = Outcome.joined([outcome for outcome in outcomes if outcome is not None])
    content = _csv(whole.rows)
    write_atomically(out / f"{experiment.name}.csv", content)
    if whole.seconds:  # apart, and no CSV: a CSV has the same bytes each time
        write_atomically(out / f"{experiment.name}.seconds.json", (json.dumps(whole.seconds, indent=0) + "\n").encode())
    return Results(pl.read_csv(content, infer_schema_length=None), pl.DataFrame(whole.seconds))


def kept(out: Path, task: Task) -> Outcome | None:
    """What the task has come to, if it was done already, with these settings."""
    try:
        said = json.loads(_file(out, task).read_bytes())
        if said["made_by"] != _made_by(task):
            return None
        return Outcome(said["rows"], said["seconds"])
    except (OSError, ValueError, KeyError, TypeError):  # not there, or none of ours: it is done again
        return None


def _finished(work: list[tuple[Callable[[Task], Outcome], Task]], workers: int) -> Iterator[tuple[Task, Outcome]]:
    """The tasks with their outcomes, as they are done."""
    if workers == 1:
        for run, task in work:
            yield task, run(task)
        return
    # spawned, not forked: threads of other libraries may hold locks here
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_the_first) as pool:
        try:
            with _interrupts_waiting():
                futures = {pool.submit(run, task): task for run, task in work}
            for future in as_completed(futures):
                yield futures.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _end_with_the_first() -> None:
    """Ctrl-C reaches all processes of a terminal, and only the first has something to say; if it is gone, so are we."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _wait_with_interrupts(signal.SIG_UNBLOCK)
    first = multiprocessing.parent_process()
    if first is not None:
        threading.Thread(target=_wait_for, args=(first.sentinel,), daemon=True).start()


@contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Let Ctrl-C wait, also in the processes that are started meanwhile, until `_end_with_the_first` has run there."""
    _wait_with_interrupts(signal.SIG_BLOCK)
    try:
        yield
    finally:
        _wait_with_interrupts(signal.SIG_UNBLOCK)


def _wait_with_interrupts(how: int) -> None:
    if hasattr(signal, "pthread_sigmask"):  # Windows has none
        signal.pthread_sigmask(how, {signal.SIGINT})


def _wait_for(end: int) -> None:
    wait([end])
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
        raise RunError(f"{folder}: cannot be made ({error.strerror}); choose another place") from None


@contextmanager
def _bar(tasks: int, done: int) -> Iterator[Tell]:
    """A bar on standard error, if somebody looks at it."""
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
        shown = bar.add_task("", total=tasks, completed=done)
        yield lambda task: bar.update(shown, advance=1, description=task.experiment)
