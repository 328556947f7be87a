"""`Experiment`: independent jobs with their seeds, whose results are rows of plain values, and a part of the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ancestral.reproduce.page import Block

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FULL", "QUICK", "Experiment", "Job", "Outcome", "Results", "Row", "Scale"]

Row = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """The size of each experiment: numbers of nodes, DAGs, rows, labellings and orders.

    `most` and `large_most` are the numbers of questions after which a search is given up, in the paper's experiments
    and in those with many variables.
    """

    sizes: tuple[int, ...] = (15, 20, 25, 35)
    dags: int = 25
    most: int = 200_000_000
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
class Job:
    """A part of an experiment that does not depend on the others; its settings determine its rows."""

    experiment: str
    name: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The rows of a job, which are the same each time, and the seconds that its searches took, which are not."""

    rows: list[Row]
    seconds: list[Row]

    def as_dict(self) -> dict[str, list[Row]]:
        """The rows and the seconds as plain values."""
        return asdict(self)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows and seconds of several jobs, in their order."""
        return cls([row for part in parts for row in part.rows], [row for part in parts for row in part.seconds])


@dataclass(frozen=True)
class Results:
    """All rows of an experiment, and the seconds, as frames."""

    rows: "pl.DataFrame"
    seconds: "pl.DataFrame"


@dataclass(frozen=True)
class Experiment:
    """An experiment: its jobs, the function that runs one of them, and the part of the page about the results."""

    name: str
    title: str
    jobs: Callable[[Scale, int], list[Job]]
    run: Callable[[Job], Outcome]
    report: Callable[[Results], Iterator[Block]]
