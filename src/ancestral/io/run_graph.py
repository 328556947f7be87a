"""The run file of a graph that was not found by asking questions: how it is written, and how it is read.

It shares its parts with the files of other runs (`run_writer`, `run_reader`). In the place of questions and of the
state of a search it has scores, a member of the class of the graph, and the notes of the algorithm.
"""

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import GraphError
from ancestral.graphs import MAG
from ancestral.graphs.marks import NONE
from ancestral.independence.evidence import Evidences, Scale
from ancestral.io.checked_json import JsonValue
from ancestral.io.columns import Column
from ancestral.io.frames import MOST_PAIRS
from ancestral.io.run_checks import check_not_empty, check_separations
from ancestral.io.run_head import SearchHead
from ancestral.io.run_parts import (
    ABOUT,
    FORMAT,
    GRAPH,
    MOST_NOTE_CHARACTERS,
    MOST_NOTES,
    MOST_STAGES,
    VERSION,
    SavedRun,
)
from ancestral.io.run_reader import RunReader
from ancestral.io.run_resamples import KEY as RESAMPLES
from ancestral.io.run_resamples import read_resamples, resamples_part
from ancestral.io.run_writer import RunWriter
from ancestral.io.saved import data_part, settings_part
from ancestral.io.saved_check import check_part, read_check
from ancestral.io.saved_warnings import KEY as WARNINGS
from ancestral.io.saved_warnings import read_warnings, warnings_part
from ancestral.search.evidence import ImpliedDecisions
from ancestral.search.stage import Edges, FoundBy, GraphStage, Separations, StageRecord, check_member
from ancestral.search.working_graph import complete_graph
from ancestral.trace import About, Note

__all__ = ["GraphRunReader", "graph_document"]


# -- writing ------------------------------------------------------------------------------------------------------


def graph_document(run: SavedRun) -> dict[str, Any]:
    """The document of a run; its columns are written in blocks later."""
    stage, decisions = run.stage, run.decisions
    assert isinstance(stage, GraphStage) and isinstance(decisions, ImpliedDecisions)
    write = _Writer(np.argsort(stage.positions), run.scale)
    # of other runs, it would depend on what was looked at before
    listed = stage.complete and len(stage.names) * (len(stage.names) - 1) // 2 <= MOST_PAIRS
    found, separated_by = decisions.computed() if listed else (decisions.found, decisions.separated_by)
    member = None if stage.member is None else Edges.of(stage.member)
    edges = Edges.of(stage.oriented.marks)
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": run.made_by,
        "settings": settings_part(run.settings),
        "seeds": {},
        "data": data_part(run.fingerprint, run.rows, run.kinds, run.reading, stage.columns),
        "variables": list(stage.columns),
        "reasons": GRAPH,
        "phase": stage.phase,
        "complete": stage.complete,
        "stopped": run.stopped,
        "score": _plain(stage.score),
        "scale": str(run.scale),
        "marginal": write.marginal(decisions) if stage.begun else None,
        "edges": write.edges(edges.pairs, edges.marks) if stage.begun else None,
        "stages": [write.step(record, last=record is run.history[-1]) for record in run.history],
        "member": None if member is None else write.edges(member.pairs, member.marks),
        "separations": write.implied(found, separated_by),
        "orientations": write.orientations(stage.oriented),
        "conflicts": write.conflicts(stage.oriented),
        "notes": write.notes(stage),
        **resamples_part(write, run.resamples),
        "check": check_part(run.check, tuple(stage.columns)),
        **warnings_part(run.warnings, tuple(stage.columns)),
    }


def _plain(score: float | None) -> float | None:
    return None if score is None else float(score)


class _Writer(RunWriter):
    """Writes the parts that only these files have."""

    def step(self, record: StageRecord, last: bool) -> dict[str, Any]:
        """A stage; the graph of the last one stands under `edges`."""
        graph = None if last else self.edges(record.graph.pairs, record.graph.marks)
        return {"phase": record.phase, "score": _plain(record.score), "graph": graph}

    def implied(self, found: Separations, separated_by: Evidences) -> dict[str, Any]:
        """The separations that the data were asked about."""
        return {**self.pairs(found.pairs), **self.sets(found.given, "given"), **self.evidence(separated_by)}

    def notes(self, stage: GraphStage) -> dict[str, Any]:
        """The algorithm's own reasons."""
        position = {name: i for i, name in enumerate(stage.names)}
        ends = np.array([[position[note.x], position[note.y]] for note in stage.notes], dtype=np.intc).reshape(-1, 2)
        return {
            "x": Column.whole(self.place[ends[:, 0]]),
            "y": Column.whole(self.place[ends[:, 1]]),
            "about": Column.of_texts(np.array([ABOUT.index(n.about) for n in stage.notes], dtype=np.uint8), ABOUT),
            "number": Column.numbers(np.array([note.number for note in stage.notes], dtype=np.float64)),
            "text": [note.text for note in stage.notes],
        }


