"""Every format of the registry keeps the promises that `ancestral.testing` checks; and each check can fail."""

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.io.interop.common import graph_of
from ancestral.io.interop.texts import FORMATS, GraphFormat, format_of_content, format_of_name, read_as, write_as
from ancestral.testing import Check, check_graph_format, checks_of_graph_format

#: Texts that are not of the format, each with the line of the error.
BROKEN = {
    "text": [("a --> b\nb ->", 2), ("a --> b\n\na->b", 3)],
    "dot": [("digraph {\n a -> b\n", 3), ("digraph {\n\n a -- b }", 3), ('digraph {\n "a -> b }', 2)],
    "graphml": [("<graphml>\n<graph", 2), ("<graphml>\n<graph>\n</graphml>", 3)],
    "pcalg": [("a,b\n0,x\n1,0\n", 2), ("a,b\n0,2\n1\n", 3)],
    "tetrad": [("Graph Nodes:\na;b\n\nGraph Edges:\n1. a ~~> b", 5), ("Graph Nodes:\na;;b", 2)],
    "tetrad-json": [('{"nodes": [],\n "edgesSet"', 2)],
    "dagitty": [("pag {\na *-> b }", 2), ("pag {\na @-> \n\n}", 4)],
}


CASES = [(name, check) for name, form in FORMATS.items() for check in checks_of_graph_format(form, BROKEN[name])]


@pytest.mark.parametrize(("name", "check"), CASES, ids=[f"{name}: {check}" for name, check in CASES])
def test_our_formats_keep_their_promises(name: str, check: Check) -> None:
    check()


# -- a format that keeps them, and others that break one promise each -----------------------------------------------


def to_lines(graph: Any) -> str:
    written = graph_of(graph)
    roles = {role: sorted(getattr(written, role, ())) for role in ("latent", "selection")}
    head = ["lines", type(written).__name__.lower(), written.nodes, roles]
    return "\n".join(json.dumps(line) for line in (head, *written.edges()))


def from_lines(text: str, kind: str | None = None) -> MixedGraph:
    number = 0
    try:
        lines = []
        for number, line in enumerate(text.splitlines(), start=1):  # noqa: B007
            lines.append(json.loads(line))
        (_, stated, nodes, roles), *edges = lines
        number = 1
        cls: Any = {"dag": an.DAG, "mag": an.MAG, "cpdag": an.CPDAG, "pag": an.PAG}[kind or stated]
        graph: MixedGraph = cls.from_edges([tuple(edge) for edge in edges], nodes, **(roles if cls is an.DAG else {}))
        return graph
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise an.GraphError(f"line {number}: {' '.join(str(error).split())[:80]}") from None


LINES = GraphFormat("lines", to_lines, from_lines, (".lines",), re.compile(r'\["lines", '))
BROKEN_LINES = [('["lines", "pag", ["a"], {}]\n["a", ', 2)]


def test_a_new_format_that_keeps_them_passes() -> None:
    check_graph_format(LINES, BROKEN_LINES)


def test_a_new_format_is_known_when_it_is_assigned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "lines", LINES)
    graph = an.PAG.parse("a o-> b")
    text = write_as("lines", graph)
    assert format_of_name("graph.lines") == format_of_content(text) == "lines"
    assert read_as("lines", text) == graph


def changed_text(change: Callable[[str], str]) -> Callable[[Any], str]:
    return lambda graph: change(to_lines(graph))


def without_last_edge(text: str, kind: str | None) -> MixedGraph:
    graph = from_lines(text, kind)
    return type(graph).from_edges(graph.edges()[:-1], graph.nodes)


def evaluating(text: str, kind: str | None) -> MixedGraph:
    for name in from_lines(text, kind).nodes:
        with contextlib.suppress(Exception):
            eval(name)
    return from_lines(text, kind)


def opening(text: str, kind: str | None) -> MixedGraph:
    with open("/dev/null"):
        return from_lines(text, kind)


