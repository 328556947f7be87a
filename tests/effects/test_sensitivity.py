"""Sensitivity against PySensemakr, against exact algebra, and against systems with a hidden cause."""

from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.effects import regression_sensitivity

Floats = NDArray[np.float64]


def table(effect: float) -> pl.DataFrame:
    rng = np.random.default_rng(12)
    z, w = rng.standard_normal((2, 300))
    x = 0.5 * z - 0.3 * w + rng.standard_normal(300)
    y = effect * x + 0.4 * z + 0.2 * w + rng.standard_normal(300)
    return pl.DataFrame({"x": x, "y": y, "z": z, "w": w})


#: Of PySensemakr 0.0.8 (statsmodels 0.15.0), `y ~ x + z + w` on `table(effect)`: the effect; the estimate,
#: robustness_value, the same with alpha = 0.05, partial_r2, and adjusted estimates of ovb_bounds, "1x z" and "1x w".
OUTSIDE = [
    (0.3, 0.25274774729289595, 0.2109529948592614, 0.11557991577060439, 0.053387635626444746, -0.087300, 0.194205),
    (0.1, 0.05274774729289615, 0.0483492430878137, 0.0, 0.0024503959292635296, -0.287300, -0.005795),
    (5.0, 4.952747747292892, 0.9576523413796671, 0.9556712871509774, 0.9558623691367013, 4.612700, 4.894205),
    (-0.4, -0.44725225270710356, 0.34111717987551254, 0.26249388909214777, 0.1500959283148885, -0.107204, -0.388710),
]


@pytest.mark.parametrize(
    ("effect", "estimate", "robust", "of_interval", "partial", "like_z", "like_w"),
    OUTSIDE,
    ids=[f"effect {row[0]}" for row in OUTSIDE],
)
def test_numbers_are_those_of_pysensemakr(
    effect: float, estimate: float, robust: float, of_interval: float, partial: float, like_z: float, like_w: float
) -> None:
    found = regression_sensitivity(an.Moments.of(table(effect)), "x", "y", frozenset({"z", "w"}))
    assert found.effect.estimate == pytest.approx(estimate, rel=1e-10)
    assert found.robustness == pytest.approx(robust, rel=1e-10)
    assert found.robustness_of_interval == pytest.approx(of_interval, rel=1e-10)
    assert found.partial_r2 == pytest.approx(partial, rel=1e-10)
    first, second = found.benchmarks
    assert (first.name, second.name) == ("z", "w")
    assert first.of_x == pytest.approx(0.21802630070867468, rel=1e-10)
    assert first.of_y == pytest.approx(0.1296146819835145, rel=1e-10)
    assert (first.like_x, first.like_y) == pytest.approx((0.278815, 0.264061), abs=1e-6)
    assert (second.like_x, second.like_y) == pytest.approx((0.062356, 0.045499), abs=1e-6)
    assert (first.effect, second.effect) == pytest.approx((like_z, like_w), abs=1e-6)


def test_where_the_share_of_x_decides() -> None:
    """A very strong effect, above 1 / critical; numbers of PySensemakr, as above."""
    found = regression_sensitivity(an.Moments.of(table(12.0)), "x", "y", frozenset({"z", "w"}))
    assert found.robustness == pytest.approx(0.992195146418581, rel=1e-10)
    assert found.robustness_of_interval == pytest.approx(0.9920309616089741, rel=1e-10)


def with_cause(covariance: Floats, of_x: float, of_y: float, sign: float) -> Floats:
    """The covariance of x, y, z and a further variable u, independent of z, that explains these shares.

    u explains `of_x` of what z leaves of x, and `of_y` of what x and z leave of y, and works in the direction of
    `sign`: by conditional variances alone.
    """
    x_z, y_z = covariance[0, 2] / covariance[2, 2], covariance[1, 2] / covariance[2, 2]
    var_x = covariance[0, 0] - x_z * covariance[0, 2]
    cov_xy = covariance[0, 1] - x_z * covariance[1, 2]
    var_y = covariance[1, 1] - y_z * covariance[1, 2]
    u_x = sqrt(of_x * var_x)  # the covariance of u, of variance 1, with x
    left_y = var_y - cov_xy**2 / var_x
    # the covariance of u and y given x and z: its square is the share of what is left of y, times what is left of u
    given_x = sign * sqrt(of_y * left_y * (1 - of_x))
    u_y = given_x + cov_xy / var_x * u_x
    out = np.zeros((4, 4))
    out[:3, :3] = covariance
    out[3, :] = out[:, 3] = [u_x, u_y, 0.0, 1.0]
    return out


