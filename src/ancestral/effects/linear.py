"""The effect of X on Y in linear relations: the coefficients of X in a regression of Y on X and the adjustment set.

All that is needed are moments, so the rows are not looked at again. In a linear system every adjustment set gives the
same total effect, that of X on Y along all directed paths; of several X, what each does while the others are held
fixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError, Moments
from ancestral.errors import OptionError
from ancestral.graphs.names import by_name
from ancestral.printing import visible

__all__ = ["Effect", "regression_effect"]

#: How far from singular the correlations of X and the adjustment set must be.
LEAST = 1e-10


@dataclass(frozen=True)
class Effect:
    """How much `y` changes when one sets `x` one unit higher, if the graph is right; one number for each x.

    `low` and `high` enclose the effect with the probability `confidence`, `error` is its standard error. They hold
    the uncertainty of the regression only, not that of the graph, which was learned from the same data.
    """

    x: tuple[str, ...]
    y: str
    given: frozenset[str] | None  #: what was adjusted for; None where the graph says that there is no effect
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
            raise OptionError(f"a joint effect of {len(values)} variables has estimates, errors, lows and highs")
        return values[0]

    def __post_init__(self) -> None:
        if not isinstance(self.confidence, float) or not 0 < self.confidence < 1:
            raise OptionError(f"confidence={self.confidence!r} is no probability; pass one between 0 and 1, as in 0.95")

    def __str__(self) -> str:
        if self.given is None:
            return visible(f"Effect of {', '.join(self.x)} on {self.y}: none, by the graph.")
        given = ", ".join(sorted(self.given, key=by_name)) or "nothing"
        lines = [f"Effect on {self.y}, adjusted for {given}, from {self.rows:,} rows:"]
        wide = max(map(len, self.x))
        numbers = zip(self.x, self.estimates, self.errors, self.lows, self.highs, strict=True)
        for name, estimate, error, low, high in numbers:
            interval = f"{self.confidence:.0%} interval {low:.4g} to {high:.4g}"
            lines.append(f"  {name:{wide}}  {estimate:.4g}  standard error {error:.2g}  {interval}")
        lines.append("  The interval takes the graph for granted, which was learned from the same data.")
        if self.doubt:
            lines.append(f"  Beware: {self.doubt}.")
        return "\n".join(map(visible, lines))


def regression_effect(
    moments: Moments,
    x: Sequence[str],
    y: str,
    given: frozenset[str],
    confidence: float = 0.95,
    doubt: str | None = None,
) -> Effect:
    """The coefficients of x in the regression of y on x and the given variables, with their confidence intervals.

    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.5], [3.0, 6.5], [4.0, 9.0]])
    >>> effect = regression_effect(Moments.of(rows), ["x1"], "x2", frozenset())
    >>> round(effect.estimate, 3), round(effect.error, 3)
    (1.95, 0.126)
    """
    from scipy.stats import t as student

    causes = [*x, *sorted(given, key=by_name)]
    left = moments.rows - len(causes) - 1
    if left < 1:
        raise DataError(
            f"{moments.rows} rows are too few for a regression on {len(causes)} variables; adjust for fewer with given="
        )
    chosen = moments.select([*causes, y])
    scale = chosen.lengths
    if not scale.all():
        flat = chosen.names[int(np.flatnonzero(scale == 0)[0])]
        raise DataError(f"{flat!r} has a single value, so no effect can be learned")
    unit: NDArray[np.float64] = chosen.comoments / np.outer(scale, scale)
    inside, outside = unit[:-1, :-1], unit[:-1, -1]
    if np.linalg.eigvalsh(inside)[0] < LEAST:
        raise DataError(f"{', '.join(causes)} are collinear, so their effects cannot be told apart; adjust for others")
    inverse = np.linalg.inv(inside)
    beta = inverse @ outside
    rest = max(float(1 - outside @ beta), 0.0)
    k = len(x)
    units = scale[-1] / scale[:k]
    estimate = beta[:k] * units
    error = np.sqrt(rest / left * inverse.diagonal()[:k]) * units
    reach = error * float(student.ppf((1 + confidence) / 2, left))
    low, high = estimate - reach, estimate + reach
    estimates, errors, lows, highs = (tuple(values.tolist()) for values in (estimate, error, low, high))
    return Effect(tuple(x), y, given, estimates, errors, lows, highs, confidence, moments.rows, doubt)
