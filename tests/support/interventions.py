"""Systems of binary or of linear variables: what is observed, and what interventions do, exactly."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral import DAG, Identification
from ancestral.effects.identification.formulas import Product
from ancestral.effects.identification.plans import Plan
from ancestral.effects.identification.tables import value_on_tables

Floats = NDArray[np.float64]


#: The smallest pair x, y that a PAG identifies without any adjustment set, and a DAG that needs a quotient.
SIX = DAG.parse("c -> x, g -> x, g -> a, h -> a, h -> m, x -> v, v -> m, m -> y, a -> y", latent=["g", "h"])
NAPKIN = DAG.parse("w -> z, z -> x, x -> y, a -> w, a -> x, b -> w, b -> y", latent=["a", "b"])


class BinarySystem:
    """Every node of a DAG takes 0 or 1, with probabilities that depend on its parents in any way."""

    def __init__(self, dag: DAG, rng: np.random.Generator) -> None:
        self.dag = dag
        self.place = {name: i for i, name in enumerate(dag.nodes)}
        self.parents = {v: [u for u in dag.nodes if dag.has(u, "-->", v)] for v in dag.nodes}
        self.tables = {v: rng.dirichlet([1, 1], size=(2,) * len(us)) for v, us in self.parents.items()}

    def under(self, do: Iterable[str] = ()) -> Floats:
        """The joint probabilities of the observed nodes, at any values of those that are set: an axis for each."""
        fixed = set(do)
        operands: list[Any] = []
        for v in self.dag.nodes:
            where = [self.place[v]]
            if v in fixed:
                operands += [np.ones(2), where]
            else:
                operands += [self.tables[v], [*(self.place[u] for u in self.parents[v]), *where]]
        return np.asarray(np.einsum(*operands, [self.place[v] for v in self.dag.observed], optimize="greedy"))

    def of(self, y: list[str], do: list[str], given: list[str], axes: list[str]) -> Floats:
        """P(y | do, given), with an axis for each of `axes`, of length 1 where nothing depends on it."""
        observed, table = list(self.dag.observed), self.under(do)
        kept = [v for v in observed if v in {*y, *do, *given}]
        table = table.sum(axis=tuple(i for i, v in enumerate(observed) if v not in kept))
        if given:
            table = table / table.sum(axis=tuple(i for i, v in enumerate(kept) if v in y), keepdims=True)
        table = table.transpose([kept.index(v) for v in axes if v in kept])
        return np.asarray(table.reshape([2 if v in kept else 1 for v in axes]))

    def marginal(self, names: tuple[str, ...]) -> Floats:
        """The observed probabilities of some nodes, an axis for each in this order."""
        observed = list(self.dag.observed)
        table = self.under().sum(axis=tuple(i for i, v in enumerate(observed) if v not in names))
        kept = [v for v in observed if v in names]
        return np.asarray(table.transpose([kept.index(v) for v in names]))


class LinearSystem:
    """Every node of a DAG is a weighted sum of its parents and of noise of its own."""

    def __init__(self, dag: DAG, rng: np.random.Generator) -> None:
        n = len(dag.nodes)
        self.dag, self.weights = dag, np.zeros((n, n))
        for a in dag.nodes:
            for b in dag.nodes:
                if dag.has(a, "-->", b):
                    self.weights[dag.index(b), dag.index(a)] = rng.uniform(0.3, 1.2) * rng.choice([-1, 1])
        self.noise = rng.uniform(0.5, 2, n)

    def covariance(self, names: list[str], do: tuple[str, ...] = ()) -> Floats:
        """The covariance of some nodes, where those that are set have variance 1 and no causes."""
        fixed = [self.dag.index(name) for name in do]
        weights, noise = self.weights.copy(), self.noise.copy()
        weights[fixed], noise[fixed] = 0, 1
        reach = np.linalg.inv(np.eye(len(weights)) - weights)
        where = [self.dag.index(name) for name in names]
        return np.asarray((reach * noise) @ reach.T)[np.ix_(where, where)]


def random_causes(rng: np.random.Generator, most: int = 8) -> DAG:
    """A DAG with 3 to `most` observed nodes and 0 to 5 latent causes of two of them each."""
    n, hidden = int(rng.integers(3, most + 1)), int(rng.integers(0, 6))
    names, order = [f"v{i}" for i in range(n)], rng.permutation(n)
    share = rng.uniform(0.3, 1.2) / max(2, n / 2)
    edges = [(names[order[j]], "-->", names[order[i]]) for i in range(n) for j in range(i) if rng.random() < share]
    latent = [f"h{k}" for k in range(hidden)]
    for name in latent:
        edges += [(name, "-->", names[i]) for i in rng.choice(n, 2, replace=False)]
    return DAG.from_edges(edges, nodes=[*names, *latent], latent=latent)


def error_of(said: Identification, system: BinarySystem) -> float:
    """The largest error of a formula, at all values of all variables that it mentions."""
    assert isinstance(said.formula, Product)
    axes = sorted({*said.formula.free, *said.x, *said.y, *said.conditions})
    found = value_on_tables(said.formula, system.marginal, axes).values
    return float(np.abs(found - system.of(list(said.y), list(said.x), list(said.conditions), axes)).max())


def overlaps(steps: Plan) -> bool:
    """Whether a split into regions that share nodes is among the steps of a plan."""
    return steps.parts is not None and (steps.parts[2].target > 0 or any(map(overlaps, steps.parts)))
