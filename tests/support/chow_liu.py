"""Algorithms that ask no questions, for tests of stages whose reason is a graph.

`CHOW_LIU` finds a forest in one stage. `POLYTREE` has phases of its own names, a note on each claim, and a second stage
in which edges meet in colliders.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.orientation import orient
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.search.algorithms import ALGORITHMS, OF_QUESTIONS, Algorithm
from ancestral.search.base import Problem
from ancestral.search.progress import StepProgress
from ancestral.search.stage import GraphStage
from ancestral.trace import Note

Marks = NDArray[np.uint8]


def gains_of(problem: Problem) -> NDArray[np.float64]:
    """By how much an edge between any two lowers the BIC."""
    assert problem.test is not None
    moments = problem.test.effect_moments().select(problem.names)
    explained = np.minimum(moments.correlation**2, 1 - 1e-12)
    np.fill_diagonal(explained, 0)
    return np.asarray(-moments.rows * np.log1p(-explained) - np.log(moments.rows))


def forest_of(problem: Problem, gains: NDArray[np.float64]) -> Marks:
    """The skeleton of the best forest, in circles."""
    skeleton = np.zeros(gains.shape, dtype=np.uint8)
    part = np.arange(len(gains))
    step = StepProgress("forest", len(gains))
    problem.watch.follow(step)
    for x, y in sorted(combinations(range(len(gains)), 2), key=lambda pair: -gains[pair]):
        problem.watch.look()
        if gains[x, y] > 0 and part[x] != part[y]:
            skeleton[x, y] = skeleton[y, x] = CIRCLE
            part[part == part[y]] = part[x]
            step.done += 1
    problem.watch.look()
    return skeleton


def chow_liu(problem: Problem) -> Iterator[GraphStage]:
    """The forest with the lowest BIC (Chow & Liu 1968), in one stage."""
    gains = gains_of(problem)
    skeleton = forest_of(problem, gains)
    yield stage_of(problem, skeleton, gains, "forest", complete=True)


def polytree(problem: Problem) -> Iterator[GraphStage]:
    """The same forest, then the colliders of its unconnected triples (Rebane & Pearl 1987)."""
    gains = gains_of(problem)
    if isinstance(problem.start, GraphStage) and problem.start.member is not None:
        skeleton = np.minimum(problem.start.member, CIRCLE)
    else:
        skeleton = forest_of(problem, gains)
        yield stage_of(problem, skeleton, gains, "forest", complete=False)
    problem.watch.look()
    directed = skeleton.copy()
    for b in range(len(gains)):
        for a, c in combinations(np.flatnonzero(skeleton[b]).tolist(), 2):
            free = all(directed[v, b] == CIRCLE == directed[b, v] for v in (a, c))
            if gains[a, c] < 0 and free:
                directed[a, b] = directed[c, b] = ARROW
    yield stage_of(problem, directed, gains, "colliders", complete=True)


def stage_of(problem: Problem, marks: Marks, gains: NDArray[np.float64], phase: str, complete: bool) -> GraphStage:
    """The stage of a forest with some arrowheads; the notes say what each edge gains."""
    member = member_of(marks)
    oriented = orient(np.minimum(marks, CIRCLE), TrueGraph(member))
    names = problem.names
    edges = [(x, y) for x, y in permutations(range(len(names)), 2) if marks[x, y] and x < y]
    notes = [
        Note(names[x], names[y], "edge", gains[x, y], f"without it the BIC is {gains[x, y]:.1f} higher")
        for x, y in edges
    ]
    heads = [(x, y) for x, y in permutations(range(len(names)), 2) if oriented.marks[x, y] == ARROW]
    notes += [Note(names[x], names[y], "mark", 1.5, "denying it costs 1.5") for x, y in heads]
    return GraphStage(
        phase=phase,
        complete=complete,
        names=problem.names,
        columns=problem.columns,
        oriented=oriented,
        score=-float(sum(gains[pair] for pair in edges)),
        member=member,
        notes=tuple(notes),
    )


def member_of(marks: Marks) -> Marks:
    """A MAG of a forest with these arrowheads: other edges lead away from arrowheads, or from a root."""
    member = np.where(marks == ARROW, ARROW, 0).astype(np.uint8)
    seen: set[int] = set()
    # nodes with an arrowhead point onwards; then the rest of each tree leads away from its first node
    for root in sorted(range(len(marks)), key=lambda v: not (marks[:, v] == ARROW).any()):
        waiting = [root] if root not in seen else []
        while waiting:
            u = waiting.pop()
            seen.add(u)
            for v in np.flatnonzero(marks[u]).tolist():
                if not member[u, v]:
                    member[u, v] = ARROW if not member[v, u] else TAIL
                if not member[v, u]:
                    member[v, u] = TAIL
                if v not in seen and member[u, v] == ARROW:
                    waiting.append(v)
    return member


CHOW_LIU = Algorithm(
    run=chow_liu,
    title="Chow–Liu",
    phases=("forest",),
    summary="finds the best forest",
    complete_means="complete: the best forest of pairwise dependences",
    fixed_options={**OF_QUESTIONS, "knowledge": "a forest has no room for it"},
    asks=False,
    score="BIC",
)

POLYTREE = Algorithm(
    run=polytree,
    title="Polytree",
    phases=("forest", "colliders"),
    summary="finds the best forest and its colliders",
    complete_means="complete: a forest in which edges meet in colliders where their ends are uncorrelated",
    fixed_options=CHOW_LIU.fixed_options,
    asks=False,
    score="BIC",
)


@contextmanager
def registered(name: str, algorithm: Algorithm) -> Iterator[None]:
    """Let `discover` know an algorithm."""
    ALGORITHMS[name] = algorithm
    try:
        yield
    finally:
        del ALGORITHMS[name]
