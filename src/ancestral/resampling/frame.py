"""The frequencies of a bootstrap as a frame, with a row for each pair."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import one_of
from ancestral.certainty.frequencies import MARKS, Frequencies
from ancestral.data.libraries import Library, frame_of
from ancestral.graphs.marks import MARK_NAMES, NONE, symbol
from ancestral.io.frames import chosen_pairs, series

__all__ = ["Pairs", "frequencies_frame"]

Pairs = Literal["all", "seen"]


def frequencies_frame(
    columns: Sequence[str],
    names: Sequence[str],
    frequencies: Frequencies,
    estimate: NDArray[np.uint8],
    pairs: Pairs,
    involving: Sequence[str] | str | None,
    library: Library,
) -> Any:
    """A row for each pair, in the order of columns; see `Bootstrap.to_frame`.

    Positions of `frequencies` follow `names`, the marks of `estimate` follow `columns`.
    """
    one_of("pairs", pairs, get_args(Pairs))
    number = {name: i for i, name in enumerate(columns)}
    ends = np.array([number[name] for name in names])[frequencies.pairs].reshape(-1, 2)
    seen = estimate != NONE
    seen[ends[:, 0], ends[:, 1]] = seen[ends[:, 1], ends[:, 0]] = True
    a, b = chosen_pairs(seen.astype(np.uint8), "all" if pairs == "all" else "edges", involving, columns)
    row = np.full(seen.shape, -1)
    row[ends.min(axis=1), ends.max(axis=1)] = np.arange(len(ends))
    turned = (ends[:, 0] > ends[:, 1])[:, None, None]
    counts = np.where(turned, frequencies.counts.transpose(0, 2, 1), frequencies.counts)
    counts = np.concatenate([counts, np.zeros((1, 3, 3), dtype=np.int64)])[row[a, b]]  # the last one: never an edge
    labels = np.array(columns, dtype=object)
    marks = zip(estimate[b, a].tolist(), estimate[a, b].tolist(), strict=True)

    def share(name: str, count: NDArray[np.int64]) -> Any:
        shares = count / frequencies.repeats if frequencies.repeats else np.full(len(count), np.nan)
        return series(name, shares.tolist(), "number")

    edges = counts.sum(axis=(1, 2))
    out: dict[str, Any] = {
        "a": series("a", labels[a].tolist(), "text"),
        "b": series("b", labels[b].tolist(), "text"),
        "estimate": series("estimate", [symbol(*pair) if pair[0] else None for pair in marks], "text"),
        "edge": share("edge", edges),
        "no_edge": share("no_edge", frequencies.repeats - edges),
    }
    for end, axis in (("a", 2), ("b", 1)):
        for i, mark in enumerate(MARKS):
            name = f"{MARK_NAMES[mark]}_at_{end}"
            out[name] = share(name, counts.sum(axis=axis)[:, i])
    for i, left in enumerate(MARKS):
        for j, right in enumerate(MARKS):
            name = symbol(left, right)
            out[name] = share(name, counts[:, i, j])
    return frame_of(out, library)
