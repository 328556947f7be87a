"""Grouped counts: the weight of each configuration of levels in each independent group of rows.

The discrete counterpart of `grouped_moments`. Beside the sum of the weights of each configuration, those of their
squares and fourth powers are kept: where there are no clusters, they tell how much single rows vary.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats, Labels, in_level_order
from ancestral.data.design import DesignFacts
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.keyed_moments import Key
from ancestral.data.stats.packing import Packing

__all__ = ["GroupedCounts", "powers_of"]

Codes = NDArray[np.integer]


def powers_of(weights: Floats) -> Floats:
    """Weights, their squares and their fourth powers, a row each."""
    return np.stack([weights, weights**2, weights**4])


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Configurations of columns in groups: codes for each column, the code of the group, and sums of powers of weights.

    `groups` are the labels of groups, as in `GroupedMoments`.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    groups: tuple[str, ...]
    codes: NDArray[np.int32]
    group: NDArray[np.int32]
    powers: Floats
    facts: DesignFacts

    @classmethod
    def of(cls, columns: Mapping[str, Labels], weights: Floats, groups: Labels, facts: DesignFacts) -> "GroupedCounts":
        """The configurations of columns without missing values, of rows with these weights in these groups."""
        codes = np.stack([column.codes for column in columns.values()]).astype(np.int32)
        levels = tuple(tuple(column.levels) for column in columns.values())
        group = np.asarray(groups.codes, dtype=np.int32)
        return cls(tuple(columns), levels, tuple(groups.levels), codes, group, powers_of(weights), facts)._tallied()

    @property
    def weights(self) -> Floats:
        """The weight of each configuration in each group."""
        return np.asarray(self.powers[0])

    def _tallied(self) -> "GroupedCounts":
        """The same with each configuration once in each group."""
        packing = Packing((*map(len, self.levels), len(self.groups)))
        words = packing.packed([*self.codes, self.group])
        order = np.lexsort(words.T[::-1])
        ordered = words[order]
        starts = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
        first = order[starts]
        powers = np.add.reduceat(self.powers[:, order], starts, axis=1)
        return replace(self, codes=self.codes[:, first], group=self.group[first], powers=powers)

    def table(self, names: Sequence[str]) -> Floats:
        """The sums of weights by the levels of these columns, an axis for each."""
        where = [self.names.index(name) for name in names]
        shape = tuple(len(self.levels[v]) for v in where)
        cell = np.zeros(self.codes.shape[1], dtype=np.intp)
        for v, size in zip(where, shape, strict=True):
            cell = cell * size + self.codes[v]
        sums = np.bincount(cell, weights=self.weights, minlength=prod(shape))
        return np.asarray(sums, dtype=np.float64).reshape(shape)

    def select(self, names: Sequence[str]) -> "GroupedCounts":
        """The configurations of these columns, in this order."""
        if tuple(names) == self.names:
            return self
        where = [self.names.index(name) for name in names]
        levels = tuple(self.levels[v] for v in where)
        return replace(self, names=tuple(names), levels=levels, codes=self.codes[where])._tallied()

    def with_levels(self, levels: Sequence[Sequence[str]], groups: tuple[str, ...] | None = None) -> "GroupedCounts":
        """The same with codes for these levels and groups, which must include all that occur."""
        known = tuple(tuple(some) for some in levels)
        labels = self.groups if groups is None else groups
        if known == self.levels and labels == self.groups:
            return self
        codes = [_recoded(self.codes[v], self.levels[v], known[v]) for v in range(len(self.names))]
        group = _recoded(self.group, self.groups, labels)
        return replace(self, levels=known, groups=labels, codes=np.stack(codes), group=group)

    def __add__(self, other: "GroupedCounts") -> "GroupedCounts":
        other = other.select(self.names)
        levels = [
            one if one == two else in_level_order({*one, *two})
            for one, two in zip(self.levels, other.levels, strict=True)
        ]
        groups = tuple(dict.fromkeys((*self.groups, *other.groups)))
        one, two = self.with_levels(levels, groups), other.with_levels(levels, groups)
        facts = replace(
            self.facts,
            rows=one.facts.rows + two.facts.rows,
            cluster_count=0 if self.facts.clusters is None else len(groups),
        )
        return replace(
            one,
            codes=np.concatenate([one.codes, two.codes], axis=1),
            group=np.concatenate([one.group, two.group]),
            powers=np.concatenate([one.powers, two.powers], axis=1),
            facts=facts,
        )._tallied()

    def as_moments(self, numbers: frozenset[str], discrete: frozenset[str]) -> GroupedMoments:
        """The moments of the numbers that levels write, and of an indicator for each level, of these columns."""
        columns: dict[Hashable, Floats] = {}
        for v, name in enumerate(self.names):
            if name in numbers:
                columns[Key(name)] = np.array([float(level) for level in self.levels[v]])[self.codes[v]]
            if name in discrete:
                for code, level in enumerate(self.levels[v]):
                    columns[Key(name, level)] = (self.codes[v] == code).astype(np.float64)
        groups = Labels(self.group, self.groups)
        return GroupedMoments.of(columns, self.weights, groups, self.facts.rows, self.facts)


def _recoded(codes: NDArray[np.int32], levels: tuple[str, ...], others: tuple[str, ...]) -> NDArray[np.int32]:
    """Codes of levels as codes of other levels, which include all that occur."""
    position = {level: code for code, level in enumerate(others)}
    new = np.array([position.get(level, 0) for level in levels], dtype=np.int32)
    return new[codes]
