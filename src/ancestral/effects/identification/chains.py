"""Distributions in the form of chains: a product of densities, each of some variables given those before it.

The joint distribution of all nodes is a chain of observed conditionals in any order. If the nodes that B does not act
on stand before B, and those that it may act on behind it, removing B is leaving out its density. Where the next bucket
asks for another order, neighbours in the chain change places as long as the later one does not depend on the earlier
one. If that does not suffice, the density of a bucket is replaced by sums: q(w) q(r | b, w), where w are the nodes on
which B does not act and r the others, with q(w) = Σ q over b and r, and q(r | b, w) = q / Σ q over r.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ancestral.effects.identification.formulas import ONE, Product, conditional_of, product_of, sum_of
from ancestral.effects.identification.structure import Structure, nodes_of

__all__ = ["Density", "marginal", "observed_chain", "removed"]

Names = frozenset[str]


@dataclass(frozen=True)
class Density:
    """A density of `heads`, as a function of these and of other variables; over all values of heads its sum is one."""

    heads: Names
    value: Product


Chain = tuple[Density, ...]


def observed_chain(graph: Structure, order: Sequence[int]) -> Chain:
    """The joint distribution of these buckets as conditionals, each given as few of the buckets before as suffice."""
    before, out = 0, []
    for bucket in order:
        heads = names_of(graph, bucket)
        given = names_of(graph, graph.boundary(bucket, before))
        out.append(Density(heads, conditional_of(heads, given)))
        before |= bucket
    return tuple(out)


def removed(chain: Chain, bucket: Names, descendants: Names) -> Chain:
    """The chain of q(w) q(r | b, w): b is set instead of observed; `descendants` are b and r."""
    arranged = _arranged(chain, bucket, descendants)
    if arranged is not None:
        return tuple(density for density in arranged if not density.heads <= bucket)
    first = next(i for i, density in enumerate(chain) if density.heads & descendants)
    kept, rest = chain[:first], chain[first:]
    heads = frozenset[str]().union(*(density.heads for density in rest))
    untouched, touched = heads - descendants, descendants - bucket
    whole = product_of(density.value for density in rest)
    out = [*kept]
    if untouched:
        out.append(Density(untouched, marginal(rest, heads & descendants)))
    if touched:
        out.append(Density(touched, product_of([whole], [marginal(rest, touched)])))
    return tuple(out)


def marginal(chain: Sequence[Density], over: Names, divided_by: Product = ONE) -> Product:
    """The sum of a chain over some variables, without the densities that sum to one."""
    left = list(chain)
    found = True
    while found:
        found = False
        for density in left:
            others = frozenset[str]().union(divided_by.free, *(d.value.free for d in left if d is not density))
            if density.heads <= over and not density.heads & others:
                left.remove(density)
                found = True
                break
    return sum_of(over, product_of([density.value for density in left], [divided_by]))


def names_of(graph: Structure, nodes: int) -> Names:
    """The names of a set of nodes."""
    return frozenset(graph.names[i] for i in nodes_of(nodes))


def _arranged(chain: Chain, bucket: Names, descendants: Names) -> Chain | None:
    """The chain with the nodes outside `descendants` before the bucket and the others behind it; None if it cannot be.

    Each density moves forward past those that it does not mention.
    """

    def rank(density: Density) -> int:
        return 1 if density.heads == bucket else 2 if density.heads & descendants else 0

    out = list(chain)
    if any(d.heads & part and d.heads - part for part in (bucket, descendants) for d in out):
        return None  # a density of nodes of two sorts cannot be taken apart
    for i in range(len(out)):
        for j in range(i, 0, -1):
            if rank(out[j - 1]) <= rank(out[j]):
                break
            if out[j - 1].heads & out[j].value.free:
                return None
            out[j - 1], out[j] = out[j], out[j - 1]
    return tuple(out)
