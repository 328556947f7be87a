"""Column: one variable of a table, numbers or levels."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import (
    Chosen,
    Floats,
    Kind,
    Labels,
    in_level_order,
    labels_of_numbers,
    numbers_of_labels,
    ordered_labels,
    relabelled,
)
from ancestral.data.fingerprint import kind_and_order
from ancestral.data.stats.deviations import Deviations
from ancestral.printing import counted

__all__ = ["Column"]


@dataclass(frozen=True, eq=False)
class Column:
    """One variable: float64 values with NaN for missing, or int32 codes with -1 for missing, and their levels.

    `ordered`: the order of the levels means something, so that the column is ordinal.
    """

    name: str
    values: NDArray[np.float64] | NDArray[np.int32]
    levels: tuple[str, ...] | None = None
    ordered: bool = False

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    @property
    def kind(self) -> Kind:
        """`continuous`, `discrete` or `ordinal`."""
        return "continuous" if self.levels is None else "ordinal" if self.ordered else "discrete"

    @property
    def kind_and_order(self) -> str:
        """The kind, and the levels of an ordinal column from the lowest to the highest: for fingerprints."""
        return kind_and_order(self.kind, self.levels or ())

    @property
    def content(self) -> Floats | Labels:
        """The values as numbers, or as codes with their levels."""
        if self.levels is None:
            return np.asarray(self.values, dtype=np.float64)
        return Labels(np.asarray(self.values, dtype=np.int32), self.levels, self.ordered)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """True where the value is missing."""
        return np.isnan(self.values) if self.levels is None else self.values < 0

    @cached_property
    def _span(self) -> tuple[float, float]:
        """The smallest and the largest number or code; both are NaN if a number is missing."""
        return float(self.values.min()), float(self.values.max())

    @cached_property
    def has_missing(self) -> bool:
        """Whether any value is missing: the same as `missing.any()`, and faster."""
        if not self.values.size:
            return False
        return math.isnan(self._span[0]) if self.levels is None else self._span[0] < 0

    @property
    def present(self) -> NDArray[np.float64] | NDArray[np.int32]:
        """The values that are not missing."""
        return self.values[~self.missing] if self.has_missing else self.values

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """The smallest and the largest of the values that are not missing, of which there is at least one."""
        if not self.has_missing:
            return self._span
        present = self.present
        return float(present.min()), float(present.max())

    @cached_property
    def deviations(self) -> Deviations:
        """The deviations of a continuous column from its mean, without missing values."""
        return Deviations.of(np.asarray(self.present, dtype=np.float64))

    @property
    def underflows(self) -> bool:
        """Whether the numbers of a continuous column vary by so little that the squares of deviations vanish."""
        return self.levels is None and bool(self.present.size) and self.deviations.underflows(*self.extremes)

    @classmethod
    def of_labels(cls, name: str, labels: Labels) -> "Column":
        """The column of these labels."""
        return cls(name, np.asarray(labels.codes, dtype=np.int32), labels.levels, labels.ordered)

    def as_kind(self, kind: Chosen) -> "Column":
        """The column as that kind; levels from the lowest to the highest make it ordinal.

        Raises DataError if it has labels that are not numbers and is to be continuous, or labels in no known order and
        is to be ordinal.
        """
        if kind == self.kind:
            return self
        content = self.content
        labels = content if isinstance(content, Labels) else labels_of_numbers(content)
        if kind == "continuous":
            return Column(self.name, numbers_of_labels(self.name, labels))
        if kind == "discrete":
            return Column.of_labels(self.name, relabelled(labels, in_level_order(labels.levels), ordered=False))
        return Column.of_labels(self.name, ordered_labels(self.name, labels, kind))

    def keep(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Column":
        """The column with some of its rows, given by a mask or by their numbers, without levels that do not occur."""
        values = self.values[rows]
        if self.levels is None:
            return Column(self.name, values)
        used = np.zeros(len(self.levels) + 1, dtype=bool)
        used[values] = True  # -1 marks the last
        used[-1] = False
        position = np.append(np.cumsum(used[:-1]) - 1, -1).astype(np.int32)
        levels = tuple(n for n, u in zip(self.levels, used, strict=False) if u)
        return Column(self.name, position[values], levels, self.ordered)

    def describe(self) -> str:
        """The column in a line: its kind, and how many different values it has."""
        gone = int(self.missing.sum())
        if self.levels is None:
            size = counted(np.unique(self.values[~self.missing]).size, "value")
        else:
            size = counted(len(self.levels), "level") + (f" ({' < '.join(self.levels)})" if self.ordered else "")
        return f"{self.name}: {self.kind}, {size}" + (f", {gone} missing" if gone else "")
