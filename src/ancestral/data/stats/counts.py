"""Counts: what a discrete test needs to know of the data, in a form that adds up.

Rows that are alike are one configuration with its number of rows. The codes of a configuration are packed into a few
words, so that twenty columns of two levels take eight bytes, and however many rows there were, there are at most a
million configurations. Counts of two parts of the data give those of both: levels are put together, weights are added.

Where there are so many configurations that they would fill the memory, they are written to a file without a name in the
folder for temporary files (TMPDIR), which is gone when the counts are, and mapped from there. What is on the file is
not merged with what comes later: a configuration may then stand there several times, which no sum notices.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.errors import DataError, listed
from ancestral.data.fingerprint import fingerprint
from ancestral.data.kinds import Kind, Labels, in_level_order
from ancestral.data.read.frames import column_names
from ancestral.data.row_hash import MODULUS, row_hash
from ancestral.data.stats.packing import Packing
from ancestral.data.stats.segments import PORTION, Segment, added_segments, is_mapped, on_file, tallied
from ancestral.data.stats.tree_sum import tree_sum
from ancestral.data.table import Missing, Table
from ancestral.errors import UnknownName
from ancestral.graphs.names import by_name

__all__ = ["Counts"]

Codes = NDArray[np.integer]


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """How many rows each configuration of named columns has.

    >>> import polars as pl
    >>> one = Counts.of(pl.DataFrame({"ill": ["yes", "no", "no"], "sex": ["f", "f", "f"]}))
    >>> both = one + Counts.of(pl.DataFrame({"ill": ["no"], "sex": ["m"]}))
    >>> both
    Counts of 2 columns, 4 rows, 3 configurations
    >>> both.table(["ill", "sex"])
    array([[2, 1],
           [1, 0]])
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    segments: tuple[Segment, ...] = field(repr=False)  #: packed configurations and their weights, parts of one list

    @classmethod
    def of(
        cls,
        source: Any,
        *,
        columns: Sequence[str] | str | None = None,
        drop: Sequence[str] | str | None = None,
        missing: Missing = "refuse",
    ) -> "Counts":
        """The counts of a table, or of anything that `discover` reads; every column is taken as labels.

        Missing values are refused, or rows that have any are left out (`missing="drop"`).
        """
        from ancestral.data.read.streams import complete

        table = complete(source, "counts", kind="discrete", columns=columns, drop=drop, missing=missing)
        if not isinstance(table, Table):
            assert table.counts is not None
            return table.counts
        codes = [np.asarray(column.values, dtype=np.int64) for column in table.columns]
        return cls.of_codes(table.names, [column.levels or () for column in table.columns], codes)

    @classmethod
    def of_codes(cls, names: Sequence[str], levels: Sequence[Sequence[str]], codes: Sequence[Codes]) -> "Counts":
        """The counts of rows of codes, positions in `levels`, none of them missing."""
        known = tuple(tuple(some) for some in levels)
        words = Packing(tuple(map(len, known))).packed(codes)
        return cls(tuple(names), known, (tallied(words),))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column: all are discrete."""
        return tuple("discrete" for _ in self.names)

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return sum(int(weights.sum()) for _, weights in self.segments)

    @property
    def configurations(self) -> int:
        """How many configurations are kept; where they are on a file, some may be there several times."""
        return sum(len(weights) for _, weights in self.segments)

    @cached_property
    def packing(self) -> Packing:
        """Where the code of each column stands in the words of a configuration."""
        return Packing(tuple(map(len, self.levels)))

    def portions(self) -> Iterator[Segment]:
        """The configurations, a bounded number at a time."""
        for words, weights in self.segments:
            for first in range(0, len(weights), PORTION):
                yield np.asarray(words[first : first + PORTION]), np.asarray(weights[first : first + PORTION])

    def joined(self) -> Segment:
        """All configurations in one array, on a file if they are many."""
        if len(self.segments) == 1:
            return self.segments[0]
        return on_file(self.portions(), self.packing.width)

    def table(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The contingency table of these columns, an axis for each."""
        where = self._positions(names_list("names", names))
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
        """How many rows each level of each column has."""
        return {name: self.table([name]) for name in self.names}

    def arranged(self, names: Sequence[str]) -> "Counts":
        """The same counts with the columns in another order."""
        here = [name for name in self.names if name not in set(names)]
        there = [name for name in names if name not in set(self.names)]
        if here or there or len(names) != len(self.names):
            parts = [f"only one side has {listed(side)}" for side in (here, there) if side]
            raise DataError(
                f"the columns differ ({', '.join(parts) or 'a name occurs twice'}); choose the same columns on both "
                "sides"
            )
        return self.select(names)

    def select(self, names: Sequence[str]) -> "Counts":
        """The counts of these columns, in this order."""
        chosen = names_list("names", names)
        if chosen == self.names:
            return self
        where = self._positions(chosen)
        return self._recoded(chosen, where, tuple(self.levels[v] for v in where))

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of the content; the order of columns and rows does not matter, nor how they were cut."""
        order = sorted(range(len(self.names)), key=lambda v: by_name(self.names[v]))
        total = 0
        for words, weights in self.portions():
            columns = {self.names[v]: Labels(self.packing.unpacked(words, v), self.levels[v]) for v in order}
            total += row_hash(columns, weights)
        parts: list[Any] = []
        for v in order:
            parts += [self.names[v], len(self.levels[v]), *self.levels[v]]
        return fingerprint("counts", [*parts, self.rows, total % MODULUS])

    def __add__(self, other: object) -> "Counts":
        if not isinstance(other, Counts):
            return NotImplemented
        other = other.arranged(self.names)
        levels = tuple(
            one if one == two else in_level_order({*one, *two})
            for one, two in zip(self.levels, other.levels, strict=True)
        )
        everything = range(len(self.names))
        segments = [
            segment
            for part in (self, other)
            for segment in (part if part.levels == levels else part._recoded(self.names, everything, levels)).segments
        ]
        return Counts(self.names, levels, added_segments(segments))

    def __radd__(self, other: object) -> "Counts":
        return self if other == 0 else NotImplemented  # so that sum(...) works

    def __repr__(self) -> str:
        return f"Counts of {len(self.names)} columns, {self.rows} rows, {self.configurations} configurations"

    def without_empty_levels(self) -> "Counts":
        """The same counts; levels that no row has are gone."""
        used = [self.rows_by_level[name] > 0 for name in self.names]
        if all(some.all() for some in used):
            return self
        levels = tuple(
            tuple(level for level, is_used in zip(known, some.tolist(), strict=True) if is_used)
            for known, some in zip(self.levels, used, strict=True)
        )
        return self._recoded(self.names, range(len(self.names)), levels)

    def _positions(self, names: Sequence[str]) -> list[int]:
        position = {name: i for i, name in enumerate(self.names)}
        for name in names:
            if name not in position:
                raise UnknownName(name, self.names, what="column")
        return [position[name] for name in column_names(names)]

    def _recoded(self, names: tuple[str, ...], where: Sequence[int], levels: tuple[tuple[str, ...], ...]) -> "Counts":
        """The columns at these positions, with these levels, among which are all that occur."""
        packing = Packing(tuple(map(len, levels)))
        position = [{level: code for code, level in enumerate(some)} for some in levels]
        code = [
            np.array([known.get(level, 0) for level in self.levels[v]], dtype=np.intp)
            for v, known in zip(where, position, strict=True)
        ]

        def anew(parts: Iterable[Segment]) -> Iterator[Segment]:
            for words, weights in parts:
                new = packing.packed([c[self.packing.unpacked(words, v)] for v, c in zip(where, code, strict=True)])
                yield new, weights

        if not any(map(is_mapped, self.segments)):
            ((words, weights),) = anew(self.segments)
            return Counts(names, levels, (tallied(words, weights),))
        if len(where) == len(self.names):
            return Counts(names, levels, (on_file(anew(self.portions()), packing.width),))
        return tree_sum(Counts(names, levels, (tallied(*part),)) for part in anew(self.portions()))
