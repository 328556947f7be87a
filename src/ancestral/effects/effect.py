"""An effect as numbers with intervals, as every estimator returns it: `Effect`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ancestral.arguments import number_between
from ancestral.effects.pictures import effect_picture
from ancestral.errors import OptionError
from ancestral.graphs import MixedGraph
from ancestral.graphs.names import by_name, quoted
from ancestral.notebook import answer_html
from ancestral.printing import rounded, visible

__all__ = ["Contrast", "Effect", "How", "checked_confidence", "no_effect"]

#: How the graph gives the effect.
How = Literal["no effect", "adjustment", "formula"]

#: What a number compares: y per unit of x, or y at one level of x and at another.
Contrast = Literal["slope", "difference", "ratio"]


@dataclass(frozen=True, kw_only=True)
class Effect:
    """How much `y` changes when `x` is set to other values, if the graph is right; print it for a summary.

    Errors and intervals do not include the uncertainty of the graph. Made by `Discovery.effect` and
    `SeriesDiscovery.effect`.

    Attributes:
        x: The causes.
        y: The outcome.
        how: How the graph gives the effect: "no effect", "adjustment" or "formula".
        estimates: One number for each x, or for each of the `levels`.
        errors: The standard error of each number.
        lows: The lower end of an interval around each number.
        highs: The upper end of it.
        confidence: The level of the intervals.
        rows: The number of rows.
        given: The variables that were adjusted for; None unless it is by adjustment.
        formula: The formula; None unless it is by formula.
        estimator: How the numbers were computed, as in `Discovery.effect`; None where there is no effect.
        contrast: What a number is: "slope", how much y changes when x is set one unit higher; "difference" or "ratio",
            of the mean of y with x set to one level and to another.
        levels: These two levels for each number; empty for a slope.
        same_rows: Whether the graph was learned from the same rows.
        assumed: What was assumed beside the graph, each a sentence without its full stop.
        notes: What to know about the numbers, likewise.
        doubt: As in `AdjustmentSet`.
        graph: The graph that gives the effect, for its picture; None if the effect was computed without one.

    Raises:
        OptionError: If `confidence` is not between 0 and 1.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> x, b -> x, x -> y"), rows=1000, seed=1)
        >>> effect = an.discover(rows, algorithm="icd").effect("x", "y")
        >>> covariance = an.Moments.of(rows).select(["x", "y"]).covariance
        >>> slope = covariance[0, 1] / covariance[0, 0]  # nothing to adjust for: the slope of the regression of y on x
        >>> effect.how, effect.given, effect.contrast, bool(abs(effect.estimate - slope) < 1e-9)
        ('adjustment', frozenset(), 'slope', True)
        >>> low, high = effect.interval
        >>> low < effect.estimate < high, effect.error < 0.05
        (True, True)
    """

    x: tuple[str, ...]
    y: str
    how: How
    estimates: tuple[float, ...]
    errors: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    confidence: float
    rows: int
    given: frozenset[str] | None = None
    formula: str | None = None
    estimator: str | None = None
    contrast: Contrast = "slope"
    levels: tuple[tuple[str, str], ...] = ()
    same_rows: bool = True
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    doubt: str | None = None
    graph: MixedGraph | None = field(default=None, repr=False, compare=False)

    @property
    def estimate(self) -> float:
        """The only number.

        Raises:
            OptionError: If there are several.
        """
        return self._only(self.estimates)

    @property
    def error(self) -> float:
        """The standard error of the only number.

        Raises:
            OptionError: If there are several.
        """
        return self._only(self.errors)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the only number.

        Raises:
            OptionError: If there are several.
        """
        return self._only(self.lows), self._only(self.highs)

    def _only(self, values: tuple[float, ...]) -> float:
        if len(values) == 1:
            return values[0]
        if len(self.x) > 1:
            what = f"a single cause, and this is the joint effect of {len(self.x)} variables"
        else:
            what = f"two levels, and this compares {len(values) + 1} levels of {self.x[0]!r}"
        raise OptionError(f"a single number needs {what}; see estimates, errors, lows and highs")

    def __post_init__(self) -> None:
        object.__setattr__(self, "confidence", checked_confidence(self.confidence))

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    def _repr_html_(self) -> str:
        """What printing shows, and the graph with cause, outcome and what is adjusted for; for notebooks."""
        drawn = None if self.graph is None else effect_picture(self.graph, self.x, (self.y,), self.given or ())
        return answer_html(str(self), picture=drawn)

    def _lines(self) -> list[str]:
        doubt = [f"  Beware: {self.doubt}."] if self.doubt else []
        y = quoted(self.y)
        if self.how == "no effect":
            return [f"Effect of {', '.join(map(quoted, self.x))} on {y}: none, by the graph.", *self._notes(), *doubt]
        means = "by formula"
        if self.given is not None:
            means = f"adjusted for {', '.join(map(quoted, sorted(self.given, key=by_name))) or 'nothing'}"
        estimator = "" if self.estimator in (None, "linear") else f', estimator "{self.estimator}"'
        lines = [f"Effect on {y}, {means}, from {self.rows:,} rows{estimator}:"]
        if self.formula is not None:
            lines.append(f"  {self.formula}")
        labels = self._labels()
        width = max(map(len, labels))
        numbers = zip(labels, self.estimates, self.errors, self.lows, self.highs, strict=True)
        for label, estimate, error, low, high in numbers:
            interval = f"{percent(self.confidence)} interval {rounded(low, 4)} to {rounded(high, 4)}"
            lines.append(f"  {label:{width}}  {rounded(estimate, 4)}  standard error {rounded(error, 2)}  {interval}")
        lines += self._notes()
        if self.same_rows:
            lines.append("  The interval takes the graph for granted, which was learned from the same data.")
        else:
            lines.append("  The interval takes the graph for granted, which was learned from other data.")
        return lines + [f"  Assumed: {line}." for line in self.assumed] + doubt

    def _notes(self) -> list[str]:
        return [f"  {note[:1].upper()}{note[1:]}." for note in self.notes]

    def _labels(self) -> list[str]:
        """What stands before each number: the cause, and the levels that are compared."""
        if not self.levels:
            return list(map(quoted, self.x))
        ratio = ", ratio" if self.contrast == "ratio" else ""
        return [f"{quoted(self.x[0])}: {level} against {reference}{ratio}" for level, reference in self.levels]


def no_effect(
    x: Sequence[str], y: str, *, confidence: float, rows: int, contrast: Contrast = "slope", doubt: str | None = None
) -> Effect:
    """The effect where the graph says that there is none: 0, as a ratio 1, without any error."""
    same = (1.0 if contrast == "ratio" else 0.0,) * len(x)
    return Effect(
        x=tuple(x),
        y=y,
        how="no effect",
        estimates=same,
        errors=(0.0,) * len(x),
        lows=same,
        highs=same,
        confidence=confidence,
        rows=rows,
        contrast=contrast,
        doubt=doubt,
    )


def checked_confidence(confidence: object) -> float:
    """The level of an interval, between 0 and 1; anything else raises an `OptionError`."""
    return number_between("confidence", confidence, 0, 1, way_out="a common choice is 0.95")


def percent(share: float) -> str:
    """A share in percent, with as many digits as it needs.

    >>> percent(0.95), percent(0.999), percent(0.57)
    ('95%', '99.9%', '57%')
    """
    return f"{100 * share:.12g}%"
