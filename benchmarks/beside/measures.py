"""What the comparison measures of a search of one data set, and how the page writes it."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.beside.results import Run
from benchmarks.beside.scores import Score


@dataclass(frozen=True)
class Measure:
    """A number about a finished run: its name, its heading in a table, how it is written, and which is better."""

    name: str
    heading: str
    value: Callable[[Run], float]
    form: str
    more_is_better: bool = True
    #: Whether the number can be compared only between searches that aim at the same graph.
    same_target: bool = False

    def show(self, value: float) -> str:
        """The number as text."""
        return format(value, self.form)


def _of(part: Callable[[Score], float]) -> Callable[[Run], float]:
    def value(run: Run) -> float:
        assert run.score is not None
        return part(run.score)

    return value


def _seconds(run: Run) -> float:
    assert run.seconds is not None
    return run.seconds


MEASURES = (
    Measure("F1 of edges", "F1", _of(lambda score: score.f1), ".3f"),
    Measure("marks", "marks", _of(lambda score: score.marks), ".3f", same_target=True),
    Measure("right tails a graph", "right tails", _of(lambda score: score.right_tails), ".1f"),
    Measure("false tails a graph", "false tails", _of(lambda score: score.false_tails), ".1f", more_is_better=False),
    Measure("right arrowheads a graph", "right arrowheads", _of(lambda score: score.right_arrows), ".1f"),
    Measure(
        "false arrowheads a graph", "false arrowheads", _of(lambda score: score.false_arrows), ".1f",
        more_is_better=False,
    ),
    Measure("CPU seconds", "CPU s", _seconds, ".2g", more_is_better=False),
)  # fmt: skip
