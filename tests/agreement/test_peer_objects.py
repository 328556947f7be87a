"""What users of other packages have in hand, taken as it is: what searches return, and what was known to them."""

import itertools
import re

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from causallearn.graph.GraphNode import GraphNode
from causallearn.search.ConstraintBased.FCI import fci
from causallearn.search.ConstraintBased.PC import pc
from causallearn.search.ScoreBased.GES import ges
from causallearn.utils.PCUtils.BackgroundKnowledge import BackgroundKnowledge

import ancestral as an
from ancestral.graphs.marks import flipped

DAG = an.DAG.parse("age -> diet, u -> diet, u -> sport, region -> sport, diet -> weight", latent=["u"])
NODES = {name: GraphNode(name) for name in ("age", "region", "diet", "sport", "weight")}


@pytest.fixture(scope="module")
def study() -> pd.DataFrame:
    return an.simulate.linear_gaussian(DAG, rows=5000, seed=1).to_pandas()


def edges_in_both_directions(edges: list[str]) -> set[str]:
    """Edges as their package writes them, and turned round."""
    split = [edge.split() for edge in edges]
    return set(edges) | {f"{b} {flipped(edge)} {a}" for a, edge, b in split}


def test_what_fci_returns_and_our_fci_on_the_same_rows(study: pd.DataFrame) -> None:
    returned = fci(study.to_numpy(), alpha=0.01, node_names=list(study.columns), show_progress=False)
    theirs = an.from_causal_learn(returned)
    written = [str(edge) for edge in returned[1]]
    assert {f"{a} {edge} {b}" for a, edge, b in theirs.edges()} <= edges_in_both_directions(written)
    assert len(list(theirs.edges())) == len(written) == 4
    ours = an.discover(study, alpha=0.01, algorithm="fci")
    assert an.compare(theirs, ours.pag).shd == 0


@pytest.mark.parametrize("search", ["pc", "ges"])
def test_what_searches_for_a_cpdag_return(search: str, study: pd.DataFrame) -> None:
    names = list(study.columns)
    if search == "pc":
        returned = pc(study.to_numpy(), 0.01, node_names=names, show_progress=False)
        graph = returned.G
    else:
        returned = ges(study.to_numpy(), node_names=names)
        graph = returned["G"]
    written = [str(edge) for edge in graph.get_graph_edges()]
    theirs = an.from_causal_learn(returned, "cpdag")
    assert isinstance(theirs, an.CPDAG)
    assert {f"{a} {edge} {b}" for a, edge, b in theirs.edges()} <= edges_in_both_directions(written)
    assert len(list(theirs.edges())) == len(written) > 3


def test_what_leaves_something_out_is_refused(study: pd.DataFrame) -> None:
    graph, edges = fci(study.to_numpy(), alpha=0.01, show_progress=False)
    for given, kind in ((edges, "a list"), (graph.graph, "a ndarray"), ({"graph": graph}, "a dict")):
        with pytest.raises(an.GraphError, match=rf"got {kind}; pass what fci, pc or ges returned, as it is"):
            an.from_causal_learn(given)


# -- knowledge ------------------------------------------------------------------------------------------------------


def random_background(rng: np.random.Generator) -> BackgroundKnowledge:
    """Knowledge of all kinds that does not contradict itself: later variables do not cause earlier ones."""
    known, order = BackgroundKnowledge(), list(NODES)
    for a, b in itertools.combinations(order, 2):
        if rng.random() < 0.2:
            known.add_forbidden_by_node(NODES[b], NODES[a])
        if rng.random() < 0.1:
            known.add_forbidden_by_pattern(f"{b[:2]}.*", re.escape(a))
            known.add_forbidden_by_pattern(b[-2:], ".*")  # the end of a name, which no name begins with
    if rng.random() < 0.5:
        known.add_node_to_tier(NODES["sport"], 0)  # moved to another tier below
        for name, tier in zip(order, sorted(rng.integers(0, 5, len(order))), strict=True):
            known.add_node_to_tier(NODES[name], int(tier))
        known.forbid_within_tier(int(rng.integers(0, 5)))
    a, b = list(itertools.combinations(order, 2))[rng.integers(10)]
    if known.is_forbidden(NODES[a], NODES[b]):
        return known
    if rng.random() < 0.5:
        return known.add_required_by_node(NODES[a], NODES[b])
    return known.add_required_by_pattern(f"{a}$", f"{b}$")


def test_background_knowledge_says_the_same() -> None:
    """Of each pair, the object itself is asked what it forbids and requires."""
    seen = set()
    for seed in range(200):
        known = random_background(np.random.default_rng(seed))
        ours = an.Knowledge.from_causal_learn(known, names=NODES)
        rank = {name: i for i, tier in enumerate(ours.tiers) for name in tier}
        for x, y in itertools.permutations(NODES, 2):
            later = x in rank and y in rank and rank[x] > rank[y]
            assert known.is_forbidden(NODES[x], NODES[y]) == (later or (x, y) in ours.forbidden), (seed, x, y)
            assert known.is_required(NODES[x], NODES[y]) == ((x, y) in ours.required), (seed, x, y)
        seen |= {field for field in ("tiers", "forbidden", "required") if getattr(ours, field)}
    assert seen >= {"tiers", "forbidden", "required"}


def test_knowledge_that_cannot_be_read() -> None:
    known = BackgroundKnowledge().add_forbidden_by_pattern("a.*", "b")
    with pytest.raises(an.KnowledgeError, match=r"the pattern 'a\.\*' can only be resolved.*columns as names"):
        an.Knowledge.from_causal_learn(known)
    with pytest.raises(an.KnowledgeError, match="must be a BackgroundKnowledge, got a dict"):
        an.Knowledge.from_causal_learn({"forbidden": []})
    large = BackgroundKnowledge()
    for i in range(1500):
        large.add_node_to_tier(GraphNode(f"x{i}"), 0)
    with pytest.raises(
        an.KnowledgeError, match=r"forbid_within_tier\(0\) at a tier of 1,500 variables forbids 2,248,500"
    ):
        an.Knowledge.from_causal_learn(large.forbid_within_tier(0))


def test_a_known_order_puts_an_arrowhead_and_no_more(study: pd.DataFrame) -> None:
    """diet <-> sport is true; that sport does not cause diet must not make it diet --> sport."""
    known = an.Knowledge.from_causal_learn(BackgroundKnowledge().add_forbidden_by_node(NODES["sport"], NODES["diet"]))
    assert an.discover(study, alpha=0.01, knowledge=known).pag.has("diet", "<->", "sport")


# -- DoWhy ----------------------------------------------------------------------------------------------------------


def test_graphs_for_dowhy_come_back_with_their_latent_nodes() -> None:
    assert an.from_networkx(an.to_dowhy(DAG)) == DAG
    text = "\n".join(nx.generate_gml(an.to_dowhy(DAG)))
    assert an.from_networkx(nx.parse_gml(text)) == DAG
