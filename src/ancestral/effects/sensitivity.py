"""How strong an unmeasured cause of x and y must be to explain an effect away: `sensitivity`.

Suppose that y was regressed on x and the variables Z, and that something unmeasured, u, causes both x and y. If u
explains the share a of the variance that Z leaves of x, and the share b of the variance that x and Z leave of y, then
the coefficient of x without u is off by at most

    √(a b / (1 − a)) · (standard error) · √(degrees of freedom),

and by exactly that if u is one variable in a linear system. With f² = t² / (degrees of freedom), where t is the
coefficient divided by its standard error, a = b = (√(f⁴ + 4 f²) − f²) / 2 brings the coefficient to zero: the
*robustness value*. A cause that explains all that is left of y (b = 1) must explain at least a = f² / (1 + f²), the
partial R² of x with y. (Cinelli & Hazlett 2020, Making sense of sensitivity: extending omitted variable bias, JRSS B
82.) How much the measured variables of Z explain of x and y is the yardstick.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import copysign, inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import number_between
from ancestral.data import Moments
from ancestral.data.libraries import Library, frame_of
from ancestral.effects.effect import Effect, percent
from ancestral.effects.linear import regression_effect
from ancestral.errors import OptionError
from ancestral.graphs.names import by_name, quoted
from ancestral.io.frames import series
from ancestral.printing import rounded, visible

__all__ = ["Benchmark", "Sensitivity", "regression_sensitivity"]

#: Benchmarks that are printed, the strongest; of the others, the number is told.
MOST_PRINTED = 5

Floats = NDArray[np.float64]


class Benchmark(NamedTuple):
    """What a measured variable explains, and what the effect would be beside an unmeasured cause as strong as it.

    - `of_x`: the share that it explains of what the other variables leave of x; `of_y`: of what x and they leave of y.
    - `like_x`, `like_y`: the shares that an unmeasured cause would explain, of what is left of x and of y, if it were
      as strong as this variable and independent of it; 1 where that is impossible.
    - `effect`: the effect if there were such a cause, working against the estimate; -inf or inf where impossible.
    """

    name: str
    of_x: float
    of_y: float
    like_x: float
    like_y: float
    effect: float


@dataclass(frozen=True)
class Sensitivity:
    """How strong an unmeasured cause of `x` and `y` must be to explain the effect of x on y away.

    Made by `Discovery.sensitivity`.

    Attributes:
        x: The cause.
        y: The outcome.
        effect: The coefficient of x, adjusted for `effect.given`, as an `Effect`: the effect if there is no such cause.
        robustness: An unmeasured cause that explains at least this share of what is left of x, and as much of what is
            left of y, can bring the effect to zero; a weaker one cannot.
        robustness_of_interval: The same for bringing zero into the confidence interval.
        partial_r2: The share of x that a cause must explain that explains all that is left of y.
        benchmarks: What each variable that was adjusted for explains, the strongest first.
        degrees_of_freedom: Those of the regression.
        edge: The edge of the graph, not visible, behind which such a cause may stand; None if the graph rules it out.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("c -> x, c -> y, x -> y, d -> y"), rows=1000, seed=1)
        >>> found = an.discover(rows, algorithm="icd").sensitivity("x", "y")
        >>> 0 < found.robustness_of_interval < found.robustness < 1
        True
        >>> abs(found.effect_beside(found.robustness, found.robustness)) < 1e-9  # as strong as that: nothing is left
        True
        >>> found.to_frame().columns
        ['name', 'of_x', 'of_y', 'like_x', 'like_y', 'effect']
    """

    x: str
    y: str
    effect: Effect
    robustness: float
    robustness_of_interval: float
    partial_r2: float
    benchmarks: tuple[Benchmark, ...]
    degrees_of_freedom: int
    edge: str | None = None

    def effect_beside(self, of_x: float, of_y: float) -> float:
        """The effect if an unmeasured cause, one that works against the estimate, explains some of x and of y.

        Args:
            of_x: The share that it explains of what is left of x, at least 0 and below 1.
            of_y: The share that it explains of what is left of y, from 0 to 1.

        Returns:
            The effect.

        Raises:
            OptionError: If a share is not such a number.
        """
        a = number_between("of_x", of_x, 0, 1, with_low=True)
        b = number_between("of_y", of_y, 0, 1, with_low=True, with_high=True)
        return _moved(self.effect.estimate, self.effect.error, self.degrees_of_freedom, a, b)

    def __str__(self) -> str:
        return "\n".join(map(visible, [self._headline, *(f"  {line}" for line in self._lines())]))

    def to_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each benchmark.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `name`, `of_x`, `of_y`, `like_x`, `like_y` and `effect`.

        Raises:
            OptionError: If there is no such library.
        """
        columns = {
            name: series(name, [getattr(b, name) for b in self.benchmarks], "text" if name == "name" else "number")
            for name in Benchmark._fields
        }
        return frame_of(columns, library)

    def _repr_html_(self) -> str:
        """The lines as paragraphs, for notebooks."""
        lines = [self._headline, *self._lines()]
        return "<div>" + "".join(f"<p>{escape(visible(line))}</p>" for line in lines) + "</div>"

    @property
    def _headline(self) -> str:
        given = ", ".join(map(quoted, sorted(self.effect.given or (), key=by_name))) or "nothing"
        rows = f"from {self.effect.rows:,} rows"
        return f"Sensitivity of the effect of {quoted(self.x)} on {quoted(self.y)}, adjusted for {given}, {rows}:"

    def _lines(self) -> Iterator[str]:
        x, y, effect = quoted(self.x), quoted(self.y), self.effect
        low, high = effect.interval
        interval = f"{percent(effect.confidence)} interval {rounded(low, 4)} to {rounded(high, 4)}"
        if self.edge is None:
            yield "By the graph, nothing unmeasured causes both; this is about the case that the graph is wrong."
        else:
            yield f"{self.edge} is not visible: something unmeasured may cause both of its ends."
        estimate = rounded(effect.estimate, 4)
        yield f"The adjusted coefficient is {estimate} ({interval}), the effect if nothing else causes both."
        yield (
            f"To bring it to zero, an unmeasured cause of {x} and {y} would have to explain "
            f"{_percent(self.robustness)} of what is left of each"
            + (
                f" ({_percent(self.robustness_of_interval)} for an interval with zero in it)."
                if self.robustness_of_interval > 0
                else "; zero is in the interval already."
            )
        )
        for number, b in enumerate(self.benchmarks[:MOST_PRINTED]):
            which = quoted(b.name) if number else f"The strongest measured one, {quoted(b.name)},"
            left = f"; beside one as strong the effect would be {rounded(b.effect, 4)}" if abs(b.effect) < inf else ""
            yield f"{which} explains {_percent(b.of_x)} of {x} and {_percent(b.of_y)} of {y}{left}."
        if len(self.benchmarks) > MOST_PRINTED:
            yield f"{len(self.benchmarks) - MOST_PRINTED:,} more; to_frame() has all."
        if not self.benchmarks:
            yield "Nothing was adjusted for, so no measured variable is a yardstick."
        if effect.doubt:
            yield f"Beware: {effect.doubt}."


