"""The answers on which decisions about colliders rest: asked for pairs that are not adjacent, weighed for triples.

For each pair all small sets of neighbours of either end are asked about (`_witnesses_cy`), as many as the limits below
allow. A test that answers many questions together is asked again at every stage. Answers of other tests, each of which
may take long, are kept with those of verification: each question is asked once in a search, also in one that resumes,
and by the workers of an executor if there is one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import Test
from ancestral.independence.evidence import Scale
from ancestral.orientation._judge_cy import Sepsets
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

#: Questions whose answers are kept at a time, which take some 40 bytes each: of quick tests as many as stay in a
#: processor's cache, and not fewer, since threads wait for each other in each block, where p-values are computed; of
#: others, which threads or workers share, all but very many.
BLOCK = 32_000
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

    def weigh(self, triples: Numbers, most: int) -> tuple[Floats, Votes] | None:
        """For rows x, y, b: the largest p-value, and the number of separating sets, with b and without b.

        None if that takes more than `most` questions. Rows are in increasing order. Of a quick test, each thread lists
        the sets of some pairs, asks about them and weighs the answers.
        """
        offsets, _ = self.graph.neighbours()
        pairs, begins = pairs_of(triples)
        sizes = set_sizes(pairs, offsets, MOST_SETS_OF_AN_END, most)
        if sizes is None:
            return None
        stops = sizes[1].cumsum()
        many = self.quick and stops[-1] >= self.asker.tuning.min_sets_for_threads
        threads = self.asker.questions if many else self.asker.questions[:1]
        blocks = _blocks(stops, BLOCK if self.quick else CHUNK, len(threads))
        work = _Weighing(triples, pairs, begins, sizes[0], stops, blocks)
        askers = [_Asks(questions, work.most_sets) for questions in threads]
        tasks = [partial(self._weigh_blocks, work, asks, self.asker.thread_pulse()) for asks in askers]
        map_ranges(tasks, len(blocks) - 1, self.asker.watch, 1, self.asker.pool)
        if self.quick:
            for asks in askers:
                self._count(asks.counts)
        return work.p_values, work.votes

    def _weigh_blocks(self, work: "_Weighing", asks: "_Asks", pulse: Pulse, first: int, stop: int) -> None:
        """Weigh the answers about the pairs of some blocks."""
        graph = self.graph
        sets = NeighbourSets(graph.sepsets, *graph.neighbours(), graph.no_cause, pulse)
        for begin, end in pairwise(work.blocks[first : stop + 1].tolist()):
            chunk = _Chunk.of(sets, work.pairs[begin:end], work.largest[begin:end], asks)
            if self.quick:
                chunk.ask(asks.questions, graph.sepsets, np.arange(len(chunk.sizes)), pulse)
                asks.counts += np.bincount(chunk.sizes, minlength=len(asks.counts))
            else:
                self._answer(chunk)
            some = slice(work.begins[begin], work.begins[end])
            weigh(
                graph.sepsets,
                work.triples[some],
                work.begins[begin : end + 1] - work.begins[begin],
                chunk.starts,
                chunk.sets,
                chunk.sizes,
                chunk.independent,
                chunk.p_values(self.test),
                work.p_values[some],
                work.votes[some],
            )

    def _answer(self, chunk: "_Chunk") -> None:
        """Fill in the answers to all questions of a chunk, for a test that is not quick."""
        answers = self.verifier.answers
        keys = [self._key(chunk, row) for row in range(len(chunk.sizes))]
        unknown = [(row, key) for row, key in enumerate(keys) if key not in answers]
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
        for row, key in enumerate(keys):
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

        def task(questions: Questions) -> Callable[[int, int], None]:
            pulse = self.asker.thread_pulse()
            return lambda first, stop: chunk.ask(questions, self.graph.sepsets, rows[first:stop], pulse)

        tasks = [task(questions) for questions in self.asker.questions]
        map_ranges(tasks, len(rows), self.asker.watch, CHUNK, self.asker.pool)
        self._count(np.bincount(chunk.sizes[rows]))

    def _count(self, counts: NDArray[np.int64]) -> None:
        """Count so many questions of each size."""
        for size, count in enumerate(counts.tolist()):
            if count:
                self.verifier.tests[size] += count


@dataclass(frozen=True, eq=False)
class _Weighing:
    """Triples to be weighed, by pairs, in blocks that any thread may take.

    Pair p has the triples from `begins[p]` up to `begins[p + 1]`, sets of up to `largest[p]` nodes, and the pairs up to
    p have at most `stops[p]` sets. Block k has the pairs from `blocks[k]` up to `blocks[k + 1]`.
    """

    triples: Numbers
    pairs: Numbers
    begins: NDArray[np.int64]
    largest: Numbers
    stops: NDArray[np.int64]
    blocks: NDArray[np.int64]

    @property
    def most_sets(self) -> int:
        """The largest number of sets of a block, at most."""
        last = self.stops[self.blocks[1:] - 1]
        return int(np.diff(last, prepend=0).max())

    @cached_property
    def p_values(self) -> Floats:
        """A row for each triple, to be filled in."""
        return np.full((len(self.triples), 2), np.nan)

    @cached_property
    def votes(self) -> Votes:
        """A row for each triple, to be filled in."""
        return np.zeros((len(self.triples), 2), np.int64)


class _Asks:
    """The questions of a thread, how many of each size it has asked, and room for the sets of one block.

    All blocks use the same room: threads that take memory from the system, and give it back, wait for each other.
    """

    def __init__(self, questions: Questions, most: int) -> None:
        self.questions = questions
        self.counts = np.zeros(questions.n + 1, np.int64)
        self.sets, self.sizes = np.empty((most, LARGEST_SET), np.intc), np.empty(most, np.intc)
        self.ends = np.empty((most, 2), np.intc)
        self.independent, self.evidence = np.empty(most, np.uint8), np.empty((most, 2))


def _blocks(stops: NDArray[np.int64], most: int, threads: int) -> NDArray[np.int64]:
    """Where blocks of pairs begin, and the last one ends: alike, of about `most` rows or a single pair.

    As many for each thread, so that all are done at the same time.
    """
    count = threads * -(-int(stops[-1]) // (threads * most))
    if count == 1:
        return np.array([0, len(stops)])
    begins = np.unique(stops.searchsorted(np.arange(count) * int(stops[-1]) // count, side="left"))
    return np.append(begins, len(stops))


@dataclass(frozen=True, eq=False)
class _Chunk:
    """The sets of some pairs, with a row for each, and the answers: see `_witnesses_cy`."""

    starts: NDArray[np.int64]
    sets: Numbers
    sizes: Numbers
    ends: Numbers
    independent: NDArray[np.uint8]
    evidence: Floats

    @classmethod
    def of(cls, sets: NeighbourSets, pairs: Numbers, largest: Numbers, room: _Asks) -> "_Chunk":
        """The sets of these pairs, of up to `largest` nodes, for which there is room; nothing is asked."""
        starts = np.empty(len(pairs) + 1, np.int64)
        count = sets.fill(pairs, largest, starts, room.sets, room.sizes, room.ends)
        sets_of, sizes, ends = room.sets[:count], room.sizes[:count], room.ends[:count]
        return cls(starts, sets_of, sizes, ends, room.independent[:count], room.evidence[:count])

    def ask(self, questions: Questions, sepsets: Sepsets, rows: NDArray[np.int64], pulse: Pulse) -> None:
        """Ask the questions of these rows, and fill in the answers."""
        given = self.ends, self.sets, self.sizes
        ask_rows(questions, sepsets, *given, self.independent, self.evidence, rows, pulse, 0, len(rows))

    def p_values(self, test: Test) -> Floats:
        """The p-value of each row, NaN where the data supported none; 0 or 1 of a test without p-values."""
        unsupported = np.isnan(self.evidence[:, 0])
        if test.scale is Scale.DECISION:
            return np.where(unsupported, np.nan, self.independent)
        if not unsupported.any():
            return np.ascontiguousarray(test.p_values(self.evidence, self.sizes.astype(np.int64)).p_value)
        supported = np.flatnonzero(~unsupported)
        out = np.full(len(self.evidence), np.nan)
        sizes = self.sizes[supported].astype(np.int64)
        out[supported] = test.p_values(self.evidence[supported], sizes).p_value
        return out
