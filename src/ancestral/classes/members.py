"""Graphs of a class, and whether there are any: one of them, a check that a PAG is one, and draws of several.

`mag_in` needs no search: the circles of a PAG tell how to fill them (`graphs/member.py`). What was made is checked by
going back, with the rules, to its PAG. So a graph is legal if and only if that is the graph one came from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.arguments import MOST_SEED, whole_number
from ancestral.classes.equivalence import pag_of
from ancestral.errors import GraphError
from ancestral.graphs import CPDAG, DAG, MAG, PAG
from ancestral.graphs.ancestry import directed_steps, reaching
from ancestral.graphs.canonical import canonical_dag
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.member import circle_ring, member_marks
from ancestral.graphs.visible import visible_by
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import orient_cpdag

__all__ = ["Legality", "legal", "mag_in", "sample_dags", "sample_mags"]

#: Classes with so many open choices are listed in full before one is drawn.
MOST_LISTED = 10
#: Between two draws so many changes are tried for each open choice.
CHANGES = 10

Marks = NDArray[np.uint8]


@dataclass(frozen=True)
class Legality:
    """Whether a graph is the PAG (or CPDAG) of some graph, and if not, the reason. True or false in an `if`."""

    legal: bool
    reason: str

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        return f"legal: {self.reason}" if self.legal else f"not legal: {self.reason}"


def mag_in(pag: PAG) -> MAG:
    """A MAG of the class that a PAG stands for; of a CPDAG, one of its DAGs. The same one each time.

    >>> print(mag_in(PAG.parse("a o-o b, b o-o c, d o-> e, f o-> e")))
    a --> b
    b --> c
    d --> e
    f --> e
    """
    mag, said = _member(pag)
    if mag is None or not said:
        raise GraphError(
            f"not the {type(pag).__name__} of any graph: {said.reason}; graphs learned from data need not be legal"
        )
    return mag


def legal(pag: PAG) -> Legality:
    """Whether there is a graph of which this is the PAG, and all of it; if not, why.

    >>> print(legal(PAG.parse("a o-> c, b o-> c, c o-> d")))
    not legal: all graphs with these separations have a tail at c on c o-> d
    >>> print(legal(PAG.parse("a o-> b, c o-> b, b --> d")))
    legal: it is the PAG of, for one, a --> b, b --> d, c --> b
    """
    return _member(pag)[1]


def sample_mags(pag: PAG, n: int, seed: int, *, selection_bias: bool = True) -> list[MAG]:
    """Draw n MAGs of the class of a PAG, with replacement; `selection_bias=False` leaves out those with `---`.

    Where there are at most 10 circles the class is listed, and the draws are independent, each MAG as likely as any
    other. Otherwise they come from a walk that changes one circle's mark at a time and stays in the class: each change
    is as likely as its reverse, so in the long run each MAG that can be reached is as likely as any other. Without
    selection all can be reached (Zhang & Spirtes 2005). Ten changes are tried for each circle between two draws, which
    are then close to independent, but not quite. Of a CPDAG, in the same way, its DAGs, by turning one edge at a time
    (Chickering 1995).

    >>> [str(mag) for mag in sample_mags(PAG.parse("a o-o b"), 4, seed=2)]
    ['a --- b', 'a --> b', 'a <-> b', 'a --> b']
    """
    count = whole_number("n", n, 0)
    rng = np.random.default_rng(whole_number("seed", seed, 0, MOST_SEED))
    start = mag_in(pag)
    space = _Class(pag, start, selection_bias)
    if space.choices <= MOST_LISTED:
        listed = list(space.listed())
        if not listed:
            raise GraphError("every MAG of the class has an edge ---; pass selection_bias=True, which allows them")
        return [listed[i] for i in rng.integers(len(listed), size=count)]
    return list(space.walk(count, rng))


def sample_dags(pag: PAG, n: int, seed: int, *, selection_bias: bool = True) -> list[DAG]:
    """The canonical DAGs of n MAGs drawn by `sample_mags`, with a latent node for each `<->`, a selected one for `---`.

    A MAG stands for many more DAGs, which agree on who is an ancestor of whom among the observed nodes.
    """
    return [canonical_dag(mag) for mag in sample_mags(pag, n, seed, selection_bias=selection_bias)]


class _Class:
    """The graphs that have the PAG (or CPDAG) of this one."""

    def __init__(self, pag: PAG, start: MAG, selection_bias: bool) -> None:
        self.pag = pag
        self.start = start
        self.selection_bias = selection_bias
        marks = pag.class_marks
        self.directed = isinstance(pag, CPDAG)
        #: each choice is a mark, or in a CPDAG an edge, with its two possibilities
        self.open = np.argwhere((np.triu(marks) if self.directed else marks) == CIRCLE).tolist()
        self.choices = len(self.open)

    def listed(self) -> Iterator[MAG]:
        """All of them."""
        for chosen in product((ARROW, TAIL), repeat=self.choices):
            marks = self.start.marks.copy()
            for (u, v), mark in zip(self.open, chosen, strict=True):
                self.set(marks, u, v, mark)
            if (mag := self.admitted(marks)) is not None:
                yield mag

    def walk(self, count: int, rng: np.random.Generator) -> Iterator[MAG]:
        """So many of them, by a random walk that begins at a random one."""
        marks = member_marks(self.pag.class_marks, rng)
        for _ in range(count):
            for k in rng.integers(self.choices, size=CHANGES * self.choices).tolist():
                u, v = self.open[k]
                changed = marks.copy()
                self.set(changed, u, v, TAIL if marks[u, v] == ARROW else ARROW)
                if self.may_change(marks, changed, u, v):
                    marks = changed
            mag = self.admitted(marks)
            assert mag is not None  # no change leads out of the class
            yield mag

    def may_change(self, marks: Marks, changed: Marks, u: int, v: int) -> bool:
        """Whether the class has the graph in which the mark at v on u–v is changed, as it has the one before.

        Between v --> u and v <-> u, where nothing is undirected, that is so if and only if no other directed path leads
        from v to u, each parent of v is one of u, each node with w <-> v has w --> u or w <-> u, and no path
        discriminates v (Zhang & Spirtes 2005, lemma 1); the last of these is that the edge v --> u is not visible.
        """
        if self.directed or any(((m == TAIL) & (m.T == TAIL)).any() for m in (marks, changed)):
            return self.admitted(changed) is not None
        arrow = marks if marks[u, v] == TAIL else changed  # v --> u
        before = arrow[:, v] == ARROW
        goes_on = (arrow[:, u] == ARROW) & ((arrow[v] == ARROW) | (arrow[u] == TAIL))
        if (before & ~goes_on).any() or visible_by(arrow, v, u) is not None:
            return False
        steps = directed_steps(arrow)
        steps[v, u] = False
        return v not in reaching(steps, u)

    def set(self, marks: Marks, u: int, v: int, mark: int) -> None:
        """Give v this mark on u–v; in a CPDAG, u the other one."""
        marks[u, v] = mark
        if self.directed:
            marks[v, u] = TAIL if mark == ARROW else ARROW

    def admitted(self, marks: Marks) -> MAG | None:
        """The graph with these marks if it belongs to the class."""
        if not self.selection_bias and ((marks == TAIL) & (marks.T == TAIL)).any():
            return None
        try:
            mag = MAG(self.pag.nodes, marks)
        except GraphError:
            return None
        return mag if np.array_equal(_class_marks(mag, self.directed), self.pag.class_marks) else None


def _member(pag: PAG) -> tuple[MAG | None, Legality]:
    """A MAG of the class if there is any, and whether the PAG says all that is true of its class, and nothing else."""
    if not isinstance(pag, PAG):
        raise GraphError(f"a PAG or CPDAG stands for a class of graphs, a {type(pag).__name__} does not")
    marks = pag.class_marks
    if ring := circle_ring(marks):
        names = " o-o ".join(pag.nodes[i] for i in [*ring, ring[0]])
        return None, Legality(False, f"the ring {names} has no chord of that kind, so some of its marks are no circles")
    try:
        mag = MAG(pag.nodes, member_marks(marks))
    except GraphError as error:
        return None, Legality(False, f"with its circles filled in it would be no MAG: {error}")
    said = _class_marks(mag, isinstance(pag, CPDAG))
    for x, y in np.argwhere(said != marks).tolist():
        words = {CIRCLE: "differ about the mark", ARROW: "have an arrowhead", TAIL: "have a tail"}
        where = f"at {pag.nodes[y]} on {pag.edge_text(pag.nodes[y], pag.nodes[x])}"
        return mag, Legality(False, f"all graphs with these separations {words[said[x, y]]} {where}")
    shown = str(mag).replace("\n", ", ")
    return mag, Legality(True, f"it is the {type(pag).__name__} of, for one, {shown}")


def _class_marks(mag: MAG, directed: bool) -> Marks:
    """The marks of the class of a MAG; of the class of DAGs if `directed`."""
    if directed:
        return orient_cpdag(mag.skeleton(), TrueGraph(mag.marks), Pulse()).marks
    return pag_of(mag).marks
