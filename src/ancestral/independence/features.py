"""Features: functions of the values of variables, as columns, for tests that see curves.

The features of a number depend on the order of its values alone, so they are bounded, and heavy tails do no harm. A
label is an indicator column for each level but the most frequent one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataError
from ancestral.data.read.deadline import check
from ancestral.graphs.names import in_order
from ancestral.independence.blocks import MOST_BYTES, block_columns
from ancestral.independence.scores import weighted_shares

__all__ = ["Features", "rank_polynomials", "score_functions"]

#: The frequency of the slowest wave of a normal score: about one turn from its lowest value to its highest.
SLOWEST = 0.8


@dataclass(frozen=True)
class GroupedOrder:
    """The rows of a table ordered by the independent groups of its design.

    Group g is starts[g] … starts[g + 1] − 1 of `order`, which numbers rows; so are the `weights`, which add up to the
    number of rows.
    """

    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    weights: Floats


@dataclass(frozen=True)
class Features:
    """The columns that stand for variables, in the order of their names: `tested` as x or y, `terms` as given ones.

    The variable at place v has rows tested_starts[v] … tested_starts[v + 1] − 1 of `tested`, likewise of `terms`, the
    first first_terms[v] of which are of degree one. `scales` says how much each row of `tested` counts. `numbers[v]` is
    1 if the variable is a number, 0 for labels. `missing[v, t]` is 1 where it is missing. `groups` is the order of rows
    under a design.
    """

    names: tuple[str, ...]
    tested: Floats
    tested_starts: NDArray[np.intc]
    scales: Floats
    terms: Floats
    term_starts: NDArray[np.intc]
    first_terms: NDArray[np.intc]
    numbers: NDArray[np.uint8]
    missing: NDArray[np.uint8]
    groups: GroupedOrder | None = None

    @classmethod
    def of(cls, table: Table, degree: int, decay: float) -> "Features":
        """The features of a table: x and y as polynomials up to `degree`, each `decay` times as large as the last.

        Raises `DataError` if they take more than `MOST_BYTES`.
        """
        names = tuple(in_order(table.names))
        _check_memory(table, degree)
        tested: list[Floats] = []
        terms: list[Floats] = []
        scales: list[Floats] = []
        numbers: list[bool] = []
        weights = None if table.design is None else table.design.scaled
        groups = None
        if table.design is not None:
            order, starts = table.design.groups
            groups = GroupedOrder(order, starts, table.design.scaled[order])
        for name in names:
            check()
            columns = block_columns(table, name)
            numbers.append(table.column(name).levels is None)
            if numbers[-1]:
                shares = _shares(columns[0]) if weights is None else weighted_shares(columns[0], weights)
                tested.append(rank_polynomials(shares, degree, weights))
                terms.append(score_functions(shares, weights))
                scales.append(np.power(decay, np.arange(len(tested[-1])), dtype=np.float64))
            else:
                tested.append(columns)
                terms.append(columns)
                scales.append(np.ones(len(columns)))
        first = [1 if number else len(own) for number, own in zip(numbers, terms, strict=True)]
        return cls(
            names,
            np.ascontiguousarray(np.concatenate(tested)),
            _starts(tested),
            np.concatenate(scales),
            np.ascontiguousarray(np.concatenate(terms)),
            _starts(terms),
            np.array(first, dtype=np.intc),
            np.array(numbers, dtype=np.uint8),
            np.array([table.column(name).missing for name in names], dtype=np.uint8),
            groups,
        )

    def places(self, names: Sequence[str]) -> NDArray[np.intc]:
        """The place of each of these variables."""
        at = {name: place for place, name in enumerate(self.names)}
        return np.array([at[name] for name in names], dtype=np.intc)


def _starts(blocks: Sequence[Floats]) -> NDArray[np.intc]:
    return np.cumsum([0, *map(len, blocks)]).astype(np.intc)


def _check_memory(table: Table, degree: int) -> None:
    """Raise `DataError` if the features of a table take too much memory."""
    of_number = degree + _given_count(table.rows)
    each = [of_number if column.levels is None else 2 * len(column.levels) for column in table.columns]
    total = 8 * table.rows * sum(each)
    if total > MOST_BYTES:
        raise DataError(
            f"the functions of columns that this test looks at must take at most {MOST_BYTES / 2**30:.0f} GiB, and "
            f"those of {len(each):,} columns and {table.rows:,} rows take {total / 2**30:.1f} GiB; leave out columns, "
            "or draw some of the rows"
        )


# -- functions of numbers ---------------------------------------------------------------------------------------------


def _shares(values: Floats) -> Floats:
    """The ranks of values as shares of their number, from 0 to 1; ties share their mean rank, and NaN stays NaN."""
    from scipy.stats import rankdata

    present = ~np.isnan(values)
    out = np.full(len(values), np.nan)
    out[present] = (rankdata(values[present]) - 0.5) / max(np.count_nonzero(present), 1)
    return out


def _orthonormal(columns: Sequence[Floats], weights: Floats | None) -> Floats:
    """What each column adds to those before it, with mean 0 and mean square 1; without those that add nothing.

    Weights, of rows without missing values, add up to the number of rows.
    """
    present = ~np.isnan(columns[0])
    rows = np.count_nonzero(present)
    counts = np.ones(rows) if weights is None else weights
    kept = np.ones((1 + len(columns), rows))
    count = 1
    for column in columns:
        rest = column[present]
        whole = counts * rest @ rest
        for _ in range(2):  # twice is enough, also if little is left
            rest = rest - (kept[:count] @ (counts * rest) / rows) @ kept[:count]
        left = counts * rest @ rest
        if left > 1e-8 * whole:
            kept[count] = rest / np.sqrt(left / rows)
            count += 1
    out = np.full((count - 1, len(present)), np.nan)
    out[:, present] = kept[1:count]
    return out


def rank_polynomials(shares: Floats, degree: int, weights: Floats | None = None) -> Floats:
    """Orthonormal polynomials of ranks: the first is monotone, the second sees a bow, the third a wave."""
    centred = 2 * shares - 1
    return _orthonormal([centred**power for power in range(1, degree + 1)], weights)


def score_functions(shares: Floats, weights: Floats | None = None) -> Floats:
    """Functions of normal scores that together approach any smooth one: a line, a square, waves, ever shorter."""
    from scipy.special import ndtri

    scores = ndtri(shares)
    waves = [wave(SLOWEST * turn * scores) for turn in range(1, 5) for wave in (np.sin, np.cos)]
    return _orthonormal([scores, scores**2, *waves][: _given_count(len(shares))], weights)


def _given_count(rows: int) -> int:
    """The number of functions of a given number: more where there are more rows to tell them apart."""
    return int(np.clip(round(1.5 * rows**0.25), 3, 10))
