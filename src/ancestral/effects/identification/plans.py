"""IDP: whether P(y | do(x)) follows from P(v) in every graph of a class, and by which steps.

Q[T] is the distribution of the nodes T when all others are set, P(t | do(v∖t)). The answer is a sum over Q[D], where D
are the possible ancestors of Y once X is taken out. `plan` finds how Q[C] follows from Q[T]:

- a bucket B of T outside C can be removed if no possible descendant of it may share a hidden cause with it. (Conditions
  on nodes of T alone; what was visible in the whole graph stays visible.)
- If none can be removed, Q[C] may be a product of parts: with R the region of a bucket of C and S the region of the
  rest, Q[C] = Q[R] Q[S] / Q[R ∩ S], each planned alike.
- If C is a single region and not yet T, Q[C] does not follow from the graph.

Removing a bucket never prevents another removal, since it takes nodes away from both sides of the condition. So the
verdict does not depend on the order in which buckets are tried; the formula does.

(Jaber, Zhang & Bareinboim 2018, 2019, and Jaber, Ribeiro, Zhang & Bareinboim 2022, Causal identification under Markov
equivalence: calculus, algorithm, and completeness. For a DAG this is Tian & Pearl 2002.)
"""

from collections.abc import Callable
from dataclasses import dataclass

from ancestral.effects.identification.structure import Structure

__all__ = ["Obstacle", "Plan", "plan"]

#: Puts the buckets that may be removed into the order in which they are tried.
Arrange = Callable[[list[int]], list[int]]


@dataclass(frozen=True)
class Plan:
    """How Q[target] follows from a Q[T]: buckets are removed one after the other, then the rest may be split."""

    target: int
    removed: tuple[int, ...] = ()
    parts: tuple["Plan", "Plan", "Plan"] | None = None  #: two regions, and what they share


@dataclass(frozen=True)
class Obstacle(Exception):
    """Why Q[target] does not follow from Q[given]: no bucket can be removed, and the target is a single region."""

    target: int
    given: int


def plan(graph: Structure, target: int, arrange: Arrange | None = None) -> Plan | Obstacle:
    """The steps from the joint distribution of all nodes to Q[target], or what stands in the way.

    Buckets are tried from the last one in the order of the graph to the first, or as `arrange` has them.
    """
    order = list(reversed(graph.order or graph.buckets(graph.all)))
    planner = _Planner(graph, order if arrange is None else arrange(order))
    try:
        return planner.plan(target, graph.all)
    except Obstacle as obstacle:
        return obstacle


class _Planner:
    def __init__(self, graph: Structure, order: list[int]) -> None:
        self.graph = graph
        self.order = order
        self.known: dict[tuple[int, int], Plan] = {}

    def plan(self, target: int, given: int) -> Plan:
        """The steps from Q[given] to Q[target]; raises an `Obstacle`."""
        if (target, given) not in self.known:
            self.known[target, given] = self._planned(target, given)
        return self.known[target, given]

    def _planned(self, target: int, given: int) -> Plan:
        graph = self.graph
        if not target:
            return Plan(0)
        for bucket in graph.buckets(given):
            if bucket & target and bucket & ~target:  # no step removes a part of a bucket
                raise Obstacle(target, given)
        removed, left = self._removed(target, given)
        if left == target:
            return Plan(target, removed)
        for bucket in graph.buckets(target):
            region = graph.region(bucket, target)
            if region != target:
                rest = graph.region(target & ~region, target)
                parts = self.plan(region, left), self.plan(rest, left), self.plan(region & rest, left)
                return Plan(target, removed, parts)
        raise Obstacle(target, left)

    def _removed(self, target: int, given: int) -> tuple[tuple[int, ...], int]:
        """The buckets outside the target that can be removed, one after the other, and the nodes that are left."""
        graph, removed = self.graph, []
        waiting = [bucket for bucket in self.order if bucket & given and not bucket & target]
        found = True
        while found:
            found = False
            for bucket in waiting:
                after = graph.descendants(bucket, given)
                if after == bucket or not graph.possible_component(bucket, given) & after & ~bucket:
                    removed.append(bucket)
                    given &= ~bucket
                    found = True
            waiting = [bucket for bucket in waiting if bucket & given]
        return tuple(removed), given
