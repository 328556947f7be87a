"""What a report says of warnings: those that the search gave, and the rules that contradict each other."""

from collections.abc import Mapping
from typing import Any

from ancestral.orientation.rules import BY_KNOWLEDGE
from ancestral.show.design import asked_conflicts
from ancestral.show.labels import plain
from ancestral.show.run import ReportedRun
from ancestral.trace import Conflict

__all__ = ["warning_values"]

#: Contradictions between rules that a report lists; of the others it gives the number.
MOST_CONFLICTS = 40

_ABOUT = {"DataWarning": "Data", "KnowledgeWarning": "Knowledge", "RunWarning": "Search"}


def warning_values(run: ReportedRun, number: Mapping[str, int]) -> dict[str, Any]:
    """Warnings: rows of what they are about, a text, and pairs; conflicts between rules: rows of a text and pairs."""
    conflicts = asked_conflicts(run.trace, run.settings.knowledge)
    return {
        "given": [
            [_ABOUT[one.kind], plain(one.text), [[number[a], number[b]] for a, b in one.about]] for one in run.warnings
        ],
        "conflicts": [[plain(_in_words(one)), [[number[one.x], number[one.y]]]] for one in conflicts[:MOST_CONFLICTS]],
        "count": len(conflicts),
    }


def _in_words(conflict: Conflict) -> str:
    """A refused proposal, in a sentence."""
    who = "What is known" if conflict.rule == BY_KNOWLEDGE else f"Rule {conflict.rule}"
    because = f", because of {', '.join(conflict.because)}" if conflict.because else ""
    return f"{who} asks for {conflict.x} {conflict.edge} {conflict.y}{because}; other answers speak against it."
