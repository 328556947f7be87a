"""Random DAGs with latent common causes, distributed as in the experiments of the ICD paper (section 4).

Every pair of nodes is joined with the same probability, from the earlier to the later node; only connected DAGs
count; half of the parentless nodes with at least two children become latent. A DAG without such nodes is drawn again.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import optional, random_generator, real, whole_number
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs import DAG
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.simulate.connected import connected_graph

__all__ = ["random_dag"]

#: The number of DAGs to draw in search of one with enough nodes that can be latent or selection; after that there is
#: probably none.
MOST_DRAWS = 1000

#: The largest number of nodes of a random DAG: drawing it takes several matrices with an entry for each two nodes, some
#: of them of 3.2 GB.
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

    If there are not enough nodes that can be latent or selection nodes, the whole DAG is drawn again.

    Args:
        nodes: The number of all nodes, latent and selection nodes included.
        degree: The mean number of neighbours of a node, before the condition that the graph is connected.
        seed: A whole number or a numpy Generator.
        latent: None is as in the paper: of the parentless nodes with at least two children half are latent, rounded
            down but at least one, chosen uniformly. A number asks for exactly that many latent nodes. They are chosen
            uniformly among the parentless nodes with at least two children; if these are too few, all of them are
            taken, and the others are chosen uniformly among the remaining nodes with at least two children. 0 leaves
            all nodes observed.
        selection: The number of selection nodes, chosen uniformly among the childless nodes with at least two parents.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.
        GraphError: If no such DAG was found in many draws.

    Examples:
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
    raise GraphError(*_none_found(nodes, latent, selection))


def _latent(arrows: NDArray[np.bool_], count: int | None, rng: np.random.Generator) -> Positions | None:
    """The nodes that are latent, or None if there are not enough."""
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
    """The selection nodes, or None if there are not enough."""
    candidates = np.flatnonzero(~arrows.any(axis=1) & (arrows.sum(axis=0) >= 2))
    return rng.choice(candidates, count, replace=False) if count <= len(candidates) else None


def _check(nodes: int, degree: float, latent: int | None, selection: int) -> None:
    whole_number("nodes", nodes, 2, MOST_NODES)
    optional(whole_number, "latent", latent, 0)
    whole_number("selection", selection, 0)
    number = real(degree)
    if number is None or not 0 < number <= nodes - 1:
        raise OptionError(
            f"must be above 0 and at most {nodes - 1}, the largest number of neighbours in a graph of {nodes} nodes",
            option="degree",
            value=degree,
        )
    if (latent or 0) + selection >= nodes:
        counts: list[str | Option] = [Option("latent", latent or 0), " and ", Option("selection", selection)]
        raise OptionError(
            [f"at least one of {nodes} nodes must be observed, got ", *counts], way_out="ask for fewer of them"
        )


def _none_found(nodes: int, latent: int | None, selection: int) -> list[str | Option]:
    """The parts of the message that no DAG has enough nodes for these roles."""
    lacking: list[str] = []
    if latent is None:
        lacking.append("a parentless node with two children to be latent")
    elif latent:
        lacking.append(f"{latent} nodes with two children to be latent")
    if selection:
        lacking.append(f"{selection} childless nodes with two parents to select on")
    none = f"none of {MOST_DRAWS:,} random DAGs of {nodes} nodes has {' and '.join(lacking)}; "
    way_out = ["pass ", Option("latent", 0)] if latent is None and not selection else ["ask for fewer of them"]
    return [none, *way_out, ", or take more nodes or another degree"]
