"""What a check is, how a suite is made of functions and run, and the one way in which a check fails.

A suite has two front doors. `checks_of_x` returns its checks, one for each promise, for a test framework to name and
run them; `check_x = suite(checks_of_x)` takes the same arguments and runs them all.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

__all__ = ["Check", "checks_from", "require", "run_checks", "suite"]

P = ParamSpec("P")
S = TypeVar("S")


@dataclass(frozen=True)
class Check:
    """A check of one promise; calling it raises `AssertionError` if the promise is broken.

    Made by `checks_of_test` and its like.

    Attributes:
        name: A short name.
        promise: The promise, a sentence.
        run: What is called to check it.

    Examples:
        >>> check = Check("order", "Names are sorted.", lambda: require(False, "b comes before a."))
        >>> check()
        Traceback (most recent call last):
        AssertionError: b comes before a.
    """

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


def checks_from(functions: Iterable[Callable[[S], None]], subject: S) -> Iterator[Check]:
    """A check for each function, which takes the subject and raises `AssertionError` if a promise is broken.

    The docstring of the function is the promise, and its name, without the underscore, that of the check.
    """
    for function in functions:
        promise = " ".join((function.__doc__ or "").split())
        yield Check(function.__name__.removeprefix("_"), promise, functools.partial(function, subject))


#: The section of a docstring of checks, and what stands in its place where they are run.
_YIELDS = "Yields:\n    The checks."
_RAISES = "Raises:\n    AssertionError: If a check failed; it lists every one, and why."


def suite(checks_of: Callable[P, Iterable[Check]]) -> Callable[P, None]:
    """The function that runs all checks which `checks_of` returns: `check_x`, if it is called `checks_of_x`.

    It takes the arguments of `checks_of`, has its docstring but for what it yields, and raises as `run_checks` does.
    """

    @functools.wraps(checks_of)
    def check(*args: P.args, **kwargs: P.kwargs) -> None:
        run_checks(checks_of(*args, **kwargs))

    name = checks_of.__name__
    check.__name__ = check.__qualname__ = name.replace("checks_of_", "check_")
    check.__signature__ = inspect.signature(checks_of).replace(return_annotation=None)  # type: ignore[attr-defined]
    door = f"Run the checks that `{name}` returns."
    rest = inspect.cleandoc(checks_of.__doc__ or "").replace(_YIELDS, _RAISES)
    check.__doc__ = f"{door}\n\n{rest}"
    return check


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
