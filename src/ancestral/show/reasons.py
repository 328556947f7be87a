"""Why a mark or a missing edge is what it is: reasons, unfolded back to the separations that they rest on.

Each rule explains its mark by premises (`orientation.explanations`): marks that were there before, and pairs that are
not adjacent because they were separated. So a reason unfolds into a tree whose leaves are separations.

Of a graph that was found without asking questions, the separations are those that the graph implies, and the algorithm
may have added notes. A search that asks within a graph by score has separations of both kinds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import CIRCLE, parse_symbol
from ancestral.graphs.names import by_name
from ancestral.knowledge import Knowledge
from ancestral.notebook import answer_html
from ancestral.orientation.explanations import set_in_words
from ancestral.orientation.rules import BY_KNOWLEDGE, EXPLANATIONS
from ancestral.printing import counted, visible
from ancestral.show.evidence_words import Question
from ancestral.show.explain import mark_in_words
from ancestral.trace import Note, Orientation, Separation, Trace

__all__ = [
    "GRAPH_SENTENCES", "NO_GRAPH_SENTENCES", "SENTENCES", "Backdrop", "Explanation", "Premises", "Reasons", "Step",
    "explain", "explain_design", "explain_graph", "noted",
]  # fmt: skip

Pair = tuple[str, str]
AskedOf = Callable[[str, str], Question]

#: Sentences about pairs; the report fills in the same ones.
SENTENCES = {
    "edge": "{a} {edge} {b}: dependent given every set asked up to radius {radius}{closest}.",
    "edge, in part": (
        "{a} {edge} {b}: dependent given every set asked up to radius {radius} for which these data have an "
        "answer{closest}. {questions} about it could not be told from these data (they are too few, or given variables "
        "determine each other), and might have removed the edge."
    ),
    "edge, untold": (
        "{a} {edge} {b}: could not be told from these data: none of {questions} up to radius {radius} has an answer "
        "(they are too few, or given variables determine each other), so the edge stays without evidence."
    ),
    "edge, in part of tables": (
        "{a} {edge} {b}: dependent given every set asked up to radius {radius} for which some table has an "
        "answer{closest}. {questions} about it could not be told, since no table has all their columns, or too few "
        "rows, and might have removed the edge."
    ),
    "edge, untold of tables": (
        "{a} {edge} {b}: could not be told from these tables: none of {questions} up to radius {radius} has an answer "
        "(too few rows have both), so the edge stays without evidence."
    ),
    "edge, never": (
        "{a} {edge} {b}: never measured together: no table has both, so nobody could ask, and whether there is an edge "
        "is open."
    ),
    "closest": "; closest to independent given {given}: {words}",
    "required": "{a} {edge} {b}: known to be adjacent, whatever the data say (required).",
    "target": "{a} {edge} {b}: known to be adjacent, whatever the data say (targets).",
    "designed": (
        "{a} and {b} were set by the design of the study: whether they depend on each other was not asked (contexts)."
    ),
    "no edge": "No edge between {a} and {b}.",
    "known no edge": (
        "No edge between {a} and {b}: known not to be adjacent (no_edge); no separating set was asked for."
    ),
    "no set": "{a} and {b} are not adjacent, without a separating set.",
    "separation": "{a} and {b} are independent given {given} (found at radius {radius}{words}).{how}",
    "score graph": (
        "{a} and {b} are independent given {given} by the graph of the search by score, which does not join them "
        "(implied{words})."
    ),
    "words": "; {words}",
    "in the data": "; {words} in the data",
    "weakest": "The weakest link: that {a} and {b} are independent given {given}, {words} (alpha {alpha}).",
    "search": "",
    "collider check": " Found while checking a collider.",
    "path check": " Found while checking a discriminating path.",
    "context check": " Found while checking what a context acts on.",
    "copy": " Carried from a copy of the pair, which the same nodes separate, moved along with it.",
    "fdr": (
        "{a} and {b} count as independent given {given} (the set that came closest{words}): among so many pairs, the "
        "control of false discoveries does not keep this edge."
    ),
}

#: The same for a graph that was found without asking questions; "noted" ones where the algorithm has a reason.
GRAPH_SENTENCES = {
    "edge": "{a} {edge} {b}: the graph that was found has this edge.",
    "edge, noted": "{a} {edge} {b}: kept: {note}.",
    "required": SENTENCES["required"],
    "target": SENTENCES["target"],
    "designed": (
        "{a} and {b} were set by the design of the study: the graph does not tell whether they depend on each other "
        "(contexts)."
    ),
    "no edge": "No edge between {a} and {b}.",
    "no edge, noted": "No edge between {a} and {b}: {note}.",
    "known no edge": "No edge between {a} and {b}: known not to be adjacent (no_edge).",
    "no set": "{a} and {b} are not adjacent in the graph that was found.",
    "separation": "{a} and {b} are independent given {given} by the graph (implied{words}).",
    "in the data": SENTENCES["in the data"],
}

#: The same before any graph was found: all pairs are joined.
NO_GRAPH_SENTENCES = {**GRAPH_SENTENCES, "edge": "{a} {edge} {b}: no graph was found yet, so nothing is known."}


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of an explanation.

    `kind` is "action", "edge", "no edge", "mark", "open mark", "separation", "note", "weakest", "certainty", "remark",
    "design" or "caveat". `depth` 0 is the answer itself, each further depth what the step above it rests on. `pair` is
    the pair it is about; a mark is the one at the second node. `rule` and `because` belong to marks, `given`, `radius`
    and `p_value` to separations; one that a graph implies has no radius, and an oracle has no p-value.
    """

    kind: str
    depth: int
    pair: Pair
    text: str
    rule: str | None = None
    because: tuple[str, ...] = ()
    given: frozenset[str] | None = None
    radius: int | None = None
    p_value: float | None = None


