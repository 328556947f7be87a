"""Rows from a causal model: every node in causal order, many rows at a time, until enough of them are kept.

Each node draws its noise from a stream of its own. So a row depends on its place alone: not on how many rows were asked
for, nor on the blocks in which they are made, nor on which nodes are latent. Nodes are taken in an order that follows
from the graph and its names, so two ways to write the same DAG give the same rows.

Latent nodes are drawn and left out. A selection node decides which rows are kept. A kept row always has the same answer
there, "kept", so a selection node hands nothing on to its children; this is what makes the rows obey the separations
of the DAG given selection.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import random_generator
from ancestral.errors import GraphError, OptionError
from ancestral.graphs import DAG
from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.names import by_name
from ancestral.printing import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Mechanism", "Seed", "Values", "check", "finite_values", "frame", "parents_of", "sample", "streams"]

#: A block has so many values over all nodes, and at most so many rows: its columns should stay in the cache.
BLOCK_VALUES, BLOCK_ROWS = 1 << 22, 1 << 16

#: Selection is given up where, after so many rows, less than one in so many was kept.
PATIENCE, RAREST = 200_000, 10_000

#: A table that is drawn has so many values at most: 8 GB.
MOST_VALUES = 1_000_000_000

Seed = int | np.random.Generator
Values = NDArray[Any]


class Mechanism(Protocol):
    """How one node gets its values, and which of them a row needs to be kept if the node is a selection node."""

    @property
    def parents(self) -> tuple[str, ...]:
        """The nodes whose values it needs."""

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """One value a row, from the values of the parents; takes the same amount of noise for every row."""

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """Which rows pass, by the values of this node."""


def streams(seed: Seed) -> tuple[np.random.Generator, np.random.SeedSequence]:
    """Two independent sources of chance: one for the model, and one for the rows."""
    entropy = random_generator(seed).integers(1 << 32, size=4)
    model, rows = np.random.SeedSequence(entropy.tolist()).spawn(2)
    return np.random.default_rng(model), rows


def parents_of(dag: DAG) -> dict[str, tuple[str, ...]]:
    """All nodes, causes first and otherwise by name, each with its parents in the same order.

    Selection nodes are nobody's parents here, see the top of this module.
    """
    steps = directed_steps(dag.marks)
    children = [np.flatnonzero(row) for row in steps]
    waits_for = steps.sum(axis=0)
    ready = [(by_name(dag.nodes[v]), v) for v in np.flatnonzero(waits_for == 0).tolist()]
    heapq.heapify(ready)
    out: dict[str, list[str]] = {name: [] for name in dag.nodes}
    order = []
    while ready:
        _, v = heapq.heappop(ready)
        order.append(dag.nodes[v])
        for child in children[v].tolist():
            if dag.nodes[v] not in dag.selection:
                out[dag.nodes[child]].append(dag.nodes[v])
            waits_for[child] -= 1
            if waits_for[child] == 0:
                heapq.heappush(ready, (by_name(dag.nodes[child]), child))
    return {name: tuple(out[name]) for name in order}


def sample(
    dag: DAG, mechanisms: Mapping[str, Mechanism], rows: int, noise: np.random.SeedSequence, *, way_out: str
) -> list[Values]:
    """The observed columns, `rows` values each; the mechanisms are given in causal order.

    `way_out` ends the sentence of the error when hardly any row passes the selection.
    """
    rngs = [np.random.default_rng(child) for child in noise.spawn(len(mechanisms))]
    most = min(BLOCK_ROWS, max(1, BLOCK_VALUES // len(mechanisms)))
    out: list[Values] = []
    kept = drawn = 0
    while kept < rows:
        # as many as should be enough by the share kept so far; without selection that is all
        block = min(most, -(-(rows - kept) * (drawn + 1) // (kept + 1)))
        values: dict[str, Values] = {}
        with finite_values():
            for (name, mechanism), rng in zip(mechanisms.items(), rngs, strict=True):
                values[name] = mechanism.draw([values[p] for p in mechanism.parents], block, rng)
        passing = np.ones(block, dtype=bool)
        for name in dag.selection:
            passing &= mechanisms[name].keeps(values[name])
        fresh = np.flatnonzero(passing)[: rows - kept]

        if not out:
            out = [np.empty(rows, dtype=values[name].dtype) for name in dag.observed]
        for column, name in zip(out, dag.observed, strict=True):
            column[kept : kept + len(fresh)] = values[name] if len(fresh) == block else values[name][fresh]
        kept, drawn = kept + len(fresh), drawn + block
        if kept < rows and drawn >= PATIENCE and kept * RAREST < drawn:
            names = ", ".join(map(repr, sorted(dag.selection, key=by_name)))
            raise OptionError(f"only {kept} of {drawn} rows pass the selection by {names}; {way_out}")
    return out


@contextmanager
def finite_values() -> Iterator[None]:
    """Values that no longer fit into a float are an error that says so."""
    try:
        with np.errstate(over="raise", invalid="raise"):
            yield
    except FloatingPointError:
        raise GraphError(
            "the values grow along the directed paths until no float can hold them; take a DAG with fewer or shorter "
            "paths"
        ) from None


def frame(dag: DAG, columns: list[Values], labels: Mapping[str, Sequence[str]] | None = None) -> "pl.DataFrame":
    """The observed columns as a table, with labels for the levels of some of them.

    Empties the list on the way, so that there are never two copies of everything.
    """
    import polars as pl

    out = []
    columns.reverse()
    for name in dag.observed:
        values = columns.pop()
        levels = labels.get(name) if labels else None
        out.append(pl.Series(name, levels).gather(values) if levels else pl.Series(name, values))
    return pl.DataFrame(out)


def check(dag: object, rows: object = 1) -> None:
    """Raise unless this is a DAG with something to see, and a number of rows."""
    if not isinstance(dag, DAG):
        raise OptionError(
            f"{type(dag).__name__} is no model to draw rows from; pass a DAG, as in an.DAG.parse('a -> b')"
        )
    if not dag.observed:
        raise OptionError("the DAG has no observed node, so there is no column to draw; take a node out of its roles")
    if isinstance(rows, bool) or not isinstance(rows, Integral) or int(rows) < 1:
        raise OptionError(f"rows={shown(rows)} counts rows; pass a whole number, 1 or more")
    if int(rows) * len(dag.observed) > MOST_VALUES:
        raise OptionError(
            f"rows={shown(rows)} is too large: the values of {len(dag.observed):,} columns would be more than "
            f"{MOST_VALUES:,}; draw up to {MOST_VALUES // len(dag.observed):,} rows at a time, with a seed "
            "for each part"
        )
