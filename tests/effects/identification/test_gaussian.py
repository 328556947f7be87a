"""Slopes of formulas in linear systems, against the algebra of the system itself, and their derivatives."""

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import DAG, identify, pag_of
from ancestral.effects.identification.formulas import Conditional, Product, Sum
from ancestral.effects.identification.gaussian import NotADensity, slopes_of
from tests.support.interventions import NAPKIN, SIX, LinearSystem, random_causes

Floats = NDArray[np.float64]


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
