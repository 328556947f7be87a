"""From a plan to a formula: the chain of observed conditionals, from which the plan's buckets are removed.

Orders of removal that give the same verdict give formulas of different size. A few are tried, and the formula is taken
that is easiest to estimate: without quotients, with the fewest variables in its largest conditional.
"""

import heapq
from collections.abc import Iterable
from itertools import chain as joined

import numpy as np

from ancestral.effects.identification.chains import Chain, marginal, names_of, observed_chain, removed
from ancestral.effects.identification.formulas import ONE, Conditional, Product, Sum, conditional_of, product_of
from ancestral.effects.identification.plans import Plan, plan
from ancestral.effects.identification.structure import Structure, bits_in

__all__ = ["Parts", "conditional_formula", "simplest"]

#: How many orders of removal are tried.
ORDERS = 8

#: Densities, whose product is divided by the second.
Parts = tuple[Chain, Product]


def simplest(
    graph: Structure, target: int, over: frozenset[str], asked: frozenset[str] = frozenset()
) -> tuple[Parts, Product]:
    """Q[target], which must follow from the graph, in parts, and its sum over some variables: the simplest found.

    Formulas that mention variables beside those that were asked about count as less simple.
    """
    rng = np.random.default_rng(0)

    def shuffled(order: list[int]) -> list[int]:
        return [order[i] for i in rng.permutation(len(order))]

    best: tuple[Parts, Product] | None = None
    for number in range(ORDERS):
        steps = plan(graph, target, shuffled if number else None)
        assert isinstance(steps, Plan)  # the verdict does not depend on the order
        parts = parts_of(graph, steps)
        formula = marginal(parts[0], over, parts[1])
        if best is None or _size(formula, asked) < _size(best[1], asked):
            best = parts, formula
    assert best is not None
    return best


def conditional_formula(graph: Structure, parts: Parts, over: frozenset[str], heads: frozenset[str]) -> Product:
    """A distribution in parts, summed over some variables, given all variables but these heads.

    Factors that no sum over heads or over summed variables connects with the heads are the same above and below, and
    are left out.
    """
    chain, divisor = _concerning(parts, over, heads)
    whole = marginal(chain, over, divisor)
    found = product_of([whole], [marginal(chain, over | heads, divisor)])
    if len(found.factors) == 1 and not found.divided_by and isinstance(factor := found.factors[0], Conditional):
        inside, given = (bits_in(map(graph.names.index, names)) for names in (factor.heads, factor.given))
        return conditional_of(factor.heads, names_of(graph, graph.boundary(inside, given)))
    return found


def _concerning(parts: Parts, over: frozenset[str], heads: frozenset[str]) -> Parts:
    """The parts that mention a head, or a summed variable that such a part mentions, and so on."""
    chain, divisor = parts
    units = [density.value for density in chain]
    units += [Product((factor,)) for factor in (*divisor.factors, *divisor.divided_by)]
    reached, grown = heads, True
    while grown:
        near = [unit.free & (over | heads) for unit in units if unit.free & reached]
        wider = reached.union(*near)
        grown, reached = wider != reached, wider
    kept = tuple(density for density in chain if density.value.free & reached)
    below = [tuple(f for f in side if f.free & reached) for side in (divisor.factors, divisor.divided_by)]
    return kept, Product(*below)


def _size(formula: Product, asked: frozenset[str]) -> tuple[bool, int, int, int, int]:
    """How hard a formula is to estimate: quotients, other variables, the largest conditional, sums, the length."""
    sizes = [len(conditional.free) for conditional in formula.conditionals()]
    return formula.has_quotient, len(formula.free - asked), max(sizes, default=0), _sums(formula), sum(sizes)


def _sums(formula: Product) -> int:
    factors = (*formula.factors, *formula.divided_by)
    return sum(1 + _sums(factor.body) for factor in factors if isinstance(factor, Sum))


def parts_of(graph: Structure, steps: Plan) -> Parts:
    """The distribution to which a plan leads from the joint distribution of all nodes."""
    order, free = _order(graph, steps.removed)
    gone = set(steps.removed[:free])
    whole = observed_chain(graph, order)
    left = graph.all
    for bucket in gone:
        left &= ~bucket
    start = tuple(density for density, bucket in zip(whole, order, strict=True) if bucket not in gone)
    if not steps.removed and steps.parts:
        return _together(parts_of(graph, part) for part in steps.parts)
    return _continued(graph, steps, start, left, steps.removed[free:])


def _continued(graph: Structure, steps: Plan, start: Chain, left: int, waiting: Iterable[int]) -> Parts:
    """The distribution to which a plan leads from a chain over the nodes `left`, by the removals that are waiting."""
    for bucket in waiting:
        descendants = graph.descendants(bucket, left)
        start = removed(start, names_of(graph, bucket), names_of(graph, descendants))
        left &= ~bucket
    if steps.parts is None:
        return (start if steps.target else ()), ONE
    return _together(_continued(graph, part, start, left, part.removed) for part in steps.parts)


def _together(parts: Iterable[Parts]) -> Parts:
    """Two distributions multiplied, and divided by a third."""
    (first, below_first), (second, below_second), (shared, below_shared) = parts
    divisor = product_of([below_first, below_second, *(density.value for density in shared)], [below_shared])
    return tuple(joined(first, second)), divisor


def _order(graph: Structure, removals: tuple[int, ...]) -> tuple[list[int], int]:
    """An order of all buckets in which as many of the first removals as possible are left out of the chain for free.

    A removal asks that the nodes on which the bucket does not act stand before it, and the others behind it.
    """
    ranked = graph.order or tuple(graph.buckets(graph.all))
    earlier: dict[int, set[int]] = {bucket: set() for bucket in ranked}
    order, left = list(ranked), graph.all
    for count, bucket in enumerate(removals):
        after = graph.descendants(bucket, left)
        wanted = {b: set(before) for b, before in earlier.items()}
        for other in ranked:
            if other & left and other != bucket:
                if other & after:
                    wanted[other].add(bucket)
                else:
                    wanted[bucket].add(other)
        arranged = _sorted(ranked, wanted)
        if arranged is None:
            return order, count
        order, earlier = arranged, wanted
        left &= ~bucket
    return order, len(removals)


def _sorted(ranked: tuple[int, ...], earlier: dict[int, set[int]]) -> list[int] | None:
    """The buckets, each behind those that must stand before it, else in the given order; None if that cannot be."""
    place = {bucket: i for i, bucket in enumerate(ranked)}
    waiting = {bucket: len(before) for bucket, before in earlier.items()}
    behind: dict[int, list[int]] = {bucket: [] for bucket in ranked}
    for bucket, before in earlier.items():
        for other in before:
            behind[other].append(bucket)
    ready = [place[bucket] for bucket, count in waiting.items() if not count]
    heapq.heapify(ready)
    out = []
    while ready:
        bucket = ranked[heapq.heappop(ready)]
        out.append(bucket)
        for other in behind[bucket]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, place[other])
    return out if len(out) == len(ranked) else None
