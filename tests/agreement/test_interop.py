"""Round trips through the packages themselves, each asked in its own words what it holds."""

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pydot
import pytest
import pywhy_graphs
from causallearn.graph.GeneralGraph import GeneralGraph
from causallearn.graph.GraphNode import GraphNode
from causallearn.utils.GraphUtils import GraphUtils
from causallearn.utils.TXT2GeneralGraph import txt2generalgraph
from hypothesis import given, settings

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import SYMBOLS, flipped
from tests.support.named_graphs import HOSTILE, graphs, named

KINDS = [an.DAG, an.MAG, an.CPDAG, an.PAG]


def without_roles(kind: type[MixedGraph], seed: int, names: str = "abcde") -> MixedGraph:
    graph = named(kind, list(names), np.random.default_rng(seed))
    return an.DAG(graph.nodes, graph.marks) if kind is an.DAG else graph


# -- networkx -------------------------------------------------------------------------------------------------------


def test_a_dag_means_the_same_to_networkx() -> None:
    for seed in range(30):
        dag = without_roles(an.DAG, seed)
        assert isinstance(dag, an.DAG)
        g = an.to_networkx(dag)
        assert nx.is_directed_acyclic_graph(g)
        for z in ((), ("c",), ("c", "d")):
            assert nx.is_d_separator(g, "a", "b", set(z)) == an.is_separated(dag, "a", "b", given=set(z))


@given(graphs())
@settings(max_examples=60, deadline=None)
def test_graphml_that_networkx_writes_and_reads(graph: MixedGraph) -> None:
    written = nx.generate_graphml(an.to_networkx(graph))
    try:
        text = "\n".join(written)
    except ValueError:  # characters that XML has not
        return
    # networkx cuts its text with `splitlines`, at many characters, so what it yields has line ends in their place
    if any(part.splitlines() != [part] for name in graph.nodes for part in name.split("\n") if part):
        return
    try:
        ET.fromstring(text)
    except ET.ParseError:
        return
    assert an.from_graphml(text) == graph


def test_networkx_reads_our_graphml(tmp_path: Path) -> None:
    pag = an.PAG.from_edges([("a b", "o->", "c&d"), ("c&d", "<->", 'e"')])
    (tmp_path / "g.graphml").write_text(an.to_graphml(pag), encoding="utf-8")
    g = nx.read_graphml(tmp_path / "g.graphml")
    assert set(g.nodes) == set(pag.nodes)
    assert g.graph["kind"] == "pag"
    assert g.edges["a b", "c&d"] == {"source_mark": "circle", "target_mark": "arrowhead"}
    nx.write_graphml(an.to_networkx(pag), tmp_path / "h.graphml")
    assert an.from_graphml((tmp_path / "h.graphml").read_text()) == pag
    assert an.from_networkx(nx.read_graphml(tmp_path / "h.graphml")) == pag


@pytest.mark.parametrize(
    ("g", "words"),
    [
        (nx.Graph([("a", "b")]), "must be a DiGraph, got a Graph, which does not tell the ends of an edge apart"),
        (nx.MultiDiGraph([("a", "b")]), "must be a DiGraph, got a MultiDiGraph"),
        (nx.DiGraph([(1, 2)]), "nodes must be strings, got 1; rename them: networkx.relabel_nodes(g, str)"),
        (nx.DiGraph([("a", "b"), ("b", "a")]), "must point one way, got both between 'a' and 'b'; pass kind=\"cpdag\""),
        (nx.DiGraph([("a", "a")]), "joins 'a' to itself"),
        (nx.DiGraph([("a", "b", {"mark": "tail"})]), "an edge with marks must have two arcs, got 'a' -> 'b' alone"),
        (
            nx.DiGraph([("a", "b", {"mark": "tail"}), ("b", "a")]),
            "both arcs between 'a' and 'b' must have a mark, got one without",
        ),
        (
            nx.DiGraph([("a", "b", {"mark": "x"}), ("b", "a", {"mark": "tail"})]),
            "must be one of circle, arrowhead, tail, got 'x' on 'a' -> 'b'",
        ),
        ("a -> b", "must be a networkx.DiGraph, got a str"),
    ],
)
def test_what_networkx_can_hold_and_we_cannot(g: Any, words: str) -> None:
    with pytest.raises(an.GraphError) as caught:
        an.from_networkx(g)
    assert words in str(caught.value)


# -- DOT through pydot ----------------------------------------------------------------------------------------------

SHAPES = {"odot": "o", "none": "-"}


@pytest.mark.filterwarnings("ignore:.* deprecated - use:DeprecationWarning")  # pydot's use of pyparsing
def test_pydot_reads_our_dot_and_we_read_its() -> None:
    for seed in range(20):
        for kind in KINDS:
            graph = named(kind, ["a", "b c", 'd"e', "f;g", "ü"], np.random.default_rng(seed))
            (parsed,) = pydot.graph_from_dot_data(an.to_dot(graph)) or []
            assert an.from_dot(parsed.to_string()) == graph
            seen = {
                (
                    edge.get_source(),
                    SHAPES.get(edge.get("arrowtail"), "<") + "-" + SHAPES.get(edge.get("arrowhead"), ">"),
                )
                for edge in parsed.get_edges()
            }
            assert {edge for _, edge in seen} == {edge for _, edge, _ in graph.edges()}


