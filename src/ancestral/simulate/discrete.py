"""Discrete models: every node takes one of its levels, with probabilities that depend on its parents.

The logit of a level is a small constant, plus a random effect for the level of each parent, plus a smaller one for the
levels of each two successive parents together. The effects of a term are centred, so that none of them cancels
another, and their size is bounded away from zero, so that every parent matters.

Selection nodes have no such joint effects. Where only one of two values is kept, parents that act on the logit one by
one are dependent in the rows kept, since the logarithm of the logistic function is not linear; a joint effect could
undo that.
"""

from collections.abc import Mapping
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from ancestral.errors import OptionError, refuse_unknown
from ancestral.graphs import DAG
from ancestral.printing import shown
from ancestral.simulate.mechanisms import EFFECT, JOINT_EFFECT, Choice, Term, centred
from ancestral.simulate.sampling import Seed, System, check, parents_of, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["discrete", "discrete_model", "discrete_system", "level_terms", "levels_of"]

#: The largest number of levels of a node: the joint effect of two parents on a node is a table with the third power of
#: it as entries, a million for 100 levels.
MOST_LEVELS = 100


def discrete(dag: DAG, rows: int, *, levels: int | Mapping[str, int] = 2, seed: Seed) -> "pl.DataFrame":
    """Draw rows of the observed nodes, in the order of `dag.observed`, with values 0 … levels - 1.

    With selection nodes, a row is kept if every one of them has a value in the upper half of its levels (of 2 the last,
    of 3 the last, of 4 the last two). Rows are drawn until there are enough.

    Args:
        dag: The DAG.
        rows: The number of rows.
        levels: One number for all nodes, or a mapping from names, also of latent and selection nodes; nodes left out
            have 2. A level may be rare, and absent if there are few rows.
        seed: A whole number or a numpy Generator. It determines the probabilities, and each row: if more rows are
            drawn, the first ones stay the same.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.
        UnknownName: If `levels` names nodes that are not in the DAG.

    Examples:
        >>> dag = DAG.parse("a -> c, b -> c")
        >>> rows = discrete(dag, rows=1000, levels={"c": 3}, seed=1)
        >>> sorted(rows["a"].unique()), sorted(rows["c"].unique())
        ([0, 1], [0, 1, 2])
    """
    check(dag, rows)
    return discrete_system(dag, levels=levels, seed=seed).draw(rows)


def discrete_system(dag: DAG, *, levels: int | Mapping[str, int] = 2, seed: Seed) -> System:
    """The system from which `discrete` draws its rows."""
    sizes = levels_of(dag, levels, otherwise=2)
    model, noise = streams(seed)
    return System(dag, discrete_model(dag, sizes, model), noise)


def discrete_model(dag: DAG, levels: Mapping[str, int], rng: np.random.Generator) -> dict[str, Choice]:
    """The mechanism of each node, in causal order."""
    out = {}
    for name, parents in parents_of(dag).items():
        constant = centred(rng, (levels[name],), size=rng.uniform(0, EFFECT[0]))
        of_parents = {i: levels[parent] for i, parent in enumerate(parents)}
        terms = level_terms(rng, levels[name], of_parents, jointly=name not in dag.selection)
        out[name] = Choice(parents, constant, terms)
    return out


def level_terms(
    rng: np.random.Generator, levels: int, parents: Mapping[int, int], *, jointly: bool
) -> tuple[Term, ...]:
    """The effects of discrete parents, by position: of each alone and, if `jointly`, of each two successive ones."""
    alone = [Term((i,), centred(rng, (levels, own), size=rng.uniform(*EFFECT))) for i, own in parents.items()]
    together = [
        Term((i, j), centred(rng, (levels, parents[i], parents[j]), size=JOINT_EFFECT))
        for i, j in pairwise(parents)
        if jointly
    ]
    return (*alone, *together)


def levels_of(dag: DAG, levels: int | Mapping[str, int], *, otherwise: int) -> dict[str, int]:
    """The number of levels of each node; `otherwise` is that of nodes that a mapping leaves out."""
    by_node = levels if isinstance(levels, Mapping) else dict.fromkeys(dag.nodes, levels)
    refuse_unknown(by_node, dag.nodes)
    for name, count in by_node.items():
        if isinstance(count, bool) or not isinstance(count, Integral) or not 2 <= int(count) <= MOST_LEVELS:
            where = f", got {shown(count)} for {name!r}" if isinstance(levels, Mapping) else f", got {shown(count)}"
            raise OptionError(f"must be a whole number from 2 to {MOST_LEVELS}{where}", option="levels")
    return {name: int(by_node.get(name, otherwise)) for name in dag.nodes}
