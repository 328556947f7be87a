"""The compliance suite of a text format of graphs: each check tests one promise of `GraphFormat`.

It is tried with random graphs, hostile names, and texts that are cut off or garbled. Our own formats are held to it in
tests/io/test_compliance.py; docs/extending.md has an example of a new one.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from ancestral.errors import AncestralError, GraphError
from ancestral.graphs import DAG, MAG, MixedGraph, mag_of
from ancestral.graphs.marks import SYMBOLS
from ancestral.io.interop.texts import FORMATS, GraphFormat, format_of_content, format_of_name
from ancestral.io.kinds import KINDS, kind_of
from ancestral.printing import shown_type
from ancestral.testing.checks import Check, checks_from, require, suite

__all__ = ["HOSTILE_NAMES", "check_graph_format", "checks_of_graph_format", "random_graph"]

#: Names that break careless writers and readers: quotes, separators, control characters, markup, keywords, code.
HOSTILE_NAMES = (
    "plain", "two words", 'say "hi"', "it's", "back\\slash", "ends in\\", '\\"', "\\\\", "\\n", "\\N", "two\nlines",
    "carriage\rreturn", "tab\there", '"]};//', "/* a */", "# no comment", "<script>alert(1)</script>", "&amp;", "&lt",
    "&#65;", "&#x41;", "R&D", "]]>", "<!-- -->", "{x}|<y>", "a;b,c", "(latent)", "[selected]", "(half", "->", "-->",
    "o-o", "@->", "a -> b", "graph", "node", "edge", "subgraph", "strict", "digraph", "dag", "U(a,b)", "1. x", "12",
    "-3.5", "0", "NA", "TRUE", "\u202eright to left\u202c", "שלום", "👩‍🔬", "ü", "u\u0308", "\u00a0nbsp",
    "zero\u200bwidth", "line\u2028separator", "\ufeffbom", "x" * 200, "kind", "Graph Edges:", "latent:",
    "'; DROP TABLE--", "=1+1", "$(id)", "null", "bell\x07", "nul\x00", "del\x7f", "\ufffe",
    "__import__('os').getpid()", "!!python/object/apply:os.getpid []", "file:///etc/hostname", "{{7*7}}", "%(x)s",
)  # fmt: skip

#: Names that every format must be able to write.
_PLAIN_NAMES = ("x1", "x2", "x10", "age", "Sex", "blood_pressure", "B")

#: Texts of no format at all. A reader must refuse them, or read them, but never crash.
_STRANGE_TEXTS = (
    "", " ", "\n" * 50, "\0", "\ufeff", '"', "a" * 10_000, "9" * 5_000, "[" * 100_000, "{" * 100_000, "(" * 100_000,
    '{"a":' * 100_000, "<a>" * 100_000, "a -> b -> ", "a,b\n0,1\n", "cos\ngetpid\n(tR.",
    '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]><l>&a;</l>',
    '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>',
)  # fmt: skip

#: Audit events of Python that reading and writing a text must not raise: running code, files, processes, network.
_FORBIDDEN = ("compile", "exec", "import", "open", "os.", "shutil.", "subprocess.", "socket.", "urllib.", "ctypes.",
    "pickle.", "marshal.")  # fmt: skip


def checks_of_graph_format(
    form: GraphFormat, broken: Iterable[tuple[str, int]], *, graphs: int = 40, seed: int = 0
) -> Iterator[Check]:
    """The checks of a text format of graphs, each of one promise of `ancestral.io.interop.texts.GraphFormat`.

    Args:
        form: The format.
        broken: Texts that are not of the format, each with the number of the line that the error must name; at least
            one.
        graphs: How many random graphs of each kind are tried.
        seed: That of the random numbers.

    Yields:
        The checks.

    Examples:
        >>> from ancestral.io.interop.texts import FORMATS
        >>> check_graph_format(FORMATS["dot"], [("digraph {\\n a -> b", 2)], graphs=4)
    """
    return checks_from(_CHECKS, _Subject(form, tuple(broken), graphs, seed))


check_graph_format = suite(checks_of_graph_format)


def random_graph(
    kind: type[MixedGraph], names: list[str], rng: np.random.Generator, roles: Iterable[str] = ("latent", "selection")
) -> MixedGraph:
    """A random graph of a kind with these names; in a DAG some nodes have one of these roles."""
    n = len(names)
    edges = {"PAG": SYMBOLS, "MAG": ("-->", "<->"), "CPDAG": ("-->", "---"), "DAG": ("-->",)}[kind.__name__]
    order = rng.permutation(n)
    drawn = [
        (names[order[i]], str(rng.choice(edges)), names[order[j]])
        for i in range(n)
        for j in range(i + 1, n)
        if rng.random() < 0.5
    ]
    if kind is MAG:
        latent = [cause for cause in (f"L{i}" for i in range(n)) if cause not in names] if n > 1 else []
        confounded = [(cause, "-->", names[i]) for cause in latent for i in rng.choice(n, 2, replace=False)]
        directed = [(a, "-->", b) for a, _, b in drawn]
        return mag_of(DAG.from_edges([*directed, *confounded], [*names, *latent], latent=latent))
    if kind is DAG:
        choices = ["", *roles]
        chances = [1.0] if len(choices) == 1 else [0.6, *([0.4 / (len(choices) - 1)] * (len(choices) - 1))]
        chosen = rng.choice(choices, n, p=chances)
        return DAG.from_edges(
            drawn,
            names,
            **{role: [name for name, has in zip(names, chosen, strict=True) if has == role] for role in choices[1:]},
        )
    return kind.from_edges(drawn, names)


# -- what is checked --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Subject:
    """A format, examples of texts that it must refuse, and how many graphs to try it with."""

    form: GraphFormat
    broken: tuple[tuple[str, int], ...]
    graphs: int
    seed: int

    def rng(self) -> np.random.Generator:
        """The random numbers of a check, which do not depend on the checks that were run before."""
        return np.random.default_rng(self.seed)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of graphs that the format claims to express."""
        kinds = tuple(self.form.kinds)
        require(bool(kinds) and set(kinds) <= KINDS.keys(), f"kinds must be among {', '.join(KINDS)}, got {kinds}.")
        return kinds

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of file names."""
        require(len(self.form.endings) > 0, "There must be an ending of file names.")
        return self.form.endings

    @property
    def formats(self) -> dict[str, GraphFormat]:
        """The registry with this format."""
        return {**FORMATS, self.form.name: self.form}

    def drawn(self, kind: str, rng: np.random.Generator, *, plain: bool = False) -> MixedGraph:
        """A random graph with up to six nodes, with plain names or with hostile ones."""
        count = int(rng.integers(1, 7))
        pool = np.array(_PLAIN_NAMES if plain else HOSTILE_NAMES, dtype=object)
        names = [str(name) for name in rng.choice(pool, count, replace=False)]
        return random_graph(KINDS[kind], names, rng, self.form.roles)

    def read(self, text: str, kind: str) -> MixedGraph:
        """The graph of a text that the format has written; the reader is told its kind only if the text does not."""
        form = self.form
        try:
            return form.read(text, None if form.states_kind else kind)
        except AncestralError as error:
            raise AssertionError(f"What it writes, it must read; {text[:200]!r} is refused: {error}.") from None


def _written(form: GraphFormat, graph: MixedGraph) -> str | None:
    """The text of a graph; None if the format refuses one of its names, which it may do if the name is not plain."""
    try:
        text = form.write(graph)
    except GraphError as error:
        refused = [name for name in graph.nodes if repr(name)[:30] in str(error)]
        require(bool(refused), f"A graph it claims to express is refused, without the name at fault: {error}.")
        plain = [name for name in refused if name in _PLAIN_NAMES]
        require(not plain, f"The plain name {''.join(plain[:1])!r} is refused: {error}.")
        return None
    require(isinstance(text, str), f"write must return a string, got {shown_type(text)}.")
    return text


# -- graphs come back, or are refused ---------------------------------------------------------------------------------


def _round_trip(subject: _Subject) -> None:
    """A graph of each of `kinds` comes back equal, of its kind and with its roles; a plain name is never refused."""
    rng = subject.rng()
    for kind in subject.kinds:
        for number in range(subject.graphs):
            graph = subject.drawn(kind, rng, plain=number % 2 == 0)
            text = _written(subject.form, graph)
            if text is None:
                continue
            read = subject.read(text, kind)
            require(isinstance(read, MixedGraph), f"read must return a graph, got {shown_type(read)}.")
            require(kind_of(read) == kind, f"A {kind.upper()} comes back as {shown_type(read)}: {text!r}.")
            require(read == graph, f"{graph!r} comes back as {read!r}.")


def _results(subject: _Subject) -> None:
    """write takes an object with a graph as `pag`, as discover() returns it, and writes that graph."""
    for kind in subject.kinds:
        graph = subject.drawn(kind, subject.rng(), plain=True)
        text = subject.form.write(SimpleNamespace(pag=graph))
        require(text == _written(subject.form, graph), f"The text of an object with {graph!r} as `pag` is {text!r}.")


def _hostile_names(subject: _Subject) -> None:
    """Every name comes back, or is refused by a GraphError that shows it."""
    kind = subject.kinds[-1]
    for name in HOSTILE_NAMES:
        graph = KINDS[kind].from_edges([(name, "-->", "other"), ("other", "-->", "third")])
        text = _written(subject.form, graph)
        if text is not None:
            read = subject.read(text, kind)
            require(read == graph, f"The name {name!r} comes back otherwise: {read!r}.")


def _inexpressible(subject: _Subject) -> None:
    """A kind of graph or a role of nodes that the format does not claim is refused by a GraphError, not left out."""
    rng = subject.rng()
    for kind, cls in KINDS.items():
        if kind not in subject.kinds:
            error = _error(subject.form.write, random_graph(cls, ["a", "b", "c"], rng, ()))
            require(isinstance(error, GraphError), f"A {kind.upper()} must be refused by a GraphError, got {error!r}.")
    for role in ("latent", "selection"):
        if "dag" in subject.kinds and role not in subject.form.roles:
            error = _error(subject.form.write, DAG.from_edges([("a", "-->", "b")], **{role: ["a"]}))
            require(isinstance(error, GraphError), f"A {role} node must be refused by a GraphError, got {error!r}.")


# -- texts are recognised ---------------------------------------------------------------------------------------------


def _endings(subject: _Subject) -> None:
    """The endings of file names are those of no other format."""
    for ending in subject.endings:
        found = format_of_name(f"graph{ending}", subject.formats)
        require(found == subject.form.name, f"The ending {ending} is that of {found}; choose another one.")


def _own_texts(subject: _Subject) -> None:
    """A text of the format is recognised by its content; where `needs_head` is False, with the help of its ending."""
    form, rng = subject.form, subject.rng()
    require(
        form.head is not None or not form.needs_head or form.name == "text",
        "Texts must be recognised; give a `head`, or needs_head=False if the ending decides.",
    )
    for number in range(subject.graphs):
        text = _written(form, subject.drawn(subject.kinds[number % len(subject.kinds)], rng))
        if text is not None:
            found = format_of_content(text, "" if form.needs_head else f"graph{subject.endings[0]}", subject.formats)
            require(found == form.name, f"Its text is recognised as {found}: {text[:200]!r}.")


def _foreign_texts(subject: _Subject) -> None:
    """A text of another format is not taken for one of this format."""
    rng = subject.rng()
    for number in range(subject.graphs):
        graph = subject.drawn(subject.kinds[number % len(subject.kinds)], rng)
        for other in FORMATS.values():
            foreign = None if other.name == subject.form.name else _written(other, graph)
            if foreign is not None:
                found = format_of_content(foreign, f"graph{other.endings[0]}", subject.formats)
                own = found == subject.form.name
                require(not own, f"It takes a text of {other.name} for its own: {foreign[:200]!r}.")


# -- texts are refused ------------------------------------------------------------------------------------------------


def _broken_texts(subject: _Subject) -> None:
    """Each of the broken texts is refused by a GraphError that names its line."""
    require(len(subject.broken) > 0, "Pass at least one broken text, with the line of the error.")
    for text, line in subject.broken:
        error = _error(subject.form.read, text, None)
        require(error is not None, f"The broken text {text[:200]!r} is read without an error.")
        require(isinstance(error, GraphError), f"{text[:200]!r} raises {error!r}, not a GraphError.")
        require(f"line {line}" in str(error), f"The error must name line {line} of {text[:200]!r}: {error}.")


def _damaged_texts(subject: _Subject) -> None:
    """A text that is cut off, garbled or of no format is read or refused by an error of one line; nothing else."""
    rng = subject.rng()
    text = subject.form.write(random_graph(KINDS[subject.kinds[-1]], ["a", "b", "c", "d"], rng, ()))
    letters = sorted({*text, *"\0\n\r\t\"'\\<>[]{}(),;:-=@#&9x\u202e"})
    stops = sorted({*range(0, len(text), max(1, len(text) // 300))})
    for variant in (*_STRANGE_TEXTS, *(text[:stop] for stop in stops), *_garbled(text, letters, rng)):
        _error(subject.form.read, variant, None)


def _garbled(text: str, letters: list[str], rng: np.random.Generator) -> Iterator[str]:
    """The text with a few characters replaced, removed or added at random, 300 times."""
    for _ in range(300):
        out = list(text)
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(out))) if out else 0
            out[at : at + int(rng.integers(2))] = [str(rng.choice(letters))] * int(rng.integers(2))
        yield "".join(out)


def _nothing_executed(subject: _Subject) -> None:
    """Reading and writing run no code and open no files."""
    form, rng = subject.form, subject.rng()
    graphs = [subject.drawn(kind, rng) for kind in subject.kinds for _ in range(10)]
    texts = [text for graph in graphs if (text := _written(form, graph)) is not None]

    def use() -> None:
        for graph in graphs:
            _error(form.write, graph)
        for text in (*texts, *_STRANGE_TEXTS):
            _error(form.read, text, None)

    use()  # and import what they need
    with _recorded_events() as events:
        use()
    require(not events, f"They must not run code or open files, and they {' '.join(events[:1])}.")


def _error(function: Callable[..., Any], *arguments: Any) -> AncestralError | None:
    """The error that a call raises, if it is one of ours and of one line; None if there is none."""
    shown = repr(arguments[0])[:200]
    raised: AncestralError | None = None
    try:
        function(*arguments)
    except AncestralError as error:
        raised = error
    except Exception as error:
        raise AssertionError(f"{shown} must be refused by a GraphError, got {type(error).__name__}: {error}") from error
    require("\n" not in str(raised), f"An error must have one line, got {str(raised)!r} for {shown}.")
    return raised


_events: list[str] | None = None
_thread = 0


def _record(event: str, arguments: tuple[Any, ...]) -> None:
    if _events is not None and threading.get_ident() == _thread and event.startswith(_FORBIDDEN):
        _events.append(f"raise the audit event {event!r} {arguments!r}"[:200])


@contextmanager
def _recorded_events() -> Iterator[list[str]]:
    """The forbidden audit events of this thread inside the block."""
    global _events, _thread
    if not hasattr(_record, "installed"):  # a hook cannot be removed, so there is one, which is idle most of the time
        sys.addaudithook(_record)
        _record.installed = True  # type: ignore[attr-defined]
    _events, _thread = [], threading.get_ident()
    try:
        yield _events
    finally:
        _events = None


_CHECKS: tuple[Callable[[_Subject], None], ...] = (
    _round_trip,
    _results,
    _hostile_names,
    _inexpressible,
    _endings,
    _own_texts,
    _foreign_texts,
    _broken_texts,
    _damaged_texts,
    _nothing_executed,
)
