"""A progress bar on standard error: the radius, the edges done, the questions so far, the time, an honest estimate."""

import sys
from typing import Any

from ancestral.search.watch import Progress

__all__ = ["ProgressBar", "on_terminal"]

#: A run that is over before this many seconds needs no bar.
PATIENCE = 0.5


def on_terminal() -> bool:
    """Whether somebody looks at standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


class ProgressBar:
    """Called with the progress of a search; use it as a context, so that the bar goes when the search ends."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far the search is."""
        if self._bar is None:
            if progress.elapsed < PATIENCE:
                return
            self._begin()
        self._bar.update(
            self._task,
            total=progress.edges,
            completed=progress.done,
            radius=progress.radius,
            questions=progress.questions,
            elapsed=_duration(progress.elapsed),
            left=_left(progress.remaining),
        )

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("radius {task.fields[radius]}"),
            BarColumn(bar_width=None),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} edges"),
            TextColumn("{task.fields[questions]:,} questions"),
            TextColumn("{task.fields[elapsed]}"),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", radius=0, questions=0, elapsed="", left="")
        self._bar.start()


def _left(seconds: float | None) -> str:
    """What is left of this radius, roughly; nobody knows how many more there will be."""
    return "" if seconds is None else f"(~{_duration(seconds)} left in this radius)"


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
