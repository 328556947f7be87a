"""What rests on answers alone: decisions about triples and paths where some questions cannot be asked of any table.

A question without an answer counts as "dependent", so that no edge is removed without evidence. Of tables that measured
different columns this is not enough for marks: an edge may be false, and nobody could ask. So here a rule may rest only
on questions that were answered (docs/combine.md):

- b is a collider between a and c, separated by Z without b, if a and b, and b and c, are dependent given Z;
- b is no collider if it is in Z, and a and c are dependent given Z without any one of its nodes;
- a discriminating path whose ends are separated by Z may be used if no node can be dropped from Z, and successive nodes
  are dependent given every subset of Z.

Every other triple stays open, and no rule rests on it. A pair that no table has keeps the circles of its edge: what the
rules write there is true if there is an edge, which nobody knows.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.csr import compressed
from ancestral.graphs.marks import CIRCLE
from ancestral.orientation import Oriented
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import AgreedTriples
from ancestral.orientation.rules import BY_KNOWLEDGE, NUMBERS
from ancestral.search._witnesses_cy import unshielded_by_pair
from ancestral.search.verify import Verifier
from ancestral.search.working_graph import WorkingGraph

__all__ = ["Answered"]


class Answered:
    """Decisions about the graph of a search that rest on questions with an answer.

    `never[x, y]`: no table has both.
    """

    def __init__(
        self, graph: WorkingGraph, verifier: Verifier, names: Sequence[str], together: Sequence[Sequence[str]]
    ) -> None:
        self.graph = graph
        self.verifier = verifier
        has = np.array([[name in table for name in names] for table in together])
        self.never: NDArray[np.bool_] = ~(has[:, :, None] & has[:, None, :]).any(axis=0)

    def judge(self) -> AgreedTriples:
        """Knows the unshielded triples of the graph about which there is a decision."""
        graph = self.graph
        _, targets, offsets = compressed(graph.marks)
        rows = unshielded_by_pair(graph.marks, offsets, targets, graph.sepsets, self.verifier.pulse, graph.n**3)
        verdicts = self.verdicts(rows)
        decided = verdicts >= 0
        return AgreedTriples(graph.n, graph.sepsets, rows[decided][:, [0, 2, 1]], verdicts[decided])

    def verdicts(self, triples: NDArray[np.intc]) -> NDArray[np.int8]:
        """For rows a, c, b: 1 if b is a collider between a and c, 0 if it is none, -1 if the answers do not tell."""
        return np.array([self._verdict(*row) for row in triples.tolist()], dtype=np.int8)

    def _verdict(self, a: int, c: int, b: int) -> int:
        given = self.graph.sepsets.find(a, c)
        if b in given:
            return 0 if self._irreducible(a, c) else -1
        dependent = self.verifier.shown_dependent
        return 1 if dependent(a, b, given) and dependent(c, b, given) else -1

    def _irreducible(self, a: int, c: int) -> bool:
        """Whether a and c are dependent without any one of the nodes that separate them."""
        given = self.graph.sepsets.find(a, c)
        return all(self.verifier.shown_dependent(a, c, tuple(v for v in given if v != z)) for z in given)

    def shows(self, path: tuple[int, ...]) -> bool:
        """Whether R4 may use this path, as far as answers tell."""
        given = self.graph.sepsets.find(path[0], path[-1])
        return self._irreducible(path[0], path[-1]) and all(
            self.verifier.shown_dependent(u, v, subset)
            for u, v in pairwise(path)
            for subset in _subsets(tuple(z for z in given if z not in (u, v)))
        )

    def unshown(self, board: Board) -> NDArray[np.uint8]:
        """1 for each proposal of R4 that waits to be settled, and whose path it may not use."""
        rows, paths = board.proposed(), board.pending()
        spans = list(dict.fromkeys(map(tuple, rows[:, 5:7].tolist())))
        trusted = {span for span, path in zip(spans, paths, strict=True) if self.shows(path)}
        return np.array([span not in trusted for span in map(tuple, rows[:, 5:7].tolist())], dtype=np.uint8)

    def shown(self, oriented: Oriented) -> Oriented:
        """What is shown: circles where no table has both, unless knowledge speaks; withheld paths are not told."""
        written, refusals = oriented.written, oriented.refusals
        hidden = self.never[written[:, 0], written[:, 1]] & (written[:, 3] != NUMBERS[BY_KNOWLEDGE])
        marks = oriented.marks.copy()
        marks[written[hidden, 0], written[hidden, 1]] = CIRCLE
        witnesses = oriented.witnesses.tolist()
        told = [
            not self.never[x, y] and (rule != NUMBERS["R4"] or self.shows(tuple(witnesses[start:stop])))
            for rule, x, y, _, _, start, stop in refusals.tolist()
        ]
        return replace(oriented, marks=marks, written=written[~hidden], refusals=refusals[np.array(told, dtype=bool)])


def _subsets(nodes: tuple[int, ...]) -> chain[tuple[int, ...]]:
    """All subsets, the empty one first."""
    return chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1))
