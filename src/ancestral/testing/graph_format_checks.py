"""Does a text format of graphs keep its promises? `check_graph_format` tries it with random graphs and hostile names.

Our own formats are held to it in tests/io/test_compliance.py; docs/extending.md has an example of a new one.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from ancestral.errors import AncestralError, GraphError
from ancestral.graphs import DAG, MAG, MixedGraph, mag_of
from ancestral.graphs.marks import SYMBOLS
from ancestral.io.interop.texts import FORMATS, GraphFormat, format_of_content, format_of_name
from ancestral.io.kinds import KINDS, kind_of
from ancestral.printing import shown_type

__all__ = ["HOSTILE_NAMES", "check_graph_format", "random_graph"]

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


def check_graph_format(
    form: GraphFormat, broken: Iterable[tuple[str, int]], *, graphs: int = 40, seed: int = 0
) -> None:
    """Check that a text format of graphs keeps the promises of `GraphFormat`.

    Parameters: `form`, the format. `broken`, texts that are not of the format, each with the number of the line that
    the error must name; at least one. `graphs`, how many random graphs of each kind are tried. `seed`, of the random
    numbers.

    Checked is:

    - a graph of each of `form.kinds` comes back equal, of its kind and with its roles. A plain name is never refused;
      any other comes back, or is refused by a GraphError that shows it;
    - a kind or a role that the format does not claim is refused by a GraphError, and not left out;
    - its texts are recognised by its endings and by their content, and texts of the other formats are not;
    - a text that is not of the format is refused by an error of one line, never by another exception, and each of
      `broken` by a GraphError that names its line;
    - reading and writing execute nothing and open nothing.

    Raises AssertionError, with a sentence, for the first promise that is not kept.
    """
    rng = np.random.default_rng(seed)
    _check_round_trip(form, graphs, rng)
    _check_refuses_what_it_cannot_express(form, rng)
    _check_recognised(form, graphs, rng)
    _check_refuses_broken_texts(form, list(broken), rng)
    _check_executes_nothing(form, rng)


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
        confounded = [(cause, "-->", str(name)) for cause in latent for name in rng.choice(names, 2, replace=False)]
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


# -- the promises -------------------------------------------------------------------------------------------------


def _check_round_trip(form: GraphFormat, graphs: int, rng: np.random.Generator) -> None:
    assert set(form.kinds) <= KINDS.keys(), f"{form.name}: kinds must be among {', '.join(KINDS)}, got {form.kinds}"
    for kind in form.kinds:
        for number in range(graphs):
            plain = number % 2 == 0
            graph = _drawn(form, kind, rng, plain)
            text = _written(form, graph)
            if text is None:
                continue
            assert form.write(SimpleNamespace(pag=graph)) == text, (
                f"{form.name}: write must take an object with a graph as `pag`, as discover() returns it"
            )
            read = _read(form, text, None if form.states_kind else kind)
            assert isinstance(read, MixedGraph), f"{form.name}: read must return a graph, got {shown_type(read)}"
            assert kind_of(read) == kind, f"{form.name}: a {kind.upper()} comes back as {shown_type(read)}: {text!r}"
            assert read == graph, f"{form.name}: {graph!r} comes back as {read!r}"
    for name in HOSTILE_NAMES:
        graph = KINDS[form.kinds[-1]].from_edges([(name, "-->", "other"), ("other", "-->", "third")])
        text = _written(form, graph)
        if text is not None:
            read = _read(form, text, None if form.states_kind else form.kinds[-1])
            assert read == graph, f"{form.name}: the name {name!r} comes back otherwise: {read!r}"


def _check_refuses_what_it_cannot_express(form: GraphFormat, rng: np.random.Generator) -> None:
    for kind, cls in KINDS.items():
        if kind not in form.kinds:
            error = _error(form.write, random_graph(cls, ["a", "b", "c"], rng, ()))
            assert isinstance(error, GraphError), f"{form.name}: a {kind.upper()} must be refused by a GraphError"
    for role in ("latent", "selection"):
        if "dag" in form.kinds and role not in form.roles:
            error = _error(form.write, DAG.from_edges([("a", "-->", "b")], **{role: ["a"]}))
            assert isinstance(error, GraphError), f"{form.name}: a {role} node must be refused by a GraphError"


def _check_recognised(form: GraphFormat, graphs: int, rng: np.random.Generator) -> None:
    formats = {**FORMATS, form.name: form}
    assert form.endings, f"{form.name}: there must be an ending of file names"
    for ending in form.endings:
        found = format_of_name(f"graph{ending}", formats)
        assert found == form.name, f"{form.name}: the ending {ending} is that of {found}; choose another one"
    assert form.head is not None or not form.needs_head or form.name == "text", (
        f"{form.name}: texts must be recognised; give a `head`, or needs_head=False if the ending decides"
    )
    for number in range(graphs):
        graph = _drawn(form, form.kinds[number % len(form.kinds)], rng, plain=False)
        text = _written(form, graph)
        if text is not None:
            # where the ending may decide, it is asked, too
            found = format_of_content(text, "" if form.needs_head else f"graph{form.endings[0]}", formats)
            assert found == form.name, f"{form.name}: its text is recognised as {found}: {text[:200]!r}"
        for other in FORMATS.values():
            foreign = None if other.name == form.name else _written(other, graph)
            if foreign is not None:
                found = format_of_content(foreign, f"graph{other.endings[0]}", formats)
                assert found != form.name, (
                    f"{form.name}: it takes a text of {other.name} for its own: {foreign[:200]!r}"
                )


def _check_refuses_broken_texts(form: GraphFormat, broken: list[tuple[str, int]], rng: np.random.Generator) -> None:
    assert broken, f"{form.name}: pass at least one broken text, with the line of the error"
    for text, line in broken:
        error = _error(form.read, text, None)
        assert error is not None, f"{form.name}: the broken text {text[:200]!r} is read without an error"
        assert isinstance(error, GraphError), f"{form.name}: {text[:200]!r} raises {error!r}, not a GraphError"
        assert f"line {line}" in str(error), f"{form.name}: the error must name line {line} of {text[:200]!r}: {error}"
    graph = random_graph(KINDS[form.kinds[-1]], ["a", "b", "c", "d"], rng, ())
    text = form.write(graph)
    letters = sorted({*text, *"\0\n\r\t\"'\\<>[]{}(),;:-=@#&9x\u202e"})
    stops = sorted({*range(0, len(text), max(1, len(text) // 300))})
    for variant in (*_STRANGE_TEXTS, *(text[:stop] for stop in stops), *_garbled(text, letters, rng)):
        _error(form.read, variant, None)


def _garbled(text: str, letters: list[str], rng: np.random.Generator) -> Iterator[str]:
    """The text with a few characters replaced, removed or added at random, 300 times."""
    for _ in range(300):
        out = list(text)
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(out))) if out else 0
            out[at : at + int(rng.integers(2))] = [str(rng.choice(letters))] * int(rng.integers(2))
        yield "".join(out)


def _check_executes_nothing(form: GraphFormat, rng: np.random.Generator) -> None:
    graphs = [_drawn(form, kind, rng, plain=False) for kind in form.kinds for _ in range(10)]
    texts = [text for graph in graphs if (text := _written(form, graph)) is not None]  # and imports what it needs
    with _recorded_events() as events:
        for graph in graphs:
            _error(form.write, graph)
        for text in (*texts, *_STRANGE_TEXTS):
            _error(form.read, text, None)
    assert not events, f"{form.name}: reading and writing must not run code or open files, and they {events[0]}"


# -- helpers ------------------------------------------------------------------------------------------------------


def _drawn(form: GraphFormat, kind: str, rng: np.random.Generator, plain: bool) -> MixedGraph:
    """A random graph with up to six nodes, with plain names or with hostile ones."""
    count = int(rng.integers(1, 7))
    pool = np.array(_PLAIN_NAMES if plain else HOSTILE_NAMES, dtype=object)
    names = [str(name) for name in rng.choice(pool, count, replace=False)]
    return random_graph(KINDS[kind], names, rng, form.roles)


def _written(form: GraphFormat, graph: MixedGraph) -> str | None:
    """The text of a graph; None if the format refuses one of its names, which it may do if the name is not plain."""
    error: GraphError | None = None
    try:
        text = form.write(graph)
    except GraphError as refusal:
        error = refusal
    if error is not None:
        refused = [name for name in graph.nodes if repr(name)[:30] in str(error)]
        assert refused, f"{form.name}: a graph it claims to express is refused, without the name at fault: {error}"
        plain = [name for name in refused if name in _PLAIN_NAMES]
        assert not plain, f"{form.name}: the plain name {plain[0]!r} is refused: {error}"
        return None
    assert isinstance(text, str), f"{form.name}: write must return a string, got {shown_type(text)}"
    return text


def _read(form: GraphFormat, text: str, kind: str | None) -> MixedGraph:
    try:
        return form.read(text, kind)
    except AncestralError as error:
        raise AssertionError(f"{form.name}: what it writes, it must read; {text[:200]!r} is refused: {error}") from None


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
    assert "\n" not in str(raised), f"an error must have one line, got {str(raised)!r} for {shown}"
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
