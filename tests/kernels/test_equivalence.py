from itertools import product

import numpy as np

from ancestral.classes._equivalence_cy import enumerate_mags, separations
from ancestral.graphs.kinds import MAG
from tests.support.reference import ancestors

ARROW, TAIL = 2, 3


def is_ancestral(marks: np.ndarray) -> bool:
    """No arrowhead at an ancestor of the node at the other end; no arrowhead at a node of an undirected edge."""
    n = len(marks)
    for x, y in product(range(n), repeat=2):
        if marks[x, y] == ARROW and y in ancestors(marks, [x]):
            return False
        if marks[x, y] == marks[y, x] == TAIL and ARROW in {*marks[:, x], *marks[:, y]}:
            return False
    return True


def test_enumeration_finds_every_ancestral_graph_on_a_skeleton() -> None:
    for present in product([False, True], repeat=6):
        skeleton = np.zeros((4, 4), dtype=np.uint8)
        upper = np.triu_indices(4, 1)
        skeleton[upper] = present
        edges = np.argwhere(skeleton)
        if len(edges) > 4:
            continue
        every = []
        for choice in product([(ARROW, ARROW), (ARROW, TAIL), (TAIL, ARROW), (TAIL, TAIL)], repeat=len(edges)):
            marks = np.zeros((4, 4), dtype=np.uint8)
            for (x, y), (at_x, at_y) in zip(edges, choice, strict=True):
                marks[y, x], marks[x, y] = at_x, at_y
            if is_ancestral(marks):
                every.append(marks.tobytes())
        found = [marks.tobytes() for marks in enumerate_mags(skeleton + skeleton.T, False)]
        assert sorted(found) == sorted(every)


def test_like_colliders_keeps_the_unshielded_colliders_and_nothing_else() -> None:
    chain = MAG.parse("a --> b, b --> c")
    collider = MAG.parse("a --> b, c --> b")
    for model in (chain, collider):
        collides = model is collider
        kept = {m.tobytes() for m in enumerate_mags(model.marks, True)}
        every = list(enumerate_mags(model.marks, False))
        b = model.index("b")
        ends = [model.index("a"), model.index("c")]
        assert kept == {m.tobytes() for m in every if (m[ends, b] == ARROW).all() == collides}


def test_separations_of_an_empty_graph_are_all() -> None:
    table = separations(np.zeros((3, 3), dtype=np.uint8))
    assert table.sum() == 3 * 2
