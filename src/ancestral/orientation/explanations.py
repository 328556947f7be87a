"""Why each rule sets a mark, in words: the sentence, and the marks and separations that it rests on.

A rule names its witnesses (`Orientation.because`); its premises follow from them. The registry, `rules.RULES`, has the
explanation of each rule beside its kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ancestral.graphs.names import by_name
from ancestral.knowledge import Knowledge
from ancestral.trace import Orientation, Trace

__all__ = [
    "Explain", "Grounds", "by_copy", "by_knowledge", "by_no_path",
    "k1", "k2", "k3", "k5", "k6", "k7", "k8", "k9", "k10", "m0", "m1", "m2", "m3", "m4", "r0", "r1", "r2",
    "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "set_in_words",
]  # fmt: skip

Pair = tuple[str, str]


@dataclass(frozen=True)
class Grounds:
    """A rule's words, and the marks and separations it rests on; a mark (x, y) is the one at y on x–y."""

    text: str
    marks: tuple[Pair, ...] = ()
    separations: tuple[Pair, ...] = ()


#: Explains a mark that a rule has set, with the reasons of the graph and what is known.
Explain = Callable[[Orientation, Trace, Knowledge], Grounds]


def set_in_words(names: frozenset[str]) -> str:
    """A set of variables as text: `{a, b}`."""
    return "{" + ", ".join(sorted(names, key=by_name)) + "}"


def _separating_set(trace: Trace, a: str, b: str) -> str:
    """The set that separates a and b, as text."""
    separation = trace.separation(a, b)
    return set_in_words(separation.given) if separation else "(none known)"


def _agreement(trace: Trace, a: str, b: str, c: str) -> str:
    """The p-values by which it was decided whether b is a collider between a and c, as a clause; empty if by a set."""
    agreed = trace.agreed(a, b, c)
    if agreed is None:
        return ""
    return (
        f"agreed: p = {agreed.p_without:.2g} at most given sets without {b}, p = {agreed.p_with:.2g} given sets with it"
    )


