"""Read a run file of version 4: its columns, checked for shapes and ranges, and that they agree.

A matrix is made only after the file has shown a number for each pair of variables, or, if it has those of some pairs
only, of zeros, which take memory where an edge is written.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.graphs.mixed import MOST_NODES
from ancestral.independence.evidence import Evidences, Scale, p_values_on_scale
from ancestral.io.checked_json import JsonValue
from ancestral.io.run_checks import (
    check_conflicts,
    check_not_empty,
    check_separations,
    check_sets_without_pair,
    check_witnesses,
    checked_answers,
    checked_nearest_sets,
)
from ancestral.io.run_head import RunHead, RunHeadReader, SearchHead
from ancestral.io.run_parts import (
    ASKED_MARKS,
    FOUND_BY,
    MARK_NUMBERS,
    MARKS,
    MOST_MEMBERS,
    MOST_UNANSWERED,
    MOST_VERIFIED,
    RULE_NUMBERS,
    RULES,
    SavedRun,
)
from ancestral.io.run_resamples import read_resamples
from ancestral.io.saved_check import read_check
from ancestral.io.saved_warnings import read_warnings
from ancestral.orientation import Oriented, TripleEvidence
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.evidence import Decisions
from ancestral.search.marginals import Marginals, pair_number
from ancestral.search.sets import Sets
from ancestral.search.stage import (
    Answer,
    AskedStage,
    Edges,
    FoundBy,
    NearestSets,
    Phase,
    ResumeState,
    Separations,
    StageRecord,
)

__all__ = ["RunReader"]

#: What `orientations` must be.
_REASONS = "a reason for each mark of `edges` that is not a circle, and for nothing else"


#: The edges; for each the set of the decisive question, its evidence, and the number of questions without an answer.
Kept = tuple[Edges, Sets, Evidences, NDArray[np.int64]]


class RunReader(RunHeadReader):
    """Reads a run of version 4. Columns are read in the order in which they stand in the file."""

    def run(self) -> SavedRun:
        """The whole run."""
        head = self.head()
        scale = self.scale()
        marginal, learned = self.marginals(scale, head)
        edges, closest, kept_by, unanswered = self.kept(scale, head.radius)
        history = self.history(head.steps, edges)
        if head.radius < 0:
            marks = np.full((self.n, self.n), CIRCLE, dtype=np.uint8)
            np.fill_diagonal(marks, NONE)
        else:
            marks = edges.matrix(self.n)
        found, separated_by = self.separated(scale, marks)
        oriented = replace(self.oriented(marks, edges), agreed=self.agreed(head, marks))
        memory, evidence = self.memory(scale, head, history, edges, len(found.pairs))
        resamples = read_resamples(self, self.document)
        check = read_check(self.document, self.columns)
        if self.document.columns is not None:
            self.document.columns.finish()
        if evidence is not None:
            found = Separations(found.pairs, found.given, found.radius, found.found_by, evidence)
        sepsets = self.sepsets(head, marks, found)
        stage = AskedStage(
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
            **head.shared(),
            scale=scale,
            stage=stage,
            history=history,
            stopped=head.stopped,
            decisions=Decisions(marginal, found, separated_by, edges.pairs, closest, kept_by, unanswered),
            learned=learned,
            resamples=resamples,
            check=check,
            warnings=read_warnings(self.document, self.columns),
        )

    # -- how the search went --------------------------------------------------------------------------------------

    def history(self, steps: tuple[tuple[str, int, int], ...], edges: Edges) -> tuple[StageRecord, ...]:
        """The stages with their graphs; `edges` are the last graph."""
        items = list(self.document.key("stages").items())
        out = []
        for (phase, radius, questions), item in zip(steps, items, strict=True):
            graph = self.graph(item.key("graph"), edges, last=item is items[-1])
            out.append(StageRecord(phase, radius, graph, questions))
        return tuple(out)

    def graph(self, place: JsonValue, edges: Edges, last: bool) -> Edges:
        """The graph after a stage."""
        if last and not place.is_null:
            place.fail("null, since the last graph stands under `edges`")
        if last:
            return edges
        place.only("a", "edge", "b")
        return self.edges(place)

    # -- evidence --------------------------------------------------------------------------------------------------

    def scale(self) -> Scale:
        """The scale of the numbers of the file."""
        return Scale(self.document.key("scale").text(*Scale))

    def marginals(self, scale: Scale, head: SearchHead) -> tuple[Marginals, NDArray[np.float64] | None]:
        """The evidence of each pair given nothing, and, of a function of the user's own, its answers by position."""
        place = self.document.key("marginal")
        if not head.begun:
            if not place.is_null:
                place.fail("null, as long as nothing was asked")
            return Marginals.nothing(scale), None
        place.only("a", "b", "number", "df")
        if "a" in place.value:
            return self.some_marginals(place, scale), None
        numbers = place.key("number").floats(self.count, scale.most)
        df = self.df(place.key("df"), scale, self.count)
        marginal = Marginals.listed(scale, self.place, numbers, df)
        learned = None
        if scale in (Scale.P_VALUE, Scale.DECISION):
            learned = marginal.column(self.n)
        elif self.to_resume and not head.complete:
            marginal = Marginals.nothing(scale)
        return marginal, learned

    def some_marginals(self, place: JsonValue, scale: Scale) -> Marginals:
        """The evidence of some pairs given nothing; the file is not one of a function of the user's own."""
        if scale in (Scale.P_VALUE, Scale.DECISION):
            place.fail("about every pair of variables, since a function is not asked again")
        if self.n > MOST_NODES:
            self.document.key("variables").fail(f"at most {MOST_NODES:,} names")
        pairs = self.pairs(place)
        if len(np.unique(pair_number(self.n, *pairs.T))) < len(pairs):
            place.fail("about different pairs")
        numbers = place.key("number").floats(len(pairs), scale.most)
        return Marginals.of_some(scale, self.n, pairs, numbers, self.df(place.key("df"), scale, len(pairs)))

    @staticmethod
    def df(place: JsonValue, scale: Scale, length: int) -> NDArray[np.intc] | None:
        """Degrees of freedom; None on a scale that has none."""
        if scale is Scale.CHI2:
            return place.ints(0, (1 << 31) - 1, length)
        if not place.is_null:
            place.fail(f"null, since numbers that are {scale} have no degrees of freedom")
        return None

    def evidence(self, place: JsonValue, scale: Scale, length: int) -> Evidences:
        """The evidence of this many questions."""
        numbers = place.key("number").floats(length, scale.most)
        df = self.df(place.key("df"), scale, length)
        return p_values_on_scale(scale, numbers, np.zeros(length, np.intc) if df is None else df)

    def raw(self, place: JsonValue, scale: Scale, length: int) -> NDArray[np.float64]:
        """Rows statistic, degrees of freedom, as the kernels of the questions keep them."""
        raw = place.key("raw").floats(length, scale.most)
        df = self.df(place.key("raw_df"), scale, length)
        return np.column_stack([raw, np.zeros(length) if df is None else df])

    # -- parts of the graph ---------------------------------------------------------------------------------------

    def pairs(self, place: JsonValue, at_most: int | None = None) -> NDArray[np.intc]:
        """The columns a and b: pairs of positions, the smaller one first."""
        a = self.variables(place.key("a"), at_most=at_most)
        b = self.variables(place.key("b"), len(a))
        if (a == b).any():
            place.fail("a list of pairs of different variables")
        return np.column_stack([np.minimum(a, b), np.maximum(a, b)])

    def sets(self, place: JsonValue, name: str, length: int, least: int = 0) -> Sets:
        """Sets of positions from two columns; size -1, where `least` allows it, means that there is no set."""
        sizes = place.key("size").ints(least, max(self.n - 2, 0), length)
        total = int(np.maximum(sizes, 0).sum(dtype=np.int64))
        if total > MOST_MEMBERS:
            place.key("size").fail(f"sizes of sets with at most {MOST_MEMBERS:,} members together")
        sets = Sets(sizes, self.variables(place.key(name), total)).renamed(np.arange(self.n))
        repeated = (np.diff(sets.members) == 0) & (np.diff(sets.owners) == 0)
        if repeated.any():
            place.key(name).fail("sets: each variable once")
        return sets

    def kept(self, scale: Scale, radius: int) -> Kept:
        """The edges, and for each the question that came closest to removing it, and how many had no answer."""
        place = self.document.key("edges")
        if radius < 0:
            if not place.is_null:
                place.fail("null, as long as nothing was asked")
            return self.nothing_kept(scale)
        place.only("a", "edge", "b", "number", "df", "size", "closest", "unanswered")
        edges = self.edges(place)
        count = len(edges.pairs)
        evidence = self.evidence(place, scale, count)
        closest = self.sets(place, "closest", count, least=-1)
        check_sets_without_pair(place.key("closest"), closest, edges.pairs)
        return edges, closest, evidence, self.unanswered(place, count)

    @staticmethod
    def unanswered(place: JsonValue, length: int) -> NDArray[np.int64]:
        """The number of questions about each edge that the data could not support; 0 where the file does not tell."""
        if "unanswered" not in place.value:
            return np.zeros(length, np.int64)
        return place.key("unanswered").ints(0, MOST_UNANSWERED, length).astype(np.int64)

    @staticmethod
    def nothing_kept(scale: Scale) -> Kept:
        """The edges of a run that has not begun: none are listed, though its graph joins all variables."""
        edges = Edges(np.zeros((0, 2), np.intc), np.zeros((0, 2), np.uint8))
        return edges, Sets.of([]), p_values_on_scale(scale, np.zeros(0), np.zeros(0)), np.zeros(0, np.int64)

    def separated(self, scale: Scale, marks: NDArray[np.uint8]) -> tuple[Separations, Evidences]:
        """The pairs that sets separated, and their evidence; the raw evidence stands under `state`."""
        place = self.document.key("separations")
        place.only("a", "b", "size", "given", "radius", "found_by", "number", "df")
        return self.separated_at(place, scale, marks)

    def separated_at(self, place: JsonValue, scale: Scale, marks: NDArray[np.uint8]) -> tuple[Separations, Evidences]:
        """The same, from an object whose keys were checked."""
        pairs = self.pairs(place)
        given = self.sets(place, "given", len(pairs))
        radius = place.key("radius").ints(0, max(self.n - 2, 1), len(pairs))
        found_by = place.key("found_by").codes(len(pairs), FOUND_BY)
        implied = found_by == FoundBy.SCORE_GRAPH  # nothing was asked about these pairs, and the set may be empty
        asked = ~implied & (found_by != FoundBy.FDR)  # so may the set that came closest to separating a pair
        # in a window, the radius does not count known ancestors, which are always given; contexts are checked, and may
        # be given, from radius 0 on
        known = self.settings().knowledge
        least = 0 if self.settings().chosen.windows or (known is not None and known.contexts) else 1
        if (radius[asked] < least).any() or not np.array_equal(radius[implied], given.sizes[implied]):
            place.key("radius").fail("from 1 on; of a pair that a graph by score separates, the size of its set")
        check_not_empty(place.key("given"), given.chosen(asked))
        evidence = self.evidence(place, scale, len(pairs))
        unknown = np.tile(np.array([np.nan, 0.0]), (len(pairs), 1))
        found = Separations(pairs, given, radius, found_by.astype(np.intc), unknown)
        check_separations(place, found, marks, self.names)
        return found, evidence

    def sepsets(self, head: RunHead, marks: NDArray[np.uint8], found: Separations) -> Sepsets:
        """All separating sets; pairs that are known to have no edge have none. The graph must agree with knowledge."""
        sepsets = Sepsets(self.n)
        if not head.settings.chosen.within_scored and (found.found_by == FoundBy.SCORE_GRAPH).any():
            self.document.key("separations").fail("found by asking, since this algorithm has no graph by score")
        if head.settings.fdr is None and (found.found_by == FoundBy.FDR).any():
            self.document.key("separations").fail("found by asking, since false discoveries were not controlled")
        if head.radius < 0:
            if len(found.pairs):
                self.document.key("separations").fail("empty, as long as nothing was asked")
            return sepsets
        sepsets.record_empty_sets(marks)
        notes = np.column_stack([found.radius, found.found_by])
        sepsets.record_columns(found.pairs, found.given.sizes, found.given.members, notes, found.evidence)
        known = head.settings.knowledge
        if known is not None:
            constraints = known.constraints(self.names, head.settings.allows_selection)
            no_edge = set(map(tuple, constraints.no_edge.tolist()))
            if not constraints.is_kept_by(marks) or not no_edge.isdisjoint(map(tuple, found.pairs.tolist())):
                self.document.key("edges").fail("a graph that keeps to the knowledge of `settings`")
            sepsets.forget(constraints.no_edge)
        return sepsets

    # -- why marks are there ----------------------------------------------------------------------------------------

    def oriented(self, marks: NDArray[np.uint8], edges: Edges) -> Oriented:
        """The reasons of marks, and the proposals that were refused."""
        place = self.document.key("orientations")
        place.only(*self.reason_keys("x", "y", "mark", "rule"))
        x = self.variables(place.key("x"), at_most=2 * self.count)
        self.check_reasons(place, len(x), int(np.count_nonzero(edges.marks != CIRCLE)))
        y = self.variables(place.key("y"), len(x))
        written = MARK_NUMBERS[1:][place.key("mark").codes(len(x), MARKS)]
        rules = place.key("rule").codes(len(x), RULES)
        because = self.because(place, rules, x, y)
        ends = x.astype(np.int64) * self.n + y
        if len(np.unique(ends)) < len(x) or not np.array_equal(marks[x, y], written):
            place.fail(_REASONS)
        conflicts, against = self.conflicts(marks)
        stops = np.cumsum(np.concatenate([[0], because.sizes, against.sizes]))
        spans = np.column_stack([stops[:-1], stops[1:]])
        rows = np.column_stack([x, y, written, RULE_NUMBERS[rules]])
        return Oriented(
            marks,
            np.hstack([rows, spans[: len(x)]]).astype(np.intc),
            np.hstack([conflicts, spans[len(x) :]]).astype(np.intc),
            np.concatenate([because.members, against.members]),
        )

    def check_reasons(self, place: JsonValue, reasons: int, marks: int) -> None:
        """Refuse a list of reasons that is not one for each of the marks."""
        if reasons != marks:
            place.fail(_REASONS)

    def reason_keys(self, *names: str) -> tuple[str, ...]:
        """The columns of reasons: these, and those of witnesses."""
        return (*names, "size", "because")

    def because(self, place: JsonValue, rules: NDArray[np.uint8], x: NDArray[np.intc], y: NDArray[np.intc]) -> Sets:
        """The witnesses of each rule for a mark on x–y, in the order in which it names them."""
        sizes = place.key("size").ints(0, 2 * self.n + 4, len(rules))
        total = int(sizes.sum(dtype=np.int64))
        if total > MOST_MEMBERS:
            place.key("size").fail(f"at most {MOST_MEMBERS:,} witnesses together")
        witnesses = Sets(sizes, self.variables(place.key("because"), total))
        check_witnesses(place.key("because"), rules, witnesses, x, y)
        return witnesses

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
        check_conflicts(place, rows, marks)
        return rows, because

    def agreed(self, head: RunHead, marks: NDArray[np.uint8]) -> TripleEvidence | None:
        """The p-values of triples that were judged by agreement; files of other runs do not have the key."""
        if "agreed" not in self.document.value:
            return None
        place = self.document.key("agreed")
        place.only("a", "b", "c", "p_with", "p_without", "all_decided")
        if head.settings.colliders != "agreed":
            place.fail("there only if `colliders` is agreed")
        a = self.variables(place.key("a"), at_most=2 * self.count)
        b, c = (self.variables(place.key(name), len(a)) for name in "bc")
        p_values = np.column_stack([place.key(name).floats(len(a), 1.0) for name in ("p_with", "p_without")])
        triples = np.column_stack([np.minimum(a, c), b, np.maximum(a, c)])
        if ((marks[a, b] == NONE) | (marks[c, b] == NONE) | (marks[a, c] != NONE) | (a == c)).any():
            place.fail("about triples a, b, c such that only a and c are not adjacent")
        if len(np.unique(triples, axis=0)) < len(triples):
            place.fail("a list of different triples")
        all_decided = place.key("all_decided").truth()
        return TripleEvidence(self.n, triples, p_values, lambda: all_decided)

    def asked_marks(self, place: JsonValue, length: int) -> NDArray[np.uint8]:
        """A column of marks that rules proposed, each as its number among `ASKED_MARKS`."""
        return place.codes(length, ASKED_MARKS)

    # -- how to go on --------------------------------------------------------------------------------------------

    STATE: tuple[str, ...] = ("graphs", "asked", "separations", "verified")

    def memory(
        self, scale: Scale, head: RunHead, history: Sequence[StageRecord], edges: Edges, separations: int
    ) -> tuple[ResumeState, NDArray[np.float64] | None]:
        """What the search needs to resume, and the raw evidence of separations; None in a run that is complete."""
        place = self.document.key("state")
        if place.is_null:
            return ResumeState(), None
        place.only(*self.STATE)
        steps = [(m.phase, m.radius) for m in history if m.radius and m.phase != Phase.D_SEP_LINKS]
        if head.settings.chosen.begins_again:
            steps = []
        graphs = place.key("graphs").each(len(steps), self.state_graph)
        asked = []
        for (_, radius), item in zip(steps, place.key("asked").each(len(steps), lambda item: item), strict=True):
            asked.append(self.asked(item, scale, edges.pairs, radius))
        place.key("separations").only("raw", "raw_df")
        evidence = self.raw(place.key("separations"), scale, separations)
        verified = self.verified(place.key("verified"), scale)
        return ResumeState(tuple(steps), tuple(graphs), tuple(asked), verified, len(verified)), evidence

    def state_graph(self, place: JsonValue) -> Edges:
        """The graph before a step."""
        place.only("a", "edge", "b")
        return self.edges(place)

    def asked(self, place: JsonValue, scale: Scale, pairs: NDArray[np.intc], radius: int) -> NearestSets:
        """For each edge the set of a step with the largest p-value."""
        place.only("given", "raw", "raw_df", "unanswered")
        if radius * len(pairs) > MOST_MEMBERS:
            place.fail(f"sets with at most {MOST_MEMBERS:,} members together")
        given = self.variables(place.key("given"), radius * len(pairs)).reshape(-1, radius)
        evidence = self.raw(place, scale, len(pairs))
        unanswered = self.unanswered(place, len(pairs))
        return checked_nearest_sets(place, pairs, np.sort(given, axis=1), evidence, unanswered)

    def verified(self, place: JsonValue, scale: Scale) -> dict[tuple[int, int, tuple[int, ...]], Answer]:
        """The answers of verification by their questions: x, y, and the conditioning set."""
        place.only("a", "b", "size", "given", "independent", "raw", "raw_df")
        pairs = self.pairs(place, min(self.count << min(max(self.n - 2, 0), 40), MOST_VERIFIED))
        given = self.sets(place, "given", len(pairs))
        independent = place.key("independent").ints(0, 1, len(pairs)) == 1
        raw = self.raw(place, scale, len(pairs))
        return checked_answers(place, pairs, given, independent, raw)
