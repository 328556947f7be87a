"""Summary: all that a search will need to know of some rows, so that the rows themselves can go. Summaries add up.

The summary of a whole is the sum of those of its parts, in whatever order and however it was cut. So nothing in it may
hang on a part alone, least of all the kind of a column: whole numbers with few different values look discrete until a
part comes that has a fraction or an eleventh value. Being continuous is what stays true in every greater whole; a
column that is discrete so far is summed up both ways, as a number and by its levels, and when it turns out continuous,
its levels are forgotten.

While no column is continuous, `Counts` hold all there is to know. From the first continuous column on, moments do: of
the numbers, and of an indicator for each level (one that has not turned up yet was 0 so far).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ancestral.data.errors import DataError, overflowing, underflowing
from ancestral.data.fingerprint import fingerprint
from ancestral.data.kinds import (
    MOST_LEVELS,
    Floats,
    Kind,
    Labels,
    in_level_order,
    kind_of,
    labels_of_numbers,
    levels_if_discrete,
    numbers_of_labels,
)
from ancestral.data.read.batches import Batch
from ancestral.data.read.text import fault_of_text, numbers_in, thousands_in
from ancestral.data.row_hash import MODULUS, row_hash
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.moments import Moments
from ancestral.data.stats.sums import sums_of
from ancestral.data.table import Missing
from ancestral.graphs.names import by_name, in_order

__all__ = ["ColumnSummary", "Summary", "check_levels"]

#: A column with more labels is taken for an identifier.
MOST_LABELS = 65_535
#: More columns of indicators than this are not summed up.
MOST_INDICATORS = 2_000

Form: TypeAlias = Literal["numbers", "labels", "text"]


@dataclass(frozen=True)
class ColumnSummary:
    """What is known of one column. `levels` are the different values, None where they make a number continuous."""

    name: str
    wanted: Kind | None
    form: Form | None  #: None while all values are missing
    levels: frozenset[str] | None
    place: str  #: where it was seen first
    present: int = 0
    numeric: int = 0  #: how many pieces of text are numbers
    others: int = 0  #: how many are numbers with the other decimal mark
    marked: int = 0  #: how many have marks between thousands
    decimal: str = "."  #: the decimal mark where the stray stands
    stray: tuple[str, str] | None = None  #: the first piece of text that is none, and where it stands
    low: float = np.inf
    high: float = -np.inf

    @property
    def kind(self) -> Kind:
        """Its kind, if no more rows come."""
        if self.wanted is not None:
            return self.wanted
        return "continuous" if self.form == "numbers" and self.levels is None else "discrete"

    @property
    def has_number(self) -> bool:
        """Whether it is, or may turn out, continuous."""
        return self.wanted == "continuous" or (self.wanted is None and self.form == "numbers")

    def __add__(self, other: "ColumnSummary") -> "ColumnSummary":
        if other.form is None or self.form is None:
            return replace(self if other.form is None else other, place=self.place)
        if "numbers" in (self.form, other.form) and self.form != other.form:
            numbers, words = (self, other) if self.form == "numbers" else (other, self)
            raise DataError(
                f"column {self.name!r} holds numbers in {numbers.place} and labels in {words.place}; make it one of "
                f"them everywhere, or leave it out: drop=[{self.name!r}]"
            )
        levels = None if self.levels is None or other.levels is None else self.levels | other.levels
        if levels is not None and self.form == "numbers" and self.wanted is None and len(levels) > MOST_LEVELS:
            levels = None
        if levels is not None and len(levels) > MOST_LABELS:
            raise DataError(_too_many(self.name))
        return ColumnSummary(
            self.name,
            self.wanted,
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
        )

    def fault(self) -> str | None:
        """What is wrong with it once all rows were seen; the same that a table says."""
        if self.form is None:
            return f"column {self.name!r} has no values at all; leave it out: drop=[{self.name!r}]"
        if self.form != "text" or self.wanted is not None:
            return None
        if self.stray is None:
            numbers = np.array([float(level) for level in self.levels or ()])
            if kind_of(numbers) == "discrete":
                return None
            return (
                f"column {self.name!r} is text, but its values are numbers, such as {min(self.levels or ('',))!r}; "
                f'make it a column of numbers, or say kinds={{{self.name!r}: "continuous"}} (or "discrete")'
            )
        text, place = self.stray
        counts = (self.present, self.numeric, self.others, self.marked)
        return fault_of_text(self.name, None, *counts, lambda: f"{text!r} ({place})", self.decimal)


@dataclass(frozen=True, eq=False)
class Summary:
    """Of the complete ones among some rows; `statistic` is None where there are none."""

    columns: tuple[ColumnSummary, ...]
    rows: int
    dropped_rows: int
    statistic: Counts | Moments | None
    deviations: Mapping[str, Deviations]
    content: int

    @classmethod
    def of(
        cls,
        batch: Batch,
        names: Sequence[str],
        wanted: Mapping[str, Kind],
        missing: Missing,
        continuous: frozenset[str] = frozenset(),
    ) -> "Summary":
        """The summary of these columns of a batch; some may be known to be `continuous` from other parts."""
        read = {name: _read(batch, name, wanted.get(name), name in continuous) for name in names}
        seen = tuple(column for column, _ in read.values())
        values = {name: found for name, (_, found) in read.items()}
        gone = np.zeros(batch.rows, dtype=bool)
        for name, found in values.items():
            gaps = found.gaps
            if missing == "refuse" and gaps.any():
                raise DataError(
                    f'a value is missing in column {name!r}, {batch.where(int(np.argmax(gaps)))}; pass missing="drop" '
                    "to use the rows that are complete, or, to let each question use the rows that are complete for "
                    'it, read all rows as one table and pass missing="testwise"'
                )
            gone |= gaps
        dropped = int(gone.sum())
        if dropped:
            kept = ~gone
            values = {name: found.keep(kept) for name, found in values.items()}
            seen = tuple(_within(column, values[column.name].numbers) for column in seen)
        rows = batch.rows - dropped
        if not rows:
            return cls(seen, 0, dropped, None, {}, 0)
        if _all_discrete(seen):
            counts = _counts(values)
            return cls(seen, rows, dropped, counts.without_empty_levels() if dropped else counts, {}, 0)
        return _by_moments(seen, values, rows, dropped)

    @classmethod
    def of_counts(cls, counts: Counts) -> "Summary":
        """The summary of rows that were counted."""
        seen = tuple(
            ColumnSummary(name, "discrete", "labels", frozenset(levels), "the counts")
            for name, levels in zip(counts.names, counts.levels, strict=True)
        )
        return cls(seen, counts.rows, 0, counts, {}, 0)

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
        """The columns that are continuous, whatever else comes."""
        return frozenset(column.name for column in self.columns if column.kind == "continuous")

    def __add__(self, other: object) -> "Summary":
        if not isinstance(other, Summary):
            return NotImplemented
        seen = tuple(one + two for one, two in zip(self.columns, other.columns, strict=True))
        rows, dropped = self.rows + other.rows, self.dropped_rows + other.dropped_rows
        if self.statistic is None or other.statistic is None:
            there = self if other.statistic is None else other
            return replace(there, columns=seen, rows=rows, dropped_rows=dropped)._fitting()
        if isinstance(self.statistic, Counts) and isinstance(other.statistic, Counts) and _all_discrete(seen):
            return Summary(seen, rows, dropped, self.statistic + other.statistic, {}, 0)
        parts = [replace(part, columns=seen)._fitting() for part in (self, other)]
        one, two = (part.statistic for part in parts)
        assert isinstance(one, Moments) and isinstance(two, Moments)
        keys = tuple(dict.fromkeys((*one.names, *two.names)))
        _check_levels(seen)
        deviations = {name: d + parts[1].deviations[name] for name, d in parts[0].deviations.items()}
        contents = (parts[0].content + parts[1].content) % MODULUS
        return Summary(seen, rows, dropped, _padded(one, keys) + _padded(two, keys), deviations, contents)

    def _fitting(self) -> "Summary":
        """The same, with the statistic that the kinds of the columns want."""
        if self.statistic is None or _all_discrete(self.columns):
            return self
        if isinstance(self.statistic, Counts):
            return self._from_counts(self.statistic)
        continuous = self.continuous
        keep = [key for key in self.statistic.names if _is_number_key(key) or _name_in(key) not in continuous]
        return self if len(keep) == len(self.statistic.names) else replace(self, statistic=self.statistic.select(keep))

    def _from_counts(self, counts: Counts) -> "Summary":
        """The moments that counts give, portion by portion, since a column turned out continuous.

        Configurations stand in the order of their words: by columns in the order of names, whatever the table's was.
        """
        counts = counts.select(in_order(counts.names))
        kinds = {column.name: column for column in self.columns}
        columns = [kinds[name] for name in counts.names]
        numbers = {
            column.name: np.array([float(level) for level in counts.levels[v]])
            for v, column in enumerate(columns)
            if column.has_number
        }
        total: Moments | None = None
        contents = 0
        for words, weights in counts.portions():
            rows: dict[str, Floats] = {}
            values: dict[str, Floats | Labels] = {}
            for v, column in enumerate(columns):
                codes, name = counts.packing.unpacked(words, v), column.name
                if name in numbers:
                    rows[_key(name)] = values[name] = numbers[name][codes]
                else:
                    values[name] = Labels(codes, counts.levels[v])
                if column.kind == "discrete":
                    for code, level in enumerate(counts.levels[v]):
                        rows[_key(name, level)] = (codes == code).astype(np.float64)
            contents += row_hash(values, weights)
            part = _weighted(rows, weights)
            total = part if total is None else total + part
        deviations = {name: Deviations.of_counts(values, counts.table([name])) for name, values in numbers.items()}
        return replace(self, statistic=total, deviations=deviations, content=contents % MODULUS)

    # -- once all rows were seen ------------------------------------------------------------------------------------

    def checked(self) -> "Summary":
        """The same, or an error if a column cannot be used as it is."""
        for column in self.columns:
            if (fault := column.fault()) is not None:
                raise DataError(fault)
            about = self.deviations.get(column.name)
            if column.kind == "continuous" and about is not None and not np.isfinite(about.square):
                raise overflowing(column.name)
            if column.kind == "continuous" and about is not None and about.underflows(column.low, column.high):
                raise underflowing([column.name])
        if not self.rows:
            why = "no row is complete; drop= the columns with most gaps" if self.dropped_rows else "there are no rows"
            raise DataError(f"{why}; a search needs data")
        return self

    def with_moments(self) -> "Summary":
        """The same, with moments also where counts would do."""
        return self._from_counts(self.statistic) if isinstance(self.statistic, Counts) else self

    @property
    def counts(self) -> Counts | None:
        """The counts, if all columns are discrete."""
        return self.statistic if isinstance(self.statistic, Counts) else None

    @cached_property
    def moments(self) -> Moments | None:
        """The moments of the continuous columns, if there are any."""
        names = [column.name for column in self.columns if column.kind == "continuous"]
        if not isinstance(self.statistic, Moments):
            return None
        found = self.statistic.select([_key(name) for name in names])
        assert found.mean is not None
        flat = np.array([self.is_constant(name) for name in names])
        comoments = np.where(flat[:, None] | flat, 0.0, found.comoments)  # what rounding left there is nothing
        return Moments(tuple(names), self.rows, found.mean, comoments)

    def levels(self, name: str) -> tuple[str, ...]:
        """The levels that occur, in their order."""
        if isinstance(self.statistic, Counts):
            return self.statistic.levels[self.names.index(name)]
        return in_level_order(self._tallies[name])

    def rows_by_level(self, name: str) -> dict[str, int]:
        """How many rows have each level of a discrete column."""
        if isinstance(self.statistic, Counts):
            return dict(zip(self.levels(name), self.statistic.rows_by_level[name].tolist(), strict=True))
        return {level: self._tallies[name][level] for level in self.levels(name)}

    @cached_property
    def _tallies(self) -> dict[str, dict[str, int]]:
        assert isinstance(self.statistic, Moments) and self.statistic.mean is not None
        out: dict[str, dict[str, int]] = {name: {} for name in self.names}
        for key, share in zip(self.statistic.names, self.statistic.mean.tolist(), strict=True):
            if not _is_number_key(key) and (count := round(share * self.rows)):
                out[_name_in(key)][_level_in(key)] = count
        return out

    def blocks(self) -> tuple[dict[str, int], Floats]:
        """How many columns stand for each variable, by name, and the correlations of all these columns.

        A discrete variable has an indicator for each level but the most frequent one.
        """
        assert isinstance(self.statistic, Moments)
        sizes: dict[str, int] = {}
        keys: list[str] = []
        for column in sorted(self.columns, key=lambda column: by_name(column.name)):
            block = [_key(column.name)]
            if column.kind == "discrete":
                rows = self.rows_by_level(column.name)
                usual = max(rows, key=lambda level: rows[level])  # the first of equals
                block = [_key(column.name, level) for level in rows if level != usual]
            sizes[column.name] = len(block)
            keys += block
        return sizes, self.statistic.select(keys).correlation

    def is_constant(self, name: str) -> bool:
        """Whether a column does not vary but for rounding."""
        column = self.columns[self.names.index(name)]
        if column.kind == "discrete":
            return len(self.levels(name)) < 2
        return column.high - column.low <= 8 * float(np.finfo(float).eps) * max(abs(column.low), abs(column.high))

    def pairs_of_levels(self, x: str, y: str) -> int:
        """How many pairs of levels of two discrete columns occur together."""
        if isinstance(self.statistic, Counts):
            return int(np.count_nonzero(self.statistic.table([x, y])))
        assert isinstance(self.statistic, Moments) and self.statistic.mean is not None
        both = [[_key(name, level) for level in self.levels(name)] for name in (x, y)]
        found = self.statistic.select([*both[0], *both[1]])
        assert found.mean is not None
        here, there = slice(0, len(both[0])), slice(len(both[0]), None)
        together = found.comoments[here, there] / self.rows + np.outer(found.mean[here], found.mean[there])
        return int(np.count_nonzero(np.rint(together * self.rows)))

    def lengths(self, names: Sequence[str]) -> list[float]:
        """How far the values of each of these columns are from its mean, all together."""
        return [self.deviations[name].length for name in names]

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of the content; neither the order of rows and columns matters, nor how they were cut."""
        if isinstance(self.statistic, Counts):
            return self.statistic.fingerprint
        parts: list[Any] = []
        for column in sorted(self.columns, key=lambda column: by_name(column.name)):
            parts += [column.name, column.kind]
        return fingerprint("summary", [*parts, self.rows, self.content])

    def __repr__(self) -> str:
        return f"Summary of {len(self.columns)} columns, {self.rows} rows"


