"""Longer windows: whether an effect that has no adjustment set would have one if the window reached further back.

All steps before a window are unmeasured in it, so that they may confound what a longer window shows to be unconfounded.
A window does not tell what a longer one looks like. But it tells of processes that have this window: take one of the
graphs that it stands for, repeat its edges that end at t for ever, with a latent process for each <->, and look at the
MAGs of longer windows of these. If one of them has an adjustment set, a longer window may have one. If none has, it is
not the beginning of the window that stands in the way.
"""

from ancestral.effects import adjustment_set
from ancestral.errors import GraphError
from ancestral.graphs import PAG, SeriesDAG
from ancestral.graphs.marks import ARROW, NONE
from ancestral.graphs.member import member_marks
from ancestral.graphs.series_text import Edge
from ancestral.graphs.window import Window

__all__ = ["lags_with_a_set", "processes_of"]

#: The most nodes of a longer window that is looked at; a MAG of that size takes about a second.
MOST_NODES = 80


def lags_with_a_set(graph: PAG, x: tuple[str, ...], y: str) -> int | None:
    """The smallest lags, at most twice those of the window and one, with which the effect of x on y may have a set.

    None if there are none, or if windows would be too large to look at.

    >>> window = PAG.parse("A[t-1] --> A[t], A[t-1] --> B[t], B[t-1]")
    >>> lags_with_a_set(window, ("A[t-1]",), "B[t]")
    2
    """
    window = Window.of(graph.nodes)
    try:
        processes = processes_of(graph)
    except GraphError:  # marks of data may contradict each other
        return None
    for lags in range(window.lags + 1, 2 * window.lags + 2):
        if len(window.processes) * (lags + 1) > MOST_NODES:
            return None
        if adjustment_set(processes.mag(lags), x, y, limit=1).exists:
            return lags
    return None


def processes_of(graph: PAG) -> SeriesDAG:
    """Processes with this window: the edges that end at t, in one graph of the class, at every step.

    Raises `GraphError` if effects within a step form a cycle.

    >>> print(processes_of(PAG.parse("A[t-1] --> A[t], B[t-1] <-> A[t], B[t]")))
    A -1-> A
    hidden1 -1-> A
    hidden1 -0-> B
    latent: hidden1
    """
    window = Window.of(graph.nodes)
    places = [window.place(name) for name in graph.nodes]
    marks = member_marks(graph.marks)
    edges: list[Edge] = []
    hidden: list[str] = []
    for i, (effect, now) in enumerate(places):
        for j, (cause, lag) in enumerate(places):
            if now or i == j or marks[i, j] == NONE or (lag == 0 and marks[j, i] == ARROW == marks[i, j] and j < i):
                continue
            if marks[j, i] == ARROW != marks[i, j]:
                edges.append((cause, lag, effect))
            elif marks[j, i] == ARROW == marks[i, j]:
                hidden.append(_fresh(window, len(hidden) + 1))
                edges += [(hidden[-1], 0, cause), (hidden[-1], lag, effect)]
    return SeriesDAG((*window.processes, *hidden), edges, hidden)


def _fresh(window: Window, number: int) -> str:
    """A name for a latent process that no process has."""
    name = f"hidden{number}"
    while name in window.processes:
        name += "'"
    return name
