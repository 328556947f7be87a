"""What goes out comes back, or is refused by name."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.io.interop.texts import FORMATS, GraphFormat, format_of_content, format_of_name, read_as, write_as
from tests.support.named_graphs import HOSTILE, graphs, named

DOCS = Path(__file__).parents[2] / "docs"
KINDS = [an.DAG, an.MAG, an.CPDAG, an.PAG]
PAIRS: dict[str, tuple[Callable[[Any], Any], Callable[..., MixedGraph]]] = {
    **{form: (known.write, known.read) for form, known in FORMATS.items()},
    "networkx": (an.to_networkx, an.from_networkx),
    "pcalg matrix": (an.to_pcalg, lambda written, kind=None: an.from_pcalg(written[0], written[1], kind)),
}
#: The roles of nodes that each can express, and those that state no kind.
ROLES = {
    **{form: known.roles for form, known in FORMATS.items()},
    "networkx": ("latent", "selection"),
    "pcalg matrix": (),
}
WITHOUT_KIND = {*(form for form, known in FORMATS.items() if not known.states_kind), "pcalg matrix"}
#: Formats whose texts have a closing sign, or a length that is known beforehand: half a text is none.
CLOSED = {"dot", "graphml", "pcalg", "tetrad-json", "dagitty"}


def suffix_of(form: str) -> str:
    """The end of the names of the functions that write and read a format."""
    return {"pcalg": "pcalg_csv", "pcalg matrix": "pcalg"}.get(form, form.replace("-", "_"))


def refuses_names(form: str) -> bool:
    """Whether the page says that the format refuses some names."""
    row = re.search(rf"^.*`to_{suffix_of(form)}`, .*$", (DOCS / "interop.md").read_text(encoding="utf-8"), re.MULTILINE)
    return row is not None and not row[0].endswith("| none |")


#: Formats that have no way to write some names.
NARROW = {form for form in PAIRS if refuses_names(form)}


def attempt(do: Callable[..., Any], *given: Any) -> tuple[Any, str]:
    """What comes out, or how it is refused."""
    try:
        return do(*given), ""
    except an.AncestralError as error:
        return None, str(error)


@pytest.mark.parametrize("form", PAIRS)
@given(graph=graphs())
@settings(max_examples=150, deadline=None)
def test_what_goes_out_comes_back_or_is_refused(form: str, graph: MixedGraph) -> None:
    write, read = PAIRS[form]
    if form == "text" and not graph.nodes:
        return
    written, refusal = attempt(write, graph)
    if refusal:
        assert "cannot" in refusal
        assert refusable(form, graph)
        return
    kind = type(graph).__name__ if form in WITHOUT_KIND else None
    assert read(written, kind) == graph
    assert read(written, kind).nodes == graph.nodes or form == "text"


def refusable(form: str, graph: MixedGraph) -> bool:
    """Whether the format has a reason to refuse: a name, or a role."""
    if form in NARROW and any(not name.isidentifier() or name in ("graph", "node") for name in graph.nodes):
        return True
    return any(getattr(graph, role, ()) for role in ("latent", "selection") if role not in ROLES[form])


@pytest.mark.parametrize("form", PAIRS)
@given(graph=graphs(plain=True))
@settings(max_examples=60, deadline=None)
def test_plain_names_are_never_refused(form: str, graph: MixedGraph) -> None:
    if set(graph.nodes) & {"graph", "node"} or (form == "text" and not graph.nodes):
        return
    if not refusable(form, graph):
        write, read = PAIRS[form]
        assert read(write(graph), type(graph).__name__) == graph


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", PAIRS)
def test_a_hostile_name_comes_back_or_is_refused_by_name(form: str, name: str) -> None:
    write, read = PAIRS[form]
    pag = an.PAG.from_edges([(name, "o->", "other"), ("other", "---", "third")])
    written, refusal = attempt(write, pag)
    if refusal:
        assert form in NARROW
        assert repr(name)[:30] in refusal
        assert "\n" not in refusal
        return
    assert read(written, None) == pag


@pytest.mark.parametrize(
    ("form", "refused"),
    [
        ("text", 0),
        ("dot", 0),
        ("pcalg", 0),
        ("tetrad-json", 0),
        # bell, NUL, U+FFFE: XML has no way to write them
        ("graphml", 3),
        # three with line ends or tabs, three with other control characters, two that end in a backslash, graph, node
        ("dagitty", 3 + 3 + 2 + 2),
    ],
)
def test_few_hostile_names_are_refused(form: str, refused: int) -> None:
    refusals = [attempt(write_as, form, an.PAG.from_edges([], [name]))[1] for name in HOSTILE]
    assert sum(map(bool, refusals)) == refused


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [form for form in FORMATS if form not in WITHOUT_KIND])
def test_the_kind_is_written(form: str, kind: type[MixedGraph]) -> None:
    for seed in range(20):
        graph = named(kind, list("abcd"), np.random.default_rng(seed))
        if not refusable(form, graph):
            assert type(read_as(form, write_as(form, graph))) is kind
            assert type(read_as(form, write_as(form, kind.from_edges([], ["a"])))) is kind


def test_a_matrix_is_known_by_its_corner() -> None:
    assert format_of_content(an.to_pcalg_csv(an.PAG.parse("a o-> b, c"))) == "pcalg"
    assert format_of_content('"","a","b"\n"a",0,2\n"b",3,0\n') == "pcalg"
    assert format_of_content('"PAG", b\nc, d') == "text"


def test_the_ending_decides_only_for_texts_that_may_begin_in_any_way() -> None:
    assert format_of_content("a --> b", "graph.dot") == format_of_content("a --> b", "graph.json") == "text"
    assert format_of_content("a,b\n0,2\n1,0\n", "graph.csv") == "pcalg"
    assert format_of_content("digraph { a -> b }", "graph.csv") == "dot"


def test_what_was_found_is_a_graph() -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")))
    assert an.from_dagitty(an.to_dagitty(found)) == found.pag
    with pytest.raises(an.GraphError, match="the argument must be a graph, got a str; read it with"):
        an.to_dot("a --> b")  # type: ignore[arg-type]
    with pytest.raises(an.GraphError, match="must be of a known kind, got a MixedGraph"):
        an.to_dot(MixedGraph.parse("a --> b"))
    with pytest.raises(an.OptionError, match="kind must be one of 'dag', 'mag', 'cpdag', 'pag', got 'tree'"):
        an.from_dot("digraph { a -> b }", kind="tree")
    assert an.from_dot("digraph { a -> b }", kind="PAG") == an.PAG.parse("a --> b")


# -- texts of others ------------------------------------------------------------------------------------------------

DOT = [
    ("digraph G { a -> b -> c; d }", an.DAG.parse("a -> b, b -> c, d")),
    ('strict digraph "my graph" { a -> {b c} [color=red] }', an.DAG.parse("a -> b, a -> c")),
    ("graph { a -- b }", an.PAG.parse("a --- b")),
    # graphviz draws no shape at an end that dir leaves out
    ("digraph { a -> b [arrowtail=odot] }", an.DAG.parse("a -> b")),
    ("graph { edge [dir=both, arrowhead=odot] a -- b [arrowtail=none] }", an.PAG.parse("a --o b")),
    ("digraph { a -> b [dir=none]; b -> c [dir=back, arrowtail=odot] }", an.PAG.parse("a --- b, b o-- c")),
    ("digraph { a -> b [dir=both] b->c[arrowhead=odot;weight=3.5] }", an.PAG.parse("a <-> b, b --o c")),
    # as Tetrad and pcalg users draw them, with positions, ports, comments, HTML and numbers for names
    (
        '# a comment\ndigraph g {\n  rankdir=LR; node [shape=box, label=""]; // all\n'
        '  1 [label="age"]; 2 [label=<<b>fat</b>>]; -3 [pos="1,2!"];\n'
        "  1:n -> 2:s:w [dir=both arrowtail=odot]; /* two\nlines */ "
        '2 -> -3 [dir=both, arrowhead="normal", arrowtail="none"]\n}',
        an.PAG.parse("age o-> 2, 2 --> -3"),
    ),
    # defaults hold from where they stand, inside their braces
    (
        "digraph { a -> b; subgraph cluster_0 { edge [dir=both, arrowtail=odot]; b -> c } c -> d }",
        an.PAG.parse("a --> b, b o-> c, c --> d"),
    ),
    ("digraph { {a b} -> {c; d} }", an.DAG.parse("a -> c, a -> d, b -> c, b -> d")),
    ('digraph { "a" + "b" -> "c\\\nd" }', an.DAG.parse("ab -> cd")),
    ("DiGraph mag { a -> b }", an.MAG.parse("a --> b")),
    ('digraph { U [observed="no"]; U -> x; U -> y }', an.DAG.parse("U -> x, U -> y", latent=["U"])),
    ('digraph { "x" [label="\\N!"]; x -> "\\"" }', an.DAG.from_edges([("x!", "-->", '"')])),
]


@pytest.mark.parametrize(("text", "graph"), DOT, ids=[text[:40] for text, _ in DOT])
def test_dot_that_others_write(text: str, graph: MixedGraph) -> None:
    assert an.from_dot(text) == graph
    assert format_of_content(text) == "dot"


DAGITTY = [
    ("dag { x -> y }", an.DAG.parse("x -> y")),
    # https://search.r-project.org/CRAN/refmans/dagitty/html/dagitty.html
    ('dag{ x [exposure,pos="1,0"] y [outcome] x <- z -> y ; x->y }', an.DAG.parse("z -> x, z -> y, x -> y")),
    ("pdag { x -- y -> z ; w }", an.CPDAG.parse("x --- y, y --> z, w")),
    ("mag { x <-> y -- z }", an.PAG.parse("x <-> y, y --- z")),
    ("pag{a @-> b <-@ c\na @-@ c d @-- e --@ f}", an.PAG.parse("a o-> b, c o-> b, a o-o c, d o-- e, e --o f")),
    (
        'dag {\nbb="0,0,1,1"\nA [selected,pos="-2.200,-1.520"]\nU [latent]\n"my var" [adjusted]\n'
        'U -> {A "my var"}\nA -> "my var" [pos="-0.791,-1.045"]\n}',
        an.DAG.from_edges(
            [("U", "-->", "A"), ("U", "-->", "my var"), ("A", "-->", "my var")], latent=["U"], selection=["A"]
        ),
    ),
    ('dag { "a\\"b" -> "c\\d" }', an.DAG.from_edges([('a"b', "-->", "c\\d")])),
    ("DAG name { x.1 -> y_2 }", an.DAG.parse("x.1 -> y_2")),
    (
        "dag { x -> y x <-> y }",
        an.DAG.from_edges([("x", "-->", "y"), ("U(x,y)", "-->", "x"), ("U(x,y)", "-->", "y")], latent=["U(x,y)"]),
    ),
]


@pytest.mark.parametrize(("text", "graph"), DAGITTY, ids=[text[:40] for text, _ in DAGITTY])
def test_dagitty_that_others_write(text: str, graph: MixedGraph) -> None:
    # x <-> y -- z is no MAG, so it is read as what it looks like
    assert an.from_dagitty(text, "pag" if text.startswith("mag") else None) == graph
    assert format_of_content(text) == "dagitty"


def test_a_mag_of_dagitty_must_be_one() -> None:
    with pytest.raises(an.GraphError, match="not ancestral: x <-> y has an arrowhead at an end of y --- z"):
        an.from_dagitty("mag { x <-> y -- z }")


TETRAD = [
    ("Graph Nodes:\nX1;X2\n\nGraph Edges:\n1. X1 --> X2\n", an.DAG.parse("X1 -> X2")),
    # commas, as older versions wrote them, and what a search says about edges
    (
        "Graph Nodes:\nX1,X2,X3,X4\n\nGraph Edges:\n1. X1 o-> X2 pd nl\n2. X2 --> X3 dd nl\n3. X3 <-> X4\n"
        "10. X1 o-o X4\n",
        an.PAG.parse("X1 o-> X2, X2 --> X3, X3 <-> X4, X1 o-o X4"),
    ),
    # with probabilities, attributes, triples, Windows line ends
    (
        "Graph Nodes:\r\nA;B;C\r\n\r\nGraph Edges:\r\n1. A --> B [A --> B]:0.9700;[no edge]:0.0300;\r\n2. B --- C\r\n"
        "\r\n"
        "Graph Attributes:\r\nBIC: -1234.5\r\n\r\nAmbiguous triples (i.e. list of triples):\r\n<A, B, C>\r\n",
        an.PAG.parse("A --> B, B --- C"),
    ),
    (
        "Graph Nodes:\n(L1);[S];X\n\nGraph Edges:\n1. L1 --> X\n2. X --> S\n",
        an.DAG.parse("L1 -> X, X -> S", latent=["L1"], selection=["S"]),
    ),
    ("Graph Edges:\na --> b\n2. c <-- b", an.DAG.parse("a -> b, b -> c")),
    ("Graph Nodes:\na;b\n\nGraph Edges:\n", an.DAG.from_edges([], ["a", "b"])),
]


@pytest.mark.parametrize(("text", "graph"), TETRAD, ids=range(len(TETRAD)))
def test_tetrad_text(text: str, graph: MixedGraph) -> None:
    assert an.from_tetrad(text) == graph
    assert format_of_content(text) == "tetrad"


def test_tetrad_text_says_the_role_once() -> None:
    dag = an.DAG.parse("L -> a, a -> s", latent=["L"], selection=["s"])
    assert an.to_tetrad(dag).splitlines() == [
        "Graph Nodes:",
        "(L);a;[s]",
        "",
        "Graph Edges:",
        "1. L --> a",
        "2. a --> s",
    ]


def tetrad_json(**changes: Any) -> str:
    """As Tetrad writes a graph: only what its reader asks for."""

    def node(name: str, number: int = 0) -> dict[str, Any]:
        return {"nodeType": {"ordinal": number}, "centerX": 1, "centerY": 2, "name": name, "attributes": {}}

    edge = {"node1": node("a"), "node2": node("b"), "endpoint1": {"ordinal": 2}, "endpoint2": {"ordinal": 1}}
    more = {"node1": node("L", 1), "node2": node("b"), "endpoint1": {"ordinal": 0}, "endpoint2": {"ordinal": 1}}
    document = {
        "nodes": [node("a"), node("b"), node("L")],
        "edgesSet": [edge | {"properties": ["nl"]}, more],
        "pag": False,
    }
    return json.dumps(document | changes)


def test_tetrad_json() -> None:
    pag = an.PAG.parse("a o-> b, L --> b")
    assert an.from_tetrad_json(tetrad_json()) == pag
    assert an.from_tetrad_json(json.dumps({"timestamp": 1, "graph": json.loads(tetrad_json())})) == pag
    assert an.from_tetrad_json(tetrad_json().replace('{"ordinal": 1}', '"ARROW"')) != an.DAG
    assert format_of_content(tetrad_json()) == "tetrad-json"


PCALG = [
    # examples of pcalg's page on its matrices (amatType): amat.cpdag first, then amat.pag
    ([[0, 0], [1, 0]], None, an.DAG.parse("a -> b")),
    ([[0, 1], [0, 0]], None, an.DAG.parse("b -> a")),
    ([[0, 1], [1, 0]], "cpdag", an.CPDAG.parse("a --- b")),
    ([[0, 1], [1, 0]], "pag", an.PAG.parse("a o-o b")),
    ([[0, 2], [3, 0]], None, an.PAG.parse("a --> b")),
    ([[0, 2], [3, 0]], "mag", an.MAG.parse("a --> b")),
    ([[0, 2], [1, 0]], None, an.PAG.parse("a o-> b")),
    ([[0, 1], [3, 0]], None, an.PAG.parse("a --o b")),
    ([[0, 0], [0, 0]], None, an.PAG.from_edges([], ["a", "b"])),
]


@pytest.mark.parametrize(("amat", "kind", "graph"), PCALG)
def test_matrices_of_pcalg(amat: list[list[int]], kind: str | None, graph: MixedGraph) -> None:
    assert an.from_pcalg(amat, "ab", kind) == graph
    assert an.from_pcalg(np.array(amat, dtype=float), ["a", "b"], kind) == graph
    back, names = an.to_pcalg(graph)
    assert an.from_pcalg(back, names, type(graph).__name__) == graph
    csv = '"","a","b"\n' + "".join(f'"{"ab"[i]}",{row[0]},{row[1]}\n' for i, row in enumerate(amat))
    assert an.from_pcalg_csv(csv, kind) == graph


def test_the_y_structure_of_pcalg() -> None:
    # tests/test_dsepAM.R of pcalg: "amat[i,j] = 2 iff i *-> j"
    amat = [[0, 0, 2, 0], [0, 0, 2, 0], [3, 3, 0, 2], [0, 0, 3, 0]]
    mag = an.from_pcalg(amat, ["X1", "X2", "X3", "X4"], kind="mag")
    assert isinstance(mag, an.MAG)
    assert mag == an.MAG.parse("X1 --> X3, X2 --> X3, X3 --> X4")
    assert an.is_separated(mag, "X1", "X2", given=set())
    assert not an.is_separated(mag, "X1", "X2", given={"X4"})


GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <graph id="G" edgedefault="directed">
    <node id="n0"><data key="v_name">age</data></node>
    <node id="n1"><data key="v_name">diet &amp; sport</data></node>
    <node id="n2"><data key="v_name">weight</data></node>
    <edge source="n0" target="n1"/>
    <edge source="n1" target="n2" directed="false"/>
  </graph>
</graphml>"""


