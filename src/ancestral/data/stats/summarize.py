"""From sources to statistics: the one pass over a stream, and the moments and counts of any data that can be read."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ancestral.data.column_kinds import Labels, chosen_kinds
from ancestral.data.column_names import chosen_names, no_columns
from ancestral.data.design import design_columns
from ancestral.data.errors import combined, underflowing
from ancestral.data.read.file_lists import located
from ancestral.data.read.index_columns import left_out
from ancestral.data.read.kinds import MATRIX, TABLE, kind_of_data
from ancestral.data.read.matrix_files import is_matrix, refuse_matrix
from ancestral.data.read.remarks import faults_in, told
from ancestral.data.read.stream_protocol import Stream
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.grouped_counts import GroupedCounts
from ancestral.data.stats.grouped_moments import GroupedMoments, group_labels
from ancestral.data.stats.moments import Moments, moments_in_file, moments_of_rows
from ancestral.data.stats.summary import Summary
from ancestral.data.table import Table, is_index, missing_fault, read_table
from ancestral.errors import Option, OptionError, refuse_unknown
from ancestral.options import TableOptions

__all__ = ["counts_of", "moments_of", "refuse_testwise", "summarized"]


def summarized(stream: Stream, options: TableOptions = TableOptions()) -> Summary:  # noqa: B008
    """The summary of the chosen columns of a stream, made in one pass; its faults were not looked for yet."""
    refuse_testwise(options)
    extra = design_columns(options)
    refuse_unknown(extra, stream.names, what="column")
    names = tuple(name for name in chosen_names(stream.names, options.columns, options.drop) if name not in extra)
    if not names:
        raise no_columns()
    kinds = chosen_kinds(options.kinds, stream.names)
    used = tuple(name for name in names if not is_index(name, stream.names, options))
    numbered = len(used) < len(names)
    how = partial(Summary.of, names=used, kinds=kinds, missing=options.missing, numbered=numbered)
    summary = stream.summary((*names, *extra), partial(how, design=options) if extra else how)
    remarks = [*stream.remarks, *summary.doubts, *([left_out()] if numbered else [])]
    if faults := faults_in(remarks, kinds):
        raise combined(faults)
    return replace(summary, notes=told(remarks, kinds)) if remarks and not summary.faults else summary


def refuse_testwise(options: TableOptions) -> None:
    """Raise OptionError if missing values are to be kept, which a source cannot do that is read some rows at a time."""
    if options.missing in ("testwise", "impute"):
        raise OptionError(
            "goes back to the rows, and this source is read some rows at a time",
            option="missing",
            value=options.missing,
            assigned=True,
            way_out=["pass ", Option("missing", "drop"), ", or read all rows as one table"],
        )


def moments_of(source: Any, options: TableOptions) -> Moments:
    """The moments of all complete rows of a source, or those in the file of a matrix; see `Moments.of`."""
    if is_matrix(source, options):
        options.refuse_unused(MATRIX)
        chosen = moments_in_file(source, options)
        return chosen.select(chosen_names(chosen.names, options.columns, options.drop))
    rows = _complete(source, "moments", replace(options, kinds="continuous"))
    if isinstance(rows, Summary):
        assert rows.moments is not None
        return rows.moments
    if tiny := [column.name for column in rows.columns if column.underflows]:
        raise underflowing(tiny)
    return moments_of_rows(rows)


def counts_of(source: Any, options: TableOptions) -> Counts:
    """The counts of all complete rows of a source; see `Counts.of`."""
    refuse_matrix(source, options)
    rows = _complete(source, "counts", replace(options, kinds="discrete"))
    if isinstance(rows, Summary):
        counts = rows.counts
        assert counts is not None and not isinstance(rows.design, GroupedMoments)
        return counts if rows.design is None else replace(counts, grouped=rows.design)
    codes = [np.asarray(column.values, dtype=np.int64) for column in rows.columns]
    counts = Counts.of_codes(rows.names, [column.levels or () for column in rows.columns], codes)
    return counts if rows.design is None else replace(counts, grouped=grouped_counts_of(rows))


def grouped_counts_of(table: Table) -> GroupedCounts:
    """The configurations of a table of labels with a design."""
    design = table.design
    assert design is not None
    columns = {
        column.name: Labels(np.asarray(column.values, dtype=np.int32), column.levels or ()) for column in table.columns
    }
    return GroupedCounts.of(columns, design.row_weights, group_labels(design, 0, None), design.facts)


def _complete(source: Any, what: str, options: TableOptions) -> Summary | Table:
    """The complete rows of a source: a summary if it is a stream, otherwise a table."""
    if options.missing in ("testwise", "impute"):
        raise OptionError(
            f"does not apply to {what}, which are of complete rows",
            option="missing",
            value=options.missing,
            assigned=True,
            way_out=["pass ", Option("missing", "drop"), " to leave out the others"],
        )
    source = located(source)
    options.refuse_unused(TABLE if isinstance(source, Table) else kind_of_data(source))
    if not isinstance(source, Table) and (stream := stream_of(source, options)) is not None:
        return summarized(stream, options).checked()
    table, faults = read_table(source, options, testwise=False)
    if faults:
        raise combined(faults)
    assert table is not None
    if (fault := missing_fault(table, options.missing, testwise=False)) is not None:
        raise fault
    return table.complete_rows()