@dataclass(frozen=True)
class Explanation:
    """The answer to "why": `steps` as data, and as sentences when printed; `graph` is what it is about, if known."""

    steps: tuple[Step, ...]
    graph: PAG | None = field(default=None, repr=False, compare=False)

    def with_remarks(self, pair: Pair, sentences: Iterable[str]) -> "Explanation":
        """The same, followed by sentences about the pair."""
        return Explanation((*self.steps, *(Step("remark", 0, pair, text) for text in sentences)), self.graph)

    def __str__(self) -> str:
        return "\n".join("  " * step.depth + visible(step.text) for step in self.steps)

    def _repr_html_(self) -> str:
        """What printing shows, and the part of the graph that it rests on; for notebooks."""
        return answer_html(str(self), picture=self._picture())

    def _picture(self) -> str | None:
        if self.graph is None:
            return None
        from ancestral.show.premises import premises_picture

        names = {name for step in self.steps for name in (*step.pair, *step.because, *(step.given or ()))}
        return premises_picture(self.graph, names, self.steps[0].pair)


@dataclass(frozen=True)
class Backdrop:
    """What an explanation draws on beside the graph and its trace.

    - `asked_of`: the decisive question about a pair; of a graph that was found without asking, about the separation
      that it implies.
    - `selection`: the sample may have been selected; `alpha`: the significance level, None for an oracle.
    - `certainties`: sentences about the pair that is explained, which come after the reasons.
    - `action`: what one of the pair does to the other, which comes first; empty if neither was set from outside.
    """

    asked_of: AskedOf
    knowledge: Knowledge | None = None
    selection: bool = True
    alpha: float | None = None
    certainties: tuple[str, ...] = ()
    action: str = ""

    def reasons(self, pag: PAG, trace: Trace) -> "Reasons":
        """The reasons of the marks of a graph."""
        return Reasons(pag, trace, self.knowledge, self.selection)

    def beginning(self, a: str, b: str) -> tuple[Step, ...]:
        """The steps that come before the reasons."""
        return (Step("action", 0, (a, b), self.action),) if self.action else ()

    def ending(self, a: str, b: str) -> tuple[Step, ...]:
        """The steps that come after the reasons."""
        return tuple(Step("certainty", 0, (a, b), sentence) for sentence in self.certainties)


def explain(pag: PAG, trace: Trace, a: str, b: str, backdrop: Backdrop, *, radius: int) -> Explanation:
    """Why there is no edge between a and b, or why the edge has the marks it has, at a stage of this radius.

    On data, the last of the reasons tells which separation is the weakest link: the one whose p-value is nearest to
    the significance level.
    """
    words = _FromQuestions(radius, backdrop.asked_of)
    steps = tuple(_Unfolding(backdrop.reasons(pag, trace), words).steps(a, b))
    weakest = () if backdrop.alpha is None or pag.edge(a, b) is None else words.weakest(steps, backdrop.alpha)
    return Explanation((*backdrop.beginning(a, b), *steps, *weakest, *backdrop.ending(a, b)), pag)


