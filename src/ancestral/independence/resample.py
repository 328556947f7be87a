"""The same test on a resample: rows drawn anew, given as the number of times that each row was drawn.

What a test needs of the rows decides how. Fisher's z needs moments, and these can be weighted (`data/weighted`); the
likelihood ratio of blocks needs those of indicators, too. Normal scores need ranks: a row's rank in a resample is a sum
of weights along the order of its column, and that order is found once. The other tests need the rows themselves, so a
table of the drawn rows is made.

Each resample answers exactly as the test on a table with these rows would. A column that does not vary in a resample
depends on nothing there: it is left out of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments, Table
from ancestral.data.kinds import Floats, Kind
from ancestral.data.stats.weighted import WeightedRows, Weights, gathered, weighted_products
from ancestral.data.table import Column
from ancestral.errors import OptionError
from ancestral.graphs.names import in_order
from ancestral.independence.choose import Test
from ancestral.independence.custom import CustomTest
from ancestral.independence.discrete import GTest
from ancestral.independence.gaussian import FisherZ
from ancestral.independence.mixed import LikelihoodRatio, check_indicators
from ancestral.independence.oracle import Oracle

__all__ = ["Resampler", "resampler"]


class Resampler(Protocol):
    """What can be resampled; plain arrays and settings, so that it can be sent to another process."""

    @property
    def names(self) -> tuple[str, ...]:
        """All variables, in the order of names."""

    @property
    def rows(self) -> int:
        """How many rows there are to draw from."""

    def test(self, weights: Weights) -> Test | None:
        """The test on these rows, of the variables that vary in them; None where fewer than two do."""


def resampler(test: Test) -> Resampler:
    """What resamples a test; refused where there are no rows to draw."""
    if isinstance(test, Oracle):
        raise OptionError("an Oracle knows the truth and has no rows to draw; pass data, or compare with an.pag_of()")
    if isinstance(test, CustomTest):
        raise OptionError(
            f"the test {test.name!r} is a function of names, so it does not see which rows are drawn; draw rows in a "
            "loop of your own, with discover() on each sample, or use one of the tests that have a name"
        )
    if not isinstance(test, FisherZ | GTest | LikelihoodRatio):
        raise OptionError(f"a {type(test).__name__} cannot be resampled; pass data, and the name of a test")
    table = test.table
    if not isinstance(table, Table):
        raise OptionError("sums have no rows to draw; pass the table that they were made of, or a file")
    names = in_order(table.names)
    if isinstance(test, FisherZ):
        rows = WeightedRows.of(table, names)
        return _Scores.of(rows, test.alpha) if test.name == "rank" else _Gaussian(rows, test.alpha)
    ordered = table.select(names)
    if isinstance(test, GTest):
        return _Discrete(ordered, test.alpha, test.pearson)
    if not test.rowwise:
        return _Mixed.of(ordered, test.alpha)
    return _Blocks(ordered, test.alpha, test.fisher, test.scores)


def _of_moments(moments: Moments, alpha: float, name: str = "fisher-z") -> Test | None:
    """The test of the columns that vary."""
    varies = moments.comoments.diagonal() > 0
    if not varies.all():
        moments = moments.select([name for name, one in zip(moments.names, varies, strict=True) if one])
    return FisherZ(moments, alpha, name=name) if len(moments.names) > 1 else None


@dataclass(frozen=True)
class _Gaussian:
    """Fisher's z on weighted moments."""

    of: WeightedRows
    alpha: float

    @property
    def names(self) -> tuple[str, ...]:
        return self.of.names

    @property
    def rows(self) -> int:
        return int(self.of.values.shape[1])

    def test(self, weights: Weights) -> Test | None:
        return _of_moments(self.of.moments(weights), self.alpha)


@dataclass(frozen=True)
class _Scores:
    """Fisher's z on the normal scores that the drawn rows have among each other.

    `order` has the rows of each column by their values; `first` and `last`, in this order, where the ties of a value
    begin and end.
    """

    names: tuple[str, ...]
    order: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    alpha: float

    @classmethod
    def of(cls, rows: WeightedRows, alpha: float) -> "_Scores":
        order = np.argsort(rows.values, axis=1, kind="stable")
        by_value = np.take_along_axis(rows.values, order, axis=1)
        places = np.broadcast_to(np.arange(order.shape[1]), order.shape)
        begins = np.ones(order.shape, dtype=bool)
        begins[:, 1:] = by_value[:, 1:] != by_value[:, :-1]
        ends = np.ones(order.shape, dtype=bool)
        ends[:, :-1] = begins[:, 1:]
        first = np.maximum.accumulate(np.where(begins, places, 0), axis=1)
        behind = np.where(ends, places, order.shape[1])[:, ::-1]
        last = np.minimum.accumulate(behind, axis=1)[:, ::-1]
        return cls(rows.names, order, first, np.ascontiguousarray(last), alpha)

    @property
    def rows(self) -> int:
        return int(self.order.shape[1])

    def scores(self, weights: Weights) -> Floats:
        """The normal scores of the rows among those drawn, a row a variable; 0 for rows that were not drawn."""
        from scipy.special import ndtri

        drawn = weights[self.order]
        upto = np.cumsum(drawn, axis=1)
        before = np.take_along_axis(upto - drawn, self.first, axis=1)  # drawn rows with a smaller value
        # the mean rank of `ties` equal values after so many smaller ones is before + (ties + 1) / 2
        middle = (before + np.take_along_axis(upto, self.last, axis=1) + 1) / 2
        share = np.where(drawn > 0, (middle - 0.5) / upto[:, -1:], 0.5)
        out: Floats = np.empty(drawn.shape)
        np.put_along_axis(out, self.order, ndtri(share), axis=1)
        return out

    def test(self, weights: Weights) -> Test | None:
        scores = self.scores(weights)
        rows = int(weights.sum())
        mean = scores @ weights.astype(np.float64) / rows
        nothing = np.zeros(len(mean))
        _, products = weighted_products(scores, weights, mean, nothing, nothing + 1)
        drawn = scores[:, weights > 0]
        products[drawn.min(axis=1) == drawn.max(axis=1)] = 0
        return _of_moments(Moments(self.names, rows, mean, products), self.alpha, "rank")


