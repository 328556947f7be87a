"""Guards: what a library raises when it cannot read the user's data becomes a `DataError`.

polars panics on some data. Its PanicException is not an `Exception`, so most handlers would not catch it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ancestral.data.errors import DataError
from ancestral.errors import AncestralError

__all__ = ["faults_of_libraries", "faults_of_polars", "reading_by_others", "reason", "refusing"]


def faults_of_polars() -> tuple[type[BaseException], ...]:
    """The exceptions that polars raises on data that it cannot read."""
    import polars as pl

    panic = getattr(pl.exceptions, "PanicException", pl.exceptions.PolarsError)
    return (pl.exceptions.PolarsError, panic)


def faults_of_libraries() -> tuple[type[BaseException], ...]:
    """The exceptions that polars and pyarrow raise on data that they cannot read or convert."""
    arrow = sys.modules.get("pyarrow")
    return faults_of_polars() + (() if arrow is None else (arrow.ArrowException,))


def reason(error: BaseException) -> str:
    """The first line of an exception's message, or its type where it has no message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


@contextmanager
def refusing(what: str, way_out: str) -> Iterator[None]:
    """Turn errors of polars and of the operating system into a `DataError`: what failed, the reason, the way out."""
    faults: tuple[type[BaseException], ...] = (*faults_of_polars(), OSError)
    try:
        yield
    except faults as error:
        raise DataError(f"{what}: {reason(error)}; {way_out}") from None


@contextmanager
def reading_by_others(label: str, data_format: str) -> Iterator[None]:
    """Turn what the reader of a format raises about a file into a `DataError` with the label of the file.

    Any library may be the reader, so most exceptions are taken for faults of the file. Errors of ancestral, mistakes in
    the code of the reader and a lack of memory are passed on.
    """
    faults: tuple[type[BaseException], ...] = (Exception, *faults_of_polars())
    try:
        yield
    except (AncestralError, MemoryError):
        raise
    except faults as error:
        if isinstance(error, TypeError | AttributeError | NameError) and not isinstance(error, faults_of_libraries()):
            raise
        raise DataError(
            f"{label} cannot be read as {data_format}: {reason(error)}; save it again, or in another format"
        ) from error
