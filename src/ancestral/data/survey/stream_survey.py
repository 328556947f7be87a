"""The survey of a stream: what some rows tell about each column, in a form that adds up, so that one pass is enough."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ancestral.data.column_kinds import Chosen, Labels, in_level_order
from ancestral.data.errors import DataError
from ancestral.data.read.batches import Batch
from ancestral.data.read.index_columns import UNNAMED
from ancestral.data.stats.column_summary import ColumnSummary, ColumnValues, column_in_batch
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.summary import Summary, design_in_batch, faults_of_numbering
from ancestral.data.survey.column_survey import ColumnSurvey, of_deviations, of_levels, why_continuous, why_levels
from ancestral.errors import AncestralError
from ancestral.options import TableOptions

__all__ = ["StreamPart"]


@dataclass(frozen=True)
class _Column:
    """What some rows tell about a column that can be read."""

    about: ColumnSummary
    values: int
    missing: int
    zeros: int
    deviations: Deviations | None
    rows_by_level: Mapping[str, int] | None
    word: str = ""  #: what stands for the first missing value of labels in a text file

    @classmethod
    def of(cls, about: ColumnSummary, values: ColumnValues, word: str) -> "_Column":
        gone = values.missing
        missing = int(gone.sum())
        zeros, deviations, tally = 0, None, None
        if values.numbers is not None:
            present = values.numbers[~gone] if missing else values.numbers
            zeros = int(np.count_nonzero(present == 0))
            deviations = Deviations.of(present) if present.size else None
        if values.labels is not None:
            tally = _tally(values.labels)
        return cls(about, gone.size - missing, missing, zeros, deviations, tally, word)

    def __add__(self, other: object) -> "_Column":
        if not isinstance(other, _Column):
            return NotImplemented
        deviations = self.deviations or other.deviations
        if self.deviations is not None and other.deviations is not None:
            deviations = self.deviations + other.deviations
        tally = None
        if self.rows_by_level is not None and other.rows_by_level is not None:
            tally = dict(self.rows_by_level)
            for level, rows in other.rows_by_level.items():
                tally[level] = tally.get(level, 0) + rows
        return _Column(
            self.about + other.about,
            self.values + other.values,
            self.missing + other.missing,
            self.zeros + other.zeros,
            deviations,
            tally,
            self.word or other.word,
        )

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that occur, in their order; the column is not continuous, and has no fault."""
        levels = in_level_order(self.rows_by_level or ())
        return self.about.ordered_levels(levels) if self.about.kind == "ordinal" else levels

    def survey(self) -> ColumnSurvey:
        """The column once all rows were read, if it can be read."""
        name, kind, chosen = self.about.name, self.about.kind, self.about.chosen is not None
        if kind != "continuous":
            rows = {level: (self.rows_by_level or {}).get(level, 0) for level in self.levels}
            why = why_levels(tuple(rows), ordinal=kind == "ordinal", chosen=chosen)
            return ColumnSurvey(name, kind, why, self.values, self.missing, len(rows), rows, **of_levels(rows))
        why = why_continuous(self.about.whole_run is not None, None, chosen=chosen)
        shape: dict[str, Any] = {}
        if self.deviations is not None:
            shape = of_deviations(self.deviations, self.about.low, self.about.high)
        return ColumnSurvey(name, "continuous", why, self.values, self.missing, zeros=self.zeros, **shape)


def _missing_word(batch: Batch, name: str, values: ColumnValues) -> str:
    """The word that stands for the first missing value, if the column holds labels alone."""
    if values.labels is None or values.numbers is not None or not values.missing.any():
        return ""
    return batch.missing_word(name, int(np.argmax(values.missing)))


def _tally(labels: Labels) -> dict[str, int]:
    rows = np.bincount(labels.codes[labels.codes >= 0], minlength=len(labels.levels)).tolist()
    return {level: count for level, count in zip(labels.levels, rows, strict=True) if count}


@dataclass(frozen=True)
class StreamPart:
    """What some rows tell: the columns that can be read, the faults of the others, and the summary of complete rows.

    `summary` is None if the columns together cannot be summed up; `together` says why. `unsampled` says why weights or
    clusters cannot be used.
    """

    rows: int
    columns: Mapping[str, _Column]
    faults: Mapping[str, AncestralError]
    summary: Summary | None
    together: AncestralError | None = None
    unsampled: AncestralError | None = None

    @classmethod
    def of(
        cls,
        batch: Batch,
        continuous: frozenset[str] = frozenset(),
        *,
        names: Sequence[str],
        kinds: Mapping[str, Chosen],
        numbered: bool = False,
        design: TableOptions | None = None,
    ) -> "StreamPart":
        """The survey of these columns of a batch; the arguments are those of `Summary.of`.

        Rows of weight 0 do not count.
        """
        columns: dict[str, _Column] = {}
        faults: dict[str, AncestralError] = {}
        unsampled: AncestralError | None = None
        kept = np.ones(batch.rows, dtype=bool)
        try:
            sampled = design_in_batch(batch, design)
        except DataError as fault:
            unsampled, design = fault, None
        else:
            if sampled is not None and sampled.weights is not None:
                kept = sampled.weights > 0
        for name in names:
            try:
                about, values = column_in_batch(batch, name, kinds.get(name), continuous=name in continuous)
            except DataError as fault:
                faults[name] = fault
            else:
                word = _missing_word(batch, name, values)
                columns[name] = _Column.of(about, values if kept.all() else values.keep(kept), word)
        if numbered and (wrong := faults_of_numbering(batch)):
            faults[UNNAMED] = wrong[0]
        part = cls(int(kept.sum()), columns, faults, None, unsampled=unsampled)
        if not columns:
            return part
        try:
            summary = Summary.of(batch, continuous, names=list(columns), kinds=kinds, missing="drop", design=design)
        except DataError as fault:
            return replace(part, together=fault)
        return replace(part, summary=summary)

    @property
    def continuous(self) -> frozenset[str]:
        """The columns that are continuous, whatever other rows hold."""
        return frozenset(name for name, column in self.columns.items() if column.about.kind == "continuous")

    def __add__(self, other: object) -> "StreamPart":
        if not isinstance(other, StreamPart):
            return NotImplemented
        faults = {**other.faults, **self.faults}
        columns: dict[str, _Column] = {}
        for name, column in self.columns.items():
            if name in other.columns:
                try:
                    columns[name] = column + other.columns[name]
                except DataError as fault:
                    faults[name] = fault
        together, unsampled = self.together or other.together, self.unsampled or other.unsampled
        part = StreamPart(self.rows + other.rows, columns, faults, None, together, unsampled)
        if self.summary is None or other.summary is None or not columns:
            return part
        try:
            return replace(part, summary=self.summary.select(list(columns)) + other.summary.select(list(columns)))
        except DataError as fault:
            return replace(part, together=part.together or fault)
