"""A progress bar on standard error: the radius, the edges done, the questions so far, the time, an honest estimate."""

import sys
from collections.abc import Sequence
from typing import Any, Self

from ancestral.parallel.clock import Progress, RepeatsProgress

__all__ = ["ProgressBar", "RepeatsBar", "on_terminal"]

#: A run that is over before this many seconds needs no bar.
PATIENCE = 0.5


def on_terminal() -> bool:
    """Whether somebody looks at standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


class _Bar:
    """A bar that comes when it is worth it, and goes when the work ends: use it as a context."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _show(self, elapsed: float, columns: Sequence[str], **fields: Any) -> None:
        """Show these fields; the columns are where they stand, with the bar itself after the first."""
        if self._bar is None:
            if elapsed < PATIENCE:
                return
            self._begin(columns, fields)
        self._bar.update(self._task, elapsed=_duration(elapsed), **fields)

    def _begin(self, columns: Sequence[str], fields: dict[str, Any]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        first, *others = (TextColumn(column) for column in columns)
        self._bar = Bar(first, BarColumn(bar_width=None), *others, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", **{**fields, "elapsed": ""})
        self._bar.start()


class ProgressBar(_Bar):
    """Called with the progress of a search."""

    def __call__(self, progress: Progress) -> None:
        """Show how far the search is."""
        self._show(
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
            left=_left(progress.remaining),
        )


class RepeatsBar(_Bar):
    """Called with the progress of a bootstrap."""

    def __call__(self, progress: RepeatsProgress) -> None:
        """Show how far the bootstrap is."""
        self._show(
            progress.elapsed,
            (
                "bootstrap",
                "{task.completed:,.0f} of {task.total:,.0f} repeats",
                "{task.fields[elapsed]}",
                "{task.fields[left]}",
            ),
            total=progress.repeats,
            completed=progress.done,
            left="" if progress.remaining is None else f"(~{_duration(progress.remaining)} left)",
        )


def _left(seconds: float | None) -> str:
    """What is left of this radius, roughly; nobody knows how many more there will be."""
    return "" if seconds is None else f"(~{_duration(seconds)} left in this radius)"


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
