"""How far the searches of resamples are."""

from dataclasses import dataclass

__all__ = ["RepeatsProgress"]


@dataclass(frozen=True)
class RepeatsProgress:
    """How far the searches of resamples are.

    Attributes:
        repeats: The number of resamples.
        done: How many of them were searched.
        elapsed: The seconds since the repeats began.
        remaining: An estimate of the seconds that are left; None before a repeat is done.

    Examples:
        >>> def show(progress: RepeatsProgress) -> None:  # to be passed as bootstrap(rows, progress=show)
        ...     print(f"{progress.done} of {progress.repeats}")
        >>> show(RepeatsProgress(repeats=100, done=25, elapsed=1.0, remaining=3.0))
        25 of 100
    """

    repeats: int
    done: int
    elapsed: float
    remaining: float | None
