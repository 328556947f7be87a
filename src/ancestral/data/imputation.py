"""Imputation: several complete tables in the place of one with missing values, by chained equations.

Each column with gaps is predicted from all others, column after column, sweep after sweep (van Buuren 2018, chapter 4):
a continuous one by linear regression, a discrete one by multinomial logistic regression, in which labels enter as
indicators. In every step the coefficients are drawn from their approximate posterior distribution, and then the missing
values given these, so that the tables differ by as much as is not known (Rubin 1987). The residual of an imputed number
is one that was observed, rescaled; so skewed columns stay skewed.

The model has no products of columns: relations are taken as linear, and linear in the logits of labels.

The answer depends neither on the order of columns nor on that of rows: columns are taken in the order of their names,
and rows are sorted by their values before anything is drawn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats
from ancestral.data.read.deadline import check
from ancestral.data.table import Table
from ancestral.graphs.names import in_order

__all__ = ["IMPUTATIONS", "SEED", "imputed_tables"]

#: The number of imputed tables. With ten, the loss of power against very many is small if up to half is missing.
IMPUTATIONS = 10

#: The seed of all draws; a run file need not keep it, since there is no other.
SEED = 0

#: Sweeps before the first table is taken, and between two that are taken.
FIRST_SWEEPS, SWEEPS_BETWEEN = 10, 4

#: The most columns, counting an indicator for each level, by which a column is predicted: the most correlated ones.
MOST_PREDICTORS = 60

#: Rows that are needed for each coefficient of a prediction; with fewer, fewer columns predict.
ROWS_PER_PREDICTOR = 5

#: Precision of the normal prior of coefficients of standardised columns: weak, so that separated levels stay finite.
PRIOR_PRECISION = 0.1

#: Steps of Newton's method in a sweep, which begins with the coefficients of the last one, and the squared distance
#: from the mode, in standard deviations of the posterior, from which one more step is close enough to draw around.
NEWTON_STEPS, MODE_REACHED = 8, 0.01


@dataclass
class _Incomplete:
    """A column while its gaps are filled: where its own columns are in the matrix, and what predicts it."""

    column: Column
    places: NDArray[np.int64]
    missing: NDArray[np.bool_]
    levels: int  # 0 for numbers
    usual: int  # the level without an indicator
    values: NDArray[np.float64]  # standardised numbers, or codes
    predictors: NDArray[np.int64]
    coefficients: Floats | None = None


def imputed_tables(table: Table, count: int = IMPUTATIONS, seed: int = SEED) -> Iterator[Table]:
    """Complete tables, each with other draws for the missing values; rows without any value are left out.

    The columns are in the order of their names, and the rows in the order of their values.

    >>> gaps = Table.of(np.array([[1.5, 0.2], [2.5, np.nan], [0.5, 0.7], [1.0, 0.9], [3.0, 0.1]]), missing="testwise")
    >>> [one.missing_counts() for one in imputed_tables(gaps, count=2)]
    [{'x1': 0, 'x2': 0}, {'x1': 0, 'x2': 0}]
    """
    table = _sorted_rows(table)
    rng = np.random.default_rng(seed)
    matrix, parts, scales = _matrix(table, rng)
    gaps = sorted((part for part in parts if part.missing.any()), key=lambda part: int(part.missing.sum()))
    for part in gaps:
        part.predictors = _predictors(matrix, part)
    for i in range(count):
        for _ in range(SWEEPS_BETWEEN if i else FIRST_SWEEPS):
            for part in gaps:
                check()
                (_impute_labels if part.levels else _impute_numbers)(matrix, part, rng)
        columns = [_filled(part, mean, spread) for part, (mean, spread) in zip(parts, scales, strict=True)]
        yield Table(tuple(columns), table.dropped_rows)


def _sorted_rows(table: Table) -> Table:
    """The rows that have any value, sorted by their values, with the columns in the order of their names."""
    table = table.select(in_order(table.names))
    kept = np.flatnonzero(~np.logical_and.reduce([column.missing for column in table.columns]))
    order = kept[np.lexsort([column.values[kept] for column in reversed(table.columns)])]
    return Table(tuple(column.keep(order) for column in table.columns), table.dropped_rows)


def _matrix(table: Table, rng: np.random.Generator) -> tuple[Floats, list[_Incomplete], list[tuple[float, float]]]:
    """The columns as standardised numbers and indicators, after a constant; gaps are filled by observed values."""
    blocks: list[Floats] = [np.ones((table.rows, 1))]
    parts: list[_Incomplete] = []
    scales: list[tuple[float, float]] = []
    first = 1
    for column in table.columns:
        missing = column.missing
        present = np.asarray(column.present, dtype=np.float64)
        values = np.asarray(column.values, dtype=np.float64).copy()
        values[missing] = rng.choice(present, int(missing.sum()))
        levels = len(column.levels or ())
        mean, spread = (0.0, 1.0) if levels else (float(present.mean()), float(present.std()) or 1.0)
        values = (values - mean) / spread
        usual = int(np.argmax(np.bincount(present.astype(np.int64)))) if levels else 0
        width = max(levels - 1, 0) if column.levels is not None else 1
        part = _Incomplete(
            column, np.arange(first, first + width), missing, levels, usual, values, np.zeros(0, np.int64)
        )
        blocks.append(_block(part))
        parts.append(part)
        scales.append((mean, spread))
        first += width
    return np.concatenate(blocks, axis=1), parts, scales


def _block(part: _Incomplete) -> Floats:
    """The columns of the matrix that stand for a column."""
    if part.column.levels is None:
        return part.values[:, None]
    shown = [level for level in range(part.levels) if level != part.usual]
    return (part.values[:, None] == np.array(shown, dtype=np.float64)[None, :]).astype(np.float64)


def _predictors(matrix: Floats, part: _Incomplete) -> NDArray[np.int64]:
    """The constant and the columns that predict a column: all others, or those that are most correlated with it."""
    others = np.setdiff1d(np.arange(1, matrix.shape[1]), part.places)
    answers = max(part.levels - 1, 1)
    most = min(MOST_PREDICTORS, int((~part.missing).sum()) // (ROWS_PER_PREDICTOR * answers))
    if len(others) > most:
        centred = matrix - matrix.mean(axis=0)
        centred /= np.maximum(np.sqrt((centred**2).sum(axis=0)), 1e-300)
        strength = np.abs(centred[:, others].T @ centred[:, part.places]).max(axis=1)
        others = np.sort(others[np.argsort(-strength, kind="stable")[:most]])
    return np.concatenate([[0], others]).astype(np.int64)


def _impute_numbers(matrix: Floats, part: _Incomplete, rng: np.random.Generator) -> None:
    """Draw the missing numbers of a column given all others."""
    design = matrix[:, part.predictors]
    seen, gap = ~part.missing, part.missing
    known, response = design[seen], part.values[seen]
    precision = known.T @ known
    precision[np.diag_indices_from(precision)] += PRIOR_PRECISION
    factor = np.linalg.cholesky(precision)
    mean = np.linalg.solve(precision, known.T @ response)
    residuals = response - known @ mean
    left = max(len(response) - design.shape[1], 1)
    variance = float(residuals @ residuals) / left
    drawn = variance * left / rng.chisquare(left)
    coefficients = mean + np.sqrt(drawn) * np.linalg.solve(factor.T, rng.standard_normal(len(mean)))
    spread = float(residuals.std()) or 1.0
    noise = rng.choice(residuals - residuals.mean(), int(gap.sum())) * (np.sqrt(drawn) / spread)
    part.values[gap] = design[gap] @ coefficients + noise
    matrix[:, part.places] = part.values[:, None]


def _impute_labels(matrix: Floats, part: _Incomplete, rng: np.random.Generator) -> None:
    """Draw the missing labels of a column given all others."""
    design = matrix[:, part.predictors]
    seen, gap = ~part.missing, part.missing
    shown = [level for level in range(part.levels) if level != part.usual]
    answers, width = len(shown), design.shape[1]
    if not answers:
        return
    known = design[seen]
    response = (part.values[seen][:, None] == np.array(shown, dtype=np.float64)).astype(np.float64)
    beta = np.zeros((answers, width)) if part.coefficients is None else part.coefficients
    precision = np.zeros((answers, width, answers, width))
    for _ in range(NEWTON_STEPS):
        share = _shares(known, beta)
        gradient = (response - share).T @ known - PRIOR_PRECISION * beta
        for j in range(answers):
            for k in range(j + 1):
                weight = share[:, j] * ((j == k) - share[:, k])
                precision[j, :, k] = precision[k, :, j] = known.T @ (weight[:, None] * known)
        flat = precision.reshape(answers * width, answers * width)
        flat[np.diag_indices_from(flat)] += PRIOR_PRECISION
        step = np.linalg.solve(flat, gradient.ravel())
        gain = float(step @ gradient.ravel())
        beta = beta + step.reshape(answers, width) * min(1.0, 5.0 / max(np.abs(step).max(), 1e-300))
        if gain < MODE_REACHED:
            break
    part.coefficients = beta
    factor = np.linalg.cholesky(flat)
    drawn = beta + np.linalg.solve(factor.T, rng.standard_normal(answers * width)).reshape(answers, width)
    share = _shares(design[gap], drawn)
    below = rng.random(len(share))[:, None] > np.cumsum(share, axis=1)
    codes = np.array([*shown, part.usual])
    part.values[gap] = codes[below.sum(axis=1)]
    matrix[:, part.places] = _block(part)


def _shares(design: Floats, beta: Floats) -> Floats:
    """The probabilities of the levels but the usual one."""
    scores = design @ beta.T
    largest = np.maximum(scores.max(axis=1, keepdims=True), 0.0)
    weights: Floats = np.exp(scores - largest)
    return weights / (weights.sum(axis=1, keepdims=True) + np.exp(-largest))


def _filled(part: _Incomplete, mean: float, spread: float) -> Column:
    """The column with its gaps filled; values that were there stay as they are."""
    if not part.missing.any():
        return part.column
    values = part.column.values.copy()
    values[part.missing] = (part.values * spread + mean)[part.missing]
    return replace(part.column, values=values)