def explain_design(a: str, b: str, *, asks: bool) -> Explanation:
    """The answer about two contexts whose relation was designed; `asks`: the search asked questions, but not this."""
    text = (SENTENCES if asks else GRAPH_SENTENCES)["designed"].format(a=a, b=b)
    return Explanation((Step("design", 0, (a, b), text, rule=BY_KNOWLEDGE),))


def explain_graph(
    pag: PAG, trace: Trace, a: str, b: str, backdrop: Backdrop, *, begun: bool = True, caveat: str = ""
) -> Explanation:
    """The same for a graph that was found without asking questions; `begun` says whether any was found.

    `caveat` is a sentence that comes last; none if it is empty.
    """
    words = _FromGraph(backdrop.asked_of, GRAPH_SENTENCES if begun else NO_GRAPH_SENTENCES)
    steps = tuple(_Unfolding(backdrop.reasons(pag, trace), words).steps(a, b))
    last = (Step("caveat", 0, (a, b), caveat),) if caveat and begun else ()
    return Explanation((*backdrop.beginning(a, b), *steps, *backdrop.ending(a, b), *last), pag)


class _FromQuestions:
    """Words about pairs, where questions were asked up to this radius."""

    sentences: Mapping[str, str] = SENTENCES

    def __init__(self, radius: int, asked_of: AskedOf) -> None:
        self.radius = radius
        self._asked_of = asked_of

    def kept(self, a: str, b: str) -> tuple[str, dict[str, object]]:
        """The sentence about an edge, and what it says of the questions; of an oracle nothing of the closest one."""
        question = self._asked_of(a, b)
        closest = ""
        if question.words:
            closest = self.sentences["closest"].format(given=_given(frozenset(question.given)), words=question.words)
        asked = {"radius": self.radius, "closest": closest, "questions": counted(question.unanswered, "question")}
        return question.kept, asked

    def separation(self, separation: Separation, pair: Pair, depth: int, *, asked_about: bool) -> Step:
        """How a pair was separated; `asked_about`: it is the pair that is explained."""
        if separation.found_by == "score graph":
            return self.implied("score graph", separation, pair, depth)
        question = self._asked_of(*pair)
        by_control = separation.found_by == "fdr"
        text = self.sentences["fdr" if by_control else "separation"].format(
            a=pair[0],
            b=pair[1],
            given=_given(separation.given),
            radius=separation.radius,
            words=question.words and self.sentences["words"].format(words=question.words),
            how=self.sentences[separation.found_by] if asked_about and not by_control else "",
        )
        p_value = question.p_value if question.words else None
        return Step("separation", depth, pair, text, given=separation.given, radius=separation.radius, p_value=p_value)

    def implied(self, sentence: str, separation: Separation, pair: Pair, depth: int) -> Step:
        """How a graph separates a pair, in this sentence."""
        question = self._asked_of(*pair)
        words = question.words and self.sentences["in the data"].format(words=question.words)
        text = self.sentences[sentence].format(a=pair[0], b=pair[1], given=_given(separation.given), words=words)
        p_value = question.p_value if question.words else None
        return Step("separation", depth, pair, text, given=separation.given, p_value=p_value)

    def weakest(self, steps: Iterable[Step], alpha: float) -> tuple[Step, ...]:
        """The separation with the smallest p-value among these steps, as a step of its own, if there is any."""
        found = [step for step in steps if step.kind == "separation" and step.p_value is not None]
        if not found:
            return ()
        weakest = min(found, key=lambda step: step.p_value or 0.0)
        a, b = weakest.pair
        given, words = _given(weakest.given or frozenset()), self._asked_of(a, b).words
        text = self.sentences["weakest"].format(a=a, b=b, given=given, words=words, alpha=f"{alpha:g}")
        return (Step("weakest", 0, weakest.pair, text, given=weakest.given, p_value=weakest.p_value),)


class _FromGraph(_FromQuestions):
    """Words about pairs, where a graph implies separations."""

    def __init__(self, asked_of: AskedOf, sentences: Mapping[str, str]) -> None:
        super().__init__(0, asked_of)  # no sentence has a place for a radius
        self.sentences = sentences

    def kept(self, a: str, b: str) -> tuple[str, dict[str, object]]:
        """The sentence about an edge, which rests on no question."""
        return "edge", {}

    def separation(self, separation: Separation, pair: Pair, depth: int, *, asked_about: bool) -> Step:
        """How the graph separates a pair."""
        return self.implied("separation", separation, pair, depth)


def _given(names: frozenset[str]) -> str:
    return set_in_words(names) if names else "nothing"


