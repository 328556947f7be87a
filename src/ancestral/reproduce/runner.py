"""Run the jobs of experiments on several processes, and keep their results, so that an interrupted run can continue.

Each finished job is a file in the output folder. It is used again if it was written with the same settings by the same
version. The CSVs are assembled from these files in the order of the jobs, so they depend neither on which job was
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
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Results, Row, Scale
from ancestral.show.progress import on_terminal
from ancestral.version import VERSION

__all__ = ["DONE", "finished", "results", "run_jobs"]

#: The subfolder of the output folder in which finished jobs are kept.
DONE = "tasks"


def run_jobs(experiments: Sequence[Experiment], scale: Scale, seed: int, out: Path, workers: int) -> None:
    """Run the jobs of these experiments that are not finished yet."""
    jobs = [(experiment.run, job) for experiment in experiments for job in experiment.jobs(scale, seed)]
    for experiment in experiments:
        _make_folder(out / DONE / experiment.name)
    pending = [(run, job) for run, job in jobs if stored(out, job) is None]
    with _bar(len(jobs), len(jobs) - len(pending)) as advance:
        for job, outcome in _outcomes(pending, workers):
            write_atomically(_file(out, job), _as_text(job, outcome).encode())
            advance(job)


def finished(experiment: Experiment, scale: Scale, seed: int, out: Path) -> bool:
    """Whether all jobs of the experiment are finished."""
    return all(stored(out, job) is not None for job in experiment.jobs(scale, seed))


def results(experiment: Experiment, scale: Scale, seed: int, out: Path) -> Results:
    """Assemble the results of all jobs: write the rows as a CSV and the seconds as JSON, and return both as frames."""
    import polars as pl

    outcomes = [stored(out, job) for job in experiment.jobs(scale, seed)]
    whole = Outcome.joined([outcome for outcome in outcomes if outcome is not None])
    content = _csv(whole.rows)
    write_atomically(out / f"{experiment.name}.csv", content)
    if whole.seconds:  # not in the CSV, which has the same bytes each time
        write_atomically(out / f"{experiment.name}.seconds.json", (json.dumps(whole.seconds, indent=0) + "\n").encode())
    return Results(pl.read_csv(content, infer_schema_length=None), pl.DataFrame(whole.seconds))


def stored(out: Path, job: Job) -> Outcome | None:
    """The stored outcome of a job, if it was finished with these settings; otherwise None."""
    try:
        content = json.loads(_file(out, job).read_bytes())
        if content["made_by"] != _made_by(job):
            return None
        return Outcome(content["rows"], content["seconds"])
    except (OSError, ValueError, KeyError, TypeError):  # missing or damaged: the job is run again
        return None


def _outcomes(work: list[tuple[Callable[[Job], Outcome], Job]], workers: int) -> Iterator[tuple[Job, Outcome]]:
    """Run jobs, and yield each with its outcome when it is finished."""
    if workers == 1:
        for run, job in work:
            yield job, run(job)
        return
    # spawned, not forked: threads of other libraries may hold locks in this process
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_parent) as pool:
        try:
            with _interrupts_deferred():
                futures = {pool.submit(run, job): job for run, job in work}
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


def _file(out: Path, job: Job) -> Path:
    return out / DONE / job.experiment / f"{job.name}.json"


def _made_by(job: Job) -> dict[str, Any]:
    return {"version": VERSION, "settings": json.loads(json.dumps(dict(job.settings)))}


def _as_text(job: Job, outcome: Outcome) -> str:
    return json.dumps({"made_by": _made_by(job), **outcome.as_dict()}) + "\n"


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
def _bar(jobs: int, done: int) -> Iterator[Callable[[Job], None]]:
    """A progress bar on standard error, if that is a terminal; yields the function to call after each job."""
    if not on_terminal():
        yield lambda job: None
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
        row = bar.add_task("", total=jobs, completed=done)
        yield lambda job: bar.update(row, advance=1, description=job.experiment)
