"""What a report reads of a bootstrap: how often resamples had each edge."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["EdgeCounts", "Reliabilities"]


class EdgeCounts(Protocol):
    """How often resamples had each edge; variables by their number in the order of names."""

    @property
    def repeats(self) -> int:
        """The number of resamples."""

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Rows x, y of the pairs that had an edge."""

    def at(self, end: int) -> NDArray[np.int64]:
        """For each pair the numbers of circles, arrowheads and tails at x (0) or y (1)."""


class Reliabilities(Protocol):
    """What a report reads of a `Bootstrap`."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the data."""

    @property
    def frequencies(self) -> EdgeCounts:
        """How often each edge was found."""

    def drawn_in_words(self) -> str:
        """How many resamples there were, and how they were drawn."""
