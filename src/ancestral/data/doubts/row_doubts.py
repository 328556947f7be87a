"""All doubts about the rows of a table, or about rows that were summed up."""

import numpy as np

from ancestral.data.doubts.clusters import clusters
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.identifiers import identifiers, identifiers_in_summary
from ancestral.data.doubts.missing_codes import missing_codes, missing_codes_in_summary
from ancestral.data.doubts.one_hot import one_hot, one_hot_in_summary
from ancestral.data.doubts.repeated_rows import repeated_rows
from ancestral.data.doubts.seen_rows import SeenRows
from ancestral.data.doubts.series import series
from ancestral.data.stats.summary import Summary
from ancestral.data.table import Table

__all__ = ["NEED_ALL_ROWS", "row_doubts"]

#: The doubts that cannot be told of sums.
NEED_ALL_ROWS = ("codes of missing values among measurements", "repeated rows", "series", "clusters")


def row_doubts(source: Table | Summary) -> list[Doubt]:
    """The doubts about a table; of a summary those that sums can tell.

    Rows whose clusters are known may be alike: that they look like a series or like clusters is no doubt then.
    """
    if isinstance(source, Summary):
        return [*missing_codes_in_summary(source), *identifiers_in_summary(source), *one_hot_in_summary(source)]
    seen = SeenRows(source)
    clustered = source.design is not None and source.design.clusters is not None
    kinds = (missing_codes, identifiers, one_hot, repeated_rows, *(() if clustered else (series, clusters)))
    with np.errstate(
        over="ignore", invalid="ignore", divide="ignore"
    ):  # numbers that overflow are a fault, told elsewhere
        return [doubt for kind in kinds for doubt in kind(seen)]