@pytest.mark.parametrize("seed", range(8))
def test_a_cause_of_exactly_this_strength_brings_the_effect_to_zero(seed: int) -> None:
    rng = np.random.default_rng(seed)
    loading = rng.standard_normal((3, 5))
    covariance = loading @ loading.T
    moments = an.Moments.from_covariance(covariance, rows=500, names=["x", "y", "z"])
    found = regression_sensitivity(moments, "x", "y", frozenset({"z"}))
    sign = float(np.sign(found.effect.estimate))
    strengths = [(found.robustness, found.robustness), (found.partial_r2, 1.0 - 1e-12)]
    for of_x, of_y in strengths:
        system = with_cause(covariance, of_x, of_y, sign)
        given = [0, 2, 3]
        beta = np.linalg.solve(system[np.ix_(given, given)], system[given, 1])
        assert beta[0] == pytest.approx(0, abs=1e-5 if of_y > 0.9999 else 1e-10)
    of_x, of_y = rng.uniform(0.05, 0.4, 2)
    system = with_cause(covariance, of_x, of_y, sign)
    beta = np.linalg.solve(system[np.ix_([0, 2, 3], [0, 2, 3])], system[[0, 2, 3], 1])
    assert beta[0] == pytest.approx(found.effect_beside(of_x, of_y), rel=1e-9)
    weaker = with_cause(covariance, 0.99 * found.robustness, 0.99 * found.robustness, sign)
    beta = np.linalg.solve(weaker[np.ix_([0, 2, 3], [0, 2, 3])], weaker[[0, 2, 3], 1])
    assert beta[0] * sign > 0


def rows_of(dag: an.DAG, seed: int = 1) -> pl.DataFrame:
    return an.simulate.linear_gaussian(dag, rows=4000, seed=seed)


def test_a_run_names_the_edge_and_the_strongest_measured_cause() -> None:
    """age and sex cause x and y, x causes y: no edge is visible, and all of them may be causes of x."""
    rng = np.random.default_rng(4)
    age, sex = rng.standard_normal((2, 3000))
    x = 0.7 * age + 0.2 * sex + rng.standard_normal(3000)
    y = 0.5 * x + 0.6 * age + 0.3 * sex + rng.standard_normal(3000)
    frame = pl.DataFrame({"age": age, "sex": sex, "x": x, "y": y})
    known = an.Knowledge(tiers=[["age", "sex"], ["x"], ["y"]])
    found = an.discover(frame, knowledge=known).sensitivity("x", "y")
    assert found.effect.given == frozenset({"age", "sex"})
    assert found.edge == "x o-> y"
    assert [b.name for b in found.benchmarks] == ["age", "sex"]
    design = np.column_stack([np.ones(3000), x, age, sex])
    assert found.effect.estimate == pytest.approx(np.linalg.lstsq(design, y, rcond=None)[0][1], rel=1e-9)
    text = str(found)
    assert "x o-> y is not visible: something unmeasured may cause both of its ends." in text
    assert f"would have to explain {100 * found.robustness:.2g} % of what is left of each" in text
    assert "The strongest measured one, age, explains" in text
    assert "\n  sex explains" in text
    assert found.to_frame()["name"].to_list() == ["age", "sex"]
    assert "<p>The strongest measured one, age, explains" in found._repr_html_()
    without = an.discover(frame, knowledge=known).sensitivity("x", "y", given=["sex"])
    assert without.effect.given == frozenset({"sex"})
    assert without.effect.estimate > found.effect.estimate


def test_of_an_effect_that_the_graph_gives() -> None:
    dag = an.DAG.parse("a -> x, b -> x, x -> y, c -> y")
    found = an.discover(rows_of(dag)).sensitivity("x", "y")
    assert found.edge is None
    assert found.effect.given == frozenset()
    assert "By the graph, nothing unmeasured causes both; this is about the case that the graph is wrong." in str(found)
    assert "Nothing was adjusted for, so no measured variable is a yardstick." in str(found)


def test_refusals(tmp_path: Path) -> None:
    dag = an.DAG.parse("a -> x, b -> x, x -> y, y -> z, c -> y")
    found = an.discover(rows_of(dag))
    with pytest.raises(an.GraphError, match="by the graph, y has no effect on x, so there is nothing to explain away"):
        found.sensitivity("y", "x")
    with pytest.raises(an.GraphError, match="given= must not hold 'z', on which 'x' acts by the graph; leave it out"):
        found.sensitivity("x", "y", given=["z"])
    with pytest.raises(an.GraphError, match="given= must not hold the two variables of the effect, got 'y'"):
        found.sensitivity("x", "y", given=["y"])
    with pytest.raises(an.UnknownName, match="'q'"):
        found.sensitivity("x", "y", given=["q"])
    with pytest.raises(an.OptionError, match="confidence must be between 0 and 1, got 2"):
        found.sensitivity("x", "y", confidence=2)
    with pytest.raises(an.OptionError, match="of_x must be at least 0 and below 1, got 1"):
        found.sensitivity("x", "y").effect_beside(1, 0.5)
    with pytest.raises(an.OptionError, match="y must be the name of one variable, got"):
        found.sensitivity("x", ["y", "z"])  # type: ignore[arg-type]
    found.save(tmp_path / "run.json")
    with pytest.raises(an.OptionError, match="a run file does not hold the data"):
        an.load(tmp_path / "run.json").sensitivity("x", "y")
    weighted = an.discover(rows_of(dag).with_columns(w=pl.Series(np.linspace(1, 2, 4000))), weights="w")
    with pytest.raises(an.OptionError, match="these have weights or clusters; search without them"):
        weighted.sensitivity("x", "y")


def test_an_interval_of_almost_no_width_is_as_robust_as_the_estimate() -> None:
    found = an.discover(rows_of(an.DAG.parse("a -> x, b -> x, x -> y")), resamples=0)
    thin = found.sensitivity("x", "y", confidence=1e-320)
    assert thin.robustness_of_interval == pytest.approx(thin.robustness, rel=1e-12)
    assert "99.9% interval" in str(found.sensitivity("x", "y", confidence=0.999))
