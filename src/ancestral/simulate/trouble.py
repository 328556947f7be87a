"""Small difficult DAGs: structures that are rare in sparse random DAGs, and frequent here.

A test of a property of all graphs is as good as the graphs it is tried on. Each generator aims at one difficulty and
varies everything else with the seed: sizes, density, names, and a few edges that are not part of the plan. `TROUBLE` is
the tuple of all generators.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Protocol

import numpy as np

from ancestral.arguments import random_generator, whole_number
from ancestral.graphs import DAG
from ancestral.simulate.sketch import Sketch

__all__ = [
    "TROUBLE",
    "Trouble",
    "collider_paths",
    "confounded_pairs",
    "directed_paths",
    "distant_d_sep",
    "mixed_trouble",
    "selected_pairs",
]

#: The largest value of `most`: these DAGs are meant to be small, and some generators add an edge for each two nodes.
LARGEST = 200

Seed = int | np.random.Generator


class Trouble(Protocol):
    """A generator of difficult DAGs."""

    __name__: str

    def __call__(self, *, seed: Seed, most: int = ...) -> DAG:
        """One DAG; each generator documents which number is bounded by `most`."""


def confounded_pairs(*, seed: Seed, most: int = 6) -> DAG:
    """Few observed nodes, 4 up to `most`, and many latent common causes of pairs, also of pairs joined by an arrow.

    Args:
        seed: A whole number or a numpy Generator.
        most: The largest number of observed nodes.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> dag = confounded_pairs(seed=1)
        >>> 4 <= len(dag.observed) <= 6, len(dag.latent) > 0
        (True, True)
    """
    sketch = _sketch(seed, most, least=4)
    nodes = sketch.observe(sketch.between(4, most))
    arrows, confounded = sketch.rng.uniform(0.1, 0.5, 2)
    sketch.scatter(nodes, arrows=arrows, confounded=confounded)
    return sketch.dag()


def selected_pairs(*, seed: Seed, most: int = 6) -> DAG:
    """Many pairs selected on a common effect, among 4 up to `most` observed nodes; some confounded.

    Only the first nodes in causal order are selected on, all of them or less, so that arrowheads survive behind them.
    In half of the draws a ring of selected pairs runs through at least four nodes: a cycle without arrowheads and,
    if no chord falls into it, one whose edges must be undirected.

    Args:
        seed: A whole number or a numpy Generator.
        most: The largest number of observed nodes.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> 4 <= len(selected_pairs(seed=1, most=5).observed) <= 5
        True
    """
    sketch = _sketch(seed, most, least=4)
    nodes = sketch.observe(sketch.between(4, most))
    if sketch.coin():
        _select_ring(sketch, nodes[: sketch.between(4, len(nodes))])
    else:
        sketch.scatter(nodes[: sketch.between(2, len(nodes))], selected=sketch.rng.uniform(0.2, 0.6))
    arrows, confounded = sketch.rng.uniform(0.0, 0.3, 2)
    sketch.scatter(nodes, arrows=arrows, confounded=confounded)
    return sketch.dag()


def collider_paths(*, seed: Seed, most: int = 4) -> DAG:
    """A path start *-> v1 <-> v2 <-> … <-> last *-* end whose 1 up to `most` inner nodes v are parents of the end.

    Where all of them are, the path discriminates for `last`, which has an arrow to the end, a latent cause in common
    with it, or both. Some arrows lead elsewhere: to `last`, which makes parts of the path inducing, or to the start.

    Args:
        seed: A whole number or a numpy Generator.
        most: The largest number of inner nodes.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> collider_paths(seed=1) == collider_paths(seed=1)
        True
    """
    sketch = _sketch(seed, most, least=1)
    start, last, end = sketch.observe(3)
    inner = sketch.observe(sketch.between(1, most))
    path = [start, *inner, last]
    start_is_cause = sketch.coin()
    if start_is_cause:
        sketch.arrow(start, inner[0])
    for left, right in pairwise(path[start_is_cause:]):
        sketch.confound(left, right)
    ending = sketch.between(1, 5)
    if ending >= 3:
        sketch.arrow(last, end)
    if ending <= 3:
        sketch.confound(last, end)
    stray = sketch.coin() * sketch.rng.uniform(0.0, 0.3)
    for v in inner:
        if not sketch.coin(stray):
            sketch.arrow(v, end)
        if sketch.coin(stray):
            sketch.arrow(v, last)
        if not start_is_cause and sketch.coin(stray):
            sketch.arrow(v, start)
    order = [start, *inner, last, end] if start_is_cause else [*inner, start, last, end]
    sketch.scatter(order, arrows=stray / 4, confounded=stray / 4, selected=stray / 8)
    return sketch.dag()


def directed_paths(*, seed: Seed, most: int = 3) -> DAG:
    """An arrow from a cause to an effect, and beside it 1 up to `most` directed paths of one to three inner nodes.

    The tail at the cause follows from such paths alone, if at all: from one of them (R9) or, where the first nodes have
    arrows of their own to the effect, from two (R10). Usually the effect has another cause. Sometimes it has an effect
    itself, to which all nodes of the paths have arrows, so that the tail there follows from the first one (R8).
    Sometimes a node is on a ring of selected pairs, which puts tails before the paths.

    Args:
        seed: A whole number or a numpy Generator.
        most: The largest number of paths.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> directed_paths(seed=1) == directed_paths(seed=1)
        True
    """
    sketch = _sketch(seed, most, least=1)
    cause, effect = sketch.observe(2)
    paths = [sketch.observe(sketch.between(1, 3)) for _ in range(sketch.between(1, most))]
    other, further = sketch.observe(sketch.coin(0.7)), sketch.observe(sketch.coin(0.3))
    shortcuts = sketch.coin()
    for inner in paths:
        for left, right in pairwise([cause, *inner, effect]):
            sketch.arrow(left, right)
        if shortcuts:
            sketch.arrow(inner[0], effect)
    for node in [cause, *other]:
        sketch.arrow(node, effect)
    for last in further:
        for node in [cause, *chain.from_iterable(paths), effect]:
            sketch.arrow(node, last)
    order = [*other, cause, *chain.from_iterable(paths), effect, *further]
    if sketch.coin(0.3):
        _select_ring(sketch, [order[sketch.between(0, len(order) - 2)], *sketch.observe(3)])
    stray = sketch.coin() * sketch.rng.uniform(0.0, 0.15)
    sketch.scatter(order, arrows=stray, confounded=stray / 2)
    return sketch.dag()


def distant_d_sep(*, seed: Seed, most: int = 3) -> DAG:
    """A pair whose smallest separating sets need a hub that is a neighbour of neither of the two.

    Bundles of up to `most` nodes lie between the hub and the pair, so the hub alone replaces a whole bundle in a
    separating set. Most draws have two bundles of mediators and one of common causes of the pair, with variations in
    which the pair is joined by a chain or has a common effect. In the others the bundles lead to two colliders that
    both must be given, so that no set of neighbours separates the pair.

    Args:
        seed: A whole number or a numpy Generator.
        most: The largest number of nodes of a bundle.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> distant_d_sep(seed=1) == distant_d_sep(seed=1)
        True
    """
    sketch = _sketch(seed, most, least=2)
    order = _mediated(sketch, most) if sketch.coin(0.6) else _collided(sketch, most)
    stray = 0.05 * sketch.coin(0.3)
    sketch.scatter(order, arrows=stray, confounded=stray, selected=stray / 4)
    return sketch.dag()


def _mediated(sketch: Sketch, most: int) -> list[int]:
    """Hub --> left --> a, hub --> right --> b, shared --> a, shared --> b; the nodes in causal order."""
    hub, a, b = sketch.observe(3)
    left, right, shared = (sketch.observe(_bundle_size(sketch, most)) for _ in range(3))
    effect = sketch.observe(sketch.coin())
    middle = sketch.observe(sketch.coin(0.2 if effect else 0.8))
    root = sketch.observe(sketch.coin(0.25))
    for bundle, target in [(left, a), (right, b)]:
        for node in bundle:
            _lead(sketch, hub, node)
            sketch.arrow(node, target)
    for node in shared:
        sketch.arrow(node, a)
        sketch.arrow(node, b)
    for node in middle:  # the pair is still not adjacent
        sketch.arrow(a, node)
        sketch.arrow(node, b)
    for node in effect:  # an edge next to the pair, whose marks may become false if the pair is separated late
        for cause in [b, hub, *shared]:
            sketch.arrow(cause, node)
    for node in root:  # a common cause of many nodes
        for other in [hub, *shared, a, *middle]:
            if sketch.coin(0.8):
                sketch.arrow(node, other)
    return [*root, hub, *shared, *left, *right, a, *middle, b, *effect]


def _collided(sketch: Sketch, most: int) -> list[int]:
    """Hub --> left --> b <-> a <-- d, hub --> right --> d <-> e <-- b, for the pair a, e; in causal order."""
    hub, a, b, d, e = sketch.observe(5)
    left, right = (sketch.observe(_bundle_size(sketch, most)) for _ in range(2))
    for bundle, collider in [(left, b), (right, d)]:
        for node in bundle:
            _lead(sketch, hub, node)
            sketch.arrow(node, collider)
    sketch.confound(a, b)
    sketch.confound(d, e)
    sketch.arrow(b, e)
    sketch.arrow(d, a)
    return [hub, *left, *right, b, d, a, e]


def _bundle_size(sketch: Sketch, most: int) -> int:
    """The size of a bundle: two in most draws, the least for which the hub makes a separating set smaller."""
    return 2 if sketch.coin(0.7) else sketch.between(1, most)


def _lead(sketch: Sketch, hub: int, node: int) -> None:
    """Add hub --> node, sometimes through one more node."""
    if sketch.coin(0.05):
        (between,) = sketch.observe(1)
        sketch.arrow(hub, between)
        hub = between
    sketch.arrow(hub, node)


def mixed_trouble(*, seed: Seed, most: int = 8) -> DAG:
    """Arrows, latent common causes and selected common effects of pairs, each with a density of its own.

    There are 4 up to `most` observed nodes; as in `selected_pairs`, the last ones may not be selected on.

    Args:
        seed: A whole number or a numpy Generator.
        most: The largest number of observed nodes.

    Returns:
        The DAG.

    Raises:
        OptionError: If an option is not of this form.

    Examples:
        >>> 4 <= len(mixed_trouble(seed=1).observed) <= 8
        True
    """
    sketch = _sketch(seed, most, least=4)
    nodes = sketch.observe(sketch.between(4, most))
    # the mean number of neighbours of each kind, small enough that some pairs can be separated
    arrows, confounded, selected = sketch.rng.uniform(0.0, [2.5, 2.0, 2.0]) / (len(nodes) - 1)
    sketch.scatter(nodes, arrows=arrows, confounded=confounded)
    sketch.scatter(nodes[: sketch.between(0, len(nodes))], selected=selected)
    return sketch.dag()


def _select_ring(sketch: Sketch, ring: Sequence[int]) -> None:
    """Select each node together with the next one, and the last with the first."""
    for i, node in enumerate(ring):
        sketch.select(ring[i - 1], node)


def _sketch(seed: Seed, most: int, least: int) -> Sketch:
    whole_number("most", most, least, LARGEST)
    return Sketch(random_generator(seed))


#: All generators of this module.
TROUBLE: tuple[Trouble, ...] = (
    confounded_pairs,
    selected_pairs,
    collider_paths,
    directed_paths,
    distant_d_sep,
    mixed_trouble,
)
