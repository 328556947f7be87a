"""A progress bar of the searches of resamples, on standard error."""

from ancestral.certainty.progress import RepeatsProgress
from ancestral.show.progress import Bar, duration

__all__ = ["RepeatsBar"]


class RepeatsBar(Bar):
    """Called with the progress of the searches of resamples."""

    def __call__(self, progress: RepeatsProgress) -> None:
        """Show how far they are."""
        self.show(
            progress.elapsed,
            (
                "resamples",
                "{task.completed:,.0f} of {task.total:,.0f}",
                "{task.fields[elapsed]}",
                "{task.fields[left]}",
            ),
            total=progress.repeats,
            completed=progress.done,
            left="" if progress.remaining is None else f"(~{duration(progress.remaining)} left)",
        )
