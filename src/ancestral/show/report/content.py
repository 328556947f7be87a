"""What a report says, as plain values: lists, texts and numbers, variables by their number in the order of names."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Protocol

import numpy as np

from ancestral.data.old_fingerprint import data_difference
from ancestral.data.read_options import ReadOptions
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.independence.base import Test
from ancestral.printing import shown
from ancestral.search.settings import Settings
from ancestral.search.stage import Phase, StageRecord
from ancestral.show.causes import Answer
from ancestral.show.explain import legend_of, meanings_of, reading_lessons
from ancestral.show.labels import plain
from ancestral.show.layout import Arrangement, arrange
from ancestral.show.reasons import SENTENCES, Reasons
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.rerun import command, python_call
from ancestral.show.routes import bends
from ancestral.show.summary import state_in_words
from ancestral.trace import Trace

__all__ = ["Run", "content"]

#: Up to so many pairs all are in the report; of larger graphs the edges, and the pairs that their marks rest on.
MOST_PAIRS = 100_000
#: Up to so many variables the report says of any two whether one causes the other.
MOST_ANSWERED = 60


class Run(Protocol):
    """What a report reads of a `Discovery`."""

    settings: Settings
    reading: ReadOptions
    test: Test
    history: tuple[StageRecord, ...]
    stopped: str | None
    made_by: str

    @property
    def pag(self) -> PAG:
        """The graph."""

    @property
    def graphs(self) -> tuple[PAG, ...]:
        """The graph after each stage."""

    @property
    def trace(self) -> Trace:
        """The reasons."""

    @property
    def verify_tests(self) -> Counter[int]:
        """Questions of verification."""

    @property
    def unsupported(self) -> Counter[int]:
        """Questions that the data could not support."""

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b."""

    def to_frame(self, pairs: Any = None, *, library: Any = None) -> Any:
        """A row for each pair."""


def content(run: Run, reliabilities: Reliabilities | None = None) -> dict[str, Any]:
    """All that the page shows."""
    names = in_order(run.pag.nodes)
    number = {name: i for i, name in enumerate(names)}
    boxes = arrange(run.pag)
    reasons = Reasons(run.pag, run.trace, run.settings.knowledge)
    all_pairs = len(names) * (len(names) - 1) // 2 <= MOST_PAIRS
    kinds = run.test.kinds
    return {
        "title": plain(_title(run)),
        "facts": _facts(run),
        "state": state_in_words(run.settings, run.stopped),
        "complete": run.stopped is None,
        "names": [plain(name) for name in names],
        "labels": list(boxes.labels),
        "boxes": np.round(np.hstack([boxes.centres, boxes.sizes]), 1).tolist(),
        "kinds": None if kinds is None or len(set(kinds.values())) < 2 else [kinds[name] for name in names],
        "stages": _stages(run, names),
        "bends": _bends(run.pag, boxes, names),
        "pairs": _pairs(run, reasons, number, all_pairs),
        "allPairs": all_pairs,
        "marks": _marks(run, reasons, number),
        "open": _open(run, reasons, number),
        "known": _known(run, number),
        "radius": max((m.radius for m in run.history), default=-1),
        "answers": _answers(run, names) if len(names) <= MOST_ANSWERED else None,
        "sentences": SENTENCES,
        "meanings": meanings_of(run.pag),
        "lessons": reading_lessons(run.pag),
        "legend": legend_of(run.pag),
        "alpha": run.test.alpha,
        "settings": {name: str(value) for name, value in run.settings.as_dict().items()},
        "command": plain(command(run.settings, run.reading) or ""),
        "call": plain(python_call(run.settings, run.reading)),
        "fingerprint": run.test.fingerprint,
        "resampled": None if reliabilities is None else _resampled(run, reliabilities, names),
        "made_by": run.made_by,
    }


def _resampled(run: Run, reliabilities: Reliabilities, names: tuple[str, ...]) -> dict[str, Any]:
    """How often resamples have each edge: rows x, y, then counts of each mark at x, and at y."""
    if not all(hasattr(reliabilities, part) for part in ("nodes", "fingerprint", "frequencies", "drawn_in_words")):
        raise OptionError(f"reliabilities={shown(reliabilities)} is not a Bootstrap; pass what an.bootstrap() returns")
    other = data_difference(reliabilities.fingerprint, run.test)
    if in_order(reliabilities.nodes) != names or other is not None:
        raise OptionError(
            f"the reliabilities are of {other or 'other data'}; resample the data of this run, with the same columns"
        )
    counted = reliabilities.frequencies
    return {
        "repeats": counted.repeats,
        "drawn": reliabilities.drawn_in_words(),
        "pairs": np.hstack([counted.pairs, counted.at(0), counted.at(1)]).tolist(),
    }


def _title(run: Run) -> str:
    said = f"{run.settings.algorithm.upper()} on {len(run.pag.nodes):,} variables"
    return said if run.reading.source is None else f"{PurePath(run.reading.source).name}: {said}"


def _facts(run: Run) -> list[tuple[str, str]]:
    kinds = Counter((run.test.kinds or {}).values())
    facts = [
        ("Data", plain(run.reading.source or ("an oracle" if run.settings.test == "oracle" else "given in Python"))),
        ("Rows", f"{run.test.rows:,}" if run.test.rows else "none"),
        (
            "Variables",
            ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items())) or f"{len(run.pag.nodes):,}",
        ),
        ("Algorithm", run.settings.algorithm.upper()),
        ("Test", plain(run.settings.test) + ("" if run.test.alpha is None else f", alpha {run.test.alpha:g}")),
        ("Questions", _questions(run)),
        ("Edges", f"{len(run.pag.edges()):,}"),
    ]
    if run.unsupported:
        facts.append(("Not supported by the data", f"{run.unsupported.total():,} questions, answered ‘dependent’"))
    if run.trace.conflicts:
        facts.append(("Contradictions", f"{len(run.trace.conflicts):,}; such marks stay open"))
    return facts


