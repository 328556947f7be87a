"""Why a mark or a missing edge is what it is: the rule in words, and what that rests on, back to the separations.

Each rule names its witnesses (`Orientation.because`). From them follow its premises: marks that were there before, and
pairs that are not adjacent because they were separated. So a reason unfolds into a tree whose leaves are separations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import parse_symbol
from ancestral.graphs.names import by_name
from ancestral.knowledge import Knowledge
from ancestral.orientation.rules import BY_KNOWLEDGE
from ancestral.printing import visible
from ancestral.show.explain import mark_in_words
from ancestral.trace import Orientation, Separation, Trace

__all__ = ["SENTENCES", "Explanation", "Premises", "Reasons", "Step", "explain"]

Pair = tuple[str, str]

#: What is said of pairs; the report fills in the same sentences.
SENTENCES = {
    "edge": "{a} {edge} {b}: dependent given every set asked up to radius {radius}.",
    "required": "{a} {edge} {b}: known to be adjacent, whatever the data say (required).",
    "no edge": "No edge between {a} and {b}.",
    "known apart": "No edge between {a} and {b}: known not to be adjacent (no_edge); no separating set was asked for.",
    "no set": "{a} and {b} are not adjacent, without a separating set.",
    "separation": "{a} and {b} are independent given {given} (found at radius {radius}).{how}",
    "search": "",
    "collider check": " It was met when a collider was checked.",
    "path check": " It was met when a discriminating path was checked.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of an explanation.

    `kind` is "edge", "no edge", "mark", "open mark" or "separation". `depth` 0 is what was asked, each further depth
    what the step above it rests on. `pair` is what it speaks of; for a mark, the mark is at the second node. `rule` and
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
    teller = _Teller(reasons)
    for x, y in ((b, a), (a, b)):
        if trace.orientation(x, y) is None:
            steps.append(Step("open mark", 1, (x, y), reasons.undecided(x, y)))
        else:
            steps.extend(teller.tell(x, y))
    return Explanation(tuple(steps))


def _missing(trace: Trace, a: str, b: str, known: Knowledge) -> Iterator[Step]:
    separation = trace.separation(a, b)
    if (a, b) in known.no_edge or (b, a) in known.no_edge:
        yield Step("no edge", 0, (a, b), SENTENCES["known apart"].format(a=a, b=b), rule=BY_KNOWLEDGE)
        return
    if separation is None:
        yield Step("no edge", 0, (a, b), SENTENCES["no set"].format(a=a, b=b))
        return
    yield Step("no edge", 0, (a, b), SENTENCES["no edge"].format(a=a, b=b))
    yield _separation_step(separation, (a, b), 1, SENTENCES[separation.found_by])


def _separation_step(separation: Separation, pair: Pair, depth: int, how: str = "") -> Step:
    (a, b), given = pair, _listed(separation.given) if separation.given else "nothing"
    text = SENTENCES["separation"].format(a=a, b=b, given=given, radius=separation.radius, how=how)
    return Step("separation", depth, pair, text, given=separation.given, radius=separation.radius)


def _listed(names: frozenset[str]) -> str:
    return "{" + ", ".join(sorted(names, key=by_name)) + "}"


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
        """Why the mark at y on x–y; None for a circle."""
        reason = self.trace.orientation(x, y)
        if reason is None:
            return None
        rule = _RULES[reason.rule](reason, self)
        mark = parse_symbol(str(self.pag.edge(x, y)))[1]
        says = mark_in_words(y, mark, x, selection=not isinstance(self.pag, CPDAG))
        # of marks that could carry the rule only those that were there before it count
        earlier = tuple(m for m in rule.marks if m in self._turn and self._turn[m] < self._turn[x, y])
        apart = tuple(pair for pair in rule.separations if self.trace.separation(*pair) is not None)
        return Premises(f"{says}: {rule.text} ({reason.rule})", reason, earlier, apart)

    def undecided(self, x: str, y: str) -> str:
        """Why no rule has set a mark at y on x–y: none asked for it, or they contradict each other."""
        asked = [c for c in self.trace.conflicts if {c.x, c.y} == {x, y}]
        why = "no rule decides it"
        if asked:
            wishes = ", ".join(f"{c.rule}: {c.x} {c.edge} {c.y}" for c in asked)
            why = f"the answers contradict each other ({wishes})"
        return f"Whether {y} causes {x} is open: {why}."

    def sepset(self, a: str, b: str) -> str:
        """The separating set as text."""
        separation = self.trace.separation(a, b)
        return _listed(separation.given) if separation else "(none known)"


class _Teller:
    """Unfolds reasons; what was told once is only referred to."""

    def __init__(self, reasons: Reasons) -> None:
        self.reasons = reasons
        self.told: set[tuple[str, Pair]] = set()

    def tell(self, x: str, y: str) -> Iterator[Step]:
        """Why the mark at y on x–y, and what that rests on, each premise below what it carries."""
        waiting: list[tuple[str, Pair, int]] = [("mark", (x, y), 1)]
        while waiting:  # a stack, not a recursion: reasons may be as long as the graph
            kind, pair, depth = waiting.pop()
            if kind == "separation":
                yield from self.separation(*pair, depth)
                continue
            premises = self.reasons.of(*pair)
            told = ("mark", pair) in self.told
            if premises is None or (told and depth > 1):
                continue
            self.told.add(("mark", pair))
            rule = premises.orientation
            yield Step("mark", depth, pair, premises.text, rule.rule, rule.because)
            if told:  # what was asked for is always said, what it rests on only once
                continue
            below = [("mark", m, depth + 1) for m in premises.marks]
            below += [("separation", apart, depth + 1) for apart in premises.separations]
            waiting.extend(reversed(below))

    def separation(self, a: str, b: str, depth: int) -> Iterator[Step]:
        """How two nodes that are not adjacent were separated."""
        separation = self.reasons.trace.separation(a, b)
        pair = (a, b) if by_name(a) <= by_name(b) else (b, a)
        if separation is not None and ("separation", pair) not in self.told:
            self.told.add(("separation", pair))
            yield _separation_step(separation, pair, depth)


@dataclass(frozen=True)
class _Reason:
    """A rule's words, and the marks and separations it rests on; a mark (x, y) is the one at y on x–y."""

    text: str
    marks: tuple[Pair, ...] = ()
    separations: tuple[Pair, ...] = ()