# -- reading ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Head(SearchHead):
    """What such a file holds besides its columns; `steps` are the phase and the score of each stage."""

    phase: str
    score: float | None
    steps: tuple[tuple[str, float | None], ...]


class GraphRunReader(RunReader):
    """Reads a run of a graph. Columns are read in the order in which they stand in the file."""

    KEYS = (
        "format", "version", "made_by", "settings", "seeds", "data", "variables", "reasons", "phase", "complete",
        "stopped", "score", "scale", "marginal", "edges", "stages", "member", "separations", "orientations",
        "conflicts", "notes", RESAMPLES, "check", WARNINGS,
    )  # fmt: skip

    def head(self) -> Any:
        """The head, checked: its parts must agree with each other."""
        document = self.document
        document.key("reasons").text(GRAPH)
        document.key("seeds").only()
        complete, stopped = self.end()
        common = self.file_head(least_rows=0)
        if common.settings.chosen.asks:
            document.key("settings").key("algorithm").fail("an algorithm that asks no questions")
        phases = common.settings.chosen.phases
        steps = self.graph_steps(phases)
        self.check_begun(bool(steps))
        if complete and not steps:
            document.key("stages").fail("a list with a stage in a complete run")
        phase, score = document.key("phase"), self.score(document)
        last = phases[phases.index(phase.text(*phases))]
        if (last, score) != (steps[-1] if steps else (phases[0], None)):
            document.key("stages").fail("a list that ends with `phase` and `score`")
        self.check_notes_of_head()
        return _Head(
            **common.shared(),
            begun=bool(steps),
            complete=complete,
            stopped=stopped,
            phase=last,
            score=score,
            steps=steps,
        )

    def graph_steps(self, phases: tuple[str, ...]) -> tuple[tuple[str, float | None], ...]:
        """The phase and the score of each stage."""
        place = self.document.key("stages")
        if isinstance(place.value, list) and len(place.value) > MOST_STAGES:
            place.fail(f"a list of at most {MOST_STAGES:,} stages")
        out = []
        for item in place.items():
            item.only("phase", "score", "graph")
            out.append((phases[phases.index(item.key("phase").text(*phases))], self.score(item)))
        return tuple(out)

    @staticmethod
    def score(place: JsonValue) -> float | None:
        """The score of a stage, if it has one."""
        score = place.key("score")
        return None if score.is_null else score.real()

    def check_notes_of_head(self) -> None:
        """The texts of notes, which are not packed."""
        place = self.document.key("notes")
        place.only("x", "y", "about", "number", "text")
        texts = place.key("text")
        if isinstance(texts.value, list) and len(texts.value) > MOST_NOTES:
            texts.fail(f"a list of at most {MOST_NOTES:,} texts")
        for item in texts.items():
            if len(item.text()) > MOST_NOTE_CHARACTERS:
                item.fail(f"a text of at most {MOST_NOTE_CHARACTERS:,} characters")

    def run(self) -> SavedRun:
        """The whole run."""
        head: _Head = self.head()
        scale = self.scale()
        marginal, _ = self.marginals(scale, head)
        edges = self.graph_edges(head)
        history = self.records(head, edges)
        marks = edges.matrix(self.n) if head.begun else complete_graph(self.n)
        member = self.member(head, marks)
        found, separated_by = self.implied(scale, marks)
        oriented = self.oriented(marks, edges)
        notes = self.notes(marks)
        resamples = read_resamples(self, self.document)
        check = read_check(self.document, self.columns)
        if self.document.columns is not None:
            self.document.columns.finish()
        self.check_knowledge(head, marks)
        stage = GraphStage(
            phase=head.phase,
            complete=head.complete,
            names=self.names,
            columns=self.columns,
            oriented=oriented,
            sufficient=head.settings.chosen.sufficient,
            score=head.score,
            member=member,
            notes=notes,
            begun=head.begun,
        )
        pairs = [(x, y) for x, y in found.pairs.tolist()]
        try:
            stage.imply({pair: given or () for pair, given in zip(pairs, found.given, strict=True)})
        except GraphError:
            self.document.key("separations").fail("sets that separate their pairs in `member`")
        columns = (separated_by.statistic, separated_by.df, separated_by.p_value)
        evidence = zip(*(column.tolist() for column in columns), strict=True)
        return SavedRun(
            **head.shared(),
            scale=scale,
            stage=stage,
            history=history,
            stopped=head.stopped,
            decisions=ImpliedDecisions.of(stage, marginal, None, dict(zip(pairs, evidence, strict=True))),
            resamples=resamples,
            check=check,
            warnings=read_warnings(self.document, self.columns),
        )

    # -- parts ------------------------------------------------------------------------------------------------------

    def graph_edges(self, head: _Head) -> Edges:
        """The edges of the graph."""
        place = self.document.key("edges")
        if head.begun:
            place.only("a", "edge", "b")
            return self.edges(place)
        if not place.is_null:
            place.fail("null, as long as no stage is finished")
        return Edges(np.zeros((0, 2), np.intc), np.zeros((0, 2), np.uint8))

    def records(self, head: _Head, edges: Edges) -> tuple[StageRecord, ...]:
        """The stages with their graphs; `edges` are the last graph."""
        items = list(self.document.key("stages").items())
        out = []
        for (phase, score), item in zip(head.steps, items, strict=True):
            graph = self.graph(item.key("graph"), edges, last=item is items[-1])
            out.append(StageRecord(phase, None, graph, score=score))
        return tuple(out)

    def member(self, head: _Head, marks: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
        """A MAG of the class of the graph."""
        place = self.document.key("member")
        if place.is_null:
            return None
        if not head.begun:
            place.fail("null, as long as no stage is finished")
        place.only("a", "edge", "b")
        member = self.edges(place).matrix(self.n)
        try:
            check_member(marks, member, self.names)
            MAG(self.names, member)
        except GraphError as error:
            place.fail(f"a maximal ancestral graph with the edges of `edges` ({error})")
        return member

    def implied(self, scale: Scale, marks: NDArray[np.uint8]) -> tuple[Separations, Evidences]:
        """The separations that the data were asked about, and their evidence."""
        place = self.document.key("separations")
        place.only("a", "b", "size", "given", "number", "df")
        pairs = self.pairs(place)
        given = self.sets(place, "given", len(pairs))
        evidence = self.evidence(place, scale, len(pairs))
        by = np.full(len(pairs), FoundBy.IMPLIED, dtype=np.intc)
        check_not_empty(place.key("given"), given)
        found = Separations(pairs, given, given.sizes, by, np.zeros((len(pairs), 2)))
        check_separations(place, found, marks, self.names)
        return found, evidence

    def check_reasons(self, place: JsonValue, reasons: int, marks: int) -> None:
        """Refuse more reasons than marks; an algorithm may have set marks without a rule."""
        if reasons > marks:
            place.fail("at most one reason for each mark of `edges` that is not a circle")

    def notes(self, marks: NDArray[np.uint8]) -> tuple[Note, ...]:
        """The algorithm's own reasons; each must be about an edge or a missing edge, as it says."""
        place = self.document.key("notes")
        texts = [item.text() for item in place.key("text").items()]
        x = self.variables(place.key("x"), len(texts))
        y = self.variables(place.key("y"), len(texts))
        about = place.key("about").codes(len(texts), ABOUT)
        numbers = place.key("number").reals(len(texts)).tolist()
        missing = about == ABOUT.index("no edge")
        if (x == y).any() or ((marks[x, y] == NONE) != missing).any():
            place.fail("about edges and marks that are there, and about edges that are not")
        rows = zip(x.tolist(), y.tolist(), about.tolist(), numbers, texts, strict=True)
        kinds: tuple[About, ...] = get_args(About)
        return tuple(Note(self.names[i], self.names[j], kinds[k], number, text) for i, j, k, number, text in rows)

    def check_knowledge(self, head: _Head, marks: NDArray[np.uint8]) -> None:
        """The graph must agree with knowledge."""
        known = head.settings.knowledge
        if known is None or not head.begun:
            return
        if not known.constraints(self.names, head.settings.allows_selection).is_kept_by(marks):
            self.document.key("edges").fail("a graph that keeps to the knowledge of `settings`")
