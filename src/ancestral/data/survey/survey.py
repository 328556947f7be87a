"""`Survey`: a source read as far as it can be read, and what is wrong with the rest."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ancestral.data.column_kinds import chosen_kinds, in_level_order
from ancestral.data.column_names import chosen_names, no_columns
from ancestral.data.errors import DataError, DataFaults, NoRows
from ancestral.data.read.file_lists import located
from ancestral.data.read.stream_protocol import Stream
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.moments import Moments
from ancestral.data.stats.summarize import refuse_testwise
from ancestral.data.stats.summary import Summary
from ancestral.data.survey.column_survey import ColumnSurvey, empty_column, survey_of_column, unreadable_column
from ancestral.data.survey.stream_survey import StreamPart
from ancestral.data.table import Table, missing_fault, opened_table, read_table
from ancestral.errors import AncestralError, Option
from ancestral.options import TableOptions
from ancestral.printing import counted

__all__ = ["Survey", "survey_of"]

#: Columns whose missing values a fault counts; of the others it gives the number.
MOST_COUNTED = 10


@dataclass(frozen=True)
class Survey:
    """What a source holds.

    - `columns`: the chosen columns, in their order.
    - `rows`, `complete`: the number of rows, and of those without a missing value; None if that is not known.
    - `faults`: what reading has shown, as a search would refuse it.
    - `data`: the columns that can be read, as a search would get them; None if there are none. Missing values stay in a
      table if they are a fault.
    - `streamed`: it was read some rows at a time, or is made of sums, so that what needs all rows is not known.
    """

    columns: tuple[ColumnSurvey, ...]
    rows: int
    complete: int | None
    faults: tuple[AncestralError, ...]
    data: Table | Summary | Moments | None
    streamed: bool


def survey_of(source: Any, options: TableOptions) -> Survey:
    """The survey of a source; the options are those that it takes.

    Raises what `discover` raises if the source cannot be opened, or an option is wrong.
    """
    source = located(source)
    if isinstance(source, Moments):
        return _of_moments(source.select(chosen_names(source.names, options.columns, options.drop)))
    if isinstance(source, Counts):
        chosen = source.select(chosen_names(source.names, options.columns, options.drop)).without_empty_levels()
        return _of_counts(chosen)
    if isinstance(source, Table):
        return _of_table(source, source.names, options)
    stream = stream_of(source, options)
    if stream is not None:
        return _of_stream(stream, options)
    return _of_table(source, opened_table(source, options).names, options)


def _of_table(source: Any, known: Sequence[str], options: TableOptions) -> Survey:
    names = chosen_names(tuple(known), options.columns, options.drop)
    kinds = chosen_kinds(options.kinds, known)
    try:
        table, faults = read_table(source, replace(options, missing="testwise"))
    except NoRows as fault:
        return Survey(tuple(map(empty_column, names)), 0, 0, (fault,), None, streamed=False)
    readable = set() if table is None else set(table.names)
    # the faults of columns come first, one for each that cannot be read
    own = iter(faults)
    columns = tuple(
        survey_of_column(table.column(name), chosen=name in kinds)
        if table is not None and name in readable
        else unreadable_column(name, next(own))
        for name in names
    )
    if table is None:
        return Survey(columns, 0, None, tuple(_single(faults)), None, streamed=False)
    complete = table.complete_rows()
    missing = "testwise" if isinstance(source, Table) and options.missing == "refuse" else options.missing
    gaps = missing_fault(table, missing)
    data = complete if missing == "drop" and gaps is None else table
    found = [*faults, *([] if gaps is None else [gaps])]
    return Survey(columns, table.rows, complete.rows, tuple(_single(found)), data, streamed=False)


def _of_stream(stream: Stream, options: TableOptions) -> Survey:
    refuse_testwise(options)
    names = chosen_names(stream.names, options.columns, options.drop)
    if not names:
        raise no_columns()
    kinds = chosen_kinds(options.kinds, stream.names)
    try:
        total = stream.summary(names, partial(StreamPart.of, names=names, kinds=kinds))
    except NoRows as fault:
        return Survey(tuple(map(empty_column, names)), 0, 0, (fault,), None, streamed=True)
    faults: dict[str, AncestralError] = dict(total.faults)
    for name, column in total.columns.items():
        if (unusable := column.about.fault()) is not None:
            faults[name] = unusable
    columns = tuple(
        unreadable_column(name, faults[name])
        if name in faults
        else total.columns[name].survey(in_level_order(total.columns[name].rows_by_level or ()))
        for name in names
    )
    found = list(dict.fromkeys(faults[name] for name in names if name in faults))
    found += [] if total.together is None else [total.together]
    complete = None if total.summary is None else total.summary.rows
    summary = _good(total.summary, faults)
    if summary is not None:  # columns that overflow or underflow
        found += [fault for fault in summary.column_faults.values() if fault not in found]
        summary = _good(summary, summary.column_faults)
    if (gaps := _gaps_of_stream(columns, total.rows, complete, options)) is not None:
        found.append(gaps)
    return Survey(columns, total.rows, complete, tuple(_single(found)), summary, streamed=True)


def _good(summary: Summary | None, faults: Collection[str]) -> Summary | None:
    """The summary of the columns without faults; None if there are no rows or columns."""
    names = [] if summary is None else [name for name in summary.names if name not in faults]
    return summary.select(names) if summary is not None and summary.rows and names else None


def _gaps_of_stream(
    columns: Sequence[ColumnSurvey], rows: int, complete: int | None, options: TableOptions
) -> DataError | None:
    """The fault of missing values in a source that is read some rows at a time."""
    counts = {column.name: column.missing for column in columns if column.missing}
    if not counts or (options.missing == "drop" and complete != 0):
        return None
    some = ", ".join(f"{name!r}: {count:,}" for name, count in list(counts.items())[:MOST_COUNTED])
    some += f" and {counted(len(counts) - MOST_COUNTED, 'column')} more" if len(counts) > MOST_COUNTED else ""
    what = f"values are missing in {counted(len(counts), 'column')} of {counted(rows, 'row')} ({some})"
    if complete == 0:
        return DataError(f"{what}, and no row is complete; ", Option("drop"), " the columns with most missing values")
    how_many = "" if complete is None else f"the {counted(complete, 'row')} that are complete"
    return DataError(f"{what}; pass ", Option("missing", "drop"), f" to use {how_many or 'complete rows'}")


def _of_moments(moments: Moments) -> Survey:
    spread = moments.lengths / max(moments.rows - 1, 1) ** 0.5
    means = [None] * len(moments.names) if moments.mean is None else moments.mean.tolist()
    columns = tuple(
        ColumnSurvey(name, "continuous", "moments are of numbers", moments.rows, 0, mean=mean, sd=float(sd))
        for name, mean, sd in zip(moments.names, means, spread, strict=True)
    )
    return Survey(columns, moments.rows, moments.rows, (), moments, streamed=True)


def _of_counts(counts: Counts) -> Survey:
    summary = Summary.of_counts(counts)
    columns = []
    for name in counts.names:
        rows = summary.rows_by_level(name)
        columns.append(ColumnSurvey(name, "discrete", "counts are of labels", counts.rows, 0, len(rows), rows))
    return Survey(tuple(columns), counts.rows, counts.rows, (), summary, streamed=True)


def _single(faults: Sequence[AncestralError]) -> list[AncestralError]:
    """The faults, each by itself."""
    return [one for fault in faults for one in (fault.faults if isinstance(fault, DataFaults) else (fault,))]
