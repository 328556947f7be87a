"""DoWhy takes a DAG: `dowhy.CausalModel(data, treatment, outcome, graph=an.to_dowhy(dag))`.

It is a `networkx.DiGraph` in which a latent node has `observed="no"`; DoWhy itself takes every node for unobserved
that is not a column of the data. A PAG stands for many DAGs and is refused: DoWhy would read its circles as arrows, or
fail.
"""

from typing import Any

from ancestral.errors import GraphError
from ancestral.graphs import DAG, MixedGraph
from ancestral.io.interop.common import HasPag, graph_of, refuse_roles
from ancestral.io.interop.networks import to_networkx
from ancestral.io.kinds import kind_of

__all__ = ["to_dowhy"]

_WAY_OUT = {
    "pag": "a PAG stands for many DAGs; pass one of them: an.to_dowhy(dag), or ask found.adjustment_set(x, y)",
    "cpdag": "a CPDAG stands for many DAGs; pass one of them: an.to_dowhy(dag)",
    "mag": "a MAG stands for many DAGs, its <-> edges for latent causes; pass one of them: an.to_dowhy(dag)",
}


def to_dowhy(dag: MixedGraph | HasPag) -> Any:
    """A DAG as DoWhy takes it: a `networkx.DiGraph` whose nodes are `observed`, "yes" or "no".

    Args:
        dag: The DAG.

    Returns:
        The object of networkx.

    Raises:
        GraphError: If the graph is of another kind, or has selection nodes, which DoWhy does not know.
        OptionError: If networkx is not installed.

    Examples:
        >>> from ancestral import DAG, PAG
        >>> g = to_dowhy(DAG.parse("L -> a, L -> b, a -> b", latent=["L"]))
        >>> sorted(g.edges), g.nodes["L"]["observed"]
        ([('L', 'a'), ('L', 'b'), ('a', 'b')], 'no')
        >>> to_dowhy(PAG.parse("a o-> b"))
        Traceback (most recent call last):
        ...
        ancestral.errors.GraphError: a PAG stands for many DAGs; pass one of them: an.to_dowhy(dag), or ask
        found.adjustment_set(x, y)
    """
    graph = graph_of(dag)
    if not isinstance(graph, DAG):
        raise GraphError(_WAY_OUT[kind_of(graph)])
    refuse_roles(graph, "DoWhy", "selection")
    out = to_networkx(graph)
    for name, data in out.nodes(data=True):
        data.pop("role", None)
        data["observed"] = "no" if name in graph.latent else "yes"
    return out
