"""The effect of X on Y in a linear system: the coefficients of X in a regression of Y on X and the adjustment set.

Moments suffice, so the rows are not read again; where rows have weights or are in clusters, those of each independent
group of rows, between which the standard errors are estimated. In a linear system every adjustment set gives the same
total effect, that of X on Y along all directed paths; for several X, the effect of each while the others are held
fixed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError, Moments
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.grouped_rows import GroupedRows
from ancestral.effects.effect import Effect, checked_confidence
from ancestral.errors import Option
from ancestral.graphs.names import by_name

__all__ = ["SMALLEST_EIGENVALUE", "regression_effect", "standardised"]

#: The correlations of X and the adjustment set must have eigenvalues of at least this much; below it, they are treated
#: as collinear, since rounding errors of about 1e-16 in the correlations would be multiplied by up to 1e10.
SMALLEST_EIGENVALUE = 1e-10


def regression_effect(
    moments: Moments,
    x: Sequence[str],
    y: str,
    given: frozenset[str],
    confidence: float = 0.95,
    doubt: str | None = None,
) -> Effect:
    """The coefficients of x in the regression of y on x and the given variables, with their confidence intervals.

    Parameters: `moments` are those of the data; `x`, `y` and `given` are names of its variables; `confidence` is the
    level of the intervals, between 0 and 1; `doubt` is handed on to the `Effect`.

    Raises `DataError` if there are too few rows, if a variable has a single value, or if x and the given variables are
    collinear; `OptionError` for another confidence.

    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.5], [3.0, 6.5], [4.0, 9.0]])
    >>> effect = regression_effect(Moments.of(rows), ["x1"], "x2", frozenset())
    >>> round(effect.estimate, 3), round(effect.error, 3)
    (1.95, 0.126)
    """
    from scipy.stats import t as student

    confidence = checked_confidence(confidence)
    causes = [*x, *sorted(given, key=by_name)]
    left = moments.rows - len(causes) - 1
    if left < 1:
        raise DataError(
            f"{moments.rows} rows are too few for a regression on {len(causes)} variables; adjust for fewer with ",
            Option("given"),
        )
    scale, unit = standardised(moments.select([*causes, y]))
    inside, outside = unit[:-1, :-1], unit[:-1, -1]
    if np.linalg.eigvalsh(inside)[0] < SMALLEST_EIGENVALUE:
        names = ", ".join(map(repr, causes))
        raise DataError(f"the columns {names} are collinear, so their effects cannot be separated; adjust for others")
    inverse = np.linalg.inv(inside)
    beta = inverse @ outside
    rest = max(float(1 - outside @ beta), 0.0)
    k = len(x)
    units = scale[-1] / scale[:k]
    estimate = beta[:k] * units
    error = np.sqrt(rest / left * inverse.diagonal()[:k]) * units
    if moments.groups is not None:
        spread, left = _between_groups(moments.groups, causes, y, beta, inverse)
        error = np.sqrt(spread[:k]) * units
    reach = error * float(student.ppf((1 + confidence) / 2, left))
    low, high = estimate - reach, estimate + reach
    estimates, errors, lows, highs = (tuple(values.tolist()) for values in (estimate, error, low, high))
    return Effect(
        x=tuple(x),
        y=y,
        how="adjustment",
        estimates=estimates,
        errors=errors,
        lows=lows,
        highs=highs,
        confidence=confidence,
        rows=moments.rows,
        given=given,
        estimator="linear",
        doubt=doubt,
    )


def standardised(moments: Moments) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lengths of the columns, and their correlations; raises `DataError` for a column with a single value."""
    scale = moments.lengths
    if not scale.all():
        flat = moments.names[int(np.flatnonzero(scale == 0)[0])]
        raise DataError(f"column {flat!r} has a single value; drop it, since no effect can be estimated from it")
    return scale, moments.comoments / np.outer(scale, scale)


def _between_groups(
    groups: GroupedMoments | GroupedRows,
    causes: Sequence[str],
    y: str,
    beta: NDArray[np.float64],
    inverse: NDArray[np.floating],
) -> tuple[NDArray[np.float64], int]:
    """The variances of standardised coefficients, estimated between independent groups, and their degrees of freedom.

    With x_g e_g the sum over a group of the causes times the residuals, the variance is A⁻¹ Σ (x_g e_g)(x_g e_g)' A⁻¹,
    A being the sum of x x' over all rows (Liang & Zeger 1986), times groups / (groups − 1) and (rows − 1) / (rows −
    causes − 1). Single rows are groups where there are no clusters (White 1980). Raises `DataError` for too few groups.
    """
    rows = (groups if isinstance(groups, GroupedRows) else groups.as_rows()).select([*causes, y])
    count = rows.groups
    if count < len(causes) + 2:
        raise DataError(
            f"{count} clusters are too few for a regression on {len(causes)} variables; adjust for fewer with ",
            Option("given"),
        )
    x, residual = rows.values[:-1], rows.values[-1] - beta @ rows.values[:-1]
    sums = np.add.reduceat(x * residual, rows.starts[:-1], axis=1)
    inner = inverse @ (sums @ sums.T) @ inverse / rows.rows**2
    factor = count / (count - 1) * (rows.rows - 1) / (rows.rows - len(causes) - 1)
    return inner.diagonal() * factor, count - 1
