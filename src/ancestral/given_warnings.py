"""Warnings that are kept: what a search warned of goes to the user at once, and into its result and its file.

A function that ends in a result opens `kept_warnings()`; whatever is called in it warns by `warn`.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

__all__ = ["KINDS", "MOST_KEPT", "GivenWarning", "kept_so_far", "kept_warnings", "warn"]

#: The classes of warnings that are kept, by name; a warning of a class that derives from one of them has its name.
KINDS = ("DataWarning", "KnowledgeWarning", "RunWarning")

#: Warnings that a result keeps; a search of any sense gives far fewer.
MOST_KEPT = 1_000

Pair = tuple[str, str]


@dataclass(frozen=True)
class GivenWarning:
    """A warning that was given: its kind, one of `KINDS`, its text, and the pairs of variables that it is about."""

    kind: str
    text: str
    about: tuple[Pair, ...] = ()

    def __str__(self) -> str:
        return self.text


_kept: ContextVar[list[GivenWarning] | None] = ContextVar("kept", default=None)


@contextmanager
def kept_warnings() -> Iterator[None]:
    """Keep what is warned of by `warn` in this block, after what an outer block has kept."""
    token = _kept.set(list(_kept.get() or ()))
    try:
        yield
    finally:
        _kept.reset(token)


def kept_so_far() -> tuple[GivenWarning, ...]:
    """What was warned of so far in the innermost block of `kept_warnings`; empty outside of any."""
    return tuple(_kept.get() or ())


def warn(message: Warning, stacklevel: int = 1, about: tuple[Pair, ...] = ()) -> None:
    """Give a warning, as `warnings.warn` does, and keep it; `about` are the pairs of variables that it is about.

    >>> from ancestral.errors import RunWarning
    >>> with kept_warnings(), warnings.catch_warnings(action="ignore"):
    ...     warn(RunWarning("the executor is gone"))
    ...     kept_so_far()
    (GivenWarning(kind='RunWarning', text='the executor is gone', about=()),)
    """
    kept = _kept.get()
    kind = next((one.__name__ for one in type(message).__mro__ if one.__name__ in KINDS), None)
    if kept is not None and kind is not None and len(kept) < MOST_KEPT:
        # a file can only have text that can be written as UTF-8
        given = GivenWarning(kind, str(message).encode("utf-8", "replace").decode(), about)
        if given not in kept:
            kept.append(given)
    warnings.warn(message, stacklevel=stacklevel + 1)
