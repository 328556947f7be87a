"""The separating sets of a MAG: they separate, nothing can be left out, and adjacent nodes have none."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from ancestral import DAG, MAG, is_separated, mag_of
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.graphs.minimal_separation import MinimalSeparation
from ancestral.simulate.trouble import TROUBLE


@pytest.mark.parametrize("make", TROUBLE, ids=lambda make: make.__name__)
def test_sets_separate_and_are_minimal(make: Callable[..., DAG]) -> None:
    for seed in range(25):
        mag = mag_of(make(seed=seed))
        separation = MinimalSeparation(mag.marks)
        for x, y in combinations(range(len(mag.nodes)), 2):
            given = separation.set_of(x, y)
            assert given == separation.set_of(y, x)
            assert (given is None) == bool(mag.marks[x, y])
            if given is None:
                continue
            ends, names = (mag.nodes[x], mag.nodes[y]), {mag.nodes[z] for z in given}
            assert is_separated(mag, *ends, given=names) and separation.separates(given, x, y)
            for name in names:
                assert not is_separated(mag, *ends, given=names - {name})


def test_undirected_edges_lead_to_anteriors() -> None:
    mag = MAG.parse("a --- b, b --- c, c --- d, d --- a")
    assert MinimalSeparation(mag.marks).set_of(0, 2) == (1, 3)


def test_a_graph_that_is_not_maximal_has_pairs_without_a_set() -> None:
    """a <-> b <-> c <-> d, with b --> d and c --> a: every set leaves a path between a and d open."""
    marks = np.zeros((4, 4), dtype=np.uint8)
    for x, y in ((0, 1), (1, 2), (2, 3)):
        marks[x, y] = marks[y, x] = ARROW
    for x, y in ((1, 3), (2, 0)):
        marks[x, y], marks[y, x] = ARROW, TAIL
    assert MinimalSeparation(marks).set_of(0, 3) is None
