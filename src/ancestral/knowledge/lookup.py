"""Statements looked up by variable and by pair: what is stated directly, and along which paths causes are stated."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ancestral.graphs.names import quoted
from ancestral.graphs.paths import predecessors, shortest
from ancestral.knowledge.contexts import DESIGNED, EXOGENOUS

if TYPE_CHECKING:
    from ancestral.knowledge.statements import Knowledge

__all__ = ["Lookup"]


class Lookup:
    """The statements of a `Knowledge`, looked up by variable and by pair, and put into words.

    A path of causes has one or more steps, each of which is stated by `required`, `targets` or `causes`.
    """

    def __init__(self, known: "Knowledge") -> None:
        self.rank = {name: i for i, tier in enumerate(known.tiers) for name in tier}
        self.tiers = len(known.tiers)
        self.forbidden = frozenset(known.forbidden)
        self.required = frozenset(known.required)
        self.exogenous = frozenset(known.exogenous)
        self.randomised = frozenset(known.randomised)
        self.unconfounded = frozenset(known.unconfounded)
        self.contexts = frozenset(known.contexts)
        self.assumed = frozenset(known.context_assumptions or ())
        self.targets = frozenset(known.target_pairs)
        #: For each variable that is stated to cause others, these.
        self.children: dict[str, list[str]] = {}
        #: For each variable that others are stated to cause, these others.
        self.parents: dict[str, list[str]] = {}
        for x, y in dict.fromkeys((*known.required, *known.target_pairs, *known.causes)):
            self.children.setdefault(x, []).append(y)
            self.parents.setdefault(y, []).append(x)

    def stated_not(self, x: str, y: str) -> str | None:
        """The statement, in words, that says directly that x does not cause y; None if there is none."""
        if x == y:
            return None
        if self.rank.get(x, -1) > self.rank.get(y, self.tiers):
            return f"{y} comes before {x} (tiers)"
        if (x, y) in self.forbidden:
            return f"{x} does not cause {y} (forbidden)"
        if y in self.exogenous:
            return f"nothing measured causes {y} (exogenous)"
        if y in self.randomised:
            return f"{y} was randomised (randomised)"
        if y not in self.contexts:
            return None
        if x not in self.contexts:
            return (
                f"{y} is a context, which the system does not cause (contexts)" if EXOGENOUS in self.assumed else None
            )
        return f"{x} and {y} are contexts, whose relation is designed (contexts)" if DESIGNED in self.assumed else None

    def effects_of(self, x: str) -> list[str]:
        """The variables that x is stated to cause, nearest first; x itself only if statements form a cycle."""
        return list(predecessors(lambda u: self.children.get(u, ()), x))

    def causes_of(self, x: str) -> list[str]:
        """The variables that are stated to cause x, nearest first."""
        return list(predecessors(lambda u: self.parents.get(u, ()), x))

    def causing_path(self, x: str, y: str) -> list[str]:
        """A shortest path of causes from x to y; empty if there is none."""
        return shortest(lambda u: self.children.get(u, ()), x, y)

    def path_text(self, path: Sequence[str]) -> str:
        """Such a path with the sign of each step, and the kinds of statements: `a --> b ~~> c (required, causes)`."""
        text, kinds = quoted(path[0]), set()
        for step in pairwise(path):
            kind = "required" if step in self.required else "targets" if step in self.targets else "causes"
            text += f" {'~~>' if kind == 'causes' else '-->'} {quoted(step[1])}"
            kinds.add(kind)
        return f"{text} ({', '.join(sorted(kinds, reverse=True))})"
