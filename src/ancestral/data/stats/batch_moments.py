"""The moments of a batch in which some columns are numbers and others have levels.

Of a discrete column only what the others do not tell is summed up. A row has one level: the indicator of the most
frequent level is 1 less the other indicators, and a number with levels is the most frequent one, plus a step for each
other level.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ancestral.data.column_kinds import Floats
from ancestral.data.stats.column_summary import ColumnValues
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.keyed_moments import Key, KeyedMoments
from ancestral.data.stats.sums import sums_of

__all__ = ["moments_of_values"]


@dataclass(frozen=True)
class _Combination:
    """A column that is a constant plus other columns, each times a factor."""

    key: Key
    constant: float
    factors: Mapping[Key, float]


def moments_of_values(values: Mapping[str, ColumnValues]) -> tuple[KeyedMoments, dict[str, Deviations]]:
    """The moments of columns without missing values, and the deviations of those that have numbers, by name."""
    summed: dict[Key, Floats] = {}
    columns: list[_Combination] = []
    deviations: dict[str, Deviations] = {}
    for name, column in values.items():
        number = Key(name)
        if (labels := column.labels) is None:
            assert column.numbers is not None
            summed[number] = column.numbers
            columns.append(_Combination(number, 0.0, {number: 1.0}))
            continue
        sizes = np.bincount(labels.codes, minlength=len(labels.levels))
        usual = int(sizes.argmax())
        others = {code: Key(name, labels.levels[code]) for code in np.flatnonzero(sizes).tolist() if code != usual}
        for code, key in others.items():
            summed[key] = (labels.codes == code).astype(np.float64)
            columns.append(_Combination(key, 0.0, {key: 1.0}))
        columns.append(_Combination(Key(name, labels.levels[usual]), 1.0, dict.fromkeys(others.values(), -1.0)))
        if column.numbers is not None:
            numbers = np.array([float(level) for level in labels.levels])
            deviations[name] = Deviations.of_counts(numbers, sizes)
            steps = {key: float(numbers[code] - numbers[usual]) for code, key in others.items()}
            columns.append(_Combination(number, float(numbers[usual]), steps))
    about, comoments = sums_of(list(summed.values()))
    deviations |= {key.name: one for key, one in zip(summed, about, strict=True) if key.level is None}
    position = {key: i for i, key in enumerate(summed)}
    mean = np.array([one.constant for one in columns])
    mean += _combined_rows(np.array([one.mean for one in about]), position, columns)
    products = _combined_rows(_combined_rows(comoments, position, columns).T, position, columns)
    # halved, so that the last bit does not depend on which of two columns comes first
    moments = KeyedMoments(tuple(one.key for one in columns), about[0].count, mean, (products + products.T) / 2)
    return moments, deviations


def _combined_rows(rows: Floats, position: Mapping[Key, int], columns: Sequence[_Combination]) -> Floats:
    """The rows of an array, one for each column that was summed up, combined into one for each of all columns."""
    out = np.zeros((len(columns), *rows.shape[1:]))
    for i, one in enumerate(columns):
        for key, factor in one.factors.items():
            out[i] += factor * rows[position[key]]
    return out
