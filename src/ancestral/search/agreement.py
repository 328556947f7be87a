"""Colliders by agreement: which unshielded triples are colliders, as far as the data agree, and the marks that follow.

A search keeps one separating set for each pair that it separates, and R0 reads from it, for each node between the two,
whether it is a collider. On data that is a single witness, and such witnesses contradict each other. Here each
unshielded triple a–b–c has two, from the answers to all small sets of neighbours of a and of c (`witnesses`):

- the majority of the sets that separate a and c: most of them lack b (a collider), or most of them have it;
- the largest p-value: it belongs to a set without b, or to one with it. The strength of the decision is the difference
  of the logarithms of the largest p-values with and without b.

Where both say the same and the strength is sufficient there is a decision. Decisions are accepted in the order of their
strength while some ancestral graph with the edges of the graph, and with what is known, has all of them
(`MemberSearch`). All other triples stay open: no rule takes them for colliders or for non-colliders. R4 may write a
mark only if there is still such a graph. Every other rule writes what holds in all of these graphs, so in the end at
least one of them agrees with every mark.

Of a search that begins with a DAG, the DAG decides about the pairs that it does not join, and comes first.

Each radius asks again. Where that leaves the same answers about the same graph, decisions and marks stay as they are,
and rules that are new, at the end of a search, go on from there.

The search itself does not see these marks: which questions it asks, and which edges it finds, is the same as by the
first separating sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs._members_cy import MemberSearch
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.graphs.mixed import circled
from ancestral.independence.base import Test
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import AgreedTriples
from ancestral.orientation.orient import Oriented, TripleEvidence, known_board, orient_checked
from ancestral.orientation.rules import NUMBERS
from ancestral.search._witnesses_cy import found_by, recorded_verdicts, too_many, unshielded_by_pair
from ancestral.search.answered import Answered
from ancestral.search.ask import RadiusAsker
from ancestral.search.stage import FoundBy
from ancestral.search.verify import Verifier
from ancestral.search.witnesses import WitnessAsker, most_questions
from ancestral.search.working_graph import WorkingGraph

__all__ = ["Agreement"]

#: A decision counts if its strength is above this number, in units of the natural logarithm; among few variables, where
#: there are few decisions to be wrong about, any difference will do.
LEAST_STRENGTH = 3.0
FEW_VARIABLES = 15

#: Taken for p-values that are too small for a floating-point number.
SMALLEST_P = float(np.finfo(np.float64).tiny)

#: Steps back in each search for a member; the graphs of searches need next to none.
STEPS_BACK = 300

Numbers = NDArray[np.intc]
Floats = NDArray[np.float64]
Votes = NDArray[np.int64]

NO_TRIPLES = np.zeros((0, 3), np.intc)


@dataclass(frozen=True)
class _Decisions:
    """Decisions about unshielded triples, the strongest first.

    Rows of `triples` are a, b, c; `colliders` has 1 where b is a collider. Rows of `p_values` are the largest p-value
    given a set with b, and without b; NaN where a graph by score decides.
    """

    triples: Numbers
    colliders: NDArray[np.uint8]
    p_values: Floats

    def only(self, kept: NDArray[np.bool_]) -> "_Decisions":
        """Those for which `kept` is true."""
        return _Decisions(self.triples[kept], self.colliders[kept], self.p_values[kept])


@dataclass(frozen=True, eq=False)
class _Weighed:
    """What the answers say about the unshielded triples, rows a, c, b, of the graph after so many removals.

    There are no `triples` if they are too many to be asked about. Rows of `p_values` and of `votes`: the largest
    p-value, and the number of separating sets, with b and without b. `implied`: where a graph by score decides, and
    nothing was asked. `unshielded` lists all triples, asked about or not; None if even that takes too long.
    """

    removals: int
    triples: Numbers
    implied: NDArray[np.bool_]
    p_values: Floats
    votes: Votes
    unshielded: Callable[[], Numbers | None]

    def is_equal(self, other: "_Weighed") -> bool:
        """Whether the other ones say the same about the triples of the same graph, which are listed once."""
        if self.removals != other.removals or self.triples is not other.triples:
            return False
        same_p_values = self.p_values.view(np.int64) == other.p_values.view(np.int64)  # NaN included
        return bool(same_p_values.all() and (self.votes == other.votes).all())


@dataclass(eq=False)
class _Begun:
    """A board on which rules have written, or will, by the decisions that are `kept`; others are `refused`.

    `members` searches members with the accepted decisions and the marks of R4. `rules` have nothing more to propose
    once there is `oriented`, which is their result.
    """

    weighed: _Weighed
    board: Board
    members: MemberSearch
    judge: AgreedTriples
    kept: _Decisions
    refused: _Decisions
    rules: tuple[str, ...] = ()
    oriented: Oriented | None = None


class Agreement:
    """Orients the graph of a search by agreement, again after each radius.

    - `asker`: has the questions of each thread. `verifier`: counts the questions that are asked here, too.
    - `test`: what the questions belong to; it turns answers into p-values.
    - `verify`: ask about the edges of discriminating paths before R4 rests on them; otherwise they are trusted.
    - `selection_bias`: whether members may have undirected edges.
    - `answered`: where some questions cannot be asked, only its decisions count; otherwise None.
    """

    def __init__(
        self,
        graph: WorkingGraph,
        asker: RadiusAsker,
        verifier: Verifier,
        test: Test,
        *,
        verify: bool,
        selection_bias: bool,
        answered: Answered | None = None,
    ) -> None:
        self.graph = graph
        self.pulse = asker.pulse
        self.verifier = verifier
        self.verify = verify
        self.selection_bias = selection_bias
        self.answered = answered
        self.alpha = test.alpha or 0.0
        self.witnesses = WitnessAsker(graph, asker, verifier, test)
        self._unshielded: tuple[int, Numbers] | None = None  # removals of the graph, and its unshielded triples
        self._last: _Begun | None = None  # the last orientation

    def orient(self, rules: tuple[str, ...], asked: int, complete: bool) -> Oriented:
        """Orient the graph from circles by these rules; the search has asked this many questions.

        `complete`: it will not ask any more. If the answers leave the same decisions as at the last stage, its marks
        stay, and are continued by the rules that are new.
        """
        most = most_questions(self.witnesses.quick, asked, complete)
        weighed = self._weighed(most)
        last = self._last
        if last is None or not last.weighed.is_equal(weighed):
            self._last = last = self._begun(weighed)
        elif last.rules == rules:
            assert last.oriented is not None
            return last.oriented
        else:
            last.board.detach()  # the last stage keeps its marks
        oriented = orient_checked(last.board, last.judge, rules, lambda board: self._review(board, last.members))
        assert oriented is not None  # a review only withholds
        last.rules, last.oriented = rules, self._with_reasons(oriented, last)
        return last.oriented

    def _begun(self, weighed: "_Weighed") -> "_Begun":
        """A board with circles, and the decisions that are accepted for it."""
        graph = self.graph
        neighbours = graph.neighbours()
        board = Board(circled(graph.marks), self.pulse, no_edge=graph.no_edge, neighbours=neighbours)
        known_board(board, graph.constraints)
        found = self._decisions(weighed)
        members = MemberSearch(
            board.shown,
            selection=self.selection_bias,
            no_cause=None if graph.constraints is None else graph.constraints.no_cause.astype(np.uint8),
            one_way=None if graph.constraints is None else graph.constraints.one_way,
            triples=found.triples,
            colliders=found.colliders,
            pulse=self.pulse,
            neighbours=neighbours,
        )
        # without a decision, a member is looked for when R4 proposes something
        accepted = np.zeros(0, bool) if not len(found.triples) else members.accept(STEPS_BACK) != 0
        kept, refused = found.only(accepted), found.only(~accepted)
        judge = AgreedTriples(graph.n, graph.sepsets, kept.triples, kept.colliders)
        return _Begun(weighed, board, members, judge, kept, refused)

    def _with_reasons(self, oriented: Oriented, begun: "_Begun") -> Oriented:
        """The same with the decisions that were refused, and the evidence of those that were not."""
        kept = begun.kept
        decided = partial(_all_decided, begun.weighed.unshielded, kept.triples, oriented.marks)
        evidence = TripleEvidence(self.graph.n, kept.triples, kept.p_values, decided, oriented)
        return Oriented(oriented.marks, oriented.written, *_refusals(oriented, begun.refused), evidence)

    # -- R4 -----------------------------------------------------------------------------------------------------

    def _review(self, board: Board, search: MemberSearch) -> bool:
        """Withhold what R4 proposes along paths with a false edge, against itself, and if no member is left."""
        paths = board.pending()
        if not paths:
            return True
        rows = board.proposed()
        spans = list(dict.fromkeys(map(tuple, rows[:, 5:7].tolist())))  # the proposals of a path belong together
        false = set(self.verifier.not_discriminating(paths)) if self.verify else set()
        wanted: dict[tuple[int, int], set[int]] = {}
        for _, x, y, at_x, at_y, *_ in rows.tolist():
            wanted.setdefault((y, x), set()).add(at_x)
            wanted.setdefault((x, y), set()).add(at_y)
        withheld = np.zeros(len(rows), dtype=np.uint8)
        for span, path in zip(spans, paths, strict=True):
            own = (rows[:, 5:7] == span).all(axis=1)
            ends = [(y, x, at_x) for _, x, y, at_x, _, *_ in rows[own].tolist()]
            ends += [(x, y, at_y) for _, x, y, _, at_y, *_ in rows[own].tolist()]
            doubtful = any((min(u, v), max(u, v)) in false for u, v in pairwise(path))
            contested = any(len(wanted[x, y]) > 1 for x, y, _ in ends)
            doubtful = doubtful or (self.answered is not None and not self.answered.shows(path))
            if doubtful or contested or not search.allow(ends, STEPS_BACK):
                withheld[own] = 1
        board.withhold(withheld)
        return True

    # -- decisions ----------------------------------------------------------------------------------------------

    def _weighed(self, most: int) -> "_Weighed":
        """The unshielded triples of the graph, and what the answers to at most so many questions say about them."""
        graph, triples = self.graph, self._triples(most)
        if triples is None:
            offsets, targets = graph.neighbours()
            listing = partial(unshielded_by_pair, graph.marks, offsets, targets, graph.sepsets, Pulse(), most)
            return _Weighed(graph.removals, NO_TRIPLES, np.zeros(0, bool), *_nothing_said(0), listing)
        # those of pairs that a graph by score separates are not asked about
        implied = found_by(graph.sepsets, triples, FoundBy.SCORE_GRAPH) != 0
        asked = triples if not implied.any() else triples[~implied]
        said = self.witnesses.weigh(asked, most) if len(asked) else None
        if said is None:
            said = _nothing_said(len(triples))
        elif len(asked) < len(triples):
            answers, said = said, _nothing_said(len(triples))
            said[0][~implied], said[1][~implied] = answers
        return _Weighed(graph.removals, triples, implied, *said, lambda: triples)

    def _triples(self, most: int) -> Numbers | None:
        """The unshielded triples a–b–c of the graph, as rows a, c, b, by pairs; None if they are too many to ask about.

        That is, if about single neighbours alone there are more than `most` questions, and no graph by score decides
        about some of them without any.
        """
        graph, known = self.graph, self._unshielded
        if known is None or known[0] != graph.removals:
            at_hand = graph.marks, *graph.neighbours(), graph.sepsets, self.pulse
            many = not graph.sepsets.has_found(FoundBy.SCORE_GRAPH) and too_many(*at_hand, most)
            triples = None if many else unshielded_by_pair(*at_hand, most)
            self._unshielded = known = None if triples is None else (graph.removals, triples)
        return None if known is None or len(known[1]) > most else known[1]

    def _decisions(self, weighed: "_Weighed") -> _Decisions:
        """The decisions about these triples, the strongest first."""
        graph, triples, implied = self.graph, weighed.triples, weighed.implied
        p_values, votes = weighed.p_values, weighed.votes
        if not len(triples):
            return _Decisions(NO_TRIPLES, np.zeros(0, np.uint8), np.zeros((0, 2)))
        compared = p_values
        if self.answered is not None:  # b was never measured with both: nothing speaks for it, and nothing against it
            compared = np.where(np.isnan(p_values), self.alpha, p_values)
        logs = np.log(np.maximum(compared, SMALLEST_P))
        strength = np.abs(logs[:, 1] - logs[:, 0])
        collider = (votes[:, 1] > votes[:, 0]) & (compared[:, 1] > compared[:, 0])
        other = (votes[:, 0] > votes[:, 1]) & (compared[:, 0] > compared[:, 1])
        if self.answered is not None:
            verdicts = self.answered.verdicts(triples)
            collider &= verdicts == 1
            other &= verdicts == 0
        decided = (collider | other) & (strength > (0.0 if graph.n <= FEW_VARIABLES else LEAST_STRENGTH))
        if implied.any():
            collider[implied] = recorded_verdicts(graph.sepsets, triples[implied]) != 0
            decided |= implied
            strength[implied] = np.inf
        rows = np.flatnonzero(decided)
        rows = rows[np.argsort(-strength[rows], kind="stable")]
        return _Decisions(triples[rows[:, None], (0, 2, 1)], collider[rows].view(np.uint8), p_values[rows])


def _nothing_said(count: int) -> tuple[Floats, Votes]:
    """P-values and votes about so many triples before anything is asked."""
    return np.full((count, 2), np.nan), np.zeros((count, 2), np.int64)


def _all_decided(unshielded: Callable[[], Numbers | None], accepted: Numbers, marks: NDArray[np.uint8]) -> bool:
    """Whether each of these triples, rows a, c, b, is one of the accepted ones, rows a, b, c, or decided by its marks.

    False for triples that are too many to be looked at.
    """
    triples = unshielded()
    if triples is None:
        return False
    n = len(marks)
    a, c, b = triples.T.astype(np.int64)
    left, middle, right = accepted.T.astype(np.int64)
    at_b = marks[a, b], marks[c, b]
    by_marks = (at_b[0] == TAIL) | (at_b[1] == TAIL) | ((at_b[0] == ARROW) & (at_b[1] == ARROW))
    return bool((by_marks | np.isin((b * n + a) * n + c, (middle * n + left) * n + right)).all())


def _refusals(oriented: Oriented, refused: _Decisions) -> tuple[Numbers, Numbers]:
    """What was refused, and its witnesses, with these decisions: the marks at b that the triples a, b, c ask for."""
    count = len(refused.triples)
    if not count:
        return oriented.refusals, oriented.witnesses
    a, b, c = refused.triples.T
    rule = np.full(count, NUMBERS["R0"])
    nothing = np.zeros(count)
    is_collider = refused.colliders != 0
    starts = len(oriented.witnesses) + 3 * np.arange(count)
    rows = [
        np.column_stack(
            [
                rule,
                np.where(is_collider, end, b),
                np.where(is_collider, b, end),
                np.where(is_collider, nothing, TAIL),
                np.where(is_collider, ARROW, nothing),
                starts,
                starts + 3,
            ]
        )
        for end in (a, c)
    ]
    refusals = np.concatenate([oriented.refusals, *rows]).astype(np.intc)
    return refusals, np.concatenate([oriented.witnesses, refused.triples.ravel()]).astype(np.intc)
