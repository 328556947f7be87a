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
from ancestral.errors import OptionError
from ancestral.graphs import DAG
from ancestral.printing import shown
from ancestral.simulate.mechanisms import Linear, weights
from ancestral.simulate.sampling import RAREST, Seed, check, finite_values, frame, parents_of, sample, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["GaussianModel", "gaussian_model", "linear_gaussian"]


@dataclass(frozen=True, eq=False)
class GaussianModel:
    """A DAG with weights: `weights[x, y]` is that of the edge x --> y, by position in `dag.nodes`; 0 without edge.

    Edges out of selection nodes have weight 0: a kept row always has the same answer there, so it makes no difference.
    """

    dag: DAG
    weights: NDArray[np.float64]

    @cached_property
    def effects(self) -> NDArray[np.float64]:
        """How the noise of x (row) moves y (column): the products of weights, summed over all directed paths."""
        out = np.eye(len(self.dag.nodes))
        with finite_values():
            for name in parents_of(self.dag):
                y = self.dag.index(name)
                causes = np.flatnonzero(self.weights[:, y])
                out[:, y] += (out[:, causes] * self.weights[causes, y]).sum(axis=1)
        return out

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """Of all nodes, in the order of `dag.nodes`, before any row is refused by selection.

        >>> dag = DAG.parse("a -> b")
        >>> model = gaussian_model(dag, seed=1)
        >>> w = model.weights[0, 1]
        >>> bool(np.allclose(model.covariance, [[1, w], [w, w**2 + 1]]))
        True
        """
        with finite_values():
            return self.effects.T @ self.effects

    def mechanisms(self, keep: float) -> dict[str, Linear]:
        """Each node in causal order; a share `keep` of all rows passes a selection node, whatever the others say."""
        quantile = NormalDist().inv_cdf(1 - keep)
        out = {}
        for name, parents in parents_of(self.dag).items():
            y = self.dag.index(name)
            on = tuple(float(self.weights[self.dag.index(parent), y]) for parent in parents)
            spread = float(np.linalg.norm(self.effects[:, y])) if name in self.dag.selection else 0.0
            out[name] = Linear(parents, on, threshold=quantile * spread)
        return out


def gaussian_model(dag: DAG, *, seed: Seed) -> GaussianModel:
    """The weights with which `linear_gaussian` draws its rows if it is given the same seed."""
    check(dag)
    return _model(dag, streams(seed)[0])


def linear_gaussian(dag: DAG, rows: int, *, seed: Seed, keep: float = 0.5) -> "pl.DataFrame":
    """Rows of the observed nodes, in the order of `dag.observed`, from a linear Gaussian model with random weights.

    - The weights follow from the seed alone, and so does each row: with more rows the first ones stay the same.
    - Selection is by truncation: a row is kept if every selection node is above its threshold, the quantile at which a
      share `keep` of all rows would pass this node alone. The median at `keep=0.5`. With several selection nodes fewer
      rows pass all of them. Rows are drawn until there are enough.

    Truncated rows obey the separations of the DAG given selection, but they are no longer normal: where selection bends
    the regressions of both x and y on z, their partial correlation given z is near zero, not zero.

    >>> dag = DAG.parse("L -> a, L -> b, a -> c", latent=["L"])
    >>> rows = linear_gaussian(dag, rows=1000, seed=1)
    >>> rows.columns, rows.height
    (['a', 'b', 'c'], 1000)
    """
    check(dag, rows)
    share = real(keep)
    if share is None or not 0 < share < 1:
        raise OptionError(
            f"keep={shown(keep)} is the share of rows that pass a selection node; pass one between 0 and 1"
        )
    if share * RAREST < 1:
        raise OptionError(
            f"keep={shown(keep)} is too small: rows are drawn until enough are kept; pass a share from "
            f"{1 / RAREST:g} to 1"
        )
    model, noise = streams(seed)
    columns = sample(
        dag,
        _model(dag, model).mechanisms(share),
        rows,
        noise,
        way_out=f"pass a share larger than keep={share}, select by fewer nodes, or try another seed",
    )
    return frame(dag, columns)


def _model(dag: DAG, rng: np.random.Generator) -> GaussianModel:
    out = np.zeros((len(dag.nodes), len(dag.nodes)))
    for name, parents in parents_of(dag).items():
        out[[dag.index(parent) for parent in parents], dag.index(name)] = weights(rng, len(parents))
    out.setflags(write=False)
    return GaussianModel(dag, out)
