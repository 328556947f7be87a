"""Where the data contradict what is known, in words: the pair, the p-value, and the statement that was kept to."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL, parse_symbol
from ancestral.graphs.names import by_name
from ancestral.knowledge import Knowledge
from ancestral.orientation.rules import BEYOND_ADJACENT, BY_KNOWLEDGE
from ancestral.search.evidence import Decisions, decided_by
from ancestral.search.settings import Settings
from ancestral.search.stage import Stage
from ancestral.trace import Conflict

__all__ = ["contradictions"]

#: So many are told one by one.
MOST = 20


def contradictions(stage: Stage, decisions: Decisions, settings: Settings) -> list[str]:
    """A sentence for each pair about which the data say otherwise than knowledge does."""
    if settings.knowledge is None or stage.radius < 0:
        return []
    teller = _Teller(stage, decisions, settings.knowledge)
    said = [
        *teller.separated(settings.alpha),
        *teller.refused(),
        *teller.made_colliders(),
        *teller.led_to(settings.allows_selection),
    ]
    once = list(dict.fromkeys(said))
    more = [f"and {len(once) - MOST} more contradictions between data and knowledge"] if len(once) > MOST else []
    return once[:MOST] + more


class _Teller:
    def __init__(self, stage: Stage, decisions: Decisions, knowledge: Knowledge) -> None:
        self.stage = stage
        self.decisions = decisions
        self.knowledge = knowledge

    def independence(self, a: str, b: str) -> str:
        """What decided about a pair."""
        given, p_value = decided_by(self.stage, self.decisions, a, b)
        shown = "{" + ", ".join(sorted(given, key=by_name)) + "}" if given else "nothing"
        return f"{a} and {b} given {shown}, p = {p_value:.3g}"

    def separated(self, alpha: float | None) -> Iterator[str]:
        """Required edges that the data would have removed."""
        for a, b in self.knowledge.required:
            _, p_value = decided_by(self.stage, self.decisions, a, b)
            if p_value > (0.5 if alpha is None else alpha):  # an oracle says 0 or 1
                yield f"the data separate {self.independence(a, b)}; the edge stays, since {a} --> {b} (required)"

    def refused(self) -> Iterator[str]:
        """Marks that a rule asked for against one that is known; and known ones that contradict what PC assumes."""
        for conflict in self.stage.trace.conflicts:
            x, y = conflict.x, conflict.y
            if conflict.rule == BY_KNOWLEDGE:
                yield (
                    f"{x} and {y} are adjacent ({self.independence(x, y)}), but by what is known neither may cause the "
                    "other, or causes go in a circle; where nothing is latent that cannot be, so the edge stays open"
                )
                continue
            if conflict.rule in BEYOND_ADJACENT:
                a, _, c = conflict.because
                yield (
                    f"the data ({self.independence(a, c)}) ask for the contrary of {x} {conflict.edge} {y}, which "
                    f"follows since {self.knowledge.why_not(a, c)}; it stays open"
                )
                continue
            asked = parse_symbol(conflict.edge)
            for end, other, mark in ((x, y, asked[0]), (y, x, asked[1])):
                known = self.stage.trace.orientation(other, end)
                if known is None or known.rule != BY_KNOWLEDGE or (ARROW if known.mark == ">" else TAIL) == mark:
                    continue
                if mark == CIRCLE:
                    continue
                why = self.knowledge.why(end, other) or self.knowledge.why_not(end, other)
                yield f"{self.grounds(conflict)} ask for {x} {conflict.edge} {y}; it is refused, since {why}"

    def made_colliders(self) -> Iterator[str]:
        """Nodes that knowledge makes colliders between two that they separate."""
        stage = self.stage
        marks, names = stage.oriented.marks, stage.names
        at = {name: i for i, name in enumerate(names)}
        for mark in stage.trace.orientations:
            if mark.rule not in (BY_KNOWLEDGE, *BEYOND_ADJACENT) or mark.mark != ">":
                continue
            a, b = mark.x, mark.y
            for i in np.flatnonzero((marks[:, at[b]] == ARROW) & (marks[:, at[a]] == NONE)).tolist():
                c = names[i]
                separation = stage.separation(a, c) if c != a else None
                if separation is not None and b in separation.given:
                    why = self.knowledge.why_not(*((b, a) if mark.rule == BY_KNOWLEDGE else mark.because[::2]))
                    yield (
                        f"the data separate {self.independence(*sorted((a, c), key=by_name))}, so that {b} would be no "
                        f"collider between them; it is made one, since {why}"
                    )

    def grounds(self, conflict: Conflict) -> str:
        """The answers that a rule rests on: the pairs among its witnesses that were separated."""
        apart = [
            self.independence(a, b)
            for a, b in combinations(conflict.because, 2)
            if self.stage.separation(a, b) is not None
        ]
        return f"the data ({conflict.rule}" + (f": independent {'; '.join(apart)}" if apart else "") + ")"

    def led_to(self, selection_bias: bool) -> Iterator[str]:
        """Tails that a rule asked for and nobody against, and that stay open: a directed path would deny knowledge."""
        names = self.stage.names
        at = {name: i for i, name in enumerate(names)}
        marks = self.stage.oriented.marks
        conflicts = self.stage.trace.conflicts
        asked = [(c, *parse_symbol(c.edge)) for c in conflicts if c.rule not in (BY_KNOWLEDGE, *BEYOND_ADJACENT)]
        wishes = {(c.x, c.y, left) for c, left, _ in asked} | {(c.y, c.x, right) for c, _, right in asked}
        constraints = self.knowledge.constraints(names, selection_bias) if asked else None
        for conflict, left, _ in asked:
            x, y = conflict.x, conflict.y
            if constraints is None or left != TAIL or marks[at[y], at[x]] != CIRCLE or (x, y, ARROW) in wishes:
                continue
            before = reachable(directed_steps(marks))[:, at[x]]
            after = reachable(possible_anterior_steps(marks))[at[y]]
            denied = np.argwhere(constraints.no_cause & before[:, None] & after[None, :])
            for a, b in denied[:1].tolist():
                why = self.knowledge.why_not(names[a], names[b])
                yield f"{self.grounds(conflict)} ask for {x} {conflict.edge} {y}; it stays open, since {why}"