def test_graphml_as_igraph_writes_it() -> None:
    assert an.from_graphml(GRAPHML) == an.PAG.from_edges(
        [("age", "-->", "diet & sport"), ("diet & sport", "---", "weight")]
    )
    assert format_of_content(GRAPHML) == "graphml"


@pytest.mark.parametrize("form", FORMATS)
def test_names_of_files_tell_the_format(form: str) -> None:
    for ending in FORMATS[form].endings:
        assert format_of_name(f"some.graph{ending}") == format_of_name(f"x{ending.upper()}") == form
    assert format_of_name("data.parquet") is None


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_the_pages_list_every_format(form: GraphFormat) -> None:
    endings = ", ".join(f"`{ending}`" for ending in form.endings)
    assert f"| `{form.name}` | {endings} |" in (DOCS / "command-line.md").read_text(encoding="utf-8")
    if form.name != "text":
        suffix = suffix_of(form.name)
        assert f"| `to_{suffix}`, `from_{suffix}` |" in (DOCS / "interop.md").read_text(encoding="utf-8")


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_a_text_tells_its_format(graph: MixedGraph) -> None:
    for form in FORMATS:
        written, refusal = attempt(write_as, form, graph)
        if graph.nodes and not refusal:
            assert (
                format_of_content(written, "x.txt" if FORMATS[form].needs_head else f"x{FORMATS[form].endings[0]}")
                == form
            )


