"""Limits: what knowledge leaves of the types of each pair, for searches over ancestral graphs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.knowledge import Constraints
from ancestral.scores.edge_types import ANY_TYPE, BACK, BOTH, FORTH, NO_EDGE, reversed_types

__all__ = ["Limits"]


@dataclass(frozen=True, eq=False)
class Limits:
    """What may be, for variables given by their positions.

    - `types[a, b]`: the types that the pair a, b may have, as a set (`edge_types`).
    - `no_cause[a, b]`: a must not be an ancestor of b; None if nothing is known.
    """

    types: NDArray[np.uint8]
    no_cause: NDArray[np.uint8] | None = None

    @classmethod
    def of(cls, constraints: Constraints | None, n: int) -> "Limits":
        """The limits that constraints set on n variables."""
        types = np.full((n, n), ANY_TYPE, dtype=np.uint8)
        if constraints is None:
            return cls(types)
        tail, no_cause = constraints.tail, constraints.no_cause
        types[tail] &= 1 << NO_EDGE | 1 << FORTH
        types[tail.T] &= 1 << NO_EDGE | 1 << BACK
        types[constraints.one_way] &= ANY_TYPE - (1 << BOTH)
        types[no_cause] &= ANY_TYPE - (1 << FORTH)
        types[no_cause.T] &= ANY_TYPE - (1 << BACK)
        for rows, allowed in (
            (constraints.required, ANY_TYPE - (1 << NO_EDGE)),
            (constraints.no_edge, 1 << NO_EDGE),
            (constraints.apart, 1 << NO_EDGE),
        ):
            x, y = rows.T
            types[x, y] &= allowed
            types[y, x] &= allowed
        assert np.array_equal(reversed_types(types), types.T), "a pair has the same types in either order"
        return cls(types, np.ascontiguousarray(no_cause, dtype=np.uint8) if no_cause.any() else None)

    @property
    def banned(self) -> NDArray[np.uint8]:
        """Whether u must not be a parent of v, at u, v."""
        return (self.types >> FORTH & 1 == 0).astype(np.uint8)

    @property
    def required(self) -> NDArray[np.intp]:
        """The pairs that must be adjacent, as rows a, b with a < b."""
        return np.argwhere(np.triu(self.types & 1 == 0, 1))

    def open_types(self, a: int, b: int, wanted: int) -> list[int]:
        """The types that make a and b adjacent, and may be: the wanted one, a <-> b, and those in either direction."""
        order = dict.fromkeys((wanted, BOTH, FORTH, BACK))
        return [kind for kind in order if kind != NO_EDGE and self.types[a, b] >> kind & 1]
