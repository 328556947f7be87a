"""`ColumnSurvey`: one column as a survey found it: its kind and why, its values, its gaps and its shape."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from ancestral.data.column import Column
from ancestral.data.column_kinds import MOST_LEVELS, Floats, Kind, is_number, label_of
from ancestral.data.design import Design, DesignFacts
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.whole_run import whole_numbers
from ancestral.errors import AncestralError

__all__ = [
    "BINS",
    "ROLES",
    "ColumnSurvey",
    "Role",
    "columns_of_design",
    "columns_of_facts",
    "empty_column",
    "of_deviations",
    "of_levels",
    "survey_of_column",
    "unreadable_column",
    "why_continuous",
    "why_levels",
]

#: What a column is that is not a variable: it says how rows were sampled.
Role: TypeAlias = Literal["weights", "clusters"]
ROLES: tuple[Role, ...] = ("weights", "clusters")
#: Why a column is read as it is, if the user chose that.
CHOSEN = "as the options say"
#: The number of clusters above which a source that is read some rows at a time does not know how many there are.
MOST_KNOWN_CLUSTERS = 1000

#: The number of intervals of equal width in a histogram.
BINS = 8


@dataclass(frozen=True)
class ColumnSurvey:
    """What is known of a column. What is None is not known, or does not apply.

    - `kind`: that of a variable, or "weights" or "clusters" if the column says how rows were sampled; None if it cannot
      be read; `why` says why it was read so, or what is wrong.
    - `values`, `missing`: the number of values, and of missing ones; None if the column cannot be read.
    - `different`: the number of different values.
    - `levels`: of a discrete or ordinal column, its levels in their order and the number of rows of each.
    - `low`, `median`, `high`, `mean`, `sd`, `skewness`, `zeros` (their number): of numbers.
    - `histogram`: of a continuous column, the number of values in intervals of equal width.
    """

    name: str
    kind: Kind | Role | None
    why: str
    values: int | None
    missing: int | None
    different: int | None = None
    levels: Mapping[str, int] | None = None
    low: float | None = None
    median: float | None = None
    high: float | None = None
    mean: float | None = None
    sd: float | None = None
    skewness: float | None = None
    zeros: int | None = None
    histogram: tuple[int, ...] | None = None

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable, or would be if it could be read."""
        return self.kind not in ROLES

    @property
    def missing_share(self) -> float | None:
        """The share of values that are missing; None if that is not known."""
        if self.values is None or self.missing is None or not self.values + self.missing:
            return None
        return self.missing / (self.values + self.missing)


def why_levels(levels: Sequence[str], *, ordinal: bool, chosen: bool) -> str:
    """Why a column with these levels was read as discrete, or as ordinal, as a clause."""
    if chosen:
        return CHOSEN
    if ordinal:
        return "ordered categories"
    if all(level.lower() in ("false", "true") for level in levels):
        return "truth values"
    if levels and all(is_number(level) and float(level).is_integer() for level in levels):
        return f"{_different(len(levels), 'whole number')}, at most {MOST_LEVELS}"
    return "labels, not numbers"


def why_continuous(whole: bool, different: int | None, *, chosen: bool) -> str:
    """Why a column was read as continuous, as a clause; `whole` tells whether all its values are whole numbers."""
    if chosen:
        return CHOSEN
    if not whole:
        return "numbers with fractions"
    many = "whole numbers" if different is None else _different(different, "whole number")
    return f"{many}, more than {MOST_LEVELS}"


def _different(count: int, noun: str) -> str:
    return f"{count:,} different {noun}{'' if count == 1 else 's'}"


def empty_column(name: str) -> ColumnSurvey:
    """A column of a table without rows."""
    return ColumnSurvey(name, None, "there are no rows", 0, 0)


def unreadable_column(name: str, fault: AncestralError) -> ColumnSurvey:
    """A column that cannot be read."""
    return ColumnSurvey(name, None, str(fault), None, None)


