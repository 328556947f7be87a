"""Bounds of P(y | do(x)) that hold in every graph, for columns with levels: `effect_bounds`.

In the rows in which x has the level that it would be set to, nothing changes when it is set; of the other rows nothing
is known. So P(x, y) ≤ P(y | do(x)) ≤ 1 − P(x, not y), whatever causes what and whatever is unmeasured (Robins 1989;
Manski 1990). The bounds are 1 − P(x) apart, and without further assumptions there are no narrower ones.
"""

from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from ancestral.arguments import one_of
from ancestral.data import Counts
from ancestral.data.libraries import Library, frame_of
from ancestral.effects.pairs import two_names
from ancestral.errors import OptionError
from ancestral.graphs.names import quoted
from ancestral.independence.base import LevelTable
from ancestral.io.frames import series
from ancestral.printing import visible

__all__ = ["Bound", "EffectBounds", "bounds_of_table", "effect_bounds"]

#: Bounds that are printed; of the others, the number is told.
MOST_PRINTED = 30


class Bound(NamedTuple):
    """P(y has the level `outcome` | x is set to the level `cause`) is from `low` to `high`."""

    cause: str
    outcome: str
    low: float
    high: float


@dataclass(frozen=True)
class EffectBounds:
    """Bounds of the probability of each level of `y`, if `x` is set to each of its levels; true in every graph.

    The shares of rows are taken for probabilities, so with few rows the bounds are as uncertain as they are. Assumed is
    that the sample was not selected. Made by `effect_bounds` and `Discovery.effect_bounds`.

    Attributes:
        x: The cause.
        y: The outcome.
        bounds: A `Bound` for each pair of levels, in their order.
        rows: The number of rows, or the sum of their weights.

    Examples:
        >>> import polars as pl
        >>> rows = {"drug": ["no"] * 6 + ["yes"] * 4, "well": ["no"] * 4 + ["yes"] * 2 + ["no"] + ["yes"] * 3}
        >>> found = effect_bounds(Counts.of(pl.DataFrame(rows)), "drug", "well")
        >>> bound = found.bound("no", "yes")  # 2 of 10 rows at least, and the 4 rows of the others in the best case
        >>> round(bound.low, 6), round(bound.high, 6)
        (0.2, 0.6)
        >>> found.to_frame().columns
        ['cause', 'outcome', 'low', 'high']
    """

    x: str
    y: str
    bounds: tuple[Bound, ...]
    rows: float

    def bound(self, cause: str, outcome: str) -> Bound:
        """The bounds of P(y = outcome | do(x = cause)).

        Args:
            cause: A level of x.
            outcome: A level of y.

        Returns:
            The bounds, `low` and `high`.

        Raises:
            OptionError: If there are no such levels.
        """
        one_of("cause", cause, dict.fromkeys(found.cause for found in self.bounds))
        one_of("outcome", outcome, dict.fromkeys(found.outcome for found in self.bounds))
        return next(found for found in self.bounds if (found.cause, found.outcome) == (cause, outcome))

    def __str__(self) -> str:
        x, y = quoted(self.x), quoted(self.y)
        lines = [f"Bounds of P({y} | do({x})) in every graph, from {self.rows:,.0f} rows:"]
        terms = [f"P({y} = {quoted(b.outcome)} | do({x} = {quoted(b.cause)}))" for b in self.bounds[:MOST_PRINTED]]
        width = max(map(len, terms), default=0)
        for term, b in zip(terms, self.bounds, strict=False):
            lines.append(f"  {term:{width}}  {b.low:.3f} to {b.high:.3f}")
        if len(self.bounds) > MOST_PRINTED:
            lines.append(f"  {len(self.bounds) - MOST_PRINTED:,} more; to_frame() has all.")
        lines.append("  Assumed: the sample was not selected. Nothing is assumed about causes, measured or not.")
        return "\n".join(map(visible, lines))

    def to_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each pair of levels.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `cause`, `outcome`, `low` and `high`.

        Raises:
            OptionError: If there is no such library.
        """
        kinds = {"cause": "text", "outcome": "text", "low": "number", "high": "number"}
        columns = {
            name: series(name, [getattr(bound, name) for bound in self.bounds], kind) for name, kind in kinds.items()
        }
        return frame_of(columns, library)

    def _repr_html_(self) -> str:
        """The bounds as a table, for notebooks."""
        title, *lines = str(self).splitlines()
        rows = "".join(
            f"<tr><td>{escape(visible(b.cause))}</td><td>{escape(visible(b.outcome))}</td>"
            f"<td>{b.low:.3f}</td><td>{b.high:.3f}</td></tr>"
            for b in self.bounds[:MOST_PRINTED]
        )
        x, y = escape(visible(quoted(self.x))), escape(visible(quoted(self.y)))
        head = f"<tr><th>{x} set to</th><th>{y}</th><th>from</th><th>to</th></tr>"
        remarks = "".join(f"<p>{escape(line)}</p>" for line in lines[min(len(self.bounds), MOST_PRINTED) :])
        return f"<div><p>{escape(title)}</p><table>{head}{rows}</table>{remarks}</div>"


def effect_bounds(counts: Counts, x: str, y: str) -> EffectBounds:
    """Bounds of P(y | do(x)) that hold in every graph, for each level of x and of y.

    Args:
        counts: Those of data, as `an.Counts.of(data)`.
        x: The cause.
        y: The outcome.

    Returns:
        The bounds; print them.

    Raises:
        UnknownName: If a name is not a column.
        OptionError: If x and y are the same or not one name each, or `counts` is something else.

    Examples:
        >>> import polars as pl
        >>> rows = {"drug": ["no"] * 6 + ["yes"] * 4, "well": ["no"] * 4 + ["yes"] * 2 + ["no"] + ["yes"] * 3}
        >>> print(effect_bounds(Counts.of(pl.DataFrame(rows)), "drug", "well"))
        Bounds of P(well | do(drug)) in every graph, from 10 rows:
          P(well = no | do(drug = no))    0.400 to 0.800
          P(well = yes | do(drug = no))   0.200 to 0.600
          P(well = no | do(drug = yes))   0.100 to 0.700
          P(well = yes | do(drug = yes))  0.300 to 0.900
          Assumed: the sample was not selected. Nothing is assumed about causes, measured or not.
    """
    two = two_names(x, y)
    if not isinstance(counts, Counts):
        raise OptionError("must be counts", option="counts", value=counts, way_out="pass an.Counts.of(data)")
    levels = dict(zip(counts.names, counts.levels, strict=True))
    table = counts.weighted_table(two)
    return bounds_of_table(LevelTable(tuple(levels[name] for name in two), table), x, y)


def bounds_of_table(table: LevelTable, x: str, y: str) -> EffectBounds:
    """The bounds of the contingency table of x and y."""
    (causes, outcomes), counts = table
    joint = counts / counts.sum()
    others = 1 - joint.sum(axis=1)
    bounds = tuple(
        Bound(cause, outcome, float(joint[i, j]), float(joint[i, j] + others[i]))
        for i, cause in enumerate(causes)
        for j, outcome in enumerate(outcomes)
    )
    return EffectBounds(x, y, bounds, float(counts.sum()))
