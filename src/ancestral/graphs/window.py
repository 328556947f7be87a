"""Windows of time series: processes at the steps t-p … t, as nodes such as `rain[t-2]`, and what repeats in them.

A pair of nodes has copies: the same two processes with the same lag between them, some steps earlier or later. What
causes what is the same in all copies; which copies are adjacent may differ, since a window has a beginning
(docs/series.md).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import GraphError, UnknownName, refuse_unknown
from ancestral.graphs.names import checked_names

__all__ = ["Places", "Window", "node_at", "split_node"]

_NODE = re.compile(r"(?P<process>.*)\[t(?:-(?P<lag>[1-9]\d{0,8}))?\]", re.DOTALL)


def node_at(process: str, lag: int) -> str:
    """The name of a process some steps before the present, t.

    >>> node_at("rain", 0), node_at("rain", 2)
    ('rain[t]', 'rain[t-2]')
    """
    return f"{process}[t-{lag}]" if lag else f"{process}[t]"


@dataclass(frozen=True)
class Window:
    """The nodes of some processes at the steps t-`lags` … t.

    Raises `GraphError` for a name of a process that ends like that of a node, as `rain[t]` does.

    >>> Window(("rain", "sales"), 1).names
    ('rain[t-1]', 'sales[t-1]', 'rain[t]', 'sales[t]')
    """

    processes: tuple[str, ...]
    lags: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "processes", checked_names(self.processes))
        for name in self.processes:
            if _NODE.fullmatch(name):
                raise GraphError(
                    f"the name of a process must not end in a step such as [t] or [t-1], got {name!r}; rename it"
                )

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """The window that has these nodes, in any order. Raises `GraphError` if there is none."""
        lags: dict[str, list[int]] = {}
        for name in names:
            process, lag = split_node(name)
            if lag is None:
                raise GraphError(f"a node of a window must have a step, such as 'rain[t]', got {name!r}")
            lags.setdefault(process, []).append(lag)
        most = max((max(some) for some in lags.values()), default=0)
        if any(sorted(some) != list(range(most + 1)) for some in lags.values()):
            raise GraphError("a window must have every process at every step")
        return cls(tuple(lags), most)

    @property
    def steps(self) -> range:
        """The lags of the steps, the earliest step first."""
        return range(self.lags, -1, -1)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The nodes, step by step, the earliest first."""
        return tuple(node_at(process, lag) for lag in self.steps for process in self.processes)

    def place(self, name: str) -> tuple[str, int]:
        """The process and the lag of a node; a process by its own name is meant at t.

        Raises `UnknownName` for a name that is neither.

        >>> Window(("rain", "sales"), 1).place("sales")
        ('sales', 0)
        """
        if not isinstance(name, str):
            raise UnknownName(name, [*self.names, *self.processes])
        process, lag = (name, 0) if name in self.processes else split_node(name)
        if process not in self.processes or lag is None or lag > self.lags:
            refuse_unknown([name], [*self.names, *self.processes], what="node")
        assert lag is not None
        return process, lag

    def node(self, name: str) -> str:
        """The full name of a node, which may be the name of a process at t."""
        return node_at(*self.place(name))

    def places(self, names: Sequence[str]) -> "Places":
        """Where the nodes are that have these names, which are all of the window, in the order of positions."""
        number = {process: i for i, process in enumerate(self.processes)}
        process, lag = np.array([(number[p], k) for p, k in map(self.place, names)], dtype=np.intc).reshape(-1, 2).T
        at = np.empty((len(self.processes), self.lags + 1), dtype=np.intc)
        at[process, lag] = np.arange(len(names))
        return Places(np.ascontiguousarray(process), np.ascontiguousarray(lag), at)


def split_node(name: str) -> tuple[str, int | None]:
    """The process and the lag of a node; the lag is None if the name has no step."""
    found = _NODE.fullmatch(name)
    return (name, None) if found is None else (found["process"], int(found["lag"] or 0))


@dataclass(frozen=True, eq=False)
class Places:
    """The nodes of a window by positions: `process` and `lag` of each position, and `at[process, lag]`, the position.

    Pairs have the smaller position first. The copies of a pair are numbered by how many steps they end before t.
    """

    process: NDArray[np.intc]
    lag: NDArray[np.intc]
    at: NDArray[np.intc]

    @property
    def lags(self) -> int:
        """The largest lag of the window."""
        return self.at.shape[1] - 1

    @cached_property
    def _moved(self) -> list[list[int]]:
        """For each position, the positions of its process from `lags` steps later to `lags` earlier; -1: outside."""
        p = self.lags
        padded = np.pad(self.at, ((0, 0), (p, p)), constant_values=-1)
        where = self.lag[:, None] + np.arange(2 * p + 1)[None, :]
        rows: list[list[int]] = padded[self.process[:, None], where].tolist()
        return rows

    def shifted(self, nodes: Iterable[int], steps: int) -> tuple[int, ...] | None:
        """These nodes some steps earlier, or later if `steps` is negative; None if one leaves the window."""
        at, moved = steps + self.lags, self._moved
        out = tuple([moved[node][at] for node in nodes])
        return None if -1 in out else out

    @cached_property
    def _copies(self) -> dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]]:
        """For each pair, the number of steps before t at which it ends, and all its copies."""
        out: dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]] = {}
        at, p = self.at.tolist(), self.lags
        for i, earlier in enumerate(at):
            for j, later in enumerate(at):
                for lag in range(i >= j, p + 1):  # within a step each pair once
                    ends = zip(earlier[lag:], later[: p + 1 - lag], strict=True)
                    copies = tuple([(x, y) if x < y else (y, x) for x, y in ends])
                    for steps, pair in enumerate(copies):
                        out[pair] = steps, copies
        return out

    def copies(self, x: int, y: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        """How many steps before t a pair ends, and all copies of it in the window, the one that ends at t first."""
        return self._copies[(x, y) if x < y else (y, x)]

    @cached_property
    def latest(self) -> tuple[tuple[int, int], ...]:
        """The pairs that end at t."""
        now = self.at[:, 0].tolist()
        lagged = [(x, y) for lag in range(1, self.lags + 1) for x in self.at[:, lag].tolist() for y in now]
        pairs = [*lagged, *((x, y) for k, x in enumerate(now) for y in now[k + 1 :])]
        return tuple((min(pair), max(pair)) for pair in pairs)
