"""Verification: the further questions that keep every stage sound (docs/theory.md).

ICD as printed trusts every edge that is left. An edge that outlives its own separating set then makes R0 and R4 place
false marks. The repair asks, before a rule is applied, whether the edges it rests on are there at all (Colombo,
Maathuis, Kalisch & Richardson 2012, lemmas 3.1 and 3.2):

- separating sets are made minimal,
- before R0 makes b a collider between a and c, separated by Z: are a and b, b and c dependent given Z?
- before a tail is written at a context: is it dependent, given all other contexts, on the variable that it acts on?
- before R4 uses a discriminating path whose ends are separated by Z: are successive nodes dependent given every subset
  of Z?

An answer "independent" removes that edge, with a minimal separating set. The search has asked nearly all of these
questions already (`lookup`), so that verification adds few.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.csr import Neighbours, compressed
from ancestral.independence._questions_cy import Questions
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._triples_cy import unshielded_triples
from ancestral.search.lookup import AskRemotely, Given, HasAsked, Pair, Pairs, QuestionCache, SetRows, never_asked

__all__ = ["Verifier"]


class Verifier(QuestionCache):
    """Asks about the edges that rules would rest on, but for the pairs of `unasked`; each question once."""

    def __init__(
        self,
        questions: Questions,
        sepsets: Sepsets,
        pulse: Pulse | None = None,
        has_asked: HasAsked = never_asked,
        ask_remotely: AskRemotely | None = None,
        unasked: Pairs | None = None,
    ) -> None:
        super().__init__(questions, pulse, has_asked, ask_remotely=ask_remotely)
        self._sepsets = sepsets
        self._unasked = frozenset() if unasked is None else frozenset(map(tuple, unasked.tolist()))

    # -- minimal sets -------------------------------------------------------------------------------------------

    def not_minimal(self, pairs: Pairs, sets: SetRows) -> dict[int, Given]:
        """For sets that separate these pairs: the rows of those that are not minimal, each with a minimal subset.

        Rows are in increasing order.
        """
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

    def not_colliders(
        self,
        marks: NDArray[np.uint8],
        pairs: Pairs,
        non_colliders: bool = False,
        neighbours: Neighbours | None = None,
    ) -> dict[Pair, Given]:
        """The false edges of the triples that R0 is about to judge, for pairs just separated, and what separates them.

        With `non_colliders` also those of the triples that R0 takes for non-colliders, as in RFCI. `neighbours`: the
        offsets and targets of the graph, if they are at hand.
        """
        false: dict[Pair, list[Given]] = {}
        offsets, targets = compressed(marks)[:0:-1] if neighbours is None else neighbours
        triples = unshielded_triples(marks, offsets, targets, self._sepsets, pairs, non_colliders)
        if not len(triples):
            return {}
        doubtful = []
        for row, side in np.argwhere(~self._edges_asked(triples)).tolist():
            x, b, y = triples[row].tolist()
            end = (x, y)[side]
            if (min(end, b), max(end, b)) not in self._unasked:
                doubtful.append((end, b, tuple(z for z in self._sepsets.find(x, y) if z != b)))
        self.ask_ahead([(min(end, b), max(end, b), given)] for end, b, given in doubtful)
        for end, b, given in doubtful:
            if self.independent(end, b, given, looked_up=True):  # the search has not asked it
                self._note(false, end, b, given)
        return self._smallest(false)

    def _edges_asked(self, triples: Pairs) -> NDArray[np.bool_]:
        """For rows x, b, y: whether the search has asked about x, b and about y, b given what separates x and y.

        If b is in that set, it is left out of it.
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

    # -- what contexts act on -----------------------------------------------------------------------------------

    def not_acted_on(self, marks: NDArray[np.uint8], contexts: Sequence[int]) -> dict[Pair, Given]:
        """The edges of contexts to variables that they do not cause, and what separates these.

        The contexts are neither caused by the other variables nor confounded with them. So one that causes neither y
        nor the selection is independent of y given all other contexts: each path between the two leads through one of
        these, or meets a collider that none of them is an effect of. And one that does is not.
        """
        every = frozenset(contexts)
        false: dict[Pair, list[Given]] = {}
        lines = []
        for c in contexts:
            others = tuple(sorted(every - {c}))
            for y in np.flatnonzero(marks[c]).tolist():
                if y not in every:
                    lines.append((min(c, y), max(c, y), others))
        self.ask_ahead([line] for line in lines)
        for x, y, others in lines:
            if others and self.independent(x, y, others):
                self._note(false, x, y, others)
        return self._smallest(false)

    # -- before R4 ----------------------------------------------------------------------------------------------

    def not_discriminating(self, paths: Iterable[tuple[int, ...]]) -> dict[Pair, Given]:
        """The false edges on the paths that R4 is about to use, and what separates them; the last node comes first."""
        false: dict[Pair, list[Given]] = {}
        edges = {}
        for path in paths:
            given = self._sepsets.find(path[0], path[-1])
            for u, v in pairwise(path):
                if (min(u, v), max(u, v)) in self._unasked:
                    continue
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
