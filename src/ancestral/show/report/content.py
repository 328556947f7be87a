"""What a report shows, as plain values: lists, texts and numbers; variables by their number in the order of names."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np

from ancestral.certainty import Certainty
from ancestral.checking import Check, FitCheck
from ancestral.data.old_fingerprint import data_difference
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.knowledge import Knowledge
from ancestral.printing import counted, listed
from ancestral.search.stage import Phase
from ancestral.show.asked_effects import AskedEffect
from ancestral.show.certainties import certainty_sentences
from ancestral.show.design import acting_title, asked_conflicts, asked_edges, design_in_words, without_design
from ancestral.show.detours import curves_between
from ancestral.show.emphasis import outside_of, tiers_of
from ancestral.show.evidence_words import Question
from ancestral.show.explain import legend_of, meanings_of, reading_lessons
from ancestral.show.kinds import BOXES, names_by_kind
from ancestral.show.labels import plain
from ancestral.show.layout import Arrangement, arrange
from ancestral.show.reasons import GRAPH_SENTENCES, NO_GRAPH_SENTENCES, SENTENCES, Reasons, noted
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.report.answers import MOST_ANSWERED, answers, visible_edges
from ancestral.show.report.columns import column_values
from ancestral.show.report.frame import Frame
from ancestral.show.report.knowledge import knowledge_values
from ancestral.show.report.pairs import pair_rows, premises_of, short
from ancestral.show.report.warned import warning_values
from ancestral.show.rerun import command, python_call
from ancestral.show.run import ReportedRun
from ancestral.show.summary import belief, never_in_words, state_in_words, why_chosen

__all__ = ["content"]

#: Pairs of variables up to which all are in the report. Of more, only the edges are, and the separated pairs that their
#: marks rest on, so that the file stays below some ten megabytes.
MOST_PAIRS = 100_000
#: Names of the columns of one kind that a report lists; of the others it gives the number.
MOST_OF_A_KIND = 40
#: Edges of a stage up to which each is drawn by itself; more are drawn as thin lines, without marks.
MOST_DRAWN = 2500
#: Where tiers stand.
TIERS = "Tiers stand from left to right, in their known order."
#: What a thick line means.
VISIBLE = "A thick line: nothing unmeasured causes both of its ends (the edge is visible)."
#: Denied dependences that a report lists.
MOST_DENIED = 20


def content(
    run: ReportedRun,
    reliabilities: Reliabilities | None = None,
    effects: Sequence[AskedEffect] = (),
    frame: Frame | None = None,
) -> dict[str, Any]:
    """All that the page shows, under the names by which script.js reads it."""
    names = in_order(run.pag.nodes)
    number = {name: i for i, name in enumerate(names)}
    known = run.settings.knowledge
    graph, outside = without_design(run.pag, known), outside_of(run)
    first = () if outside is None else outside.names
    tiers = tiers_of(run)
    boxes = arrange(graph, first=first, tiers=tiers) if frame is None else frame.boxes
    stages = _stages(run, names)
    visible = visible_edges(run, number)
    reasons = Reasons(run.pag, run.trace, run.settings.knowledge, run.settings.allows_selection)
    all_pairs = len(names) * (len(names) - 1) // 2 <= MOST_PAIRS
    kinds = run.test.kinds
    asks = run.settings.chosen.asks
    values = {
        "title": plain(_title(run)),
        "facts": _facts(run),
        "state": state_in_words(run),
        "check": None if run.check is None else _check(run.check),
        "complete": run.stopped is None,
        "names": [plain(name) for name in names],
        "labels": list(boxes.labels),
        "boxes": np.round(np.hstack([boxes.centres, boxes.sizes]), 1).tolist(),
        "kinds": None if kinds is None or len(set(kinds.values())) < 2 else [kinds[name] for name in names],
        "outside": [number[name] for name in first],
        "acting": _acting(run),
        "actions": _actions(run, number),
        "stages": stages,
        "curves": _curves(boxes, stages),
        "mostDrawn": MOST_DRAWN,
        "pairs": pair_rows(run, reasons, number, all_pairs),
        "allPairs": all_pairs,
        "marks": _marks(run, reasons, number),
        "open": _open(run, reasons, number),
        "known": _known(run, number),
        "unanswered": _unanswered(run, number) if asks else [],
        **({"radius": max((m.radius or 0 for m in run.history), default=-1)} if asks else _of_graph(run, number)),
        "answers": answers(run, number),
        "visible": visible,
        "knowledge": knowledge_values(run, number),
        "warned": warning_values(run, number),
        "columns": column_values(run),
        "sentences": SENTENCES if asks else GRAPH_SENTENCES if run.stage.begun else NO_GRAPH_SENTENCES,
        "meanings": meanings_of(run.pag, run.settings.allows_selection),
        "lessons": [
            *reading_lessons(run.pag, run.settings.allows_selection),
            *([("visible", VISIBLE)] if visible else []),
            *([("boxes", BOXES)] if len(set((kinds or {}).values())) > 1 else []),
            *([("", TIERS)] if len(tiers) > 1 and frame is None else []),
            *([] if outside is None else [("pointed", "A pointed box is a variable that was set from outside.")]),
            *([] if outside is None or not outside.note else [("", _sentence(outside.note))]),
        ],
        "legend": legend_of(run.pag, run.settings.allows_selection),
        "alpha": run.test.alpha if asks else None,
        "settings": _settings(run),
        "command": plain(command(run.settings, run.reading) or ""),
        "call": plain(python_call(run.settings, run.reading)),
        "fingerprint": run.test.fingerprint,
        "onData": run.settings.on_data,
        "certainty": _certainty(run, number),
        "belief": belief(run),
        "resampled": None if reliabilities is None else _resampled(run, reliabilities, names),
        "effects": [_effect(asked, number) for asked in effects],
        "made_by": run.made_by,
    }
    return values if frame is None else frame.framed(values, run.pag, number)


def _effect(asked: AskedEffect, number: dict[str, int]) -> dict[str, Any]:
    """An effect that was asked for: the question, lines of words, and the edges in the way by numbers."""
    return {
        "query": plain(asked.query),
        "identified": asked.identified,
        "lines": [plain(line) for line in asked.lines],
        "because": [[number[a], number[b]] for a, b in asked.because],
    }


def _check(check: Check) -> dict[str, Any]:
    """What speaks against the graph: lines of words, and the worst denied pairs as rows a, b, p-value."""
    rows = [[plain(a), plain(b), short(p_value)] for a, b, p_value in check.denied_pairs[:MOST_DENIED]]
    lines = [plain(line) for line in str(check).splitlines()]
    return {"lines": lines, "fit": _fit(check.fit), "denied": rows, "count": check.denied}


def _fit(fit: FitCheck | None) -> list[tuple[str, str]]:
    """How well a linear normal model with the graph fits: labels and numbers."""
    if fit is None:
        return []
    rows = [("Deviance", f"{fit.deviance:,.1f} on {counted(fit.df, 'degree')} of freedom")]
    if fit.p_value is not None:
        rows.append(("p-value of the fit", f"{fit.p_value:.2g}"))
    if (worst := fit.worst) is not None:
        pair = f"{worst.a} and {worst.b}: {worst.observed:.2f} in the data, {worst.implied:.2f} by the graph"
        rows.append(("Worst correlation", plain(pair)))
    return rows


def _of_graph(run: ReportedRun, number: dict[str, int]) -> dict[str, Any]:
    """What only the page of a graph has that was found without asking questions: the name of its score, and notes.

    `notes` are rows about, x, y, text, number; those of a mark are about the one at y. `weighed`: the numbers are the
    evidence of claims, which the table of pairs shows. `caveat` is what every explanation ends with.
    """
    chosen = run.settings.chosen
    notes = [
        [note.about, number[note.x], number[note.y], plain(noted(note)), short(note.number)] for note in run.trace.notes
    ]
    return {
        "asks": False,
        "score": chosen.score or "score",
        "notes": notes,
        "weighed": chosen.claims is not None and bool(notes),
        "caveat": chosen.caveat if run.stage.begun else "",
    }


def _settings(run: ReportedRun) -> dict[str, str]:
    """The settings by name; of an algorithm that asks no questions, without those of questions."""
    left_out = {"algorithm_reason"}  # it stands with the facts
    if not run.settings.chosen.asks:
        left_out |= {*run.settings.chosen.fixed_options, "alpha"}
    return {name: str(value) for name, value in run.settings.as_dict().items() if name not in left_out}


def _resampled(run: ReportedRun, reliabilities: Reliabilities, names: tuple[str, ...]) -> dict[str, Any]:
    """In how many resamples each edge was found: rows x, y, then counts of each mark at x, and at y."""
    if not all(hasattr(reliabilities, part) for part in ("nodes", "fingerprint", "frequencies", "drawn_in_words")):
        raise OptionError(
            "must be a Bootstrap",
            option="reliabilities",
            value=reliabilities,
            way_out="pass what an.bootstrap() returns",
        )
    other = data_difference(reliabilities.fingerprint, run.test)
    if in_order(reliabilities.nodes) != names or other is not None:
        raise OptionError(
            f"must be of the data of this run, got those of {other or 'different data'}",
            option="reliabilities",
            way_out="resample the same data, with the same columns",
        )
    frequencies = reliabilities.frequencies
    return {
        "repeats": frequencies.repeats,
        "drawn": reliabilities.drawn_in_words(),
        "pairs": np.hstack([frequencies.pairs, frequencies.at(0), frequencies.at(1)]).tolist(),
    }


def _certainty(run: ReportedRun, number: dict[str, int]) -> dict[str, Any] | None:
    """How certain the graph is: rows x, y, share of resamples that agree about the edge, sentences, shares for marks.

    Rows are of all pairs, or of edges if there are many. None if no resamples were searched.
    """
    certainty, selection = run.known_certainty, run.settings.allows_selection
    if certainty is None:
        return None
    nodes = run.pag.nodes
    pairs = combinations(nodes, 2) if len(nodes) <= MOST_ANSWERED else ((a, b) for a, _, b in run.pag.edges())
    rows = [
        [
            *sorted((number[a], number[b])),
            short(certainty.edge(a, b)),
            [plain(text) for text in certainty_sentences(certainty, a, b, selection=selection)],
            _mark_shares(certainty, *sorted((a, b), key=number.__getitem__)),
        ]
        for a, b in pairs
    ]
    return {"repeats": certainty.repeats, "pairs": rows}


def _mark_shares(certainty: Certainty, a: str, b: str) -> list[float | None]:
    """The share of resamples that agree about the mark at a, and about the one at b; None where it is a circle."""
    shares = {node: short(share) for node, _, share in certainty.marks_of(a, b)}
    return [shares.get(a), shares.get(b)]


def _title(run: ReportedRun) -> str:
    title = f"{run.settings.chosen.title} on {counted(len(run.pag.nodes), 'variable')}"
    return title if run.reading.source is None else f"{PurePath(run.reading.source).name}: {title}"


def _facts(run: ReportedRun) -> list[tuple[str, str]]:
    """The run in a few lines, each a label and a value."""
    kinds = Counter((run.test.kinds or {}).values())
    facts = [
        ("Data", plain(run.reading.source or ("an oracle" if run.settings.test == "oracle" else "given in Python"))),
        ("Rows", f"{run.test.rows:,}" if run.test.rows else "none"),
        *([("Design", str(design))] if (design := getattr(run.test, "design", None)) is not None else []),
        (
            "Variables",
            ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items())) or f"{len(run.pag.nodes):,}",
        ),
        *_kinds(run),
        ("Algorithm", ", ".join(filter(None, (run.settings.chosen.title, why_chosen(run.settings))))),
        *_means(run),
        *((plain(label), plain(value)) for label, value in design_in_words(run.settings.knowledge)),
        ("Edges", _edge_count(run)),
    ]
    if run.settings.together is not None:
        facts.append(("Tables", plain(never_in_words(run))))
    if run.unsupported:
        facts.append(
            ("Not supported by the data", f"{counted(run.unsupported.total(), 'question')}, answered ‘dependent’")
        )
    if conflicts := len(asked_conflicts(run.trace, run.settings.knowledge)):
        facts.append(("Contradictions", f"{conflicts:,}; such marks stay open"))
    return facts


def _edge_count(run: ReportedRun) -> str:
    """The number of edges, and apart from it that of those between contexts by design."""
    asked = len(asked_edges(run.pag, run.settings.knowledge))
    designed = len(run.pag.edges()) - asked
    return f"{asked:,}" + (f", and {designed:,} between contexts by design" if designed else "")


def _kinds(run: ReportedRun) -> list[tuple[str, str]]:
    """Which columns were read as which kind, where there are several kinds."""
    groups = names_by_kind(run.test.kinds or {})
    return [
        (f"Read as {kind}", plain(listed(names, MOST_OF_A_KIND, spell=str)))
        for kind, names in groups.items()
        if len(groups) > 1
    ]


def _means(run: ReportedRun) -> list[tuple[str, str]]:
    """What the search judged by: its test and questions, or its score."""
    chosen, test = run.settings.chosen, plain(run.settings.test)
    if chosen.asks:
        level = "" if run.test.alpha is None else f", alpha {run.test.alpha:g}"
        control = [] if run.settings.fdr is None else [("False discoveries", f"controlled at {run.settings.fdr:g}")]
        return [("Test", test + level), *control, ("Questions", _questions(run))]
    score = [] if run.stage.score is None else [(chosen.score or "Score", f"{run.stage.score:,.1f}")]
    return [*score, ("p-values", f"of implied separations, by {test}")]


def _questions(run: ReportedRun) -> str:
    asked = sum(record.questions for record in run.history)
    verifying = run.verify_tests.total()
    return f"{asked:,}" + (f" and {verifying:,} to verify" if verifying else "")


def _stages(run: ReportedRun, names: Sequence[str]) -> list[dict[str, Any]]:
    if not run.settings.chosen.asks:
        return _steps(run, names)
    phases = {record.phase for record in run.history}
    out = []
    for record, graph in zip(run.history, run.graphs, strict=True):
        name = f"radius {record.radius}"
        if len(phases) > 1 or record.phase is not Phase.SEARCH:
            name = f"{record.phase}, {name}"
        out.append({"name": name, "questions": record.questions, "edges": _edges(run, graph, names)})
    if not out:  # not even radius 0 was finished
        out.append({"name": "nothing asked yet", "questions": 0, "edges": _edges(run, run.pag, names)})
    return out


def _steps(run: ReportedRun, names: Sequence[str]) -> list[dict[str, Any]]:
    """The stages of an algorithm that asks no questions."""
    out = [
        {"name": record.phase, "score": record.score, "edges": _edges(run, graph, names)}
        for record, graph in zip(run.history, run.graphs, strict=True)
    ]
    return out or [{"name": "no step is finished yet", "score": None, "edges": _edges(run, run.pag, names)}]


def _edges(run: ReportedRun, graph: PAG, names: Sequence[str]) -> list[list[int]]:
    """Rows x, y, mark at x, mark at y, without edges between contexts whose relation was designed."""
    marks = without_design(graph, run.settings.knowledge).arranged(names)
    x, y = np.nonzero(np.triu(marks))
    rows: list[list[int]] = np.column_stack([x, y, marks[y, x], marks[x, y]]).tolist()
    return rows


def _curves(boxes: Arrangement, stages: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """How the edges of all stages run from box to box: rows x, y, coordinates of points, in tenths of pixels.

    Stages with too many edges to be drawn one by one have none of their own.
    """
    drawn = [stage["edges"] for stage in stages if len(stage["edges"]) <= MOST_DRAWN]
    pairs = sorted({(x, y) for edges in drawn for x, y, _, _ in edges})
    found = curves_between(boxes.centres, boxes.sizes, pairs, boxes.curves)
    return [[x, y, np.round(10 * curve).astype(int).ravel().tolist()] for (x, y), curve in found.items()]


def _marks(run: ReportedRun, reasons: Reasons, number: dict[str, int]) -> list[list[Any]]:
    """Why the mark at y on x–y is there: rows x, y, text, rule, witnesses, marks and pairs that it rests on."""
    out = []
    for o in run.trace.orientations:
        premises = premises_of(reasons, o.x, o.y)
        rests_on = [[[number[a], number[b]] for a, b in pairs] for pairs in (premises.marks, premises.separations)]
        out.append([number[o.x], number[o.y], plain(premises.text), o.rule, [number[v] for v in o.because], *rests_on])
    return out


def _open(run: ReportedRun, reasons: Reasons, number: dict[str, int]) -> list[list[Any]]:
    """Why the mark at y on x–y is a circle: rows x, y, text."""
    ends = [end for a, _, b in run.pag.edges() for end in ((a, b), (b, a))]
    return [
        [number[x], number[y], plain(reasons.undecided(x, y))] for x, y in ends if run.trace.orientation(x, y) is None
    ]


def _unanswered(run: ReportedRun, number: dict[str, int]) -> list[list[Any]]:
    """Edges with questions that the data could not answer: rows x, y, the name of the sentence, the questions."""
    decisions, names = run.decisions, run.stage.names
    out = []
    for row in np.flatnonzero(decisions.unanswered).tolist():
        count, answered = int(decisions.unanswered[row]), decisions.closest[row] is not None
        pair = sorted(number[names[v]] for v in decisions.edges[row].tolist())
        never = run.settings.never_together(*(names[v] for v in decisions.edges[row].tolist()))
        asked = Question((), math.nan, "", count, answered, run.settings.together is not None, never)
        out.append([*pair, asked.kept, counted(count, "question")])
    return out


def _known(run: ReportedRun, number: dict[str, int]) -> dict[str, list[list[int]]]:
    """Pairs whose edge or missing edge is known: required, a target, designed, or known not to be there."""
    knowledge = run.settings.knowledge or Knowledge()
    known: dict[str, Iterable[tuple[str, str]]] = {
        "required": knowledge.required,
        "target": knowledge.target_pairs,
        "designed": (pair for pair in combinations(knowledge.contexts, 2) if knowledge.is_designed(*pair)),
        "no_edge": knowledge.no_edge,
    }
    return {what: sorted(sorted((number[a], number[b])) for a, b in pairs) for what, pairs in known.items()}


def _acting(run: ReportedRun) -> dict[str, Any] | None:
    """What contexts and randomised variables act on: a title, and a line for each; None if there are none."""
    if not len(run.interventions):
        return None
    title = acting_title(run.settings.knowledge)
    return {"title": title, "lines": [plain(str(item)) for item in run.interventions]}


def _actions(run: ReportedRun, number: dict[str, int]) -> list[list[Any]]:
    """What one of two variables does to the other, where one was set from outside: rows x, y, sentence."""
    outside = [item.context for item in run.interventions]
    pairs = [(c, x) for c in outside for x in number if x not in outside]
    if len(pairs) > MOST_PAIRS:
        pairs = [(c, x) for c, x in pairs if run.pag.edge(c, x) is not None]
    found = [run.interventions.about(c, x) for c, x in pairs]
    return [[number[one.context], number[one.variable], plain(one.sentence)] for one in found if one is not None]


def _sentence(clause: str) -> str:
    """A clause with a capital letter and a full stop."""
    return f"{clause[0].upper()}{clause[1:]}."
