from itertools import pairwise, permutations

import numpy as np

from ancestral import PAG, Oracle, pag_of, stages
from ancestral.classes.pds_tree import pds_tree
from tests.support.example_graphs import SEVEN_NODES
from tests.support.reference import random_marks


def test_the_tree_holds_exactly_the_pds_paths() -> None:
    edges = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)]
    for seed in range(10):
        pag = PAG("abcde", random_marks(np.random.default_rng(seed), 5, 0.6, edges))
        for root, other in permutations("abcde", 2):
            rest = [v for v in "abcde" if v not in (root, other)]
            expected = {
                path for k in (1, 2, 3) for middle in permutations(rest, k) if is_pds_path(pag, path := (root, *middle))
            }
            found = list(pds_tree(pag, root, other, radius=3).paths())
            assert len(found) == len(set(found))
            assert set(found) == expected


def is_pds_path(pag: PAG, path: tuple[str, ...]) -> bool:
    if any(pag.edge(u, v) is None for u, v in pairwise(path)):
        return False
    return all(
        pag.edge(u, w) is not None or (pag.has(u, "*->", v) and pag.has(w, "*->", v))
        for u, v, w in zip(path, path[1:], path[2:], strict=False)
    )


def test_the_trees_of_the_seven_node_example() -> None:
    # the pair A, E after radius 1: the redundant edge is still there, and the only ways out lead over B and D
    after_one = next(stage.pag for stage in stages(Oracle(SEVEN_NODES)) if stage.radius == 1)
    assert after_one.edge("A", "E") == "<->" and pag_of(SEVEN_NODES).edge("A", "E") is None
    assert str(pds_tree(after_one, "A", "E", radius=3)) == "A\n├── B\n│   └── F\n└── D"
    assert str(pds_tree(after_one, "E", "A", radius=3)) == "E\n├── B\n└── D\n    └── H"
