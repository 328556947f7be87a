"""Read a run file of version 4, and check everything in it: shapes, ranges, and that the parts say the same.

A matrix is made only after the file has shown a number for each pair of variables.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data.read_options import ReadOptions
from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.independence.evidence import Evidences, Scale, p_values_on_scale
from ancestral.io.checked_json import Place
from ancestral.io.run_parts import (
    ASKED_MARKS,
    FEWEST_WITNESSES,
    FOUND_BY,
    MARK_NUMBERS,
    MARKS,
    MOST_MEMBERS,
    MOST_NOT_BEGUN,
    MOST_QUESTIONS,
    MOST_QUESTIONS_BEFORE,
    MOST_VERIFIED,
    MOST_WITNESSES,
    RULE_NUMBERS,
    RULES,
    STOPPED,
    SavedRun,
)
from ancestral.io.saved import (
    PartsReader,
)
from ancestral.orientation import Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.rules import WITNESSES
from ancestral.search.evidence import Decisions
from ancestral.search.marginals import Marginals, pair_number
from ancestral.search.sets import Sets
from ancestral.search.settings import Settings
from ancestral.search.stage import Answer, Edges, NearestSets, Phase, ResumeState, Separations, Stage, StageRecord

__all__ = ["RunHead", "RunReader"]


@dataclass(frozen=True)
class RunHead:
    """What a run file says besides its columns."""

    made_by: str
    settings: Settings
    fingerprint: str
    rows: int
    reading: ReadOptions
    kinds: Mapping[str, str] | None
    radius: int
    complete: bool
    stopped: str | None
    tests: Counter[int]
    verify_tests: Counter[int]
    unsupported: Counter[int]
    steps: tuple[tuple[Phase, int, int], ...]  # of each stage: phase, radius, questions


class RunReader(PartsReader):
    """Reads a run of version 4. Columns are asked for in the order in which they stand in the file."""

    KEYS: tuple[str, ...] = (
        "format", "version", "made_by", "settings", "seeds", "data", "variables", "phase", "radius", "complete",
        "stopped", "tests", "verify_tests", "unsupported", "scale", "marginal", "edges", "stages", "separations",
        "orientations", "conflicts", "state",
    )  # fmt: skip

    def __init__(self, document: Place, to_resume: bool = False) -> None:
        document.only(*self.KEYS)
        super().__init__(document)
        self.to_resume = to_resume

    def head(self) -> RunHead:
        """All but the columns, checked."""
        document = self.document
        document.key("seeds").only()
        data = document.key("data")
        data.only("fingerprint", "rows", "kinds", "source", "reading")
        radius = document.key("radius").whole(-1, max(self.n - 2, 0))
        complete = document.key("complete").truth()
        stopped = document.key("stopped")
        reason = None if stopped.is_null else stopped.text(*STOPPED)
        if complete and reason is not None:
            stopped.fail("null in a complete run")
        state = document.key("state")
        if not state.is_null and (complete or radius < 0):
            state.fail("null in a run that is complete or has not begun")
        if state.is_null and not complete and radius >= 0:
            state.fail("an object in a run that is not complete")
        if radius < 0 and self.n > MOST_NOT_BEGUN:
            document.key("variables").fail(f"at most {MOST_NOT_BEGUN:,} names in a run that has not begun")
        settings = self.settings()
        steps = self.steps(radius, settings.chosen.phases)
        most = MOST_QUESTIONS_BEFORE if self.to_resume and not complete else MOST_QUESTIONS
        tests = self.counts("tests", most)
        if tests.total() != sum(questions for *_, questions in steps):
            document.key("tests").fail("as many questions as all of `stages` took")
        return RunHead(
            made_by=document.key("made_by").text(),
            settings=settings,
            fingerprint=data.key("fingerprint").text(),
            rows=data.key("rows").whole(0),
            reading=self.reading(data),
            kinds=self.kinds(data.key("kinds")),
            radius=radius,
            complete=complete,
            stopped=reason,
            tests=tests,
            verify_tests=self.counts("verify_tests", most),
            unsupported=self.counts("unsupported", most),
            steps=steps,
        )

    def run(self) -> SavedRun:
        """The whole run."""
        head = self.head()
        scale = self.scale()
        marginal, learned = self.marginals(scale, head)
        edges, closest, kept_by = self.kept(scale, head.radius)
        history = self.history(head.steps, edges)
        if head.radius < 0:
            marks = np.full((self.n, self.n), CIRCLE, dtype=np.uint8)
            np.fill_diagonal(marks, NONE)
        else:
            marks = edges.matrix(self.n)
        found, separated_by = self.separated(scale, marks)
        oriented = self.oriented(marks, edges)
        memory, evidence = self.memory(scale, head, history, edges, len(found.pairs))
        if self.document.columns is not None:
            self.document.columns.finish()
        if evidence is not None:
            found = Separations(found.pairs, found.given, found.radius, found.found_by, evidence)
        sepsets = self.sepsets(head, marks, found)
        stage = Stage(
            phase=history[-1].phase if history else Phase.SEARCH,
            radius=head.radius,
            complete=head.complete,
            tests=head.tests,
            verify_tests=head.verify_tests,
            unsupported=head.unsupported,
            names=self.names,
            columns=self.columns,
            oriented=oriented,
            sepsets=sepsets,
            sepset_count=sepsets.count,
            memory=memory,
            sufficient=head.settings.chosen.sufficient,
        )
        return SavedRun(
            made_by=head.made_by,
            settings=head.settings,
            fingerprint=head.fingerprint,
            rows=head.rows,
            reading=head.reading,
            kinds=head.kinds,
            scale=scale,
            stage=stage,
            history=history,
            stopped=head.stopped,
            decisions=Decisions(marginal, found.pairs, separated_by, edges.pairs, closest, kept_by),
            learned=learned,
        )

    # -- how the search went --------------------------------------------------------------------------------------

    def steps(self, radius: int, phases: tuple[Phase, ...]) -> tuple[tuple[Phase, int, int], ...]:
        """The stages: each phase of the algorithm in its turn, in each one radius after the other."""
        place = self.document.key("stages")
        out: list[tuple[Phase, int, int]] = []
        for item in place.items():
            if len(out) > 2 * self.n:
                place.fail("a list with a radius for each size of sets")
            item.only("phase", "radius", "questions", "graph")
            phase = Phase(item.key("phase").text(*phases))
            before, reached = out[-1][:2] if out else (phases[0], -1)
            if phase is before:
                item.key("radius").whole(reached + 1, reached + 1)
            elif phases.index(phase) < phases.index(before) or not out:
                item.key("phase").fail("the phases in their order")
            elif phase is Phase.POSSIBLE_D_SEP:
                item.key("radius").whole(0, 1)  # 0 where there was nothing to ask
            found = item.key("radius").whole(0, max(self.n - 2, 0))
            out.append((phase, found, item.key("questions").whole(0)))
        if radius != (out[-1][1] if out else -1):
            place.fail(f"a list that ends with radius {radius}")
        said = self.document.key("phase")
        if said.text(*Phase) != (out[-1][0] if out else Phase.SEARCH):
            said.fail("the phase of the last stage")
        return tuple(out)

    def history(self, steps: tuple[tuple[Phase, int, int], ...], edges: Edges) -> tuple[StageRecord, ...]:
        """The stages with their graphs."""
        items = list(self.document.key("stages").items())
        out = []
        for (phase, radius, questions), item in zip(steps, items, strict=True):
            graph = self.graph(item.key("graph"), edges, last=item is items[-1])
            out.append(StageRecord(phase, radius, graph, questions))
        return tuple(out)

    def graph(self, place: Place, edges: Edges, last: bool) -> Edges:
        """The graph after a stage."""
        if last and not place.is_null:
            place.fail("null, since the last graph stands under `edges`")
        if last:
            return edges
        place.only("a", "edge", "b")
        return self.edges(place)

    def counts(self, name: str, most: int) -> Counter[int]:
        """Numbers of questions by the size of their sets."""
        place = self.document.key(name)
        sizes = {str(size): size for size in range(self.n)}
        place.only(*sizes)
        return Counter({sizes[size]: item.whole(1, most) for size, item in place.entries()})

    # -- evidence --------------------------------------------------------------------------------------------------

    def scale(self) -> Scale:
        """What the numbers of the file are."""
        return Scale(self.document.key("scale").text(*Scale))

    def marginals(self, scale: Scale, head: RunHead) -> tuple[Marginals, NDArray[np.float64] | None]:
        """What each pair says given nothing, and the answers of a function of the user's own by position."""
        place = self.document.key("marginal")
        if head.radius < 0:
            if not place.is_null:
                place.fail("null, as long as nothing was asked")
            return Marginals.nothing(scale), None
        place.only("number", "df")
        numbers = place.key("number").floats(self.count, scale.most)
        df = self.df(place.key("df"), scale, self.count)
        marginal = Marginals.listed(scale, self.place, numbers, df)
        learned = None
        if scale in (Scale.P_VALUE, Scale.DECISION):
            learned = marginal.column(self.n)
        elif self.to_resume and not head.complete:
            marginal = Marginals.nothing(scale)
        return marginal, learned

    @staticmethod
    def df(place: Place, scale: Scale, length: int) -> NDArray[np.intc] | None:
        """Degrees of freedom, where there are any."""
        if scale is Scale.CHI2:
            return place.ints(0, (1 << 31) - 1, length)
        if not place.is_null:
            place.fail(f"null, since numbers that are {scale} have no degrees of freedom")
        return None

    def evidence(self, place: Place, scale: Scale, length: int) -> Evidences:
        """The evidence of as many questions."""
        numbers = place.key("number").floats(length, scale.most)
        df = self.df(place.key("df"), scale, length)
        return p_values_on_scale(scale, numbers, np.zeros(length, np.intc) if df is None else df)

    def raw(self, place: Place, scale: Scale, length: int) -> NDArray[np.float64]:
        """Statistics as the questions left them, and their degrees of freedom."""
        raw = place.key("raw").floats(length, scale.most)
        df = self.df(place.key("raw_df"), scale, length)
        return np.column_stack([raw, np.zeros(length) if df is None else df])

    # -- parts of the graph ---------------------------------------------------------------------------------------

    def pairs(self, place: Place, at_most: int | None = None) -> NDArray[np.intc]:
        """The columns a and b: pairs of positions, the smaller one first."""
        a = self.variables(place.key("a"), at_most=at_most)
        b = self.variables(place.key("b"), len(a))
        if (a == b).any():
            place.fail("a list of pairs of different variables")
        return np.column_stack([np.minimum(a, b), np.maximum(a, b)])

    def sets(self, place: Place, name: str, length: int, least: int = 0) -> Sets:
        """Sets of positions from two columns; of size -1 there are none where that is allowed."""
        sizes = place.key("size").ints(least, max(self.n - 2, 0), length)
        total = int(np.maximum(sizes, 0).sum(dtype=np.int64))
        if total > MOST_MEMBERS:
            place.key("size").fail(f"sizes of sets with at most {MOST_MEMBERS:,} members together")
        sets = Sets(sizes, self.variables(place.key(name), total)).renamed(np.arange(self.n))
        again = (np.diff(sets.members) == 0) & (np.diff(sets.owners) == 0)
        if again.any():
            place.key(name).fail("sets: each variable once")
        return sets

    def without_pair(self, place: Place, sets: Sets, pairs: NDArray[np.intc]) -> None:
        """Refuse sets that hold one of the pair that they are about."""
        own = pairs[sets.owners]
        if (own == sets.members[:, None]).any():
            place.fail("sets without the pair itself")

    def kept(self, scale: Scale, radius: int) -> tuple[Edges, Sets, Evidences]:
        """The edges, and what came closest to removing each."""
        place = self.document.key("edges")
        if radius < 0:
            if not place.is_null:
                place.fail("null, as long as nothing was asked")
            return self.nothing_kept(scale)
        place.only("a", "edge", "b", "number", "df", "size", "closest")
        edges = self.edges(place)
        count = len(edges.pairs)
        weighed = self.evidence(place, scale, count)
        closest = self.sets(place, "closest", count, least=-1)
        self.without_pair(place.key("closest"), closest, edges.pairs)
        return edges, closest, weighed

    @staticmethod
    def nothing_kept(scale: Scale) -> tuple[Edges, Sets, Evidences]:
        """Nothing was asked about any edge, and they are not listed."""
        edges = Edges(np.zeros((0, 2), np.intc), np.zeros((0, 2), np.uint8))
        return edges, Sets.of([]), p_values_on_scale(scale, np.zeros(0), np.zeros(0))

    def separated(self, scale: Scale, marks: NDArray[np.uint8]) -> tuple[Separations, Evidences]:
        """The pairs that sets separated; their raw evidence is not known here."""
        place = self.document.key("separations")
        place.only("a", "b", "size", "given", "radius", "found_by", "number", "df")
        return self.separated_at(place, scale, marks)

    def separated_at(self, place: Place, scale: Scale, marks: NDArray[np.uint8]) -> tuple[Separations, Evidences]:
        """The same, of columns that are known to be there."""
        pairs = self.pairs(place)
        given = self.sets(place, "given", len(pairs))
        when = place.key("radius").ints(1, max(self.n - 2, 1), len(pairs))
        by = place.key("found_by").codes(len(pairs), FOUND_BY)
        weighed = self.evidence(place, scale, len(pairs))
        nothing = np.tile(np.array([np.nan, 0.0]), (len(pairs), 1))
        found = Separations(pairs, given, when, by.astype(np.intc), nothing)
        self.check_separations(place, found, marks)
        return found, weighed

    def check_separations(self, place: Place, found: Separations, marks: NDArray[np.uint8]) -> None:
        """Refuse what cannot be: a pair twice, or with an edge, or an empty set."""
        if len(np.unique(pair_number(self.n, *found.pairs.T))) < len(found.pairs):
            place.fail("a list of different pairs")
        joined = np.flatnonzero(marks[found.pairs[:, 0], found.pairs[:, 1]] != NONE)
        if len(joined):
            x, y = found.pairs[joined[0]].tolist()
            place.fail(f"about pairs without an edge; {self.names[x]!r} and {self.names[y]!r} have one")
        if (found.given.sizes == 0).any():
            place.key("given").fail("sets that are not empty; pairs that nothing separates are not listed")
        self.without_pair(place.key("given"), found.given, found.pairs)

    def sepsets(self, head: RunHead, marks: NDArray[np.uint8], found: Separations) -> Sepsets:
        """All that separates; pairs that are known not to be adjacent have no separating set."""
        sepsets = Sepsets(self.n)
        if head.radius < 0:
            if len(found.pairs):
                self.document.key("separations").fail("empty, as long as nothing was asked")
            return sepsets
        sepsets.record_empty_sets(marks)
        notes = np.column_stack([found.radius, found.found_by])
        sepsets.record_columns(found.pairs, found.given.sizes, found.given.members, notes, found.evidence)
        known = head.settings.knowledge
        if known is not None:  # the graph denies nothing that is known
            constraints = known.constraints(self.names, head.settings.allows_selection)
            apart = set(map(tuple, constraints.no_edge.tolist()))
            if not constraints.is_kept_by(marks) or not apart.isdisjoint(map(tuple, found.pairs.tolist())):
                self.document.key("edges").fail("a graph that keeps to the knowledge of `settings`")
            sepsets.forget(constraints.no_edge)
        return sepsets

    # -- why marks are there ----------------------------------------------------------------------------------------

    def oriented(self, marks: NDArray[np.uint8], edges: Edges) -> Oriented:
        """The reasons for marks, and what was asked for in vain."""
        place = self.document.key("orientations")
        place.only(*self.reason_keys("x", "y", "mark", "rule"))
        written = int(np.count_nonzero(edges.marks != CIRCLE))
        x = self.variables(place.key("x"), at_most=2 * self.count)
        if len(x) != written:
            place.fail(_REASONS)
        y = self.variables(place.key("y"), len(x))
        said = MARK_NUMBERS[1:][place.key("mark").codes(len(x), MARKS)]
        rules = place.key("rule").codes(len(x), RULES)
        because = self.because(place, rules, x, y)
        ends = x.astype(np.int64) * self.n + y
        if len(np.unique(ends)) < len(x) or not np.array_equal(marks[x, y], said):
            place.fail(_REASONS)
        conflicts, against = self.conflicts(marks)
        stops = np.cumsum(np.concatenate([[0], because.sizes, against.sizes]))
        spans = np.column_stack([stops[:-1], stops[1:]])
        rows = np.column_stack([x, y, said, RULE_NUMBERS[rules]])
        return Oriented(
            marks,
            np.hstack([rows, spans[: len(x)]]).astype(np.intc),
            np.hstack([conflicts, spans[len(x) :]]).astype(np.intc),
            np.concatenate([because.members, against.members]),
        )

    def reason_keys(self, *names: str) -> tuple[str, ...]:
        """The columns of reasons: these, and those of witnesses."""
        return (*names, "size", "because")

    def because(self, place: Place, rules: NDArray[np.uint8], x: NDArray[np.intc], y: NDArray[np.intc]) -> Sets:
        """The witnesses of each rule for a mark on x–y, in the order in which it names them."""
        sizes = place.key("size").ints(0, 2 * self.n + 4, len(rules))
        total = int(sizes.sum(dtype=np.int64))
        if total > MOST_MEMBERS:
            place.key("size").fail(f"at most {MOST_MEMBERS:,} witnesses together")
        witnesses = Sets(sizes, self.variables(place.key("because"), total))
        self.check_witnesses(place.key("because"), rules, witnesses, x, y)
        return witnesses

    @staticmethod
    def check_witnesses(
        place: Place, rules: NDArray[np.uint8], witnesses: Sets, x: NDArray[np.intc], y: NDArray[np.intc]
    ) -> None:
        """Refuse what rules do not say: as many witnesses as each names, and for R10 the edge between its ways."""
        wrong = (witnesses.sizes < FEWEST_WITNESSES[rules]) | (witnesses.sizes > MOST_WITNESSES[rules])
        for row in np.flatnonzero(wrong).tolist():
            fewest, most = WITNESSES[RULES[rules[row]]]
            place.fail(f"{fewest} variables{' or more' if most is None else ''} for {RULES[rules[row]]}")
        for row in np.flatnonzero(rules == RULES.index("R10")).tolist():
            nodes = witnesses[row] or ()
            # the two ways of R10 meet in the edge they are about
            if (int(x[row]), int(y[row])) not in pairwise(nodes[2:-1]):
                place.fail("two ways with the edge itself between them")

    def conflicts(self, marks: NDArray[np.uint8]) -> tuple[NDArray[np.intc], Sets]:
        """Rows rule, x, y, mark at x, mark at y; and the witnesses of each."""
        place = self.document.key("conflicts")
        place.only(*self.reason_keys("x", "y", "at_x", "at_y", "rule"))
        x = self.variables(place.key("x"), at_most=min(len(RULES) * 18 * self.count, MOST_MEMBERS))
        y = self.variables(place.key("y"), len(x))
        at_x, at_y = (MARK_NUMBERS[self.asked_marks(place.key(end), len(x))] for end in ("at_x", "at_y"))
        rules = place.key("rule").codes(len(x), RULES)
        because = self.because(place, rules, y, x)
        rows = np.column_stack([RULE_NUMBERS[rules], x, y, at_x, at_y]).astype(np.intc)
        self.check_conflicts(place, rows, marks)
        return rows, because

    def asked_marks(self, place: Place, length: int) -> NDArray[np.uint8]:
        """A column of marks that rules asked for, each as its number among `ASKED_MARKS`."""
        return place.codes(length, ASKED_MARKS)

    @staticmethod
    def check_conflicts(place: Place, rows: NDArray[np.intc], marks: NDArray[np.uint8]) -> None:
        """Refuse conflicts that are not about edges, or stand there twice."""
        if (marks[rows[:, 1], rows[:, 2]] == NONE).any():
            place.fail("about edges")
        if len(np.unique(rows, axis=0)) != len(rows):
            place.fail("a list of different conflicts")

    # -- how to go on --------------------------------------------------------------------------------------------

    STATE: tuple[str, ...] = ("graphs", "asked", "separations", "verified")

    def memory(
        self, scale: Scale, head: RunHead, history: Sequence[StageRecord], edges: Edges, separations: int
    ) -> tuple[ResumeState, NDArray[np.float64] | None]:
        """What the search must know to go on, and the raw evidence of separations."""
        place = self.document.key("state")
        if place.is_null:
            return ResumeState(), None
        place.only(*self.STATE)
        steps = [(m.phase, m.radius) for m in history if m.radius > 0 and m.phase is not Phase.D_SEP_LINKS]
        graphs = place.key("graphs").each(len(steps), self.state_graph)
        asked = []
        for (_, radius), item in zip(steps, place.key("asked").each(len(steps), lambda item: item), strict=True):
            asked.append(self.asked(item, scale, edges.pairs, radius))
        place.key("separations").only("raw", "raw_df")
        evidence = self.raw(place.key("separations"), scale, separations)
        verified = self.verified(place.key("verified"), scale)
        return ResumeState(tuple(steps), tuple(graphs), tuple(asked), verified, len(verified)), evidence

    def state_graph(self, place: Place) -> Edges:
        """The graph before a step."""
        place.only("a", "edge", "b")
        return self.edges(place)

    def asked(self, place: Place, scale: Scale, pairs: NDArray[np.intc], radius: int) -> NearestSets:
        """What a step asked about the edges."""
        place.only("given", "raw", "raw_df")
        if radius * len(pairs) > MOST_MEMBERS:
            place.fail(f"sets with at most {MOST_MEMBERS:,} members together")
        given = self.variables(place.key("given"), radius * len(pairs)).reshape(-1, radius)
        evidence = self.raw(place, scale, len(pairs))
        return self.checked_asked(place, pairs, np.sort(given, axis=1), evidence)

    @staticmethod
    def checked_asked(
        place: Place, pairs: NDArray[np.intc], sets: NDArray[np.intc], evidence: NDArray[np.float64]
    ) -> NearestSets:
        """The same, if its sets are sets; where nothing was asked they stand for nothing."""
        nothing = np.isnan(evidence[:, 0])
        sets[nothing] = 0
        wrong = (np.diff(sets, axis=1) == 0).any(axis=1) | (sets[:, :, None] == pairs[:, None, :]).any(axis=(1, 2))
        if (wrong & ~nothing).any():
            place.key("given").fail("sets: each variable once, and not one of the pair")
        return NearestSets(pairs, sets, evidence)

    def verified(self, place: Place, scale: Scale) -> dict[tuple[int, int, tuple[int, ...]], Answer]:
        """The answers of verification."""
        place.only("a", "b", "size", "given", "independent", "raw", "raw_df")
        pairs = self.pairs(place, min(self.count << min(max(self.n - 2, 0), 40), MOST_VERIFIED))
        given = self.sets(place, "given", len(pairs))
        independent = place.key("independent").ints(0, 1, len(pairs)) == 1
        raw = self.raw(place, scale, len(pairs))
        return self.checked_verified(place, pairs, given, independent, raw)

    def checked_verified(
        self, place: Place, pairs: NDArray[np.intc], given: Sets, independent: Any, raw: NDArray[np.float64]
    ) -> dict[tuple[int, int, tuple[int, ...]], Answer]:
        """The same by question, if all differ."""
        self.without_pair(place.key("given"), given, pairs)
        rows = zip(pairs.tolist(), given, independent.tolist(), raw.tolist(), strict=True)
        out = {(x, y, nodes or ()): Answer(answer, *evidence) for (x, y), nodes, answer, evidence in rows}
        if len(out) != len(pairs):
            place.fail("a list of different questions")
        return out


_REASONS = "a reason for each mark of `edges` that is not a circle, and for nothing else"
