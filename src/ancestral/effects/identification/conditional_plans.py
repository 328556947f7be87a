"""CIDP: whether P(y | do(x), z) follows from P(v) in every graph of a class.

Conditions and interventions change places by the second rule of the do-calculus for PAGs: do(x) may become x, or z
become do(z), if x is separated from y given the rest once the edges into all that is set, and the visible edges out of
x, are removed. First, what is set inside a bucket that is needed as a whole becomes a condition; then each bucket's
conditions become interventions where the rule allows it. What is left is P(y, z | do(x)), by IDP, divided by its sum
over y. (Jaber, Ribeiro, Zhang & Bareinboim 2022; for a DAG, Shpitser & Pearl 2006.)
"""

from dataclasses import dataclass

from ancestral.effects.identification.plans import Obstacle, Plan, plan
from ancestral.effects.identification.structure import Structure

__all__ = ["ConditionalPlan", "Exchange", "conditional_plan"]


@dataclass(frozen=True)
class ConditionalPlan:
    """P(y | do(x), z) is P(y | do(set), given), to be had from Q[target]."""

    set: int
    given: int
    target: int
    plan: Plan


@dataclass(frozen=True)
class Exchange:
    """What is set in this part of a bucket cannot become a condition, as identification would require."""

    part: int
    bucket: int


def conditional_plan(graph: Structure, x: int, y: int, z: int) -> ConditionalPlan | Obstacle | Exchange:
    """How P(y | do(x), z) follows from the joint distribution, or what stands in the way."""
    buckets = graph.buckets(graph.all)
    if z:
        moved = _conditioned(graph, buckets, x, y, z)
        if isinstance(moved, Exchange):
            return moved
        x, z = _set(graph, buckets, *moved, y)
    target = graph.ancestors(y | z, graph.all & ~x)
    steps = plan(graph, target)
    return steps if isinstance(steps, Obstacle) else ConditionalPlan(x, z, target, steps)


def _conditioned(graph: Structure, buckets: list[int], x: int, y: int, z: int) -> tuple[int, int] | Exchange:
    """x and z, after all that is set in a bucket of which a part is needed has become a condition."""
    while True:
        needed = graph.ancestors(y | z, graph.all & ~x)
        cut = next((b for b in buckets if b & needed and b & ~needed and b & x), None)
        if cut is None:
            return x, z
        part = cut & x
        if not _exchangeable(graph, part, y, x & ~part, z):
            return Exchange(part, cut)
        x, z = x & ~part, z | part


def _set(graph: Structure, buckets: list[int], x: int, z: int, y: int) -> tuple[int, int]:
    """x and z, after the conditions of each bucket that may become interventions have done so."""
    found = True
    while found:
        found = False
        for bucket in buckets:
            part = bucket & z
            if part and _exchangeable(graph, part, y, x, z & ~part):
                x, z, found = x | part, z & ~part, True
    return x, z


def _exchangeable(graph: Structure, part: int, y: int, others_set: int, given: int) -> bool:
    """Whether P(y | do(part, others), given) is the same as with the part observed: rule 2."""
    return graph.separated(part, y, others_set | given, into=others_set, out_of=part)
