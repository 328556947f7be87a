"""Our searches of tables, as they are compared: `python -m benchmarks.beside.ours SEARCH SECONDS`."""

import sys
from functools import partial
from typing import Any

import numpy as np
import polars as pl

import ancestral as an
from ancestral.graphs.marks import symbol
from benchmarks.beside.worker import Edge, Rows, Search, serve

#: The level of all tests.
ALPHA = 0.01


def frame_of(rows: Rows) -> pl.DataFrame:
    """The table, with labels as text."""
    columns = rows.values.T
    return pl.DataFrame(
        {
            f"v{i}": [f"level {value:.0f}" for value in column] if i in rows.labels else column
            for i, column in enumerate(columns)
        }
    )


def found_by(rows: Rows, **options: Any) -> list[Edge]:
    """The edges that `discover` finds."""
    frame = frame_of(rows)
    graph = an.discover(frame, resamples=0, progress=False, **options).pag
    where = [frame.columns.index(name) for name in graph.nodes]
    marks = graph.marks
    return [(where[i], where[j], symbol(int(marks[j, i]), int(marks[i, j]))) for i, j in np.argwhere(np.triu(marks))]


def asking(algorithm: str, **options: Any) -> Search:
    """A search that asks questions, at our level."""
    return partial(found_by, algorithm=algorithm, alpha=ALPHA, **options)


def unselected(algorithm: str, **options: Any) -> Search:
    """A search that asks questions, and knows that the rows were not selected."""
    return asking(algorithm, selection_bias=False, **options)


SEARCHES: dict[str, Search] = {
    "discover": found_by,
    "scored": partial(found_by, algorithm="scored"),
    "boss": partial(found_by, algorithm="boss"),
    "pc": asking("pc"),
    **{name: unselected(name) for name in ("icd", "fci", "rfci", "gfci", "boss-fci")},
    **{f"icd {test}": unselected("icd", test=test) for test in ("regression", "basis", "kernel")},
    "pc kernel": asking("pc", test="kernel"),
}

if __name__ == "__main__":
    serve(SEARCHES, "ancestral", sys.argv[1:])
