"""ICD, iterative causal discovery (Rohekar, Nisimov, Gurwicz & Novik, NeurIPS 2021).

Algorithm 1 of the paper, its line numbers in the comments, as a generator of stages: after every radius a PAG whose
marks and missing edges are all true. The candidate sets (`PDSepRange`, line 9) are grown, not filtered: `_icd_sep_cy`.

With `verify` the algorithm keeps what the paper promises. Without it, with `possible_ancestors="all"` and
`stable=False`, it is the paper's, false claims included (docs/theory.md); only that sets grow along walks, not paths,
and that the marks of a pass are gathered before they are written.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from math import comb
from threading import Lock
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.errors import RunWarning
from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.graphs.mixed import circled
from ancestral.independence._questions_cy import Questions
from ancestral.orientation import ALL_RULES, ANYTIME_RULES, Oriented
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.orient import orient_if
from ancestral.orientation.rules import SELECTION_RULES
from ancestral.search._every_pair_cy import EveryPair, mirror
from ancestral.search._icd_sep_cy import IcdSep
from ancestral.search.stage import Asked, Edges, FoundBy, Memory, Stage
from ancestral.search.verify import Given, Pair, Pairs, Verifier
from ancestral.search.watch import TELL_EVERY, Watch

__all__ = ["IcdOptions", "PossibleAncestors", "icd", "most_tests", "nothing_asked"]

PossibleAncestors = Literal["distant", "all", "off"]
Marks = NDArray[np.uint8]

#: Fewer steps of a quick test than this are done sooner than a second thread is there.
WORTH_A_THREAD = 20_000

#: So many edges a thread takes at a time, times as many as the test answers at once: threads wait for each other then.
SHARE = 256

#: From so many variables on it takes longer to make the graph of an earlier radius again than to keep it ...
MANY_VARIABLES = 500

#: ... as long as the graphs that are kept take no more than this.
KEPT_BYTES = 1 << 26

#: A radius with more candidate sets than this is worth a warning.
MANY_SETS = 1e10


@dataclass(frozen=True)
class IcdOptions:
    """What may be chosen.

    - `possible_ancestors`: condition 3 of ICD-Sep for nodes that are no neighbours of the root ("distant"), for all
      nodes, as in the paper ("all"), or not at all ("off": conditions 1 and 2).
    - `stable`: the candidates of a radius are read from the graph as it was when the radius began, and removals are
      applied at its end: the answer does not depend on the order of columns. Otherwise an edge removed is gone for the
      next pair.
    - `verify`: ask before trusting an edge; sound at every stage.
    - `selection_bias`: whether there may be any; without it R5–R7 have nothing to do.
    - `max_radius`: stop after this radius.
    """

    possible_ancestors: PossibleAncestors = "distant"
    stable: bool = True
    verify: bool = True
    selection_bias: bool = True
    max_radius: int | None = None


def icd(
    questions: Questions,
    names: Sequence[str],
    columns: Sequence[str],
    options: IcdOptions | None = None,
    watch: Watch | None = None,
    helpers: Sequence[Questions] = (),
    start: Stage | None = None,
) -> Iterator[Stage]:
    """Yield a stage after every radius; the last one is complete unless `max_radius` came first.

    `names` are the variables in the order of their positions, which decides ties: by name. `columns` are the same in
    the order in which the user wants to see them. `watch` may end the search at any moment, by an exception. `helpers`
    are further copies of the questions, one for each further thread that shall ask (stable removal only); the answer is
    the same without them. `start`: go on from this stage, with questions that know again what they had learned.
    """
    n = len(names)
    run = _Run([questions, *helpers], n, options or IcdOptions(), watch or Watch())
    if start is not None:
        run.go_on(start)
    last = max(n - 2, 0)
    limit = last if run.options.max_radius is None else min(last, run.options.max_radius)
    for radius in range(0 if start is None else start.radius + 1, limit + 1):  # lines 1–4: r = 0, 1, … up to n - 2
        done = run.refine(radius)  # lines 7–16
        complete = done or radius == last  # no set is left to ask about, now or later
        oriented = run.orient(radius, complete)  # line 17
        yield Stage(
            radius=radius,
            complete=complete,
            tests=Counter(run.tests),
            verify_tests=Counter(run.verifier.tests),
            unsupported=run.unsupported(),
            names=names,
            columns=columns,
            oriented=oriented,
            sepsets=run.sepsets,
            known_sets=run.sepsets.count,
            memory=run.memory(),
        )
        if complete:
            return


def nothing_asked(names: Sequence[str], columns: Sequence[str]) -> Stage:
    """The stage before radius 0: nothing is known."""
    return Stage(
        radius=-1,
        complete=False,
        tests=Counter(),
        verify_tests=Counter(),
        unsupported=Counter(),
        names=names,
        columns=columns,
        oriented=Oriented.nothing(_complete_graph(len(names))),
        sepsets=Sepsets(len(names)),
        known_sets=1,
        memory=Memory(),
    )


def _complete_graph(n: int) -> Marks:
    """Every pair of nodes joined by a circle edge."""
    marks = np.full((n, n), CIRCLE, dtype=np.uint8)
    np.fill_diagonal(marks, NONE)
    return marks


def most_tests(variables: int, radius: int) -> int:
    """The paper's bound N_max on the number of questions up to a radius."""
    return 2 * comb(variables, 2) * sum(comb(variables - 2, r) for r in range(radius + 1))


