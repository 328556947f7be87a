"""What benchmarks of independence tests share: p-values of many samples, the shares below a level, and pages of them.

A cell is a kind of sample. Where x and y are independent given Z, a test at level alpha should call them dependent in a
share alpha of the samples; a share that is more than three standard errors above the level is marked with a star.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.independence.base import Test

__all__ = [
    "LEVELS",
    "Columns",
    "Share",
    "p_value_of",
    "p_values",
    "page",
    "printed_table",
    "section",
    "share_below",
    "table_row",
]

Floats = NDArray[np.float64]

#: A sample: its columns by name.
Columns = dict[str, NDArray[Any]]

#: The levels at which the size of a test is measured.
LEVELS = (0.01, 0.05)

#: Standard errors by which a share may exceed its level.
ERRORS = 3


@dataclass(frozen=True)
class Share:
    """The share of p-values up to a level, among `samples` that the test could decide."""

    share: float
    level: float
    samples: int

    @property
    def is_too_large(self) -> bool:
        """Whether the share is more than three standard errors above the level."""
        if not self.samples:
            return False
        return self.share > self.level + ERRORS * math.sqrt(self.level * (1 - self.level) / self.samples)

    def __str__(self) -> str:
        return f"{self.share:.4f}{' *' if self.is_too_large else ''}" if self.samples else "–"


def share_below(p_values: Floats, level: float) -> Share:
    """The share of p-values up to a level; NaN, which says that the test could not decide, does not count.

    >>> share_below(np.array([0.01, 0.5, np.nan, 0.9, 0.7]), 0.05)
    Share(share=0.25, level=0.05, samples=4)
    """
    decided = p_values[~np.isnan(p_values)]
    return Share(float(np.mean(decided <= level)) if len(decided) else math.nan, level, len(decided))


def p_value_of(test: Test) -> float:
    """The p-value of the first two variables of a test given all others; NaN where it cannot decide."""
    names = test.names
    return test.evidence(test.questions(names), 0, 1, range(2, len(names))).p_value


def p_values(draw: Callable[[np.random.Generator], Test], seed: Sequence[int], repeats: int) -> Floats:
    """The p-values of tests of samples that are drawn one after the other."""
    rng = np.random.default_rng(list(seed))
    return np.array([p_value_of(draw(rng)) for _ in range(repeats)])


def table_row(cell: Iterable[object], null: Floats, other: Floats | None = None) -> str:
    """A row of a table: the cell, the sizes, the power at .05 in other samples, and the share of undecided samples."""
    sizes = [str(share_below(null, level)) for level in LEVELS]
    power = [] if other is None else [f"{share_below(other, 0.05).share:.2f}"]
    return f"| {' | '.join([*map(str, cell), *sizes, *power, f'{np.isnan(null).mean():.2f}'])} |"


def printed_table(header: Sequence[str], rows: Iterable[str]) -> list[str]:
    """The lines of a table, each printed as soon as it is there."""
    lines = []
    for line in chain((f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"), rows):
        lines.append(line)
        print(line, flush=True)
    return lines


def page(title: str, command: str, explanation: str, header: Sequence[str], rows: Iterable[str], path: Path) -> None:
    """Print a table row by row, and write it as a page."""
    top = [f"# {title}", "", f"`{command}`", "", *explanation.splitlines(), ""]
    path.write_text("\n".join([*top, *printed_table(header, rows), ""]), encoding="utf-8")


def section(heading: str, path: Path) -> list[str]:
    """The lines of a section of a page as it is now, for a run that measures another section again."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if f"## {heading}" not in lines:
        return [f"## {heading}", "", "Not measured yet.", ""]
    first = lines.index(f"## {heading}")
    return [lines[first], *takewhile(lambda line: not line.startswith("## "), lines[first + 1 :])]
