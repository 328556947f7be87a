"""Many sets of positions, kept in two arrays: the size of each set, and the members of all sets in a row."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Sets"]


@dataclass(frozen=True, eq=False)
class Sets:
    """Set number i has `sizes[i]` members, in increasing order; size -1 stands for None.

    >>> sets = Sets.of([(1, 4), None, (), (3,)])
    >>> sets.sizes.tolist(), sets.members.tolist(), sets[0], sets[1], sets[2], sets[3]
    ([2, -1, 0, 1], [1, 4, 3], (1, 4), None, (), (3,))
    """

    sizes: NDArray[np.intc]
    members: NDArray[np.intc]

    @classmethod
    def of(cls, sets: Iterable[tuple[int, ...] | None]) -> "Sets":
        """The same sets as arrays."""
        listed = list(sets)
        sizes = [-1 if given is None else len(given) for given in listed]
        return cls(np.array(sizes, np.intc), np.array([z for given in listed for z in given or ()], np.intc))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The number of members of each set; 0 for None."""
        return np.maximum(self.sizes, 0).astype(np.int64)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The number of the set to which each member belongs."""
        return np.repeat(np.arange(len(self.sizes)), self.counts)

    @cached_property
    def _stops(self) -> NDArray[np.int64]:
        return np.cumsum(self.counts)

    def renamed(self, names: NDArray[np.integer]) -> "Sets":
        """These sets with each member z replaced by `names[z]`."""
        members = names[self.members]
        return Sets(self.sizes, members[np.lexsort((members, self.owners))].astype(np.intc))

    def chosen(self, which: NDArray[np.bool_]) -> "Sets":
        """The sets for which `which` is true."""
        return Sets(self.sizes[which], self.members[which[self.owners]])

    def replaced(self, numbers: NDArray[np.integer], others: "Sets") -> "Sets":
        """These sets, with those of the given numbers, which differ, replaced by the others.

        >>> list(Sets.of([(1, 4), None, ()]).replaced(np.array([2, 0]), Sets.of([(5, 6), (3,)])))
        [(3,), None, (5, 6)]
        """
        kept = np.ones(len(self), dtype=bool)
        kept[numbers] = False
        sizes = self.sizes.copy()
        sizes[numbers] = others.sizes
        left = kept[self.owners]
        owners = np.concatenate([self.owners[left], np.asarray(numbers, dtype=np.int64)[others.owners]])
        members = np.concatenate([self.members[left], others.members])
        return Sets(sizes, members[np.argsort(owners, kind="stable")])

    def __len__(self) -> int:
        return len(self.sizes)

    def __getitem__(self, number: int) -> tuple[int, ...] | None:
        size = int(self.sizes[number])
        if size < 0:
            return None
        stop = int(self._stops[number])
        return tuple(self.members[stop - size : stop].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...] | None]:
        return map(self.__getitem__, range(len(self)))
