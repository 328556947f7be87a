"""Why a mark or a missing edge is what it is: reasons, unfolded back to the separations that they rest on.

Each rule explains its mark by premises (`orientation.explanations`): marks that were there before, and pairs that are
not adjacent because they were separated. So a reason unfolds into a tree whose leaves are separations.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import parse_symbol
from ancestral.graphs.names import by_name
from ancestral.knowledge import Knowledge
from ancestral.orientation.explanations import set_in_words
from ancestral.orientation.rules import BY_KNOWLEDGE, EXPLANATIONS
from ancestral.printing import visible
from ancestral.show.explain import mark_in_words
from ancestral.trace import Orientation, Separation, Trace

__all__ = ["SENTENCES", "Explanation", "Premises", "Reasons", "Step", "explain"]

Pair = tuple[str, str]

#: Sentences about pairs; the report fills in the same ones.
SENTENCES = {
    "edge": "{a} {edge} {b}: dependent given every set asked up to radius {radius}.",
    "required": "{a} {edge} {b}: known to be adjacent, whatever the data say (required).",
    "no edge": "No edge between {a} and {b}.",
    "known no edge": (
        "No edge between {a} and {b}: known not to be adjacent (no_edge); no separating set was asked for."
    ),
    "no set": "{a} and {b} are not adjacent, without a separating set.",
    "separation": "{a} and {b} are independent given {given} (found at radius {radius}).{how}",
    "search": "",
    "collider check": " Found while checking a collider.",
    "path check": " Found while checking a discriminating path.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of an explanation.

    `kind` is "edge", "no edge", "mark", "open mark" or "separation". `depth` 0 is the answer itself, each further depth
    what the step above it rests on. `pair` is the pair it is about; a mark is the one at the second node. `rule` and
    `because` belong to marks, `given` and `radius` to separations.
    """

    kind: str
    depth: int
    pair: Pair
    text: str
    rule: str | None = None
    because: tuple[str, ...] = ()
    given: frozenset[str] | None = None
    radius: int | None = None