def _share_out(tasks: Sequence[Callable[[int, int], None]], count: int, watch: Watch, largest: int) -> None:
    """Let every task, each in a thread of its own, take its next share `first, stop` of so many until none is left.

    Shares are small and go in order, so that no thread has to wait long for the others. What a share gives is written
    where it belongs, so who took it makes no difference.
    """
    if len(tasks) == 1:
        tasks[0](0, count)
        return
    size = max(1, min(largest, count // (16 * len(tasks))))
    turn = iter(range(0, count, size))
    lock = Lock()

    def work(task: Callable[[int, int], None]) -> None:
        while True:
            with lock:
                first = next(turn, None)
            if first is None:
                return
            task(first, min(first + size, count))

    with ThreadPoolExecutor(len(tasks)) as pool:
        try:
            working = [pool.submit(work, task) for task in tasks]
            while wait(working, timeout=TELL_EVERY, return_when=FIRST_EXCEPTION).not_done:
                watch.look()
        except BaseException:
            watch.stop()  # the others end at their next look, and the pool waits for them
            raise
    for thread in working:
        thread.result()


class _Run:
    """The state of one search: the graph, the separating sets, the counts.

    `marks` is never written into, since stages and sets of earlier radii hold it; who removes an edge takes a copy.
    """

    def __init__(self, questions: Sequence[Questions], n: int, options: IcdOptions, watch: Watch) -> None:
        self.options = options
        self.watch = watch
        self.pulse = watch.pulse()
        self.questions = questions
        for helper in questions[1:]:
            helper.share(questions[0])
        self.n = n
        self.marks = _complete_graph(n)  # line 1
        self.sepsets = Sepsets(n)
        self.verifier = Verifier(questions[0], self.sepsets, self.pulse, self._has_asked)
        self.tests: Counter[int] = Counter()
        self.unsupported_before: Counter[int] = Counter()
        self.searched = -1  # the last radius whose sets were all asked
        self.graphs: list[Edges] = []
        self.listed: Marks | None = None  # the marks that the last of these lists
        self.most_neighbours = 0  # of a node, in the last of these
        self.asked: list[Asked] = []
        self.fresh: list[Pairs] = []  # pairs separated since the last orientation
        self.oriented: Oriented | None = None
        self.board: Board | None = None  # on which that was found
        # the sets of so many radii stay as they are; to make those of others again takes time, to keep them memory
        self.kept = 2 if n < MANY_VARIABLES else max(2, min(12, KEPT_BYTES // n**2))
        self._sets: dict[tuple[int, int], IcdSep] = {}
        self.warned = False

    # -- being stopped, and going on ----------------------------------------------------------------------------

    def memory(self) -> Memory:
        """What a later run must know to go on from here."""
        answers = self.verifier.answers
        return Memory(tuple(self.graphs), tuple(self.asked), answers, len(answers))

    def go_on(self, stage: Stage) -> None:
        """Be where the search was when it yielded this stage."""
        memory = stage.memory
        self.tests = Counter(stage.tests)
        self.unsupported_before = Counter(stage.unsupported)
        self.searched = stage.radius
        self.graphs, self.asked = list(memory.graphs), list(memory.asked)
        if stage.radius >= 0:
            self.sepsets.record_apart(stage.oriented.marks)
        for x, y, given, radius, found_by, *evidence in stage.sets:
            self.sepsets.record(x, y, given, radius, found_by, evidence)
        self.verifier.tests = Counter(stage.verify_tests)
        self.verifier.answers = dict(memory.answers())
        self.marks = stage.oriented.marks
        self.oriented = stage.oriented

    # -- Iteration, lines 7–16 ----------------------------------------------------------------------------------

    def refine(self, radius: int) -> bool:
        """Remove every edge that a set of this size separates; True if there was no set to ask about."""
        if radius == 0:
            return self._refine_given_nothing()
        graph = self._edges()
        self.graphs.append(graph)
        pairs = graph.pairs  # line 8
        threads = self._threads(pairs, radius)
        first = self._begin((0, radius % self.kept), radius)
        asking = [first, *(self._begin((i, 0), radius, like=first) for i in range(1, threads))]
        self.watch.begin(radius, self.tests.total(), asking, len(pairs), lambda: self._work(pairs, radius))
        self._warn_of_many_sets(pairs, radius)
        separated = np.zeros(len(pairs), dtype=np.uint8)
        sets = np.zeros((len(pairs), radius), dtype=np.intc)
        evidence = np.empty((len(pairs), 2))
        if self.options.stable:  # lines 9–13
            tasks = [partial(_ask, sets_of, pairs, separated, sets, evidence) for sets_of in asking]
            _share_out(tasks, len(pairs), self.watch, SHARE * self.questions[0].at_once)
        else:
            for e, (x, y) in enumerate(pairs.tolist()):
                asking[0].separate(pairs, e, e + 1, separated, sets, evidence)
                if separated[e]:
                    asking[0].remove(x, y)
        self._remove_separated(pairs, separated, sets, evidence, radius)  # lines 14–15
        self.searched = radius
        if asked := sum(asker.asked for asker in asking):
            self.tests[radius] += asked
        return not any(asker.any_sets for asker in asking)  # lines 7 and 11

    def _edges(self) -> Edges:
        """The edges of the graph as it is; the last list of them again if nothing has changed since."""
        if self.listed is not self.marks:
            self.listed = self.marks
            edges = Edges.of(self.marks)
            self.most_neighbours = int(np.bincount(edges.pairs.ravel(), minlength=1).max())
            return edges
        return self.graphs[-1]

    def _refine_given_nothing(self) -> bool:
        """Radius 0: there is one set, the empty one, and the graph plays no part."""
        asking = [EveryPair(questions, self._pulse()) for questions in self.questions]
        if not self.options.stable or (asking[0].quick and self.n * self.n < WORTH_A_THREAD):
            asking = asking[:1]
        self.watch.begin(0, 0, asking, comb(self.n, 2))
        marks = np.zeros((self.n, self.n), dtype=np.uint8)
        _share_out([partial(_ask_rows, asker, marks) for asker in asking], self.n, self.watch, SHARE)
        mirror(marks)  # 1, where two are joined, is a circle
        self.marks = marks
        self.sepsets.record_apart(marks)
        self.searched = 0
        if asked := sum(asker.asked for asker in asking):
            self.tests[0] += asked
        return self.n < 2

    def _threads(self, pairs: Pairs, radius: int) -> int:
        if not self.options.stable or len(self.questions) == 1:
            return 1
        quick = self.questions[0].at_once > 1 and self._work(pairs, radius).sum() < WORTH_A_THREAD
        return 1 if quick else len(self.questions)

    def _pulse(self) -> Pulse:
        """A thread tells how far the search is if it is the only one; otherwise the one that waits for them does."""
        return self.pulse if len(self.questions) == 1 else self.watch.pulse(tells=False)

    def _begin(
        self, place: tuple[int, int], radius: int, graph: Marks | None = None, like: IcdSep | None = None
    ) -> IcdSep:
        """The sets of this radius, in a workspace: those of one thread are numbered."""
        marks = self.marks if graph is None else graph
        if place in self._sets:
            self._sets[place].begin(marks, radius, like)
            return self._sets[place]
        mode = self.options.possible_ancestors
        self._sets[place] = IcdSep(
            marks,
            self.questions[place[0]],
            radius,
            filter_all=mode == "all",
            filter_distant=mode == "distant",
            # a true `Z --- A` must not ban Z: the repair asks for anteriors, the paper for ancestors
            anteriors=self.options.verify,
            # an edge that falls within the radius must not close the walks past it before R0 has had its say
            keep_triangles=self.options.verify,
            pulse=self._pulse(),
        )
        return self._sets[place]

    def _has_asked(self, pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets."""
        size = sets.shape[1]
        if size == 0 or size > self.searched:
            return np.full(len(pairs), size <= self.searched)
        return np.asarray(self._sets_searched(size).belong(pairs, sets) != 0)

    def _sets_searched(self, radius: int) -> IcdSep:
        """The sets of a radius that was searched: as they were left, or made again if others have taken their place."""
        for sets in self._sets.values():
            if sets.radius == radius:
                return sets
        sets = self._begin((0, self.kept), radius, self.graphs[radius - 1].matrix(self.n))
        if not self.options.stable:
            for x, y in self.sepsets.found_at(radius, FoundBy.SEARCH).tolist():
                sets.remove(x, y)
        return sets

    def _work(self, pairs: Pairs, radius: int) -> NDArray[np.float64]:
        """How much work each pair may be: 1, and the number of sets of its neighbours."""
        others = np.bincount(pairs.ravel(), minlength=self.n)[pairs] - 1
        sets = np.ones(others.shape)
        for k in range(radius):  # binomial coefficients
            sets = sets * np.maximum(others - k, 0) / (k + 1)
        return np.asarray(1.0 + sets.sum(axis=1))

    def _warn_of_many_sets(self, pairs: Pairs, radius: int) -> None:
        """Say once if a radius may take very long: some nodes have very many neighbours."""
        if self.warned or 2 * len(pairs) * (1 + comb(self.most_neighbours, radius)) < MANY_SETS:
            return
        sets = self._work(pairs, radius).sum()
        if sets >= MANY_SETS:
            self.warned = True
            warnings.warn(
                f"radius {radius} has up to {sets:.0e} candidate sets, since some variables have very many neighbours, "
                "and may take very long; with time_limit= or max_radius= the graph of the last stage is returned",
                RunWarning,
                stacklevel=2,
            )

    def unsupported(self) -> Counter[int]:
        """The questions so far that the data could not support, by size."""
        total = Counter(self.unsupported_before)
        for questions in self.questions:
            for size in questions.unsupported.nonzero()[0].tolist():
                total[size] += int(questions.unsupported[size])
        return total

    def _remove_separated(
        self,
        pairs: Pairs,
        separated: NDArray[np.uint8],
        sets: Pairs,
        evidence: NDArray[np.float64],
        radius: int,
    ) -> None:
        """Remove the edges that the search has separated and record their sets, which verification makes minimal."""
        (rows,) = separated.nonzero()
        if not len(rows):
            self.asked.append(Asked(pairs, sets, evidence))
            return
        found, given, shown = pairs[rows], sets[rows], evidence[rows]
        smaller = self.verifier.not_minimal(found, given) if self.options.verify else {}
        start = 0
        for row in [*smaller, len(found)]:  # in the order of the pairs
            self.sepsets.record_all(found[start:row], given[start:row], radius, FoundBy.SEARCH, shown[start:row])
            if row in smaller:
                x, y = found[row].tolist()
                self.sepsets.record(
                    x, y, smaller[row], radius, FoundBy.SEARCH, self.verifier.evidence(x, y, smaller[row])
                )
            start = row + 1
        self.asked.append(Asked(pairs, sets, evidence).only(separated == 0))
        self._take_out(found)

    def _take_out(self, pairs: Pairs) -> None:
        """Remove these edges."""
        x, y = pairs.T
        self.marks = self.marks.copy()
        self.marks[x, y] = self.marks[y, x] = NONE
        self.asked = [asked.only(self.marks[tuple(asked.pairs.T)] != NONE) for asked in self.asked]
        self.fresh.append(pairs)

    # -- orientation, line 17 -----------------------------------------------------------------------------------

    def orient(self, radius: int, complete: bool) -> Oriented:
        """Orient anew from circles: R0–R4, and when the search is complete all rules; verified where asked for."""
        rules = ALL_RULES if complete else ANYTIME_RULES
        if not self.options.selection_bias:
            rules = tuple(rule for rule in rules if rule not in SELECTION_RULES)
        if self.oriented is not None and not self.fresh:  # nothing has changed
            if not complete:
                return self.oriented
            if self.board is not None:
                self.board.detach()  # the last stage keeps its marks
        while True:
            if self.fresh or self.board is None:
                if self.options.verify:
                    self._verify_colliders(radius)
                self.fresh = []
                self.board = Board(circled(self.marks), self.pulse)
            oriented = orient_if(self.board, self.sepsets, rules, lambda paths: self._trusts(paths, radius))
            if oriented is not None:
                self.oriented = oriented
                self.marks = oriented.marks
                return oriented

    def _verify_colliders(self, radius: int) -> None:
        while self.fresh:  # what falls here makes new triples
            fresh = np.concatenate(self.fresh)
            self.fresh = []
            self._remove_all(self.verifier.not_colliders(self.marks, fresh), radius, FoundBy.COLLIDER_CHECK)

    def _trusts(self, paths: list[tuple[int, ...]], radius: int) -> bool:
        """Whether R4 may use its paths; if not, false edges have been removed and orientation must begin again."""
        if not self.options.verify:
            return True
        false = self.verifier.not_discriminating(paths)
        self._remove_all(false, radius, FoundBy.PATH_CHECK)
        return not false

    def _remove_all(self, false: dict[Pair, Given], radius: int, found_by: FoundBy) -> None:
        """Remove the edges that verification has found to be none; their sets are minimal."""
        for (x, y), given in false.items():
            self.sepsets.record(x, y, given, radius, found_by, self.verifier.evidence(x, y, given))
        if false:
            self._take_out(np.array(list(false), dtype=np.intc))


def _ask(
    asker: IcdSep,
    pairs: Pairs,
    separated: NDArray[np.uint8],
    sets: Pairs,
    evidence: NDArray[np.float64],
    first: int,
    stop: int,
) -> None:
    asker.separate(pairs, first, stop, separated, sets, evidence)


def _ask_rows(asker: EveryPair, marks: Marks, first: int, stop: int) -> None:
    asker.separate(marks, first, stop)