def _r0(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"{b} is adjacent to {a} and {c}, but not in the set that separates them, {reasons.sepset(a, c)}: a collider"
    return _Reason(text, separations=((a, c),))


def _r1(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = (
        f"{a} *-> {b}, and {b} is no collider between {a} and {c}, being in the set that separates them: so {b} --> {c}"
    )
    return _Reason(text, ((a, b),), ((a, c),))


def _r2(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"{a} comes before {b} and {b} before {c} (one of them for sure as a cause), so {c} cannot cause {a}"
    return _Reason(text, ((a, b), (b, c), (b, a), (c, b)))


def _r3(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c, d = o.because
    text = f"{a} *-> {b} <-* {c}, and {d} is no collider between {a} and {c}: a cause {b} of {d} would cause {a} or {c}"
    return _Reason(text, ((a, b), (c, b)), ((a, c),))


def _r4(o: Orientation, reasons: Reasons) -> _Reason:
    c, b, *inner, d = o.because
    path = ", ".join(reversed(o.because))
    member = "is" if b in (getattr(reasons.trace.separation(d, c), "given", ())) else "is not"
    text = f"the path <{path}> discriminates {b}, which {member} in {reasons.sepset(d, c)}"
    into = [
        pair
        for left, v, right in zip(o.because[1:], inner, o.because[3:], strict=False)
        for pair in ((left, v), (right, v))
    ]
    parents = [pair for v in inner for pair in ((v, c), (c, v))]
    return _Reason(text, tuple(into + parents), ((d, c),))


def _r5(o: Orientation, reasons: Reasons) -> _Reason:
    ring = [*o.because, *o.because[:2]]
    text = f"around {', '.join(o.because)} none is a collider and none can be skipped: an arrowhead would chase itself"
    return _Reason(text, separations=_uncovered(ring))


def _r6(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, _ = o.because
    return _Reason(f"{a} --- {b}: {b} is linked through selection, so no arrowhead can stand at it", ((a, b), (b, a)))


def _r7(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"an arrowhead at {b} from {c} would make {b} --> {a}, against the tail at {a}; {b} is no collider there"
    return _Reason(text, ((b, a),), ((a, c),))


def _r8(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    return _Reason(f"{a} is before {b}, and {b} --> {c}", ((b, a), (a, b), (c, b), (b, c), (a, c)))


def _r9(o: Orientation, reasons: Reasons) -> _Reason:
    walk = o.because
    text = (
        f"<{', '.join(walk)}> may be directed and cannot be shortened: "
        f"if {walk[0]} did not cause {walk[-1]}, it would be directed"
    )
    return _Reason(text, ((walk[0], walk[-1]),), ((walk[1], walk[-1]), *_uncovered(walk)))


def _r10(o: Orientation, reasons: Reasons) -> _Reason:
    a, c = o.y, o.x
    cut = next(i for i in range(2, len(o.because) - 1) if o.because[i : i + 2] == (c, a))
    one, two = o.because[:cut], o.because[cut + 1 :]
    text = (
        f"from {a} two ways that may be directed lead to {one[-1]} --> {c} and {two[-1]} --> {c}, "
        f"beginning with {one[1]} and {two[1]}; {a} is no collider between these, so one way is directed"
    )
    ends = [pair for end in (one[-1], two[-1]) for pair in ((end, c), (c, end))]
    return _Reason(text, ((a, c), *ends), ((one[1], two[1]), *_uncovered(one), *_uncovered(two)))


def _m0(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = (
        f"{b} is adjacent to {a} and {c}, but not in the set that separates them, {reasons.sepset(a, c)}: both cause it"
    )
    return _Reason(text, separations=((a, c),))


def _m1(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"{a} --> {b}, and {b} is in the set that separates {a} and {c}: if {c} caused it, it would not be"
    return _Reason(text, ((a, b),), ((a, c),))


def _m2(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    return _Reason(f"{a} --> {b} --> {c}: the other way round there would be a cycle", ((a, b), (b, c)))


def _m3(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c, d = o.because
    text = f"{a} --> {b} <-- {c}: if {b} caused {d}, so would {a} and {c}, but {d} is in the set that separates these"
    return _Reason(text, ((a, b), (c, b)), ((a, c),))


def _m4(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c, d = o.because
    text = f"{c} --> {d} --> {b}: if {b} caused {a}, {a} would cause {c}, in a cycle, or {a} would be a collider"
    return _Reason(text, ((c, d), (d, b)), ((c, b),))


def _k1(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"{b} is a cause of {c} or of the selection, and by {a} *-> {b} not of the selection: so {b} --> {c}"
    return _Reason(text, ((a, b), (c, b)))


def _k2(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"if {c} caused {a} or the selection, then {c} would {b}, or {b} would {a}, against an arrowhead there"
    return _Reason(text, ((b, a), (b, c), (a, b), (c, b)))


def _k3(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    return _Reason(f"{a} is before {b}, and {b} before {c}", ((b, a), (c, b)))


def _k5(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    text = f"{b} causes {a}, {c} or the selection, so {a} does not cause {b}; known: {reasons.known.why_not(a, c)}"
    return _Reason(text, ((c, b),), ((a, c),))


def _k6(o: Orientation, reasons: Reasons) -> _Reason:
    a, b, c = o.because
    return _Reason(f"{a} causes {b}, so {b} does not cause {c}; known: {reasons.known.why_not(a, c)}", ((b, a),))


def _known(o: Orientation, reasons: Reasons) -> _Reason:
    said = reasons.known.why(o.y, o.x) if o.mark == "-" else reasons.known.why_not(o.y, o.x)
    # without latent variables one end tells the other
    return _Reason(f"known: {said or reasons.known.why_not(o.x, o.y) or reasons.known.why(o.x, o.y)}")


def _uncovered(walk: tuple[str, ...] | list[str]) -> tuple[Pair, ...]:
    return tuple((u, w) for (u, _), (_, w) in pairwise(pairwise(walk)))


_RULES = {
    "R0": _r0, "R1": _r1, "R2": _r2, "R3": _r3, "R4": _r4, "R5": _r5, "R6": _r6, "R7": _r7, "R8": _r8, "R9": _r9,
    "R10": _r10, "M0": _m0, "M1": _m1, "M2": _m2, "M3": _m3, "M4": _m4,
    "K1": _k1, "K2": _k2, "K3": _k3, "K4": _r3, "K5": _k5, "K6": _k6,
    BY_KNOWLEDGE: _known,
}  # fmt: skip
