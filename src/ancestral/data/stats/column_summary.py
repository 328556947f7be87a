"""Column summaries: what some rows tell about one column, in a form that adds up.

Nothing in it may depend on one part of the rows alone, least of all the kind of the column: whole numbers with few
different values look discrete until a part comes that has a fraction or an eleventh value. That a column is continuous
stays true whatever comes; a column that is discrete so far is read both as numbers and by its levels.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import (
    MOST_LEVELS,
    Floats,
    Kind,
    Labels,
    kind_of_values,
    labels_of_numbers,
    levels_if_discrete,
    numbers_of_labels,
)
from ancestral.data.errors import DataError, infinite, leave_out, without_values
from ancestral.data.read.batches import Batch, Place
from ancestral.data.read.text_values import fault_of_text, numbers_as_text, numbers_in, thousands_in
from ancestral.data.stats.whole_run import WholeRun
from ancestral.errors import Option

__all__ = ["ColumnSummary", "ColumnValues", "column_in_batch"]

#: Different labels of a column up to which it is taken as a variable; beyond, it is taken for an identifier.
MOST_LABELS = 65_535

#: What the values of a column are: numbers, labels, or text, which may have been meant as numbers.
Form: TypeAlias = Literal["numbers", "labels", "text"]


@dataclass(frozen=True)
class ColumnSummary:
    """What is known of one column. Summaries of parts add up to that of the whole."""

    name: str
    chosen: Kind | None  #: the kind that the user chose
    form: Form | None  #: None while all values are missing
    levels: frozenset[str] | None  #: the different values; None where there are too many to be levels
    place: Place  #: where it was seen first
    present: int = 0  #: pieces of text that are not missing
    numeric: int = 0  #: pieces of text that are numbers
    others: int = 0  #: those that are numbers with the other decimal mark
    marked: int = 0  #: those that are numbers with marks between thousands
    decimal: str = "."  #: the decimal mark of the file of `stray`
    stray: tuple[str, Place] | None = None  #: the first piece of text that is not a number, and where it is
    low: float = np.inf
    high: float = -np.inf
    whole_run: WholeRun | None = None  #: of numbers that are whole and of which none is missing

    @property
    def kind(self) -> Kind:
        """The kind of the column if no more rows come."""
        if self.chosen is not None:
            return self.chosen
        return "continuous" if self.form == "numbers" and self.levels is None else "discrete"

    @property
    def has_number(self) -> bool:
        """Whether the column is continuous, or may turn out to be."""
        return self.chosen == "continuous" or (self.chosen is None and self.form == "numbers")

    def __add__(self, other: "ColumnSummary") -> "ColumnSummary":
        if other.form is None or self.form is None:
            return replace(self if other.form is None else other, place=self.place, whole_run=None)
        if "numbers" in (self.form, other.form) and self.form != other.form:
            numbers, labels = (self, other) if self.form == "numbers" else (other, self)
            raise DataError(
                f"column {self.name!r} holds numbers in {numbers.place} and labels in {labels.place}; make it one of "
                "them everywhere, or ",
                *leave_out(self.name),
            )
        levels = None if self.levels is None or other.levels is None else self.levels | other.levels
        if levels is not None and self.form == "numbers" and self.chosen is None and len(levels) > MOST_LEVELS:
            levels = None
        if levels is not None and len(levels) > MOST_LABELS:
            raise _too_many_labels(self.name)
        return ColumnSummary(
            self.name,
            self.chosen,
            "text" if "text" in (self.form, other.form) else self.form,
            levels,
            self.place,
            self.present + other.present,
            self.numeric + other.numeric,
            self.others + other.others,
            self.marked + other.marked,
            other.decimal if self.stray is None else self.decimal,
            self.stray or other.stray,
            min(self.low, other.low),
            max(self.high, other.high),
            None if self.whole_run is None or other.whole_run is None else self.whole_run + other.whole_run,
        )

    def within(self, kept: Floats | None) -> "ColumnSummary":
        """The same column with the range of the rows that are kept, given their numbers if it has any."""
        if kept is None:
            return self
        return replace(self, low=float(kept.min(initial=np.inf)), high=float(kept.max(initial=-np.inf)))

    def fault(self) -> DataError | None:
        """The error for the column once all rows were read, in the words of a table; None if it can be used."""
        if self.form is None:
            return without_values(self.name)
        if self.form != "text" or self.chosen is not None:
            return None
        if self.stray is None:
            numbers = np.array([float(level) for level in self.levels or ()])
            return (
                None if kind_of_values(numbers) == "discrete" else numbers_as_text(self.name, min(self.levels or ("",)))
            )
        text, place = self.stray
        counts = (self.present, self.numeric, self.others, self.marked)
        return fault_of_text(self.name, None, *counts, lambda: f"{text!r} ({place})", self.decimal)


@dataclass(frozen=True)
class ColumnValues:
    """The values of a column: numbers, unless it is surely discrete, and labels, if it is discrete so far."""

    numbers: Floats | None = None
    labels: Labels | None = None

    @property
    def content(self) -> Floats | Labels:
        """The numbers, or the labels if there are no numbers."""
        values = self.labels if self.numbers is None else self.numbers
        assert values is not None
        return values

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where values are missing."""
        return self.content.codes < 0 if isinstance(self.content, Labels) else np.isnan(self.content)

    def keep(self, rows: NDArray[np.bool_]) -> "ColumnValues":
        """The values of some rows."""
        return ColumnValues(
            None if self.numbers is None else self.numbers[rows],
            None if self.labels is None else Labels(self.labels.codes[rows], self.labels.levels),
        )