# -- refusals -------------------------------------------------------------------------------------------------------

BOMB = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><graphml><graph><node id="&b;"/></graph></graphml>'
OUTSIDE = (
    '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><graphml><graph><node id="n">&a;</node></graph></graphml>'
)

REFUSED = [
    ("dot", "", "line 1: expected 'digraph' or 'graph', with which DOT begins, got the end of the text"),
    ("dot", "digraph {\n a -> b\n", "line 3: expected a node, got the end of the text"),
    ("dot", "digraph { a ->", "line 1: expected a node, got the end of the text"),
    ("dot", 'digraph {\n "a -> b }', "line 2: a double quote must be closed, got the end of the text; close it"),
    ("dot", "digraph { a -> b } trailing", "line 1: expected the end, got 'trailing'"),
    ("dot", "digraph {\n\n a -- b }", "line 3: an edge of a digraph must be written '->', got '--'"),
    ("dot", "graph { a -> b }", "line 1: an edge of a graph must be written '--', got '->'"),
    (
        "dot",
        "digraph { a -> b [arrowhead=tee] }",
        "line 1: arrowhead must be odot (circle), normal (arrowhead) or none (tail), got 'tee'",
    ),
    ("dot", "digraph { a -> b [dir=up] }", "line 1: dir must be one of forward, back, both, none, got 'up'"),
    (
        "dot",
        "digraph { a [role=boss] }",
        "line 1: the role of a node must be latent or selection, got 'boss'; leave it out for neither",
    ),
    ("dot", "digraph { a -> b; b -> a }", "two edges between 'b' and 'a'"),
    ("dot", "digraph { a -> a }", "joins 'a' to itself"),
    (
        "dot",
        'digraph { a [label="x"]; b [label="x"] }',
        "labels of nodes must differ, got 'x' for both 'a' and 'b'; rename one",
    ),
    ("dot", "digraph { /* a -> b }", "line 1: a comment must be closed, got the end of the text; close it with */"),
    ("dot", "digraph { a -> b [label=<b }", "line 1: '<' must be closed, got the end of the text; close it with '>'"),
    ("dot", "digraph {" + "{" * 5000, "line 1: groups must be nested at most 50 deep, got more; write them flat"),
    ("dot", "digraph { a ! b }", "line 1: unexpected '!'; put names that are not plain words in double quotes"),
    ("dot", "digraph MAG { a -> b [dir=both, arrowtail=odot] }", "a MAG has no edge a o-> b"),
    ("dagitty", "a -> b", "line 1: expected 'dag' or 'mag' or 'pdag' or 'pag', with which dagitty begins, got 'a'"),
    (
        "dagitty",
        "digraph { a -> b }",
        "expected 'dag' or 'mag' or 'pdag' or 'pag', with which dagitty begins, got 'digraph'",
    ),
    ("dagitty", "pag { a @-> b", "line 1: expected a node, got the end of the text"),
    ("dagitty", "pag {\na *-> b }", "line 2: unexpected '*'; put names that are not plain words in double quotes"),
    (
        "dagitty",
        "dag { a [latent, selected] }",
        "line 1: a node must have one role, got both latent and selected for 'a'; keep one",
    ),
    ("dagitty", "dag { a @-> b }", "a DAG has no edge a o-> b"),
    ("dagitty", "dag { a -> b -> c -> a }", "directed cycle"),
    (
        "dagitty",
        "pag { a [latent] }",
        "only nodes of a DAG have roles, got the latent node 'a' in a PAG; leave the role out, or read it as a DAG",
    ),
    ("dagitty", "dag " + "{ " * 5000, "line 1: groups must be nested at most 50 deep, got more; write them flat"),
    ("tetrad", "", "a graph of Tetrad must have a line 'Graph Nodes:' or 'Graph Edges:', got neither"),
    (
        "tetrad",
        "Graph Nodes:\na;b\n\nGraph Edges:\n1. a --> c",
        "line 5: an edge must join nodes of the list, got 'c'; list it under 'Graph Nodes:'",
    ),
    ("tetrad", "Graph Nodes:\na;b\n\nGraph Edges:\n1. a ~~> b", "line 5: '~~>' is not an edge"),
    (
        "tetrad",
        "Graph Nodes:\na;b\n\nGraph Edges:\n1. a -->",
        "line 5: an edge must have two nodes, got '1. a -->'; write '1. a --> b'",
    ),
    ("tetrad", "Graph Nodes:\na;;b", "line 2: a node must have a name; separate names by single semicolons"),
    ("tetrad", "Graph Nodes:\na;a", "line 2: names must differ, got the node 'a' twice"),
    (
        "tetrad-json",
        "{",
        "line 1: must be JSON, failed at column 2 (Expecting property name enclosed in double quotes)",
    ),
    (
        "tetrad-json",
        '{"nodes": [],\n "edgesSet"',
        "line 2: must be JSON, failed at column 12 (Expecting ':' delimiter)",
    ),
    ("tetrad-json", "[" * 100000, "the JSON is nested too deeply"),
    ("tetrad-json", "[]", "the document must be an object with 'nodes' and 'edgesSet', got []"),
    ("tetrad-json", '{"nodes": 1}', "nodes must be a list, got 1"),
    ("tetrad-json", '{"nodes": []}', "edgesSet must be a list, got null"),
    ("tetrad-json", '{"nodes": [1]}', "nodes[0] must be an object with 'name', got 1"),
    ("tetrad-json", '{"nodes": [{"name": 1}]}', "nodes[0].name must be a string, got 1"),
    (
        "tetrad-json",
        tetrad_json(nodes=[]),
        "edgesSet[0]: an edge must join nodes of the list, got 'a'; list it under nodes",
    ),
    (
        "tetrad-json",
        tetrad_json().replace('"ordinal": 2', '"ordinal": 7'),
        "edgesSet[0].endpoint1 must be tail, arrow or circle, got 7",
    ),
    (
        "tetrad-json",
        tetrad_json().replace('"ordinal": 0', '"ordinal": 2'),
        "nodes[0].nodeType must be measured or latent, got 2",
    ),
    ("pcalg", "", "must hold names, with a row for each below, got no rows"),
    ("pcalg", "PAG,a,b", "must hold names, with a row for each below, got no rows"),
    ("pcalg", "a,b,c\n0,2,0\n", "a matrix must have as many rows as columns, got 1 x 3"),
    ("pcalg", "a,b\n0,2\n1\n", "line 3: must have 2 fields, one for each column, got 1; is it complete?"),
    ("pcalg", ",a,b\na,0,2\nc,1,0\n", "line 3: must be the row of 'b', got that of 'c'; keep the order of the columns"),
    ("pcalg", "a,b\n0,x\n1,0\n", "line 2: a mark must be 0, 1, 2 or 3, got 'x' in the column of 'b'"),
    ("pcalg", "a,b\n0,2\n0,0\n", "the marks between 'a' and 'b' do not form an edge"),
    ("pcalg", "a,b\n0,1\n1,0\n", "a symmetric matrix of 0 and 1 may be o-o edges of a PAG or --- edges of a CPDAG"),
    ("pcalg", "a,b\n1,0\n0,0\n", "an edge must join two nodes, got one from 'a' to itself; set the diagonal to 0"),
    ("pcalg", 'a,"b\n0,2\n', "must be CSV (unexpected end of data)"),
    ("pcalg", "a,a\n0,2\n1,0\n", "the name 'a' occurs twice"),
    ("graphml", "", "must be XML, failed at column 1 (no element found)"),
    ("graphml", "<graphml>\n<graph>", "must be XML, failed at column 1 (no element found)"),
    ("graphml", BOMB, "line 1: a document type declaration may define entities and is refused; delete <!DOCTYPE …>"),
    ("graphml", OUTSIDE, "line 1: a document type declaration may define entities and is refused; delete <!DOCTYPE …>"),
    ("graphml", "<a>" * 100000, "line 1: elements must be nested at most 100 deep, got more; is this GraphML?"),
    ("graphml", "<html/>", "<graphml> must hold one graph, got 0 in <html>; is this GraphML?"),
    (
        "graphml",
        "<graphml><graph/><graph/></graphml>",
        "<graphml> must hold one graph, got 2 in <graphml>; is this GraphML?",
    ),
    (
        "graphml",
        GRAPHML.replace('target="n2"', 'target="n9"'),
        "the target of an edge must be a node, got 'n9'; add the node, or drop the edge",
    ),
    ("graphml", GRAPHML.replace('"n1">', '"n0">'), "ids of nodes must differ, got 'n0' twice"),
    ("graphml", GRAPHML.replace(">weight<", ">age<"), "names must differ, got the node 'age' twice"),
    (
        "graphml",
        an.to_graphml(an.PAG.parse("a o-> b")).replace(">circle<", ">dot<"),
        "a mark must be one of circle, arrowhead, tail, got 'dot' between 'a' and 'b'",
    ),
    ("text", "", "the text must hold at least one node, got none; write edges like 'a --> b', one a line"),
    ("text", "a -> ", "line 1: 'a ->' is neither a node nor an edge"),
]


