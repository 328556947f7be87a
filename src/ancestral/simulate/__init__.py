"""Graphs to learn from: the random DAGs of the paper's experiments, and small DAGs made to be difficult.

>>> from ancestral import simulate
>>> dag = simulate.random_dag(nodes=15, degree=2, seed=1)
>>> len(dag.observed) + len(dag.latent)
15
"""

from ancestral.simulate import trouble
from ancestral.simulate.graphs import random_dag
from ancestral.simulate.trouble import (
    TROUBLE,
    collider_paths,
    confounded_pairs,
    directed_paths,
    distant_d_sep,
    mixed_trouble,
    selected_pairs,
)

__all__ = [
    "TROUBLE",
    "collider_paths",
    "confounded_pairs",
    "directed_paths",
    "distant_d_sep",
    "mixed_trouble",
    "random_dag",
    "selected_pairs",
    "trouble",
]
