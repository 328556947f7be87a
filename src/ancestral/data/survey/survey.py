"""`Survey`: a source read as far as it can be read, and what is wrong with the rest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ancestral.data.column_kinds import is_number
from ancestral.data.column_names import chosen_names, no_columns
from ancestral.data.design import DesignFacts, design_columns
from ancestral.data.errors import DataError, DataFaults, DataWarning, NoRows
from ancestral.data.read.file_lists import located
from ancestral.data.read.index_columns import UNNAMED, left_out
from ancestral.data.read.matrix_files import is_matrix
from ancestral.data.read.missing_words import among_labels
from ancestral.data.read.remarks import Remark, code_orders_in, faults_in, warnings_in
from ancestral.data.read.stream_protocol import Stream
from ancestral.data.read.streams import stream_to_sum
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.moments import Moments, moments_in_file
from ancestral.data.stats.summarize import StreamColumns
from ancestral.data.stats.summary import Summary
from ancestral.data.survey.column_survey import (
    ColumnSurvey,
    columns_of_design,
    columns_of_facts,
    empty_column,
    survey_of_column,
    unreadable_column,
)
from ancestral.data.survey.stream_survey import StreamPart
from ancestral.data.table import Table, read_columns
from ancestral.errors import AncestralError, Option
from ancestral.options import TableOptions
from ancestral.printing import counted

__all__ = ["Survey", "survey_of"]

#: Columns whose missing values a fault counts; of the others it gives the number.
MOST_COUNTED = 10


@dataclass(frozen=True)
class Survey:
    """What a source holds.

    - `columns`: the chosen columns, in their order, then those of weights and clusters.
    - `rows`, `complete`: the number of rows, and of those without a missing value; None if that is not known.
    - `faults`: what reading has shown, as a search would refuse it; `notes`: what it would warn of.
    - `data`: the columns that can be read, as a search would get them; None if there are none. Missing values stay in a
      table if they are a fault.
    - `refuses_gaps`: missing values are among the faults.
    - `code_orders`: the labels of columns in the order of their codes, where a file has codes.
    - `streamed`: it was read some rows at a time, or is made of sums, so that what needs all rows is not known.
    """

    columns: tuple[ColumnSurvey, ...]
    rows: int
    complete: int | None
    faults: tuple[AncestralError, ...]
    data: Table | Summary | Moments | None
    streamed: bool
    notes: tuple[DataWarning, ...] = ()
    refuses_gaps: bool = False
    code_orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def survey_of(source: Any, options: TableOptions) -> Survey:
    """The survey of a source; the options are those that it takes.

    Raises what `discover` raises if the source cannot be opened, or an option is wrong.
    """
    source = located(source)
    if is_matrix(source, options):
        source = moments_in_file(source, options)
    if isinstance(source, Moments):
        return _of_moments(source.select(chosen_names(source.names, options.columns, options.drop)))
    if isinstance(source, Counts):
        chosen = source.select(chosen_names(source.names, options.columns, options.drop)).without_empty_levels()
        return _of_counts(chosen)
    try:
        stream = None if isinstance(source, Table) else stream_to_sum(source, options)
        return _of_table(source, options) if stream is None else _of_stream(stream, options)
    except NoRows as fault:
        names = chosen_names(fault.names, options.columns, options.drop)
        columns = tuple(empty_column(name) for name in names if name not in design_columns(options))
        return Survey(columns, 0, 0, (fault,), None, streamed=False)


def _of_table(source: Any, options: TableOptions) -> Survey:
    reading = read_columns(source, options)
    table, unreadable = reading.table, reading.column_faults
    columns = [
        unreadable_column(name, unreadable[name])
        if table is None or name in unreadable
        else survey_of_column(table.column(name), chosen=name in reading.kinds)
        for name in reading.names
    ]
    own = isinstance(source, Table)
    notes = source.notes if own else warnings_in(reading.remarks, reading.kinds)
    faults = [*unreadable.values(), *reading.faults]
    if table is None:
        if not faults:
            raise no_columns()
        return Survey(tuple(columns), 0, None, tuple(_single(faults)), None, streamed=False, notes=notes)
    columns += columns_of_design(table.design)
    if table.design is None and design_columns(options):
        columns += _unsampled(reading.faults[-1], options)
    complete = table.complete_rows()
    missing = "testwise" if own and options.missing == "refuse" else options.missing
    gaps = reading.missing_fault(missing, impute=True)
    data: Table | None = complete if missing == "drop" and gaps is None else table
    data = _without(data, _doubtful(reading.remarks, reading.kinds))
    found = [*faults, *([] if gaps is None else [gaps])]
    return Survey(
        tuple(columns),
        table.rows,
        complete.rows,
        tuple(_single(found)),
        data,
        streamed=False,
        notes=notes,
        refuses_gaps=gaps is not None,
        code_orders=code_orders_in(reading.remarks),
    )


def _unsampled(fault: AncestralError, options: TableOptions) -> tuple[ColumnSurvey, ...]:
    """The columns of weights and clusters that cannot be used."""
    columns = columns_of_facts(DesignFacts(0, options.weights, options.clusters, 0))
    return tuple(replace(column, why=str(fault), values=None, missing=None) for column in columns)


def _doubtful(remarks: Sequence[Remark], kinds: Any) -> set[str]:
    """The columns that can be read in several ways, so that a search refuses them."""
    return {one.column for one in remarks if one.column is not None and faults_in([one], kinds)}


def _without(table: Table | None, names: Collection[str]) -> Table | None:
    """The table without some columns; None if no others are left."""
    if table is None or not names:
        return table
    left = [name for name in table.names if name not in names]
    return table.select(left) if left else None


def _of_stream(stream: Stream, options: TableOptions) -> Survey:
    read = StreamColumns.of(stream, options)
    names, used, kinds = read.chosen, read.used, read.kinds
    try:
        total = stream.summary(read.read, partial(StreamPart.of, **read.how(options)))
    except NoRows as fault:
        return Survey(tuple(map(empty_column, names)), 0, 0, (fault,), None, streamed=True)
    faults: dict[str, AncestralError] = dict(total.faults)
    for name, column in total.columns.items():
        if (unusable := column.about.fault()) is not None:
            faults[name] = unusable
    shown = names if UNNAMED in faults else used
    columns = tuple(
        unreadable_column(name, faults[name]) if name in faults else total.columns[name].survey() for name in shown
    )
    doubts = [doubt for column in total.columns.values() if (doubt := column.about.doubt()) is not None]
    remarks = [*stream.remarks, *doubts, *([left_out()] if shown != names else [])]
    found = list(dict.fromkeys(faults[name] for name in shown if name in faults))
    found += faults_in(remarks, kinds)
    found += [fault for fault in (total.together, total.unsampled) if fault is not None]
    complete = None if total.summary is None else total.summary.rows
    summary = _good(total.summary, {*faults, *_doubtful(remarks, kinds)})
    if summary is not None:  # columns that overflow or underflow
        found += [fault for fault in summary.column_faults.values() if fault not in found]
        summary = _good(summary, summary.column_faults)
    if (gaps := _gaps_of_stream(total, columns, options)) is not None:
        found.append(gaps)
    if total.summary is not None and not total.summary.rows and not found:
        found += total.summary.faults
    if total.unsampled is not None:
        columns += _unsampled(total.unsampled, options)
    elif summary is not None and summary.design is not None:
        columns += columns_of_facts(summary.design.facts)
    else:
        columns += columns_of_facts(DesignFacts(total.rows, options.weights, options.clusters, 0))
    notes = warnings_in(remarks, kinds)
    return Survey(
        columns,
        total.rows,
        complete,
        tuple(_single(found)),
        summary,
        streamed=True,
        notes=notes,
        refuses_gaps=gaps is not None,
        code_orders=code_orders_in(remarks),
    )


def _good(summary: Summary | None, faults: Collection[str]) -> Summary | None:
    """The summary of the columns without faults; None if there are no rows or columns."""
    names = [] if summary is None else [name for name in summary.names if name not in faults]
    return summary.select(names) if summary is not None and summary.rows and names else None


def _gaps_of_stream(total: StreamPart, columns: Sequence[ColumnSurvey], options: TableOptions) -> DataError | None:
    """The fault of missing values in a source that is read some rows at a time."""
    complete = None if total.summary is None else total.summary.rows
    gappy = [column for column in columns if column.missing]
    if not gappy or (options.missing == "drop" and complete != 0):
        return None
    some = ", ".join(f"{column.name!r}: {column.missing:,}" for column in gappy[:MOST_COUNTED])
    some += f" and {counted(len(gappy) - MOST_COUNTED, 'column')} more" if len(gappy) > MOST_COUNTED else ""
    what = f"values are missing in {counted(len(gappy), 'column')} of {counted(total.rows, 'row')} ({some})"
    levels = {one.name: list(one.levels) for one in gappy if one.levels and not all(map(is_number, one.levels))}
    doubt = among_labels({name: {total.columns[name].word: 0} for name in levels}, levels)
    if complete == 0:
        ways_out = Option("drop"), " the columns with most missing values"
        return DataError(f"{what}, and no row is complete", *doubt, "; ", *ways_out)
    how_many = "" if complete is None else f"the {counted(complete, 'row')} that are complete"
    begin = "; if the values are really missing, pass " if doubt else "; pass "
    return DataError(what, *doubt, begin, Option("missing", "drop"), f" to use {how_many or 'complete rows'}")


def _of_moments(moments: Moments) -> Survey:
    spread = moments.lengths / max(moments.rows - 1, 1) ** 0.5
    means = [None] * len(moments.names) if moments.mean is None else moments.mean.tolist()
    columns = tuple(
        ColumnSurvey(name, "continuous", "moments are of numbers", moments.rows, 0, mean=mean, sd=float(sd))
        for name, mean, sd in zip(moments.names, means, spread, strict=True)
    )
    columns += columns_of_facts(moments.groups.facts if isinstance(moments.groups, GroupedMoments) else None)
    return Survey(columns, moments.rows, moments.rows, (), moments, streamed=True)


def _of_counts(counts: Counts) -> Survey:
    summary = Summary.of_counts(counts)
    columns = []
    for name in counts.names:
        rows = summary.rows_by_level(name)
        columns.append(ColumnSurvey(name, "discrete", "counts are of labels", counts.rows, 0, len(rows), rows))
    columns += columns_of_facts(None if counts.grouped is None else counts.grouped.facts)
    return Survey(tuple(columns), counts.rows, counts.rows, (), summary, streamed=True)


def _single(faults: Sequence[AncestralError]) -> list[AncestralError]:
    """The faults, each by itself."""
    return [one for fault in faults for one in (fault.faults if isinstance(fault, DataFaults) else (fault,))]
