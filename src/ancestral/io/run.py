"""The run file: what a search found, why, with which settings, on which data; and, unfinished, how to go on.

docs/run-file.md describes it. Variables are numbered in the order of `variables`, that of the user; inside, positions
follow the names. Whatever is read is checked: shapes, ranges, and that the parts say the same.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data.reading import Reading
from ancestral.errors import RunError
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.independence.evidence import Weighed
from ancestral.io.document import Place, as_text, nullable, packed_floats, read_document
from ancestral.io.files import write_atomically
from ancestral.io.packed import read_bytes
from ancestral.io.parts import PartsReader, PartsWriter, check_overwritable, read_checked
from ancestral.orientation import Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.rules import NAMES, WITNESSES
from ancestral.search.decisions import Decisions, pair_number
from ancestral.search.settings import Settings
from ancestral.search.stage import Asked, Edges, FoundBy, Memory, Milestone, Phase, Stage, Verified

__all__ = ["FORMAT", "VERSION", "SavedRun", "check_target", "read_run", "run_text", "write_run"]

FORMAT = "ancestral run"
VERSION = 3

#: Why a run ended before it was complete.
STOPPED = ("max_radius", "time limit", "interrupt", "executor")

_MARKS = {">": ARROW, "-": TAIL}
_MARK_TEXTS = {mark: text for text, mark in _MARKS.items()}
_NUMBERS = {name: number for number, name in NAMES.items()}


@dataclass(frozen=True)
class SavedRun:
    """What a run file holds. `learned` are the raw marginals, where questions cannot learn them again by themselves."""

    made_by: str
    settings: Settings
    fingerprint: str
    rows: int
    reading: Reading
    kinds: Mapping[str, str] | None
    stage: Stage
    history: tuple[Milestone, ...]
    stopped: str | None
    decisions: Decisions
    learned: NDArray[np.float64] | None = None


def check_target(path: Path) -> None:
    """Refuse to save where it is impossible, or where a file stands that is no run file."""
    check_overwritable(path, FORMAT, "run file")


def write_run(path: Path, run: SavedRun) -> None:
    """Write the file, all of it or nothing."""
    write_atomically(path, run_text(run).encode("ascii"))


def run_text(run: SavedRun) -> str:
    """What stands in the file."""
    return as_text(_document(run))


def read_run(path: Path) -> SavedRun:
    """Read a file and check everything in it."""
    document = read_document(path, read_bytes(path))
    if not isinstance(document.value, dict) or document.value.get("format") != FORMAT:
        if isinstance(document.value, dict) and document.value.get("format") == "ancestral bootstrap":
            raise RunError(
                f"{path}: is a bootstrap file, no run file; it goes to an.load_bootstrap(), or into a report"
            )
        raise RunError(f"{path}: is no run file; one is written by save() or --save")
    return read_checked(path, document, VERSION, lambda: _Reader(document).run())


# -- writing ------------------------------------------------------------------------------------------------------


def _document(run: SavedRun) -> dict[str, Any]:
    stage, decisions = run.stage, run.decisions
    write = _Writer(np.argsort(stage.positions))  # the place in the file of each position
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": run.made_by,
        "settings": run.settings.as_dict(),
        "seeds": {},
        "data": {
            "fingerprint": run.fingerprint,
            "rows": run.rows,
            "kinds": None if run.kinds is None else [run.kinds[name] for name in stage.columns],
            "source": run.reading.source,
            "reading": run.reading.options(),
        },
        "variables": list(stage.columns),
        "phase": stage.phase,
        "radius": stage.radius,
        "complete": stage.complete,
        "stopped": run.stopped,
        "stages": [write.milestone(m, last=m is run.history[-1]) for m in run.history],
        "tests": _counts(stage.tests),
        "verify_tests": _counts(stage.verify_tests),
        "unsupported": _counts(stage.unsupported),
        "edges": write.kept(stage, decisions),
        "separations": write.separated(stage, decisions),
        "marginal": write.marginal(decisions.marginal) if stage.radius >= 0 else None,
        "orientations": write.orientations(stage.oriented),
        "conflicts": write.conflicts(stage.oriented),
        "state": None if stage.complete or stage.radius < 0 else write.state(stage, run.learned),
    }


def _counts(counter: Counter[int]) -> dict[str, int]:
    return {str(size): counter[size] for size in sorted(counter)}


def _evidence(weighed: Weighed) -> dict[str, list[float | None]]:
    # 0 degrees of freedom: the test has none
    shown = np.where(weighed.df > 0, weighed.df, np.nan)
    return {
        "statistic": nullable(weighed.statistic),
        "df": nullable(shown),
        "p_value": nullable(weighed.p_value),
    }


class _Writer(PartsWriter):
    """Writes a run."""

    def set(self, given: Sequence[int]) -> list[int]:
        return sorted(self.place[list(given)].tolist())

    def milestone(self, milestone: Milestone, last: bool) -> dict[str, Any]:
        """The last one has the graph that stands under `edges`."""
        graph = milestone.graph
        return {
            "phase": milestone.phase,
            "radius": milestone.radius,
            "questions": milestone.questions,
            "graph": None if last else self.edges(graph.pairs, graph.marks),
        }

    def kept(self, stage: Stage, decisions: Decisions) -> dict[str, Any]:
        edges = Edges.of(stage.oriented.marks)
        return {
            **self.edges(edges.pairs, edges.marks),
            **_evidence(decisions.kept_by),
            "closest": [None if given is None else self.set(given) for given in decisions.closest],
        }

    def separated(self, stage: Stage, decisions: Decisions) -> dict[str, Any]:
        found = stage.sets
        pairs = [self.set((x, y)) for x, y, *_ in found]
        return {
            "a": [a for a, _ in pairs],
            "b": [b for _, b in pairs],
            "given": [self.set(row[2]) for row in found],
            "radius": [row[3] for row in found],
            "found_by": [str(FoundBy(row[4])) for row in found],
            **_evidence(decisions.separated_by),
        }

    def marginal(self, marginal: Weighed) -> dict[str, str | None]:
        order = self._pair_order()
        has_df = bool((marginal.df > 0).any())
        return {
            "statistic": packed_floats(marginal.statistic[order]),
            "df": packed_floats(marginal.df[order]) if has_df else None,
            "p_value": packed_floats(marginal.p_value[order]),
        }

    def _pair_order(self) -> NDArray[np.int64]:
        """For each pair of places in the file, the number of the same pair by positions."""
        at = np.argsort(self.place)
        a, b = np.triu_indices(len(at), 1)
        return pair_number(len(at), at[a], at[b])

    def orientations(self, oriented: Oriented) -> dict[str, Any]:
        rows = oriented.written.tolist()
        witnesses = self.place[oriented.witnesses].tolist()
        return {
            "x": self.place[oriented.written[:, 0]].tolist(),
            "y": self.place[oriented.written[:, 1]].tolist(),
            "mark": [_MARK_TEXTS[row[2]] for row in rows],
            "rule": [NAMES[row[3]] for row in rows],
            "because": [witnesses[row[4] : row[5]] for row in rows],
        }

    def conflicts(self, oriented: Oriented) -> dict[str, Any]:
        keys = list(oriented.refused)
        return {
            "x": [int(self.place[key[1]]) for key in keys],
            "y": [int(self.place[key[2]]) for key in keys],
            "at_x": [_MARK_TEXTS.get(key[3]) for key in keys],
            "at_y": [_MARK_TEXTS.get(key[4]) for key in keys],
            "rule": [NAMES[key[0]] for key in keys],
            "because": [[int(self.place[v]) for v in oriented.refused[key]] for key in keys],
        }

    def asked_sets(self, asked: Asked) -> list[list[int] | None]:
        """The set with the largest p-value about each edge; null where the data supported no question."""
        nothing = np.isnan(asked.evidence[:, 0]).tolist()
        return [None if nan else self.set(given) for nan, given in zip(nothing, asked.sets.tolist(), strict=True)]

    def state(self, stage: Stage, learned: NDArray[np.float64] | None) -> dict[str, Any]:
        memory = stage.memory
        found = stage.sets
        verified = list(memory.answers())
        pairs = [self.set(key[:2]) for key, _ in verified]
        return {
            "graphs": [self.edges(graph.pairs, graph.marks) for graph in memory.graphs],
            "asked": [{"given": self.asked_sets(asked), **_raw(asked.evidence)} for asked in memory.asked],
            "separations": _raw(np.array([row[-2:] for row in found], dtype=np.float64).reshape(-1, 2)),
            "verified": {
                "a": [a for a, _ in pairs],
                "b": [b for _, b in pairs],
                "given": [self.set(key[2]) for key, _ in verified],
                "independent": [answer.independent for _, answer in verified],
                **_raw(np.array([(v.statistic, v.df) for _, v in verified], dtype=np.float64).reshape(-1, 2)),
            },
            "learned": None if learned is None else packed_floats(learned[self._pair_order()]),
        }


def _raw(evidence: NDArray[np.float64]) -> dict[str, Any]:
    """Statistics as the questions leave them, before they are weighed."""
    return {"raw": nullable(evidence[:, 0]), "raw_df": nullable(evidence[:, 1])}


# -- reading ------------------------------------------------------------------------------------------------------


class _Reader(PartsReader):
    """Reads a run."""

    def __init__(self, document: Place) -> None:
        super().__init__(document)
        document.only(
            "format", "version", "made_by", "settings", "seeds", "data", "variables", "phase", "radius", "complete",
            "stopped", "stages", "tests", "verify_tests", "unsupported", "edges", "separations", "marginal",
            "orientations", "conflicts", "state",
        )  # fmt: skip

    def run(self) -> SavedRun:
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
        settings = self.settings()
        edges, closest, kept_by = self.kept()
        history = self.history(radius, settings.chosen.phases, edges)
        marks = edges.matrix(self.n)
        sepsets, separations, separated_by = self.separated(marks, radius)
        self.keep_to(settings, marks, radius, sepsets, separations)
        marginal = self.marginal(radius)
        oriented = self.oriented(marks)
        memory, learned = self.memory(history, edges)
        stage = Stage(
            phase=history[-1].phase if history else Phase.SEARCH,
            radius=radius,
            complete=complete,
            tests=self.counts("tests"),
            verify_tests=self.counts("verify_tests"),
            unsupported=self.counts("unsupported"),
            names=self.names,
            columns=self.columns,
            oriented=oriented,
            sepsets=sepsets,
            known_sets=sepsets.count,
            memory=memory,
            sufficient=settings.chosen.sufficient,
        )
        return SavedRun(
            made_by=document.key("made_by").text(),
            settings=settings,
            fingerprint=data.key("fingerprint").text(),
            rows=data.key("rows").whole(0),
            reading=self.reading(data),
            kinds=self.kinds(data.key("kinds")),
            stage=stage,
            history=history,
            stopped=reason,
            decisions=Decisions(marginal, separations, separated_by, edges.pairs, closest, kept_by),
            learned=learned,
        )

    def history(self, radius: int, phases: tuple[Phase, ...], edges: Edges) -> tuple[Milestone, ...]:
        """The stages: each phase of the algorithm in its turn, in each one radius after the other."""
        place = self.document.key("stages")
        out: list[Milestone] = []
        items = list(place.items())
        for item in items:
            item.only("phase", "radius", "questions", "graph")
            phase = Phase(item.key("phase").text(*phases))
            before, reached = (out[-1].phase, out[-1].radius) if out else (phases[0], -1)
            if phase is before:
                item.key("radius").whole(reached + 1, reached + 1)
            elif phases.index(phase) < phases.index(before) or not out:
                item.key("phase").fail("the phases in their order")
            found = item.key("radius").whole(0, max(self.n - 2, 0))
            graph = self.graph(item.key("graph"), edges, last=item is items[-1])
            out.append(Milestone(phase, found, graph, item.key("questions").whole(0)))
        if radius != (out[-1].radius if out else -1):
            place.fail(f"a list that ends with radius {radius}")
        said = self.document.key("phase")
        if said.text(*Phase) != (out[-1].phase if out else Phase.SEARCH):
            said.fail("the phase of the last stage")
        return tuple(out)

    def graph(self, place: Place, edges: Edges, last: bool) -> Edges:
        if last and not place.is_null:
            place.fail("null, since the last graph stands under `edges`")
        if last:
            return edges
        place.only("a", "edge", "b")
        return self.edges(place)

    def counts(self, name: str) -> Counter[int]:
        place = self.document.key(name)
        place.only(*map(str, range(self.n)))
        return Counter({int(size): place.key(size).whole(1) for size in place.value})

    # -- parts of the graph --------------------------------------------------------------------------------------

    def set(self, place: Place) -> tuple[int, ...]:
        values = place.whole_numbers(0, self.n - 1)
        if len(set(values)) < len(values):
            place.fail("a set: each variable once")
        return tuple(sorted(self.at[np.array(values, dtype=np.int64)].tolist()))

    def sets(self, place: Place, pairs: NDArray[np.intc]) -> list[tuple[int, ...]]:
        """Sets, one for each pair and without it."""
        out = place.each(len(pairs), self.set)
        for i, (pair, given) in enumerate(zip(pairs.tolist(), out, strict=True)):
            if not given:
                continue
            if pair[0] in given or pair[1] in given:
                Place(place.value[i], place.path, f"{place.where}[{i}]").fail("a set without the pair itself")
        return out

    def evidence(self, place: Place, length: int) -> Weighed:
        df = place.key("df").numbers(length)
        return Weighed(
            place.key("statistic").numbers(length),
            np.where(np.isnan(df), 0.0, df),
            self.p_values(place.key("p_value"), place.key("p_value").numbers(length)),
        )

    @staticmethod
    def p_values(place: Place, values: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore"):
            if ((values < 0) | (values > 1)).any():
                place.fail("p-values from 0 to 1")
        return values

    def kept(self) -> tuple[Edges, list[tuple[int, ...] | None], Weighed]:
        place = self.document.key("edges")
        place.only("a", "edge", "b", "statistic", "df", "p_value", "closest")
        edges = self.edges(place)
        count = len(edges.pairs)
        closest = place.key("closest").each(count, lambda item: None if item.is_null else self.set(item))
        return edges, closest, self.evidence(place, count)

    def separated(self, marks: NDArray[np.uint8], radius: int) -> tuple[Sepsets, NDArray[np.intc], Weighed]:
        place = self.document.key("separations")
        place.only("a", "b", "given", "radius", "found_by", "statistic", "df", "p_value")
        pairs = self.pairs(place)
        given = self.sets(place.key("given"), pairs)
        when = place.key("radius").whole_numbers(1, max(self.n - 2, 1), len(pairs))
        by = place.key("found_by").texts(len(pairs), [str(f) for f in FoundBy])
        sepsets = Sepsets(self.n)
        if radius >= 0:
            sepsets.record_apart(marks)
        elif np.count_nonzero(marks) != self.n * (self.n - 1):
            self.document.key("edges").fail("an edge between any two, as long as nothing was asked")
        numbers = {str(f): int(f) for f in FoundBy}
        state = self.document.key("state")
        raw = np.full((len(pairs), 2), np.nan) if state.is_null else self.raw(state.key("separations"), len(pairs))
        for (x, y), nodes, r, found_by, evidence in zip(pairs.tolist(), given, when, by, raw, strict=True):
            if marks[x, y] != NONE:
                place.fail(f"about pairs without an edge; {self.names[x]!r} and {self.names[y]!r} have one")
            if not nodes:
                place.key("given").fail("sets that are not empty; pairs that nothing separates are not listed")
            sepsets.record(x, y, nodes, r, numbers[found_by], evidence)
        return sepsets, pairs, self.evidence(place, len(pairs))

    def keep_to(
        self, settings: Settings, marks: NDArray[np.uint8], radius: int, sepsets: Sepsets, separations: NDArray[np.intc]
    ) -> None:
        """Pairs that are known not to be adjacent have no separating set; the graph denies nothing that is known."""
        if settings.knowledge is None or radius < 0:
            return
        licences = settings.knowledge.licences(self.names, settings.selection_counts)
        apart = set(map(tuple, licences.no_edge.tolist()))
        if not licences.is_kept_by(marks) or not apart.isdisjoint(map(tuple, separations.tolist())):
            self.document.key("edges").fail("a graph that keeps to the knowledge of `settings`")
        sepsets.forget(licences.no_edge)

    def marginal(self, radius: int) -> Weighed:
        place = self.document.key("marginal")
        count = self.n * (self.n - 1) // 2
        if radius < 0:
            if not place.is_null:
                place.fail("null, as long as nothing was asked")
            nothing = np.full(count, np.nan)
            return Weighed(nothing, np.zeros(count), nothing)
        place.only("statistic", "df", "p_value")
        df = np.zeros(count) if place.key("df").is_null else self.by_position(place.key("df").floats(count))
        p_values = self.p_values(place.key("p_value"), place.key("p_value").floats(count))
        return Weighed(self.by_position(place.key("statistic").floats(count)), df, self.by_position(p_values))

    def by_position(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers about pairs, in the order of positions instead of places."""
        a, b = np.triu_indices(self.n, 1)
        out = np.empty_like(values)
        out[pair_number(self.n, self.at[a], self.at[b])] = values
        return out

    def oriented(self, marks: NDArray[np.uint8]) -> Oriented:
        place = self.document.key("orientations")
        place.only("x", "y", "mark", "rule", "because")
        x = self.column(place, "x")
        y = self.column(place, "y", len(x))
        said = np.array([_MARKS[m] for m in place.key("mark").texts(len(x), tuple(_MARKS))], dtype=np.uint8)
        rules = [_NUMBERS[rule] for rule in place.key("rule").texts(len(x), tuple(_NUMBERS))]
        because = self.because(place.key("because"), rules, x, y)
        expected = np.where(marks == CIRCLE, NONE, marks)
        once = np.zeros_like(marks)
        once[x, y] = said
        if len(x) != np.count_nonzero(expected) or not np.array_equal(once, expected):
            place.fail("a reason for each mark of `edges` that is no circle, and for nothing else")
        conflicts, against = self.conflicts(marks)
        stops = np.cumsum([0, *(len(nodes) for nodes in because + against)], dtype=np.intc)
        spans = np.column_stack([stops[:-1], stops[1:]])
        written = np.column_stack([x, y, said, rules]).astype(np.intc)
        witnesses = np.array([v for nodes in because + against for v in nodes], dtype=np.intc)
        return Oriented(
            marks, np.hstack([written, spans[: len(x)]]), np.hstack([conflicts, spans[len(x) :]]), witnesses
        )

    def because(self, place: Place, rules: list[int], x: NDArray[np.int64], y: NDArray[np.int64]) -> list[list[int]]:
        """The witnesses of each rule for a mark on x–y: as many as it names, in the order in which it names them."""
        out = []
        ends = list(zip(x.tolist(), y.tolist(), strict=True))
        for rule, end, item in zip(rules, ends, place.each(len(rules), lambda item: item), strict=True):
            nodes = self.at[np.array(item.whole_numbers(0, self.n - 1), dtype=np.int64)].tolist()
            fewest, most = WITNESSES[NAMES[rule]]
            if not fewest <= len(nodes) <= (most or len(nodes)):
                item.fail(f"{fewest} variables" + (" or more" if most is None else ""))
            # the two ways of R10 meet in the edge they are about
            if NAMES[rule] == "R10" and end not in pairwise(nodes[2:-1]):
                item.fail("two ways with the edge itself between them")
            out.append(nodes)
        return out

    def conflicts(self, marks: NDArray[np.uint8]) -> tuple[NDArray[np.intc], list[list[int]]]:
        """Rows rule, x, y, mark at x, mark at y; and the witnesses of each."""
        place = self.document.key("conflicts")
        place.only("x", "y", "at_x", "at_y", "rule", "because")
        x = self.column(place, "x")
        y = self.column(place, "y", len(x))
        if (marks[x, y] == NONE).any():
            place.fail("about edges")
        at_x, at_y = (place.key(end).each(len(x), self.asked_mark) for end in ("at_x", "at_y"))
        rules = [_NUMBERS[rule] for rule in place.key("rule").texts(len(x), tuple(_NUMBERS))]
        because = self.because(place.key("because"), rules, y, x)
        rows = np.column_stack([rules, x, y, at_x, at_y]).astype(np.intc)
        if len(set(map(tuple, rows.tolist()))) != len(x):
            place.fail("a list of different conflicts")
        return rows, because

    @staticmethod
    def asked_mark(place: Place) -> int:
        return NONE if place.is_null else _MARKS[place.text(*_MARKS)]

    # -- how to go on --------------------------------------------------------------------------------------------

    def memory(self, history: Sequence[Milestone], edges: Edges) -> tuple[Memory, NDArray[np.float64] | None]:
        place = self.document.key("state")
        if place.is_null:
            return Memory(), None
        place.only("graphs", "asked", "separations", "verified", "learned")
        steps = [(m.phase, m.radius) for m in history if m.radius > 0 and m.phase is not Phase.D_SEP_LINKS]
        graphs = place.key("graphs").each(len(steps), self.edges)
        asked = [
            self.asked(item, edges.pairs, radius)
            for (_, radius), item in zip(steps, place.key("asked").each(len(steps), lambda item: item), strict=True)
        ]
        learned = place.key("learned")
        count = self.n * (self.n - 1) // 2
        known = None if learned.is_null else self.by_position(learned.floats(count))
        verified = self.verified(place.key("verified"))
        return Memory(tuple(steps), tuple(graphs), tuple(asked), verified, len(verified)), known

    def asked(self, place: Place, pairs: NDArray[np.intc], radius: int) -> Asked:
        evidence = self.raw(place, len(pairs))
        nothing = np.isnan(evidence[:, 0])
        sets = place.key("given").each(len(pairs), lambda item: (0,) * radius if item.is_null else self.set(item))
        if any(len(given) != radius for given in sets):
            place.key("given").fail(f"sets of {radius}")
        if [given is None for given in place.key("given").value] != nothing.tolist():
            place.fail("a set for each number, and null for null")
        return Asked(pairs, np.array(sets, dtype=np.intc).reshape(-1, radius), evidence)

    @staticmethod
    def raw(place: Place, length: int) -> NDArray[np.float64]:
        return np.column_stack([place.key("raw").numbers(length), place.key("raw_df").numbers(length)])

    def verified(self, place: Place) -> dict[tuple[int, int, tuple[int, ...]], Verified]:
        place.only("a", "b", "given", "independent", "raw", "raw_df")
        a = self.column(place, "a")
        b = self.column(place, "b", len(a))
        pairs = np.column_stack([np.minimum(a, b), np.maximum(a, b)]).astype(np.intc)
        given = self.sets(place.key("given"), pairs)
        independent = place.key("independent").each(len(a), Place.truth)
        raw = self.raw(place, len(a))
        out = {
            (x, y, nodes): Verified(answer, statistic, df)
            for (x, y), nodes, answer, (statistic, df) in zip(
                pairs.tolist(), given, independent, raw.tolist(), strict=True
            )
        }
        if len(out) != len(a) or (a == b).any():
            place.fail("a list of different questions")
        return out
