"""Audit: faults of data that would make answers meaningless, reported by name before a search begins.

Errors are a column that does not vary, a column that is a copy of another, a column that others add up to (given those,
it is independent of everything), an identifier, and too few rows or clusters. One error lists all of them, together
with the faults that reading the columns has shown. Warnings are about columns that are nearly determined by others,
about very few rows, about columns of which more than half is missing, about rows without any value, and about rows that
are unlike independent measurements (`doubts`).

- At least 5 rows are needed; fewer than 10 give a warning. Of clusters at least 4 are needed: between fewer no test can
  estimate a variance (`independence/_design_cy`).
- Two columns are copies if they agree up to shift and scale (continuous) or up to the names of levels (discrete).
- Continuous columns are dependent if a combination of them is constant to a millionth of their spread. Where there are
  more columns than rows, every set of columns is dependent, and only copies are looked for.
- A discrete column with more than 20 levels, and more levels than half the rows, is an identifier.
- A correlation matrix with a condition number above 1e8 is nearly singular.

Rows that were summed up and are gone (`Summary`) are judged by their sums: the same faults are found, except that a
linear relation is seen in the correlations alone and cannot be checked against the rows.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.column_kinds import is_like_an_identifier, is_number
from ancestral.data.design import DesignFacts
from ancestral.data.doubts.row_doubts import row_doubts
from ancestral.data.errors import DataError, DataWarning, DropOption, combined, leave_out, overflowing, underflowing
from ancestral.data.linear_relations import EXACT, NEAR_SINGULAR, LinearRelations, is_well_conditioned
from ancestral.data.read.stream_protocol import Stream
from ancestral.data.stats.deviations import EPSILON, Deviations
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.moments import Moments
from ancestral.data.stats.summarize import summarized
from ancestral.data.stats.summary import Summary
from ancestral.data.table import Table, read_table
from ancestral.errors import Option
from ancestral.given_warnings import warn
from ancestral.graphs.names import by_name
from ancestral.options import TableOptions
from ancestral.printing import counted, listed

__all__ = [
    "NEEDED_CLUSTERS",
    "Findings",
    "audit",
    "audited_summary",
    "audited_table",
    "examine",
    "has_bad_squares",
    "strongly_non_normal",
]

#: Rows below which there is an error, and below which there is a warning.
NEEDED_ROWS, FEW_ROWS = 5, 10
#: Clusters below which no question can be answered.
NEEDED_CLUSTERS = 4
#: Skewness and excess kurtosis beyond which a column is far from normal, and rows that are needed to tell.
SKEWNESS, KURTOSIS, ENOUGH_ROWS = 2.0, 7.0, 50
#: The share of missing values beyond which there is a warning about a column.
MOST_MISSING = 0.5
#: Copies whose equations an error lists; of the others it gives the number.
MOST_COPIES = 8


@dataclass(frozen=True)
class Findings:
    """What an audit found: faults and doubts, each with the way out."""

    errors: tuple[DataError, ...]
    warnings: tuple[DataWarning, ...]


def audit(source: Table | Moments | Summary, *, moments: Moments | None = None, squares: bool = False) -> None:
    """Raise DataError with all faults of the data, or give a DataWarning for each doubt.

    `moments` are those of the continuous columns of a table, if they are known already; `squares` tells whether the
    test needs squares of the numbers, so that they must not underflow.
    """
    findings = examine(source, moments=moments, squares=squares)
    if findings.errors:
        raise combined(findings.errors)
    doubts = findings.warnings if isinstance(source, Moments) else (*findings.warnings, *row_doubts(source))
    for doubt in doubts:
        warn(doubt, stacklevel=2)


def audited_table(source: Any, options: TableOptions, *, testwise: bool = True, impute: bool = True) -> Table:
    """The table of a source (`Table.of`). If that fails, the error lists the other faults of its columns, too.

    `testwise` and `impute` tell whether the test that is asked for can keep missing values, or have them imputed.
    """
    table, faults = read_table(source, options, testwise=testwise, impute=impute)
    if faults:
        raise combined([*faults, *(() if table is None else examine(table).errors)])
    assert table is not None
    return table


def audited_summary(stream: Stream, options: TableOptions) -> Summary:
    """The summary of a stream (`summarized`); if it cannot be used, the error lists all other faults, too."""
    summary = summarized(stream, options)
    if summary.faults:
        good = [name for name in summary.names if name not in summary.column_faults]
        others = examine(summary.select(good)).errors if good and summary.rows else ()
        raise combined([*summary.faults, *others])
    return summary


def examine(source: Table | Moments | Summary, *, moments: Moments | None = None, squares: bool = False) -> Findings:
    """All faults and doubts, as `audit` reports them; moments, which do not change, are examined once."""
    if not isinstance(source, Moments):
        return _examined(source, moments, squares)
    if source not in _EXAMINED:
        _EXAMINED[source] = _examined(source, None, squares)
    return _EXAMINED[source]


_EXAMINED: WeakKeyDictionary[Moments, Findings] = WeakKeyDictionary()


def _examined(source: Table | Moments | Summary, moments: Moments | None, squares: bool) -> Findings:
    errors: list[DataError] = []
    doubts: list[DataWarning] = []
    rows = source.rows
    if rows < NEEDED_ROWS:
        errors.append(DataError(f"{_there_are(rows, 'row')}; a search needs at least {NEEDED_ROWS}: collect more data"))
    elif rows < FEW_ROWS:
        doubts.append(DataWarning(f"there are only {rows} rows, too few to show any but the strongest dependences"))
    design = _design_of(source)
    if design is not None and design.clusters is not None and design.cluster_count < NEEDED_CLUSTERS:
        errors.append(_too_few_clusters(design.clusters, design.cluster_count))
    constant = _constant(source)
    if constant:
        what, have = ("column", "has") if len(constant) == 1 else ("columns", "have")
        errors.append(DataError(f"{what} {listed(constant, most=20)} {have} a single value; ", *leave_out(*constant)))
    left_out = set(constant)
    linear: Table | Moments | None
    if isinstance(source, Table):
        doubts.extend(_doubts_of_gaps(source))
        errors.extend(_discrete_faults(source, left_out))
        too_wide, too_narrow = _bad_squares(source)
        errors.extend(map(overflowing, too_wide))
        errors.extend([underflowing(too_narrow)] if squares and too_narrow else [])
        left_out.update(too_wide, too_narrow)
        linear, names = source, tuple(column.name for column in source.columns if column.levels is None)
    elif isinstance(source, Summary):
        errors.extend(_faults_of_levels(source, left_out))
        linear = source.moments
        names = () if linear is None else linear.names
    else:
        linear, names = source, source.names
    varying = [name for name in names if name not in left_out]
    if rows >= NEEDED_ROWS and len(varying) > 1 and linear is not None:
        _linear_faults(linear, sorted(varying, key=by_name), moments, errors, doubts)
    return Findings(tuple(errors), tuple(doubts))


def _there_are(count: int, noun: str) -> str:
    return f"there {'is' if count == 1 else 'are'} {counted(count, noun)}"


def _design_of(source: Table | Moments | Summary) -> DesignFacts | None:
    """The facts of the weights and clusters; None if there are neither."""
    if isinstance(source, Moments):
        return source.groups.facts if isinstance(source.groups, GroupedMoments) else None
    return None if source.design is None else source.design.facts


def _too_few_clusters(name: str, count: int) -> DataError:
    return DataError(
        f"{_there_are(count, 'cluster')} in column {name!r}, and with fewer than {NEEDED_CLUSTERS} no question can "
        "be answered, since what rows tell is judged by how much clusters differ; collect rows of more clusters, or, "
        "if rows of one cluster do not depend on each other once this column is known, leave ",
        Option("clusters"),
        " out, so that it is a variable",
    )


def strongly_non_normal(source: Table | Summary) -> tuple[str, ...]:
    """The continuous columns that are far from normal: skewness beyond ±2 or excess kurtosis above 7, of 50 values."""
    if isinstance(source, Summary):
        shapes = {
            name: about
            for name, about in source.deviations.items()
            if name in source.continuous and source.rows >= ENOUGH_ROWS and not source.is_constant(name)
        }
        return tuple(name for name, shape in shapes.items() if _is_strange(shape))
    out = []
    for column in source.columns:
        if column.levels is not None or column.present.size < ENOUGH_ROWS:
            continue
        shape = column.deviations
        if not shape.is_rounding(max(map(abs, column.extremes))) and _is_strange(shape):
            out.append(column.name)
    return tuple(out)


def _is_strange(shape: Deviations) -> bool:
    return abs(shape.skewness) > SKEWNESS or shape.kurtosis > KURTOSIS


# -- single columns ----------------------------------------------------------------------------------------------------


def has_bad_squares(table: Table) -> bool:
    """Whether a continuous column has squares that overflow or underflow, so that it has no moments."""
    return any(_bad_squares(table))


def _bad_squares(table: Table) -> tuple[list[str], list[str]]:
    """The continuous columns whose squares overflow, and those whose squares underflow."""
    continuous = [column for column in table.columns if column.levels is None and column.present.size]
    too_wide = [column.name for column in continuous if not math.isfinite(column.deviations.square)]
    return too_wide, [column.name for column in continuous if column.underflows]


def _constant(source: Table | Moments | Summary) -> list[str]:
    if isinstance(source, Summary):
        return [name for name in source.names if source.is_constant(name)]
    if isinstance(source, Moments):
        return [name for name, size in zip(source.names, source.lengths, strict=True) if not size > 0]
    return [column.name for column in source.columns if _is_constant(column)]


def _doubts_of_gaps(table: Table) -> Iterator[DataWarning]:
    """Columns most of whose values are missing, and rows without any value."""
    counts = {name: count for name, count in table.missing_counts().items() if count > MOST_MISSING * table.rows}
    if counts:
        some = ", ".join(f"{name!r}: {count / table.rows:.0%}" for name, count in list(counts.items())[:MOST_COPIES])
        more = f" and {counted(len(counts) - MOST_COPIES, 'column')} more" if len(counts) > MOST_COPIES else ""
        yield DataWarning(
            f"more than half of the values are missing ({some}{more}), so answers about such columns rest on few rows "
            "or, if they are imputed, on the model that fills the gaps; consider leaving them out: ",
            DropOption(sorted(counts, key=by_name)),
        )
    if all(column.has_missing for column in table.columns):
        empty = int(np.logical_and.reduce([column.missing for column in table.columns]).sum())
        if empty:
            yield DataWarning(f"{counted(empty, 'row')} without any value tell nothing, and no question uses them")


def _is_constant(column: Column) -> bool:
    if column.levels is not None:
        return len(column.levels) < 2
    if not column.present.size:
        return True
    low, high = column.extremes
    return high - low <= 8 * EPSILON * max(abs(low), abs(high))


def _discrete_faults(table: Table, constant: set[str]) -> Iterator[DataError]:
    """Identifiers and copies among the discrete columns of a table."""
    first_of: dict[bytes, list[str]] = {}
    for column in sorted(table.columns, key=lambda column: by_name(column.name)):
        if column.levels is None or column.name in constant:
            continue
        count = len(column.levels)
        if is_like_an_identifier(count, table.rows):
            yield _like_an_identifier(column.name, column.levels, table.rows)
            continue
        first_of.setdefault(_pattern(column, count).tobytes(), []).append(column.name)
    yield from _copies_of_levels(first_of.values())


def _faults_of_levels(source: Summary, constant: set[str]) -> Iterator[DataError]:
    """The same for a summary: two columns are copies if as many pairs of levels occur as each has levels."""
    alike: list[list[str]] = []
    for name in sorted(source.names, key=by_name):
        if source.kinds[source.names.index(name)] == "continuous" or name in constant:
            continue
        count = len(source.levels(name))
        if is_like_an_identifier(count, source.rows):
            yield _like_an_identifier(name, source.levels(name), source.rows)
            continue
        tallies = sorted(source.rows_by_level(name).values())
        for group in alike:
            could_be = tallies == sorted(source.rows_by_level(group[0]).values())
            if could_be and source.pairs_of_levels(group[0], name) == count:
                group.append(name)
                break
        else:
            alike.append([name])
    yield from _copies_of_levels(alike)


def _like_an_identifier(name: str, levels: tuple[str, ...], rows: int) -> DataError:
    measured = (", or, if it is a measurement, pass ", Option("kinds", {name: "continuous"}))
    return DataError(
        f"column {name!r} has {len(levels)} levels in {rows} rows, like an identifier; ",
        *leave_out(name),
        *(measured if all(map(is_number, levels)) else ()),
    )


def _copies_of_levels(groups: Iterable[list[str]]) -> Iterator[DataError]:
    for names in groups:
        if len(names) > 1:
            what = f"columns {listed(names)} are the same up to the names of their levels"
            yield DataError(f"{what}; keep one of them: ", DropOption(names[1:]))


def _pattern(column: Column, count: int) -> NDArray[np.int32]:
    """The codes numbered in the order in which they first occur: the same for columns that are copies."""
    codes = np.asarray(column.values, dtype=np.int32)
    first_row = np.zeros(count + 1, dtype=np.int64)
    first_row[codes[::-1]] = np.arange(codes.size)[::-1]  # of several, the one written last stays: the first row
    rank = np.full(count + 1, -1, dtype=np.int32)
    rank[np.argsort(first_row[:-1])] = np.arange(count)
    return rank[codes]


# -- continuous columns together ---------------------------------------------------------------------------------------


def _linear_faults(
    source: Table | Moments,
    names: list[str],
    moments: Moments | None,
    errors: list[DataError],
    doubts: list[DataWarning],
) -> None:
    """Add copies, linear dependences and near-singularity among these columns to the errors and doubts."""
    data: Table | None = None
    if isinstance(source, Moments):
        moments = source.select(names)
    else:
        data = replace(source.select(names).complete_rows(), design=None)
        if data.rows < NEEDED_ROWS:
            return
        moments = Moments.of(data) if moments is None else moments.select(names)
        if not (moments.lengths > 0).all():
            return  # a column is constant on the complete rows
    relations = LinearRelations(moments, data)
    copies = relations.copies()
    gone = {copy for _, copy, _ in copies}
    if copies:
        equations = ", ".join(equation for *_, equation in copies[:MOST_COPIES])
        equations += f" and {len(copies) - MOST_COPIES} more" if len(copies) > MOST_COPIES else ""
        extra = DropOption(sorted(gone, key=by_name))
        errors.append(DataError(f"some columns are copies of others: {equations}; keep one of each: ", extra))
    rest = [i for i, name in enumerate(names) if name not in gone]
    if moments.rows <= len(rest):
        doubts.append(
            DataWarning(
                f"{_there_are(len(rest), 'continuous column')} and only {counted(moments.rows, 'row')} to compare "
                "them, so it cannot be seen whether some of them add up to others"
            )
        )
        return
    correlation = moments.correlation[np.ix_(rest, rest)] if gone else moments.correlation
    if is_well_conditioned(correlation):
        return
    roots, vectors = np.linalg.eigh(correlation)
    null = int(np.sum(roots < EXACT**2 * max(1.0, roots[-1] / 100)))
    sums: dict[str, str] = {}
    for relation in relations.circuits(vectors[:, :null], rest):
        if (equation := relations.equation(relation, taken=set(sums))) is not None:
            sums[equation[0]] = equation[1]
    for left, written in sums.items():
        errors.append(
            DataError(f"some columns are determined by others: {written}; leave one of them out: ", DropOption([left]))
        )
    if not sums and roots[-1] > NEAR_SINGULAR * max(roots[0], 0.0):
        weight = np.abs(vectors[:, 0])
        blamed = [names[rest[i]] for i in np.argsort(-weight, kind="stable") if weight[i] > 0.1 * weight.max()]
        size = roots[-1] / roots[0] if roots[0] > 0 else np.inf
        doubts.append(
            DataWarning(
                f"columns {listed(sorted(blamed, key=by_name))} nearly determine each other (condition number "
                f"{size:.1e}), so answers about them depend on tiny differences; consider leaving one of them out"
            )
        )
