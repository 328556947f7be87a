"""What a report says of knowledge: the statements that the search was given, and where the data contradict them."""

from collections.abc import Iterator, Mapping
from typing import Any

from ancestral.knowledge import Knowledge
from ancestral.show.contradictions import contradictions
from ancestral.show.labels import plain
from ancestral.show.run import ReportedRun

__all__ = ["knowledge_values"]

#: Statements that a report lists; of the others it gives the number.
MOST_STATEMENTS = 40


def knowledge_values(run: ReportedRun, number: Mapping[str, int]) -> dict[str, Any] | None:
    """The statements: rows of a kind and a sentence, and their number; contradictions: rows of a sentence and pairs.

    None if nothing was stated.
    """
    known = run.settings.knowledge
    if known is None:
        return None
    rows = [[kind, plain(text)] for kind, text in _statements(known)]
    return {
        "count": len(rows),
        "statements": rows[:MOST_STATEMENTS],
        "contradicted": [
            [plain(text), [[number[a], number[b]] for a, b in pairs]] for text, pairs in _contradicted(run)
        ],
    }


def _contradicted(run: ReportedRun) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """What the search warned of; of a file of an earlier version, which has no warnings, what the graph tells."""
    told = [(one.text, one.about) for one in run.warnings if one.kind == "KnowledgeWarning"]
    return told or [(one.text, one.pairs) for one in contradictions(run.stage, run.decisions, run.settings)]


def _statements(known: Knowledge) -> Iterator[tuple[str, str]]:
    """Each statement: its kind, and a sentence without a full stop."""
    if known.tiers:
        yield "Tiers", "; then ".join(", ".join(tier) for tier in known.tiers)
    for a, b in known.forbidden:
        yield "Forbidden", f"{a} does not cause {b}"
    for a, b in known.required:
        yield "Required", f"{a} causes {b}, and not only through other measured variables"
    for a, b in known.causes:
        yield "Causes", f"{a} causes {b}, directly or through others"
    for a, b in known.no_edge:
        yield "No edge", f"{a} and {b} have no edge"
    for a in known.exogenous:
        yield "Exogenous", f"no other measured variable causes {a}"
    for a in known.randomised:
        yield "Randomised", f"nothing causes {a}: it was set at random"
    for a, b in known.unconfounded:
        yield "Unconfounded", f"nothing unmeasured stands behind an edge between {a} and {b}"
    for a in known.contexts:
        assumed = ", ".join(known.context_assumptions or ()) or "nothing is assumed"
        yield "Contexts", f"{a} is a context ({assumed})"
    for a in dict.fromkeys(context for context, _ in known.target_pairs):
        yield "Targets", f"{a} acts on {', '.join(known.targets_of(a))}, and on others only through these"
