"""What a report says of columns: the kind of each, and whether the user gave it."""

from collections.abc import Mapping
from typing import Any

from ancestral.graphs.names import in_order
from ancestral.show.labels import plain
from ancestral.show.run import ReportedRun

__all__ = ["column_values"]


def column_values(run: ReportedRun) -> list[list[Any]]:
    """Rows of a name, its kind, and whether that was given; none if all are of one kind, which nobody gave."""
    kinds, stated = run.test.kinds or {}, run.reading.kinds
    if len(set(kinds.values())) < 2 and stated is None:
        return []
    given = set(stated) if isinstance(stated, Mapping) else set(kinds) if stated is not None else set()
    return [[plain(name), kinds[name], name in given] for name in in_order(tuple(kinds))]
