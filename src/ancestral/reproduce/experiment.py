"""What an experiment is: small independent tasks with their seeds, rows of plain values, and a part of the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ancestral.reproduce.page import Block

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FULL", "QUICK", "Experiment", "Outcome", "Results", "Row", "Scale", "Task"]

Row = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """How much is done of each experiment.

    `most` and `large_most` are the questions after which a search is given up, of the paper's experiments and of those
    with many variables.
    """

    sizes: tuple[int, ...] = (15, 20, 25, 35)
    dags: int = 25
    most: int = 20_000_000
    accuracy_dags: int = 100
    data_rows: tuple[int, ...] = (100, 200, 500, 1000, 3000)
    labelings: int = 50
    order_dags: int = 50
    orders: int = 10
    large_sizes: tuple[int, ...] = (50, 100, 200, 300, 500)
    large_dags: int = 10
    large_most: int = 5_000_000


FULL = Scale()
QUICK = replace(
    FULL,
    dags=8,
    most=10_000_000,
    accuracy_dags=12,
    labelings=10,
    order_dags=8,
    orders=5,
    large_sizes=(50, 100, 200),
    large_dags=3,
    large_most=1_000_000,
)


@dataclass(frozen=True)
class Task:
    """A piece of an experiment that needs nothing from the others; its settings say all that its outcome depends on."""

    experiment: str
    name: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The rows of a task, which are the same each time, and how many seconds its searches took, which are not."""

    rows: list[Row]
    seconds: list[Row]

    def as_dict(self) -> dict[str, list[Row]]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All of them, one after the other."""
        return cls([row for part in parts for row in part.rows], [row for part in parts for row in part.seconds])


@dataclass(frozen=True)
class Results:
    """All rows of an experiment, and the seconds, as frames."""

    rows: "pl.DataFrame"
    seconds: "pl.DataFrame"


@dataclass(frozen=True)
class Experiment:
    """Its tasks, what each of them does, and the part of the page that tells of it."""

    name: str
    title: str
    tasks: Callable[[Scale, int], list[Task]]
    run: Callable[[Task], Outcome]
    report: Callable[[Results], Iterator[Block]]
