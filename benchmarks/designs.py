"""The laws of random models that benchmarks of learned graphs share: `DESIGNS[name](nodes, seed)` draws one.

All models are linear with standard normal noise. Weights are uniform in [-2, -0.5] and [0.5, 2] unless a law says
otherwise. Names are given at random, so neither names nor columns tell the causal order. The truth is the PAG of the
generating DAG.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.marks import ARROW, TAIL

__all__ = ["DESIGNS", "Model", "bidir", "degree3", "degree4", "latent", "paper", "selection", "weak"]

Floats = NDArray[np.float64]

#: In `bidir`, the probability that a latent cause of the two ends takes the place of an edge.
CONFOUNDED = 0.7

#: In `selection`, the number of selection nodes, and how many parents each of them has.
SELECTION_NODES, SELECTION_PARENTS = 2, 2

#: In `weak`, the interval of the absolute value of a weight.
WEAK = (0.1, 0.7)

#: The intervals of the absolute value of a weight in `an.simulate`.
STRONG = (0.5, 2.0)

#: Sets the random numbers of rows apart from those of a model with the same seed.
ROWS = 1


@dataclass(frozen=True, eq=False)
class Model:
    """A linear Gaussian model whose selection nodes are held at their mean."""

    model: an.simulate.GaussianModel

    @property
    def dag(self) -> an.DAG:
        """The generating DAG, with its latent and selection nodes."""
        return self.model.dag

    @cached_property
    def truth(self) -> an.PAG:
        """The PAG of the DAG."""
        return an.pag_of(self.dag)

    @cached_property
    def _loadings(self) -> Floats:
        """The effect of each noise (row) on each observed column, given selection.

        Given that sums of independent standard normal noises are zero, noise has the law of its projection onto the
        space in which they are.
        """
        effects = self.model.effects
        observed = effects[:, [self.dag.index(name) for name in self.dag.observed]]
        selected = effects[:, [self.dag.index(name) for name in sorted(self.dag.selection)]]
        return np.asarray(observed - selected @ np.linalg.pinv(selected) @ observed)

    @cached_property
    def covariance(self) -> Floats:
        """The exact covariance of the observed columns, in the order of `dag.observed`."""
        return np.asarray(self._loadings.T @ self._loadings)

    def rows(self, n: int, seed: int) -> pl.DataFrame:
        """Draw n rows of the observed columns."""
        noise = np.random.default_rng([seed, ROWS]).standard_normal((n, len(self.dag.nodes)))
        return pl.DataFrame(noise @ self._loadings, schema=list(self.dag.observed))


def paper(nodes: int, seed: int) -> Model:
    """The law of the ICD paper, mean degree 2: of the parentless nodes with two children half are latent."""
    rng = np.random.default_rng(seed)
    return _model(an.simulate.random_dag(nodes, 2, seed=rng), rng)


def degree3(nodes: int, seed: int) -> Model:
    """The law of the paper with mean degree 3."""
    rng = np.random.default_rng(seed)
    return _model(an.simulate.random_dag(nodes, 3, seed=rng), rng)


def degree4(nodes: int, seed: int) -> Model:
    """The law of the paper with mean degree 4."""
    rng = np.random.default_rng(seed)
    return _model(an.simulate.random_dag(nodes, 4, seed=rng), rng)


def weak(nodes: int, seed: int) -> Model:
    """The model of `paper` with weights uniform in [-0.7, -0.1] and [0.1, 0.7]."""
    strong = paper(nodes, seed).model
    size = np.interp(np.abs(strong.weights), STRONG, WEAK)
    return Model(an.simulate.GaussianModel(strong.dag, np.sign(strong.weights) * size))


def latent(nodes: int, seed: int) -> Model:
    """A connected graph on observed nodes of mean degree 2, and half as many latent causes of random pairs."""
    rng = np.random.default_rng(seed)
    arrows = _arrows(an.simulate.random_dag(nodes, 2, seed=rng, latent=0))
    x, y = np.triu_indices(nodes, 1)
    chosen = rng.choice(len(x), (nodes + 1) // 2, replace=False)
    return _model(_with_causes(arrows, np.column_stack([x[chosen], y[chosen]])), rng)


def bidir(nodes: int, seed: int) -> Model:
    """A connected graph on observed nodes of mean degree 2; latent causes take the place of most edges."""
    rng = np.random.default_rng(seed)
    arrows = _arrows(an.simulate.random_dag(nodes, 2, seed=rng, latent=0))
    edges = np.argwhere(arrows)
    confounded = edges[rng.random(len(edges)) < CONFOUNDED]
    arrows[tuple(confounded.T)] = False
    return _model(_with_causes(arrows, confounded), rng)


def selection(nodes: int, seed: int) -> Model:
    """The law of the paper, and two selection nodes, each with two observed parents chosen at random."""
    rng = np.random.default_rng(seed)
    dag = an.simulate.random_dag(nodes, 2, seed=rng)
    observed = [dag.index(name) for name in dag.observed]
    arrows = np.pad(_arrows(dag), (0, SELECTION_NODES))
    for node in range(nodes, nodes + SELECTION_NODES):
        arrows[rng.choice(observed, SELECTION_PARENTS, replace=False), node] = True
    selected = [f"s{i + 1}" for i in range(SELECTION_NODES)]
    return _model(_dag([*dag.nodes, *selected], arrows, dag.latent, selected), rng)


DESIGNS: dict[str, Callable[[int, int], Model]] = {
    "paper": paper,
    "latent": latent,
    "bidir": bidir,
    "weak": weak,
    "selection": selection,
    "degree 3": degree3,
    "degree 4": degree4,
}


def _arrows(dag: an.DAG) -> NDArray[np.bool_]:
    """Whether there is an edge x --> y, at x, y."""
    return np.asarray(dag.marks == ARROW)


def _dag(names: list[str], arrows: NDArray[np.bool_], hidden: Iterable[str], selected: Iterable[str] = ()) -> an.DAG:
    return an.DAG(names, ARROW * arrows + TAIL * arrows.T, latent=hidden, selection=selected)


def _with_causes(arrows: NDArray[np.bool_], pairs: NDArray[np.intp]) -> an.DAG:
    """A DAG over observed nodes, with a further latent cause of each of these pairs."""
    n = len(arrows)
    out = np.pad(arrows, (0, len(pairs)))
    for node, pair in enumerate(pairs, start=n):
        out[node, pair] = True
    causes = [f"l{i + 1}" for i in range(len(pairs))]
    return _dag([*(f"x{i + 1}" for i in range(n)), *causes], out, causes)


def _model(dag: an.DAG, rng: np.random.Generator) -> Model:
    """The DAG with its nodes named and ordered at random, latent and selection nodes last, and random weights."""
    hidden, selected = set(dag.latent), set(dag.selection)
    observed = [name for name in dag.nodes if name not in hidden | selected]
    order = [*rng.permutation(observed).tolist(), *(name for name in dag.nodes if name in hidden | selected)]
    names = {old: f"v{i + 1:0{len(str(len(observed)))}}" for i, old in enumerate(order[: len(observed)])}
    rows = [dag.index(name) for name in order]
    named = _dag([names.get(old, old) for old in order], _arrows(dag)[np.ix_(rows, rows)], dag.latent, dag.selection)
    return Model(an.simulate.gaussian_model(named, seed=rng))