@dataclass(frozen=True)
class _Mixed:
    """The likelihood ratio of blocks, on weighted moments of the numbers and of an indicator for each level.

    `columns` has those of one variable after the other, and `stands_for` the position of the variable of each.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    columns: WeightedRows
    stands_for: NDArray[np.int64]
    alpha: float

    @classmethod
    def of(cls, table: Table, alpha: float) -> "_Mixed":
        check_indicators(table, batch_size=True)
        values: list[NDArray[Any]] = []
        stands_for: list[int] = []
        for v, column in enumerate(table.columns):
            block = (
                [column.values] if column.levels is None else [column.values == c for c in range(len(column.levels))]
            )
            values += block
            stands_for += [v] * len(block)
        discrete = np.array([kind == "discrete" for kind in table.kinds])[stands_for]
        keys = tuple(f"{i}" for i in range(len(values)))
        columns = WeightedRows(keys, np.array(values, dtype=np.float64), discrete)
        return cls(table.names, table.kinds, columns, np.array(stands_for), alpha)

    @property
    def rows(self) -> int:
        return int(self.columns.values.shape[1])

    def test(self, weights: Weights) -> Test | None:
        moments = self.columns.moments(weights)
        there = self.columns.values @ weights.astype(np.float64)  # of a level: how often it was drawn
        sizes: dict[str, int] = {}
        keys: list[str] = []
        for v, (name, kind) in enumerate(zip(self.names, self.kinds, strict=True)):
            block = np.flatnonzero(self.stands_for == v)
            if kind == "discrete":
                usual = block[np.argmax(there[block])]
                block = block[(there[block] > 0) & (block != usual)]
            else:
                block = block[moments.comoments[block, block] > 0]
            if block.size:  # it varies
                sizes[name] = block.size
                keys += [f"{place}" for place in block.tolist()]
        if len(sizes) < 2:
            return None
        kinds = dict(zip(self.names, self.kinds, strict=True))
        drawn = _Drawn(tuple(sizes), tuple(kinds[name] for name in sizes), moments.select(keys), sizes)
        return LikelihoodRatio(drawn, self.alpha)


@dataclass(frozen=True)
class _Drawn:
    """What a resample knows of blocks."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    moments: Moments
    sizes: Mapping[str, int]

    @property
    def rows(self) -> int:
        return self.moments.rows

    @property
    def fingerprint(self) -> str:
        return self.moments.fingerprint

    def blocks(self) -> tuple[Mapping[str, int], Floats]:
        return self.sizes, self.moments.correlation


@dataclass(frozen=True)
class _OfTable:
    """A test that is made anew of the drawn rows of a table."""

    table: Table
    alpha: float

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names

    @property
    def rows(self) -> int:
        return self.table.rows


@dataclass(frozen=True)
class _Discrete(_OfTable):
    """G or chi-squared on the drawn rows."""

    pearson: bool

    def test(self, weights: Weights) -> Test | None:
        table = _varying(gathered(self.table, weights))
        return None if table is None else GTest(table, self.alpha, self.pearson)


@dataclass(frozen=True)
class _Blocks(_OfTable):
    """What is asked of the rows that are complete for each question, on the drawn rows."""

    fisher: bool
    scores: bool

    def test(self, weights: Weights) -> Test | None:
        table = _varying(gathered(self.table, weights))
        if table is None:
            return None
        return LikelihoodRatio(table, self.alpha, rowwise=True, fisher=self.fisher, scores=self.scores)


def _varying(table: Table) -> Table | None:
    """The columns that vary; None where fewer than two do."""
    varying: Sequence[Column] = [column for column in table.columns if _varies(column)]
    return Table(tuple(varying), table.dropped_rows) if len(varying) > 1 else None


def _varies(column: Column) -> bool:
    if column.levels is not None:
        return len(column.levels) > 1
    present = column.present
    return bool(present.size) and not column.deviations.is_rounding(abs(column.deviations.first_mean))
