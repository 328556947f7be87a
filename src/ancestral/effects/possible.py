"""The effects of x on y in the MAGs of a class, read plainly: `possible_effects`.

Where an effect is not identified, each MAG of the class still has one, if it is read as a system of its own: every
arrow is a cause, every <-> is confounding, and nothing is both. In a linear system it is the sum over the directed
paths from x to y of the products of coefficients, and the coefficients of a node are those of its regression on its
parents: in an ancestral graph its error is independent of them. So only nodes between x and y, and their parents,
matter, and few of the MAGs differ there.

That reading is an assumption. A MAG stands for many more graphs, in which something unmeasured also causes both ends of
an edge that is not visible; there the effect may be any number (`PossibleEffects.reason`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import MOST_SEED, whole_number
from ancestral.classes.listing import Marks, Members
from ancestral.classes.members import members_behind
from ancestral.data import DataError, Moments
from ancestral.data.libraries import Library, frame_of
from ancestral.effects.adjustment import AdjustmentSet, adjustment_set
from ancestral.effects.criterion import reached
from ancestral.effects.linear import SMALLEST_EIGENVALUE
from ancestral.effects.pairs import open_edge, refuse_selection, two_names
from ancestral.errors import GraphError, OptionError
from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.ancestry import possible_ancestor_steps
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.graphs.names import quoted
from ancestral.independence.base import MomentsSource
from ancestral.io.frames import series
from ancestral.printing import counted, rounded, shown_type, visible

__all__ = ["PossibleEffects", "effects_in_class", "possible_effects"]

#: Effects that differ by less than this, in units of standard deviations, are the same: rounding errors are below it.
SAME = 1e-9

#: Values that are printed; of the others, the number is told.
MOST_PRINTED = 12

#: Why an effect may be any number, after the edge that leaves it open.
_OPEN = "may be a cause and confounded at once, and then any effect fits the data"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PossibleEffects:
    """The effects of `x` on `y` in the MAGs of a class, each read plainly: arrows are causes, <-> is confounding.

    Made by `possible_effects` and `Discovery.possible_effects`.

    Attributes:
        x: The cause.
        y: The outcome.
        values: The different effects, in increasing order. Each is an estimate, so values that are equal in the
            population may differ a little.
        counts: The number of MAGs that have each.
        all_listed: Whether the class was listed. Otherwise graphs were drawn at random, and there may be values that no
            draw has.
        unbounded: Without the assumption, the effect may be any number.
        reason: Why that is so; otherwise why adjustment does not give the effect. Empty if it does, or if x has no
            effect on y.
        kind: "MAG", or "DAG" for a CPDAG, where nothing is latent, and `values` are all there are.
        rows: The number of rows.
        doubt: As in `AdjustmentSet`.

    Examples:
        >>> moments = Moments.from_covariance([[1.0, 0.5], [0.5, 1.0]], rows=500, names=["a", "b"])
        >>> found = possible_effects(PAG.parse("a o-o b"), moments, "a", "b")
        >>> found.values, found.counts, found.shares  # of a --> b, and of a <-> b and b --> a, without an effect of a
        ((0.0, 0.5), (2, 1), (0.6666666666666666, 0.3333333333333333))
        >>> found.low, found.high, found.graphs, found.drawn
        (0.0, 0.5, 3, 0)
        >>> found.to_frame()["graphs"].to_list()
        [2, 1]
    """

    x: str
    y: str
    values: tuple[float, ...]
    counts: tuple[int, ...]
    all_listed: bool
    unbounded: bool
    reason: str
    kind: str
    rows: int
    doubt: str | None = None

    @property
    def low(self) -> float:
        """The smallest value."""
        return self.values[0]

    @property
    def high(self) -> float:
        """The largest value."""
        return self.values[-1]

    @property
    def graphs(self) -> int:
        """The number of graphs that were read."""
        return sum(self.counts)

    @property
    def drawn(self) -> int:
        """The number of graphs that were drawn at random; 0 if all were listed."""
        return 0 if self.all_listed else self.graphs

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of graphs that have each value."""
        return tuple(count / self.graphs for count in self.counts)

    def __str__(self) -> str:
        return "\n".join(map(visible, [self._headline, *(f"  {line}" for line in [*self._table(), *self._remarks()])]))

    def to_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each value.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `value`, `graphs` (the number of graphs that have it) and `share`.

        Raises:
            OptionError: If there is no such library.
        """
        columns = {
            "value": series("value", list(self.values), "number"),
            "graphs": series("graphs", list(self.counts), "count"),
            "share": series("share", list(self.shares), "number"),
        }
        return frame_of(columns, library)

    def _repr_html_(self) -> str:
        """The values as a table, for notebooks."""
        cell = 'style="text-align: right; padding: 0.1rem 0.6rem"'
        rows = "".join(
            f"<tr><td {cell}>{rounded(value, 4)}</td><td {cell}>{share:.1%}</td></tr>"
            for value, share in zip(self.values[:MOST_PRINTED], self.shares, strict=False)
        )
        remarks = "".join(f"<p>{escape(visible(line))}</p>" for line in [*self._more(), *self._remarks()])
        head = f"<tr><th {cell}>effect</th><th {cell}>share of {self._graphs}</th></tr>"
        return f"<div><p>{escape(visible(self._headline))}</p><table>{head}{rows}</table>{remarks}</div>"

    @property
    def _graphs(self) -> str:
        if self.all_listed:
            return f"the {counted(self.graphs, self.kind)} of the class"
        return f"{counted(self.drawn, self.kind)} drawn from the class"

    @property
    def _headline(self) -> str:
        ends = [self.low] if len(self.values) == 1 else [self.low, self.high]
        found = " to ".join(rounded(end, 4) for end in ends)
        return f"Possible effects of {quoted(self.x)} on {quoted(self.y)}, read plainly: {found}"

    def _table(self) -> Iterator[str]:
        shown = [rounded(value, 4) for value in self.values[:MOST_PRINTED]]
        width = max(map(len, shown))
        for value, share in zip(shown, self.shares, strict=False):
            yield f"{value:>{width}}  in {share:.1%} of {self._graphs}"
        yield from self._more()

    def _more(self) -> Iterator[str]:
        if len(self.values) > MOST_PRINTED:
            more = counted(len(self.values) - MOST_PRINTED, "more value")
            yield f"{more} up to {rounded(self.high, 4)}; to_frame() has all."

    def _remarks(self) -> Iterator[str]:
        if self.kind == "MAG":
            yield "Assumed: each --> of a MAG is a cause and not confounded as well; the sample was not selected."
        else:
            yield "Assumed: nothing unmeasured causes two of the variables."
        if self.unbounded:
            yield f"Without that, there is no bound: {self.reason}."
        elif self.reason:
            yield f"Adjustment does not give the effect: {self.reason}."
        elif self.kind == "MAG":
            yield "The effect does not rest on that: the graph gives it, and its estimate has an interval."
        if self.doubt:
            yield f"Beware: {self.doubt}."


def possible_effects(
    graph: PAG, moments: Moments, x: str, y: str, *, most: int = 2000, seed: int = 0
) -> PossibleEffects:
    """The effects of x on y in the MAGs of the class of a PAG, each read plainly; of a CPDAG, in its DAGs.

    Args:
        graph: A PAG or CPDAG.
        moments: Those of data in which relations are linear.
        x: The cause.
        y: The outcome.
        most: The class is listed, if it has at most this number of MAGs without `---`; otherwise as many are drawn from
            it.
        seed: That of the draws.

    Returns:
        The effects; print them.

    Raises:
        GraphError: If the graph is not the PAG of any class, with further marks or without, or if it shows that the
            sample was selected.
        UnknownName: If a name is not a node or a column.
        OptionError: If an option cannot be used.
        DataError: If regressions need more rows, or causes are collinear.

    Examples:
        >>> covariance = [[1.0, 0.5, 0.25], [0.5, 1.0, 0.5], [0.25, 0.5, 1.0]]
        >>> moments = Moments.from_covariance(covariance, rows=500, names=["a", "b", "c"])
        >>> print(possible_effects(PAG.parse("a o-o b, b o-o c"), moments, "a", "c"))
        Possible effects of a on c, read plainly: 0 to 0.25
             0  in 80.0% of the 5 MAGs of the class
          0.25  in 20.0% of the 5 MAGs of the class
          Assumed: each --> of a MAG is a cause and not confounded as well; the sample was not selected.
          Without that, there is no bound: a o-o b may be a cause and confounded at once, and then any effect fits the
        data.
    """
    if not isinstance(graph, PAG):
        raise GraphError(f"possible effects are those of a PAG or a CPDAG, got {shown_type(graph)}")
    if not isinstance(moments, Moments):
        raise OptionError("must be moments", option="moments", value=moments, way_out="pass an.Moments.of(data)")
    sets = adjustment_set(graph, *two_names(x, y), limit=1)
    return effects_in_class(graph, moments, sets, most=most, seed=seed)


def effects_in_class(
    graph: PAG, moments: MomentsSource, sets: AdjustmentSet, *, most: int, seed: int
) -> PossibleEffects:
    """The possible effects of one variable on another, about which `sets` says what adjustment can do."""
    (x,), (y,) = sets.x, sets.y
    limit = whole_number("most", most, 1)
    rng = np.random.default_rng(whole_number("seed", seed, 0, MOST_SEED))
    refuse_selection(graph)
    members = members_behind(graph)
    codes = members.listed(limit)
    all_listed = codes is not None
    readings = _Readings(members, graph, graph.index(x), graph.index(y))
    readings.add(members.drawn(limit, rng) if codes is None else codes)
    values, counts, rows = readings.effects(moments, graph.nodes)
    edge = open_edge(graph, x, y)
    return PossibleEffects(
        x=x,
        y=y,
        values=values,
        counts=counts,
        all_listed=all_listed,
        unbounded=edge is not None,
        reason=("" if sets.no_effect else sets.reason) if edge is None else f"{graph.edge_text(*edge)} {_OPEN}",
        kind="DAG" if isinstance(graph, CPDAG) else "MAG",
        rows=rows,
        doubt=sets.doubt,
    )


class _Readings:
    """What the MAGs of a class say about paths from x to y: the parents of each node on one, in how many MAGs.

    `kept` are the nodes that matter: x, y, those that may be between them by the marks of the class, and those that may
    be parents of one; x and y are positions in `kept`, too.
    """

    def __init__(self, members: Members, graph: PAG, x: int, y: int) -> None:
        steps = possible_ancestor_steps(graph.class_marks)
        between = list((reached(steps, [x]) & reached(steps.T, [y])) | {x, y})
        self.kept = sorted({*np.flatnonzero(steps[:, between].any(axis=1)).tolist(), *between})
        self.members, self.x, self.y = members, self.kept.index(x), self.kept.index(y)
        self.found: dict[bytes, int] = {}  #: packed steps into the nodes between, and the number of MAGs

    def add(self, codes: Marks) -> None:
        """Read the MAGs with these codes."""
        rows, columns = np.ix_(self.kept, self.kept)
        for whole in self.members.portions(codes):
            marks = whole[:, rows, columns]
            steps = (marks == ARROW) & (marks.transpose(0, 2, 1) == TAIL)
            between = _reached(steps, self.x) & _reached(steps.transpose(0, 2, 1), self.y)
            between[:, self.x] = False
            packed = np.packbits((steps & between[:, None, :]).reshape(len(steps), -1), axis=1)
            different, times = np.unique(packed, axis=0, return_counts=True)
            for row, count in zip(different, times.tolist(), strict=True):
                key = row.tobytes()
                self.found[key] = self.found.get(key, 0) + count

    def effects(self, source: MomentsSource, names: tuple[str, ...]) -> tuple[tuple[float, ...], tuple[int, ...], int]:
        """The different effects in increasing order, how many MAGs have each, and the number of rows."""
        n = len(self.kept)
        system = _Regressions(source.select([names[v] for v in self.kept]))
        effects = np.array([system.total_effect(_unpacked(key, n), self.x, self.y) for key in self.found])
        times = np.array(list(self.found.values()))
        order = np.argsort(effects, kind="stable")
        effects, times = effects[order], times[order]
        first = np.flatnonzero(np.append(True, np.diff(effects) > SAME))
        values = effects[first] * (system.lengths[self.y] / system.lengths[self.x])
        return tuple(values.tolist()), tuple(np.add.reduceat(times, first).tolist()), system.rows


class _Regressions:
    """Regressions of standardised columns on their parents, each computed once."""

    def __init__(self, moments: Moments) -> None:
        self.names, self.rows, self.lengths = moments.names, moments.rows, moments.lengths
        if not self.lengths.all():
            flat = moments.names[int(np.flatnonzero(self.lengths == 0)[0])]
            raise DataError(f"column {flat!r} has a single value; drop it, since no effect can be estimated from it")
        self.unit: Floats = moments.comoments / np.outer(self.lengths, self.lengths)
        self._known: dict[tuple[int, bytes], Floats] = {}

    def total_effect(self, steps: NDArray[np.bool_], x: int, y: int) -> float:
        """The effect of x on y in standard deviations, if `steps` has the arrows into each node between the two."""
        effect = np.zeros(len(steps))
        effect[x] = 1.0
        for v in _in_causal_order(steps):
            parents = np.flatnonzero(steps[:, v])
            effect[v] = self.coefficients(v, parents) @ effect[parents]
        return float(effect[y])

    def coefficients(self, v: int, parents: NDArray[np.intp]) -> Floats:
        """Those of the regression of v on its parents."""
        key = v, parents.tobytes()
        if key not in self._known:
            among = self.unit[np.ix_(parents, parents)]
            named = ", ".join(repr(self.names[p]) for p in parents)
            if self.rows <= len(parents) + 1:
                raise DataError(f"{self.rows} rows are too few for a regression on {named}; more rows are needed")
            if len(parents) and np.linalg.eigvalsh(among)[0] < SMALLEST_EIGENVALUE:
                raise DataError(f"the columns {named} are collinear, so their effects cannot be separated; drop one")
            self._known[key] = np.linalg.solve(among, self.unit[parents, v])
        return self._known[key]


def _unpacked(key: bytes, n: int) -> NDArray[np.bool_]:
    """The n x n matrix of which these are the packed bits."""
    return np.unpackbits(np.frombuffer(key, dtype=np.uint8), count=n * n).reshape(n, n).astype(bool)


def _in_causal_order(steps: NDArray[np.bool_]) -> list[int]:
    """The nodes into which steps lead, each after those of its parents that are among them."""
    left = dict.fromkeys(np.flatnonzero(steps.any(axis=0)).tolist())
    out: list[int] = []
    while left:
        free = [v for v in left if not steps[list(left), v].any()]
        out += free
        for v in free:
            del left[v]
    return out


def _reached(steps: NDArray[np.bool_], start: int) -> NDArray[np.bool_]:
    """For each graph, the nodes to which steps lead from this one, itself among them."""
    found = np.zeros(steps.shape[:2], dtype=bool)
    found[:, start] = True
    while True:
        further = found | (found[:, :, None] & steps).any(axis=1)
        if np.array_equal(further, found):
            return found
        found = further
