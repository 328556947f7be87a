"""Design: how rows were sampled: a weight for each row, and the cluster that it belongs to.

A weight says how many rows of the population a row stands for; only the ratios of weights count. Rows of one cluster
(a school, a household, a patient who was seen several times) may depend on each other, rows of different clusters do
not. So under any design the rows fall into independent groups: its clusters, or single rows if there are none.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.column_kinds import Floats, Kind, Labels, is_number, labels_of_numbers
from ancestral.data.errors import DataError
from ancestral.errors import Option, OptionError
from ancestral.options import TableOptions
from ancestral.printing import counted

__all__ = [
    "HASHED", "Design", "DesignFacts", "check_design_columns", "design_columns", "design_of", "missing_cluster",
    "number_of_weights",
]  # fmt: skip

#: What weights and clusters are called among the columns of a fingerprint; no column of a table has such a name.
HASHED = ("\0weights", "\0clusters")


class Readable(Protocol):
    """Where columns are read: all rows of a source, or a batch."""

    def column(self, name: str, kind: Kind | None, /) -> Floats | Labels:
        """The column of that name as numbers or labels."""

    def where(self, row: int) -> str:
        """How errors name a row, which is counted from 0."""


@dataclass(frozen=True)
class DesignFacts:
    """A design in numbers: rows, the names of its columns, the number of clusters, and how many rows it is worth.

    Of a stream with more than a thousand clusters their number is a lower bound. `effective` is the number of
    independent rows of equal weight that would tell as much about the correlation of two columns, on average over all
    pairs; None where there are no such correlations.

    >>> print(DesignFacts(1000, "w", "school", 40, 412.3))
    weights 'w', 40 clusters by 'school', worth 412 independent rows
    """

    rows: int
    weights: str | None
    clusters: str | None
    cluster_count: int
    effective: float | None = None

    def __str__(self) -> str:
        parts = [] if self.weights is None else [f"weights {self.weights!r}"]
        parts += [] if self.clusters is None else [f"{counted(self.cluster_count, 'cluster')} by {self.clusters!r}"]
        parts += [] if self.effective is None else [f"worth {self.effective:,.0f} independent rows"]
        return ", ".join(parts)


@dataclass(frozen=True, eq=False)
class Design:
    """Weights and clusters of the rows of a table: either may be None, but not both.

    `clusters` has labels; its codes are not negative. `weights_name` and `clusters_name` are the names of the columns.
    """

    weights: Floats | None = None
    clusters: Labels | None = None
    weights_name: str | None = None
    clusters_name: str | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        if self.weights is not None:
            return len(self.weights)
        assert self.clusters is not None
        return len(self.clusters.codes)

    @cached_property
    def row_weights(self) -> Floats:
        """A weight for each row; 1 where there are no weights."""
        return np.ones(self.rows) if self.weights is None else self.weights

    @cached_property
    def scaled(self) -> Floats:
        """The weights, scaled so that they add up to the number of rows."""
        weights = self.row_weights / self.row_weights.max()  # so that no sum overflows
        out: Floats = weights * (len(weights) / weights.sum())
        return out

    @property
    def kish(self) -> float:
        """The number of rows of equal weight whose mean is as precise, if weights have nothing to do with values.

        Kish (1965), Survey Sampling: (Σ w)² / Σ w².
        """
        return float(self.rows**2 / (self.scaled @ self.scaled))

    @cached_property
    def groups(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows ordered by the independent groups that they belong to, and where in this order each group begins."""
        if self.clusters is None:
            every = np.arange(self.rows + 1, dtype=np.int64)
            return every[:-1], every
        order = np.argsort(self.clusters.codes, kind="stable").astype(np.int64)
        by_group = self.clusters.codes[order]
        starts = np.flatnonzero(np.append(True, by_group[1:] != by_group[:-1]))
        return order, np.append(starts, len(order)).astype(np.int64)

    @property
    def facts(self) -> DesignFacts:
        """The design in numbers."""
        count = 0 if self.clusters is None else len(self.groups[1]) - 1
        return DesignFacts(self.rows, self.weights_name, self.clusters_name, count)

    @property
    def hashed(self) -> dict[str, Floats | Labels]:
        """The design as columns of a fingerprint."""
        both = zip(HASHED, (self.weights, self.clusters), strict=True)
        return {name: column for name, column in both if column is not None}

    def keep(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Design":
        """The design of some of the rows, given by a mask or by their numbers."""
        weights = None if self.weights is None else self.weights[rows]
        clusters = None if self.clusters is None else Labels(self.clusters.codes[rows], self.clusters.levels)
        return Design(weights, clusters, self.weights_name, self.clusters_name)

    def drawn(self, times: NDArray[np.int64]) -> tuple[NDArray[np.int64], "Design"]:
        """The rows of a resample in which row i was drawn times[i] times, and their design.

        A cluster that was drawn twice is two clusters.
        """
        copies = [np.flatnonzero(times > copy) for copy in range(int(times.max(initial=0)))]
        rows = np.concatenate(copies) if copies else np.zeros(0, dtype=np.int64)
        kept = self.keep(rows)
        if kept.clusters is None:
            return rows, kept
        count = len(kept.clusters.levels)
        copy_of = np.repeat(np.arange(len(copies)), [len(some) for some in copies])
        codes = kept.clusters.codes.astype(np.int64) + count * copy_of
        levels = tuple(f"{level} ({copy + 1})" for copy in range(len(copies)) for level in kept.clusters.levels)
        return rows, Design(kept.weights, Labels(codes, levels), self.weights_name, self.clusters_name)


def design_columns(options: TableOptions) -> tuple[str, ...]:
    """The columns of a source that say how its rows were sampled."""
    return tuple(dict.fromkeys(name for name in (options.weights, options.clusters) if name is not None))


def check_design_columns(options: TableOptions) -> None:
    """Raise `OptionError` if a column is to be both weights and clusters, or is to be dropped as well."""
    if options.weights is not None and options.weights == options.clusters:
        raise OptionError(
            [
                "cannot be combined with ",
                Option("clusters", options.clusters),
                ": one column cannot say both how much a row counts and which rows belong together",
            ],
            option="weights",
            value=options.weights,
            assigned=True,
            way_out="name another column, or leave one of the two out",
        )
    dropped = () if options.drop is None else names_list("drop", options.drop)
    for option, name in (("weights", options.weights), ("clusters", options.clusters)):
        if name is not None and name in dropped:
            raise OptionError(
                [
                    "cannot be combined with ",
                    Option(option, name),
                    ": a column of weights or clusters is no variable, so it need not be dropped",
                ],
                option="drop",
                value=[name],
                assigned=True,
                way_out=["leave it out of ", Option("drop"), ", or leave ", Option(option), " out"],
            )


def design_of(source: Readable, options: TableOptions) -> Design | None:
    """The design that the options name. Raises DataError, with the row, for weights or clusters that cannot be used."""
    if options.weights is None and options.clusters is None:
        return None
    weights = clusters = None
    if options.weights is not None:
        weights = number_of_weights(options.weights, source.column(options.weights, "discrete"), source)
    if options.clusters is not None:
        read = source.column(options.clusters, "discrete")
        clusters = read if isinstance(read, Labels) else labels_of_numbers(read)
        if (clusters.codes < 0).any():
            raise missing_cluster(options.clusters, source.where(int(np.argmax(clusters.codes < 0))))
    return Design(weights, clusters, options.weights, options.clusters)


def number_of_weights(name: str, read: Floats | Labels, source: Readable) -> Floats:
    """A column as weights. Raises DataError, with the row, unless all are finite numbers that are not negative."""
    if isinstance(read, Labels):
        good = np.array([*(is_number(level) for level in read.levels), True])[read.codes]  # -1 takes the last
        if not good.all():
            row = int(np.argmin(good))
            raise _bad_weight(name, f"{read.levels[read.codes[row]]!r}", source.where(row))
        values: Floats = np.array([*map(float, read.levels), np.nan])[read.codes]
    else:
        values = read
    usable = np.isfinite(values) & (values >= 0)
    if not usable.all():
        row = int(np.argmin(usable))
        raise _bad_weight(name, "missing" if np.isnan(values[row]) else f"{values[row]:g}", source.where(row))
    return values


def _bad_weight(name: str, what: str, where: str) -> DataError:
    return DataError(
        f"the weights in column {name!r} must be finite numbers, 0 or more, and one is {what} in {where}; correct "
        "it, or leave the row out (a weight of 0 does)"
    )


def missing_cluster(name: str, where: str) -> DataError:
    """The error for a row that belongs to no cluster."""
    return DataError(
        f"every row must belong to a cluster, and column {name!r} is missing in {where}; give the row a cluster of its "
        "own, or leave it out"
    )
