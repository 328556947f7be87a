"""From sources to statistics: the one pass over a stream, and the moments and counts of any data that can be read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ancestral.data.column_kinds import Chosen, Labels, chosen_kinds
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
from ancestral.data.table import Table, chosen_variables, is_index, missing_fault, read_table
from ancestral.errors import Option, OptionError
from ancestral.options import TableOptions

__all__ = ["StreamColumns", "counts_of", "moments_of", "summarized"]


def summarized(stream: Stream, options: TableOptions = TableOptions()) -> Summary:  # noqa: B008
    """The summary of the chosen columns of a stream, made in one pass; its faults were not looked for yet."""
    columns = StreamColumns.of(stream, options)
    kinds = columns.kinds
    summary = stream.summary(columns.read, partial(Summary.of, missing=options.missing, **columns.how(options)))
    remarks = [*stream.remarks, *summary.doubts, *([left_out()] if columns.numbered else [])]
    if faults := faults_in(remarks, kinds):
        raise combined(faults)
    return replace(summary, notes=told(remarks, kinds)) if remarks and not summary.faults else summary


@dataclass(frozen=True)
class StreamColumns:
    """The columns of a stream that are read: all that were chosen, those that are used as variables, and the kinds.

    `extra` are those of weights and clusters. A first column without a name is chosen but not used.
    """

    chosen: tuple[str, ...]
    used: tuple[str, ...]
    extra: tuple[str, ...]
    kinds: Mapping[str, Chosen]

    @classmethod
    def of(cls, stream: Stream, options: TableOptions) -> "StreamColumns":
        """The columns that the options choose. Raises `OptionError` or `DataError` if they cannot be read."""
        _refuse_testwise(options)
        chosen = chosen_variables(stream.names, options)
        if not chosen:
            raise no_columns()
        used = tuple(name for name in chosen if not is_index(name, stream.names, options))
        return cls(chosen, used, design_columns(options), chosen_kinds(options.kinds, stream.names))

    @property
    def read(self) -> tuple[str, ...]:
        """All columns that are read."""
        return (*self.chosen, *self.extra)

    @property
    def numbered(self) -> bool:
        """Whether there is a column without a name, which must number the rows."""
        return len(self.used) < len(self.chosen)

    def how(self, options: TableOptions) -> dict[str, Any]:
        """The arguments by which a batch is summed up (`Summary.of`)."""
        design = options if self.extra else None
        return {"names": self.used, "kinds": self.kinds, "numbered": self.numbered, "design": design}


def _refuse_testwise(options: TableOptions) -> None:
    """Raise OptionError if missing values are to be kept, which a source cannot do that is read some rows at a time."""
    if options.missing in ("testwise", "impute"):
        raise OptionError(
            "goes back to the rows, and this source is read some rows at a time",
            option="missing",
            value=options.missing,
            assigned=True,
            way_out=[
                "pass ",
                Option("missing", "drop"),
                ", or ",
                Option("in_memory", True),
                " to read all rows as one table",
            ],
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
