"""What a format says and a graph here cannot is refused by name; small texts do not make endless work."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import ancestral as an
from ancestral.graphs import mixed
from ancestral.io.interop import language

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">{}</graph></graphml>'
GROUP = (
    '<node id="g"><data key="d"/><graph edgedefault="directed"><node id="a"/><node id="b"/>'
    '<edge source="a" target="b"/></graph></node><node id="c"/>'
)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (GROUP, "graphs must not be nested, got one inside the node 'g'"),
        (
            '<node id="a"/><node id="b"/><edge source="a" target="b"><graph edgedefault="directed"/></edge>',
            "graphs must not be nested, got one inside the edge 'a', 'b'",
        ),
        (
            '<node id="a"/><node id="b"/><node id="c"/><hyperedge><endpoint node="a"/><endpoint node="b"/>'
            '<endpoint node="c"/></hyperedge>',
            "an edge must join two nodes, got a hyperedge ('a', 'b', 'c')",
        ),
        (
            '<node id="a"/><hyperedge id="h"><endpoint node="a"/></hyperedge>',
            "an edge must join two nodes, got a hyperedge ('h')",
        ),
        (
            '<node id="a"><locator href="other.graphml"/></node>',
            "must be in one file, got a <locator> to another one in the node 'a'",
        ),
        ('<node id="a"/><vertex id="b"/>', "<graph> must hold nodes and edges, got <vertex> ('b')"),
        (
            '<node id="a"/><node id="b"/><edge source="a" target="b" directed="maybe"/>',
            "directed must be true or false, got 'maybe'",
        ),
        (
            '<node id="a"/><node id="b"/><edge source="a" target="b"><data key="mark">circle</data></edge>'
            '<edge source="a" target="b"><data key="mark">tail</data></edge>'
            '<edge source="b" target="a"><data key="mark">tail</data></edge>',
            "arcs with marks must differ, got 'a' -> 'b' twice; keep one",
        ),
    ],
)
def test_graphml_is_read_in_full_or_refused(inside: str, message: str) -> None:
    with pytest.raises(an.GraphError) as error:
        an.from_graphml(GRAPHML.format(inside))
    assert message in str(error.value)


def test_what_graphml_says_to_the_eye_is_left_alone() -> None:
    text = GRAPHML.format(
        '<desc>drawn by hand</desc><data key="x"/><node id="a"><desc/><port name="N"/><data key="y">1</data></node>'
        '<node id="b"/><edge source="a" target="b" directed="true"><desc/></edge>'
    )
    assert an.from_graphml(text) == an.DAG.parse("a --> b")


def test_an_empty_line_does_not_end_a_section_of_tetrad() -> None:
    text = "Graph Nodes:\n\na;b\n\nc\n\nGraph Edges:\n\n1. a --> b\n\n2. b o-> c\n\n"
    assert an.from_tetrad(text) == an.from_tetrad(text + "Ambiguous triples (a list):\n\na, b, c\n")
    assert an.from_tetrad(text) == an.PAG.parse("a --> b, b o-> c")
    with pytest.raises(an.GraphError, match="line 5: 'by' is not an edge"):
        an.from_tetrad("Graph Edges:\n1. a --> b\n\n\nmade by hand\n")


@pytest.mark.parametrize("attribute", ["role=latent", "observed=no", 'label="x"'])
def test_defaults_of_nodes_that_mean_something_are_refused(attribute: str) -> None:
    with pytest.raises(an.GraphError, match=r"line 2: \w+ must be given for each node, got 'node \[\w+=…\]'"):
        an.from_dot(f"digraph {{\n node [shape=box, {attribute}];\n a -> b }}")
    assert an.from_dot(r'digraph { node [shape=box, label="\N"]; node [label=""]; a -> b }') == an.DAG.parse("a -> b")


@pytest.mark.parametrize("text", ["dag { a [latent] a [selected] a -> b }", "dag { a [latent, selected] a -> b }"])
def test_a_node_has_one_role(text: str) -> None:
    with pytest.raises(an.GraphError, match="both latent and"):
        an.from_dagitty(text)


def groups(n: int, edge: str) -> str:
    one, other = (" ".join(f"{letter}{i}" for i in range(n)) for letter in "ab")
    return f"{{{{{one}}} {edge} {{{other}}}}}"


def test_groups_stand_for_all_their_pairs() -> None:
    pairs = [f"a{i} --- b{j}" for i, j in product(range(3), repeat=2)]
    assert an.from_dot("graph " + groups(3, "--")) == an.PAG.parse(", ".join(pairs))
    chained = an.from_dot("digraph { a -> {b c} -> d [arrowhead=odot] }")
    assert chained == an.PAG.parse("a --o b, a --o c, b --o d, c --o d")


def test_a_million_edges_in_a_few_kilobytes_are_read() -> None:
    """Attributes, marks and names are found once for the two groups, and not for each edge."""
    graph = an.from_dot("graph " + groups(500, "--"))
    assert len(graph.nodes) == 1000 and int((graph.marks != 0).sum()) == 2 * 500 * 500


def test_more_edges_than_can_be_read_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        an.GraphError, match="line 1: a text must have at most 10,000,000 edges, got more between the nodes of groups"
    ):
        an.from_dot("graph " + groups(3200, "--"))
    monkeypatch.setattr(language, "MOST_EDGES", 8)
    for read, text in ((an.from_dot, "graph " + groups(3, "--")), (an.from_dagitty, "pag " + groups(3, "@-@"))):
        with pytest.raises(an.GraphError, match=r"must have at most 8 edges.*; write smaller groups"):
            read(text)
    assert an.from_dot("graph {{a b} -- {c d} -- {e f}}").nodes == ("a", "b", "c", "d", "e", "f")


def test_more_nodes_than_a_matrix_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [f"x{i}" for i in range(60_000)]
    reads: tuple[Callable[[], Any], ...] = (
        lambda: an.from_tetrad("Graph Nodes:\n" + ";".join(many)),
        lambda: an.from_dot("graph {" + " ".join(many) + "}"),
        lambda: an.PAG.parse(", ".join(many)),
        lambda: an.DAG.from_edges([], nodes=many),
        lambda: an.PAG(many, 0),
    )
    for read in reads:
        with pytest.raises(an.GraphError, match="a graph must have at most 40,000 nodes, got 60,000"):
            read()
    monkeypatch.setattr(mixed, "MOST_NODES", 2)
    assert an.PAG.parse("a o-o b").nodes == ("a", "b")
    with pytest.raises(an.GraphError, match="nodes, got 3"):
        an.PAG.parse("a o-o b, c")
