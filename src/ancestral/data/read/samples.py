"""Samples: several sources with the same columns, read as one table with a column for each sample but the first.

The first sample is the one that the others are compared with. Each other one has a column of its own name, with 1 in
its rows and 0 elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.data.errors import DataError
from ancestral.data.read.batch_stream import Batches
from ancestral.data.read.batches import Batch, check_same_names
from ancestral.data.read.file_lists import FileList, located
from ancestral.data.read.remarks import Remark
from ancestral.printing import shown, shown_type

__all__ = ["SampleBatches", "Samples", "samples_in"]

#: What must hold, and the way out, where samples have different columns.
_OTHER_COLUMNS = "samples must have the same columns; of tables that share only some, see an.combine()"


@dataclass(frozen=True, eq=False)
class Samples:
    """Sources by the names of the samples, in order."""

    sources: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the samples."""
        return tuple(self.sources)

    @property
    def indicators(self) -> tuple[str, ...]:
        """The names of the samples that have a column of their own: all but the first."""
        return self.names[1:]


def samples_in(source: Any) -> Any:
    """A dictionary of sources as `Samples`; anything else as it is.

    Raises DataError for a dictionary with less than two items, or with other keys than names.
    """
    if not isinstance(source, Mapping):
        return source
    for name in source:
        if not isinstance(name, str) or not name.strip():
            raise DataError(
                f"samples must have names, which are strings, got {shown(name)}; pass a dictionary such as "
                '{"control": frame, "drug": other}'
            )
    if len(source) < 2:
        raise DataError(
            f"a dictionary as the source must have two samples or more to compare, got {shown(dict(source))}; pass the "
            "frame itself, or add a sample"
        )
    for name, item in source.items():
        if isinstance(item, np.ndarray | Mapping) or (
            isinstance(item, Sequence) and not isinstance(item, str | list | tuple)
        ):
            raise DataError(
                f"sample {name!r} must be a frame, a path or a stream, got {shown_type(item)}; a dictionary holds "
                "samples, not columns"
            )
    return Samples({name: located(item) for name, item in source.items()})


class SampleBatches:
    """The batches of all samples, one after the other, with the columns that tell the samples apart.

    `open_batches` opens a single source. Raises DataError if the samples do not have the same columns, or one of them
    has a column with the name of a sample.
    """

    def __init__(self, samples: Samples, open_batches: Callable[[Any], Batches]) -> None:
        self._samples = samples
        self._opened = {
            name: open_batches(FileList((source,)) if isinstance(source, Path) else source)
            for name, source in samples.sources.items()
        }
        first = next(iter(self._opened.values()))
        for name, one in self._opened.items():
            if name in one.names:
                raise DataError(
                    f"column {name!r} has the name of a sample, for which a column is added; rename one of the two"
                )
            check_same_names(first.names, one.names, f"sample {name!r}", _OTHER_COLUMNS)
        self._of_system = first.names
        self.names = (*first.names, *samples.indicators)

    @property
    def settled(self) -> bool:
        """Whether the batches that came last can be used."""
        return all(one.settled for one in self._opened.values())

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the batches that came last tell about how values are written."""
        return [remark for one in self._opened.values() for remark in one.remarks]

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows; those that tell samples apart are always there."""
        wanted = [name for name in columns if name in self._of_system]
        for name, one in self._opened.items():
            told = {indicator: int(indicator == name) for indicator in self._samples.indicators}
            for batch in one.batches(wanted):
                place = batch.first if batch.first.label is not None else replace(batch.first, label=f"sample {name!r}")
                yield batch.with_constants(told, place)
