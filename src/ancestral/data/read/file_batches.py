"""Several files with the same columns, read one after the other and some rows at a time.

A text file does not say which columns are numbers. That is guessed from the beginnings of all files; where a later line
shows that a guess was wrong, reading begins again with the better one (`settled`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from ancestral.data.errors import DataError, leave_out
from ancestral.data.read.batches import Batch
from ancestral.data.read.read_ahead import read_ahead
from ancestral.data.read.remarks import Remark
from ancestral.printing import listed

__all__ = ["FileBatches", "FilesInTurn"]


class FileBatches(Protocol):
    """A file that is read some rows at a time."""

    label: str  #: what messages call it

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""

    @property
    def settled(self) -> bool:
        """Whether what came last from `batches` can be used; if not, all batches must be asked for again."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the rows that came last tell about how values are written."""

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows, some rows at a time; ends early where the file turns out not to be settled."""


class FilesInTurn:
    """The rows of several files."""

    def __init__(self, files: Sequence[FileBatches]) -> None:
        self._files = files
        self.names = tuple(dict.fromkeys(name for file in files for name in file.names))

    @property
    def settled(self) -> bool:
        """Whether the batches that came last can be used; if not, they must be read again."""
        return all(file.settled for file in self._files)

    @property
    def remarks(self) -> list[Remark]:
        """What the rows that came last tell about how values are written; of each column, what one file tells."""
        out: dict[str, Remark] = {}
        for file in self._files:
            for remark in file.remarks:
                key = str(remark.message) if remark.column is None else f"column {remark.column}"
                if key not in out or isinstance(remark.message, DataError):
                    out[key] = remark
        return list(out.values())

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns."""
        total: dict[str, Counter[str]] = {name: Counter() for name in names}
        for file in self._files:
            for name, counts in file.missing_words(names).items():
                total[name].update(counts)
        return {name: dict(counts) for name, counts in total.items()}

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows; raises DataError if a file does not have all of them."""
        for file in self._files:
            here = set(file.names)
            if lacking := [name for name in columns if name not in here]:
                raise DataError(
                    f"{file.label} lacks {listed(lacking)}, which other files have; all parts of a source must have "
                    "the same columns, so ",
                    *leave_out(*lacking),
                )
        return read_ahead(self._in_turn(columns))

    def _in_turn(self, columns: Sequence[str]) -> Iterator[Batch]:
        for file in self._files:
            yield from file.batches(columns)
            if not file.settled:
                return
