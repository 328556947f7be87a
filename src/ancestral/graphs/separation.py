"""d-separation in DAGs and m-separation in MAGs, in linear time; in PAGs and CPDAGs, separation in the whole class.

Two nodes are separated given Z if no path between them is open: a path is open if every collider on it is an
ancestor of Z (or in Z) and no other node on it is in Z. In a DAG the selection nodes always belong to Z.

>>> from ancestral.graphs.kinds import DAG
>>> dag = DAG.parse("a -> c, b -> c, c -> d")
>>> is_separated(dag, "a", "b"), is_separated(dag, "a", "b", given={"d"})
(True, False)

References: Pearl (1988); Richardson & Spirtes (2002), Ancestral graph Markov models; Shachter (1998), Bayes-ball.
"""

from collections.abc import Iterable

from ancestral.arguments import names_list
from ancestral.errors import GraphError, Option
from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.bits import bits_of
from ancestral.graphs.definite_status import connecting_walk
from ancestral.graphs.kinds import DAG, MAG, PAG
from ancestral.printing import shown_type

__all__ = ["is_separated"]


def is_separated(
    graph: DAG | MAG | PAG, x: str | Iterable[str], y: str | Iterable[str], given: Iterable[str] = ()
) -> bool:
    """Whether every x is separated from every y given these nodes (and, in a DAG, given the selection nodes).

    In a PAG or CPDAG, True means separated in every graph of the class, False connected in every graph of the class.

    Args:
        graph: A DAG, MAG, CPDAG or PAG.
        x: A node, or several.
        y: A node, or several.
        given: A set of nodes; x, y and `given` must not share a node.

    Returns:
        True if they are separated.

    Raises:
        GraphError: If two of the three share a node, if `x` or `y` is empty or has a selection node, and for another
            kind of graph.
        UnknownName: If a name is not a node.

    Examples:
        >>> from ancestral import DAG
        >>> dag = DAG.parse("a -> c, b -> c")
        >>> is_separated(dag, "a", "b"), is_separated(dag, "a", "b", given=["c"])
        (True, False)
    """
    if not isinstance(graph, (DAG, MAG, PAG)):
        raise GraphError(f"separation is defined in a DAG, MAG, CPDAG or PAG, got {shown_type(graph)}")
    if isinstance(given, str):
        raise GraphError(
            f"given must be a set of names, got the single string {given!r}; pass ", Option("given", {given})
        )
    always = graph.selection if isinstance(graph, DAG) else frozenset[str]()
    xs, ys, zs = (frozenset(names_list(*side)) for side in (("x", x), ("y", y), ("given", given)))
    if not xs or not ys:
        raise GraphError("separation needs a node on each side; one side is empty")
    for left, right, where in [(xs, ys, "on both sides"), (xs | ys, zs, "on one side and among the given nodes")]:
        if shared := sorted(left & right):
            raise GraphError(f"{shared[0]!r} is {where}; the three sets must not share a node")
    if selected := sorted((xs | ys) & always):
        raise GraphError(f"{selected[0]!r} is a selection node, which is always given; ask about other nodes")

    positions = [graph.index(name) for name in zs | always]
    if isinstance(graph, PAG):
        begins, ends = ([graph.index(name) for name in side] for side in (xs, ys))
        return connecting_walk(graph.class_marks, begins, ends, positions) is None
    walker = Walker(graph.marks)
    blocks = bits_of(positions, walker.words)
    return not any(walker.connected(graph.index(a), graph.index(b), blocks, blocks) for a in xs for b in ys)
