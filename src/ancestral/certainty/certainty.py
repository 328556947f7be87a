"""`Certainty`: in which share of resamples a search by score says what a graph says, about edges, marks and causes."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import number_between
from ancestral.certainty.resamples import Resamples
from ancestral.data.libraries import Library, frame_of
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.graphs.relations import causal_answers
from ancestral.knowledge import Knowledge
from ancestral.printing import counted

__all__ = ["FEWEST", "FIRM", "Certainty"]

#: What at least this share of the resamples say, in each reading, is called firm: in simulations, about 98 of 100 such
#: arrowheads and 95 of 100 such tails were right (docs/believe.md).
FIRM = 0.9

#: With fewer resamples, nothing is called firm.
FEWEST = 10

Shares = NDArray[np.float64]


class Certainty:
    """How certain the claims of a graph are: the share of resamples in which a search by score claims the same.

    Rows are drawn with replacement, and the drawn rows are searched in each reading of the data: as measured, and as
    normal scores, where there are numbers. A certainty is the smaller one of the shares of both readings. A mark that
    is known beside the data is certain. Made by `Discovery.certainty`.

    Attributes:
        graph: The graph.
        resamples: The graphs of the resamples.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> found = an.discover(rows, resamples=10)
        >>> certainty = found.certainty()
        >>> certainty.repeats, certainty.readings, certainty.stopped, certainty.enough, certainty.graph == found.pag
        (10, ('as measured', 'normal scores'), None, True, True)
        >>> print(certainty.drawn_in_words())
        10 resamples in both readings
        >>> certainty.edge("c", "d"), certainty.edges[1, 3], bool(certainty.mark("c", "d") == certainty.marks[1, 3])
        (1.0, np.float64(1.0), True)
        >>> [node for node, _, _ in certainty.marks_of("c", "d")], certainty.firm(0.01) == found.pag  # almost any level
        (['c', 'd'], True)
        >>> 0 <= certainty.causes("c", "d") <= 1, 0 <= certainty.confounded("c", "d") <= 1
        (True, True)
        >>> {kind: there for kind, (_, there) in certainty.counts().items()}, certainty.to_frame().height
        ({'arrowheads': 3, 'tails': 1}, 3)
    """

    def __init__(
        self,
        graph: PAG,
        resamples: Resamples,
        *,
        selection_bias: bool,
        complete: bool,
        knowledge: Knowledge | None = None,
    ) -> None:
        """How the graph is read: `selection_bias` and `complete` as in `relations`, and what is known."""
        self.graph = graph
        self.resamples = resamples
        self._selection_bias = selection_bias
        self._complete = complete
        self._knowledge = knowledge

    @property
    def repeats(self) -> int:
        """The number of resamples, in each reading."""
        return self.resamples.repeats

    @property
    def readings(self) -> tuple[str, ...]:
        """The names of the readings."""
        return self.resamples.readings

    @property
    def stopped(self) -> str | None:
        """Why fewer resamples were searched than asked for; None if all were."""
        return self.resamples.stopped

    @property
    def enough(self) -> bool:
        """Whether there are enough resamples to call something firm."""
        return self.repeats >= FEWEST

    # -- edges and marks --------------------------------------------------------------------------------------------

    def edge(self, a: str, b: str) -> float:
        """The share of resamples that agree about a and b: that there is an edge, or that there is none.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The share; NaN without resamples.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If both are the same.
        """
        return float(self.edges[self._two(a, b)])

    def mark(self, a: str, b: str) -> float:
        """The share of resamples that have an edge between a and b with the same mark at b.

        Args:
            a: A variable.
            b: The variable that the mark is at.

        Returns:
            The share; NaN without resamples.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If the graph has no such edge, or both are the same.
        """
        i, j = self._two(a, b)
        if self.graph.marks[i, j] == NONE:
            raise OptionError(f"{a!r} and {b!r} have no edge, so there is no mark; ask for .edge({a!r}, {b!r})")
        return float(self.marks[i, j])

    def marks_of(self, a: str, b: str) -> list[tuple[str, int, float]]:
        """The marks of the edge of a and b that are not circles.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            For each, its node, the mark, and how certain it is.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If both are the same.
        """
        i, j = self._two(a, b)
        ends = ((a, j, i), (b, i, j))
        marks = [(node, int(self.graph.class_marks[x, y]), float(self.marks[x, y])) for node, x, y in ends]
        return [(node, mark, share) for node, mark, share in marks if mark not in (NONE, CIRCLE)]

    @cached_property
    def edges(self) -> Shares:
        """For each pair of nodes of the graph, the share of resamples that agree whether there is an edge."""
        joined = self.graph.marks != NONE
        return self._least([((graphs != NONE) == joined) for graphs in self._graphs])

    @cached_property
    def marks(self) -> Shares:
        """At i, j: the share of resamples with the same mark at node j on an edge with node i, or as well none."""
        shares = self._least([graphs == self.graph.class_marks for graphs in self._graphs])
        return np.where(self._known & (self.graph.marks != NONE), 1.0, shares)

    @cached_property
    def _known(self) -> NDArray[np.bool_]:
        """At i, j: whether the mark at node j on an edge with node i is known beside the data."""
        if self._knowledge is None:
            return np.zeros(self.graph.marks.shape, dtype=bool)
        known = self._knowledge.constraints(self.graph.nodes, self._selection_bias)
        return np.asarray((known.arrow | known.tail).T)

    def firm(self, level: float = FIRM) -> PAG:
        """The graph with circles in the place of marks that are less certain than a level.

        Its edges are those of the graph. It says less than the graph, and need not be the PAG of any one class, so
        graph algorithms should be given the graph itself. With fewer than 10 resamples no mark is firm.

        Args:
            level: The level, above 0 and at most 1.

        Returns:
            The graph.

        Raises:
            OptionError: If the level is not such a number.
        """
        level = number_between("level", level, 0, 1, with_high=True)
        return self._firm if level == FIRM else self._firm_at(level)

    @cached_property
    def _firm(self) -> PAG:
        return self._firm_at(FIRM)

    def _firm_at(self, level: float) -> PAG:
        kept = self.marks >= level if self.enough else np.zeros(self.marks.shape, dtype=bool)
        marks = self.graph.class_marks
        return PAG(self.graph.nodes, np.where((marks != NONE) & ~kept, CIRCLE, marks))

    # -- answers ----------------------------------------------------------------------------------------------------

    def causes(self, a: str, b: str) -> float:
        """The share of resamples whose graphs answer as this one does, when asked whether a causes b.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The share; NaN without resamples.

        Raises:
            UnknownName: If a name is not a variable.
        """
        i, j = self._two(a, b)
        return float(self._causing(j)[i])

    def confounded(self, a: str, b: str) -> float:
        """The share of resamples whose graphs answer as this one does, when asked whether a and b are confounded.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The share; NaN without resamples.

        Raises:
            UnknownName: If a name is not a variable.
        """
        self._two(a, b)
        mine = self.graph.confounded(a, b)
        return float(
            self._least([self._ask(graphs, lambda one: one.confounded(a, b) == mine) for graphs in self._pags])
        )

    # -- all together -----------------------------------------------------------------------------------------------

    def counts(self, level: float = FIRM) -> dict[str, tuple[int, int]]:
        """How many arrowheads and tails are firm, and how many there are.

        Args:
            level: As in `firm`.

        Returns:
            The two numbers for "arrowheads" and for "tails".

        Raises:
            OptionError: If the level is not above 0 and at most 1.
        """
        marks, firm = self.graph.class_marks, self.firm(level).marks
        kinds = {"arrowheads": ARROW, "tails": TAIL}
        return {kind: (int((firm == mark).sum()), int((marks == mark).sum())) for kind, mark in kinds.items()}

    def to_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each edge.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `a`, `edge`, `b`, `edge_certainty`, and `certainty_at_a` and `certainty_at_b`, also
            of circles.

        Raises:
            OptionError: If there is no such library.
        """
        nodes, rows = self.graph.nodes, [(self.graph.index(a), self.graph.index(b)) for a, _, b in self.graph.edges()]
        columns: dict[str, list[Any]] = {
            "a": [nodes[i] for i, _ in rows],
            "edge": [self.graph.edge(nodes[i], nodes[j]) for i, j in rows],
            "b": [nodes[j] for _, j in rows],
            "edge_certainty": [float(self.edges[i, j]) for i, j in rows],
            "certainty_at_a": [float(self.marks[j, i]) for i, j in rows],
            "certainty_at_b": [float(self.marks[i, j]) for i, j in rows],
        }
        return frame_of(columns, library)

    def drawn_in_words(self) -> str:
        """How many resamples there were, and in how many readings.

        Returns:
            A phrase.
        """
        return counted(self.repeats, "resample") + " in both readings" * (len(self.readings) > 1)

    def __str__(self) -> str:
        if not self.repeats:
            return "Certainty: no resample was searched."
        drawn = self.drawn_in_words()
        if not self.enough:
            return f"Certainty ({drawn}): too few to call anything firm; take at least {FEWEST}."
        counts = self.counts()
        parts = ", ".join(f"{firm} of {counted(all_, kind[:-1])}" for kind, (firm, all_) in counts.items() if all_)
        if not parts:
            return f"Firm ({drawn}): the graph has neither arrowheads nor tails."
        rest = any(firm < all_ for firm, all_ in counts.values())
        return f"Firm ({drawn}): {parts}." + " The others are the best guess; resamples disagree." * rest

    def __repr__(self) -> str:
        return f"<Certainty: {len(self.graph.nodes)} variables, {self.drawn_in_words()}>"

    # -- shares -----------------------------------------------------------------------------------------------------

    @cached_property
    def _graphs(self) -> list[NDArray[np.uint8]]:
        """For each reading, the marks of its graphs over the nodes of this graph."""
        position = {name: i for i, name in enumerate(self.resamples.names)}
        order = np.array([position[name] for name in self.graph.nodes], dtype=np.intp)
        return [graphs[:, order[:, None], order] for graphs in self.resamples.matrices]

    @cached_property
    def _pags(self) -> list[list[PAG]]:
        """The graphs of each reading; equal ones are one object."""
        same: dict[bytes, PAG] = {}
        for graphs in self._graphs:
            for marks in graphs:
                if marks.tobytes() not in same:
                    same[marks.tobytes()] = PAG(self.graph.nodes, marks)
        return [[same[marks.tobytes()] for marks in graphs] for graphs in self._graphs]

    def _causing(self, j: int) -> Shares:
        """For each node, the share of resamples that answer as this graph does whether it causes node j; kept."""
        if j not in self._causing_kept:

            def answers(graph: PAG) -> NDArray[np.object_]:
                return causal_answers(graph, self._selection_bias, self._complete, [j])[:, 0]

            mine = answers(self.graph)
            same = [self._ask(graphs, lambda one: answers(one) == mine) for graphs in self._pags]
            self._causing_kept[j] = self._least(same)
        return self._causing_kept[j]

    @cached_property
    def _causing_kept(self) -> dict[int, Shares]:
        return {}

    @staticmethod
    def _ask(graphs: list[PAG], question: Callable[[PAG], Any]) -> NDArray[np.bool_]:
        """What a question says of each graph; equal graphs are asked once."""
        answers = {id(graph): question(graph) for graph in graphs}
        return np.array([answers[id(graph)] for graph in graphs], dtype=bool)

    def _least(self, same: list[NDArray[np.bool_]]) -> Any:
        """The smallest of the shares over the readings; NaN without resamples."""
        if not self.repeats:
            return np.full(same[0].shape[1:] if same else (), np.nan)
        return np.min([one.mean(axis=0) for one in same], axis=0)

    def _two(self, a: str, b: str) -> tuple[int, int]:
        """The positions of two nodes of the graph; raises unless they are two."""
        i, j = self.graph.index(a), self.graph.index(b)
        if i == j:
            raise OptionError(f"{a!r} and {b!r} are the same variable", way_out="ask about two different ones")
        return i, j