@pytest.mark.parametrize(("form", "text", "words"), REFUSED, ids=[f"{f}: {w[:40]}" for f, _, w in REFUSED])
def test_what_is_no_graph_is_refused(form: str, text: str, words: str) -> None:
    with pytest.raises(an.AncestralError) as caught:
        read_as(form, text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])
def test_half_a_file_is_no_graph_or_says_so(form: str) -> None:
    first = "a" if attempt(write_as, form, an.PAG.from_edges([], ["a b"]))[1] else "a b"
    graph = named(an.PAG, [first, "c", "d", "e"], np.random.default_rng(1))
    written = write_as(form, graph)
    for end in range(len(written) - 1):
        read, refusal = attempt(read_as, form, written[:end])
        assert "\n" not in refusal
        if not refusal and form in CLOSED:  # a list of lines may end anywhere
            assert written[end:].strip() == ""
            assert set(read.edges()) <= set(graph.edges())


@pytest.mark.parametrize("form", FORMATS)
@given(text=st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(form: str, text: str) -> None:
    assert "\n" not in attempt(read_as, form, text)[1]


@pytest.mark.parametrize("form", ["dot", "dagitty"])
@given(pieces=st.lists(st.sampled_from([*'{}[];,=+:<>-@"\\ \n', "->", "--", "a", "dag", "digraph", "edge", "latent"])))
@settings(max_examples=300, deadline=None)
def test_any_mixture_of_signs_is_read_or_refused(form: str, pieces: list[str]) -> None:
    for head in ("", "digraph {" if form == "dot" else "pag {"):
        read, refusal = attempt(read_as, form, head + "".join(pieces))
        assert refusal or read is not None


def test_roles_that_a_format_cannot_say() -> None:
    dag = an.DAG.parse("L -> a, L -> b, a -> s, b -> s", latent=["L"], selection=["s"])
    with pytest.raises(an.GraphError, match=r"pcalg's matrix cannot express that 'L' is latent; .*an.pag_of"):
        an.to_pcalg(dag)
    with pytest.raises(an.GraphError, match="Tetrad's JSON cannot express that 's' is a selection node"):
        an.to_tetrad_json(dag)
    with pytest.raises(an.GraphError, match="causal-learn's GeneralGraph cannot express that 's' is a selection node"):
        an.to_causal_learn(dag)
    with pytest.raises(an.GraphError, match="pywhy-graphs cannot express that 'L' is latent"):
        an.to_pywhy_graphs(dag)
    with pytest.raises(an.GraphError, match="DoWhy cannot express that 's' is a selection node"):
        an.to_dowhy(dag)


@pytest.mark.parametrize("graph", [an.PAG.parse("a o-> b"), an.CPDAG.parse("a --- b"), an.MAG.parse("a <-> b")])
def test_dowhy_takes_dags_only(graph: MixedGraph) -> None:
    kind = type(graph).__name__
    with pytest.raises(an.GraphError, match=f"a {kind} stands for many DAGs.*; pass one of them: an.to_dowhy\\(dag\\)"):
        an.to_dowhy(graph)


def test_a_dag_for_dowhy() -> None:
    """As dowhy.causal_graph.CausalGraph keeps it: a DiGraph of the arrows, whose nodes are observed, "yes" or "no"."""
    g = an.to_dowhy(an.DAG.parse("L -> a, L -> b, a -> b", latent=["L"]))
    assert set(g.edges) == {("L", "a"), ("L", "b"), ("a", "b")}
    assert dict(g.nodes(data=True)) == {"L": {"observed": "no"}, "a": {"observed": "yes"}, "b": {"observed": "yes"}}


@pytest.mark.parametrize(
    ("amat", "kind", "words"),
    [
        ([[0, 1]], None, "the matrix of 2 names must be 2 x 2, got 1 x 2"),
        ([[0, 1], [1]], None, "the matrix of 2 names must be 2 x 2"),
        ([[0, 0.5], [1, 0]], None, "must hold 0, 1, 2 and 3"),
        ([[0, -1], [1, 0]], None, "must hold 0, 1, 2 and 3"),
        ([[0, float("nan")], [1, 0]], None, "must hold 0, 1, 2 and 3"),
        ([["0", "1"], ["1", "0"]], None, "must hold 0, 1, 2 and 3"),
        (
            [[0, 2], [3, 0]],
            "cpdag",
            "the matrix of a CPDAG must hold 0 and 1, got 2 at 'a', 'b'; for marks, pass kind=\"pag\" or kind=\"mag\"",
        ),
        ([[0, 2], [3, 0]], "tree", "kind must be one of"),
    ],
)
def test_what_is_no_matrix_of_pcalg(amat: Any, kind: str | None, words: str) -> None:
    with pytest.raises(an.AncestralError) as caught:
        an.from_pcalg(amat, ["a", "b"], kind)
    assert words in str(caught.value)


def test_a_text_of_tetrad_whose_first_name_has_a_brace_is_not_dot() -> None:
    text = "Graph Nodes:\n{a;b\n\nGraph Edges:\n1. {a --> b\n"
    assert format_of_content(text, "graph") == "tetrad"
