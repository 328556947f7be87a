"""The test "regression" against the likelihood ratios of statsmodels."""

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.independence.regression import RegressionTest

sm = pytest.importorskip("statsmodels.api")

#: So many rows that statistics of labels are not corrected.
ROWS = 4_000


def frame(rows: int = ROWS) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    z, c = rng.standard_normal(rows), rng.integers(0, 3, rows)
    x = 0.5 * z + 0.3 * c + rng.standard_normal(rows)
    y = (np.outer(0.5 * z + 0.06 * x, [-1, 0, 1]) + rng.gumbel(size=(rows, 3))).argmax(axis=1)
    v = (0.5 * z + 0.1 * (y == 1) + rng.logistic(size=rows) > 0).astype(int)
    letters = np.array(["a", "b", "c"])
    return pl.DataFrame({"c": letters[c], "v": letters[v], "x": x, "y": letters[y], "z": z})


def indicators(data: pl.DataFrame, *names: str) -> np.ndarray:
    """A constant and the columns: numbers as they are, labels as indicators of all levels but the first."""
    columns = [np.ones(len(data))]
    for name in names:
        values = data[name].to_numpy()
        shown = [values] if name in "xz" else [values == level for level in sorted(set(values))[1:]]
        columns += [one.astype(float) for one in shown]
    return np.column_stack(columns)


def ratio(data: pl.DataFrame, response: str, other: str, given: tuple[str, ...]) -> float:
    """Twice the difference of the log-likelihoods of statsmodels, with and without another variable."""
    values = data[response].to_numpy()
    small, large = indicators(data, *given), indicators(data, *given, other)
    if response in "xz":
        gain = sm.OLS(values, large).fit().llf - sm.OLS(values, small).fit().llf
        # Bartlett's factor instead of the number of rows
        wide, narrow = large.shape[1], small.shape[1]
        return float(2 * gain * (len(values) - narrow - (wide - narrow + 2) / 2) / len(values))
    codes = np.unique(values, return_inverse=True)[1]
    model = sm.Logit if codes.max() == 1 else sm.MNLogit
    options = {"disp": 0, "tol": 1e-12, "maxiter": 50}
    return float(2 * (model(codes, large).fit(**options).llf - model(codes, small).fit(**options).llf))


@pytest.mark.parametrize("given", [("z",), ("c", "z")])
@pytest.mark.parametrize(("x", "y"), [("x", "y"), ("x", "v"), ("v", "y")])
def test_the_statistic_is_the_smaller_of_two_likelihood_ratios(x: str, y: str, given: tuple[str, ...]) -> None:
    data = frame()
    test = RegressionTest(an.Table.of(data))
    position = {name: i for i, name in enumerate(test.names)}
    found = test.evidence(test.questions(test.names), position[x], position[y], [position[z] for z in given])
    assert found.statistic == pytest.approx(min(ratio(data, x, y, given), ratio(data, y, x, given)), rel=1e-7)


def test_two_numbers_have_the_likelihood_ratio_of_one_linear_regression() -> None:
    data = frame(200)
    test = RegressionTest(an.Table.of(data))
    position = {name: i for i, name in enumerate(test.names)}
    found = test.evidence(test.questions(test.names), position["x"], position["z"], [position["c"], position["y"]])
    assert found.statistic == pytest.approx(ratio(data, "x", "z", ("c", "y")), rel=1e-9)
    assert found.df == 1
