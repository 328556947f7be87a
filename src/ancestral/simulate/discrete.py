"""Models of levels: every node chooses one of its levels, with probabilities that its parents move.

The logit of a level is a small constant, plus a random effect for the level of each parent, plus a smaller one for the
levels of each two successive parents together. The effects of a term are centred, so that none of them can undo
another, and their size is bounded away from zero, so that every parent matters.

Selection nodes have no such joint effects. Where only one of two values is kept, parents that act on the logit one by
one are dependent in the rows kept, since the logarithm of the logistic curve bends; a joint effect could straighten it.
"""

from collections.abc import Mapping
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from ancestral.errors import OptionError, UnknownName
from ancestral.graphs import DAG
from ancestral.printing import shown
from ancestral.simulate.mechanisms import EFFECT, JOINT_EFFECT, Choice, Term, centred
from ancestral.simulate.sampling import Seed, check, frame, parents_of, sample, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["WAY_OUT", "discrete", "discrete_model", "level_terms", "levels_of"]

#: The most levels of a node: the effect of two parents on a third node has the third power of it as entries.
MOST_LEVELS = 100

WAY_OUT = "select by fewer nodes, or try another seed"


def discrete(dag: DAG, rows: int, *, levels: int | Mapping[str, int] = 2, seed: Seed) -> "pl.DataFrame":
    """Rows of the observed nodes, in the order of `dag.observed`, each value one of 0 … levels - 1.

    - `levels` is one number for all nodes, or says it by name, also for latent and selection nodes; nodes left out have
      2. A level may be rare, and in few rows absent.
    - The probabilities follow from the seed alone, and so does each row: with more rows the first ones stay the same.
    - Selection: a row is kept if every selection node has a value in the upper half of its levels (of 2 the last, of 3
      the last, of 4 the last two). Rows are drawn until there are enough.

    >>> dag = DAG.parse("a -> c, b -> c")
    >>> rows = discrete(dag, rows=1000, levels={"c": 3}, seed=1)
    >>> sorted(rows["a"].unique()), sorted(rows["c"].unique())
    ([0, 1], [0, 1, 2])
    """
    check(dag, rows)
    sizes = levels_of(dag, levels, otherwise=2)
    model, noise = streams(seed)
    columns = sample(dag, discrete_model(dag, sizes, model), rows, noise, way_out=WAY_OUT)
    return frame(dag, columns)


def discrete_model(dag: DAG, levels: Mapping[str, int], rng: np.random.Generator) -> dict[str, Choice]:
    """How each node chooses, in causal order."""
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
    """The effects of parents with levels, given by position: each alone and, jointly, each two successive ones."""
    alone = [Term((i,), centred(rng, (levels, own), size=rng.uniform(*EFFECT))) for i, own in parents.items()]
    together = [
        Term((i, j), centred(rng, (levels, parents[i], parents[j]), size=JOINT_EFFECT))
        for i, j in pairwise(parents)
        if jointly
    ]
    return (*alone, *together)


def levels_of(dag: DAG, levels: int | Mapping[str, int], *, otherwise: int) -> dict[str, int]:
    """The number of levels of each node."""
    said = levels if isinstance(levels, Mapping) else dict.fromkeys(dag.nodes, levels)
    for name, count in said.items():
        if name not in dag.nodes:
            raise UnknownName(name, dag.nodes)
        of = f" of {name!r}" if isinstance(levels, Mapping) else ""
        if isinstance(count, bool) or not isinstance(count, Integral) or int(count) < 2:
            raise OptionError(f"levels={shown(count)}{of} counts the values of a node; pass a whole number, 2 or more")
        if int(count) > MOST_LEVELS:
            raise OptionError(
                f"levels={shown(count)}{of} is too large; a node may have up to {MOST_LEVELS} values, since each two "
                "parents of a node have a table with one of its values and theirs"
            )
    return {name: int(said.get(name, otherwise)) for name in dag.nodes}