def crashing(text: str, kind: str | None) -> MixedGraph:
    if not text:
        raise IndexError("no first line")
    return from_lines(text, kind)


def refusing(graph: Any) -> str:
    if len(graph_of(graph).nodes) > 3:
        raise an.GraphError("too many nodes")
    return to_lines(graph)


def narrow(graph: Any) -> str:
    if "age" in graph_of(graph).nodes:
        raise an.GraphError("cannot write the name 'age'")
    return to_lines(graph)


def in_two_lines(text: str, kind: str | None) -> MixedGraph:
    try:
        return from_lines(text, kind)
    except an.GraphError as error:
        raise an.GraphError(f"{error}\nsorry") from None


FAULTY: list[tuple[GraphFormat, str]] = [
    (replace(LINES, read=without_last_edge), "comes back as"),
    (replace(LINES, write=changed_text(lambda text: text.replace("o->", "<->"))), "comes back as"),
    (replace(LINES, read=lambda text, kind: from_lines(text, kind or "pag")), "comes back as a PAG"),
    (replace(LINES, write=lambda graph: to_lines(graph).encode()), "write must return a string"),  # type: ignore[arg-type, return-value]
    (replace(LINES, write=lambda graph: to_lines(graph) if isinstance(graph, MixedGraph) else ""), "as `pag`"),
    (replace(LINES, read=lambda text, kind: from_lines(text, kind).edges()), "read must return a graph"),  # type: ignore[arg-type, return-value]
    (replace(LINES, write=changed_text(lambda text: text.replace("two\\nlines", "two lines"))), "comes back"),
    (replace(LINES, write=refusing), "refused, without the name at fault"),
    (replace(LINES, write=narrow), "The plain name 'age' is refused"),
    (replace(LINES, kinds=("pag",)), "A DAG must be refused"),
    (replace(LINES, kinds=("tree",)), "kinds must be among"),
    (replace(LINES, roles=("latent",)), "A selection node must be refused"),
    (replace(LINES, endings=()), "There must be an ending"),
    (replace(LINES, endings=(".csv",)), "The ending .csv is that of pcalg"),
    (replace(LINES, head=None), "Texts must be recognised"),
    (replace(LINES, head=re.compile("lines")), "Its text is recognised as text"),
    (replace(LINES, head=re.compile("")), "takes a text of text for its own"),
    (replace(LINES, read=crashing), "must be refused by a GraphError, got IndexError"),
    (replace(LINES, read=in_two_lines), "An error must have one line"),
    (replace(LINES, read=evaluating), "must not run code or open files, and they raise the audit event 'compile'"),
    (replace(LINES, read=opening), "audit event 'open'"),
]


@pytest.mark.parametrize(("form", "sentence"), FAULTY, ids=[sentence for _, sentence in FAULTY])
def test_a_format_that_breaks_a_promise_is_found_out(form: GraphFormat, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_graph_format(form, BROKEN_LINES)


def test_every_check_can_fail_and_all_failures_are_listed() -> None:
    failed = set()
    for form, _ in FAULTY:
        with pytest.raises(AssertionError) as raised:
            check_graph_format(form, [], graphs=12)
        failed |= {line.removeprefix("- ").split(":")[0] for line in str(raised.value).splitlines()[1:]}
    assert {check.name for check in checks_of_graph_format(LINES, [])} <= failed


def test_checks_hold_without_assert_statements() -> None:
    code = """
from dataclasses import replace
from ancestral.io.interop.texts import FORMATS
from ancestral.testing import check_graph_format
check_graph_format(replace(FORMATS["dot"], read=lambda text, kind: None), [("digraph {", 1)])
"""
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "read must return a graph, got a NoneType" in done.stderr


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ([], "Pass at least one broken text"),
        ([(BROKEN_LINES[0][0], 7)], "The error must name line 7"),
        ([('["lines", "pag", ["a"], {}]', 1)], "is read without an error"),
    ],
)
def test_examples_of_broken_texts_must_be_right(broken: list[tuple[str, int]], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_graph_format(LINES, broken)
