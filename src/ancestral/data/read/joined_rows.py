"""Joined rows: all batches of a stream as one frame, in which each row knows where it came from."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from ancestral.data.errors import DataError, combined, leave_out
from ancestral.data.read.batches import Place
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.guards import refusing
from ancestral.data.read.remarks import Remark
from ancestral.data.read.stream_protocol import no_rows

__all__ = ["JoinedRows"]


class JoinedRows(FrameSource):
    """All rows of batches as one frame; errors name the file of a row. A part is a frame, its place, its decimal mark.

    `from_file`: whether all parts are of text files. `words` counts the words for missing values in them.
    Raises DataError if there are no rows, or if the parts do not fit together.
    """

    def __init__(
        self,
        parts: Sequence[tuple[Any, Place, str]],
        names: tuple[str, ...],
        remarks: Sequence[Remark] = (),
        *,
        from_file: bool = False,
        words: Callable[[Sequence[str]], dict[str, dict[str, int]]] | None = None,
    ) -> None:
        import polars as pl

        if not parts:
            raise no_rows()
        frames: list[pl.DataFrame] = [frame for frame, _, _ in parts]
        faults = []
        for name, *types in zip(names, *(frame.dtypes for frame in frames), strict=True):
            if len({dtype.is_numeric() for dtype in types if dtype != pl.Null}) > 1:
                faults.append(
                    DataError(
                        f"column {name!r} holds numbers in some parts and labels in others; make it one of them "
                        "everywhere, or ",
                        *leave_out(name),
                    )
                )
        if faults:
            raise combined(faults)
        with refusing("the parts cannot be put together", "make the columns of all parts of the same types"):
            whole = pl.concat(frames, how="vertical_relaxed")
        decimal = "," if {mark for _, _, mark in parts} == {","} else "."
        super().__init__(whole, ours=True, decimal=decimal, from_file=from_file)
        self.remarks.extend(remarks)
        self._words = words
        self._places = [place for _, place, _ in parts]
        self._starts = [0, *accumulate(frame.height for frame in frames)]

    def where(self, row: int) -> str:
        """How errors name a row: by its line or number in its file, or by its number in everything that came."""
        part = bisect_right(self._starts, row) - 1
        return str(self._places[part].after(row - self._starts[part]))

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns, in text files."""
        return {} if self._words is None else self._words(names)
