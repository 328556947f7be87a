"""Grouped moments: weighted moments of each independent group of rows, by key, in a form that adds up.

A group is a cluster. Where rows have weights and no clusters, each row would be a group, and sums over a stream cannot
keep them apart; so they are dealt out to some hundred groups, by where they are in their source, which has nothing to
do with what is in them. Sums over such groups have the same variance as sums over single rows (the method of random
groups; Wolter 2007, Introduction to Variance Estimation, chapter 2). In the same way clusters are put together if there
are very many.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats, Labels
from ancestral.data.design import Design, DesignFacts
from ancestral.data.errors import DataError
from ancestral.data.row_hash import mixed_bits, text_bits
from ancestral.data.stats.grouped_rows import GroupedRows

__all__ = ["GroupedMoments", "group_labels"]

#: The groups that rows without clusters are dealt out to.
DEALT = 256
#: The most groups; more clusters than this are put together, to at most as many as this, or fewer to save memory.
MOST_GROUPS, FEWEST_GROUPS = 1024, 64
#: The most numbers in all co-moments together: 128 MB.
MOST_NUMBERS = 1 << 24


def group_labels(design: Design, first: int, label: str | None) -> Labels:
    """The group of each row, of which the first is row number `first` of the file or partition `label`."""
    if design.clusters is not None:
        used, codes = np.unique(design.clusters.codes, return_inverse=True)
        return Labels(codes, tuple(f"={design.clusters.levels[code]}" for code in used.tolist()))
    places = np.arange(first, first + design.rows, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    places += np.uint64(text_bits("source", label or ""))
    dealt = (mixed_bits(places) % np.uint64(DEALT)).astype(np.int64)
    used, codes = np.unique(dealt, return_inverse=True)
    return Labels(codes, tuple(f"#{number}" for number in used.tolist()))


@dataclass(frozen=True, eq=False)
class GroupedMoments:
    """For each group its weight, and the weighted means and co-moments of columns that are named by keys.

    Labels of clusters begin with "=", those of groups that were dealt with "#". `rows` is the number of rows of all
    groups, `clusters` that of clusters before any were put together, `facts` names the columns of the design.
    """

    keys: tuple[Hashable, ...]
    labels: tuple[str, ...]
    weights: Floats
    means: Floats
    comoments: Floats
    rows: int
    facts: DesignFacts

    @classmethod
    def of(
        cls, columns: Mapping[Hashable, Floats], weights: Floats, groups: Labels, rows: int, facts: DesignFacts
    ) -> "GroupedMoments":
        """The moments of columns of numbers, of rows with these weights in these groups."""
        if len(groups.levels) > (most := _most_groups(len(columns))):
            used, place = np.unique([_bucket(label) % most for label in groups.levels], return_inverse=True)
            groups = Labels(place[groups.codes], tuple(f"#{number}" for number in used.tolist()))
        count, width = len(groups.levels), len(columns)
        order = np.argsort(groups.codes, kind="stable")
        starts = np.searchsorted(groups.codes[order], np.arange(count + 1))
        matrix = np.stack([np.asarray(column, dtype=np.float64)[order] for column in columns.values()])
        heavy = weights[order]
        total, means, comoments = np.zeros(count), np.zeros((count, width)), np.zeros((count, width, width))
        for g in range(count):
            part, own = matrix[:, starts[g] : starts[g + 1]], heavy[starts[g] : starts[g + 1]]
            total[g] = own.sum()
            mean = part[:, 0].copy() if len(own) else np.zeros(width)
            for _ in range(2):  # the second time removes what rounding left of the mean
                mean += (part - mean[:, None]) @ own / total[g]
            centred = (part - mean[:, None]) * np.sqrt(own)
            means[g], comoments[g] = mean, centred @ centred.T
        return cls(tuple(columns), tuple(groups.levels), total, means, comoments, rows, facts)

    @property
    def weight(self) -> float:
        """The sum of all weights."""
        return float(self.weights.sum())

    @cached_property
    def mean(self) -> Floats:
        """The weighted means over all groups."""
        out: Floats = self.weights @ self.means / self.weight
        return out

    @cached_property
    def total(self) -> Floats:
        """The weighted co-moments over all groups."""
        apart = (self.means - self.mean) * np.sqrt(self.weights)[:, None]
        out: Floats = self.comoments.sum(axis=0) + apart.T @ apart
        return out

    def select(self, keys: Sequence[Hashable]) -> "GroupedMoments":
        """The moments of these columns, in this order."""
        if tuple(keys) == self.keys:
            return self
        position = {key: i for i, key in enumerate(self.keys)}
        where = [position[key] for key in keys]
        comoments = self.comoments[:, where][:, :, where]
        return replace(self, keys=tuple(keys), means=self.means[:, where], comoments=comoments)

    def __add__(self, other: "GroupedMoments") -> "GroupedMoments":
        keys = tuple(dict.fromkeys((*self.keys, *other.keys)))
        one, two = self, other
        if one.is_dealt != two.is_dealt:
            one, two = (part if part.is_dealt else part._put_together(MOST_GROUPS) for part in (one, two))
        labels = tuple(dict.fromkeys((*one.labels, *two.labels)))
        one, two = one._padded(keys, labels), two._padded(keys, labels)
        weights = one.weights + two.weights
        share = two.weights / weights
        apart = two.means - one.means
        means = one.means + apart * share[:, None]
        between = np.einsum("gi,gj->gij", apart, apart * (one.weights * share)[:, None])
        count = max(one.facts.cluster_count, two.facts.cluster_count, 0 if labels[0][0] == "#" else len(labels))
        facts = replace(self.facts, rows=one.rows + two.rows, cluster_count=count if self.facts.clusters else 0)
        comoments = one.comoments + two.comoments + between
        return GroupedMoments(keys, labels, weights, means, comoments, one.rows + two.rows, facts)._bounded()

    @property
    def is_dealt(self) -> bool:
        """Whether the groups are not clusters, but dealt or put together."""
        return self.labels[0].startswith("#")

    def _padded(self, keys: tuple[Hashable, ...], labels: tuple[str, ...]) -> "GroupedMoments":
        """The moments of these columns and groups; columns that are not known here were 0, and groups were empty."""
        if self.keys == keys and self.labels == labels:
            return self
        at_key, at_label = ({item: i for i, item in enumerate(items)} for items in (keys, labels))
        where, group = [at_key[key] for key in self.keys], [at_label[label] for label in self.labels]
        weights, means = np.zeros(len(labels)), np.zeros((len(labels), len(keys)))
        comoments = np.zeros((len(labels), len(keys), len(keys)))
        weights[group] = self.weights
        means[np.ix_(group, where)] = self.means
        comoments[np.ix_(group, where, where)] = self.comoments
        return replace(self, keys=keys, labels=labels, weights=weights, means=means, comoments=comoments)

    def _bounded(self) -> "GroupedMoments":
        """The same, with groups put together if there are too many."""
        most = _most_groups(len(self.keys))
        return self if len(self.labels) <= most else self._put_together(most)

    def _put_together(self, most: int) -> "GroupedMoments":
        """The same in at most this many groups; to which a group goes depends on its label alone."""
        bucket = np.array([_bucket(label) % most for label in self.labels])
        used, place = np.unique(bucket, return_inverse=True)
        weights: Floats = np.asarray(np.bincount(place, weights=self.weights), dtype=np.float64)
        means = np.zeros((len(used), len(self.keys)))
        np.add.at(means, place, self.means * self.weights[:, None])
        means /= weights[:, None]
        comoments = np.zeros((len(used), len(self.keys), len(self.keys)))
        for g, b in enumerate(place.tolist()):
            apart = self.means[g] - means[b]
            comoments[b] += self.comoments[g] + self.weights[g] * np.outer(apart, apart)
        labels = tuple(f"#{number}" for number in used.tolist())
        return replace(self, labels=labels, weights=weights, means=means, comoments=comoments)

    def as_rows(self) -> GroupedRows:
        """Rows with the same sums of products in each group: as many as it has directions, and one for its mean."""
        order = np.argsort(np.array(self.labels))
        scales = np.sqrt(self.total.diagonal() / self.weight)
        unit = np.where(scales > 0, scales, 1.0)
        factor = self.rows / self.weight
        parts: list[Floats] = []
        starts = [0]
        for g in order.tolist():
            roots, vectors = np.linalg.eigh(self.comoments[g] / np.outer(unit, unit))
            some = roots > 1e-14 * max(float(roots[-1]), 0.0)
            apart = (self.means[g] - self.mean) / unit * np.sqrt(self.weights[g])
            parts.append(np.column_stack([vectors[:, some] * np.sqrt(roots[some]), apart]) * np.sqrt(factor))
            starts.append(starts[-1] + parts[-1].shape[1])
        values = np.ascontiguousarray(np.concatenate(parts, axis=1))
        return GroupedRows(self.keys, values, scales, np.array(starts, dtype=np.int64), self.rows)

    @property
    def hashed(self) -> list[NDArray[np.float64] | str]:
        """The content for a fingerprint, in the order of labels."""
        order = np.argsort(np.array(self.labels))
        names = [self.labels[g] for g in order.tolist()]
        return [*names, self.weights[order], self.means[order], self.comoments[order]]


def _most_groups(columns: int) -> int:
    """The most groups whose moments are kept, of this many columns. Raises DataError if the columns are too many."""
    most = MOST_GROUPS
    while most > FEWEST_GROUPS and most * columns**2 > MOST_NUMBERS:
        most //= 2
    if most * columns**2 > MOST_NUMBERS:
        raise DataError(
            f"{columns:,} columns of numbers and of levels are too many to sum up by group; leave some out, or read "
            "all rows as one table"
        )
    return most


def _bucket(label: str) -> int:
    return int(label[1:]) if label.startswith("#") else text_bits("cluster", label)
