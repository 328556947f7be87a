"""The effect that a formula gives in linear relations: its slopes from the moments, with intervals by the delta method.

The derivatives of a slope by the covariance are exact (`identification/gaussian.py`), so neither rows nor repeated
evaluations are needed. A formula that holds at any value of a further variable must not depend on it: if the slope of
that variable is far from 0, something is wrong with the graph, and the effect says so.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError, Moments
from ancestral.data.stats.grouped_rows import GroupedRows
from ancestral.effects.effect import Effect, checked_confidence
from ancestral.effects.identification.gaussian import NotADensity, Slopes, slopes_of
from ancestral.effects.identification.identify import Identification
from ancestral.effects.linear import SMALLEST_EIGENVALUE, standardised
from ancestral.graphs.names import quoted
from ancestral.independence.base import MomentsSource

__all__ = ["linear_formula_effect"]

#: A slope that must be 0 is pointed out if it is more than this many standard errors away: once in 1,000 samples.
FAR = 3.3

Floats = NDArray[np.float64]


def linear_formula_effect(moments: MomentsSource, said: Identification, confidence: float = 0.95) -> Effect:
    """The slopes of x in the mean of y that the formula of an identified effect gives, with confidence intervals.

    `moments` has the moments of the data. `said` must be identified, about one y.

    Raises `DataError` if there are too few rows, if a variable has a single value, if variables are collinear, or if
    the formula has no value on these data; `OptionError` for a confidence that is not between 0 and 1.
    """
    from scipy.stats import t as student

    confidence = checked_confidence(confidence)
    formula, text, y = said.formula, said.text, said.y[0]
    assert formula is not None and text is not None
    names = said.variables
    chosen = moments.select(names)
    scale, unit = standardised(chosen)
    left = chosen.rows - len(names) - 1
    if left < 1:
        raise DataError(f"{chosen.rows} rows are too few for a formula of {len(names)} variables")
    if np.linalg.eigvalsh(unit)[0] < SMALLEST_EIGENVALUE:
        raise DataError(f"the columns {', '.join(map(repr, names))} are collinear, so the formula has no value")
    causes = [*said.x, *said.any_value]
    try:
        found = slopes_of(formula, names, unit, y, causes)
    except NotADensity:
        raise DataError(
            f"the formula has no value on these data, in which a part of it is not a distribution: {text}; "
            "more rows may help, and so may another graph"
        ) from None
    errors, left = _errors(chosen, found, unit, left)
    k = len(said.x)
    place = {name: i for i, name in enumerate(names)}
    units = scale[place[y]] / scale[[place[name] for name in said.x]]
    estimate, error = found.slopes[:k] * units, errors[:k] * units
    reach = error * float(student.ppf((1 + confidence) / 2, left))
    return Effect(
        x=said.x,
        y=y,
        how="formula",
        estimates=tuple(estimate.tolist()),
        errors=tuple(error.tolist()),
        lows=tuple((estimate - reach).tolist()),
        highs=tuple((estimate + reach).tolist()),
        confidence=confidence,
        rows=chosen.rows,
        formula=text,
        estimator="linear",
        assumed=("relations are linear",),
        doubt="; ".join(filter(None, (said.doubt, _depends(said, found.slopes[k:], errors[k:])))) or None,
    )


def _errors(moments: Moments, found: Slopes, unit: Floats, left: int) -> tuple[Floats, int]:
    """The standard errors of standardised slopes, and the degrees of freedom.

    Of normal rows the variance of tr(G S) is 2 tr(G S G S) / rows. Of rows in groups it is estimated between groups:
    each adds the sum of v'Gv over its rows v, whose mean is 0, since slopes do not change if S is multiplied.
    """
    if moments.groups is None:
        spread = [2 * np.trace(g @ unit @ g @ unit) / left for g in found.derivatives]
        return np.sqrt(np.maximum(spread, 0.0)), left
    groups = moments.groups
    rows = (groups if isinstance(groups, GroupedRows) else groups.as_rows()).select(found.names)
    count = rows.groups
    if count < len(found.names) + 2:
        raise DataError(f"{count} clusters are too few for a formula of {len(found.names)} variables")
    parts = np.stack([np.einsum("ir,ij,jr->r", rows.values, g, rows.values) for g in found.derivatives])
    sums = np.add.reduceat(parts, rows.starts[:-1], axis=1) / rows.rows
    return np.sqrt((sums**2).sum(axis=1) * count / (count - 1)), count - 1


def _depends(said: Identification, slopes: Floats, errors: Floats) -> str | None:
    """Which variables the formula must not depend on, and does."""
    far = [
        f"{quoted(name)} (slope {slope / error:.1f} standard errors from 0)"
        for name, slope, error in zip(said.any_value, slopes, errors, strict=True)
        if error > 0 and abs(slope) > FAR * error
    ]
    return f"by the graph the result does not depend on {', '.join(far)}, which the data deny" if far else None
