"""Effects against those of statsmodels, on real births: smoking of the mother and the weight of the child.

The data are those of Cattaneo (2010) with which Stata's `teffects` and statsmodels' tests are documented.
"""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.effects import Effect
from ancestral.effects.estimation.estimate import estimated_effect
from ancestral.effects.options import EffectOptions

sm = pytest.importorskip("statsmodels.api")
effects = pytest.importorskip("statsmodels.treatment.treatment_effects")

BIRTHS = Path(effects.__file__).parent / "tests" / "results" / "cataneo2.csv"
GIVEN = ("fbaby_", "mage", "mmarried_", "prenatal1_")


@pytest.fixture(scope="module")
def births() -> pl.DataFrame:
    if not BIRTHS.exists():
        pytest.skip("statsmodels was installed without its tests")
    return pl.read_csv(BIRTHS).select("bweight", "mbsmoke_", "lbweight", *GIVEN)


def ours(births: pl.DataFrame, y: str, **options: Any) -> Effect:
    kinds = {"mage": "continuous", "bweight": "continuous"}
    return estimated_effect(
        an.Table.of(births, kinds=kinds), ["mbsmoke_"], y, frozenset(GIVEN), EffectOptions(**options)
    )


def theirs(births: pl.DataFrame) -> Any:
    design = sm.add_constant(births.select(GIVEN).to_numpy().astype(float))
    smokes = births["mbsmoke_"].to_numpy()
    selection = sm.Logit(smokes, design).fit(disp=0)
    return effects.TreatmentEffect(
        sm.OLS(births["bweight"].to_numpy().astype(float), design), smokes, results_select=selection
    )


def test_regression_adjustment_is_that_of_statsmodels_and_stata(births: pl.DataFrame) -> None:
    found = ours(births, "bweight", estimator="regression")
    with np.errstate(all="ignore"):
        other = theirs(births).ra(return_results=True)
    assert found.levels == (("1", "0"),)
    assert found.estimate == pytest.approx(other.effect[0], rel=1e-9)
    # the stacked equations of statsmodels have no small-sample factor, and ours n / (n - 5)
    assert found.error == pytest.approx(float(other.summary_frame()["std err"].iloc[0]), rel=2e-3)
    assert found.estimate == pytest.approx(-239.6392, abs=1e-4)  # by Stata
    assert found.error == pytest.approx(23.82402, rel=2e-3)


def test_robust_estimates_with_linear_learners_are_near_augmented_weighting_without_folds(births: pl.DataFrame) -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    learners = {"outcome": linear.LinearRegression(), "treatment": linear.LogisticRegression(C=1e8, max_iter=5000)}
    found = ours(births, "bweight", estimator="robust", **learners)
    other = theirs(births).aipw(return_results=True)
    error = float(other.summary_frame()["std err"].iloc[0])
    assert abs(found.estimate - other.effect[0]) < 0.1 * error  # folds differ, and nothing else
    assert found.error == pytest.approx(error, rel=0.05)
    chosen = ours(births, "bweight", estimator="robust")
    assert abs(chosen.estimate - other.effect[0]) < 0.5 * error


def test_of_an_outcome_with_two_levels_logistic_predictions_are_averaged(births: pl.DataFrame) -> None:
    design = sm.add_constant(births.select(GIVEN).to_numpy().astype(float))
    smokes, low = births["mbsmoke_"].to_numpy(), births["lbweight"].to_numpy()
    one, none = (sm.Logit(low[smokes == x], design[smokes == x]).fit(disp=0).predict(design).mean() for x in (1, 0))
    assert ours(births, "lbweight", estimator="regression").estimate == pytest.approx(one - none, rel=1e-7)
    ratio = ours(births, "lbweight", estimator="regression", contrast="ratio")
    assert ratio.estimate == pytest.approx(one / none, rel=1e-7)
    assert ratio.lows[0] > 1
