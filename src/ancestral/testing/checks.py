"""What a check is, how a suite of checks is run, and the one way in which a check fails."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["Check", "require", "run_checks"]


@dataclass(frozen=True)
class Check:
    """A check of one promise; calling it raises `AssertionError` if the promise is broken."""

    name: str
    promise: str
    run: Callable[[], None]

    def __call__(self) -> None:
        """Run the check, without the warnings that its data may cause."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.run()

    def __str__(self) -> str:
        return self.name


def require(holds: bool, otherwise: str) -> None:
    """Raise `AssertionError` with this sentence unless something holds; unlike `assert`, also in `python -O`."""
    if not holds:
        raise AssertionError(otherwise)


def run_checks(checks: Iterable[Check]) -> None:
    """Run all checks. Raises `AssertionError`, which lists every check that failed and why.

    >>> run_checks([Check("order", "Names are sorted.", lambda: require(False, "b comes before a."))])
    Traceback (most recent call last):
    AssertionError: 1 of 1 checks failed:
    - order: Names are sorted. b comes before a.
    """
    failures: list[str] = []
    first: Exception | None = None
    count = 0
    for count, check in enumerate(checks, start=1):  # noqa: B007
        try:
            check()
        except Exception as error:
            raised = "" if isinstance(error, AssertionError) else f"It raised {type(error).__name__}: "
            failures.append(f"{check.name}: {check.promise} {raised}{error}")
            first = first or error
    if failures:
        lines = "\n- ".join(failures)
        raise AssertionError(f"{len(failures)} of {count} checks failed:\n- {lines}") from first
