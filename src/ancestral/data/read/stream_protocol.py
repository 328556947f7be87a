"""Stream: the interface of sources that are read some rows at a time."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from ancestral.data.errors import DataError, NoRows
from ancestral.data.read.batches import Batch
from ancestral.data.read.column_source import ColumnSource
from ancestral.data.read.remarks import Remark

__all__ = ["P", "Part", "Stream", "no_rows"]


class Part(Protocol):
    """The summary of some rows. Summaries add up."""

    @property
    def continuous(self) -> frozenset[str]:
        """The columns that are continuous, whatever the other rows hold."""

    def __add__(self, other: Any, /) -> Any: ...


P = TypeVar("P", bound=Part)


class Stream(Protocol):
    """A source that is read some rows at a time."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""

    def summary(self, names: tuple[str, ...], summarize: Callable[[Batch, frozenset[str]], P]) -> P:
        """The sum of the summaries of all batches of these columns. Raises DataError if there are no rows.

        `summarize` gets a batch, and the columns that earlier batches have shown to be continuous.
        """

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the rows that came last tell about how values are written."""

    def all_rows(self, names: tuple[str, ...]) -> ColumnSource:
        """All rows of these columns, read into memory."""


def no_rows() -> DataError:
    """The error for a source without any row."""
    return NoRows()
