"""Why each rule sets a mark, in words: the sentence, and the marks and separations that it rests on.

A rule names its witnesses (`Orientation.because`); its premises follow from them. Each rule of `rules.RULES` has an
entry in `EXPLANATIONS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ancestral.graphs.names import by_name
from ancestral.knowledge import Knowledge
from ancestral.orientation.rules import BY_KNOWLEDGE
from ancestral.trace import Orientation, Trace

__all__ = ["EXPLANATIONS", "Grounds", "set_in_words"]

Pair = tuple[str, str]


@dataclass(frozen=True)
class Grounds:
    """A rule's words, and the marks and separations it rests on; a mark (x, y) is the one at y on x–y."""

    text: str
    marks: tuple[Pair, ...] = ()
    separations: tuple[Pair, ...] = ()


Explain = Callable[[Orientation, Trace, Knowledge], Grounds]


def set_in_words(names: frozenset[str]) -> str:
    """A set of variables as text: `{a, b}`."""
    return "{" + ", ".join(sorted(names, key=by_name)) + "}"


def _separating_set(trace: Trace, a: str, b: str) -> str:
    """The set that separates a and b, as text."""
    separation = trace.separation(a, b)
    return set_in_words(separation.given) if separation else "(none known)"


def _r0(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    separating = _separating_set(trace, a, c)
    text = f"{b} is adjacent to {a} and {c}, but not in the set that separates them, {separating}: a collider"
    return Grounds(text, separations=((a, c),))


def _r1(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = (
        f"{a} *-> {b}, and {b} is no collider between {a} and {c}, being in the set that separates them: so {b} --> {c}"
    )
    return Grounds(text, ((a, b),), ((a, c),))


def _r2(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = f"{a} comes before {b} and {b} before {c} (one of them for sure as a cause), so {c} cannot cause {a}"
    return Grounds(text, ((a, b), (b, c), (b, a), (c, b)))


def _r3(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c, d = o.because
    text = f"{a} *-> {b} <-* {c}, and {d} is no collider between {a} and {c}: a cause {b} of {d} would cause {a} or {c}"
    return Grounds(text, ((a, b), (c, b)), ((a, c),))


def _r4(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    c, b, *inner, d = o.because
    path = ", ".join(reversed(o.because))
    member = "is" if b in (getattr(trace.separation(d, c), "given", ())) else "is not"
    text = f"the path <{path}> discriminates {b}, which {member} in {_separating_set(trace, d, c)}"
    into = [
        pair
        for left, v, right in zip(o.because[1:], inner, o.because[3:], strict=False)
        for pair in ((left, v), (right, v))
    ]
    parents = [pair for v in inner for pair in ((v, c), (c, v))]
    return Grounds(text, tuple(into + parents), ((d, c),))


def _r5(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    ring = [*o.because, *o.because[:2]]
    text = f"around {', '.join(o.because)} none is a collider and none can be skipped: an arrowhead would chase itself"
    return Grounds(text, separations=_uncovered(ring))


def _r6(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, _ = o.because
    return Grounds(f"{a} --- {b}: {b} is linked through selection, so no arrowhead can stand at it", ((a, b), (b, a)))


def _r7(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = f"an arrowhead at {b} from {c} would make {b} --> {a}, against the tail at {a}; {b} is no collider there"
    return Grounds(text, ((b, a),), ((a, c),))


def _r8(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    return Grounds(f"{a} is before {b}, and {b} --> {c}", ((b, a), (a, b), (c, b), (b, c), (a, c)))


def _r9(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    walk = o.because
    text = (
        f"<{', '.join(walk)}> may be directed and cannot be shortened: "
        f"if {walk[0]} did not cause {walk[-1]}, it would be directed"
    )
    return Grounds(text, ((walk[0], walk[-1]),), ((walk[1], walk[-1]), *_uncovered(walk)))


def _r10(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, c = o.y, o.x
    cut = next(i for i in range(2, len(o.because) - 1) if o.because[i : i + 2] == (c, a))
    one, two = o.because[:cut], o.because[cut + 1 :]
    text = (
        f"from {a} two ways that may be directed lead to {one[-1]} --> {c} and {two[-1]} --> {c}, "
        f"beginning with {one[1]} and {two[1]}; {a} is no collider between these, so one way is directed"
    )
    ends = [pair for end in (one[-1], two[-1]) for pair in ((end, c), (c, end))]
    return Grounds(text, ((a, c), *ends), ((one[1], two[1]), *_uncovered(one), *_uncovered(two)))


def _m0(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    separating = _separating_set(trace, a, c)
    text = f"{b} is adjacent to {a} and {c}, but not in the set that separates them, {separating}: both cause it"
    return Grounds(text, separations=((a, c),))


def _m1(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = f"{a} --> {b}, and {b} is in the set that separates {a} and {c}: if {c} caused it, it would not be"
    return Grounds(text, ((a, b),), ((a, c),))


def _m2(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    return Grounds(f"{a} --> {b} --> {c}: the other way round there would be a cycle", ((a, b), (b, c)))


def _m3(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c, d = o.because
    text = f"{a} --> {b} <-- {c}: if {b} caused {d}, so would {a} and {c}, but {d} is in the set that separates these"
    return Grounds(text, ((a, b), (c, b)), ((a, c),))


def _m4(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c, d = o.because
    text = f"{c} --> {d} --> {b}: if {b} caused {a}, {a} would cause {c}, in a cycle, or {a} would be a collider"
    return Grounds(text, ((c, d), (d, b)), ((c, b),))


def _k1(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = f"{b} is a cause of {c} or of the selection, and by {a} *-> {b} not of the selection: so {b} --> {c}"
    return Grounds(text, ((a, b), (c, b)))


def _k2(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = f"if {c} caused {a} or the selection, then {c} would {b}, or {b} would {a}, against an arrowhead there"
    return Grounds(text, ((b, a), (b, c), (a, b), (c, b)))


def _k3(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    return Grounds(f"{a} is before {b}, and {b} before {c}", ((b, a), (c, b)))


def _k5(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    text = f"{b} causes {a}, {c} or the selection, so {a} does not cause {b}; known: {known.why_not(a, c)}"
    return Grounds(text, ((c, b),), ((a, c),))


def _k6(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    a, b, c = o.because
    return Grounds(f"{a} causes {b}, so {b} does not cause {c}; known: {known.why_not(a, c)}", ((b, a),))


def _known(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    statement = known.why(o.y, o.x) if o.mark == "-" else known.why_not(o.y, o.x)
    # without latent variables, the mark at one end follows from what is known of the other
    return Grounds(f"known: {statement or known.why_not(o.x, o.y) or known.why(o.x, o.y)}")


def _uncovered(walk: tuple[str, ...] | list[str]) -> tuple[Pair, ...]:
    """The pairs two steps apart on an uncovered walk, which are not adjacent."""
    return tuple((u, w) for (u, _), (_, w) in pairwise(pairwise(walk)))


#: How each rule explains a mark that it has set.
EXPLANATIONS: dict[str, Explain] = {
    "R0": _r0, "R1": _r1, "R2": _r2, "R3": _r3, "R4": _r4, "R5": _r5, "R6": _r6, "R7": _r7, "R8": _r8, "R9": _r9,
    "R10": _r10, "M0": _m0, "M1": _m1, "M2": _m2, "M3": _m3, "M4": _m4,
    "K1": _k1, "K2": _k2, "K3": _k3, "K4": _r3, "K5": _k5, "K6": _k6,
    BY_KNOWLEDGE: _known,
}  # fmt: skip
