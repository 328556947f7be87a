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
    Chosen,
    Floats,
    Kind,
    Labels,
    in_level_order,
    labels_of_numbers,
    levels_if_discrete,
    merged_levels,
    numbers_of_labels,
    ordered_labels,
    read_as,
    relabelled,
)
from ancestral.data.errors import DataError, infinite, leave_out, without_values
from ancestral.data.read.batches import Batch, Place
from ancestral.data.read.notations import numbers_in
from ancestral.data.read.remarks import Remark
from ancestral.data.read.text_values import NOTHING, TextCounts, doubt_of_text, empty_text, fault_of_text
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
    chosen: Chosen | None  #: the kind that the user chose
    form: Form | None  #: None while all values are missing
    levels: frozenset[str] | None  #: the different values; None where there are too many to be levels
    place: Place  #: where it was seen first
    counts: TextCounts = NOTHING  #: how many pieces of text are what
    decimal: str = "."  #: the decimal mark of the file of `stray`
    from_file: bool = False  #: whether `stray` is in a text file
    stray: tuple[str, Place] | None = None  #: the first piece of text that is not a number, and where it is
    low: float = np.inf
    high: float = -np.inf
    order: tuple[str, ...] | None = None  #: all categories from the lowest to the highest, where they are ordered
    whole_run: WholeRun | None = None  #: of numbers that are whole and of which none is missing

    @property
    def kind(self) -> Kind:
        """The kind of the column if no more rows come."""
        if isinstance(self.chosen, tuple) or (self.chosen is None and self.order is not None):
            return "ordinal"
        if self.chosen is not None:
            return self.chosen
        return "continuous" if self.form == "numbers" and self.levels is None else "discrete"

    @property
    def has_number(self) -> bool:
        """Whether the column is continuous, or may turn out to be."""
        return self.chosen == "continuous" or (self.chosen is None and self.form == "numbers")

    def ordered_levels(self, levels: tuple[str, ...]) -> tuple[str, ...]:
        """The levels of an ordinal column that occur, from the lowest to the highest."""
        if isinstance(self.chosen, tuple) or self.order is not None:
            order = self.chosen if isinstance(self.chosen, tuple) else self.order or ()
            return tuple(level for level in order if level in set(levels))
        return ordered_labels(self.name, Labels(np.zeros(0, dtype=np.int32), levels), "ordinal").levels

    def _added_order(self, other: "ColumnSummary") -> tuple[str, ...] | None:
        """The order of both parts. Raises DataError if they do not agree."""
        if (self.order is None) != (other.order is None) and self.kind != "continuous" and self.chosen is None:
            one, two = (self, other) if self.order is not None else (other, self)
            raise DataError(
                f"column {self.name!r} has ordered categories in {one.place} and others in {two.place}; make it one of "
                "them everywhere, or pass ",
                Option("kinds", {self.name: list(one.order or ())}),
            )
        if self.order is None or other.order is None or self.kind != "ordinal" or isinstance(self.chosen, tuple):
            return self.order or other.order
        return merged_levels(self.name, self.order, other.order)

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
            self.counts + other.counts,
            other.decimal if self.stray is None else self.decimal,
            other.from_file if self.stray is None else self.from_file,
            self.stray or other.stray,
            min(self.low, other.low),
            max(self.high, other.high),
            self._added_order(other),
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
        if self.chosen == "ordinal":
            try:
                self.ordered_levels(in_level_order(self.levels or ()))
            except DataError as fault:
                return fault
            return None
        if self.form != "text" or self.chosen is not None or self.stray is None:
            return None
        text, place = self.stray
        return fault_of_text(
            self.name,
            None,
            self.counts,
            text,
            lambda: f"{text!r} ({place})",
            self.decimal,
            self.from_file,
            different=len(self.levels or ()),
        )

    def doubt(self) -> Remark | None:
        """The remark on text of a frame that consists of measurements, or is empty in some rows; None if it is not."""
        if self.form != "text" or self.chosen is not None:
            return None
        if "" in (self.levels or ()):
            return empty_text(self.name)
        if self.from_file:
            return None
        import polars as pl

        return doubt_of_text(
            self.name, self.counts, pl.Series(sorted(self.levels or ()), dtype=pl.String), self.decimal
        )


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
            None if self.labels is None else replace(self.labels, codes=self.labels.codes[rows]),
        )