# -- one batch ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Values:
    """The values of a column: as numbers, unless it is discrete for certain; as labels, if it is discrete so far."""

    numbers: Floats | None = None
    labels: Labels | None = None

    @property
    def best(self) -> Floats | Labels:
        """The numbers, if there are any, or the labels."""
        found = self.labels if self.numbers is None else self.numbers
        assert found is not None
        return found

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """Where values are missing."""
        return self.best.codes < 0 if isinstance(self.best, Labels) else np.isnan(self.best)

    def keep(self, rows: NDArray[np.bool_]) -> "_Values":
        """The values of some rows."""
        return _Values(
            None if self.numbers is None else self.numbers[rows],
            None if self.labels is None else Labels(self.labels.codes[rows], self.labels.levels),
        )


def _read(batch: Batch, name: str, wanted: Kind | None, continuous: bool) -> tuple[ColumnSummary, _Values]:
    """What is seen in a column, and its values."""
    found = batch.column(name, wanted)
    place = batch.where(0)
    if isinstance(found, Labels):
        text = batch.is_text(name)
        if len(found.levels) > MOST_LABELS and wanted != "continuous":
            raise DataError(_too_many(name))
        if not found.levels:
            return ColumnSummary(name, wanted, None, frozenset(), place), _Values(labels=found)
        if wanted == "continuous":
            numbers = numbers_of_labels(name, found)
            return _seen_numbers(batch, name, wanted, numbers, place), _Values(numbers)
        seen = ColumnSummary(name, wanted, "text" if text else "labels", frozenset(found.levels), place)
        return (_with_strays(seen, batch, found) if text and wanted is None else seen), _Values(labels=found)
    seen = _seen_numbers(batch, name, wanted, found, place)
    if wanted == "continuous" or continuous:
        return seen, _Values(found)
    labels = levels_if_discrete(found) if wanted is None else labels_of_numbers(found)
    if labels is None:
        return seen, _Values(found)
    if len(labels.levels) > MOST_LABELS:
        raise DataError(_too_many(name))
    return replace(seen, levels=frozenset(labels.levels)), _Values(found if wanted is None else None, labels)


