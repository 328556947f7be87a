"""Series DAGs: the causes of stationary processes, each edge with a lag, the same at every step.

A series DAG stands for a graph without beginning or end: a node for each process and step, and for each edge
(i, lag, j) an arrow from i at t - lag to j at t, for every t (a ts-DAG of Gerhardus 2024). `window` and `mag` say what
it implies for a few steps, where all earlier steps are unmeasured.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ancestral.arguments import listed, names_list, whole_number
from ancestral.errors import GraphError, refuse_unknown
from ancestral.graphs.kinds import DAG, MAG
from ancestral.graphs.names import by_name
from ancestral.graphs.paths import directed_cycle
from ancestral.graphs.projection import mag_of
from ancestral.graphs.series_text import Edge, edge_text, process_text, read_series
from ancestral.graphs.series_window import window_dag
from ancestral.graphs.window import Window
from ancestral.printing import shown

__all__ = ["MOST_LAG", "SeriesDAG"]

#: The largest lag of an edge or a window: the past of a window is found in time proportional to it.
MOST_LAG = 1000


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SeriesDAG:
    """Processes, observed or latent, and edges `(cause, lag, effect)` that hold at every step.

    Args:
        processes: The names of all processes.
        edges: Tuples `(cause, lag, effect)`; the lag is a whole number from 0 to 1,000. Those of lag 0 act within a
            step.
        latent: The processes that are not observed.

    Attributes:
        processes: The names of all processes.
        edges: The edges, by cause, effect and lag.
        latent: The processes that are not observed.

    Raises:
        GraphError: If a lag is not of this form, an edge is given twice, edges of lag 0 form a cycle, or a name is one
            such as `a[t]`.
        UnknownName: If an edge or `latent` names a process that is not among the processes.

    Examples:
        >>> dag = SeriesDAG.parse("A -1-> A, A -1-> B, L -0-> B, L -2-> C", latent=["L"])
        >>> dag.observed, dag.order
        (('A', 'B', 'C'), 2)
        >>> dag.parents["B"], sorted(dag.latent), len(dag.edges)
        ((('A', 1), ('L', 0)), ['L'], 4)
    """

    processes: tuple[str, ...]
    edges: tuple[Edge, ...]
    latent: frozenset[str] = frozenset()

    def __init__(self, processes: Iterable[str], edges: Iterable[Edge] = (), latent: Iterable[str] = ()) -> None:
        names = Window(tuple(names_list("processes", processes)), 0).processes
        hidden = names_list("latent", latent)
        refuse_unknown(hidden, names, "process")
        checked = [_checked(edge) for edge in listed("edges", edges, "edges, as in [('a', 1, 'b')]")]
        refuse_unknown((name for cause, _, effect in checked for name in (cause, effect)), names, "process")
        for edge, count in Counter(checked).items():
            if count > 1:
                raise GraphError(f"the edge {edge_text(edge)} is given twice; give it once")
        object.__setattr__(self, "processes", names)
        object.__setattr__(self, "latent", frozenset(hidden))
        object.__setattr__(self, "edges", tuple(sorted(checked, key=_in_order)))
        self._refuse_cycle()

    @classmethod
    def parse(cls, text: str, latent: Iterable[str] = ()) -> Self:
        """Read a series DAG from text, for example `A -1-> A, A -1-> B, L -0-> C`.

        Args:
            text: Edges with their lags, and processes without edges, separated by commas or line ends; a line `latent:
                …` names latent processes.
            latent: Latent processes, beside those that the text names.

        Returns:
            The series DAG.

        Raises:
            GraphError: If the text cannot be read; the message has the number of the line and the part.

        Examples:
            >>> print(SeriesDAG.parse("B-1->A, C", latent=["B"]))
            B -1-> A
            C
            latent: B
        """
        parsed = read_series(text)
        hidden = dict.fromkeys((*names_list("latent", latent), *parsed.latent))
        return cls(parsed.processes, parsed.edges, hidden)

    @property
    def observed(self) -> tuple[str, ...]:
        """The processes that are not latent, in the order of `processes`."""
        return tuple(name for name in self.processes if name not in self.latent)

    @property
    def order(self) -> int:
        """The largest lag of an edge; 0 without edges."""
        return max((lag for _, lag, _ in self.edges), default=0)

    @cached_property
    def parents(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """The parents of each process with their lags; the processes in a causal order within a step."""
        now: dict[str, set[str]] = {name: set() for name in self.processes}
        for cause, lag, effect in self.edges:
            if lag == 0:
                now[effect].add(cause)
        out: dict[str, tuple[tuple[str, int], ...]] = {}
        left = sorted(self.processes, key=by_name)
        while left:
            name = next(name for name in left if now[name] <= out.keys())
            left.remove(name)
            out[name] = tuple((cause, lag) for cause, lag, effect in self.edges if effect == name)
        return out

    def window(self, lags: int) -> DAG:
        """The DAG of the steps t-`lags` … t, which entails the same separations as the graph of all steps.

        Args:
            lags: How many steps the window reaches back, from 0 to 1,000.

        Returns:
            A DAG whose observed nodes are those of `Window(observed, lags)`. Latent are the nodes of latent processes,
            and one node for each two nodes that have a common cause before the window.

        Raises:
            OptionError: If `lags` is not such a number.

        Examples:
            >>> print(SeriesDAG.parse("A -1-> A, A -1-> B").window(1))
            A[t-1] --> A[t]
            A[t-1] --> B[t]
            past.A[t-1].B[t-1] --> A[t-1]
            past.A[t-1].B[t-1] --> B[t-1]
            latent: past.A[t-1].B[t-1]
        """
        steps = whole_number("lags", lags, 0, MOST_LAG)
        latent = [name for name in self.processes if name in self.latent]
        return window_dag(self.observed, latent, self.parents, steps)

    def mag(self, lags: int) -> MAG:
        """The MAG of the observed processes at the steps t-`lags` … t, all earlier steps being latent (a ts-DMAG).

        Args:
            lags: As in `window`.

        Returns:
            The MAG.

        Raises:
            OptionError: If `lags` is not a whole number from 0 to 1,000.

        Examples:
            >>> print(SeriesDAG.parse("A -1-> A, A -1-> B").mag(1))
            A[t-1] --> A[t]
            A[t-1] <-> B[t-1]
            A[t-1] --> B[t]
        """
        return mag_of(self.window(lags))

    def _refuse_cycle(self) -> None:
        index = {name: i for i, name in enumerate(self.processes)}
        steps = np.zeros((len(index), len(index)), dtype=bool)
        for cause, lag, effect in self.edges:
            steps[index[cause], index[effect]] |= lag == 0
        if cycle := directed_cycle(steps):
            names = [process_text(self.processes[i]) for i in [*cycle, cycle[0]]]
            raise GraphError(f"directed cycle within a step, {' -0-> '.join(names)}; one of these edges needs a lag")

    def __str__(self) -> str:
        joined = {name for cause, _, effect in self.edges for name in (cause, effect)}
        alone = sorted(set(self.processes) - joined, key=by_name)
        lines = [*map(edge_text, self.edges), *map(process_text, alone)]
        if self.latent:
            lines.append(f"latent: {', '.join(map(process_text, sorted(self.latent, key=by_name)))}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        edges = str(self).split("\nlatent: ")[0].replace("\n", ", ")
        latent = f", latent={sorted(self.latent, key=by_name)!r}" if self.latent else ""
        return f"SeriesDAG.parse({edges!r}{latent})"

    def _key(self) -> tuple[frozenset[str], frozenset[str], tuple[Edge, ...]]:
        return frozenset(self.processes), self.latent, self.edges

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, SeriesDAG) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


def _checked(edge: object) -> Edge:
    """A tuple of two names around a lag, or a `GraphError`."""
    if not isinstance(edge, tuple) or len(edge) != 3 or not isinstance(edge[0], str) or not isinstance(edge[2], str):
        raise GraphError(
            f"an edge must be a tuple of a cause, a lag and an effect, as ('a', 1, 'b'), got {shown(edge)}"
        )
    cause, lag, effect = edge
    if isinstance(lag, bool) or not isinstance(lag, int | np.integer) or not 0 <= lag <= MOST_LAG:
        raise GraphError(
            f"the lag of an edge must be a whole number of steps from 0 to {MOST_LAG:,}, got {shown(lag)} from "
            f"{cause!r} to {effect!r}"
        )
    return str(cause), int(lag), str(effect)


def _in_order(edge: Edge) -> tuple[object, ...]:
    """Edges are written by the name of the cause, that of the effect, and the lag."""
    cause, lag, effect = edge
    return by_name(cause), by_name(effect), lag
