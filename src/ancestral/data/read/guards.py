"""Guards: what a library raises when it cannot read the user's data becomes a `DataError`.

polars panics on some data: its PanicException is no `Exception`, so that it would pass every handler unseen.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ancestral.data.errors import DataError

__all__ = ["faults_of_libraries", "faults_of_polars", "reason", "refusing"]


def faults_of_polars() -> tuple[type[BaseException], ...]:
    """What polars raises on data that it cannot read."""
    import polars as pl

    panic = getattr(pl.exceptions, "PanicException", pl.exceptions.PolarsError)
    return (pl.exceptions.PolarsError, panic)


def faults_of_libraries() -> tuple[type[BaseException], ...]:
    """What polars and pyarrow raise on data that they cannot read or convert."""
    arrow = sys.modules.get("pyarrow")
    return faults_of_polars() + (() if arrow is None else (arrow.ArrowException,))


def reason(error: BaseException) -> str:
    """The first line of what a library says, or the name of the error where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


@contextmanager
def refusing(what: str, way_out: str, *errors: type[BaseException]) -> Iterator[None]:
    """Turn errors of polars, of the system and of these types into a `DataError`: what, its reason, and the way out."""
    faults: tuple[type[BaseException], ...] = (*faults_of_polars(), OSError, *errors)
    try:
        yield
    except faults as error:
        raise DataError(f"{what}: {reason(error)}; {way_out}") from None