def regression_sensitivity(
    moments: Moments,
    x: str,
    y: str,
    given: frozenset[str],
    *,
    confidence: float = 0.95,
    edge: str | None = None,
    doubt: str | None = None,
) -> Sensitivity:
    """The sensitivity of the coefficient of x in the regression of y on x and the given variables.

    Parameters: `moments` are those of the data; `confidence` is the level of the interval; `edge` and `doubt` are
    handed on. Raises what `regression_effect` raises, and `OptionError` for weighted or clustered rows.

    >>> covariance = [[1.0, 0.5, 0.4], [0.5, 1.0, 0.3], [0.4, 0.3, 1.0]]
    >>> moments = Moments.from_covariance(covariance, rows=200, names=["x", "y", "z"])
    >>> found = regression_sensitivity(moments, "x", "y", frozenset({"z"}))
    >>> round(found.robustness, 3), [(b.name, round(b.of_x, 3), round(b.of_y, 3)) for b in found.benchmarks]
    (0.38, [('z', 0.16, 0.016)])
    """
    from scipy.stats import t as student

    if moments.groups is not None:
        raise OptionError(
            "sensitivity is computed from the standard errors of independent rows, and these have weights or clusters; "
            "search without them"
        )
    effect = regression_effect(moments, [x], y, given, confidence, doubt)
    others = sorted(given, key=by_name)
    left = moments.rows - len(others) - 2
    f = abs(effect.estimate) / effect.error / sqrt(left) if effect.error > 0 else inf
    critical = float(student.ppf((1 + effect.confidence) / 2, left - 1)) / sqrt(left - 1) if left > 1 else inf
    system = _Partial(moments.select([x, y, *others]))
    benchmarks = []
    for k, name in enumerate(others, start=2):
        rest = [j for j in range(2, 2 + len(others)) if j != k]
        of_x, of_y = system.share(0, k, rest), system.share(1, k, [0, *rest])
        benchmarks.append(_benchmark(name, effect, left, of_x, of_y))
    return Sensitivity(
        x=x,
        y=y,
        effect=effect,
        robustness=_robustness(f),
        robustness_of_interval=_robustness_of_interval(f, critical),
        partial_r2=1.0 if f == inf else f**2 / (1 + f**2),
        # the strongest is the one that moves the effect most
        benchmarks=tuple(sorted(benchmarks, key=lambda b: -abs(b.effect - effect.estimate))),
        degrees_of_freedom=left,
        edge=edge,
    )


