"""Minimal sets that separate two nodes of a maximal ancestral graph, in linear time.

If two nodes of a MAG are not adjacent, their anteriors separate them (Richardson & Spirtes 2002). Of these, only those
matter to which a walk leads from x given all of them; of the rest, only those to which one leads from y. What is left
separates, and no node of it can be left out (van der Zander, Liśkiewicz & Textor 2019).
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.ancestry import anterior_bits
from ancestral.graphs.bits import bits_of

__all__ = ["MinimalSeparation"]


class MinimalSeparation:
    """Finds separating sets in one graph, given as marks that are arrowheads and tails."""

    def __init__(self, marks: NDArray[np.uint8]) -> None:
        self._walker = Walker(marks)
        self._anteriors = anterior_bits(marks)
        self._dependent: dict[int, NDArray[np.bool_]] = {}  # for a node, to which others a walk leads given nothing

    def separates(self, given: Iterable[int], x: int, y: int) -> bool:
        """Whether a set separates two nodes that are not in it."""
        bits = bits_of(given, self._walker.words)
        return not self._walker.connected(x, y, bits, bits)

    def set_of(self, x: int, y: int) -> tuple[int, ...] | None:
        """A minimal set that separates x and y, in increasing order; None if there is no set, as for adjacent nodes.

        The set is the same for y and x.

        >>> from ancestral.graphs import MAG
        >>> separation = MinimalSeparation(MAG.parse("a --> b, b --> c, d --> c").marks)
        >>> separation.set_of(0, 2), separation.set_of(0, 3), separation.set_of(0, 1)
        ((1,), (), None)
        """
        x, y = min(x, y), max(x, y)
        walker = self._walker
        if not self._given_nothing(x)[y]:
            return ()
        given = (self._anteriors[x] | self._anteriors[y]) & ~bits_of((x, y), walker.words)
        if walker.connected(x, y, given, given):
            return None
        for end in (x, y):
            met = np.zeros(64 * walker.words, dtype=bool)
            met[walker.reached(end, given, given)] = True
            given = given & np.packbits(met, bitorder="little").view(np.uint64)
        return tuple(np.flatnonzero(np.unpackbits(given.view(np.uint8), bitorder="little")).tolist())

    def _given_nothing(self, x: int) -> NDArray[np.bool_]:
        if x not in self._dependent:
            nothing = np.zeros(self._walker.words, dtype=np.uint64)
            self._dependent[x] = np.zeros(len(self._anteriors), dtype=bool)
            self._dependent[x][self._walker.reached(x, nothing, nothing)] = True
        return self._dependent[x]