def r0(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R0 set a mark."""
    a, b, c = o.because
    separating = _separating_set(trace, a, c)
    text = f"{b} is adjacent to {a} and {c}, but not in the set that separates them, {separating}: a collider"
    if getattr(trace.separation(a, c), "found_by", None) == "score graph":
        text = f"{b} is adjacent to {a} and {c}, and a collider between them in the graph of the search by score"
    elif agreement := _agreement(trace, a, b, c):
        text = f"{b} is adjacent to {a} and {c}, which are separated, and a collider between them; {agreement}"
    return Grounds(text, separations=((a, c),))


def r1(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R1 set a mark."""
    a, b, c = o.because
    text = f"{a} *-> {b}; {b} is in the set that separates {a} and {c}, so it is not a collider: {b} --> {c}"
    if agreement := _agreement(trace, a, b, c):
        text = f"{a} *-> {b}; {b} is not a collider between {a} and {c}, so {b} --> {c}; {agreement}"
    return Grounds(text, ((a, b),), ((a, c),))


def r2(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R2 set a mark."""
    a, b, c = o.because
    text = (
        f"{a} *-> {b} *-> {c}, and one of the two edges is certainly causal; if {c} caused {a}, one of these "
        "arrowheads would be wrong"
    )
    return Grounds(text, ((a, b), (b, c), (b, a), (c, b)))


def r3(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R3 and K4 set a mark."""
    a, b, c, d = o.because
    text = (
        f"{a} *-> {b} <-* {c}, and {d} is not a collider between {a} and {c}: if {b} caused {d}, it would cause {a} or "
        f"{c}, against the arrowheads at {b}"
    )
    if agreement := _agreement(trace, a, d, c):
        text += f"; {agreement}"
    return Grounds(text, ((a, b), (c, b)), ((a, c),))


def r4(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R4 set a mark."""
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


def r5(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R5 set a mark."""
    ring = [*o.because, *o.because[:2]]
    text = (
        f"around {', '.join(o.because)} none is a collider and none can be skipped, so one arrowhead would force "
        "arrowheads all the way round: a cycle"
    )
    return Grounds(text, separations=_uncovered(ring))


def r6(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R6 set a mark."""
    a, b, _ = o.because
    return Grounds(f"{a} --- {b}: {b} is linked through selection, so no arrowhead can stand at it", ((a, b), (b, a)))


def r7(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R7 set a mark."""
    a, b, c = o.because
    text = f"an arrowhead at {b} from {c} would make {b} --> {a}, against the tail at {a}; {b} is no collider there"
    if agreement := _agreement(trace, a, b, c):
        text += f"; {agreement}"
    return Grounds(text, ((b, a),), ((a, c),))


def r8(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R8 set a mark."""
    a, b, c = o.because
    return Grounds(f"{a} is before {b}, and {b} --> {c}", ((b, a), (a, b), (c, b), (b, c), (a, c)))


def r9(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R9 set a mark."""
    walk = o.because
    text = (
        f"<{', '.join(walk)}> may be directed and cannot be shortened: "
        f"if {walk[0]} did not cause {walk[-1]}, it would be directed"
    )
    return Grounds(text, ((walk[0], walk[-1]),), ((walk[1], walk[-1]), *_uncovered(walk)))


def r10(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why R10 set a mark."""
    a, c = o.y, o.x
    cut = next(i for i in range(2, len(o.because) - 1) if o.because[i : i + 2] == (c, a))
    one, two = o.because[:cut], o.because[cut + 1 :]
    text = (
        f"from {a} two ways that may be directed lead to {one[-1]} --> {c} and {two[-1]} --> {c}, "
        f"beginning with {one[1]} and {two[1]}; {a} is no collider between these, so one way is directed"
    )
    ends = [pair for end in (one[-1], two[-1]) for pair in ((end, c), (c, end))]
    return Grounds(text, ((a, c), *ends), ((one[1], two[1]), *_uncovered(one), *_uncovered(two)))


def m0(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why M0 set a mark."""
    a, b, c = o.because
    separating = _separating_set(trace, a, c)
    text = f"{b} is adjacent to {a} and {c}, but not in the set that separates them, {separating}: both cause it"
    return Grounds(text, separations=((a, c),))


def m1(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why M1 set a mark."""
    a, b, c = o.because
    text = f"{a} --> {b}, and {b} is in the set that separates {a} and {c}: if {c} caused it, it would not be"
    return Grounds(text, ((a, b),), ((a, c),))


def m2(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why M2 set a mark."""
    a, b, c = o.because
    return Grounds(f"{a} --> {b} --> {c}: the other way round there would be a cycle", ((a, b), (b, c)))


def m3(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why M3 set a mark."""
    a, b, c, d = o.because
    text = f"{a} --> {b} <-- {c}: if {b} caused {d}, so would {a} and {c}, but {d} is in the set that separates these"
    return Grounds(text, ((a, b), (c, b)), ((a, c),))


def m4(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why M4 set a mark."""
    a, b, c, d = o.because
    text = f"{c} --> {d} --> {b}: if {b} caused {a}, {a} would cause {c}, in a cycle, or {a} would be a collider"
    return Grounds(text, ((c, d), (d, b)), ((c, b),))


def k1(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K1 set a mark."""
    a, b, c = o.because
    text = f"{b} has an arrowhead from {a}, so its edge with {c}, where it has a tail, is directed: {b} --> {c}"
    return Grounds(text, ((a, b), (c, b)))


def k2(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K2 set a mark."""
    a, b, c = o.because
    text = f"if {c} caused {a}, {c} would also cause {b}, or {b} would also cause {a}; an arrowhead rules that out"
    return Grounds(text, ((b, a), (b, c), (a, b), (c, b)))


def k3(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K3 set a mark."""
    a, b, c = o.because
    return Grounds(f"{a} is before {b}, and {b} before {c}", ((b, a), (c, b)))


def k5(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K5 set a mark."""
    a, b, c = o.because
    text = f"{b} causes {a} or {c}, so {a} does not cause {b}; known: {known.why_not(a, c)}"
    return Grounds(text, ((c, b),), ((a, c),))


def k6(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K6 set a mark."""
    a, b, c = o.because
    return Grounds(f"{a} causes {b}, so {b} does not cause {c}; known: {known.why_not(a, c)}", ((b, a),))


def k7(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K7 set a mark."""
    a, b, c = o.because
    text = f"{b} has an arrowhead from {a}, so it does not cause the selection, and {c}, which has a tail, causes {b}"
    return Grounds(text, ((a, b), (b, c)))


def k8(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K8 set a mark."""
    a, b = o.because
    text = (
        f"{b} does not cause {a}, and nothing unmeasured stands behind the edge; known: {known.why_unconfounded(a, b)}"
    )
    return Grounds(text, ((a, b),))


def k9(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K9 set a mark."""
    c, t, z = o.because
    targets = known.targets_of(c)
    others = "" if len(targets) == 1 else f", and of {set_in_words(frozenset(targets))} only {t} may cause it"
    text = f"{c} is adjacent to {z}, and acts on {z} only through its targets{others}; known: {c} acts on {t} (targets)"
    return Grounds(text, ((t, z), (z, t)))


def k10(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why K10 set a mark."""
    c, t, z, w = o.because
    text = (
        f"{c} is adjacent to {z}, and acts on {z} only through {t}, so something unmeasured stands behind {t} and {z}; "
        f"with an arrowhead at {t}, {w} and {z} could not be separated; known: {c} acts on {t} (targets)"
    )
    return Grounds(text, ((z, t),), ((w, z),))


def by_knowledge(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """The statement from which a mark was known before any rule."""
    statement = known.why(o.y, o.x) or known.why_tail(o.y, o.x) if o.mark == "-" else known.why_not(o.y, o.x)
    # without latent variables, the mark at one end follows from what is known of the other
    return Grounds(f"known: {statement or known.why_not(o.x, o.y) or known.why(o.x, o.y)}")


def _uncovered(walk: tuple[str, ...] | list[str]) -> tuple[Pair, ...]:
    """The pairs two steps apart on an uncovered walk, which are not adjacent."""
    return tuple((u, w) for (u, _), (_, w) in pairwise(pairwise(walk)))


def by_copy(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why a mark was carried from a copy of its pair, in a window of time series."""
    a, b = o.because  # the copy of y and x: the mark is at y
    causes = "causes" if o.mark == "-" else "does not cause"
    return Grounds(f"carried from the copy {a} – {b}: {a} {causes} {b}, and so at every step", ((b, a),))


def by_no_path(o: Orientation, trace: Trace, known: Knowledge) -> Grounds:
    """Why a mark follows since no path could be directed from a copy of one node to that of the other."""
    a, b = o.because
    return Grounds(f"no path can lead from {a} to {b}, so {a} does not cause {b}, nor does {o.y} cause {o.x}")
