"""Relations of DuckDB: queries that run while their rows are read."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from ancestral.data.column_names import column_names
from ancestral.data.errors import DataError
from ancestral.data.read.batches import BATCH_ROWS, Batch, batches_of_frames
from ancestral.data.read.guards import reason
from ancestral.data.read.missing_values import IN_FRAMES, MissingValues
from ancestral.data.read.read_ahead import read_ahead
from ancestral.data.read.remarks import Remark
from ancestral.errors import OptionError

__all__ = ["Relation"]


class Relation:
    """A relation of DuckDB: a query that runs while its rows are read."""

    settled = True
    remarks: tuple[Remark, ...] = ()

    def __init__(self, relation: Any, missing: MissingValues = IN_FRAMES) -> None:
        self._missing = missing
        with _refusing_duckdb():
            if not hasattr(relation, "columns"):
                raise OptionError(
                    f"a {type(relation).__name__} of duckdb is not a table; pass a relation, as in "
                    "connection.sql('select …')"
                )
            self.names = column_names(relation.columns)
        self._relation = relation

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""
        return read_ahead(self._batches(tuple(columns)), self._interrupt)

    def _interrupt(self) -> None:
        """End the query, where the relation knows its connection (from DuckDB 2 on)."""
        connection = getattr(self._relation, "_con", None)
        if connection is not None and hasattr(connection, "interrupt"):
            connection.interrupt()

    def _batches(self, columns: tuple[str, ...]) -> Iterator[Batch]:
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        with _refusing_duckdb():
            chosen = self._relation.project(quoted)
            reader = chosen.to_arrow_reader if hasattr(chosen, "to_arrow_reader") else chosen.fetch_record_batch
            with closing(reader(BATCH_ROWS)) as rows:  # the connection is free again, whatever happens
                yield from batches_of_frames(rows, columns, self._missing)


@contextmanager
def _refusing_duckdb() -> Iterator[None]:
    """Turn what DuckDB raises about a query that cannot be run to its end into a `DataError`."""
    import duckdb
    import pyarrow as pa

    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise DataError(f"the query of DuckDB failed: {reason(error)}; correct it, or run it again") from None