def noted(note: Note) -> str:
    """The words of a note, without a full stop."""
    return note.text.rstrip(".")


@dataclass(frozen=True)
class Premises:
    """Why one mark is there, and the marks and pairs that this rests on."""

    text: str
    orientation: Orientation
    marks: tuple[Pair, ...]
    separations: tuple[Pair, ...]


class Reasons:
    """The reason of each mark of a graph, one step deep."""

    def __init__(self, pag: PAG, trace: Trace, knowledge: Knowledge | None = None, selection: bool = True) -> None:
        self.pag = pag
        self.selection = selection and not isinstance(pag, CPDAG)
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
        claim = mark_in_words(y, mark, x, selection=self.selection)
        # of the marks that a rule could rest on, only those count that were there before it
        earlier = tuple(m for m in grounds.marks if m in self._turn and self._turn[m] < self._turn[x, y])
        separated = tuple(pair for pair in grounds.separations if self.trace.separation(*pair) is not None)
        return Premises(f"{claim}: {grounds.text} ({orientation.rule})", orientation, earlier, separated)

    def undecided(self, x: str, y: str) -> str:
        """Why no rule has set a mark at y on x–y: none proposed one, or the answers contradict each other.

        A mark of a graph that was found without asking questions need not come from a rule.
        """
        edge = str(self.pag.edge(x, y))
        mark = parse_symbol(edge)[1]
        is_open = edge == "---" if isinstance(self.pag, CPDAG) else mark == CIRCLE
        if not is_open:
            claim = mark_in_words(y, mark, x, selection=self.selection)
            return f"{claim}: the graph that was found says so."
        asked = [c for c in self.trace.conflicts if {c.x, c.y} == {x, y}]
        why = "no rule decides it"
        if asked:
            wishes = ", ".join(f"{c.rule}: {c.x} {c.edge} {c.y}" for c in asked)
            why = f"the answers contradict each other ({wishes})"
        return f"Whether {y} causes {x} is open: {why}."


class _Unfolding:
    """Unfolds reasons into steps, in these words; each premise is shown once."""

    def __init__(self, reasons: Reasons, words: _FromQuestions) -> None:
        self.reasons = reasons
        self.words = words
        self.shown: set[tuple[str, Pair]] = set()

    def steps(self, a: str, b: str) -> Iterator[Step]:
        """Why there is no edge between a and b, or why the edge has the marks it has."""
        edge, known = self.reasons.pag.edge(a, b), self.reasons.known
        if edge is None:
            yield from self.missing(a, b)
            return
        kept, values = self.words.kept(a, b)
        for what, stated in (("target", known.target_pairs), ("required", known.required)):
            if (a, b) in stated or (b, a) in stated:
                kept, values = what, {}
        yield Step("edge", 0, (a, b), self.sentence(kept, a, b, edge=edge, **values))
        for x, y in ((b, a), (a, b)):
            if self.reasons.trace.orientation(x, y) is None:
                mark = iter([Step("open mark", 1, (x, y), self.reasons.undecided(x, y))])
            else:
                mark = self.mark(x, y)
            yield from islice(mark, 1)
            note = self.reasons.trace.note("mark", x, y)
            if note is not None:
                yield Step("note", 2, (x, y), f"{noted(note)}.")
            yield from mark

    def sentence(self, what: str, a: str, b: str, **values: object) -> str:
        """A sentence about a pair, with the note about it if there is one."""
        sentences = self.words.sentences
        note = self.reasons.trace.note("edge" if what == "edge" else "no edge", a, b)
        if note is not None and f"{what}, noted" in sentences:
            return sentences[f"{what}, noted"].format(a=a, b=b, note=noted(note), **values)
        return sentences[what].format(a=a, b=b, **values)

    def missing(self, a: str, b: str) -> Iterator[Step]:
        """Why there is no edge between a and b."""
        trace, known = self.reasons.trace, self.reasons.known
        if (a, b) in known.no_edge or (b, a) in known.no_edge:
            yield Step("no edge", 0, (a, b), self.sentence("known no edge", a, b), rule=BY_KNOWLEDGE)
            return
        separation = trace.separation(a, b)
        if separation is None:
            what = "no set" if trace.note("no edge", a, b) is None else "no edge"
            yield Step("no edge", 0, (a, b), self.sentence(what, a, b))
            return
        yield Step("no edge", 0, (a, b), self.sentence("no edge", a, b))
        yield self.words.separation(separation, (a, b), 1, asked_about=True)

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
            yield self.words.separation(separation, pair, depth, asked_about=False)