def survey_of_column(column: Column, *, chosen: bool) -> ColumnSurvey:
    """The survey of a column of a table; `chosen`: the user chose its kind."""
    missing = int(column.missing.sum()) if column.has_missing else 0
    values = column.values.size - missing
    if column.levels is not None:
        codes = np.asarray(column.present)
        rows = np.bincount(codes, minlength=len(column.levels)).tolist()
        levels = dict(zip(column.levels, rows, strict=True))
        why = why_levels(column.levels, ordinal=column.kind == "ordinal", chosen=chosen)
        return ColumnSurvey(column.name, column.kind, why, values, missing, len(levels), levels, **of_levels(levels))
    numbers = np.sort(np.asarray(column.present, dtype=np.float64))
    different = 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
    whole = whole_numbers(numbers) is not None
    levels_if_few = None
    if whole and different <= MOST_LEVELS + 1:
        found, rows_of = np.unique(numbers, return_counts=True)
        levels_if_few = {label_of(level): int(count) for level, count in zip(found, rows_of, strict=True)}
    return ColumnSurvey(
        column.name,
        "continuous",
        why_continuous(whole, different, chosen=chosen),
        values,
        missing,
        different,
        levels_if_few,
        zeros=int(np.searchsorted(numbers, 0.0, "right") - np.searchsorted(numbers, 0.0, "left")),
        **_shape(numbers, column.deviations),
    )


def columns_of_facts(facts: DesignFacts | None, *, streamed: bool = True) -> tuple[ColumnSurvey, ...]:
    """The columns that say how rows were sampled, without missing values; `streamed`: clusters may be uncounted."""
    if facts is None:
        return ()
    known = facts.cluster_count if not streamed or facts.cluster_count <= MOST_KNOWN_CLUSTERS else 0
    out = [] if facts.weights is None else [ColumnSurvey(facts.weights, "weights", CHOSEN, facts.rows, 0)]
    if facts.clusters is not None:
        out.append(ColumnSurvey(facts.clusters, "clusters", CHOSEN, facts.rows, 0, known or None))
    return tuple(out)


def columns_of_design(design: Design | None) -> tuple[ColumnSurvey, ...]:
    """As `columns_of_facts`, with the range of the weights of a table."""
    if design is None:
        return ()
    columns = columns_of_facts(design.facts, streamed=False)
    if design.weights is None:
        return columns
    numbers = np.sort(design.weights)
    different = 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
    weights = replace(columns[0], different=different, **_shape(numbers, Deviations.of(numbers)))
    return (weights, *columns[1:])


def of_levels(levels: Mapping[str, int]) -> dict[str, Any]:
    """The range of levels that are numbers."""
    if not levels or not all(map(is_number, levels)):
        return {}
    numbers = [float(level) for level in levels]
    return {"low": min(numbers), "high": max(numbers)}


def of_deviations(about: Deviations, low: float, high: float) -> dict[str, Any]:
    """The range, the mean, the standard deviation and the skewness of numbers, those that can be computed."""
    out = {"low": low, "high": high, "mean": about.mean}
    sd = math.sqrt(about.square / (about.count - 1)) if about.count > 1 and math.isfinite(about.square) else math.nan
    if math.isfinite(sd):
        out["sd"] = sd
    if math.isfinite(about.square) and not about.is_rounding(max(abs(low), abs(high))) and about.length > 0:
        out["skewness"] = about.skewness
    return out


def _shape(numbers: Floats, about: Deviations) -> dict[str, Any]:
    """What is known of the shape of numbers that are sorted."""
    known = of_deviations(about, float(numbers[0]), float(numbers[-1]))
    return {**known, "median": _middle(numbers), "histogram": _histogram(numbers)}


def _middle(numbers: Floats) -> float:
    """The median of numbers that are sorted."""
    half = (numbers.size - 1) // 2
    return float(numbers[half] / 2 + numbers[numbers.size // 2] / 2)


def _histogram(numbers: Floats) -> tuple[int, ...]:
    """The number of values in intervals of equal width, of numbers that are sorted."""
    steps = np.arange(1, BINS) / BINS
    edges = numbers[0] * (1 - steps) + numbers[-1] * steps  # neither the range nor a product can overflow
    places = np.searchsorted(numbers, edges, side="left")
    return tuple(np.diff([0, *places.tolist(), numbers.size]).tolist())
