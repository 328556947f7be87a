"""Uncovered walks against a search over all short walks, and rules on walks against rules on simple paths."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from ancestral.graphs.csr import compressed
from ancestral.orientation import RULES
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from tests.support.reference import random_marks

CIRCLE, ARROW, TAIL = 1, 2, 3
EDGES = [(1, 1)] * 4 + [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 1), (1, 3)]
Marks = np.ndarray


def uncovered_paths(marks: Marks, first: int, second: int, circles: bool) -> Iterator[list[int]]:
    """All simple uncovered paths that begin with this step, potentially directed or of circles only."""

    def may_step(u: int, v: int) -> bool:
        if not marks[u, v]:
            return False
        return bool(marks[u, v] == marks[v, u] == CIRCLE if circles else marks[v, u] != ARROW and marks[u, v] != TAIL)

    def extend(path: list[int]) -> Iterator[list[int]]:
        yield path
        u, v = path[-2:]
        for w in range(len(marks)):
            if w not in path and may_step(v, w) and not marks[u, w]:
                yield from extend([*path, w])

    if may_step(first, second):
        yield from extend([first, second])


def r5_by_paths(marks: Marks) -> set[tuple[int, int]]:
    """The edges that R5 makes undirected, in the words of Zhang."""
    found = set()
    n = len(marks)
    for a in range(n):
        for b in range(n):
            if a == b or not marks[a, b] == marks[b, a] == CIRCLE:
                continue
            for c in set(range(n)) - {a, b}:
                for path in uncovered_paths(marks, a, c, circles=True):
                    d = path[-1]
                    circle_edge = marks[d, b] == marks[b, d] == CIRCLE and b not in path and len(path) > 2
                    if circle_edge and not marks[a, d] and not marks[b, c] and not marks[path[-2], b]:
                        cycle = [*path, b]
                        found |= {(u, v) for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True)}
    return found | {(v, u) for u, v in found}


def r9_by_paths(marks: Marks) -> set[tuple[int, int]]:
    """The (a, c) of which R9 says a --> c."""
    n = len(marks)
    return {
        (a, c)
        for a in range(n)
        for c in range(n)
        if a != c and marks[a, c] == ARROW and marks[c, a] == CIRCLE
        for b in set(range(n)) - {a, c}
        if not marks[b, c] and any(path[-1] == c for path in uncovered_paths(marks, a, b, circles=False))
    }


def r10_by_paths(marks: Marks) -> set[tuple[int, int]]:
    """The (a, c) of which R10 says a --> c."""
    n = len(marks)
    found = set()
    for a in range(n):
        for c in range(n):
            if a == c or marks[a, c] != ARROW or marks[c, a] != CIRCLE:
                continue
            parents = {b for b in range(n) if marks[b, c] == ARROW and marks[c, b] == TAIL}
            firsts = [
                m
                for m in set(range(n)) - {a}
                if any(path[-1] in parents for path in uncovered_paths(marks, a, m, circles=False))
            ]
            if any(not marks[m, o] and m != o for m in firsts for o in firsts):
                found.add((a, c))
    return found


def one_pass(marks: Marks, rule: str) -> list[tuple[int, int, list[int]]]:
    """What one pass of the rule writes: (x, y, witnesses) for each mark at y on x–y."""
    board = Board(marks.copy())
    RULES[rule].propose(board, Judge())
    board.settle()
    rows, _, witnesses = board.log()
    return [(x, y, witnesses[start:stop].tolist()) for x, y, _, _, start, stop in rows.tolist()]


def written(marks: Marks, rule: str) -> set[tuple[int, int]]:
    """The ends of edges at which one pass of the rule writes, as (node with the mark, other node)."""
    return {(y, x) for x, y, _ in one_pass(marks, rule)}


@pytest.mark.parametrize("seed", range(40))
def test_rules_on_walks_write_all_that_rules_on_paths_write(seed: int) -> None:
    # on marks that belong to no PAG a walk can do more than a path; it must never do less
    rng = np.random.default_rng(seed)
    marks = random_marks(rng, int(rng.integers(4, 8)), rng.uniform(0.3, 0.7), EDGES)
    assert written(marks, "R5") >= r5_by_paths(marks)
    assert written(marks, "R9") >= r9_by_paths(marks)
    assert written(marks, "R10") >= r10_by_paths(marks)


@pytest.mark.parametrize("rule", ["R5", "R9", "R10"])
def test_witnesses_are_what_the_rule_says(rule: str) -> None:
    spoke = 0
    for seed in range(400):
        marks = random_marks(np.random.default_rng(seed), 7, 0.4, EDGES)
        for x, y, walk in one_pass(marks, rule):
            assert valid_witness(marks, rule, x, y, walk)
            spoke += 1
    assert spoke > 8


def valid_witness(marks: Marks, rule: str, x: int, y: int, walk: list[int]) -> bool:
    """Whether the walk shows why the mark at y on x–y is a tail, on the marks before."""
    if rule == "R5":
        around = [*walk, walk[0], walk[1]]
        circles = all(marks[u, v] == marks[v, u] == CIRCLE for u, v in itertools.pairwise(around))
        return circles and uncovered(marks, around) and x in walk and y in walk
    if rule == "R9":
        return walk[0] == y and walk[-1] == x and not marks[walk[1], x] and potentially_directed(marks, walk)
    # two walks from y, with x between them; should a walk itself pass x, one of the cuts is the right one
    cuts = [i for i, v in enumerate(walk) if v == x]
    return any(two_walks_to_parents(marks, x, y, walk[:i], walk[i + 1 :]) for i in cuts)


def two_walks_to_parents(marks: Marks, x: int, y: int, one: list[int], two: list[int]) -> bool:
    if len(one) < 2 or len(two) < 2 or marks[one[1], two[1]] or one[1] == two[1]:
        return False
    return all(
        w[0] == y and potentially_directed(marks, w) and marks[w[-1], x] == ARROW and marks[x, w[-1]] == TAIL
        for w in (one, two)
    )


def uncovered(marks: Marks, walk: list[int]) -> bool:
    return all(not marks[u, w] and u != w for u, w in zip(walk, walk[2:], strict=False))


def potentially_directed(marks: Marks, walk: list[int]) -> bool:
    steps = itertools.pairwise(walk)
    return uncovered(marks, walk) and all(marks[u, v] not in (0, TAIL) and marks[v, u] != ARROW for u, v in steps)


def test_compressed_rows_are_the_neighbours() -> None:
    marks = random_marks(np.random.default_rng(0), 20, 0.3, EDGES)
    sources, targets, offsets = compressed(marks)
    for x in range(20):
        assert targets[offsets[x] : offsets[x + 1]].tolist() == np.flatnonzero(marks[x]).tolist()
        assert (sources[offsets[x] : offsets[x + 1]] == x).all()