def column_in_batch(
    batch: Batch, name: str, chosen: Kind | None, *, continuous: bool = False
) -> tuple[ColumnSummary, ColumnValues]:
    """The summary of a column of a batch, and its values.

    `chosen` is the kind that the user chose. A column that other batches have shown to be `continuous` is not read by
    its levels. Raises DataError if the column cannot be used.
    """
    values = batch.column(name, chosen)
    if isinstance(values, Labels):
        return _column_of_labels(batch, name, chosen, values)
    summary = _summary_of_numbers(batch, name, chosen, values)
    if chosen == "continuous" or continuous:
        return summary, ColumnValues(values)
    labels = levels_if_discrete(values) if chosen is None else labels_of_numbers(values)
    if labels is None:
        return summary, ColumnValues(values)
    if len(labels.levels) > MOST_LABELS:
        raise _too_many_labels(name)
    return replace(summary, levels=frozenset(labels.levels)), ColumnValues(values if chosen is None else None, labels)


def _column_of_labels(
    batch: Batch, name: str, chosen: Kind | None, labels: Labels
) -> tuple[ColumnSummary, ColumnValues]:
    if len(labels.levels) > MOST_LABELS and chosen != "continuous":
        raise _too_many_labels(name)
    if not labels.levels:
        return ColumnSummary(name, chosen, None, frozenset(), batch.first), ColumnValues(labels=labels)
    if chosen == "continuous":
        numbers = numbers_of_labels(name, labels)
        return _summary_of_numbers(batch, name, chosen, numbers), ColumnValues(numbers)
    is_text = batch.is_text(name)
    summary = ColumnSummary(name, chosen, "text" if is_text else "labels", frozenset(labels.levels), batch.first)
    if is_text and chosen is None:
        summary = _with_strays(summary, batch, labels)
    return summary, ColumnValues(labels=labels)


def _summary_of_numbers(batch: Batch, name: str, chosen: Kind | None, values: Floats) -> ColumnSummary:
    low, high = (float(values.min()), float(values.max())) if values.size else (np.nan, np.nan)
    if low != low:  # the minimum is NaN if any number is
        present = values[~np.isnan(values)]
        if not present.size:
            return ColumnSummary(name, chosen, None, frozenset(), batch.first)
        low, high = float(present.min()), float(present.max())
    if np.isinf(low) or np.isinf(high):
        raise infinite(name, batch.first.after(int(np.argmax(np.isinf(values)))))
    return ColumnSummary(name, chosen, "numbers", None, batch.first, low=low, high=high, whole_run=WholeRun.of(values))


def _with_strays(summary: ColumnSummary, batch: Batch, labels: Labels) -> ColumnSummary:
    """The summary with the number of pieces of text that are numbers, and the first that is not."""
    import polars as pl

    levels = pl.Series(list(labels.levels), dtype=pl.String)
    numeric = numbers_in(levels, batch.decimal).is_not_null().to_numpy()
    others = numbers_in(levels, "." if batch.decimal == "," else ",").is_not_null().to_numpy()
    marked = thousands_in(levels).to_numpy()
    rows = np.bincount(labels.codes[labels.codes >= 0], minlength=len(labels.levels))
    stray = None
    if not numeric.all():
        row = int(np.argmax(np.append(~numeric, False)[labels.codes]))  # -1 takes the last
        stray = (labels.levels[labels.codes[row]], batch.first.after(row))
    return replace(
        summary,
        present=int(rows.sum()),
        numeric=int(rows[numeric].sum()),
        others=int(rows[others].sum()),
        marked=int(rows[marked].sum()),
        decimal=batch.decimal,
        stray=stray,
    )


def _too_many_labels(name: str) -> DataError:
    return DataError(
        f"column {name!r} has more than {MOST_LABELS:,} different labels, like an identifier; ",
        *leave_out(name),
        ", or, if it is a measurement, pass ",
        Option("kinds", {name: "continuous"}),
    )