def _seen_numbers(batch: Batch, name: str, wanted: Kind | None, values: Floats, place: str) -> ColumnSummary:
    low, high = (float(values.min()), float(values.max())) if values.size else (np.nan, np.nan)
    present = values
    if low != low:  # NaN is contagious
        present = values[~np.isnan(values)]
        if not present.size:
            return ColumnSummary(name, wanted, None, frozenset(), place)
        low, high = float(present.min()), float(present.max())
    if np.isinf(low) or np.isinf(high):
        raise DataError(
            f"column {name!r} holds infinite values, the first in {batch.where(int(np.argmax(np.isinf(values))))}; "
            f"make them missing, or leave the column out: drop=[{name!r}]"
        )
    return ColumnSummary(name, wanted, "numbers", None, place, low=low, high=high)


def _within(seen: ColumnSummary, kept: Floats | None) -> ColumnSummary:
    """The same column, whose range is that of the rows that are kept."""
    if kept is None:
        return seen
    return replace(seen, low=float(kept.min(initial=np.inf)), high=float(kept.max(initial=-np.inf)))


def _with_strays(seen: ColumnSummary, batch: Batch, found: Labels) -> ColumnSummary:
    """How much of the text is numbers, and the first that is none."""
    import polars as pl

    levels = pl.Series(list(found.levels), dtype=pl.String)
    numeric = numbers_in(levels, batch.decimal).is_not_null().to_numpy()
    others = numbers_in(levels, "." if batch.decimal == "," else ",").is_not_null().to_numpy()
    marked = thousands_in(levels).to_numpy()
    rows = np.bincount(found.codes[found.codes >= 0], minlength=len(found.levels))
    stray = None
    if not numeric.all():
        row = int(np.argmax(np.append(~numeric, False)[found.codes]))  # -1 takes the last
        stray = (found.levels[found.codes[row]], batch.where(row))
    return replace(
        seen,
        present=int(rows.sum()),
        numeric=int(rows[numeric].sum()),
        others=int(rows[others].sum()),
        marked=int(rows[marked].sum()),
        decimal=batch.decimal,
        stray=stray,
    )


