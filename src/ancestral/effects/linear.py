"""The effect of X on Y in a linear system: the coefficients of X in a regression of Y on X and the adjustment set.

Moments suffice, so the rows are not read again; where rows have weights or are in clusters, those of each independent
group of rows, between which the standard errors are estimated. In a linear system every adjustment set gives the same
total effect, that of X on Y along all directed paths; for several X, the effect of each while the others are held
fixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import number_between
from ancestral.data import DataError, Moments
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.grouped_rows import GroupedRows
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import by_name, quoted
from ancestral.printing import visible

__all__ = ["Effect", "regression_effect"]

#: The correlations of X and the adjustment set must have eigenvalues of at least this much; below it, they are treated
#: as collinear, since rounding errors of about 1e-16 in the correlations would be multiplied by up to 1e10.
SMALLEST_EIGENVALUE = 1e-10


@dataclass(frozen=True)
class Effect:
    """How much `y` changes when `x` is set one unit higher, if the graph is right; one number for each x.

    - `estimates`, `errors`: the effect of each x, and its standard error.
    - `lows`, `highs`: the ends of an interval around each effect, at the level `confidence`.
    - `given`: the variables that were adjusted for; `rows`: the number of rows; `doubt`: as in `AdjustmentSet`.

    With a single x, `estimate`, `error` and `interval` are its numbers. Errors and intervals reflect the uncertainty of
    the regression only, not that of the graph, which was learned from the same data. A `confidence` that is not between
    0 and 1 raises an `OptionError`.
    """

    x: tuple[str, ...]
    y: str
    given: frozenset[str] | None  #: None where the graph says that there is no effect
    estimates: tuple[float, ...]
    errors: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    confidence: float
    rows: int
    doubt: str | None = None

    @property
    def estimate(self) -> float:
        """The effect of the only x."""
        return self._only(self.estimates)

    @property
    def error(self) -> float:
        """The standard error of the effect of the only x."""
        return self._only(self.errors)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the effect of the only x."""
        return self._only(self.lows), self._only(self.highs)

    def _only(self, values: tuple[float, ...]) -> float:
        if len(values) != 1:
            raise OptionError(
                f"a single number needs a single cause, and this is the joint effect of {len(values)} variables; see "
                "estimates, errors, lows and highs"
            )
        return values[0]

    def __post_init__(self) -> None:
        object.__setattr__(self, "confidence", _checked_confidence(self.confidence))

    def __str__(self) -> str:
        if self.given is None:
            none = f"Effect of {', '.join(map(quoted, self.x))} on {quoted(self.y)}: none, by the graph."
            return "\n".join(map(visible, [none, *([f"  Beware: {self.doubt}."] if self.doubt else [])]))
        given = ", ".join(map(quoted, sorted(self.given, key=by_name))) or "nothing"
        lines = [f"Effect on {quoted(self.y)}, adjusted for {given}, from {self.rows:,} rows:"]
        causes = list(map(quoted, self.x))
        width = max(map(len, causes))
        numbers = zip(causes, self.estimates, self.errors, self.lows, self.highs, strict=True)
        for name, estimate, error, low, high in numbers:
            interval = f"{self.confidence:.0%} interval {low:.4g} to {high:.4g}"
            lines.append(f"  {name:{width}}  {estimate:.4g}  standard error {error:.2g}  {interval}")
        lines.append("  The interval takes the graph for granted, which was learned from the same data.")
        if self.doubt:
            lines.append(f"  Beware: {self.doubt}.")
        return "\n".join(map(visible, lines))


def _checked_confidence(confidence: object) -> float:
    return number_between("confidence", confidence, 0, 1, way_out="a common choice is 0.95")


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

    confidence = _checked_confidence(confidence)
    causes = [*x, *sorted(given, key=by_name)]
    left = moments.rows - len(causes) - 1
    if left < 1:
        raise DataError(
            f"{moments.rows} rows are too few for a regression on {len(causes)} variables; adjust for fewer with ",
            Option("given"),
        )
    chosen = moments.select([*causes, y])
    scale = chosen.lengths
    if not scale.all():
        flat = chosen.names[int(np.flatnonzero(scale == 0)[0])]
        raise DataError(f"column {flat!r} has a single value; drop it, since no effect can be estimated from it")
    unit: NDArray[np.float64] = chosen.comoments / np.outer(scale, scale)
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
    return Effect(tuple(x), y, given, estimates, errors, lows, highs, confidence, moments.rows, doubt)


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
