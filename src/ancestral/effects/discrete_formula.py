"""P(y | do(x)) for variables with levels: a formula evaluated on tables of counts, with intervals by redrawn counts.

Each conditional is taken from the table of its own variables. So that no cell is empty, one row in all is spread evenly
over all configurations: with more, estimates are pulled together and intervals miss the truth; with none, formulas with
quotients are often undefined. Counts are drawn again from the multinomial distribution for standard errors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Counts, DataError
from ancestral.data.libraries import Library, frame_of
from ancestral.effects.effect import checked_confidence, percent
from ancestral.effects.identification.formulas import Product
from ancestral.effects.identification.tables import value_on_tables
from ancestral.effects.identification.texts import TEXT, query_in, written
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import by_name, quoted
from ancestral.io.frames import series
from ancestral.printing import counted, visible

__all__ = ["Interventional", "Query", "interventional", "no_design"]

#: Redrawn tables of counts, from which standard errors are computed.
REDRAWS = 200

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interventional:
    """P(y | do(x), within) for each combination of levels, by the formula of an effect; print it for a table.

    Made by `Discovery.interventional`.

    Attributes:
        text: The formula.
        names: x, the conditions, and y, in this order.
        levels: The levels of each of them.
        values: A probability for each combination, an axis for each name.
        errors: Their standard errors.
        draws: The values of redrawn counts.
        confidence: The level of the intervals.
        rows: The number of rows.
        notes: What to know about the numbers, such as empty cells.
        doubt: As in `Identification`.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.discrete(an.DAG.parse("a -> x, b -> x, x -> y"), rows=2000, seed=5)
        >>> found = an.discover(rows, algorithm="icd").interventional("x", "y")
        >>> found.names, found.levels, found.rows
        (('x', 'y'), (('0', '1'), ('0', '1')), 2000)
        >>> by_share = rows.filter(x=1)["y"].mean()  # nothing to adjust for: the share of the rows is the answer
        >>> bool(abs(found.values[1, 1] - by_share) < 0.001)
        True
        >>> bool((found.lows <= found.values).all()), bool((found.values <= found.highs).all())
        (True, True)
        >>> list(found.records()[0])
        ['x', 'y', 'probability', 'error', 'low', 'high']
        >>> found.to_frame().height
        4
    """

    text: str
    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    values: Floats
    errors: Floats
    draws: Floats = field(repr=False)
    confidence: float
    rows: int
    notes: tuple[str, ...] = ()
    doubt: str | None = None

    @cached_property
    def _reach(self) -> Floats:
        from scipy.stats import norm

        return self.errors * float(norm.ppf((1 + self.confidence) / 2))

    @property
    def lows(self) -> Floats:
        """The lower ends of the intervals, at least 0."""
        return np.clip(self.values - self._reach, 0, 1)

    @property
    def highs(self) -> Floats:
        """The upper ends of the intervals, at most 1."""
        return np.clip(self.values + self._reach, 0, 1)

    def records(self) -> list[dict[str, Any]]:
        """A record for each combination of levels.

        Returns:
            Dictionaries with the levels, `probability`, `error`, `low` and `high`.
        """
        out = []
        lows, highs = self.lows, self.highs
        for where in np.ndindex(self.values.shape):
            chosen = (levels[i] for levels, i in zip(self.levels, where, strict=True))
            numbers = {"probability": self.values, "error": self.errors, "low": lows, "high": highs}
            out.append(dict(zip(self.names, chosen, strict=True)) | {k: float(v[where]) for k, v in numbers.items()})
        return out

    def to_frame(self, *, library: Library = "polars") -> Any:
        """The records as a frame.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with a row for each combination of levels.

        Raises:
            OptionError: If there is no such library.
        """
        records = self.records()
        names = [*self.names, "probability", "error", "low", "high"]
        kinds = ["text"] * len(self.names) + ["number"] * 4
        columns = {
            name: series(name, [record[name] for record in records], kind)
            for name, kind in zip(names, kinds, strict=True)
        }
        return frame_of(columns, library)

    def __str__(self) -> str:
        lines = [self.text, f"  from {self.rows:,} rows, with {percent(self.confidence)} intervals:"]
        for record in self.records():
            levels = ", ".join(f"{quoted(name)} = {record[name]}" for name in self.names)
            numbers = f"{record['probability']:.3f}  {record['low']:.3f} to {record['high']:.3f}"
            lines.append(f"  {levels}: {numbers}")
        lines += [f"  {note[:1].upper()}{note[1:]}." for note in self.notes]
        lines.append("  The intervals take the graph for granted.")
        if self.doubt:
            lines.append(f"  Beware: {self.doubt}.")
        return "\n".join(map(visible, lines))


@dataclass(frozen=True)
class Query:
    """P(y | do(x), conditions), and the formula that gives it."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    conditions: tuple[str, ...]
    formula: Product

    @property
    def any_value(self) -> tuple[str, ...]:
        """The variables of the formula that are not in the question; it holds at any value of them."""
        return tuple(sorted(self.formula.free - {*self.x, *self.y, *self.conditions}, key=by_name))

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables of the question and of the formula."""
        inside = (factor.free for factor in self.formula.conditionals())
        return tuple(sorted({*self.x, *self.y, *self.conditions}.union(*inside), key=by_name))

    @property
    def text(self) -> str:
        """The equation."""
        names = {*self.x, *self.y, *self.conditions}
        return f"{query_in(TEXT, self.y, self.x, self.conditions)} = {written(self.formula, TEXT, names)}"


def interventional(counts: Counts, query: Query, *, confidence: float = 0.95, seed: int = 0) -> Interventional:
    """The probabilities of y under do(x) that a formula gives, with intervals.

    Raises `DataError` if a conditional of the formula has more cells than there are rows, and `OptionError` for counts
    of weighted rows or of rows in clusters, and for a confidence that is not between 0 and 1.
    """
    confidence = checked_confidence(confidence)
    if counts.grouped is not None:
        raise no_design()
    names = (*query.x, *query.conditions, *query.y)
    tables = _Tables(counts, query.variables)
    for factor in query.formula.conditionals():
        tables.check(sorted(factor.free, key=by_name))

    def value(weights: Floats) -> Floats:
        marginals = tables.marginals(weights)
        found = value_on_tables(query.formula, marginals, (*names, *query.any_value)).values
        if not query.any_value:
            return found
        share = marginals(query.any_value)  # the same at any of their values, but for chance
        return np.asarray(np.tensordot(found, share, axes=share.ndim))

    draws = np.stack([value(drawn) for drawn in tables.redrawn(np.random.default_rng(seed))])
    return Interventional(
        text=query.text,
        names=names,
        levels=tuple(counts.levels[counts.names.index(name)] for name in names),
        values=value(tables.weights),
        errors=draws.std(axis=0, ddof=1),
        draws=draws,
        confidence=confidence,
        rows=counts.rows,
        notes=(*tables.empty(query.formula.conditionals()), *_averaged(query.any_value)),
    )


def no_design() -> OptionError:
    """The error for rows with weights, or in clusters, whose shares have other errors than redrawn counts have."""
    return OptionError(
        "shares of levels are for rows without weights and clusters",
        way_out=["for an effect by adjustment, pass ", Option("estimator", "regression")],
    )


class _Tables:
    """The configurations of some columns, and the marginal tables of any numbers of rows of them."""

    def __init__(self, counts: Counts, names: Sequence[str]) -> None:
        where = [counts.names.index(name) for name in names]
        self.sizes = {name: len(counts.levels[v]) for name, v in zip(names, where, strict=True)}
        self.rows = counts.rows
        parts = [
            (np.stack([counts.packing.unpacked(words, v) for v in where], axis=1), weights)
            for words, weights in counts.portions()
        ]
        codes, place = np.unique(np.concatenate([part for part, _ in parts]), axis=0, return_inverse=True)
        weights = np.concatenate([weights for _, weights in parts]).astype(np.float64)
        self.weights: Floats = np.bincount(place.ravel(), weights=weights).astype(np.float64)
        self.codes = {name: codes[:, i].astype(np.intp) for i, name in enumerate(names)}
        self._cells: dict[tuple[str, ...], NDArray[np.intp]] = {}

    def redrawn(self, rng: np.random.Generator) -> Floats:
        """Numbers of rows of all configurations, drawn again, a row of them for each draw."""
        shares = self.weights / self.weights.sum()
        return rng.multinomial(self.rows, shares, size=REDRAWS).astype(np.float64)

    def marginals(self, weights: Floats) -> Callable[[tuple[str, ...]], Floats]:
        """The probabilities of some columns, from the rows of each configuration and one row spread over all."""

        def table(names: tuple[str, ...]) -> Floats:
            shape = tuple(self.sizes[name] for name in names)
            counted = np.bincount(self._cell(names), weights=weights, minlength=prod(shape))
            return (counted + 1 / counted.size).reshape(shape) / (self.rows + 1)

        return table

    def _cell(self, names: tuple[str, ...]) -> NDArray[np.intp]:
        if names not in self._cells:
            cell = np.zeros(len(self.weights), dtype=np.intp)
            for name in names:
                cell = cell * self.sizes[name] + self.codes[name]
            self._cells[names] = cell
        return self._cells[names]

    def check(self, names: Sequence[str]) -> None:
        """Raise `DataError` if the table of these columns has more cells than there are rows."""
        cells = prod(self.sizes[name] for name in names)
        if cells > self.rows:
            raise DataError(
                f"the formula needs the joint distribution of {', '.join(map(repr, names))}, whose table has "
                f"{cells:,} cells, from {self.rows:,} rows; put levels together, or ask for another effect"
            )

    def empty(self, factors: Any) -> list[str]:
        """The conditionals whose conditions have combinations without any row, in words."""
        out = []
        for factor in dict.fromkeys(factors):
            given = tuple(sorted(factor.given, key=by_name))
            shape = [self.sizes[name] for name in given]
            seen = np.bincount(self._cell(given), weights=self.weights, minlength=prod(shape))
            if none := int((seen == 0).sum()):
                what = counted(prod(shape), "combination")
                out.append(f"{none} of {what} of {', '.join(map(quoted, given))} had no row, and count as even")
        return out


def _averaged(any_value: tuple[str, ...]) -> list[str]:
    if not any_value:
        return []
    names = ", ".join(map(quoted, any_value))
    return [f"the formula holds at any value of {names}; the mean over the observed ones was taken"]
