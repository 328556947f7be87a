"""Write a run: the document of the run file, with long columns in packed blocks."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW
from ancestral.independence.evidence import Evidences, Scale
from ancestral.io.columns import Column
from ancestral.io.run_parts import (
    ASKED_MARKS,
    FORMAT,
    FOUND_BY,
    MARK_NUMBERS,
    MARKS,
    MOST_UNANSWERED,
    RULE_NUMBERS,
    RULES,
    VERSION,
    SavedRun,
)
from ancestral.io.run_resamples import resamples_part
from ancestral.io.saved import (
    PartsWriter,
    data_part,
    settings_part,
)
from ancestral.io.saved_check import check_part
from ancestral.io.saved_warnings import warnings_part
from ancestral.orientation import Oriented, TripleEvidence
from ancestral.search.evidence import Decisions
from ancestral.search.marginals import MOST_PAIRS, blocks_of_pairs
from ancestral.search.sets import Sets
from ancestral.search.stage import AskedStage, Edges, NearestSets, Separations, StageRecord

__all__ = ["RunWriter", "run_document"]


def run_document(run: SavedRun) -> dict[str, Any]:
    """The document of a run that asked questions; its columns are written in blocks later."""
    stage, decisions = run.stage, run.decisions
    assert isinstance(stage, AskedStage)
    write = RunWriter(np.argsort(stage.positions), run.scale)  # the place in the file of each position
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": run.made_by,
        "settings": settings_part(run.settings),
        "seeds": {},
        "data": data_part(run.fingerprint, run.rows, run.kinds, run.reading, stage.columns),
        "variables": list(stage.columns),
        "phase": stage.phase,
        "radius": stage.radius,
        "complete": stage.complete,
        "stopped": run.stopped,
        "tests": _counts(stage.tests),
        "verify_tests": _counts(stage.verify_tests),
        "unsupported": _counts(stage.unsupported),
        "scale": str(run.scale),
        "marginal": write.marginal(decisions, MOST_PAIRS) if stage.radius >= 0 else None,
        "edges": write.kept(stage, decisions) if stage.radius >= 0 else None,
        "stages": [write.record(record, last=record is run.history[-1]) for record in run.history],
        "separations": write.separated(stage.separations, decisions.separated_by),
        "orientations": write.orientations(stage.oriented),
        "conflicts": write.conflicts(stage.oriented),
        **({} if stage.oriented.agreed is None else {"agreed": write.agreed(stage.oriented.agreed)}),
        "state": None if stage.complete or stage.radius < 0 else write.state(stage),
        **resamples_part(write, run.resamples),
        "check": check_part(run.check, tuple(stage.columns)),
        **warnings_part(run.warnings, tuple(stage.columns)),
    }


def unanswered_part(counts: NDArray[np.int64]) -> dict[str, Column]:
    """A column with the number of questions about each edge that the data could not support; none if it is 0."""
    return {"unanswered": Column.whole(np.minimum(counts, MOST_UNANSWERED).astype(np.intc))} if counts.any() else {}


def _counts(counter: Counter[int]) -> dict[str, int]:
    return {str(size): int(counter[size]) for size in sorted(counter)}


class RunWriter(PartsWriter):
    """Writes the parts of a run."""

    def __init__(self, place: NDArray[np.int64], scale: Scale) -> None:
        super().__init__(place)
        self.scale = scale

    def marginal(self, decisions: Decisions, most: float = math.inf) -> dict[str, Any]:
        """The evidence of every pair given nothing; of more than `most`, of those that something else decides about."""
        marginal = decisions.marginal
        order = np.argsort(self.place)
        count = len(order) * (len(order) - 1) // 2
        looked_up = self.scale in (Scale.P_VALUE, Scale.DECISION)  # a function is not asked again
        if not marginal.of_all or (count > most and not looked_up):
            pairs = decisions.not_by_nothing
            numbers, degrees = marginal.numbers(*pairs.T)
            some = Column.whole(degrees.astype(np.intc)) if self.scale is Scale.CHI2 else None
            return {**self.pairs(pairs), "number": Column.numbers(numbers), "df": some}

        def pieces(which: int) -> Iterator[NDArray[Any]]:
            for x, y in blocks_of_pairs(order):
                yield marginal.numbers(x, y)[which]

        df = Column("i4", count, lambda: pieces(1)) if self.scale is Scale.CHI2 else None
        return {"number": Column("f8", count, lambda: pieces(0)), "df": df}

    def evidence(self, evidence: Evidences) -> dict[str, Any]:
        """The evidence of questions: numbers on the scale, and degrees of freedom."""
        df = Column.whole(evidence.df.astype(np.intc)) if self.scale is Scale.CHI2 else None
        return {"number": Column.numbers(evidence.numbers(self.scale)), "df": df}

    def sets(self, sets: Sets, name: str) -> dict[str, Any]:
        """Two columns: the size of each set, and the members of all."""
        return {"size": Column.whole(sets.sizes), name: Column.whole(sets.renamed(self.place).members)}

    def record(self, record: StageRecord, last: bool) -> dict[str, Any]:
        """A stage; the graph of the last one stands under `edges`."""
        graph = record.graph
        return {
            "phase": record.phase,
            "radius": record.radius,
            "questions": record.questions,
            "graph": None if last else self.edges(graph.pairs, graph.marks),
        }

    def kept(self, stage: AskedStage, decisions: Decisions) -> dict[str, Any]:
        """The edges, and for each the question that came closest to removing it."""
        edges = Edges.of(stage.oriented.marks)
        columns = self.edges(edges.pairs, edges.marks)
        kept = {**columns, **self.evidence(decisions.kept_by), **self.sets(decisions.closest, "closest")}
        return {**kept, **unanswered_part(decisions.unanswered)}

    def pairs(self, pairs: NDArray[np.intc]) -> dict[str, Any]:
        """Pairs of variables, the one that comes first in the file first."""
        ends = self.place[pairs.reshape(-1, 2)]
        return {"a": Column.whole(np.minimum(*ends.T)), "b": Column.whole(np.maximum(*ends.T))}

    def separated(self, found: Separations, separated_by: Evidences) -> dict[str, Any]:
        """The pairs that sets separated."""
        return {
            **self.pairs(found.pairs),
            **self.sets(found.given, "given"),
            "radius": Column.whole(found.radius),
            "found_by": Column.of_texts(found.found_by, FOUND_BY),
            **self.evidence(separated_by),
        }

    def orientations(self, oriented: Oriented) -> dict[str, Any]:
        """Why each mark is there."""
        x, y, mark, rule, *_ = oriented.written.T
        return {
            "x": Column.whole(self.place[x]),
            "y": Column.whole(self.place[y]),
            "mark": Column.of_texts(mark - ARROW, MARKS),
            "rule": Column.of_texts(np.searchsorted(RULE_NUMBERS, rule), RULES),
            **self.witnesses(oriented.written[:, 4:], oriented.witnesses),
        }

    def conflicts(self, oriented: Oriented) -> dict[str, Any]:
        """The proposals of rules that were refused."""
        keys = np.array(list(oriented.refused), dtype=np.intc).reshape(-1, 5)
        rule, x, y, at_x, at_y = keys.T
        because = Sets.of(oriented.refused.values())
        return {
            "x": Column.whole(self.place[x]),
            "y": Column.whole(self.place[y]),
            "at_x": Column.of_texts(np.searchsorted(MARK_NUMBERS, at_x), ASKED_MARKS),
            "at_y": Column.of_texts(np.searchsorted(MARK_NUMBERS, at_y), ASKED_MARKS),
            "rule": Column.of_texts(np.searchsorted(RULE_NUMBERS, rule), RULES),
            "size": Column.whole(because.sizes),
            "because": Column.whole(self.place[because.members]),
        }

    def agreed(self, evidence: TripleEvidence) -> dict[str, Any]:
        """The p-values of triples that were judged by agreement."""
        a, b, c = self.place[evidence.triples].T.reshape(3, -1)
        return {
            "a": Column.whole(np.minimum(a, c)),
            "b": Column.whole(b),
            "c": Column.whole(np.maximum(a, c)),
            "p_with": Column.numbers(evidence.p_values[:, 0]),
            "p_without": Column.numbers(evidence.p_values[:, 1]),
            "all_decided": evidence.all_decided,
        }

    def witnesses(self, spans: NDArray[np.intc], witnesses: NDArray[np.intc]) -> dict[str, Any]:
        """Two columns: the number of witnesses of each rule, and all of them, in the order in which rules name them."""
        sizes = spans[:, 1] - spans[:, 0]
        before = np.cumsum(sizes) - sizes
        rows = np.repeat(spans[:, 0] - before, sizes) + np.arange(sizes.sum())
        return {"size": Column.whole(sizes), "because": Column.whole(self.place[witnesses[rows]])}

    def state(self, stage: AskedStage) -> dict[str, Any]:
        """What a search needs to resume."""
        memory = stage.memory
        verified = list(memory.answers())
        pairs = np.array([key[:2] for key, _ in verified], dtype=np.intc).reshape(-1, 2)
        raw = np.array([(v.statistic, v.df) for _, v in verified], dtype=np.float64).reshape(-1, 2)
        return {
            "graphs": [self.edges(graph.pairs, graph.marks) for graph in memory.graphs],
            "asked": [self.asked(asked) for asked in memory.asked],
            "separations": self.raw(stage.separations.evidence),
            "verified": {
                **self.pairs(pairs),
                **self.sets(Sets.of(key[2] for key, _ in verified), "given"),
                "independent": Column.whole(np.array([v.independent for _, v in verified], dtype=np.intc)),
                **self.raw(raw),
            },
        }

    def asked(self, asked: NearestSets) -> dict[str, Any]:
        """For each edge the set of a step with the largest p-value; zeros where no question was supported."""
        given = np.sort(self.place[asked.sets], axis=1)
        given[np.isnan(asked.evidence[:, 0])] = 0
        return {"given": Column.whole(given.ravel()), **self.raw(asked.evidence), **unanswered_part(asked.unanswered)}

    def raw(self, evidence: NDArray[np.float64]) -> dict[str, Any]:
        """Statistics as the kernels of the questions keep them, and their degrees of freedom."""
        df = np.where(np.isnan(evidence).any(axis=1), 0, evidence[:, 1])
        return {
            "raw": Column.numbers(evidence[:, 0]),
            "raw_df": Column.whole(df.astype(np.intc)) if self.scale is Scale.CHI2 else None,
        }
