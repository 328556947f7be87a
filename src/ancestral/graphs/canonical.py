"""The simplest DAG behind a MAG: a latent cause for each `<->`, a selection node for each `---`."""

import numpy as np

from ancestral.errors import GraphError
from ancestral.graphs.kinds import DAG, MAG
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.printing import shown_type

__all__ = ["canonical_dag"]


def canonical_dag(mag: MAG) -> DAG:
    """The canonical DAG of a MAG: `mag_of(canonical_dag(mag)) == mag`.

    a --> b stays, a <-> b becomes a <- L -> b with a latent L, and a --- b becomes a -> S <- b with S selected on
    (Richardson & Spirtes 2002, section 6.1).

    Args:
        mag: The MAG.

    Returns:
        The DAG, with a latent node for each `<->` and a selection node for each `---`.

    Raises:
        GraphError: If the graph is of another kind.

    Examples:
        >>> print(canonical_dag(MAG.parse("a <-> b, b --> c")))
        L.a.b --> a
        L.a.b --> b
        b --> c
        latent: L.a.b
    """
    if not isinstance(mag, MAG):
        raise GraphError(f"canonical_dag needs a MAG, got {shown_type(mag)}; for a MAG of a PAG see an.mag_in")
    names = list(mag.nodes)
    edges = []
    roles: dict[str, list[str]] = {"latent": [], "selection": []}
    for a, edge, b in mag.edges():
        if edge == "-->":
            edges.append((a, b))
            continue
        role = "latent" if edge == "<->" else "selection"
        new = _fresh(role, a, b, names)
        names.append(new)
        roles[role].append(new)
        edges.extend([(new, a), (new, b)] if role == "latent" else [(a, new), (b, new)])
    index = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.uint8)
    for a, b in edges:
        marks[index[a], index[b]], marks[index[b], index[a]] = ARROW, TAIL
    return DAG(names, marks, **roles)


def _fresh(role: str, a: str, b: str, taken: list[str]) -> str:
    """A name for a new node that differs from those already taken."""
    name = f"{role[0].upper()}.{a}.{b}"
    while name in taken:
        name += "'"
    return name