def _too_many(name: str) -> str:
    return (
        f"column {name!r} has more than {MOST_LABELS:,} different labels, like an identifier; leave it out: "
        f"drop=[{name!r}], or, if it is a measurement, say kinds={{{name!r}: 'continuous'}}"
    )


def _check_levels(seen: Sequence[ColumnSummary]) -> None:
    check_levels({column.name: len(column.levels or ()) for column in seen if column.kind == "discrete"})


def check_levels(levels: Mapping[str, int]) -> None:
    """Raise where so many levels, by the name of the column, would make too many indicators."""
    if sum(levels.values()) > MOST_INDICATORS:
        worst = max(levels, key=lambda name: levels[name])
        raise DataError(
            f"the discrete columns have more than {MOST_INDICATORS} levels together, {worst!r} alone {levels[worst]}, "
            f"too many to sum up beside continuous ones; leave it out: drop=[{worst!r}]"
        )


def _all_discrete(columns: Sequence[ColumnSummary]) -> bool:
    return all(column.kind == "discrete" for column in columns)


def _counts(values: Mapping[str, _Values]) -> Counts:
    labels = [found.labels for found in values.values() if found.labels is not None]
    return Counts.of_codes(list(values), [found.levels for found in labels], [found.codes for found in labels])


def _by_moments(seen: tuple[ColumnSummary, ...], values: Mapping[str, _Values], rows: int, dropped: int) -> Summary:
    """The moments of all columns; of a discrete one, only what the others do not tell is summed up.

    A row has one level: the indicator of the most frequent one is 1 less the others, and a number is the most frequent
    one, and a step away from it for each other level.
    """
    _check_levels(seen)
    summed: dict[str, Floats] = {}
    follow: list[_Linear] = []
    deviations: dict[str, Deviations] = {}
    for name, found in values.items():
        if (labels := found.labels) is None:
            assert found.numbers is not None
            summed[_key(name)] = found.numbers
            follow.append(_Linear(_key(name), 0.0, {_key(name): 1.0}))
            continue
        sizes = np.bincount(labels.codes, minlength=len(labels.levels))
        usual = int(sizes.argmax())
        others = {code: _key(name, labels.levels[code]) for code in np.flatnonzero(sizes).tolist() if code != usual}
        for code, key in others.items():
            summed[key] = (labels.codes == code).astype(np.float64)
            follow.append(_Linear(key, 0.0, {key: 1.0}))
        follow.append(_Linear(_key(name, labels.levels[usual]), 1.0, dict.fromkeys(others.values(), -1.0)))
        if found.numbers is not None:
            numbers = np.array([float(level) for level in labels.levels])
            deviations[name] = Deviations.of_counts(numbers, sizes)
            steps = {key: float(numbers[code] - numbers[usual]) for code, key in others.items()}
            follow.append(_Linear(_key(name), float(numbers[usual]), steps))
    sums, comoments = sums_of(list(summed.values()))
    about = dict(zip(summed, sums, strict=True))
    deviations |= {_name_in(key): shape for key, shape in about.items() if _is_number_key(key)}
    position = {key: i for i, key in enumerate(summed)}
    mean = np.array([one.start for one in follow]) + _spread(np.array([s.mean for s in sums]), position, follow)
    spread = _spread(_spread(comoments, position, follow).T, position, follow)
    keys = tuple(one.key for one in follow)
    # halved, so that which of two columns comes first does not show in the last bit
    moments = Moments(keys, rows, mean, (spread + spread.T) / 2)
    here = row_hash({name: found.best for name, found in values.items()})
    return Summary(seen, rows, dropped, moments, deviations, here)


