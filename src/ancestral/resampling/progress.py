"""How far a bootstrap is, and the bar that shows it."""

from dataclasses import dataclass

from ancestral.show.progress import Bar, duration

__all__ = ["RepeatsBar", "RepeatsProgress"]


@dataclass(frozen=True)
class RepeatsProgress:
    """How far a bootstrap is: `done` of `repeats`.

    `elapsed` is in seconds since the repeats began, `remaining` an estimate of the seconds that are left (None before a
    repeat is done).
    """

    repeats: int
    done: int
    elapsed: float
    remaining: float | None


class RepeatsBar(Bar):
    """Called with the progress of a bootstrap."""

    def __call__(self, progress: RepeatsProgress) -> None:
        """Show how far the bootstrap is."""
        self.show(
            progress.elapsed,
            (
                "bootstrap",
                "{task.completed:,.0f} of {task.total:,.0f} repeats",
                "{task.fields[elapsed]}",
                "{task.fields[left]}",
            ),
            total=progress.repeats,
            completed=progress.done,
            left="" if progress.remaining is None else f"(~{duration(progress.remaining)} left)",
        )
