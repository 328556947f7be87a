"""Verified orientation: the further questions that keep every stage sound (docs/theory.md).

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

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.compressed import compressed
from ancestral.independence._questions_cy import Questions
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._triples_cy import collider_triples
from ancestral.search.stage import Verified

__all__ = ["Verifier"]

Pair = tuple[int, int]
Given = tuple[int, ...]
Key = tuple[int, int, Given]
Pairs = NDArray[np.intc]

#: For rows x, y with x < y and a set for each, all of one size: whether the search has asked that.
HasAsked = Callable[[Pairs, Pairs], NDArray[np.bool_]]


def _nothing(pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
    """What a search that did not take place has asked."""
    return np.zeros(len(pairs), dtype=bool)


class Verifier:
    """Asks each question once and counts it; sets are sorted tuples of positions, pairs have the smaller one first.

    What the search has asked of a pair that is still adjacent was answered "dependent".
    """

    def __init__(
        self, questions: Questions, sepsets: Sepsets, pulse: Pulse | None = None, has_asked: HasAsked = _nothing
    ) -> None:
        self.pulse = pulse or Pulse()
        self.tests: Counter[int] = Counter()
        self._has_asked = has_asked
        self._questions = questions
        self._sepsets = sepsets
        #: Every answer, by the pair and the set.
        self.answers: dict[Key, Verified] = {}
        #: Some of what the search has asked.
        self._known: set[Key] = set()

    def independent(self, x: int, y: int, given: Given, looked_up: bool = False) -> bool:
        """Ask, unless the search has asked the same already: the pair was adjacent after that radius, so dependent.

        `looked_up`: whether the search has, is known here by now.
        """
        self.pulse.step()
        key = (min(x, y), max(x, y), given)
        if key not in self.answers:
            if not looked_up:
                self._look_up([key])
            if key in self._known:
                return False
            answer = self._questions.ask(*key)
            self.tests[len(given)] += 1
            self.answers[key] = Verified(answer, self._questions.statistic, self._questions.df)
        return self.answers[key].independent

    def _look_up(self, keys: Iterable[Key]) -> None:
        """Add to what is known those of the questions that the search has asked; all of a size are looked up together.

        For each size the graph of its radius may have to be made again, which takes longer than many questions.
        """
        by_size: dict[int, list[Key]] = {}
        for key in keys:
            if key not in self._known and key not in self.answers:
                by_size.setdefault(len(key[2]), []).append(key)
        for size, some in by_size.items():
            pairs = np.array([key[:2] for key in some], dtype=np.intc)
            asked = self._has_asked(pairs, np.array([key[2] for key in some], dtype=np.intc).reshape(len(some), size))
            self._known.update(key for key, known in zip(some, asked.tolist(), strict=True) if known)

    def evidence(self, x: int, y: int, given: Given) -> tuple[float, float]:
        """The statistic and degrees of freedom of a question that was asked here."""
        answer = self.answers[min(x, y), max(x, y), given]
        return answer.statistic, answer.df

    # -- minimal sets -------------------------------------------------------------------------------------------

    def minimal(self, x: int, y: int, given: Given) -> Given:
        """A subset that still separates, and from which no single node can be dropped."""
        for z in given:
            rest = tuple(v for v in given if v != z)
            if self.independent(x, y, rest):
                return self.minimal(x, y, rest)
        return given

    def not_minimal(self, pairs: Pairs, sets: Pairs) -> dict[int, Given]:
        """The rows of these sets, which separate these pairs, that are not minimal, and what is left of each."""
        doubtful = np.zeros(len(pairs), dtype=bool)
        nodes = np.arange(sets.shape[1])
        for k in nodes:
            doubtful |= ~self._has_asked(pairs, sets[:, nodes != k])
        smaller = {}
        for row in np.flatnonzero(doubtful).tolist():
            given = tuple(sorted(sets[row].tolist()))
            x, y = pairs[row].tolist()
            left = self.minimal(x, y, given)
            if left != given:
                smaller[row] = left
        return smaller

    # -- before R0 ----------------------------------------------------------------------------------------------

    def not_colliders(self, marks: NDArray[np.uint8], pairs: Pairs) -> dict[Pair, Given]:
        """The edges that R0 must not rest on: those in its triples, for pairs just separated, that are no edges."""
        false: dict[Pair, list[Given]] = {}
        _, targets, offsets = compressed(marks)
        triples = collider_triples(marks, offsets, targets, self._sepsets, pairs)
        if not len(triples):
            return {}
        for row, side in np.argwhere(~self._edges_asked(triples)).tolist():
            x, b, y = triples[row].tolist()
            end, given = (x, y)[side], self._sepsets.find(x, y)
            if self.independent(end, b, given, looked_up=True):  # it has not, or the row would not be here
                self._note(false, end, b, given)
        return self._smallest(false)

    def _edges_asked(self, triples: Pairs) -> NDArray[np.bool_]:
        """For rows x, b, y: whether the search has asked about x, b and about y, b given what separates x and y."""
        asked = np.zeros((len(triples), 2), dtype=bool)
        sizes, sets = self._sepsets.sets_of(triples[:, [0, 2]])
        edges = np.sort(triples[:, [[0, 1], [2, 1]]], axis=2)
        for size in set(sizes.tolist()):
            (rows,) = np.nonzero(sizes == size)
            given = sets[rows, :size].repeat(2, axis=0)
            asked[rows] = self._has_asked(edges[rows].reshape(-1, 2), given).reshape(-1, 2)
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
        self._look_up((u, v, subset) for (u, v, _), subsets in edges.items() for subset in subsets)
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