class _Partial:
    """Shares of variance that columns explain of each other, given others."""

    def __init__(self, moments: Moments) -> None:
        self.unit: Floats = moments.comoments / np.outer(moments.lengths, moments.lengths)

    def share(self, target: int, by: int, given: Sequence[int]) -> float:
        """The partial R²: the share of what is left of the target given some columns that another explains."""
        two = [target, by]
        rest = self.unit[np.ix_(two, two)]
        if given:
            across = self.unit[np.ix_(list(given), two)]
            rest = rest - across.T @ np.linalg.solve(self.unit[np.ix_(list(given), list(given))], across)
        return float(min(rest[0, 1] ** 2 / (rest[0, 0] * rest[1, 1]), 1.0))


def _robustness(f: float) -> float:
    """a = b with √(a b / (1 − a)) = f."""
    return 1.0 if f == inf else max((sqrt(f**4 + 4 * f**2) - f**2) / 2, 0.0)


def _robustness_of_interval(f: float, critical: float) -> float:
    """The same where a regression with the cause, which has one degree of freedom less, has zero in its interval.

    The error of the coefficient depends on the cause, too: if `f` is above 1 / `critical`, the cause that is best at
    it explains less of y than of x, and the share of x decides.
    """
    if f <= critical:
        return 0.0
    if f == inf:
        return 1.0
    return _robustness(f - critical) if f * critical < 1 else (f**2 - critical**2) / (1 + f**2)


def _benchmark(name: str, effect: Effect, left: int, of_x: float, of_y: float) -> Benchmark:
    """What a cause as strong as one that explains these shares does (Cinelli & Hazlett 2020, section 4.4)."""
    against = -copysign(inf, effect.estimate)
    if of_x >= 0.5 or of_y >= 1:
        return Benchmark(name, of_x, of_y, 1.0, 1.0, against)
    odds_x, odds_y = of_x / (1 - of_x), of_y / (1 - of_y)
    shared = of_x**2 / ((1 - of_x) * (1 - of_x))
    like_y = min(((1 + sqrt(shared)) / sqrt(1 - shared)) ** 2 * odds_y, 1.0)
    moved = _moved(effect.estimate, effect.error, left, odds_x, like_y)
    return Benchmark(name, of_x, of_y, odds_x, like_y, moved)


def _moved(estimate: float, error: float, left: int, of_x: float, of_y: float) -> float:
    """The coefficient beside a cause with these shares that works against it."""
    bias = sqrt(of_x * of_y / (1 - of_x)) * error * sqrt(left)
    return estimate - copysign(bias, estimate)


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else "all"
