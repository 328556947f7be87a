"""A progress bar on standard error: the radius or the step, how much of it is done, the time, and an estimate."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Self

from ancestral.search.progress import Progress

__all__ = ["Bar", "ProgressBar", "duration", "on_terminal", "progress_callback"]

#: Seconds before a bar appears: a run that takes less time does not need one.
SHOW_AFTER = 0.5


def on_terminal() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def progress_callback(progress: Any, bar: "type[Bar]", stack: ExitStack) -> Any:
    """The function to call with the progress of a run, as the option `progress` asks; None if there is none.

    A function is returned as it is. True stands for a bar, and None for one where standard error is a terminal; the bar
    is removed when the stack is left.
    """
    if callable(progress):
        return progress
    if progress or (progress is None and on_terminal()):
        return stack.enter_context(bar())
    return None


class Bar:
    """A bar that appears when the work takes long, and disappears when it ends; use it as a context manager."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, elapsed: float, columns: Sequence[str], **fields: Any) -> None:
        """Show the fields; `columns` are their templates, and the bar follows the first. `elapsed` is in seconds."""
        if self._bar is None:
            if elapsed < SHOW_AFTER:
                return
            self._begin(columns, fields)
        self._bar.update(self._task, elapsed=duration(elapsed), **fields)

    def _begin(self, columns: Sequence[str], fields: dict[str, Any]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        first, *others = (TextColumn(column) for column in columns)
        self._bar = RichProgress(
            first, BarColumn(bar_width=None), *others, console=Console(stderr=True), transient=True
        )
        self._task = self._bar.add_task("", **{**fields, "elapsed": ""})
        self._bar.start()


class ProgressBar(Bar):
    """Called with the progress of a search."""

    def __call__(self, progress: Progress) -> None:
        """Show how far the search is: within its radius, or within the step of its label."""
        if progress.label:
            self.show(
                progress.elapsed,
                (
                    "{task.fields[label]}",
                    "{task.completed:,.0f} of {task.total:,.0f}",
                    "{task.fields[elapsed]}",
                ),
                total=progress.edges,
                completed=progress.done,
                label=progress.label,
            )
            return
        remaining = progress.remaining
        self.show(
            progress.elapsed,
            (
                "radius {task.fields[radius]}",
                "{task.completed:,.0f} of {task.total:,.0f} edges",
                "{task.fields[questions]:,} questions",
                "{task.fields[elapsed]}",
                "{task.fields[left]}",
            ),
            total=progress.edges,
            completed=progress.done,
            radius=progress.radius,
            questions=progress.questions,
            left="" if remaining is None else f"(~{duration(remaining)} left in this radius)",
        )


def duration(seconds: float) -> str:
    """A duration in the largest unit of which there are at least two.

    >>> duration(42), duration(600), duration(7300)
    ('42 s', '10 min', '2 h')
    """
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
