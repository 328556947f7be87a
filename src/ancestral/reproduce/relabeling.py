"""The same thing under other names: who asks pairs by name asks them in another order then."""

from collections.abc import Iterable

import numpy as np

from ancestral.graphs import DAG, PAG

__all__ = ["named_back", "names_at_random", "relabeled"]


def names_at_random(nodes: Iterable[str], seed: int) -> dict[str, str]:
    """New names v1, v2, … for the nodes, in an order drawn at random."""
    known = list(nodes)
    order = np.random.default_rng(seed).permutation(len(known))
    return {name: f"v{i + 1}" for name, i in zip(known, order.tolist(), strict=True)}


def relabeled(dag: DAG, names: dict[str, str]) -> DAG:
    """The DAG under new names."""
    latent, selection = ([names[v] for v in some] for some in (dag.latent, dag.selection))
    return DAG([names[v] for v in dag.nodes], dag.marks, latent=latent, selection=selection)


def named_back(pag: PAG, names: dict[str, str]) -> PAG:
    """A graph over new names, over the old ones."""
    old = {new: name for name, new in names.items()}
    return PAG([old[v] for v in pag.nodes], pag.marks)
