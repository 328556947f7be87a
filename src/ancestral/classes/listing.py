"""The members of an equivalence class: all of them, if they are not too many, or random draws.

Graphs without undirected edges are listed by changes of one mark at a time (`_listing_cy.py`), which takes some
microseconds for each of them. Those with undirected edges are found by trying all marks at the circles.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ancestral.classes._listing_cy import ClassWalk
from ancestral.classes.equivalence import cpdag_marks, pag_of
from ancestral.errors import GraphError
from ancestral.graphs import CPDAG, MAG, PAG
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.member import member_marks

__all__ = ["Marks", "Members", "class_marks"]

#: Largest number of circles for which all marks are tried where edges may be undirected: up to 1,024 graphs.
MOST_CIRCLES = 10

#: Changes that are tried between two draws, for each choice; with ten, draws are close to independent.
CHANGES = 10

#: Bytes of marks that are made of codes at a time.
PORTION = 1 << 24

Marks = NDArray[np.uint8]


class Members:
    """The graphs of the class of a legal PAG or CPDAG; with `selection`, those with undirected edges among them.

    With `known`, marks that are known beside the class, only graphs that have them; `member_marks(known)` must be one.
    A graph is a code here: a row of the marks at the circles of a PAG, or of one end of the edges `---` of a CPDAG.
    """

    def __init__(self, pag: PAG, *, selection: bool, known: Marks | None = None) -> None:
        self.pag = pag
        self.directed = isinstance(pag, CPDAG)
        marks = pag.class_marks
        self.known = known
        self.start = member_marks(marks if known is None else known)
        self.choices = np.argwhere((np.triu(marks) if self.directed else marks) == CIRCLE)
        self.selection = selection and not self.directed
        #: Whether there is such a graph: an undirected edge of a PAG is one in all graphs of its class.
        self.exist = self.selection or not _has_line(self.start)

    def listed(self, most: int) -> Marks | None:
        """All graphs of the class, a code in each row; None if there are more than `most`, or too many to try."""
        if not self.exist:
            return self._rows([])
        if self.selection:
            return None if len(self.choices) > MOST_CIRCLES else self._rows(list(self._tried()))
        codes, complete = self.walk().listed(most)
        return self._known(self._rows(codes)) if complete else None

    def sample(self, count: int, rng: np.random.Generator, most: int) -> Marks:
        """Draw codes with replacement: of all graphs, if they are at most `most`, otherwise by a random walk."""
        listed = self.listed(most)
        return self.drawn(count, rng) if listed is None else listed[rng.integers(len(listed), size=count)]

    def drawn(self, count: int, rng: np.random.Generator) -> Marks:
        """Draw codes by a random walk, which leaves known marks as they are; without any, it begins at random."""
        if self.known is None:
            walk, free = self.walk(member_marks(self.pag.class_marks, rng)), np.arange(len(self.choices))
        else:
            walk, free = self.walk(), np.flatnonzero(self.known[tuple(self.choices.T)] == CIRCLE)
        size = CHANGES * len(free)
        return self._rows([walk.walk(free[rng.integers(max(len(free), 1), size=size)]) for _ in range(count)])

    def marks(self, codes: Marks) -> Iterator[Marks]:
        """The marks of the graphs with these codes, one after the other."""
        for portion in self.portions(codes):
            yield from portion

    def portions(self, codes: Marks) -> Iterator[Marks]:
        """The marks of the graphs with these codes, some at a time: the first axis is that of graphs."""
        size = max(PORTION // max(self.start.size, 1), 1)
        u, v = self.choices.T
        for first in range(0, len(codes), size):
            chosen = codes[first : first + size]
            out = np.repeat(self.start[None], len(chosen), axis=0)
            out[:, u, v] = chosen
            if self.directed:
                out[:, v, u] = ARROW + TAIL - chosen
            yield out

    def walk(self, start: Marks | None = None) -> ClassWalk:
        """What walks through the class, from this graph or from `start`."""
        return ClassWalk(self.start if start is None else start, self.choices, self.directed, self.selection, _look)

    def _rows(self, codes: list[bytes]) -> Marks:
        return np.frombuffer(b"".join(codes), dtype=np.uint8).reshape(len(codes), len(self.choices))

    def _known(self, codes: Marks) -> Marks:
        """The codes that agree with the known marks."""
        if self.known is None:
            return codes
        known = self.known[tuple(self.choices.T)]
        return codes[((known == CIRCLE) | (known == codes)).all(axis=1)]

    def _tried(self) -> Iterator[bytes]:
        """The codes of all graphs of the class, by trying all of them."""
        u, v = self.choices.T
        marks = self.start.copy()
        for code in product((ARROW, TAIL), repeat=len(self.choices)):
            marks[u, v] = code
            if self._admitted(marks):
                yield bytes(code)

    def _admitted(self, marks: Marks) -> bool:
        """Whether the graph with these marks belongs to the class."""
        try:
            mag = MAG(self.pag.nodes, marks)
        except GraphError:
            return False
        return np.array_equal(class_marks(mag, self.directed), self.pag.class_marks)


def class_marks(mag: MAG, directed: bool) -> Marks:
    """The marks of the class of a MAG, with circles where its members differ; of the class of DAGs if `directed`."""
    return cpdag_marks(mag) if directed else pag_of(mag).marks


def _has_line(marks: Marks) -> bool:
    return bool(((marks == TAIL) & (marks.T == TAIL)).any())


def _look() -> None:
    """Let Python see Ctrl-C and other signals: it does so whenever one of its functions begins."""
