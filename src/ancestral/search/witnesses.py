"""The answers on which decisions about colliders rest: asked for pairs that are not adjacent, weighed for triples.

For each pair all small sets of neighbours of either end are asked about (`_witnesses_cy`), as many as the limits below
allow. A test that answers many questions together is asked again at every stage. Answers of other tests, each of which
may take long, are kept with those of verification: each question is asked once in a search, also in one that resumes,
and by the workers of an executor if there is one.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ancestral.independence.base import Test
from ancestral.independence.evidence import Scale
from ancestral.parallel.threads import map_ranges
from ancestral.search._witnesses_cy import NeighbourSets, ask_rows, pairs_of, set_sizes, weigh
from ancestral.search.ask import RadiusAsker
from ancestral.search.lookup import Key
from ancestral.search.stage import Answer
from ancestral.search.verify import Verifier
from ancestral.search.working_graph import WorkingGraph

__all__ = ["WitnessAsker", "most_questions"]

#: The largest sets of neighbours that are asked about.
LARGEST_SET = 3

#: Sets of the neighbours of one end that are asked about, at most: of more than 18 neighbours only sets of up to two,
#: of more than 44 single nodes. No limit for single nodes.
MOST_SETS_OF_AN_END = 1_000

#: Questions of one orientation, at most, unless the search itself has asked four times as many; for tests that answer
#: many questions together, and for others, which may take long for each. Before the search is complete there are never
#: more than it has asked itself. If there are more sets, only smaller ones are asked about; if even single nodes are
#: too many, as long as few edges are removed, all triples stay open.
MOST_QUESTIONS = 1_000_000
MOST_SLOW_QUESTIONS = 50_000

#: Questions whose answers are kept at a time: some 40 MB.
CHUNK = 1_000_000

Numbers = NDArray[np.intc]
Floats = NDArray[np.float64]
Votes = NDArray[np.int64]


def most_questions(quick: bool, asked: int, complete: bool) -> int:
    """The number of questions that one orientation may ask, of a test that is quick or not.

    `asked` is the number of questions of the search so far; `complete`: it will not ask any more.
    """
    most = max(MOST_QUESTIONS if quick else MOST_SLOW_QUESTIONS, asked // 4)
    return most if complete else min(most, asked)


class WitnessAsker:
    """Asks about the pairs of a graph that are not adjacent.

    - `asker`: has the questions of each thread, and knows whether workers elsewhere can be asked.
    - `verifier`: its `tests` count the questions that are asked here, too, and its `answers` keep those of slow tests.
    - `test`: what the questions belong to; it turns answers into p-values.
    """

    def __init__(self, graph: WorkingGraph, asker: RadiusAsker, verifier: Verifier, test: Test) -> None:
        self.graph = graph
        self.asker = asker
        self.verifier = verifier
        self.test = test

    @property
    def quick(self) -> bool:
        """Whether the test answers many questions together."""
        return bool(self.asker.questions[0].batch_size > 1)

    def weigh(self, triples: Numbers, most: int) -> tuple[Floats, Votes]:
        """For rows x, y, b: the largest p-value, and the number of separating sets, with b and without b.

        NaN and 0 if that takes more than `most` questions. Rows are in increasing order.
        """
        graph = self.graph
        offsets, targets = graph.neighbours()
        pairs, of_pair = pairs_of(triples)
        sizes = set_sizes(pairs, offsets, MOST_SETS_OF_AN_END, most)
        if sizes is None:
            return np.full((len(triples), 2), np.nan), np.zeros((len(triples), 2), np.int64)
        largest, rows = sizes
        sets = NeighbourSets(graph.sepsets, offsets, targets, graph.no_cause, self.asker.pulse)
        stops = np.cumsum(rows)
        parts = []
        first = 0
        while first < len(pairs):
            before = stops[first - 1] if first else 0
            stop = max(first + 1, int(np.searchsorted(stops, before + CHUNK, side="right")))
            some = slice(*np.searchsorted(of_pair, (first, stop)))
            chunk = _Chunk.of(sets, pairs[first:stop], largest[first:stop], rows[first:stop])
            self._answer(chunk)
            parts.append(
                weigh(
                    graph.sepsets,
                    triples[some],
                    of_pair[some],
                    first,
                    chunk.starts,
                    chunk.counts,
                    chunk.sets,
                    chunk.sizes,
                    chunk.independent,
                    chunk.p_values(self.test),
                )
            )
            first = stop
        p_values, votes = zip(*parts, strict=True)
        return np.concatenate(p_values), np.concatenate(votes)

    def _answer(self, chunk: "_Chunk") -> None:
        """Fill in the answers to all questions of a chunk."""
        if self.quick:
            self._ask(chunk, chunk.listed)
            return
        answers = self.verifier.answers
        keys = [self._key(chunk, row) for row in chunk.listed.tolist()]
        unknown = [(row, key) for row, key in zip(chunk.listed.tolist(), keys, strict=True) if key not in answers]
        if self.asker.ask_remotely is not None and len(unknown) > 1:
            unsupported = self.asker.questions[0].unsupported
            found = self.asker.ask_remotely([[key] for _, key in unknown])
            for _, key in unknown:  # in order, whichever worker was the first
                answers[key], supported = found[key]
                unsupported[len(key[2])] += not supported
            self.verifier.tests.update(len(key[2]) for _, key in unknown)
        else:
            self._ask(chunk, np.array([row for row, _ in unknown], dtype=np.int64))
            for row, key in unknown:
                answers[key] = Answer(bool(chunk.independent[row]), *chunk.evidence[row].tolist())
        for row, key in zip(chunk.listed.tolist(), keys, strict=True):
            chunk.independent[row] = answers[key].independent
            chunk.evidence[row] = answers[key].statistic, answers[key].df

    def _key(self, chunk: "_Chunk", row: int) -> Key:
        """The question of a row."""
        x, y = chunk.ends[row].tolist()
        size = int(chunk.sizes[row])
        given = self.graph.sepsets.find(x, y) if size > LARGEST_SET else chunk.sets[row, :size].tolist()
        return x, y, tuple(sorted(given))

    def _ask(self, chunk: "_Chunk", rows: NDArray[np.int64]) -> None:
        """Ask the questions of these rows, by all threads."""
        tasks = [
            partial(
                ask_rows,
                questions,
                self.graph.sepsets,
                chunk.ends,
                chunk.sets,
                chunk.sizes,
                chunk.independent,
                chunk.evidence,
                rows,
                self.asker.thread_pulse(),
            )
            for questions in self.asker.questions
        ]
        map_ranges(tasks, len(rows), self.asker.watch, CHUNK)
        counts = np.bincount(chunk.sizes[rows]).tolist()
        self.verifier.tests.update({size: count for size, count in enumerate(counts) if count})


@dataclass(frozen=True)
class _Chunk:
    """The sets of some pairs, with a row for each, and the answers: see `_witnesses_cy`.

    Pairs have more rows than sets; `listed` are the numbers of the others, and `ends` the pair of each row.
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    sets: Numbers
    sizes: Numbers
    ends: Numbers
    listed: NDArray[np.int64]
    independent: NDArray[np.uint8]
    evidence: Floats

    @classmethod
    def of(cls, sets: NeighbourSets, pairs: Numbers, largest: Numbers, rows: NDArray[np.int64]) -> "_Chunk":
        """The sets of these pairs, of up to `largest` nodes, at most `rows` of them for each pair; nothing is asked."""
        total = int(rows.sum())
        starts, counts = np.cumsum(rows) - rows, np.zeros(len(pairs), np.int64)
        members, sizes = np.zeros((total, LARGEST_SET), np.intc), np.full(total, -1, np.intc)
        sets.fill(pairs, largest, starts, counts, members, sizes)
        return cls(
            starts,
            counts,
            members,
            sizes,
            np.repeat(pairs, rows, axis=0),
            np.flatnonzero(sizes >= 0),
            np.zeros(total, np.uint8),
            np.full((total, 2), np.nan),
        )

    def p_values(self, test: Test) -> Floats:
        """The p-value of each row, NaN where the data supported none; 0 or 1 of a test without p-values."""
        supported = np.flatnonzero(~np.isnan(self.evidence[:, 0]))
        out = np.full(len(self.evidence), np.nan)
        if test.scale is Scale.DECISION:
            out[supported] = self.independent[supported]
        else:
            sizes = self.sizes[supported].astype(np.int64)
            out[supported] = test.p_values(self.evidence[supported], sizes).p_value
        return out
