"""Linear Gaussian models, as in the structural accuracy experiment of the ICD paper (section 4.2).

Every node is a weighted sum of its parents plus standard normal noise; the weights are uniform in [-2, -0.5] and
[0.5, 2].
"""

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import real
from ancestral.errors import Option, OptionError
from ancestral.graphs import DAG
from ancestral.simulate.mechanisms import Linear, weights
from ancestral.simulate.sampling import (
    RAREST,
    Seed,
    System,
    check,
    finite_values,
    parents_of,
    streams,
)

if TYPE_CHECKING:
    import polars as pl

__all__ = ["GaussianModel", "drawn_model", "gaussian_model", "gaussian_system", "linear_gaussian"]


@dataclass(frozen=True, eq=False)
class GaussianModel:
    """A DAG with weights, and normal noise with variance 1 at each node.

    Edges out of selection nodes have weight 0: all rows that are kept have passed the selection, so it is a constant.
    Made by `gaussian_model`.

    Attributes:
        dag: The DAG.
        weights: At x, y: the weight of the edge x --> y, by position in `dag.nodes`; 0 without edge.

    Examples:
        >>> model = gaussian_model(DAG.parse("a -> b, b -> c"), seed=1)
        >>> w = model.weights
        >>> bool(np.isclose(model.effects[0, 2], w[0, 1] * w[1, 2]))  # along the only path from a to c
        True
    """

    dag: DAG
    weights: NDArray[np.float64]

    @cached_property
    def effects(self) -> NDArray[np.float64]:
        """The effect of the noise of x (row) on y (column): the products of weights, summed over all directed paths."""
        out = np.eye(len(self.dag.nodes))
        with finite_values():
            for name in parents_of(self.dag):
                y = self.dag.index(name)
                causes = np.flatnonzero(self.weights[:, y])
                out[:, y] += (out[:, causes] * self.weights[causes, y]).sum(axis=1)
        return out

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of all nodes, in the order of `dag.nodes`, before selection.

        Examples:
            >>> dag = DAG.parse("a -> b")
            >>> model = gaussian_model(dag, seed=1)
            >>> w = model.weights[0, 1]
            >>> bool(np.allclose(model.covariance, [[1, w], [w, w**2 + 1]]))
            True
        """
        with finite_values():
            return self.effects.T @ self.effects

    def mechanisms(self, keep: float) -> dict[str, Linear]:
        """The mechanism of each node, in causal order.

        Args:
            keep: The share of rows that each selection node alone would keep.

        Returns:
            The mechanisms by name.

        Examples:
            >>> gaussian_model(DAG.parse("a -> b"), seed=1).mechanisms(0.5)["b"].parents
            ('a',)
        """
        quantile = NormalDist().inv_cdf(1 - keep)
        out = {}
        for name, parents in parents_of(self.dag).items():
            y = self.dag.index(name)
            on = tuple(float(self.weights[self.dag.index(parent), y]) for parent in parents)
            spread = float(np.linalg.norm(self.effects[:, y])) if name in self.dag.selection else 0.0
            out[name] = Linear(parents, on, threshold=quantile * spread)
        return out


def gaussian_model(dag: DAG, *, seed: Seed) -> GaussianModel:
    """The model from which `linear_gaussian` draws its rows if it is given the same seed.

    Args:
        dag: The DAG.
        seed: A whole number or a numpy Generator.

    Returns:
        The model, with its weights and covariance.

    Raises:
        OptionError: If `dag` is not a DAG with an observed node, or the seed is not a seed.
        GraphError: If the values become too large for floats.

    Examples:
        >>> gaussian_model(DAG.parse("a -> b"), seed=1).covariance[0, 0]
        np.float64(1.0)
    """
    check(dag)
    return drawn_model(dag, streams(seed)[0])


def linear_gaussian(dag: DAG, rows: int, *, seed: Seed, keep: float = 0.5) -> "pl.DataFrame":
    """Draw rows of the observed nodes, in the order of `dag.observed`, from a linear Gaussian model.

    With selection nodes, a row is kept if every one of them is above its threshold. With several fewer rows pass all of
    them. Rows are drawn until there are enough. Truncated rows satisfy the separations of the DAG given selection, but
    they are no longer normal: where selection makes the regressions of both x and y on z nonlinear, their partial
    correlation given z is near zero, not zero.

    Args:
        dag: The DAG.
        rows: The number of rows.
        seed: A whole number or a numpy Generator. It determines the random weights, and each row: if more rows are
            drawn, the first ones stay the same.
        keep: The threshold of a selection node is the quantile at which this share of all rows would pass this node
            alone, the median for 0.5.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.
        GraphError: If the values become too large for floats.

    Examples:
        >>> dag = DAG.parse("L -> a, L -> b, a -> c", latent=["L"])
        >>> rows = linear_gaussian(dag, rows=1000, seed=1)
        >>> rows.columns, rows.height
        (['a', 'b', 'c'], 1000)
    """
    check(dag, rows)
    return gaussian_system(dag, seed=seed, keep=keep).draw(rows)


def gaussian_system(dag: DAG, *, seed: Seed, keep: float = 0.5) -> System:
    """The system from which `linear_gaussian` draws its rows."""
    share = real(keep)
    if share is None or not 0 < share < 1:
        raise OptionError("must be between 0 and 1, a share of the rows", option="keep", value=keep)
    if share * RAREST < 1:
        raise OptionError(
            f"must be at least {1 / RAREST:g}, since rows are drawn until enough are kept", option="keep", value=keep
        )
    model, noise = streams(seed)
    way_out = ("pass a share larger than ", Option("keep", share), ", ")
    return System(dag, drawn_model(dag, model).mechanisms(share), noise, way_out=way_out)


def drawn_model(dag: DAG, rng: np.random.Generator) -> GaussianModel:
    """A model with random weights."""
    out = np.zeros((len(dag.nodes), len(dag.nodes)))
    for name, parents in parents_of(dag).items():
        out[[dag.index(parent) for parent in parents], dag.index(name)] = weights(rng, len(parents))
    out.setflags(write=False)
    return GaussianModel(dag, out)
