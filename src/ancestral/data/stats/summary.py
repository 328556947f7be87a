"""Summaries: everything that a search needs to know of some rows, so that the rows need not be kept.

The summary of a whole is the sum of those of its parts, in whatever order and however it was divided.

While no column is continuous, `Counts` hold all there is to know. From the first continuous column on, moments do: of
the numbers, and of an indicator for each level. A column that is discrete so far is summed up both ways; when it turns
out to be continuous, its levels are forgotten (`column_summary`).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ancestral.data.column_kinds import Chosen, Floats, Kind, Labels, in_level_order
from ancestral.data.design import HASHED, Design, DesignFacts, design_of
from ancestral.data.errors import DataError, DataWarning, combined, overflowing, underflowing
from ancestral.data.fingerprint import fingerprint_of_rows, kind_and_order
from ancestral.data.read.batches import Batch, Place
from ancestral.data.read.index_columns import UNNAMED, counts_rows, not_row_numbers
from ancestral.data.read.missing_words import among_labels
from ancestral.data.read.remarks import Remark
from ancestral.data.row_hash import MODULUS, row_hash
from ancestral.data.stats.batch_moments import moments_of_values
from ancestral.data.stats.column_summary import ColumnSummary, ColumnValues, column_in_batch
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.deviations import EPSILON, Deviations
from ancestral.data.stats.grouped_counts import GroupedCounts
from ancestral.data.stats.grouped_moments import GroupedMoments, group_labels
from ancestral.data.stats.grouped_rows import GroupedRows
from ancestral.data.stats.keyed_moments import Key, KeyedMoments, check_levels
from ancestral.data.stats.moments import Moments, moments_of_groups
from ancestral.errors import AncestralError, Option
from ancestral.graphs.names import by_name, in_order
from ancestral.options import Missing, TableOptions
from ancestral.printing import counted, listed

__all__ = ["Summary", "design_in_batch", "faults_of_numbering"]


@dataclass(frozen=True, eq=False)
class Summary:
    """The summary of those of some rows that are complete.

    `statistic` is None if there are none, and `deviations` are those of the columns that have numbers, by name.
    `row_hash` is the hash of the rows where the statistic is moments; counts know theirs. `notes` are the warnings that
    reading all rows gave about how values are written.
    """

    columns: tuple[ColumnSummary, ...]
    rows: int
    dropped_rows: int
    statistic: Counts | KeyedMoments | None
    deviations: Mapping[str, Deviations]
    row_hash: int
    notes: tuple[DataWarning, ...] = ()
    design: GroupedMoments | GroupedCounts | None = None  #: sums of rows with weights or clusters, beside the others

    @classmethod
    def of(
        cls,
        batch: Batch,
        continuous: frozenset[str] = frozenset(),
        *,
        names: Sequence[str],
        kinds: Mapping[str, Chosen],
        missing: Missing,
        numbered: bool = False,
        design: TableOptions | None = None,
    ) -> "Summary":
        """The summary of these columns of a batch; `design` are the options that name its weights and clusters.

        `kinds` are those that the user chose, and `continuous` the columns that other batches have shown to be.
        `numbered`: whether the batch also has a column without a name, which must number its rows.
        Raises DataError with all faults of the batch.
        """
        columns: list[ColumnSummary] = []
        values: dict[str, ColumnValues] = {}
        faults: list[AncestralError] = []
        for name in names:
            try:
                column, values[name] = column_in_batch(batch, name, kinds.get(name), continuous=name in continuous)
                columns.append(column)
            except DataError as fault:
                faults.append(fault)
        if numbered:
            faults += faults_of_numbering(batch)
        gone = np.zeros(batch.rows, dtype=bool)
        sampled = None
        try:
            sampled = design_in_batch(batch, design)
        except DataError as fault:
            faults.append(fault)
        weightless = np.zeros(batch.rows, dtype=bool)
        if sampled is not None and sampled.weights is not None:
            weightless = sampled.weights == 0
        gaps: dict[str, Place] = {}
        words: dict[str, dict[str, int]] = {}
        for name, values_of in values.items():
            is_missing = values_of.missing & ~weightless
            if is_missing.any():
                gaps[name] = batch.first.after(int(np.argmax(is_missing)))
                gone |= is_missing
                if missing == "refuse" and values_of.labels is not None and values_of.numbers is None:
                    words[name] = {batch.missing_word(name, int(np.argmax(is_missing))): 0}
        if gaps and missing == "refuse":
            levels = {name: labels.levels for name in words if (labels := values[name].labels) is not None}
            faults.append(_missing_values(gaps, among_labels(words, levels), keep=design is None))
        if faults:
            raise combined(faults)
        dropped = int(gone.sum())
        left_out = int(weightless.sum())
        if dropped or left_out:
            kept = ~(gone | weightless)
            sampled = None if sampled is None else sampled.keep(kept)
            values = {name: column.keep(kept) for name, column in values.items()}
            columns = [column.within(values[column.name].numbers) for column in columns]
        seen, rows = tuple(columns), batch.rows - dropped
        rows -= left_out
        if not rows:
            return cls(seen, 0, dropped, None, {}, 0)
        if _all_discrete(seen):
            counts = _counts(values)
            if dropped or left_out:
                counts = counts.without_empty_levels()
            grouped = None if sampled is None else _grouped(batch, seen, values, sampled)
            hashed = 0 if sampled is None else _hashed(values, sampled)
            return cls(seen, rows, dropped, counts, {}, hashed, design=grouped)
        _check_levels(seen)
        moments, deviations = moments_of_values(values)
        grouped = None if sampled is None else _grouped(batch, seen, values, sampled)
        return cls(seen, rows, dropped, moments, deviations, _hashed(values, sampled), design=grouped)

    @classmethod
    def of_counts(cls, counts: Counts) -> "Summary":
        """The summary of rows that were counted."""
        columns = tuple(
            ColumnSummary(name, "discrete", "labels", frozenset(levels), Place(0, "the counts"))
            for name, levels in zip(counts.names, counts.levels, strict=True)
        )
        return cls(columns, counts.rows, 0, counts, {}, 0, design=counts.grouped)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column."""
        return tuple(column.kind for column in self.columns)

    @property
    def continuous(self) -> frozenset[str]:
        """The columns that are continuous, whatever other rows hold."""
        return frozenset(column.name for column in self.columns if column.kind == "continuous")

    def __add__(self, other: object) -> "Summary":
        if not isinstance(other, Summary):
            return NotImplemented
        columns = _added(self.columns, other.columns)
        rows, dropped = self.rows + other.rows, self.dropped_rows + other.dropped_rows
        if self.statistic is None or other.statistic is None:
            there = self if other.statistic is None else other
            return replace(there, columns=columns, rows=rows, dropped_rows=dropped)._fitting()
        if isinstance(self.statistic, Counts) and isinstance(other.statistic, Counts) and _all_discrete(columns):
            design = self._added_design(other)
            hashed = (self.row_hash + other.row_hash) % MODULUS
            return Summary(columns, rows, dropped, self.statistic + other.statistic, {}, hashed, design=design)
        one, two = (replace(part, columns=columns)._fitting() for part in (self, other))
        assert isinstance(one.statistic, KeyedMoments) and isinstance(two.statistic, KeyedMoments)
        _check_levels(columns)
        deviations = {name: about + two.deviations[name] for name, about in one.deviations.items()}
        hashed = (one.row_hash + two.row_hash) % MODULUS
        design = one._added_design(two)
        return Summary(columns, rows, dropped, one.statistic + two.statistic, deviations, hashed, design=design)

    def _added_design(self, other: "Summary") -> GroupedMoments | GroupedCounts | None:
        """The sums by group of both."""
        one, two = self.design, other.design
        if isinstance(one, GroupedCounts) and isinstance(two, GroupedCounts):
            return one + two
        return one + two if isinstance(one, GroupedMoments) and isinstance(two, GroupedMoments) else None

    def _fitting(self) -> "Summary":
        """The same rows with the statistic that the kinds of the columns need."""
        if self.statistic is None or _all_discrete(self.columns):
            return self
        if isinstance(self.statistic, Counts):
            return self._from_counts(self.statistic)
        continuous = self.continuous
        keep = [key for key in self.statistic.keys if key.level is None or key.name not in continuous]
        if len(keep) == len(self.statistic.keys):
            return self
        design = self.design.select(keep) if isinstance(self.design, GroupedMoments) else None
        return replace(self, statistic=self.statistic.select(keep), design=design)

    def _from_counts(self, counts: Counts) -> "Summary":
        """The same rows with moments in the place of counts, since a column turned out to be continuous.

        Configurations are taken in the order of columns by name, so that no bit depends on their order in the data.
        """
        counts = counts.select(in_order(counts.names))
        by_column = {column.name: column for column in self.columns}
        columns = [by_column[name] for name in counts.names]
        numbers = {
            column.name: np.array([float(level) for level in counts.levels[v]])
            for v, column in enumerate(columns)
            if column.has_number
        }
        total: KeyedMoments | None = None
        hashed = 0
        for words, weights in counts.portions():
            rows: dict[Key, Floats] = {}
            values: dict[str, Floats | Labels] = {}
            for v, column in enumerate(columns):
                codes, name = counts.packing.unpacked(words, v), column.name
                if name in numbers:
                    rows[Key(name)] = values[name] = numbers[name][codes]
                else:
                    values[name] = Labels(codes, counts.levels[v])
                if column.kind != "continuous":
                    for code, level in enumerate(counts.levels[v]):
                        rows[Key(name, level)] = (codes == code).astype(np.float64)
            hashed += row_hash(values, weights) if self.design is None else 0
            part = KeyedMoments.of_weighted(rows, weights)
            total = part if total is None else total + part
        deviations = {name: Deviations.of_counts(values, counts.table([name])) for name, values in numbers.items()}
        design = None
        if isinstance(self.design, GroupedCounts):
            discrete = frozenset(column.name for column in columns if column.kind == "discrete")
            design = self.design.as_moments(frozenset(numbers), discrete)
            hashed = self.row_hash
        return replace(self, statistic=total, deviations=deviations, row_hash=hashed % MODULUS, design=design)

    # -- once all rows were read ------------------------------------------------------------------------------------

    @cached_property
    def column_faults(self) -> dict[str, DataError]:
        """The errors for columns that cannot be used, by name; columns that underflow share one."""
        out = {column.name: fault for column in self.columns if (fault := column.fault()) is not None}
        tiny = []
        for column in self.columns:
            about = self.deviations.get(column.name)
            if column.kind != "continuous" or about is None:
                continue
            if not np.isfinite(about.square):
                out[column.name] = overflowing(column.name)
            elif about.underflows(column.low, column.high):
                tiny.append(column.name)
        return {**out, **dict.fromkeys(tiny, underflowing(tiny))}

    @property
    def faults(self) -> list[DataError]:
        """The errors for columns that cannot be used, and for the lack of complete rows."""
        out = list(dict.fromkeys(self.column_faults.values()))
        if not self.rows and not out:
            if not self.dropped_rows:
                return [DataError("there are no rows; a search needs data")]
            return [DataError("no row is complete; ", Option("drop"), " the columns with most missing values")]
        return out

    @property
    def doubts(self) -> list[Remark]:
        """Remarks on columns of frames that are text although their values are measurements."""
        return [doubt for column in self.columns if (doubt := column.doubt()) is not None]

    def checked(self) -> "Summary":
        """The same; raises DataError with all faults if it cannot be used."""
        if self.faults:
            raise combined(self.faults)
        return self

    def select(self, names: Sequence[str]) -> "Summary":
        """The summary of these columns."""
        chosen = {column.name: column for column in self.columns}
        statistic = self.statistic
        if isinstance(statistic, Counts):
            statistic = statistic.select(names)
        elif statistic is not None:
            statistic = statistic.select([key for key in statistic.keys if key.name in set(names)])
        deviations = {name: about for name, about in self.deviations.items() if name in set(names)}
        design = self.design
        if isinstance(design, GroupedCounts):
            design = design.select(names)
        elif design is not None:
            design = design.select([key for key in design.keys if isinstance(key, Key) and key.name in set(names)])
        columns = tuple(chosen[n] for n in names)
        return replace(self, columns=columns, statistic=statistic, deviations=deviations, design=design)

    def with_moments(self) -> "Summary":
        """The same, with moments also where counts would do."""
        return self._from_counts(self.statistic) if isinstance(self.statistic, Counts) else self

    @property
    def counts(self) -> Counts | None:
        """The counts, if no column is continuous; those of ordinal columns have their levels in order."""
        if not isinstance(self.statistic, Counts):
            return None
        return self.statistic.with_order({c.name: self.levels(c.name) for c in self.columns if c.kind == "ordinal"})

    @cached_property
    def moments(self) -> Moments | None:
        """The moments of the continuous columns, if there are any."""
        names = [column.name for column in self.columns if column.kind == "continuous"]
        if not isinstance(self.statistic, KeyedMoments):
            return None
        chosen = self.statistic.select([Key(name) for name in names])
        flat = np.array([self.is_constant(name) for name in names], dtype=bool)
        comoments = np.where(flat[:, None] | flat, 0.0, chosen.comoments)  # what a constant has is rounding
        if isinstance(self.design, GroupedMoments):
            groups = self.design.select([Key(name) for name in names])
            return moments_of_groups(replace(groups, keys=tuple(names)), names)
        return Moments(tuple(names), self.rows, chosen.mean, comoments)

    def levels(self, name: str) -> tuple[str, ...]:
        """The levels of a column that is not continuous, of those that occur, in their order."""
        column = self.columns[self.names.index(name)]
        if isinstance(self.statistic, Counts):
            levels = self.statistic.levels[self.names.index(name)]
        else:
            levels = in_level_order(self._tallies[name])
        return column.ordered_levels(levels) if column.kind == "ordinal" else levels

    def rows_by_level(self, name: str) -> dict[str, int]:
        """The number of rows of each level of a column that is not continuous."""
        if isinstance(self.statistic, Counts):
            levels = self.statistic.levels[self.names.index(name)]
            return dict(zip(levels, self.statistic.rows_by_level[name].tolist(), strict=True))
        return {level: self._tallies[name][level] for level in self.levels(name)}

    @cached_property
    def _tallies(self) -> dict[str, dict[str, int]]:
        assert isinstance(self.statistic, KeyedMoments)
        out: dict[str, dict[str, int]] = {name: {} for name in self.names}
        for key, share in zip(self.statistic.keys, self.statistic.mean.tolist(), strict=True):
            if key.level is not None and (count := round(share * self.rows)):
                out[key.name][key.level] = count
        return out

    def blocks(self) -> tuple[dict[str, tuple[str | None, ...]], Floats]:
        """The columns that stand for each variable, by name, and the correlations of all these columns.

        A discrete variable has an indicator for each level but the most frequent one. Of each column the level is told,
        None for numbers.
        """
        assert isinstance(self.statistic, KeyedMoments)
        levels: dict[str, tuple[str | None, ...]] = {}
        keys: list[Key] = []
        for column in sorted(self.columns, key=lambda column: by_name(column.name)):
            block = [Key(column.name)]
            if column.kind != "continuous":
                rows = self.rows_by_level(column.name)
                usual = max(rows, key=lambda level: rows[level])  # the first of equals
                block = [Key(column.name, level) for level in rows if level != usual]
            levels[column.name] = tuple(key.level for key in block)
            keys += block
        return levels, self.statistic.select(keys).correlation

    def designed_blocks(self) -> tuple[dict[str, tuple[str | None, ...]], GroupedRows, DesignFacts]:
        """As `blocks`, with weighted rows in independent groups that have these correlations, and their design."""
        with_moments = self.with_moments()
        levels, _ = with_moments.blocks()
        assert isinstance(with_moments.design, GroupedMoments)
        keys = [Key(name, level) for name, some in levels.items() for level in some]
        design = with_moments.design
        return levels, design.select(keys).as_rows(), design.facts

    def is_constant(self, name: str) -> bool:
        """Whether a column does not vary, except for rounding."""
        column = self.columns[self.names.index(name)]
        if column.kind != "continuous":
            return len(self.levels(name)) < 2
        return column.high - column.low <= 8 * EPSILON * max(abs(column.low), abs(column.high))

    def pairs_of_levels(self, x: str, y: str) -> int:
        """The number of pairs of levels of two discrete columns that occur together."""
        if isinstance(self.statistic, Counts):
            return int(np.count_nonzero(self.statistic.table([x, y])))
        assert isinstance(self.statistic, KeyedMoments)
        both = [[Key(name, level) for level in self.levels(name)] for name in (x, y)]
        chosen = self.statistic.select([*both[0], *both[1]])
        here, there = slice(0, len(both[0])), slice(len(both[0]), None)
        together = chosen.comoments[here, there] / self.rows + np.outer(chosen.mean[here], chosen.mean[there])
        return int(np.count_nonzero(np.rint(together * self.rows)))

    def lengths(self, names: Sequence[str]) -> list[float]:
        """The root of the sum of squared deviations of each of these columns from its mean."""
        return [self.deviations[name].length for name in names]

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the rows that were summed up: that of a table of them."""
        counted_rows = isinstance(self.statistic, Counts) and self.design is None
        hashed = self.statistic.row_hash if isinstance(self.statistic, Counts) and counted_rows else self.row_hash
        kinds: dict[str, str] = {
            column.name: kind_and_order(column.kind, self.levels(column.name) if column.kind == "ordinal" else ())
            for column in self.columns
        }
        if self.design is not None:
            facts = self.design.facts
            there = zip(HASHED, (facts.weights, facts.clusters), strict=True)
            kinds |= {hashed_as: "design" for hashed_as, name in there if name is not None}
        return fingerprint_of_rows(kinds, self.rows, hashed)

    def __repr__(self) -> str:
        return f"Summary of {counted(len(self.columns), 'column')}, {counted(self.rows, 'row')}"


def design_in_batch(batch: Batch, options: TableOptions | None) -> Design | None:
    """The design of a batch that the options name, if any. Raises DataError if it cannot be used."""
    return None if options is None else design_of(_Placed(batch), options)


def faults_of_numbering(batch: Batch) -> list[AncestralError]:
    """The error for a batch whose column without a name does not number its rows, if it does not."""
    try:
        values = batch.column(UNNAMED, None)
    except DataError as fault:
        return [fault]
    numbers = counts_rows(values, batch.first.row) or counts_rows(values)
    return [] if numbers else [not_row_numbers(f", from {batch.first} on")]


def _missing_values(firsts: Mapping[str, Place], doubt: Sequence[str | Option], *, keep: bool) -> DataError:
    """The error for missing values, given the place of the first in each column that has any.

    `doubt` names words that may not stand for missing values. `keep`: some tests can keep them, those of one table.
    """
    name, place = min(firsts.items(), key=lambda item: item[1].row)
    if len(firsts) == 1:
        what = f"a value is missing in column {name!r}, {place}"
    else:
        what = f"values are missing in columns {listed(firsts)}, the first in {name!r}, {place}"
    return DataError(
        what,
        *doubt,
        "; if the values are really missing, pass " if doubt else "; pass ",
        Option("missing", "drop"),
        " to use the rows that are complete",
        *((_IN_ONE_TABLE, Option("missing", "testwise")) if keep else ()),
    )


_IN_ONE_TABLE = (
    ", or, to let each question use the rows that are complete for it, with a test that can, read all rows as one "
    "table and pass "
)


def _added(columns: Sequence[ColumnSummary], others: Sequence[ColumnSummary]) -> tuple[ColumnSummary, ...]:
    """The sums of summaries of the same columns; raises DataError with all columns that cannot be added."""
    out: list[ColumnSummary] = []
    faults: list[AncestralError] = []
    for one, two in zip(columns, others, strict=True):
        try:
            out.append(one + two)
        except DataError as fault:
            faults.append(fault)
    if faults:
        raise combined(faults)
    return tuple(out)


def _check_levels(columns: Sequence[ColumnSummary]) -> None:
    check_levels({column.name: len(column.levels or ()) for column in columns if column.kind != "continuous"})


def _all_discrete(columns: Sequence[ColumnSummary]) -> bool:
    return all(column.kind != "continuous" for column in columns)


@dataclass(frozen=True)
class _Placed:
    """A batch whose rows have places."""

    batch: Batch

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        return self.batch.column(name, kind)

    def where(self, row: int) -> str:
        return str(self.batch.first.after(row))


def _hashed(values: Mapping[str, ColumnValues], design: Design | None) -> int:
    """The hash of rows, with their weights and clusters."""
    columns = {name: column.content for name, column in values.items()}
    return row_hash(columns | ({} if design is None else design.hashed))


def _grouped(
    batch: Batch, columns: Sequence[ColumnSummary], values: Mapping[str, ColumnValues], design: Design
) -> GroupedMoments | GroupedCounts:
    """The sums by group of the rows that are kept."""
    groups = group_labels(design, batch.first.row, batch.first.label)
    if _all_discrete(columns):
        labels = {name: column.labels for name, column in values.items() if column.labels is not None}
        return GroupedCounts.of(labels, design.row_weights, groups, design.facts)
    numbers: dict[Hashable, Floats] = {}
    for name, column in values.items():
        if column.numbers is not None:
            numbers[Key(name)] = column.numbers
        if column.labels is not None:
            for code, level in enumerate(column.labels.levels):
                numbers[Key(name, level)] = (column.labels.codes == code).astype(np.float64)
    return GroupedMoments.of(numbers, design.row_weights, groups, design.rows, design.facts)


def _counts(values: Mapping[str, ColumnValues]) -> Counts:
    labels = [column.labels for column in values.values() if column.labels is not None]
    return Counts.of_codes(list(values), [column.levels for column in labels], [column.codes for column in labels])