def _questions(run: Run) -> str:
    asked = sum(m.questions for m in run.history)
    checked = run.verify_tests.total()
    return f"{asked:,}" + (f" and {checked:,} to verify" if checked else "")


def _stages(run: Run, names: Sequence[str]) -> list[dict[str, Any]]:
    phases = {m.phase for m in run.history}
    out = []
    for milestone, graph in zip(run.history, run.graphs, strict=True):
        called = f"radius {milestone.radius}"
        if len(phases) > 1 or milestone.phase is not Phase.SEARCH:
            called = f"{milestone.phase}, {called}"
        out.append({"name": called, "questions": milestone.questions, "edges": _edges(graph, names)})
    if not out:  # not even radius 0 is through
        out.append({"name": "nothing asked yet", "questions": 0, "edges": _edges(run.pag, names)})
    return out


def _edges(graph: PAG, names: Sequence[str]) -> list[list[int]]:
    """Rows x, y, mark at x, mark at y."""
    marks = graph.arranged(names)
    x, y = np.nonzero(np.triu(marks))
    rows: list[list[int]] = np.column_stack([x, y, marks[y, x], marks[x, y]]).tolist()
    return rows


def _bends(pag: PAG, boxes: Arrangement, names: Sequence[str]) -> list[list[float]]:
    """How far edges of the last graph are bent around boxes: rows of the pair and the bend."""
    pairs = np.argwhere(np.triu(pag.arranged(names)))
    found = bends(boxes.centres, boxes.sizes, pairs)
    return [[*pair, bend] for pair, bend in zip(pairs.tolist(), found.tolist(), strict=True) if bend]


def _pairs(run: Run, reasons: Reasons, number: dict[str, int], all_pairs: bool) -> list[list[Any]]:
    """Rows a, b, p-value, statistic, degrees of freedom, set, radius, found by; the last two null for an edge."""
    frame = run.to_frame("all" if all_pairs else "edges", library="polars")
    out = []
    for row in frame.iter_rows(named=True):
        edge = row["edge"] is not None
        given = row["closest"] if edge else row["sepset"]
        out.append(
            [
                *sorted((number[row["a"]], number[row["b"]])),
                _short(row["p_value"]),
                _short(row["statistic"]),
                _short(row["df"]),
                None if given is None else sorted(number[name] for name in given),
                None if edge else row["radius"],
                None if edge else row["found_by"],
            ]
        )
    if not all_pairs:
        out += _leaves(run, reasons, number)
    return out


def _leaves(run: Run, reasons: Reasons, number: dict[str, int]) -> list[list[Any]]:
    """The separations on which marks rest, where there are too many pairs for all."""
    told = {pair for o in run.trace.orientations for pair in _premises(reasons, o.x, o.y).separations}
    out = []
    for a, b in sorted({(a, b) if number[a] < number[b] else (b, a) for a, b in told}):
        separation = run.trace.separation(a, b)
        if separation is not None:
            given = sorted(number[name] for name in separation.given)
            out.append([number[a], number[b], None, None, None, given, separation.radius, separation.found_by])
    return out


def _short(value: float | None) -> float | None:
    """Four digits are enough to read, and keep the file small."""
    return None if value is None or not np.isfinite(value) else float(f"{value:.4g}")


def _premises(reasons: Reasons, x: str, y: str) -> Any:
    premises = reasons.of(x, y)
    assert premises is not None  # every orientation of the trace has its reason
    return premises


def _marks(run: Run, reasons: Reasons, number: dict[str, int]) -> list[list[Any]]:
    """Rows x, y, text, rule, witnesses, marks and pairs below: why the mark at y on x–y is there."""
    out = []
    for o in run.trace.orientations:
        premises = _premises(reasons, o.x, o.y)
        below = [[[number[a], number[b]] for a, b in pairs] for pairs in (premises.marks, premises.separations)]
        out.append([number[o.x], number[o.y], plain(premises.text), o.rule, [number[v] for v in o.because], *below])
    return out


def _open(run: Run, reasons: Reasons, number: dict[str, int]) -> list[list[Any]]:
    """Rows x, y, text: why the mark at y on x–y is a circle."""
    ends = [end for a, _, b in run.pag.edges() for end in ((a, b), (b, a))]
    return [
        [number[x], number[y], plain(reasons.undecided(x, y))] for x, y in ends if run.trace.orientation(x, y) is None
    ]


def _known(run: Run, number: dict[str, int]) -> dict[str, list[list[int]]]:
    """Pairs that knowledge decided about."""
    known = run.settings.knowledge
    if known is None:
        return {"required": [], "apart": []}
    pairs = {"required": known.required, "apart": known.no_edge}
    return {what: sorted(sorted((number[a], number[b])) for a, b in said) for what, said in pairs.items()}


def _answers(run: Run, names: Sequence[str]) -> list[list[list[str] | None]]:
    """For each ordered pair whether the first causes the second, and why."""

    def answer(a: str, b: str) -> list[str] | None:
        if a == b:
            return None
        said = run.causes(a, b)
        return [str(said), plain(said.reason)]

    return [[answer(a, b) for b in names] for a in names]
