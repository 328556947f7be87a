"""The report on windows: how many steps each unit has, and how many of its windows are used."""

from dataclasses import dataclass

from ancestral.printing import counted, listed

__all__ = ["UnitReport", "WindowsReport"]

#: Units that a report lists; of the others it gives the number.
MOST_UNITS = 10


@dataclass(frozen=True)
class UnitReport:
    """A unit: its name, its steps, how many are missing between them, and how many of the possible windows are used."""

    name: str
    steps: int
    missing_steps: int
    possible: int
    used: int


@dataclass(frozen=True)
class WindowsReport:
    """What was used of the rows.

    `units` are those with windows, and `left_out` the others. `centred` are the processes whose unit means were
    removed, `degrees_lost` is how many fewer rows count for that. `step` is the step between rows, None if rows are
    steps.

    >>> unit = UnitReport("a", 10, 0, 7, 7)
    >>> print(WindowsReport((unit, UnitReport("b", 5, 1, 3, 2)), (), ("x", "y"), 1, "1D"))
    9 of 10 possible windows in 2 units (15 steps of 1D, 1 missing); unit means removed from 'x' and 'y'
    """

    units: tuple[UnitReport, ...]
    left_out: tuple[UnitReport, ...]
    centred: tuple[str, ...]
    degrees_lost: int
    step: str | float | None

    @property
    def steps(self) -> int:
        """The steps of all units that are used."""
        return sum(unit.steps for unit in self.units)

    @property
    def missing_steps(self) -> int:
        """The steps that are missing between these."""
        return sum(unit.missing_steps for unit in self.units)

    @property
    def possible(self) -> int:
        """The windows that there would be without missing steps and values."""
        return sum(unit.possible for unit in self.units)

    @property
    def used(self) -> int:
        """The windows that are used."""
        return sum(unit.used for unit in self.units)

    def __str__(self) -> str:
        of = "" if self.step is None else f" of {self.step}"
        gaps = f", {self.missing_steps:,} missing" if self.missing_steps else ""
        parts = f"{self.used:,} of {counted(self.possible, 'possible window')} in {counted(len(self.units), 'unit')}"
        parts += f" ({counted(self.steps, 'step')}{of}{gaps})"
        if self.left_out:
            parts += f"; {counted(len(self.left_out), 'unit')} left out"
        return parts + (f"; unit means removed from {listed(self.centred)}" if self.centred else "")

    def by_unit(self) -> str:
        """The windows used of each unit, in a line each."""
        lines = [
            f"{unit.name}: {unit.used:,} of {counted(unit.possible, 'window')}, {counted(unit.steps, 'step')}"
            for unit in self.units[:MOST_UNITS]
        ]
        more = len(self.units) - MOST_UNITS
        return "\n".join(lines + ([f"… and {counted(more, 'unit')} more"] if more > 0 else []))
