"""Members of an equivalence class: one of them, random draws, and whether a graph is the PAG of any class.

`mag_in` needs no search: the circles of a PAG tell how to replace them (`graphs/member.py`). The result is checked by
applying the rules to it: a graph is legal if and only if this leads back to the same graph.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import MOST_SEED, whole_number
from ancestral.classes.equivalence import cpdag_marks, pag_of
from ancestral.errors import GraphError, Option
from ancestral.graphs import CPDAG, DAG, MAG, PAG
from ancestral.graphs.ancestry import directed_steps, reaching
from ancestral.graphs.canonical import canonical_dag
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.member import circle_ring, member_marks
from ancestral.graphs.visible import visible_by
from ancestral.printing import shown_type

__all__ = ["Legality", "legal", "mag_in", "sample_dags", "sample_mags"]

#: Largest number of open choices for which a class is listed in full before drawing: up to 1,024 graphs.
MOST_LISTED = 10

#: Changes that are tried between two draws, for each open choice; with ten, draws are close to independent.
CHANGES = 10

Marks = NDArray[np.uint8]


@dataclass(frozen=True)
class Legality:
    """Whether a graph is the PAG (or CPDAG) of some graph, and the reason. It is true or false in an `if`."""

    legal: bool
    reason: str

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        return f"legal: {self.reason}" if self.legal else f"not legal: {self.reason}"


def mag_in(pag: PAG) -> MAG:
    """A MAG of the class that a PAG stands for; of a CPDAG, one of its DAGs. Always the same one.

    Raises a `GraphError` if there is none: graphs learned from data need not be legal.

    >>> print(mag_in(PAG.parse("a o-o b, b o-o c, d o-> e, f o-> e")))
    a --> b
    b --> c
    d --> e
    f --> e
    """
    mag, legality = _member(pag)
    if mag is None or not legality:
        raise GraphError(
            f"not the {type(pag).__name__} of any graph: {legality.reason}; graphs learned from data need not be legal"
        )
    return mag


def legal(pag: PAG) -> Legality:
    """Whether there is a graph whose PAG (or CPDAG) is exactly this one; if not, why.

    Raises a `GraphError` if the graph is neither a PAG nor a CPDAG.

    >>> print(legal(PAG.parse("a o-> c, b o-> c, c o-> d")))
    not legal: all graphs with these separations have a tail at c on c o-> d
    >>> print(legal(PAG.parse("a o-> b, c o-> b, b --> d")))
    legal: it is the PAG of, for one, a --> b, b --> d, c --> b
    """
    return _member(pag)[1]


def sample_mags(pag: PAG, n: int, seed: int, *, selection_bias: bool = True) -> list[MAG]:
    """Draw n MAGs of the class of a PAG, with replacement; `selection_bias=False` leaves out those with `---`.

    If there are at most 10 circles the class is listed, and draws are independent and uniform. Otherwise they come from
    a random walk that changes the mark of one circle at a time and stays in the class: each change is as likely as its
    reverse, so in the long run each MAG that can be reached is as likely as any other. Without selection all can be
    reached (Zhang & Spirtes 2005). Ten changes are tried for each circle between two draws, which are then close to
    independent. Of a CPDAG, DAGs are drawn in the same way, by turning one edge at a time (Chickering 1995).

    Raises a `GraphError` if there is no such MAG, and an `OptionError` if `n` or `seed` is not a whole number >= 0.

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
            raise GraphError("every MAG of the class has an edge ---; pass ", Option("selection_bias", True))
        return [listed[i] for i in rng.integers(len(listed), size=count)]
    return list(space.walk(count, rng))


def sample_dags(pag: PAG, n: int, seed: int, *, selection_bias: bool = True) -> list[DAG]:
    """The canonical DAGs of n MAGs drawn by `sample_mags`.

    They have a latent node for each `<->` of the MAG, and a selection node for each `---`. A MAG stands for many more
    DAGs, which agree on ancestry among the observed nodes. Raises what `sample_mags` raises.
    """
    return [canonical_dag(mag) for mag in sample_mags(pag, n, seed, selection_bias=selection_bias)]


class _Class:
    """The class of graphs with this PAG (or CPDAG), of which `start` is one."""

    def __init__(self, pag: PAG, start: MAG, selection_bias: bool) -> None:
        self.pag = pag
        self.start = start
        self.selection_bias = selection_bias
        marks = pag.class_marks
        self.directed = isinstance(pag, CPDAG)
        # each choice is a mark, or in a CPDAG an edge, and has two possibilities
        self.open = np.argwhere((np.triu(marks) if self.directed else marks) == CIRCLE).tolist()
        self.choices = len(self.open)

    def listed(self) -> Iterator[MAG]:
        """All graphs of the class."""
        for chosen in product((ARROW, TAIL), repeat=self.choices):
            marks = self.start.marks.copy()
            for (u, v), mark in zip(self.open, chosen, strict=True):
                self.set(marks, u, v, mark)
            if (mag := self.admitted(marks)) is not None:
                yield mag

    def walk(self, count: int, rng: np.random.Generator) -> Iterator[MAG]:
        """Draw `count` graphs of the class, by a random walk that begins at a random one."""
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
        """Whether a change of the mark at v on u–v, which turns `marks` into `changed`, stays in the class.

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
        """The graph with these marks, or None if it does not belong to the class."""
        if not self.selection_bias and ((marks == TAIL) & (marks.T == TAIL)).any():
            return None
        try:
            mag = MAG(self.pag.nodes, marks)
        except GraphError:
            return None
        return mag if np.array_equal(_class_marks(mag, self.directed), self.pag.class_marks) else None


def _member(pag: PAG) -> tuple[MAG | None, Legality]:
    """A MAG of the class if there is any, and whether the PAG is exactly the PAG of that class."""
    if not isinstance(pag, PAG):
        raise GraphError(f"the graph must be a PAG or a CPDAG, got {shown_type(pag)}; pag_of gives the PAG of one")
    marks = pag.class_marks
    if ring := circle_ring(marks):
        names = " o-o ".join(pag.nodes[i] for i in [*ring, ring[0]])
        return None, Legality(
            False, f"the ring {names} has no chord of that kind, so some of its marks must not be circles"
        )
    try:
        mag = MAG(pag.nodes, member_marks(marks))
    except GraphError as error:
        return None, Legality(False, f"with its circles replaced it would not be a MAG: {error}")
    agreed = _class_marks(mag, isinstance(pag, CPDAG))
    for x, y in np.argwhere(agreed != marks).tolist():
        words = {CIRCLE: "differ about the mark", ARROW: "have an arrowhead", TAIL: "have a tail"}
        where = f"at {pag.nodes[y]} on {pag.edge_text(pag.nodes[y], pag.nodes[x])}"
        return mag, Legality(False, f"all graphs with these separations {words[agreed[x, y]]} {where}")
    shown = str(mag).replace("\n", ", ")
    return mag, Legality(True, f"it is the {type(pag).__name__} of, for one, {shown}")


def _class_marks(mag: MAG, directed: bool) -> Marks:
    """The marks of the class of a MAG, with circles where its members differ; of the class of DAGs if `directed`."""
    return cpdag_marks(mag) if directed else pag_of(mag).marks
