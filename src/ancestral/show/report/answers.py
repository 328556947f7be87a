"""What a report answers about two variables: whether one causes the other, and whether both have a hidden cause."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from ancestral.graphs.answers import Answer
from ancestral.show.emphasis import visible_of
from ancestral.show.labels import plain
from ancestral.show.run import ReportedRun

__all__ = ["MOST_ANSWERED", "answers", "visible_edges"]

#: Variables up to which a report answers for any two; of more, it answers for edges. The answers grow with the square.
MOST_ANSWERED = 60

#: Variables up to which it answers for edges: the time of an answer grows with the square, too.
MOST_ANSWERED_FOR_EDGES = 400


def answers(run: ReportedRun, number: Mapping[str, int]) -> list[list[Any]]:
    """Rows x, y, what `causes(x, y)`, `causes(y, x)` and `confounded(x, y)` say, each with its reason, and another one.

    The last is the reason of `confounded(y, x)`, which names y before x; null if it is the same.

    Of up to `MOST_ANSWERED` variables, there is a row for any two; of more, for each edge; of very many, none.
    """
    if len(number) > MOST_ANSWERED_FOR_EDGES:
        return []
    pairs: Iterable[tuple[str, str]] = combinations(number, 2)
    if len(number) > MOST_ANSWERED:
        pairs = [(a, b) if number[a] < number[b] else (b, a) for a, _, b in run.pag.edges()]
    return [_row(run, a, b, number) for a, b in pairs]


def _row(run: ReportedRun, a: str, b: str, number: Mapping[str, int]) -> list[Any]:
    both = _said(run.confounded(a, b))
    other = _said(run.confounded(b, a))[1]
    causes = (*_said(run.causes(a, b)), *_said(run.causes(b, a)))
    return [number[a], number[b], *causes, *both, None if other == both[1] else other]


def _said(answer: Answer) -> tuple[str, str]:
    return str(answer), plain(answer.reason)


def visible_edges(run: ReportedRun, number: Mapping[str, int]) -> list[list[int]]:
    """The edges behind which nothing unmeasured stands, as `confounded` says: rows x, y."""
    return sorted(sorted(number[name] for name in pair) for pair in visible_of(run))
