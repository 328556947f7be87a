"""Rows from a causal model: every node in causal order, many rows at a time, until enough of them are kept.

Each node draws its noise from a random stream of its own. So a row depends on its number alone: not on how many rows
were asked for, nor on the blocks in which they are drawn, nor on which nodes are latent. Nodes are drawn in an order
that is determined by the graph and its names, so two ways to write the same DAG give the same rows.

Latent nodes are drawn and left out. A selection node decides which rows are kept. All rows that are kept have passed
it, so it is a constant and has no effect on its children; this is why the rows satisfy the separations of the DAG given
selection.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import random_generator, whole_number
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs import DAG
from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.names import by_name
from ancestral.printing import counted

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "Mechanism", "Seed", "System", "TooFewKept", "Values", "check", "finite_values", "frame", "parents_of", "sample",
    "streams",
]  # fmt: skip

#: The largest number of values of a block, over all nodes: 32 MB.
BLOCK_VALUES = 1 << 22

#: The largest number of rows of a block: a column of 512 kB stays in the cache of a processor.
BLOCK_ROWS = 1 << 16

#: Drawing ends with an error if, after `PATIENCE` rows, less than one in `RAREST` was kept.
PATIENCE, RAREST = 200_000, 10_000

#: The largest number of values of a table: 8 GB.
MOST_VALUES = 1_000_000_000

Seed = int | np.random.Generator
Values = NDArray[Any]


class Mechanism(Protocol):
    """How the values of one node are drawn and, if it is a selection node, which rows it keeps."""

    @property
    def parents(self) -> tuple[str, ...]:
        """The nodes on whose values it depends."""

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """One value per row, from the values of the parents; uses the same amount of noise for every row."""

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """Which rows are kept, by the values of this node."""


class TooFewKept(OptionError):
    """Selection keeps so few rows that drawing enough of them would take too long."""


@dataclass(frozen=True)
class System:
    """A DAG with a mechanism for each node, in causal order, and the noise of its rows.

    `labels` are the names of the levels of some nodes; levels without names are 0, 1, …. `way_out` is what helps first
    if hardly any row passes the selection.
    """

    dag: DAG
    mechanisms: Mapping[str, Mechanism]
    noise: np.random.SeedSequence
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    way_out: tuple[str | Option, ...] = ()

    def draw(self, rows: int, number: int = 0) -> "pl.DataFrame":
        """The rows of one sample; samples with different numbers have independent noise.

        Raises `OptionError` if hardly any row passes the selection.
        """
        *above, own = self.noise.spawn_key
        noise = np.random.SeedSequence(self.noise.entropy, spawn_key=(*above, own + number))
        try:
            columns = sample(self.dag, self.mechanisms, rows, noise)
        except TooFewKept as error:
            raise OptionError(error.reason, way_out=(*self.way_out, *error.way_out)) from None
        return frame(self.dag, columns, self.labels)


def streams(seed: Seed) -> tuple[np.random.Generator, np.random.SeedSequence]:
    """Two independent sources of random numbers: one for the model, and one for the rows."""
    entropy = random_generator(seed).integers(1 << 32, size=4)
    model, rows = np.random.SeedSequence(entropy.tolist()).spawn(2)
    return np.random.default_rng(model), rows


def parents_of(dag: DAG) -> dict[str, tuple[str, ...]]:
    """All nodes, causes first and otherwise by name, each with its parents in the same order.

    Selection nodes are left out of the parents (see the top of this module).
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


def sample(dag: DAG, mechanisms: Mapping[str, Mechanism], rows: int, noise: np.random.SeedSequence) -> list[Values]:
    """The observed columns, with `rows` values each; the mechanisms are given in causal order.

    Raises `TooFewKept` if hardly any row passes the selection.
    """
    rngs = [np.random.default_rng(child) for child in noise.spawn(len(mechanisms))]
    most = min(BLOCK_ROWS, max(1, BLOCK_VALUES // len(mechanisms)))
    out: list[Values] = []
    kept = drawn = 0
    while kept < rows:
        # as many as the share kept so far suggests will be enough; all of them if there is no selection
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
            raise TooFewKept(
                f"only {kept:,} of {drawn:,} rows pass the selection by {names}",
                way_out="select by fewer nodes, or try another seed",
            )
    return out


@contextmanager
def finite_values() -> Iterator[None]:
    """Raise a `GraphError` if values overflow in the body of the `with` statement."""
    try:
        with np.errstate(over="raise", invalid="raise"):
            yield
    except FloatingPointError:
        raise GraphError(
            "the values grow along the directed paths beyond the range of floats; take a DAG with fewer or shorter "
            "paths"
        ) from None


def frame(dag: DAG, columns: list[Values], labels: Mapping[str, Sequence[str]] | None = None) -> "pl.DataFrame":
    """The observed columns as a table; `labels` are the names of the levels of some columns.

    The list of columns is emptied, so that there are never two copies of all values in memory.
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
    """Raise an `OptionError` unless this is a DAG with an observed node, and a valid number of rows for it."""
    if not isinstance(dag, DAG):
        raise OptionError("must be a DAG", option="dag", value=dag, way_out="for example an.DAG.parse('a -> b')")
    if not dag.observed:
        raise OptionError("the DAG must have an observed node, and all nodes of this one are latent or selection")
    together = f"{counted(len(dag.observed), 'column')} may have {MOST_VALUES:,} values together"
    most = MOST_VALUES // len(dag.observed)
    whole_number("rows", rows, 1, most, way_out=f"{together}: draw several parts, each with its own seed")
