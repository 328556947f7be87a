"""How far the searches of resamples are."""

from dataclasses import dataclass

__all__ = ["RepeatsProgress"]


@dataclass(frozen=True)
class RepeatsProgress:
    """How far the searches of resamples are: `done` of `repeats`.

    `elapsed` is in seconds since the repeats began, `remaining` an estimate of the seconds that are left (None before a
    repeat is done).
    """

    repeats: int
    done: int
    elapsed: float
    remaining: float | None