# -- causal-learn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edge", SYMBOLS)
def test_an_edge_of_causal_learn(edge: str) -> None:
    g = an.to_causal_learn(an.PAG.parse(f"a {edge} b"))
    written = str(g.get_graph_edges()[0])
    assert written in (f"a {edge} b", f"b {flipped(edge)} a")
    assert an.from_causal_learn(g, "pag") == an.PAG.parse(f"a {edge} b")


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_causal_learn_and_back(graph: MixedGraph) -> None:
    if getattr(graph, "selection", None):
        return
    assert an.from_causal_learn(an.to_causal_learn(graph), type(graph).__name__) == graph


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_causal_learn(kind: type[MixedGraph], tmp_path: Path) -> None:
    for seed in range(20):
        graph = without_roles(kind, seed)
        assert an.from_tetrad(str(an.to_causal_learn(graph)), kind.__name__) == graph
        (tmp_path / "g.txt").write_text(an.to_tetrad(graph))
        assert an.from_causal_learn(txt2generalgraph(str(tmp_path / "g.txt")), kind.__name__) == graph


def test_the_drawing_of_causal_learn() -> None:
    # its nodes are numbers there, with the names for labels
    for seed in range(20):
        pag = named(an.PAG, ["smoking", "tar", "cancer", "age"], np.random.default_rng(seed))
        drawn = GraphUtils.to_pydot(an.to_causal_learn(pag)).to_string()
        assert an.from_dot(drawn, "pag") == pag


def test_two_edges_between_a_pair_of_causal_learn() -> None:
    g = GeneralGraph([GraphNode("a"), GraphNode("b")])
    g.graph[0, 1], g.graph[1, 0] = 4, 5  # TAIL_AND_ARROW, ARROW_AND_ARROW: a --> b and a <-> b
    with pytest.raises(
        an.GraphError, match=r"two nodes must have one edge.*got the endpoints \(4, 5\) between 'a' and 'b'"
    ):
        an.from_causal_learn(g)
    with pytest.raises(an.GraphError, match="must be a GeneralGraph, got a list"):
        an.from_causal_learn([1])


# -- pywhy-graphs ---------------------------------------------------------------------------------------------------


def test_edges_of_pywhy_graphs() -> None:
    """The four pictures of its documentation of PAGs."""
    g = pywhy_graphs.PAG()
    g.add_nodes_from("abcdefghijkl")
    g.add_edge("a", "b", g.bidirected_edge_name)
    g.add_edge("c", "d", g.undirected_edge_name)
    g.add_edge("e", "f", g.circle_edge_name)
    g.add_edge("f", "e", g.circle_edge_name)
    g.add_edge("g", "h", g.directed_edge_name)
    g.add_edge("h", "g", g.circle_edge_name)  # "x o-> y: in opposite directions"
    g.add_edge("j", "i", g.circle_edge_name)  # "x o- y: only one edge"
    g.add_edge("k", "l", g.directed_edge_name)
    pag = an.PAG.parse("a <-> b, c --- d, e o-o f, g o-> h, i o-- j, k --> l")
    assert an.from_pywhy_graphs(g) == pag
    back = an.to_pywhy_graphs(pag)
    for name in ("bidirected", "undirected", "circle", "directed"):
        theirs, ours = (set(x.get_graphs(name).edges) for x in (g, back))
        assert {frozenset(e) for e in theirs} == {frozenset(e) for e in ours}
        if name in ("circle", "directed"):
            assert theirs == ours
    assert set(back.parents("l")) == {"k"}
    assert set(back.parents("h")) == set()


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_pywhy_graphs_and_back(graph: MixedGraph) -> None:
    if not getattr(graph, "selection", None) and not getattr(graph, "latent", None):
        assert an.from_pywhy_graphs(an.to_pywhy_graphs(graph)) == graph


def test_an_admg_that_is_no_mag() -> None:
    g = pywhy_graphs.ADMG()
    g.add_nodes_from("ab")
    g.add_edge("a", "b", "directed")
    g.add_edge("a", "b", "bidirected")
    with pytest.raises(an.GraphError, match="two edges between 'a' and 'b'"):
        an.from_pywhy_graphs(g)
    with pytest.raises(an.GraphError, match="must be a PAG, CPDAG or ADMG of pywhy-graphs"):
        an.from_pywhy_graphs("a")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_in_objects(name: str) -> None:
    pag = an.PAG.from_edges([(name, "o->", "other"), ("other", "---", "third")])
    assert an.from_networkx(an.to_networkx(pag)) == pag
    assert an.from_causal_learn(an.to_causal_learn(pag)) == pag
    assert an.from_pywhy_graphs(an.to_pywhy_graphs(pag)) == pag
