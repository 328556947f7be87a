"""Counts: how many rows have each configuration of levels, which is all that a discrete test needs of the data.

A configuration is a combination of levels, one of each column. Its codes are packed into a few words, so that twenty
columns of two levels take eight bytes; whatever the number of rows, they have at most a million configurations. The
counts of two parts of the rows give those of both: their levels are merged, and the numbers of rows are added.

Configurations that would fill the memory are written to a file without a name in the folder for temporary files
(TMPDIR), which is gone when the counts are, and mapped from there. What is on the file is not merged with what comes
later: a configuration may then be there several times, which changes no sum.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.column_kinds import Kind, Labels, in_level_order, merged_levels
from ancestral.data.column_names import check_same_columns, positions_of
from ancestral.data.errors import DataError
from ancestral.data.fingerprint import fingerprint, fingerprint_of_rows, kind_and_order
from ancestral.data.row_hash import MODULUS, row_hash
from ancestral.data.stats.grouped_counts import GroupedCounts
from ancestral.data.stats.packing import Packing
from ancestral.data.stats.segments import PORTION_SIZE, Segment, added_segments, is_mapped, on_file, tallied
from ancestral.data.tree_sum import tree_sum
from ancestral.option_groups import with_options
from ancestral.options import ROWS_OPTIONS, RowsKeywords, TableOptions
from ancestral.printing import counted

__all__ = ["Counts"]

Codes = NDArray[np.integer]


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """The number of rows of each configuration of named columns; the levels of `ordered` columns are in order.

    Attributes:
        names: The columns.
        levels: The levels of each column.
        segments: The configurations, packed, and the number of rows of each.
        ordered: The columns whose levels are in order.
        grouped: Sums of weights, of weighted rows or of rows in clusters; None otherwise.

    Examples:
        >>> import polars as pl
        >>> one = Counts.of(pl.DataFrame({"ill": ["yes", "no", "no"], "sex": ["f", "f", "f"]}))
        >>> both = one + Counts.of(pl.DataFrame({"ill": ["no"], "sex": ["m"]}))
        >>> both
        Counts of 2 columns, 4 rows, 3 configurations
        >>> both.table(["ill", "sex"])
        array([[2, 1],
               [1, 0]])
        >>> both.names, both.levels, both.kinds, sorted(both.ordered), both.rows, both.configurations
        (('ill', 'sex'), (('no', 'yes'), ('f', 'm')), ('discrete', 'discrete'), [], 4, 3)
        >>> {name: numbers.tolist() for name, numbers in both.rows_by_level.items()}
        {'ill': [3, 1], 'sex': [3, 1]}
        >>> both.select(["sex"]).table(["sex"]), both.arranged(["sex", "ill"]).names
        (array([3, 1]), ('sex', 'ill'))
        >>> both.weighted_table(["sex"]), both.grouped  # without weights, a row counts 1
        (array([3., 1.]), None)
        >>> sum(int(rows.sum()) for _, rows in both.portions()), both.joined()[1].sum(), len(both.segments)
        (4, np.int64(4), 1)
        >>> both.packing.sizes, one.fingerprint == both.fingerprint, one.row_hash == both.row_hash
        ((2, 2), False, False)
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    segments: tuple[Segment, ...] = field(repr=False)  #: lists of packed configurations and their numbers of rows
    ordered: frozenset[str] = frozenset()
    grouped: GroupedCounts | None = None  #: of weighted rows, or of rows in clusters, beside the numbers of rows

    @classmethod
    @with_options(TableOptions, only=ROWS_OPTIONS)
    def of(cls, source: Any, **options: Unpack[RowsKeywords]) -> "Counts":
        """The counts of a table, or of any other data that `discover` reads; every column is taken as labels.

        Rows with missing values cannot be kept: `missing` is "refuse" or "drop".

        Args:
            source: The data.

        {options}

        Returns:
            The counts.

        Raises:
            DataError: If the data cannot be used.
            OptionError: If an option cannot be used.

        Examples:
            >>> import polars as pl
            >>> Counts.of(pl.DataFrame({"dose": [1, 2, 2]})).table(["dose"])
            array([1, 2])
        """
        from ancestral.data.stats.summarize import counts_of  # imports this module: summaries are made of counts

        return counts_of(source, TableOptions.from_keywords("Counts.of", options, ROWS_OPTIONS))

    @classmethod
    def of_codes(cls, names: Sequence[str], levels: Sequence[Sequence[str]], codes: Sequence[Codes]) -> "Counts":
        """The counts of rows of codes.

        Args:
            names: The columns.
            levels: The levels of each column.
            codes: An array for each column, of the positions of values in its levels; none is missing.

        Returns:
            The counts.

        Examples:
            >>> Counts.of_codes(["a"], [["no", "yes"]], [np.array([0, 1, 1], dtype=np.int32)]).table(["a"])
            array([1, 2])
        """
        known = tuple(tuple(some) for some in levels)
        words = Packing(tuple(map(len, known))).packed(codes)
        return cls(tuple(names), known, (tallied(words),))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column: discrete or ordinal."""
        return tuple("ordinal" if name in self.ordered else "discrete" for name in self.names)

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return sum(int(weights.sum()) for _, weights in self.segments)

    @property
    def configurations(self) -> int:
        """The number of configurations; those on a file may be counted several times."""
        return sum(len(weights) for _, weights in self.segments)

    @cached_property
    def packing(self) -> Packing:
        """Where the code of each column is in the words of a configuration."""
        return Packing(tuple(map(len, self.levels)))

    def portions(self) -> Iterator[Segment]:
        """The configurations, a bounded number at a time.

        Yields:
            Packed configurations, and the number of rows of each.
        """
        for words, weights in self.segments:
            for first in range(0, len(weights), PORTION_SIZE):
                yield (
                    np.asarray(words[first : first + PORTION_SIZE]),
                    np.asarray(weights[first : first + PORTION_SIZE]),
                )

    def joined(self) -> Segment:
        """All configurations in one array. Segments on a file are copied to a new one, which may take gigabytes.

        Returns:
            The packed configurations, and the number of rows of each.
        """
        if len(self.segments) == 1:
            return self.segments[0]
        return on_file(self.portions(), self.packing.width)

    def weighted_table(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The contingency table of some columns with sums of weights in the place of numbers of rows.

        Args:
            names: The columns.

        Returns:
            The sums, an axis for each column.

        Raises:
            UnknownName: If one of them is not a column.
            DataError: If one of them is named twice.
        """
        known = names_list("names", names)
        return self.table(known).astype(np.float64) if self.grouped is None else self.grouped.table(known)

    def table(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The contingency table of some columns.

        Args:
            names: The columns.

        Returns:
            Numbers of rows, an axis for each column.

        Raises:
            UnknownName: If one of them is not a column.
        """
        where = positions_of(names_list("names", names), self.names)
        shape = tuple(len(self.levels[v]) for v in where)
        out = np.zeros(prod(shape), dtype=np.int64)
        for words, weights in self.portions():
            cell = np.zeros(len(weights), dtype=np.intp)
            for v, size in zip(where, shape, strict=True):
                cell = cell * size + self.packing.unpacked(words, v)
            # sums of whole numbers below 2^53 are exact
            out += np.bincount(cell, weights=weights, minlength=out.size).astype(np.int64)
        return out.reshape(shape)

    @cached_property
    def rows_by_level(self) -> Mapping[str, NDArray[np.int64]]:
        """The number of rows of each level of each column."""
        return {name: self.table([name]) for name in self.names}

    def arranged(self, names: Sequence[str]) -> "Counts":
        """The same counts with the columns in another order.

        Args:
            names: All columns, in the new order.

        Returns:
            The counts.

        Raises:
            DataError: If these are not the columns.
        """
        check_same_columns(self.names, names)
        return self.select(names)

    def select(self, names: Sequence[str]) -> "Counts":
        """The counts of some columns; those on a file are written to a new one.

        Args:
            names: The columns, in the order that they should have.

        Returns:
            The counts.

        Raises:
            UnknownName: If one of them is not a column.
            DataError: If one of them is named twice.
        """
        chosen = names_list("names", names)
        if chosen == self.names:
            return self
        where = positions_of(chosen, self.names)
        counts = self._rewritten(chosen, where, tuple(self.levels[v] for v in where))
        return counts if self.grouped is None else replace(counts, grouped=self.grouped.select(chosen))

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the rows that were counted: that of a table of them."""
        used = self.without_empty_levels() if self.ordered else self
        columns = zip(self.names, self.kinds, used.levels, strict=True)
        kinds = {name: kind_and_order(kind, levels) for name, kind, levels in columns}
        rows = fingerprint_of_rows(kinds, self.rows, self.row_hash)
        if self.grouped is None:
            return rows
        order = np.lexsort((self.grouped.group, *self.grouped.codes[::-1]))
        parts: list[NDArray[Any]] = [
            self.grouped.codes[:, order],
            self.grouped.group[order],
            self.grouped.powers[:, order],
        ]
        return fingerprint("weighted counts", [rows, *self.grouped.groups, *parts])

    @cached_property
    def row_hash(self) -> int:
        """The hash of the rows that were counted."""
        total = 0
        for words, weights in self.portions():
            columns = {
                name: Labels(self.packing.unpacked(words, v), self.levels[v]) for v, name in enumerate(self.names)
            }
            total += row_hash(columns, weights)
        return total % MODULUS

    def __add__(self, other: object) -> "Counts":
        if not isinstance(other, Counts):
            return NotImplemented
        other = other.arranged(self.names)
        levels = tuple(
            one
            if one == two
            else merged_levels(name, one, two)
            if name in self.ordered & other.ordered
            else in_level_order({*one, *two})
            for name, one, two in zip(self.names, self.levels, other.levels, strict=True)
        )
        everything = range(len(self.names))
        segments = [
            segment
            for part in (self, other)
            for segment in (part if part.levels == levels else part._rewritten(self.names, everything, levels)).segments
        ]
        if (self.grouped is None) != (other.grouped is None):
            raise DataError(
                "counts of rows with weights or clusters add up with others of such rows only; make both with the same "
                "columns of weights and clusters"
            )
        grouped = None if self.grouped is None or other.grouped is None else self.grouped + other.grouped
        return Counts(self.names, levels, added_segments(segments), self.ordered & other.ordered, grouped)

    def __radd__(self, other: object) -> "Counts":
        return self if other == 0 else NotImplemented  # so that sum(...) works

    def __repr__(self) -> str:
        size = f"{counted(self.rows, 'row')}, {counted(self.configurations, 'configuration')}"
        return f"Counts of {counted(len(self.names), 'column')}, {size}"

    def without_empty_levels(self) -> "Counts":
        """The same counts without levels that no row has; those on a file are written to a new one.

        Returns:
            The counts.

        Examples:
            >>> counts = Counts.of_codes(["a"], [["x", "y", "z"]], [np.array([2, 0, 0], dtype=np.int32)])
            >>> counts.without_empty_levels().levels
            (('x', 'z'),)
        """
        used = [self.rows_by_level[name] > 0 for name in self.names]
        if all(some.all() for some in used):
            return self
        levels = tuple(
            tuple(level for level, is_used in zip(known, some.tolist(), strict=True) if is_used)
            for known, some in zip(self.levels, used, strict=True)
        )
        counts = self._rewritten(self.names, range(len(self.names)), levels)
        return counts if self.grouped is None else replace(counts, grouped=self.grouped.with_levels(levels))

    def with_order(self, levels: Mapping[str, tuple[str, ...]]) -> "Counts":
        """The same counts with some columns ordinal.

        Args:
            levels: The levels that occur of each of these columns, in order.

        Returns:
            The counts.

        Examples:
            >>> counts = Counts.of_codes(["dose"], [["high", "low"]], [np.array([0, 1, 1], dtype=np.int32)])
            >>> ordinal = counts.with_order({"dose": ("low", "high")})
            >>> ordinal.table(["dose"]), ordinal.kinds
            (array([2, 1]), ('ordinal',))
        """
        if not levels:
            return self
        known = dict(zip(self.names, self.levels, strict=True))
        changed = any(known[name] != own for name, own in levels.items())
        in_order = tuple(levels.get(name, own) for name, own in known.items())
        other = self._rewritten(self.names, range(len(self.names)), in_order) if changed else self
        return replace(other, ordered=frozenset(levels))

    def _rewritten(self, names: tuple[str, ...], where: Sequence[int], levels: tuple[tuple[str, ...], ...]) -> "Counts":
        """The columns at these positions with codes for these levels, which must include all that occur.

        Every configuration is packed again. If any are on a file, all are written to a new temporary file, which may
        take gigabytes of disk, unless columns are left out: then they are tallied again, in memory as far as they fit.
        """
        packing = Packing(tuple(map(len, levels)))
        position = [{level: code for code, level in enumerate(some)} for some in levels]
        code = [
            np.array([known.get(level, 0) for level in self.levels[v]], dtype=np.intp)
            for v, known in zip(where, position, strict=True)
        ]

        def repacked(parts: Iterable[Segment]) -> Iterator[Segment]:
            for words, weights in parts:
                new = packing.packed([c[self.packing.unpacked(words, v)] for v, c in zip(where, code, strict=True)])
                yield new, weights

        if not any(map(is_mapped, self.segments)):
            ((words, weights),) = repacked(self.segments)
            return Counts(names, levels, (tallied(words, weights),), self.ordered & set(names))
        if len(where) == len(self.names):
            return Counts(names, levels, (on_file(repacked(self.portions()), packing.width),), self.ordered)
        ordered = self.ordered & set(names)
        return tree_sum(Counts(names, levels, (tallied(*part),), ordered) for part in repacked(self.portions()))
