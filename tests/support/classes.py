"""Equivalence classes of small MAGs, by definition: graphs that entail the same separations. No rule is involved."""

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from ancestral.classes._equivalence_cy import enumerate_mags, separations
from ancestral.orientation import ALL_RULES, orient
from ancestral.orientation._judge_cy import TrueGraph

Marks = NDArray[np.uint8]


def skeletons(n: int) -> Iterator[Marks]:
    """All labelled undirected graphs on n nodes."""
    pairs = list(combinations(range(n), 2))
    for chosen in range(1 << len(pairs)):
        skeleton = np.zeros((n, n), dtype=np.uint8)
        for i, (x, y) in enumerate(pairs):
            skeleton[x, y] = skeleton[y, x] = chosen >> i & 1
        yield skeleton


def skeletons_up_to_isomorphism(n: int) -> Iterator[Marks]:
    """One graph of each isomorphism class: the lexicographically smallest of its relabelings."""
    orders = [np.ix_(order, order) for order in permutations(range(n))]
    for skeleton in skeletons(n):
        if all(skeleton.tobytes() <= skeleton[order].tobytes() for order in orders):
            yield skeleton


def mags(skeleton: Marks) -> Iterator[tuple[Marks, Marks]]:
    """All MAGs on a skeleton, each with its table of separations: ancestral, and every missing edge a separation."""
    missing = [row for row, (x, y) in enumerate(combinations(range(len(skeleton)), 2)) if not skeleton[x, y]]
    for marks in enumerate_mags(skeleton, like_colliders=False):
        table = separations(marks)
        if table[missing].any(axis=1).all():
            yield marks, table


def classes(skeletons: Iterable[Marks]) -> Iterator[list[Marks]]:
    """The equivalence classes of all MAGs on these skeletons. Equivalent MAGs have the same skeleton."""
    for skeleton in skeletons:
        found: dict[bytes, list[Marks]] = {}
        for marks, table in mags(skeleton):
            found.setdefault(table.tobytes(), []).append(marks)
        yield from found.values()


def agreed_marks(members: Iterable[Marks]) -> Marks:
    """The PAG of a class by definition: marks on which all members agree, circles elsewhere."""
    stack = np.stack(list(members))
    return np.where((stack == stack[0]).all(axis=0), stack[0], np.uint8(1))


def oriented_marks(mag: Marks, rules: Iterable[str] = ALL_RULES) -> Marks:
    """The PAG of a MAG by the rules."""
    return orient((mag != 0).astype(np.uint8), TrueGraph(mag), rules).marks
