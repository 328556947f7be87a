"""Ordinal models: a linear Gaussian model of which only the interval between two thresholds is seen.

The thresholds of a node are random: the shares of its levels are as numbers from 1 to 3, so that a level is at most
three times as frequent as another before selection.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ancestral.arguments import names_list
from ancestral.errors import refuse_unknown
from ancestral.graphs import DAG
from ancestral.simulate.discrete import levels_of
from ancestral.simulate.gaussian import drawn_model
from ancestral.simulate.sampling import Seed, check, parents_of, sample, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ordinal"]

#: The shares of levels are drawn between these numbers, and divided by their sum.
SHARE = (1.0, 3.0)
#: A selection node keeps this share of the rows.
KEEP = 0.5


def ordinal(
    dag: DAG,
    rows: int,
    *,
    levels: int | Mapping[str, int] = 5,
    continuous: Iterable[str] = (),
    seed: Seed,
) -> "pl.DataFrame":
    """Draw rows of the observed nodes, in the order of `dag.observed`: ordered levels "1", "2", …, as an Enum.

    With selection nodes, a row is kept if every one of them is above its median. Rows are drawn until there are enough.

    Args:
        dag: The DAG.
        rows: The number of rows.
        levels: One number for all nodes, or a mapping from their names; nodes left out have 5.
        continuous: The nodes that are seen as they are, floats.
        seed: A whole number or a numpy Generator. It determines weights and thresholds, and each row: if more rows are
            drawn, the first ones stay the same.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.
        UnknownName: If `levels` or `continuous` names nodes that are not in the DAG.

    Examples:
        >>> rows = ordinal(DAG.parse("a -> b, b -> c"), rows=1000, levels={"a": 3}, continuous=["c"], seed=1)
        >>> rows["a"].dtype, rows["c"].dtype
        (Enum(categories=['1', '2', '3']), Float64)
    """
    import polars as pl
    from scipy.special import ndtri

    check(dag, rows)
    sizes = levels_of(dag, levels, otherwise=5)
    exact = set(names_list("continuous", continuous))
    refuse_unknown(exact, dag.nodes)
    rng, noise = streams(seed)
    model = drawn_model(dag, rng)
    spread = np.sqrt(model.covariance.diagonal())
    thresholds = {}
    for name in parents_of(dag):  # in an order that does not depend on how the DAG was written
        upto = np.cumsum(rng.uniform(*SHARE, size=sizes[name]))
        thresholds[name] = ndtri(upto[:-1] / upto[-1]) * spread[dag.index(name)]
    out = []
    for name, values in zip(dag.observed, sample(dag, model.mechanisms(KEEP), rows, noise), strict=True):
        if name in exact:
            out.append(pl.Series(name, values))
            continue
        labels = [str(level) for level in range(1, sizes[name] + 1)]
        codes = np.searchsorted(thresholds[name], values)
        out.append(pl.Series(name, labels, dtype=pl.Enum(labels)).gather(codes))
    return pl.DataFrame(out)
