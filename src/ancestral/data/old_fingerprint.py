"""Fingerprints in files of earlier versions, so that runs on tables can be resumed.

Earlier versions had other fingerprints of rows: one of tables, in which the order of rows mattered, and one of sources
that were read some rows at a time. The first can be computed again from a table; the second cannot be compared.
"""

from typing import Any

from ancestral.data.fingerprint import ROWS, fingerprint
from ancestral.data.table import Table
from ancestral.graphs.names import by_name

__all__ = ["data_difference", "old_fingerprint"]


def old_fingerprint(data: object) -> str | None:
    """The fingerprint of a table in files of earlier versions; None for anything else."""
    if not isinstance(data, Table):
        return None
    parts: list[Any] = []
    for column in sorted(data.columns, key=lambda column: by_name(column.name)):
        levels = column.levels
        parts += [column.name, column.kind, *(() if levels is None else (len(levels), *levels)), column.values]
    return fingerprint("table", parts)


def data_difference(saved: str, test: Any) -> str | None:
    """What data with the fingerprint `saved` are, if they are not known to be those of a test; None if they are.

    `test` has a `fingerprint`, and may have an `old_fingerprint`, that of its data in files of earlier versions.
    """
    if saved == test.fingerprint:
        return None
    if saved.startswith(ROWS):
        return "different data"
    if saved == getattr(test, "old_fingerprint", None):
        return None
    if not test.fingerprint.startswith(ROWS):
        return "different data"
    return (
        "different data, or data that an earlier version of ancestral read some rows at a time, whose fingerprint "
        "cannot be compared"
    )
