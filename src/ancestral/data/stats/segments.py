"""Segments: configurations of packed codes with their weights, in memory or on a file without a name.

What is in memory has each configuration once, in ascending order, so that two segments are merged in one walk
(`_merging_cy`). What is on a file is not merged with what comes later.
"""

import tempfile
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats._merging_cy import merged
from ancestral.data.stats.packing import Words

__all__ = ["PORTION", "Segment", "added_segments", "is_mapped", "on_file", "tallied"]

#: Configurations that take more bytes than this are kept on a file.
MOST_BYTES = 128 << 20
#: So many configurations are worked on at a time.
PORTION = 1 << 16

Weights = NDArray[np.int64]
Segment = tuple[Words, Weights]


def tallied(words: Words, weights: Weights | None = None) -> Segment:
    """Each configuration once, in ascending order, with the number of its rows, or the sum of their weights."""
    if not len(words):
        return words, np.zeros(0, dtype=np.int64)
    if weights is None and words.shape[1] == 1:
        ordered = np.sort(words, axis=0)  # much quicker than to find the order and follow it
    else:
        order = np.lexsort(words.T[::-1])
        ordered = words[order]
    starts = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
    if weights is None:
        return ordered[starts], np.diff(starts, append=len(ordered)).astype(np.int64)
    return ordered[starts], np.add.reduceat(weights[order], starts)


def added_segments(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Those in memory become one, on a file if it is large; those on a file stay as they are."""
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
    """Whether it is on a file."""
    return isinstance(segment[0], np.memmap)


def _bounded(segment: Segment) -> Segment:
    """The segment, on a file if it is large."""
    words, weights = segment
    if words.nbytes + weights.nbytes <= MOST_BYTES:
        return segment
    portions = ((words[i : i + PORTION], weights[i : i + PORTION]) for i in range(0, len(weights), PORTION))
    return on_file(portions, words.shape[1])


def on_file(portions: Iterable[Segment], width: int) -> Segment:
    """The same configurations, mapped from files that have no name and are gone when nobody holds them."""
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
