"""Frames of Dask: each partition is summarised where it is, and only summaries come here."""

from collections.abc import Callable, Sequence
from typing import Any

from ancestral.data.column_names import column_names
from ancestral.data.read import deadline
from ancestral.data.read.batches import BATCH_ROWS, Batch, Place
from ancestral.data.read.column_source import ColumnSource
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.missing_values import IN_FRAMES, MissingValues
from ancestral.data.read.remarks import Remark
from ancestral.data.read.stream_protocol import P, no_rows
from ancestral.data.tree_sum import tree_sum

__all__ = ["DaskStream"]

#: Summaries of Dask's partitions that one task adds.
BRANCHES = 8


class DaskStream:
    """A frame of Dask: each partition is summarised where it is, and the summaries are added in a tree."""

    remarks: tuple[Remark, ...] = ()

    def __init__(self, frame: Any, missing: MissingValues = IN_FRAMES) -> None:
        self._missing = missing
        self.names = column_names(frame.columns)
        self._native = dict(zip(self.names, frame.columns, strict=True))
        self._frame = frame

    def _chosen(self, names: tuple[str, ...]) -> Any:
        return self._frame[[self._native[name] for name in names]]

    def summary(self, names: tuple[str, ...], summarize: Callable[[Batch, frozenset[str]], P]) -> P:
        """The sum of the summaries of all partitions."""
        import dask

        engine: Any = dask  # says little about its types
        parts = [
            engine.delayed(_partition_summary)(part, f"partition {number}", self._missing, summarize)
            for number, part in enumerate(self._chosen(names).to_delayed(), start=1)
        ]
        while len(parts) > 1:
            parts = [engine.delayed(_sum)(parts[i : i + BRANCHES]) for i in range(0, len(parts), BRANCHES)]
        (total,) = _computed(lambda: engine.compute(*parts)) if parts else (None,)
        if total is None:
            raise no_rows()
        return total

    def all_rows(self, names: tuple[str, ...]) -> ColumnSource:
        """All rows of these columns."""
        return FrameSource(_computed(self._chosen(names).compute), self._missing)


def _computed(call: Callable[[], Any]) -> Any:
    """What Dask computes; in another thread only if there is a time limit, so that this one can look at the clock."""
    return deadline.patiently(call) if deadline.limited() else call()


def _partition_summary(
    frame: Any, label: str, missing: MissingValues, summarize: Callable[[Batch, frozenset[str]], P]
) -> P | None:
    if not len(frame):
        return None
    starts = range(0, len(frame), BATCH_ROWS)
    batches = (Batch(frame.iloc[i : i + BATCH_ROWS], Place(i, label), missing) for i in starts)
    return tree_sum(summarize(batch, frozenset()) for batch in batches)


def _sum(parts: Sequence[P | None]) -> P | None:
    there = [part for part in parts if part is not None]
    return tree_sum(there) if there else None
