"""Trends: processes whose values hardly change from one step to the next, as with a trend or a unit root.

The lag-1 autocorrelation is computed from deviations from the means of units, over steps that follow each other, in
sums that add up over units.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataWarning
from ancestral.data.series.centring import without_unit_means
from ancestral.data.series.order import Order
from ancestral.printing import listed

__all__ = ["StepProducts", "trends"]

#: The autocorrelation above which there is a warning: in stationary series of that kind, a hundred steps count as one.
MOST = 0.98
#: Processes that a warning names; of the others it gives the number.
MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class StepProducts:
    """Of each continuous process, the sum of products of deviations with those of the step before, and of squares.

    `squares` has the sums of squares of the later and of the earlier steps.
    """

    names: tuple[str, ...]
    products: Floats
    squares: Floats

    @classmethod
    def of(cls, processes: Sequence[Column], order: Order) -> "StepProducts":
        """The sums of processes whose rows are in the order of time."""
        chosen = [column for column in processes if column.levels is None]
        follows = (order.unit[1:] == order.unit[:-1]) & (np.diff(order.step) == 1)
        products, squares = np.zeros(len(chosen)), np.zeros((2, len(chosen)))
        with np.errstate(over="ignore", invalid="ignore"):
            for i, column in enumerate(chosen):
                values = without_unit_means(np.asarray(column.values, dtype=np.float64), order.unit)
                late, early = values[1:][follows], values[:-1][follows]
                both = ~(np.isnan(late) | np.isnan(early))
                late, early = late[both], early[both]
                products[i], squares[:, i] = late @ early, (late @ late, early @ early)
        return cls(tuple(column.name for column in chosen), products, squares)

    def __add__(self, other: object) -> "StepProducts":
        if not isinstance(other, StepProducts):
            return NotImplemented
        return StepProducts(self.names, self.products + other.products, self.squares + other.squares)

    @property
    def autocorrelations(self) -> dict[str, float]:
        """The lag-1 autocorrelation of each process that varies."""
        with np.errstate(over="ignore", invalid="ignore"):
            sizes = np.sqrt(self.squares[0]) * np.sqrt(self.squares[1])
        good = np.isfinite(sizes) & (sizes > 0)
        return {name: float(self.products[i] / sizes[i]) for i, name in enumerate(self.names) if good[i]}


def trends(sums: StepProducts) -> DataWarning | None:
    """The warning about processes with a trend or a unit root; None if there are none."""
    found = {name: number for name, number in sums.autocorrelations.items() if number > MOST}
    if not found:
        return None
    named = listed(found, MOST_NAMED, spell=lambda name: f"{name!r} ({found[name]:.3f})")
    return DataWarning(
        f"the lag-1 autocorrelation of {named} is above {MOST}, as with a trend or a unit root, so that tests find "
        "dependences where there are none; search the differences from step to step, or remove the trend"
    )
