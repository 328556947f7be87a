"""Latent correlations of continuous, ordinal and binary columns, and how much they vary together.

Every column is taken as a monotone function of a normal variable: a continuous column as an invertible one, so that its
normal scores stand for it, an ordinal column as a step function, of which only the level is seen. Correlations of two
continuous columns are those of their normal scores, the others are by maximum likelihood (`_latent_cy`).

Each estimate has an influence function: what one row adds to N times its error. Γ, the covariance of the influence of
all pairs, is N times the covariance of the estimates (`LatentEstimate.gamma`). It is a sum over rows, made of some rows
at a time. Under a design rows have weights and belong to groups (`RowGroups`); then it is a sum over groups, of the
weighted influences of their rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.design import Design
from ancestral.data.errors import DataError
from ancestral.data.read.deadline import check
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.grouped_counts import GroupedCounts
from ancestral.independence._latent_cy import LatentPairs
from ancestral.independence.blocks import MOST_BYTES

__all__ = ["LatentColumns", "LatentEstimate", "RowGroups", "nearest_correlation"]

Floats = NDArray[np.float64]
Codes = NDArray[np.intc]

#: Points of the grid on which the effect of a continuous margin is tabulated; that of the kernel.
GRID_POINTS = 257
#: Influences that are in memory together while Γ is summed up: 32 MB.
MOST_INFLUENCES = 1 << 22
#: The smallest eigenvalue of the correlations that questions use.
LEAST_EIGENVALUE = 1e-4
#: Variables that are given where the effective rows of a table are estimated: as many as a node of a sparse graph has
#: neighbours.
MOST_GIVEN = 2


@dataclass(frozen=True)
class _Scores:
    """A continuous column: its rows by value, and where the ties of each of them begin and end."""

    order: NDArray[np.intp]
    first: NDArray[np.intp]
    last: NDArray[np.intp]

    @classmethod
    def of(cls, values: Floats) -> "_Scores":
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        first = np.searchsorted(ordered, ordered, side="left")
        last = np.searchsorted(ordered, ordered, side="right") - 1
        return cls(order, first, last)

    def standardised(self, weights: Floats) -> Floats | None:
        """The normal scores of the weighted rows, with variance 1; None if they do not vary."""
        from scipy.special import ndtri

        drawn = weights[self.order]
        upto = np.cumsum(drawn)
        middle = 0.5 * ((upto - drawn)[self.first] + upto[self.last])  # half of the ties count as smaller
        scores = np.zeros(len(drawn))
        present = drawn > 0
        scores[self.order[present]] = ndtri(middle[present] / upto[-1])
        scores -= weights @ scores / upto[-1]
        square = float(weights @ scores**2 / upto[-1])
        return None if square < 1e-12 else scores / np.sqrt(square)


@dataclass(frozen=True, eq=False)
class RowGroups:
    """The independent groups of weighted rows.

    `group` has that of each row, numbered from 0. Without clusters it is None, and a row is one of the sample or stands
    for some that are equal; `second` and `fourth` are the sums of squares and fourth powers of their weights.
    """

    count: int
    group: NDArray[np.intp] | None
    second: Floats
    fourth: Floats

    @classmethod
    def of(cls, design: Design) -> "RowGroups":
        """The groups of the rows of a table."""
        order, starts = design.groups
        count = len(starts) - 1
        if design.clusters is None:
            return cls(count, None, design.scaled**2, design.scaled**4)
        group = np.empty(len(order), dtype=np.intp)
        group[order] = np.repeat(np.arange(count), np.diff(starts))
        return cls(count, group, np.ones(count), np.ones(count))

    @classmethod
    def of_counts(cls, counts: GroupedCounts) -> "RowGroups":
        """The groups of configurations, each of which is a row."""
        facts = counts.facts
        if facts.clusters is None:
            scale = facts.rows / counts.weights.sum()
            return cls(facts.rows, None, counts.powers[1] * scale**2, counts.powers[2] * scale**4)
        count = len(counts.groups)
        return cls(count, counts.group.astype(np.intp), np.ones(count), np.ones(count))

    @property
    def spread(self) -> float:
        """By how much a variance between so few groups is estimated too small."""
        return self.count / max(self.count - 1, 1)


@dataclass(frozen=True)
class LatentColumns:
    """Columns whose latent correlations are to be estimated: codes of ordered levels, or the order of numbers.

    `weights` says how many rows each row stands for; under a design, what it counts for, in these `groups`.
    """

    names: tuple[str, ...]
    codes: tuple[Codes | None, ...]
    scores: tuple[_Scores | None, ...]
    weights: Floats
    groups: RowGroups | None = None

    @classmethod
    def of(cls, table: Table) -> "LatentColumns":
        """The columns of a table without missing values."""
        levels = [column.levels for column in table.columns]
        values = [column.values for column in table.columns]
        return cls(
            table.names,
            tuple(None if own is None else np.asarray(v, dtype=np.intc) for own, v in zip(levels, values, strict=True)),
            tuple(
                _Scores.of(np.asarray(v, dtype=np.float64)) if own is None else None
                for own, v in zip(levels, values, strict=True)
            ),
            np.ones(table.rows) if table.design is None else table.design.scaled,
            None if table.design is None else RowGroups.of(table.design),
        )

    @classmethod
    def of_counts(cls, counts: Counts) -> "LatentColumns":
        """The columns of counts: each configuration is a row with a weight."""
        words, weights = counts.joined()
        words = np.asarray(words)
        codes = tuple(
            np.ascontiguousarray(counts.packing.unpacked(words, v), dtype=np.intc) for v in range(len(counts.names))
        )
        return cls(counts.names, codes, (None,) * len(codes), np.asarray(weights, dtype=np.float64))

    @classmethod
    def of_grouped_counts(cls, counts: Counts, grouped: GroupedCounts) -> "LatentColumns":
        """The columns of counts under a design: each configuration in each group is a row with a weight."""
        grouped = grouped.select(counts.names).with_levels(counts.levels)  # in the order of levels
        codes = tuple(np.ascontiguousarray(own, dtype=np.intc) for own in grouped.codes)
        weights = np.asarray(grouped.weights * (grouped.facts.rows / grouped.weights.sum()))
        return cls(counts.names, codes, (None,) * len(codes), weights, RowGroups.of_counts(grouped))

    def estimate(self, weights: NDArray[np.integer] | Floats | None = None) -> "LatentEstimate | None":
        """The latent correlations of the columns that vary; None if fewer than two do.

        With `weights`, row i counts weights[i] times as often as it does already; not under a design.
        """
        own = self.weights if weights is None else self.weights * weights
        names: list[str] = []
        columns: list[_Levels | Floats] = []
        for name, codes, scores in zip(self.names, self.codes, self.scores, strict=True):
            check()
            column = _Levels.of(codes, own) if codes is not None else scores.standardised(own) if scores else None
            if column is not None:
                names.append(name)
                columns.append(column)
        return LatentEstimate.of(tuple(names), columns, own, self.groups) if len(names) > 1 else None


@dataclass(frozen=True)
class _Levels:
    """An ordinal column with some weights: codes of the levels that occur, and the thresholds between these."""

    codes: Codes
    thresholds: Floats

    @classmethod
    def of(cls, codes: Codes, weights: Floats) -> "_Levels | None":
        """None if a single level occurs. Rows of weight 0 may have any code."""
        from scipy.special import ndtri

        shares = np.bincount(codes, weights)
        occurs = shares > 0
        if occurs.sum() < 2:
            return None
        position = np.maximum(np.cumsum(occurs) - 1, 0).astype(np.intc)
        upto = np.cumsum(shares[occurs])
        return cls(position[codes], np.asarray(ndtri(upto[:-1] / upto[-1])))

    @property
    def count(self) -> int:
        return len(self.thresholds) + 1

    @property
    def shown(self) -> float:
        """The share of the variance of the latent variable that the levels show: the variance of its mean by level."""
        from scipy.special import ndtr

        densities = np.exp(-0.5 * np.concatenate([[np.inf], self.thresholds, [np.inf]]) ** 2) / np.sqrt(2 * np.pi)
        shares = np.diff(np.concatenate([[0.0], ndtr(self.thresholds), [1.0]]))
        return float((np.diff(densities) ** 2 / shares).sum())


@dataclass(frozen=True)
class _Serial:
    """The estimate of a continuous with an ordinal column, and what the influence of a row is computed from."""

    r: float
    information: float
    effects: Floats
    margin: Floats


@dataclass(frozen=True, eq=False)
class LatentEstimate:
    """The latent correlations of columns, and the influence of each row on each of them.

    `correlation` has the estimates pair by pair, which need not be positive definite together. Pairs are in the order
    of `numpy.triu_indices(n, 1)`.
    """

    names: tuple[str, ...]
    correlation: Floats
    columns: Sequence[_Levels | Floats]
    weights: Floats
    details: Sequence[Floats | _Serial | None]
    groups: RowGroups | None = None

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        columns: Sequence[_Levels | Floats],
        weights: Floats,
        groups: RowGroups | None = None,
    ) -> "LatentEstimate":
        """Estimate every pair."""
        kernel = _kernel(columns)
        out = np.eye(len(names))
        total = float(weights.sum())
        details: list[Floats | _Serial | None] = []
        for i, j in _pairs(len(names)):
            check()
            one, two = columns[i], columns[j]
            detail: Floats | _Serial | None = None
            if isinstance(one, _Levels) and isinstance(two, _Levels):
                cells = np.bincount(one.codes * two.count + two.codes, weights, minlength=one.count * two.count)
                detail = np.empty((one.count, two.count))
                shares = (cells / total).reshape(detail.shape)
                out[i, j] = kernel.polychoric(shares, one.thresholds, two.thresholds, detail)
            elif isinstance(one, _Levels) or isinstance(two, _Levels):
                levels, scores = (one, two) if isinstance(one, _Levels) else (two, one)
                assert isinstance(levels, _Levels)
                effects, margin = np.empty(len(levels.thresholds)), np.empty(GRID_POINTS)
                r, information = kernel.polyserial(scores, levels.codes, weights, levels.thresholds, effects, margin)
                out[i, j], detail = r, _Serial(r, information, effects, margin)
            else:
                out[i, j] = float((weights * one) @ two) / total
            details.append(detail)
            out[j, i] = out[i, j]
        return cls(names, out, columns, weights, details, groups)

    @property
    def rows(self) -> int:
        """The number of rows that the weights stand for."""
        return round(float(self.weights.sum()))

    @property
    def shown(self) -> Floats:
        """The share of the variance of each latent variable that its column shows."""
        return np.array([column.shown if isinstance(column, _Levels) else 1.0 for column in self.columns])

    @cached_property
    def positive(self) -> Floats:
        """The nearest correlations that are positive definite."""
        return nearest_correlation(self.correlation)

    def influences(self) -> Iterator[tuple[Floats, Floats]]:
        """The influence of some rows at a time on each pair, a row a pair, and the weights of these rows."""
        used = np.flatnonzero(self.weights > 0)
        kernel = _kernel(self.columns)
        at_once = max(1, MOST_INFLUENCES // max(len(self.details), 1))
        for start in range(0, len(used), at_once):
            check()
            rows = used[start : start + at_once]
            yield self._influence(rows, kernel), self.weights[rows]

    def _influence(self, rows: NDArray[np.intp], kernel: LatentPairs) -> Floats:
        out = np.empty((len(self.details), len(rows)))
        for e, ((i, j), detail) in enumerate(zip(_pairs(len(self.names)), self.details, strict=True)):
            one, two = self.columns[i], self.columns[j]
            if isinstance(one, _Levels) and isinstance(two, _Levels):
                assert isinstance(detail, np.ndarray)
                out[e] = detail[one.codes[rows], two.codes[rows]]
            elif isinstance(detail, _Serial):
                levels, scores = (one, two) if isinstance(one, _Levels) else (two, one)
                assert isinstance(levels, _Levels) and isinstance(scores, np.ndarray)
                kernel.serial_influence(
                    scores[rows], levels.codes[rows], levels.thresholds,
                    detail.r, detail.information, detail.effects, detail.margin, out[e],
                )  # fmt: skip
            else:
                assert isinstance(one, np.ndarray) and isinstance(two, np.ndarray)
                a, b = one[rows], two[rows]
                out[e] = a * b - 0.5 * self.correlation[i, j] * (a * a + b * b)
        return out

    @cached_property
    def gamma(self) -> Floats:
        """The number of rows times the covariance of the estimates of all pairs."""
        total = np.zeros((len(self.details), len(self.details)))
        for added in self._independent_parts():
            total += added @ added.T
        return total / self.rows

    def _independent_parts(self) -> Iterator[Floats]:
        """Independent parts of the errors of all pairs, some at a time; the sum of their squares is Γ times the rows.

        These are influences of rows, or under a design their sums over groups.
        """
        if self.groups is None:
            for influence, weights in self.influences():
                influence *= np.sqrt(weights)
                yield influence
        else:
            yield self.unit_sums * np.sqrt(self.groups.second * self.groups.spread)

    @cached_property
    def unit_sums(self) -> Floats:
        """Under a design: the weighted influences of rows, summed within clusters; without clusters, as they are.

        A row of the result for each pair. Raises `DataError` if they take more than `MOST_BYTES`.
        """
        groups = self.groups
        assert groups is not None
        units = len(groups.second)
        size = 8 * units * len(self.details)
        if size > MOST_BYTES:
            raise DataError(
                f"with weights, what rows add to latent correlations must take at most {MOST_BYTES / 2**30:.0f} GiB, "
                f"and that of {units:,} rows and {len(self.names):,} columns takes {size / 2**30:.1f} GiB; leave out "
                "columns, or draw some of the rows"
            )
        out = np.zeros((len(self.details), units))
        used, done = np.flatnonzero(self.weights > 0), 0
        for influence, weights in self.influences():
            rows = used[done : done + len(weights)]
            done += len(weights)
            if groups.group is None:
                out[:, rows] = influence
                continue
            group = groups.group[rows]
            for e, added in enumerate(influence * weights):
                out[e] += np.bincount(group, added, units)
        return out

    def design_effect(self) -> float:
        """How many times as much the estimates vary as with as many independent rows of equal weight, on average."""
        assert self.groups is not None
        plain = np.zeros(len(self.details))
        for influence, weights in self.influences():
            plain += influence**2 @ weights
        whole = sum((added**2).sum(axis=1) for added in self._independent_parts())
        return float(np.mean(np.asarray(whole)[plain > 0] / plain[plain > 0]))

    def effective_rows(self) -> Floats:
        """The effective rows of the question about each pair given the two variables that have most to do with both.

        They are the number of rows of exact normal numbers whose partial correlation varies as much.
        """
        n = len(self.names)
        others = min(n - 2, MOST_GIVEN)
        strength = np.abs(self.positive)
        pair_row = np.zeros((n, n), dtype=np.intp)
        pair_row[np.triu_indices(n, 1)] = np.arange(len(self.details))
        pair_row += pair_row.T
        first, second = np.triu_indices(others + 2, 1)
        rows = np.empty((len(self.details), len(first)), dtype=np.intp)
        gradient = np.empty(rows.shape)
        partial = np.empty(len(self.details))
        for e, (x, y) in enumerate(_pairs(n)):
            common = np.minimum(strength[x], strength[y])
            common[[x, y]] = -1
            members = np.array([x, y, *np.argsort(-common, kind="stable")[:others]])
            partial[e], of_pairs = _partial_correlation(self.positive[np.ix_(members, members)])
            rows[e] = pair_row[members[first], members[second]]
            gradient[e] = of_pairs[first, second]
        total = np.zeros(len(self.details))
        for added in self._independent_parts():
            summed = sum(gradient[:, j, None] * added[rows[:, j]] for j in range(rows.shape[1]))
            total += (np.asarray(summed) ** 2).sum(axis=1)
        variance = total / self.rows / (1 - np.minimum(partial**2, 1 - 1e-6)) ** 2
        return np.asarray(self.rows / np.maximum(variance, 1.0))


def _partial_correlation(correlation: Floats) -> tuple[float, Floats]:
    """The partial correlation of the first two variables given the others, and its derivative by each correlation."""
    inverse = np.linalg.inv(correlation)
    u, v = inverse[0] / np.sqrt(inverse[0, 0]), inverse[1] / np.sqrt(inverse[1, 1])
    r = float(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
    return r, np.outer(u, v) + np.outer(v, u) + r * (np.outer(u, u) + np.outer(v, v))


def _kernel(columns: Sequence[_Levels | Floats]) -> LatentPairs:
    return LatentPairs(max((column.count for column in columns if isinstance(column, _Levels)), default=2))


def _pairs(n: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(n) for j in range(i + 1, n))


def nearest_correlation(correlation: Floats, least: float = LEAST_EIGENVALUE) -> Floats:
    """The nearest correlation matrix whose eigenvalues are at least `least`; the same one if it is such a matrix.

    By alternating projections with Dykstra's correction (Higham 2002): to the matrices with large enough eigenvalues,
    and to those with a unit diagonal.
    """
    if float(np.linalg.eigvalsh(correlation)[0]) >= least:
        return correlation
    out, correction = correlation.copy(), np.zeros_like(correlation)
    for _ in range(100):
        shifted = out - correction
        values, vectors = np.linalg.eigh(shifted)
        projected = (vectors * np.maximum(values, 1.01 * least)) @ vectors.T
        correction = projected - shifted
        new = projected.copy()
        np.fill_diagonal(new, 1.0)
        change = float(np.abs(new - out).max())
        out = new
        if change < 1e-7:
            break
    values, vectors = np.linalg.eigh(out)  # what the last projection left below the bound
    out = (vectors * np.maximum(values, least)) @ vectors.T
    root = np.sqrt(out.diagonal())
    out = out / root[:, None] / root
    out = 0.5 * (out + out.T)
    np.fill_diagonal(out, 1.0)
    return out
