"""Random DAGs with latent common causes, by the law of the ICD paper's experiments (section 4).

Every pair of nodes is joined with the same probability, from the earlier to the later node; only connected DAGs
count; half of the parentless nodes with at least two children become latent. What does not qualify is drawn again.
"""

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import random_generator, real
from ancestral.errors import GraphError
from ancestral.graphs import DAG
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.printing import shown
from ancestral.simulate.connected import connected_graph

__all__ = ["random_dag"]

#: After so many DAGs without enough nodes that could be latent or selection, there is probably none.
MOST_DRAWS = 1000

#: The most nodes of a random DAG: several matrices with an entry for each two of them are needed to draw it.
MOST_NODES = 20_000

Positions = NDArray[np.intp]


def random_dag(
    nodes: int,
    degree: float = 2.0,
    *,
    seed: int | np.random.Generator,
    latent: int | None = None,
    selection: int = 0,
) -> DAG:
    """A connected random DAG over x1, x2, … in causal order, each pair joined with probability degree / (nodes - 1).

    - `nodes` counts all nodes, the latent and the selection ones too.
    - `latent=None` is the paper's law: of the parentless nodes with at least two children half are latent, rounded
      down but at least one, chosen uniformly. A number asks for just as many latent nodes; they are chosen uniformly
      among the parentless nodes with at least two children or, where these are too few, are all of these and others
      chosen uniformly among the remaining nodes with at least two children. 0 leaves all nodes observed.
    - `selection` asks for so many selection nodes, chosen uniformly among the childless nodes with at least two
      parents.

    Where there are not enough such nodes, the whole DAG is drawn again.

    >>> print(random_dag(nodes=5, seed=4))
    x1 --> x3
    x1 --> x5
    x2 --> x3
    x4 --> x5
    latent: x1
    """
    _check(nodes, degree, latent, selection)
    rng = random_generator(seed)
    for _ in range(MOST_DRAWS):
        arrows = connected_graph(nodes, degree / (nodes - 1), rng)
        hidden = _latent(arrows, latent, rng)
        if hidden is None:
            continue
        selected = _selection(arrows, selection, rng)
        if selected is None:
            continue
        names = np.array([f"x{i}" for i in range(1, nodes + 1)], dtype=object)
        return DAG(names, ARROW * arrows + TAIL * arrows.T, latent=names[hidden], selection=names[selected])
    raise GraphError(_none_found(nodes, latent, selection))


def _latent(arrows: NDArray[np.bool_], count: int | None, rng: np.random.Generator) -> Positions | None:
    """The nodes to hide, or None where there are not enough."""
    confounds = arrows.sum(axis=1) >= 2
    parentless = ~arrows.any(axis=0)
    first, then = np.flatnonzero(confounds & parentless), np.flatnonzero(confounds & ~parentless)
    if count is None:
        return rng.choice(first, max(1, len(first) // 2), replace=False) if len(first) else None
    if count > len(first) + len(then):
        return None
    others = max(0, count - len(first))
    return np.concatenate([rng.choice(first, count - others, replace=False), rng.choice(then, others, replace=False)])


def _selection(arrows: NDArray[np.bool_], count: int, rng: np.random.Generator) -> Positions | None:
    """The nodes to condition on, or None where there are not enough."""
    candidates = np.flatnonzero(~arrows.any(axis=1) & (arrows.sum(axis=0) >= 2))
    return rng.choice(candidates, count, replace=False) if count <= len(candidates) else None


def _check(nodes: int, degree: float, latent: int | None, selection: int) -> None:
    for option, value, least in [("nodes", nodes, 2), ("latent", latent, 0), ("selection", selection, 0)]:
        if value is None and option == "latent":
            continue
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise GraphError(f"{option}={shown(value)} counts nodes; pass a whole number, {least} or more")
    if nodes > MOST_NODES:
        raise GraphError(f"nodes={shown(nodes)} is too large; a DAG may be drawn with up to {MOST_NODES:,} nodes")
    number = real(degree)
    if number is None or not 0 < number <= nodes - 1:
        raise GraphError(
            f"degree={shown(degree)} is the mean number of neighbours in a graph of {nodes} nodes, before asking that "
            f"it is connected; pass a number above 0 and at most {nodes - 1}"
        )
    if (latent or 0) + selection >= nodes:
        raise GraphError(
            f"latent={latent} and selection={selection} leave none of {nodes} nodes to be observed; ask for fewer"
        )


def _none_found(nodes: int, latent: int | None, selection: int) -> str:
    wants = []
    if latent is None:
        wants.append("a parentless node with two children to be latent (latent=None)")
    elif latent:
        wants.append(f"{latent} nodes with two children to be latent (latent={latent})")
    if selection:
        wants.append(f"{selection} childless nodes with two parents to select on (selection={selection})")
    way_out = "pass latent=0" if latent is None and not selection else "ask for fewer of them"
    return (
        f"none of {MOST_DRAWS} random DAGs of {nodes} nodes has {' and '.join(wants)}; "
        f"{way_out}, or take more nodes or another degree"
    )
