"""What a variable that was set from outside does to another one: read from the graph, and said in a sentence.

A context or randomised variable c acts on x if it causes x along a path without other measured variables. Then c and x
are adjacent. The reverse need not hold: c and x are also adjacent if c acts on some t that causes x, and something
unmeasured stands behind t and x, so that no set separates c and x; t --> x is then not visible (Zhang 2008). If the
sample may have been selected, c may act on the selection instead. So x is acted on for certain if there can be no
such t.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.graphs.names import in_order
from ancestral.graphs.paths import shortest_of_steps
from ancestral.graphs.relations import causal_answers
from ancestral.graphs.visible import visible_by
from ancestral.knowledge import Knowledge
from ancestral.printing import listed
from ancestral.show.design import without_design

__all__ = ["Action", "Actions", "set_from_outside"]


@dataclass(frozen=True)
class Action:
    """What `context` does to `variable`, by kind, with the variables `by` that may stand between, and as a sentence.

    - "acts", "known": it acts on it, by the graph, or by known targets.
    - "may act": it acts on it, or one of `by` causes it and shares an unmeasured cause with it.
    - "only through": targets are known, and this is none of them: one of `by` does that.
    - "against targets": the same, but none of the targets can.
    - "open": there is an edge that leaves open whether it acts, or the search is not complete.
    - "through": it acts on it only through others, of which `by` are some; "may through": whether it does, is open.
    - "no": it neither acts on it nor through others.
    """

    context: str
    variable: str
    kind: str
    by: tuple[str, ...]
    sentence: str


def set_from_outside(knowledge: Knowledge | None, pag: PAG) -> tuple[str, ...]:
    """The contexts and the randomised variables of a graph, in the order of names."""
    if knowledge is None:
        return ()
    there = set(pag.nodes)
    return in_order(tuple(name for name in (*knowledge.contexts, *knowledge.randomised) if name in there))


class Actions:
    """Reads from a graph, and what is known, what each variable that was set from outside does to those of the system.

    - `selection`: the sample may have been selected.
    - `complete`: the search has come to its end, so no further edge will be removed; `separated`: and a set was found
      for every pair without an edge.
    - `on_data`: the graph was learned from data, so that what it says is told as its claim.
    """

    def __init__(
        self,
        pag: PAG,
        knowledge: Knowledge | None,
        *,
        selection: bool = True,
        complete: bool = True,
        separated: bool = True,
        on_data: bool = False,
    ) -> None:
        self.pag = pag
        self.known = knowledge or Knowledge()
        self.complete = complete
        self._selection = selection and pag.may_hide
        self._separated = complete and separated
        self._on_data = on_data
        self._marks = pag.class_marks
        self.outside = set_from_outside(knowledge, pag)

    @cached_property
    def system(self) -> tuple[str, ...]:
        """The other variables, in the order of names."""
        return tuple(name for name in in_order(self.pag.nodes) if name not in self.outside)

    def about(self, a: str, b: str) -> Action | None:
        """What one of two variables does to the other, if exactly one of them was set from outside; otherwise None."""
        if (a in self.outside) == (b in self.outside):
            return None
        action = self.of(*((a, b) if a in self.outside else (b, a)))
        if action.kind == "known":
            return action
        return replace(action, sentence=self.as_claim(action.context, action.sentence))

    def as_claim(self, c: str, sentence: str) -> str:
        """A sentence with c as its subject, worded as a claim of the graph if that was learned from data."""
        return f"By the graph, {sentence}" if self._on_data and sentence.startswith(f"{c} ") else sentence

    def of(self, c: str, x: str) -> Action:
        """What c, which was set from outside, does to x, a variable of the system."""
        if self._mark(c, x) == NONE:
            return self._apart(c, x)
        if not self.complete:
            return Action(c, x, "open", (), f"Whether {c} acts on {x} is open: the search is not complete.")
        if self._mark(x, c) == ARROW:
            return Action(c, x, "no", (), f"{c} does not act on {x}: their edge has an arrowhead at {c}.")
        targets = self.known.targets_of(c)
        if x in targets:
            return Action(c, x, "known", (), f"{c} acts on {x}: known (targets).")
        if self._mark(x, c) != TAIL:
            return Action(c, x, "open", (), f"Whether {c} acts on {x} is open.")
        if not self._leaves(c, x):
            sentence = f"{c} causes {x}; whether it acts on it directly, or something unmeasured links them, is open."
            return Action(c, x, "open", (), sentence)
        ways = self._ways(c, x)
        ending = ", or on what the sample was selected on" * self.may_select(c)
        if targets:
            return self._beside_targets(c, x, ways, ending)
        if not ways:
            return Action(c, x, "acts", (), f"{c} acts on {self._with_partners(c, x)}{ending}.")
        ending = f", or {c} acts on what the sample was selected on" * self.may_select(c)
        sentence = f"{c} may act on {x}; it does, unless {self.instead(c, ways, x)}{ending}."
        return Action(c, x, "may act", ways, sentence)

    def may_select(self, c: str) -> bool:
        """Whether c may act on what the sample was selected on: no arrowhead at it, or statement, rules that out."""
        if not self._selection or c in self.known.randomised:
            return False
        return not (self._marks[:, self.pag.index(c)] == ARROW).any()

    def partners(self, x: str, among: tuple[str, ...]) -> tuple[str, ...]:
        """The variables among these that something unmeasured links with x."""
        return tuple(y for y in among if y != x and self.pag.has(x, "<->", y))

    def _mark(self, a: str, b: str) -> int:
        """The mark at b on a–b."""
        return int(self._marks[self.pag.index(a), self.pag.index(b)])

    def _leaves(self, c: str, x: str) -> bool:
        """Whether an edge has a tail at c, and nothing unmeasured can stand behind it."""
        return self._mark(x, c) == TAIL and self._unconfounded(c, x)

    def _unconfounded(self, a: str, b: str) -> bool:
        """Whether nothing unmeasured can stand behind an edge between a and b."""
        if not self.pag.may_hide or self.known.why_unconfounded(a, b) is not None:
            return True
        return visible_by(self._marks, self.pag.index(a), self.pag.index(b)) is not None

    def _ways(self, c: str, x: str) -> tuple[str, ...]:
        """The variables that c may act on, and that may cause x and share an unmeasured cause with it."""
        return tuple(
            t
            for t in self.known.targets_of(c) or self.system
            if t != x
            and self._mark(c, t) != NONE
            and self._mark(t, c) != ARROW
            and self._mark(t, x) != NONE
            and self._mark(x, t) != ARROW
            and not self._unconfounded(t, x)
        )

    def _with_partners(self, c: str, x: str) -> str:
        """What is acted on, with variables that the same unmeasured one may drive."""
        if not self.pag.may_hide:
            return f"{x} directly"
        among = tuple(y for y in self.system if self._leaves(c, y) and not self._ways(c, y))
        if partners := self.partners(x, among):
            both = "both" if len(partners) == 1 else "some of them"
            return f"{_listed((x, *partners))}, or on something unmeasured that drives {both}"
        return f"{x}, directly or through something unmeasured"

    def instead(self, c: str, ways: tuple[str, ...], x: str) -> str:
        """What would explain the edge of c and x if c did not act on x, as a clause; `ways` are as in `Action.by`."""
        if len(ways) > 1:
            return f"one of {_listed(ways)} causes {x} and shares an unmeasured cause with it"
        (t,) = ways
        if self._mark(x, t) == TAIL and not self.may_select(c):
            return f"{t} and {x} share an unmeasured cause"
        return f"{t} causes {x} and shares an unmeasured cause with it"

    def _beside_targets(self, c: str, x: str, ways: tuple[str, ...], ending: str) -> Action:
        """What c does to a variable that is none of its known targets, in spite of an edge."""
        if not ways:
            targets = _listed(self.known.targets_of(c))
            sentence = f"{c} is said to act on {targets} alone (targets), and the edge to {x} contradicts that{ending}."
            return Action(c, x, "against targets", (), sentence)
        if len(ways) == 1:
            behind = f"{ways[0]} (targets), and something unmeasured stands behind {ways[0]} and {x}"
        else:
            behind = f"{_listed(ways, 'or')} (targets), and something unmeasured stands behind {x} and one of these"
        return Action(c, x, "only through", ways, f"{c} acts on {x} only through {behind}{ending}.")

    @cached_property
    def _causes(self) -> NDArray[np.object_]:
        """At a, b: whether a causes b; no context does so by way of another one, if their relation was designed."""
        answers = causal_answers(self.pag, self._selection, self._separated)
        without = causal_answers(without_design(self.pag, self.known), self._selection, self._separated)
        return np.where((answers == "possibly") & (without == "no"), "no", answers)

    def _apart(self, c: str, x: str) -> Action:
        """What c does to a variable that it is not adjacent to, and so does not act on directly."""
        if not self.complete:
            return Action(c, x, "may through", (), f"{c} does not act on {x} directly.")
        answer = self._causes[self.pag.index(c), self.pag.index(x)]
        if answer == "no":
            return Action(c, x, "no", (), f"{c} does not act on {x}, neither directly nor through others.")
        if answer != "yes":
            sentence = f"{c} does not act on {x} directly; whether it does through others is open."
            return Action(c, x, "may through", (), sentence)
        path = shortest_of_steps(directed_steps(self._marks), self.pag.index(c), self.pag.index(x))
        by = tuple(self.pag.nodes[v] for v in path[1:-1])
        others = f"through {_listed(by)}" if by else "only through others"
        return Action(c, x, "through", by, f"{c} does not act on {x} directly; it acts on {x} {others}.")


def _listed(names: tuple[str, ...], last: str = "and") -> str:
    return listed(names, last=last, spell=str)
