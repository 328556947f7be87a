"""Answer orientation: the further questions that keep every stage sound (docs/theory.md).

ICD as printed trusts every edge that still stands; an edge that outlives its own separating set then makes R0 and R4
lie. The repair asks, before a rule speaks, whether the edges it rests on are there at all (Colombo, Maathuis, Kalisch &
Richardson 2012, lemmas 3.1 and 3.2):

- separating sets are made minimal,
- before R0 makes b a collider between a and c, separated by Z: are a and b, b and c dependent given Z?
- before R4 uses a discriminating path whose ends are separated by Z: are successive nodes dependent given every subset
  of Z?

An independence met on the way removes that edge, with a minimal separating set. Nearly all of these questions the
search has asked already; which, is found out for many at a time, so that only the few others are met one by one.
"""

from collections.abc import Iterable
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.csr import compressed
from ancestral.independence._questions_cy import Questions
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._triples_cy import unshielded_triples
from ancestral.search.lookup import AskAhead, Given, HasAsked, Pair, Pairs, QuestionCache, nothing

__all__ = ["Verifier"]


class Verifier(QuestionCache):
    """An inquiry into the edges that rules would rest on."""

    def __init__(
        self,
        questions: Questions,
        sepsets: Sepsets,
        pulse: Pulse | None = None,
        has_asked: HasAsked = nothing,
        others: AskAhead | None = None,
    ) -> None:
        super().__init__(questions, pulse, has_asked, others=others)
        self._sepsets = sepsets

    # -- minimal sets -------------------------------------------------------------------------------------------

    def not_minimal(self, pairs: Pairs, sets: Pairs) -> dict[int, Given]:
        """The rows of these sets, which separate these pairs, that are not minimal, and what is left of each."""
        doubtful = np.zeros(len(pairs), dtype=bool)
        nodes = np.arange(sets.shape[1])
        for k in nodes:
            doubtful |= ~self.has_asked(pairs, sets[:, nodes != k])
        smaller = {}
        rows = np.flatnonzero(doubtful).tolist()
        listed = [(*pairs[row].tolist(), tuple(sorted(sets[row].tolist()))) for row in rows]
        self.ask_ahead(self.smaller(*question) for question in listed)
        for row, (x, y, given) in zip(rows, listed, strict=True):
            left = self.minimal(x, y, given)
            if left != given:
                smaller[row] = left
        return smaller

    # -- before R0 ----------------------------------------------------------------------------------------------

    def not_colliders(self, marks: NDArray[np.uint8], pairs: Pairs, non_colliders: bool = False) -> dict[Pair, Given]:
        """The edges that R0 must not rest on: those in its triples, for pairs just separated, that are no edges.

        With `non_colliders` the triples that R0 passes over are looked at, too, as RFCI does.
        """
        false: dict[Pair, list[Given]] = {}
        _, targets, offsets = compressed(marks)
        triples = unshielded_triples(marks, offsets, targets, self._sepsets, pairs, non_colliders)
        if not len(triples):
            return {}
        doubtful = []
        for row, side in np.argwhere(~self._edges_asked(triples)).tolist():
            x, b, y = triples[row].tolist()
            doubtful.append(((x, y)[side], b, tuple(z for z in self._sepsets.find(x, y) if z != b)))
        self.ask_ahead([(min(end, b), max(end, b), given)] for end, b, given in doubtful)
        for end, b, given in doubtful:
            if self.independent(end, b, given, looked_up=True):  # it has not, or the row would not be here
                self._note(false, end, b, given)
        return self._smallest(false)

    def _edges_asked(self, triples: Pairs) -> NDArray[np.bool_]:
        """For rows x, b, y: whether the search has asked about x, b and about y, b given what separates x and y.

        Without b itself, where it is in that set.
        """
        asked = np.zeros((len(triples), 2), dtype=bool)
        sizes, sets = self._sepsets.sets_of(triples[:, [0, 2]])
        edges = np.sort(triples[:, [[0, 1], [2, 1]]], axis=2)
        has_b = ((sets == triples[:, 1:2]) & (np.arange(sets.shape[1]) < sizes[:, None])).any(axis=1)
        for size, dropped in set(zip(sizes.tolist(), has_b.tolist(), strict=True)):
            (rows,) = np.nonzero((sizes == size) & (has_b == dropped))
            given = sets[rows, :size]
            if dropped:
                given = given[given != triples[rows, 1:2]].reshape(len(rows), size - 1)
            answers = self.has_asked(edges[rows].reshape(-1, 2), given.repeat(2, axis=0))
            asked[rows] = answers.reshape(-1, 2)
        return asked

    # -- before R4 ----------------------------------------------------------------------------------------------

    def not_discriminating(self, paths: Iterable[tuple[int, ...]]) -> dict[Pair, Given]:
        """The edges that R4 must not rest on: those on its paths (the last node first) that are no edges."""
        false: dict[Pair, list[Given]] = {}
        edges = {}
        for path in paths:
            given = self._sepsets.find(path[0], path[-1])
            for u, v in pairwise(path):
                others = [z for z in given if z not in (u, v)]
                edges[min(u, v), max(u, v), given] = [
                    subset for size in range(1, len(others) + 1) for subset in combinations(others, size)
                ]
        self.look_up((u, v, subset) for (u, v, _), subsets in edges.items() for subset in subsets)
        self.ask_ahead([(u, v, subset) for subset in subsets] for (u, v, _), subsets in edges.items())
        for (u, v, _), subsets in edges.items():
            if separating := next((s for s in subsets if self.independent(u, v, s, looked_up=True)), None):
                self._note(false, u, v, separating)
        return self._smallest(false)

    def _note(self, false: dict[Pair, list[Given]], u: int, v: int, given: Given) -> None:
        false.setdefault((min(u, v), max(u, v)), []).append(self.minimal(u, v, given))

    @staticmethod
    def _smallest(false: dict[Pair, list[Given]]) -> dict[Pair, Given]:
        """Of the sets that separate a pair the smallest, and of these the first by position."""
        return {pair: min(sets, key=lambda given: (len(given), given)) for pair, sets in sorted(false.items())}