def column_in_batch(
    batch: Batch, name: str, chosen: Chosen | None, *, continuous: bool = False
) -> tuple[ColumnSummary, ColumnValues]:
    """The summary of a column of a batch, and its values.

    `chosen` is the kind that the user chose. A column that other batches have shown to be `continuous` is not read by
    its levels. Raises DataError if the column cannot be used.
    """
    values = batch.column(name, read_as(chosen))
    if isinstance(values, Labels):
        return _column_of_labels(batch, name, chosen, values)
    summary = _summary_of_numbers(batch, name, chosen, values)
    labels = None
    if chosen is None and not continuous:
        labels = levels_if_discrete(values)
    elif chosen is not None and chosen != "continuous":
        labels = labels_of_numbers(values)
    if summary.form is not None:
        summary = replace(summary, whole_run=_whole_run(summary, values, labels))
    if labels is None:
        return summary, ColumnValues(values)
    if len(labels.levels) > MOST_LABELS:
        raise _too_many_labels(name)
    if isinstance(chosen, tuple):
        ordered_labels(name, labels, chosen)
    return replace(summary, levels=frozenset(labels.levels)), ColumnValues(values if chosen is None else None, labels)


def _column_of_labels(
    batch: Batch, name: str, chosen: Chosen | None, labels: Labels
) -> tuple[ColumnSummary, ColumnValues]:
    order = labels.levels if labels.ordered else None
    if isinstance(chosen, tuple):
        ordered_labels(name, labels, chosen)  # refuses levels that were not told
    if labels.ordered:
        occurs = {labels.levels[code] for code in np.unique(labels.codes[labels.codes >= 0])}
        labels = relabelled(labels, in_level_order(occurs), ordered=False)
    if len(labels.levels) > MOST_LABELS and chosen != "continuous":
        raise _too_many_labels(name)
    if not labels.levels:
        return ColumnSummary(name, chosen, None, frozenset(), batch.first), ColumnValues(labels=labels)
    if chosen == "continuous":
        numbers = numbers_of_labels(name, labels)
        summary = _summary_of_numbers(batch, name, chosen, numbers)
        return replace(summary, whole_run=WholeRun.of(numbers)), ColumnValues(numbers)
    is_text = batch.is_text(name)
    form: Form = "text" if is_text else "labels"
    summary = ColumnSummary(name, chosen, form, frozenset(labels.levels), batch.first, order=order)
    if is_text and chosen is None:
        summary = _with_strays(summary, batch, labels)
    return summary, ColumnValues(labels=labels)


def _summary_of_numbers(batch: Batch, name: str, chosen: Chosen | None, values: Floats) -> ColumnSummary:
    low, high = (float(values.min()), float(values.max())) if values.size else (np.nan, np.nan)
    if low != low:  # the minimum is NaN if any number is
        present = values[~np.isnan(values)]
        if not present.size:
            return ColumnSummary(name, chosen, None, frozenset(), batch.first)
        low, high = float(present.min()), float(present.max())
    if np.isinf(low) or np.isinf(high):
        raise infinite(name, batch.first.after(int(np.argmax(np.isinf(values)))))
    return ColumnSummary(name, chosen, "numbers", None, batch.first, low=low, high=high)


def _whole_run(summary: ColumnSummary, values: Floats, labels: Labels | None) -> WholeRun | None:
    """The run of numbers that were found to be levels, or not."""
    if labels is None or summary.chosen is not None or labels.codes.min() < 0:
        return WholeRun.of(values)
    return WholeRun.of_levels(values, summary.low, summary.high)


def _with_strays(summary: ColumnSummary, batch: Batch, labels: Labels) -> ColumnSummary:
    """The summary with the number of pieces of text that are numbers, and the first that is not."""
    import polars as pl

    levels = pl.Series(list(labels.levels), dtype=pl.String)
    rows = np.bincount(labels.codes[labels.codes >= 0], minlength=len(labels.levels))
    numeric = numbers_in(levels, batch.decimal).is_not_null().to_numpy()
    stray = None
    if not numeric.all():
        row = int(np.argmax(np.append(~numeric, False)[labels.codes]))  # -1 takes the last
        stray = (labels.levels[labels.codes[row]], batch.first.after(row))
    counts = TextCounts.of(levels, batch.decimal, rows)
    return replace(summary, counts=counts, decimal=batch.decimal, from_file=batch.from_file, stray=stray)


def _too_many_labels(name: str) -> DataError:
    return DataError(
        f"column {name!r} has more than {MOST_LABELS:,} different labels, like an identifier; ",
        *leave_out(name),
        ", or, if its labels are numbers that were measured, pass ",
        Option("kinds", {name: "continuous"}),
    )
