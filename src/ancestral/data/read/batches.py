"""Batches: some rows at a time of a source that is too large to be read at once, and how errors name their rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ancestral.data.column_kinds import Floats, Kind, Labels
from ancestral.data.column_names import column_names
from ancestral.data.errors import DataError, leave_out
from ancestral.data.read import deadline
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.guards import faults_of_polars, reason
from ancestral.data.read.missing_values import IN_FRAMES, MissingValues
from ancestral.data.read.ordered_categories import as_enum
from ancestral.printing import listed

__all__ = ["BATCH_ROWS", "Batch", "Place", "batches_of_frames", "check_same_names"]

#: Rows that are read at a time from sources that let the reader choose.
BATCH_ROWS = 1 << 16


@dataclass(frozen=True)
class Place:
    """Where a row is, for messages: a row, counted from 0, of a file or of everything that came.

    `label` is the name of the file, if there is one. If it is a text file, `line_of` finds the line of a row.

    >>> print(Place(4), "and", Place(4, "a.parquet"))
    row 5 and row 5 of a.parquet
    """

    row: int
    label: str | None = None
    line_of: Callable[[int], int] | None = None

    def __str__(self) -> str:
        where = f"row {self.row + 1}" if self.line_of is None else f"line {self.line_of(self.row)}"
        return where if self.label is None else f"{where} of {self.label}"

    def after(self, rows: int) -> "Place":
        """The place that many rows later."""
        return replace(self, row=self.row + rows)


class Batch:
    """A frame that holds some rows of a source; `first` is the place of its first row.

    `missing` says what counts as missing besides nulls. Of a text file, `word_at` finds what stands in a column and row
    of the file.
    """

    def __init__(
        self,
        frame: Any,
        first: Place = Place(0),
        missing: MissingValues = IN_FRAMES,
        *,
        decimal: str = ".",
        word_at: Callable[[str, int], str] | None = None,
    ) -> None:
        self._source = FrameSource(_as_frame(frame), missing, ours=True)
        self._word_at = word_at
        self.missing = missing
        self.first = first
        self.decimal = decimal

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        return self._source.names

    @property
    def rows(self) -> int:
        """The number of its rows."""
        return self._source.rows

    def column(self, name: str, chosen: Kind | None = "discrete") -> Floats | Labels:
        """The column as numbers, if it holds numbers, otherwise as labels; `chosen` is the kind the user chose."""
        if chosen is None:
            self._source.check_objects(name)
        return self._source.column(name, "discrete")

    def with_constants(self, values: Mapping[str, int], first: Place) -> "Batch":
        """The batch, beginning at this place, with further columns that each have one value."""
        import polars as pl

        frame = self._source.in_polars(self.names).with_columns(pl.lit(v).alias(name) for name, v in values.items())
        return Batch(frame, first, self.missing, decimal=self.decimal, word_at=self._word_at)

    def frame(self, names: tuple[str, ...]) -> Any:
        """These columns as a frame of polars with memory of its own, and nulls for what counts as missing."""
        import polars as pl
        import polars.selectors as cs

        own = self._source.in_polars(names).select(pl.all().gather(pl.int_range(pl.len())))
        if not self.missing.words:
            return own
        numbers = self.missing.numbers.tolist()
        gone = (
            [pl.when(~cs.numeric().cast(pl.Float64).is_in(numbers)).then(cs.numeric()).name.keep()] if numbers else []
        )
        return own.with_columns(*gone).with_columns(
            self.missing.cleaned(own[name]) for name in names if own.schema[name] == pl.String
        )

    @property
    def from_file(self) -> bool:
        """Whether it is a part of a text file, where everything is text."""
        return self._word_at is not None

    def missing_word(self, name: str, row: int) -> str:
        """The word that stands for the missing value of a column in a row of the batch; empty if it is a null."""
        return "" if self._word_at is None else self._word_at(name, self.first.row + row)

    def is_text(self, name: str) -> bool:
        """Whether the labels of a column are text, which may have been meant as numbers."""
        return self._source.is_text(name)


def _as_frame(frame: Any) -> Any:
    """The frame; a record batch or a table of pyarrow becomes a frame of polars."""
    if not type(frame).__module__.startswith("pyarrow") or type(frame).__name__ not in ("RecordBatch", "Table"):
        return frame
    import polars as pl

    names = column_names(frame.schema.names)
    columns = [_plain(frame.column(i), name) for i, name in enumerate(names)]
    ordered = {
        name: column for name, column in zip(names, columns, strict=True) if getattr(column.type, "ordered", False)
    }
    try:
        out = pl.from_arrow(type(frame).from_arrays(columns, names=list(names)))
        assert isinstance(out, pl.DataFrame)
        return out.with_columns([as_enum(out[name], column) for name, column in ordered.items()])
    except faults_of_polars():
        for name, column in zip(names, columns, strict=True):
            try:
                pl.from_arrow(type(frame).from_arrays([column], names=[name]))
            except faults_of_polars() as error:
                raise _unreadable(name, column.type, reason(error)) from None
        raise


def _plain(column: Any, name: str) -> Any:
    """A column of pyarrow in a form that polars reads; raises DataError if there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_decimal256(column.type):
        raise _unreadable(name, column.type, "it has more than 38 digits")
    if pa.types.is_interval(column.type) or pa.types.is_union(column.type):
        raise _unreadable(name, column.type, "it is neither a number nor a label")
    if not pa.types.is_run_end_encoded(column.type):
        return column
    if isinstance(column, pa.ChunkedArray):
        chunks = [pc.run_end_decode(chunk) for chunk in column.chunks]
        return pa.chunked_array(chunks, type=column.type.value_type)
    return pc.run_end_decode(column)


def _unreadable(name: str, dtype: Any, why: str) -> DataError:
    return DataError(
        f"column {name!r} holds values of type {dtype}, which cannot be read ({why}); turn it into numbers or text, "
        "or ",
        *leave_out(name),
    )


def batches_of_frames(
    frames: Iterable[Any], names: tuple[str, ...], missing: MissingValues = IN_FRAMES
) -> Iterator[Batch]:
    """The batches of frames that come one after the other and must have these columns, in any order."""
    first = Place(0)
    for number, frame in enumerate(frames, start=1):
        deadline.check()
        batch = Batch(frame, first, missing)
        check_same_names(names, batch.names, f"frame {number}")
        first = first.after(batch.rows)
        if batch.rows:
            yield batch


def check_same_names(
    names: tuple[str, ...],
    others: Iterable[str],
    what: str,
    rule: str = "all parts of a source must have the same columns",
) -> None:
    """Raise DataError, which ends with the rule, unless a part of a source has just these columns, in any order."""
    here, known = dict.fromkeys(others), set(names)
    lacking = [name for name in names if name not in here]
    more = [name for name in here if name not in known]
    if lacking or more:
        parts = [f"lacks {listed(lacking)}"] * bool(lacking) + [f"has {listed(more)} besides"] * bool(more)
        raise DataError(f"{what} {' and '.join(parts)}; {rule}")
