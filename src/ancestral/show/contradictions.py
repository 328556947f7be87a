"""Where the data contradict knowledge, in words: the pair, the p-value, and the statement that was kept."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL, parse_symbol
from ancestral.graphs.names import by_name
from ancestral.independence.base import Test
from ancestral.knowledge import Knowledge
from ancestral.orientation.explanations import set_in_words
from ancestral.orientation.rules import BEYOND_ADJACENT, BY_KNOWLEDGE
from ancestral.search.evidence import Decisions, decided_by
from ancestral.search.settings import Settings
from ancestral.search.stage import GraphStage, Stage
from ancestral.trace import Conflict

__all__ = ["Contradiction", "contradictions"]

Pair = tuple[str, str]

#: Contradictions that are listed one by one; of more, the rest is only counted.
MOST = 20

#: Two variables pass for independent with a p-value above the first, and for dependent with one below the second, which
#: is divided by the number of questions: so a true statement is hardly ever contradicted.
UNRELATED, SURELY_RELATED = 0.05, 0.001


class Contradiction(NamedTuple):
    """A contradiction in a sentence, and the pairs of variables that it is about."""

    text: str
    pairs: tuple[Pair, ...] = ()


def contradictions(
    stage: Stage, decisions: Decisions, settings: Settings, test: Test | None = None
) -> list[Contradiction]:
    """A sentence for each contradiction between data and knowledge; at most `MOST`, and the number of others.

    `test` is asked a few questions about what was randomised, if the search asked none.
    """
    if settings.knowledge is None or not stage.begun:
        return []
    known = settings.knowledge
    if settings.chosen.windows and not (known.forbidden or known.required or known.causes):
        return []  # the order of time is not in doubt
    found = _Contradictions(stage, decisions, known, of_time=settings.chosen.windows)
    sentences = [
        *found.separated(settings.alpha),
        *found.refused(),
        *found.made_colliders(),
        *found.led_to(settings.allows_selection),
        *found.unreached(settings.allows_selection),
        *found.dependent(settings.alpha, settings.allows_selection),
        *(found.effects_set_at_random(test) if test is not None and isinstance(stage, GraphStage) else ()),
        *(found.of_experiments() if stage.complete else ()),
    ]
    distinct = list({one.text: one for one in sentences}.values())
    rest = len(distinct) - MOST
    more = f"and {rest} more contradiction{'s' * (rest > 1)} between data and knowledge"
    return [*distinct[:MOST], *([Contradiction(more)] if rest > 0 else [])]


class _Contradictions:
    """Finds the contradictions of each sort; `of_time`: tiers are the order of time, which is not in doubt."""

    def __init__(self, stage: Stage, decisions: Decisions, knowledge: Knowledge, *, of_time: bool) -> None:
        self.stage = stage
        self.decisions = decisions
        self.knowledge = knowledge
        self.of_time = of_time
        self.stated = replace(knowledge, tiers=()) if of_time else knowledge

    def why_not(self, a: str, b: str) -> str | None:
        """Why a does not cause b, if that is in doubt."""
        return self.stated.why_not(a, b)

    def independence(self, a: str, b: str) -> str:
        """The question that decided about a pair, and its p-value."""
        decided = decided_by(self.stage, self.decisions, a, b)
        condition = set_in_words(frozenset(decided.given)) if decided.given else "nothing"
        p_value = f", p = {decided.p_value:.3g}" if decided.p_value == decided.p_value else ""  # not NaN
        return f"{a} and {b} given {condition}{p_value}"

    def separated(self, alpha: float | None) -> Iterator[Contradiction]:
        """Required edges that the data would have removed."""
        for a, b in (*self.knowledge.required, *self.knowledge.target_pairs):
            if self.of_time and not b.endswith("[t]"):
                continue  # a copy of the pair that ends at t
            if decided_by(self.stage, self.decisions, a, b).p_value > (
                0.5 if alpha is None else alpha
            ):  # an oracle answers 0 or 1
                text = f"the data separate {self.independence(a, b)}; the edge stays, since {self.knowledge.why(a, b)}"
                yield Contradiction(text, ((a, b),))

    def refused(self) -> Iterator[Contradiction]:
        """Proposals of rules against a mark that is known; and known marks that contradict the assumptions of PC."""
        for conflict in self.stage.trace.conflicts:
            x, y = conflict.x, conflict.y
            if conflict.rule == BY_KNOWLEDGE:
                yield Contradiction(
                    f"{x} and {y} are adjacent ({self.independence(x, y)}), but knowledge says that neither causes the "
                    "other, or implies a cycle; without latent variables an edge then has no direction, so it "
                    "stays open",
                    ((x, y),),
                )
                continue
            if conflict.rule in BEYOND_ADJACENT:
                a, _, c = conflict.because
                if (why := self.why_not(a, c)) is not None:
                    yield Contradiction(
                        f"the data ({self.independence(a, c)}) suggest the opposite of {x} {conflict.edge} {y}, which "
                        f"follows from {why}; the mark stays open",
                        ((x, y),),
                    )
                continue
            if self._is_about_a_design(conflict):
                continue
            proposed = parse_symbol(conflict.edge)
            for end, other, mark in ((x, y, proposed[0]), (y, x, proposed[1])):
                known = self.stage.trace.orientation(other, end)
                if known is None or known.rule != BY_KNOWLEDGE or (ARROW if known.mark == ">" else TAIL) == mark:
                    continue
                if mark == CIRCLE:
                    continue
                why = self.knowledge.why(end, other) or self.why_not(end, other) or self.knowledge.why_tail(end, other)
                if why is not None:
                    text = f"{self.grounds(conflict)} ask for {x} {conflict.edge} {y}; it is refused, since {why}"
                    yield Contradiction(text, ((x, y),))

    def _is_about_a_design(self, conflict: Conflict) -> bool:
        """Whether a rule rests on an edge between two contexts, about which nothing was asked."""
        return any(self.knowledge.is_designed(a, b) for a, b in combinations(conflict.because, 2))

    def dependent(self, alpha: float | None, selection_bias: bool) -> Iterator[Contradiction]:
        """Randomised variables that depend, given nothing, on variables that they do not cause."""
        if not self.knowledge.randomised:
            return
        names = self.stage.names
        pairs = self.knowledge.constraints(names, selection_bias).apart
        p_values = self.decisions.marginal.at(*pairs.T).p_value
        bound = 0.5 if alpha is None else alpha / max(1, len(pairs))  # an oracle answers 0 or 1
        for (x, y), p in zip(pairs.tolist(), p_values.tolist(), strict=True):
            if p < bound:
                a, b = names[x], names[y]
                why = self.knowledge.why_tail(a, b) or self.knowledge.why_tail(b, a)
                yield Contradiction(
                    f"the data show that {a} and {b} depend on each other (p = {p:.3g}), although {why}, and neither "
                    "causes the other; there is no edge",
                    ((a, b),),
                )

    def effects_set_at_random(self, test: Test) -> Iterator[Contradiction]:
        """Variables that cannot be effects by what is known, and are: two others are independent until it is given.

        A search by score asks no questions, so the rules do not tell of this.
        """
        pag, known = self.stage.pag, self.knowledge
        candidates = [
            (c, a, b)
            for c in (*known.randomised, *known.contexts)
            for a, b in combinations([v for v in pag.nodes if pag.edge(c, v) and known.why_tail(c, v)], 2)
        ]
        if not candidates:
            return
        questions = test.questions(self.stage.names)
        at = {name: i for i, name in enumerate(self.stage.names)}
        for c, a, b in candidates:
            x, y = sorted((at[a], at[b]))
            alone, given = (test.evidence(questions, x, y, z).p_value for z in ([], [at[c]]))
            if alone > UNRELATED and given < SURELY_RELATED / len(candidates):
                yield Contradiction(
                    f"{a} and {b} are independent (p = {alone:.3g}), but not given {c} (p = {given:.3g}), so {c} is an "
                    f"effect of both or of what drives them, although {known.why_tail(c, a)}",
                    ((c, a), (c, b)),
                )

    def of_experiments(self) -> Iterator[Contradiction]:
        """Pairs said to be unconfounded that the data say are, targets that do not account for an edge, chance."""
        pag, known = self.stage.pag, self.knowledge
        for a, edge, b in pag.edges():
            if edge == "<->" and (why := known.why_unconfounded(a, b)) is not None:
                yield Contradiction(
                    f"the data put an arrowhead at both ends of {a} <-> {b} ({self.independence(a, b)}), although "
                    f"{why}",
                    ((a, b),),
                )
        for c, z in known.untargeted(pag):
            targets = " and ".join(known.targets_of(c))
            yield Contradiction(
                f"the data show that {c} acts on {z}, and not through {targets}, which it is said to act on alone "
                "(targets)",
                ((c, z),),
            )

    def made_colliders(self) -> Iterator[Contradiction]:
        """Nodes that knowledge makes colliders between two variables, though they help to separate these."""
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
                    why = self.why_not(*((b, a) if mark.rule == BY_KNOWLEDGE else mark.because[::2]))
                    if why is None:
                        continue
                    yield Contradiction(
                        f"the data separate {self.independence(*sorted((a, c), key=by_name))}, which says that {b} is "
                        f"not a collider between them; knowledge says it is: {why}",
                        ((a, b), (b, c)),
                    )

    def grounds(self, conflict: Conflict) -> str:
        """The answers that a rule rests on: the pairs among its witnesses that were separated."""
        separated = [
            self.independence(a, b)
            for a, b in combinations(conflict.because, 2)
            if self.stage.separation(a, b) is not None
        ]
        return f"the data ({conflict.rule}" + (f": independent {'; '.join(separated)}" if separated else "") + ")"

    def led_to(self, selection_bias: bool) -> Iterator[Contradiction]:
        """Tails that were proposed unopposed and stay open, since a directed path would contradict knowledge."""
        names = self.stage.names
        at = {name: i for i, name in enumerate(names)}
        marks = self.stage.oriented.marks
        conflicts = self.stage.trace.conflicts
        proposed = [(c, *parse_symbol(c.edge)) for c in conflicts if c.rule not in (BY_KNOWLEDGE, *BEYOND_ADJACENT)]
        proposals = {(c.x, c.y, left) for c, left, _ in proposed} | {(c.y, c.x, right) for c, _, right in proposed}
        constraints = self.knowledge.constraints(names, selection_bias) if proposed else None
        for conflict, left, _ in proposed:
            x, y = conflict.x, conflict.y
            if constraints is None or left != TAIL or marks[at[y], at[x]] != CIRCLE or (x, y, ARROW) in proposals:
                continue
            before = reachable(directed_steps(marks))[:, at[x]]
            after = reachable(possible_anterior_steps(marks))[at[y]]
            denied = np.argwhere(constraints.no_cause & before[:, None] & after[None, :])
            for a, b in denied[:1].tolist():
                if (why := self.why_not(names[a], names[b])) is not None:
                    text = f"{self.grounds(conflict)} ask for {x} {conflict.edge} {y}; it stays open, since {why}"
                    yield Contradiction(text, ((x, y),))

    def unreached(self, selection_bias: bool) -> Iterator[Contradiction]:
        """Statements "x causes y" for which the data have left no path from x to y."""
        for a, b in self.knowledge.unreached(self.stage.pag, selection_bias):
            text = f"the data leave no path along which {a} may cause {b}, although {self.knowledge.why(a, b)}"
            yield Contradiction(text, ((a, b),))
