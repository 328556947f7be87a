"""The PAG of a DAG or MAG, and its equivalence class, in two ways that share no code.

- `pag_of`: the skeleton of the MAG, oriented by the rules R0–R10, which are complete (Zhang 2008).
- `equivalent_mags`: all MAGs that entail the same separations, by enumeration; no rule is involved. A mark belongs to
  the PAG if all of them agree on it. For small graphs, for tests and for teaching.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.classes._equivalence_cy import enumerate_mags, separations
from ancestral.errors import GraphError
from ancestral.graphs import CPDAG, DAG, MAG, PAG, MixedGraph, mag_of
from ancestral.graphs.marks import CIRCLE, TAIL
from ancestral.orientation import orient
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import orient_cpdag

__all__ = ["class_pag", "cpdag_marks", "cpdag_of", "equivalent", "equivalent_mags", "pag_of"]

#: Largest number of nodes of a class that is enumerated: all sets of nodes are tried as separating sets, 4,096 here.
MOST_NODES = 12


def pag_of(graph: DAG | MAG) -> PAG:
    """The partial ancestral graph of a DAG (over its observed nodes, given its selection nodes) or of a MAG.

    Args:
        graph: The DAG or MAG.

    Returns:
        The PAG: what all graphs with the same separations agree on.

    Raises:
        GraphError: If the graph is of another kind.

    Examples:
        >>> print(pag_of(DAG.parse("a -> c, b -> c, c -> d")))
        a o-> c
        b o-> c
        c --> d
    """
    mag = _as_mag(graph)
    return PAG(mag.nodes, orient(mag.skeleton(), TrueGraph(mag.marks)).marks)


def cpdag_of(graph: DAG | MAG) -> CPDAG:
    """The completed partially directed graph of a DAG without latent or selection nodes, given as a DAG or as a MAG."""
    mag = _as_mag(graph)
    marks = cpdag_marks(mag)
    return CPDAG(mag.nodes, np.where(marks == CIRCLE, TAIL, marks))


def cpdag_marks(mag: MAG) -> NDArray[np.uint8]:
    """The marks on which all DAGs with the skeleton and v-structures of this graph agree, circles elsewhere."""
    return orient_cpdag(mag.skeleton(), TrueGraph(mag.marks), Pulse()).marks


def equivalent(one: DAG | MAG, other: DAG | MAG) -> bool:
    """Whether two graphs over the same observed nodes entail the same separations among them (O-equivalence).

    Args:
        one: A DAG or MAG.
        other: Another one.

    Returns:
        True if they cannot be told apart by independences.

    Raises:
        GraphError: If their observed nodes differ, or if one is neither a DAG nor a MAG.

    Examples:
        >>> from ancestral import DAG
        >>> equivalent(DAG.parse("a -> b"), DAG.parse("L -> a, L -> b", latent=["L"]))
        True
        >>> equivalent(DAG.parse("a -> c, b -> c"), DAG.parse("c -> a, c -> b"))  # a collider, and none
        False
    """
    first, second = _as_mag(one), _as_mag(other)
    if set(first.nodes) != set(second.nodes):
        missing = sorted(set(first.nodes) ^ set(second.nodes))
        raise GraphError(f"{missing[0]!r} is observed in one graph only; equivalence needs the same observed nodes")
    return pag_of(first) == pag_of(second)


def equivalent_mags(graph: DAG | MAG) -> Iterator[MAG]:
    """All MAGs with the same separations, by brute force, one at a time: a class of eight nodes may have millions.

    Args:
        graph: A DAG or MAG.

    Yields:
        The MAGs of the class.

    Raises:
        GraphError: If there are more than 12 nodes, or if the graph is neither a DAG nor a MAG.

    Examples:
        >>> for mag in equivalent_mags(MAG.parse("a --> b")):
        ...     print(mag)
        a <-> b
        a --> b
        b --> a
        a --- b
    """
    mag = _as_mag(graph)
    _refuse_large(mag)
    return (MAG(mag.nodes, marks) for marks in _class_of(mag))


def class_pag(graph: DAG | MAG) -> PAG:
    """The PAG by definition: the marks on which all equivalent MAGs agree, circles elsewhere. No rule is involved."""
    mag = _as_mag(graph)
    _refuse_large(mag)
    agreed = mag.marks.copy()  # it is a member itself
    for marks in _class_of(mag):
        agreed[marks != agreed] = CIRCLE
    return PAG(mag.nodes, agreed)


def _refuse_large(mag: MAG) -> None:
    if len(mag.nodes) > MOST_NODES:
        raise GraphError(
            f"only graphs of up to {MOST_NODES} nodes have their class enumerated, got {len(mag.nodes)} nodes; "
            "draw from the class with sample_mags"
        )


def _class_of(mag: MAG) -> Iterator[NDArray[np.uint8]]:
    expected = separations(mag.marks)
    # equivalent MAGs have the same adjacencies and the same unshielded colliders
    for marks in enumerate_mags(mag.marks, like_colliders=True, look=_look):
        if np.array_equal(separations(marks), expected):
            yield marks


def _look() -> None:
    """Let Python see Ctrl-C and other signals: it does so whenever one of its functions begins."""


def _as_mag(graph: DAG | MAG) -> MAG:
    if isinstance(graph, MAG):
        return graph
    if isinstance(graph, DAG):
        return mag_of(graph)
    kind = type(graph).__name__ if isinstance(graph, MixedGraph) else repr(graph)
    raise GraphError(f"the graph must be a DAG or a MAG, got {kind}; mag_in gives a MAG of a PAG")
