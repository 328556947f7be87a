"""The interface between reading and tables: named columns of numbers or labels."""

from collections.abc import Sequence
from typing import Protocol

from ancestral.data.column_kinds import Floats, Kind, Labels
from ancestral.data.read.remarks import Remark

__all__ = ["ColumnSource", "OpenedTable"]


class ColumnSource(Protocol):
    """All rows of a source, from which columns can be had by name."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the user must know of how values are written; complete once the columns were asked for."""

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns of text files; the files are read again."""

    def where(self, row: int) -> str:
        """How errors name a row, which is counted from 0."""

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels; `kind` is the kind that the user chose, if any."""


class OpenedTable(Protocol):
    """A source whose columns are known by name, and whose rows may not have been read yet."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    def load(self, names: Sequence[str]) -> ColumnSource:
        """All rows of these columns."""
