"""New names for the nodes of a graph: a search that asks about pairs in the order of names then uses another order."""

from collections.abc import Iterable

import numpy as np

from ancestral import DAG, PAG

__all__ = ["named_back", "names_at_random", "relabeled"]


def names_at_random(nodes: Iterable[str], seed: int) -> dict[str, str]:
    """New names v1, v2, … for the nodes, in random order."""
    known = list(nodes)
    order = np.random.default_rng(seed).permutation(len(known))
    return {name: f"v{i + 1}" for name, i in zip(known, order.tolist(), strict=True)}


def relabeled(dag: DAG, names: dict[str, str]) -> DAG:
    """The DAG under new names."""
    latent, selection = ([names[v] for v in some] for some in (dag.latent, dag.selection))
    return DAG([names[v] for v in dag.nodes], dag.marks, latent=latent, selection=selection)


def named_back(pag: PAG, names: dict[str, str]) -> PAG:
    """A graph over the new names, with the old names again."""
    old = {new: name for name, new in names.items()}
    return PAG([old[v] for v in pag.nodes], pag.marks)
