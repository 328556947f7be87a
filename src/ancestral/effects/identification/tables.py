"""The value of a formula for variables with levels: arrays with an axis for each variable, summed and multiplied."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.effects.identification.formulas import Conditional, Factor, Product

__all__ = ["Grid", "value_on_tables"]

#: Gives the observed probabilities of some variables, with an axis for each, in this order.
Marginals = Callable[[tuple[str, ...]], NDArray[np.float64]]


@dataclass(frozen=True)
class Grid:
    """A number for each combination of levels: an axis for each name."""

    names: tuple[str, ...]
    values: NDArray[np.float64]


def value_on_tables(formula: Product, marginals: Marginals, keep: Iterable[str] | None = None) -> Grid:
    """The value of a formula for each combination of levels of its free variables.

    The axes are those of `keep`, if given, which must contain the free variables.
    """
    names = tuple(sorted(formula.free)) if keep is None else tuple(keep)
    return _product(formula, marginals, names)


def _product(formula: Product, marginals: Marginals, keep: tuple[str, ...]) -> Grid:
    """The product of all factors, summed over the variables that are not kept."""
    grids = [_factor(factor, marginals) for factor in formula.factors]
    for factor in formula.divided_by:
        grid = _factor(factor, marginals)
        grids.append(Grid(grid.names, 1 / grid.values))
    missing = [name for name in keep if not any(name in grid.names for grid in grids)]
    grids += [Grid((name,), np.ones(marginals((name,)).shape)) for name in missing]
    if not grids:
        return Grid((), np.ones(()))
    axis = {name: i for i, name in enumerate(sorted({name for grid in grids for name in grid.names}))}
    operands: list[Any] = [item for grid in grids for item in (grid.values, [axis[name] for name in grid.names])]
    return Grid(keep, np.einsum(*operands, [axis[name] for name in keep], optimize="greedy"))


def _factor(factor: Factor, marginals: Marginals) -> Grid:
    names = tuple(sorted(factor.free))
    if not isinstance(factor, Conditional):
        return _product(factor.body, marginals, names)
    joint = marginals(names)
    heads = tuple(i for i, name in enumerate(names) if name in factor.heads)
    return Grid(names, joint / joint.sum(axis=heads, keepdims=True) if factor.given else joint)