@dataclass(frozen=True)
class _Linear:
    """A column that is `start` and so many times each of some other columns."""

    key: str
    start: float
    times: Mapping[str, float]


def _spread(array: Floats, position: Mapping[str, int], follow: Sequence[_Linear]) -> Floats:
    """What the rows of an array, one for each column that was summed up, make of all columns."""
    out = np.zeros((len(follow), *array.shape[1:]))
    for i, one in enumerate(follow):
        for key, factor in one.times.items():
            out[i] += factor * array[position[key]]
    return out


def _weighted(columns: Mapping[str, Floats], weights: NDArray[np.int64]) -> Moments:
    """The moments of rows each of which stands for several."""
    matrix = np.stack(list(columns.values()))
    total = int(weights.sum())
    mean = matrix @ weights / total
    matrix -= mean[:, None]
    rest = matrix @ weights / total
    matrix -= rest[:, None]
    return Moments(tuple(columns), total, mean + rest, (matrix * weights) @ matrix.T)


def _padded(moments: Moments, keys: tuple[str, ...]) -> Moments:
    """The moments of these columns; those that did not turn up were 0 in every row."""
    if moments.names == keys:
        return moments
    assert moments.mean is not None
    position = {key: i for i, key in enumerate(keys)}
    where = [position[key] for key in moments.names]
    mean, comoments = np.zeros(len(keys)), np.zeros((len(keys), len(keys)))
    mean[where] = moments.mean
    comoments[np.ix_(where, where)] = moments.comoments
    return Moments(keys, moments.rows, mean, comoments)


# -- how the columns of moments are called: a column's own number, or the indicator of a level -------------------------


def _key(name: str, level: str | None = None) -> str:
    return f"{name}\0" if level is None else f"{name}\0={level}"


def _is_number_key(key: str) -> bool:
    return key.endswith("\0")


def _name_in(key: str) -> str:
    return key.split("\0", 1)[0]


def _level_in(key: str) -> str:
    return key.split("\0", 1)[1][1:]
