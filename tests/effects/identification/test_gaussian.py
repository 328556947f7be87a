"""Slopes of formulas in linear systems, against the algebra of the system itself, and their derivatives."""

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import DAG, identify, pag_of
from ancestral.effects.identification.formulas import Conditional, Product, Sum
from ancestral.effects.identification.gaussian import NotADensity, slopes_of
from tests.support.interventions import random_causes

Floats = NDArray[np.float64]

SIX = DAG.parse("c -> x, g -> x, g -> a, h -> a, h -> m, x -> v, v -> m, m -> y, a -> y", latent=["g", "h"])
NAPKIN = DAG.parse("w -> z, z -> x, x -> y, a -> w, a -> x, b -> w, b -> y", latent=["a", "b"])


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


def test_slopes_are_those_of_the_system_and_do_not_depend_on_other_variables() -> None:
    rng = np.random.default_rng(4)
    checked = formulas = 0
    while formulas < 8:
        dag = random_causes(rng)
        pag, system = pag_of(dag), LinearSystem(dag, rng)
        names = list(pag.nodes)
        for _ in range(10):
            order = [str(name) for name in rng.permutation(names)]
            k, z = int(rng.integers(1, 4)), int(rng.integers(0, 3))
            x, y, conditions = order[:k], order[-1], order[k : k + z]
            if y in x or y in conditions or not (said := identify(pag, x, y, within=conditions)):
                continue
            assert isinstance(said.formula, Product)
            causes = [*x, *conditions, *said.any_value]
            found = slopes_of(said.formula, names, system.covariance(names), y, causes)
            truth = system.covariance([*x, *conditions, y], do=tuple(x))
            slopes = np.linalg.solve(truth[:-1, :-1], truth[:-1, -1])
            expected = np.concatenate([slopes, np.zeros(len(said.any_value))])
            assert np.abs(found.slopes - expected).max() < 1e-12
            checked, formulas = checked + 1, formulas + (said.how == "formula")
    assert checked >= 40


@pytest.mark.parametrize("dag", [SIX, NAPKIN])
def test_derivatives_are_those_of_small_changes(dag: DAG) -> None:
    said = identify(pag_of(dag) if dag is SIX else dag, "x", "y")
    assert said.formula is not None
    names = list(dag.observed)
    covariance = LinearSystem(dag, np.random.default_rng(1)).covariance(names)
    found = slopes_of(said.formula, names, covariance, "y", ["x"])
    step = 1e-6
    for i in range(len(names)):
        for j in range(i + 1):
            change = np.zeros_like(covariance)
            change[i, j] = change[j, i] = step
            up, down = (slopes_of(said.formula, names, covariance + s * change, "y", ["x"]).slopes[0] for s in (1, -1))
            both = found.derivatives[0, i, j] * (1 if i == j else 2)
            assert both == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_a_part_that_is_no_density_is_noticed() -> None:
    quotient = Product((Conditional(frozenset("a")),), (Conditional(frozenset("ay")),))
    with pytest.raises(NotADensity):
        slopes_of(Product((Sum(frozenset("a"), quotient),)), ["a", "y"], np.eye(2), "y", [])
    with pytest.raises(NotADensity):
        slopes_of(Product((), (Conditional(frozenset("y")),)), ["y"], np.eye(1), "y", [])
