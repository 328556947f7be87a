"""Segments: configurations of packed codes with their numbers of rows, in memory or on a file without a name.

A segment in memory has each configuration once, in ascending order, so that two segments are merged in one pass
(`_merging_cy`). A segment on a file is not merged with others.
"""

import tempfile
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats._merging_cy import merged
from ancestral.data.stats._tally_cy import tally
from ancestral.data.stats.packing import Words

__all__ = ["PORTION_SIZE", "Segment", "added_segments", "is_mapped", "on_file", "tallied"]

#: Bytes of the configurations that are kept in memory; more of them are kept on a file.
MOST_BYTES = 128 << 20
#: Configurations that are worked on at a time.
PORTION_SIZE = 1 << 16

Weights = NDArray[np.int64]
Segment = tuple[Words, Weights]


def tallied(words: Words, weights: Weights | None = None) -> Segment:
    """The different configurations in ascending order, each with the number, or the sum of the weights, of its rows."""
    if not len(words):
        return words, np.zeros(0, dtype=np.int64)
    if weights is None and words.shape[1] == 1:
        return tally(np.ascontiguousarray(words[:, 0]))
    order = np.lexsort(words.T[::-1])
    ordered = words[order]
    starts = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
    if weights is None:
        return ordered[starts], np.diff(starts, append=len(ordered)).astype(np.int64)
    return ordered[starts], np.add.reduceat(weights[order], starts)


def added_segments(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The segments in memory merged into one, which is written to a file if it is large; those on files as they are."""
    kept: list[Segment] = []
    small: Segment | None = None
    for segment in segments:
        if is_mapped(segment):
            kept.append(segment)
        else:
            small = segment if small is None else merged(*small, *segment)
    if small is not None:
        kept.append(_bounded(small))
    return tuple(kept)


def is_mapped(segment: Segment) -> bool:
    """Whether a segment is on a file."""
    return isinstance(segment[0], np.memmap)


def _bounded(segment: Segment) -> Segment:
    """The segment, written to a file if it is large."""
    words, weights = segment
    if words.nbytes + weights.nbytes <= MOST_BYTES:
        return segment
    portions = (
        (words[i : i + PORTION_SIZE], weights[i : i + PORTION_SIZE]) for i in range(0, len(weights), PORTION_SIZE)
    )
    return on_file(portions, words.shape[1])


def on_file(portions: Iterable[Segment], width: int) -> Segment:
    """Write configurations to files without names, and map them; the files are gone when the arrays are."""
    total = 0
    with tempfile.TemporaryFile() as words_file, tempfile.TemporaryFile() as weights_file:
        for words, weights in portions:
            words_file.write(np.ascontiguousarray(words).tobytes())
            weights_file.write(np.ascontiguousarray(weights).tobytes())
            total += len(weights)
        words_file.flush()
        weights_file.flush()
        return (
            np.memmap(words_file, dtype=np.uint64, mode="r+", shape=(total, width)),
            np.memmap(weights_file, dtype=np.int64, mode="r+", shape=(total,)),
        )