@dataclass(frozen=True)
class Explanation:
    """The answer to "why": `steps` as data, and as sentences when printed."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "\n".join("  " * step.depth + visible(step.text) for step in self.steps)


def explain(pag: PAG, trace: Trace, a: str, b: str, radius: int, knowledge: Knowledge | None = None) -> Explanation:
    """Why there is no edge between a and b, or why the edge has the marks it has, at a stage of this radius."""
    edge = pag.edge(a, b)
    known = knowledge or Knowledge()
    if edge is None:
        return Explanation(tuple(_missing(trace, a, b, known)))
    kept = "required" if (a, b) in known.required or (b, a) in known.required else "edge"
    steps = [Step("edge", 0, (a, b), SENTENCES[kept].format(a=a, edge=edge, b=b, radius=radius))]
    reasons = Reasons(pag, trace, known)
    unfolding = _Unfolding(reasons)
    for x, y in ((b, a), (a, b)):
        if trace.orientation(x, y) is None:
            steps.append(Step("open mark", 1, (x, y), reasons.undecided(x, y)))
        else:
            steps.extend(unfolding.mark(x, y))
    return Explanation(tuple(steps))


def _missing(trace: Trace, a: str, b: str, known: Knowledge) -> Iterator[Step]:
    separation = trace.separation(a, b)
    if (a, b) in known.no_edge or (b, a) in known.no_edge:
        yield Step("no edge", 0, (a, b), SENTENCES["known no edge"].format(a=a, b=b), rule=BY_KNOWLEDGE)
        return
    if separation is None:
        yield Step("no edge", 0, (a, b), SENTENCES["no set"].format(a=a, b=b))
        return
    yield Step("no edge", 0, (a, b), SENTENCES["no edge"].format(a=a, b=b))
    yield _separation_step(separation, (a, b), 1, SENTENCES[separation.found_by])


def _separation_step(separation: Separation, pair: Pair, depth: int, how: str = "") -> Step:
    (a, b), given = pair, set_in_words(separation.given) if separation.given else "nothing"
    text = SENTENCES["separation"].format(a=a, b=b, given=given, radius=separation.radius, how=how)
    return Step("separation", depth, pair, text, given=separation.given, radius=separation.radius)


@dataclass(frozen=True)
class Premises:
    """Why one mark is there, and the marks and pairs that this rests on."""

    text: str
    orientation: Orientation
    marks: tuple[Pair, ...]
    separations: tuple[Pair, ...]


class Reasons:
    """The reason of each mark of a graph, one step deep."""

    def __init__(self, pag: PAG, trace: Trace, knowledge: Knowledge | None = None) -> None:
        self.pag = pag
        self.known = knowledge or Knowledge()
        self.trace = trace
        self._turn = {(o.x, o.y): i for i, o in enumerate(trace.orientations)}

    def of(self, x: str, y: str) -> Premises | None:
        """Why the mark at y on x–y is there; None for a circle."""
        orientation = self.trace.orientation(x, y)
        if orientation is None:
            return None
        grounds = EXPLANATIONS[orientation.rule](orientation, self.trace, self.known)
        mark = parse_symbol(str(self.pag.edge(x, y)))[1]
        claim = mark_in_words(y, mark, x, selection=not isinstance(self.pag, CPDAG))
        # of the marks that a rule could rest on, only those count that were there before it
        earlier = tuple(m for m in grounds.marks if m in self._turn and self._turn[m] < self._turn[x, y])
        separated = tuple(pair for pair in grounds.separations if self.trace.separation(*pair) is not None)
        return Premises(f"{claim}: {grounds.text} ({orientation.rule})", orientation, earlier, separated)

    def undecided(self, x: str, y: str) -> str:
        """Why no rule has set a mark at y on x–y: none proposed one, or the answers contradict each other."""
        asked = [c for c in self.trace.conflicts if {c.x, c.y} == {x, y}]
        why = "no rule decides it"
        if asked:
            wishes = ", ".join(f"{c.rule}: {c.x} {c.edge} {c.y}" for c in asked)
            why = f"the answers contradict each other ({wishes})"
        return f"Whether {y} causes {x} is open: {why}."


class _Unfolding:
    """Unfolds reasons into steps; each premise is shown once."""

    def __init__(self, reasons: Reasons) -> None:
        self.reasons = reasons
        self.shown: set[tuple[str, Pair]] = set()

    def mark(self, x: str, y: str) -> Iterator[Step]:
        """Why the mark at y on x–y is there, and what that rests on, each premise below what it carries."""
        waiting: list[tuple[str, Pair, int]] = [("mark", (x, y), 1)]
        while waiting:  # a stack, not a recursion: reasons may be as long as the graph
            kind, pair, depth = waiting.pop()
            if kind == "separation":
                yield from self.separation(*pair, depth)
                continue
            premises = self.reasons.of(*pair)
            shown = ("mark", pair) in self.shown
            if premises is None or (shown and depth > 1):
                continue
            self.shown.add(("mark", pair))
            rule = premises.orientation
            yield Step("mark", depth, pair, premises.text, rule.rule, rule.because)
            if shown:  # the mark that was asked about is always shown, what it rests on only once
                continue
            below = [("mark", m, depth + 1) for m in premises.marks]
            below += [("separation", separated, depth + 1) for separated in premises.separations]
            waiting.extend(reversed(below))

    def separation(self, a: str, b: str, depth: int) -> Iterator[Step]:
        """How two nodes that are not adjacent were separated."""
        separation = self.reasons.trace.separation(a, b)
        pair = (a, b) if by_name(a) <= by_name(b) else (b, a)
        if separation is not None and ("separation", pair) not in self.shown:
            self.shown.add(("separation", pair))
            yield _separation_step(separation, pair, depth)
