"""Each test against an independent computation of its definition, through the front of the package."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from ancestral.data import Moments, Table
from ancestral.independence.contingency import GTest
from ancestral.independence.evidence import chi2_p_values, chi2_quantiles, normal_p_values, normal_quantile
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.scores import normal_scores


def linear_data(seed: int, rows: int = 200, columns: int = 6) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((rows, columns)) @ rng.standard_normal((columns, columns))


def partial_correlation(data: np.ndarray, x: int, y: int, given: list[int]) -> float:
    """The correlation of what a regression on the conditions leaves of x and y."""
    z = np.column_stack([np.ones(len(data)), *(data[:, i] for i in given)])
    left = [data[:, i] - z @ np.linalg.lstsq(z, data[:, i], rcond=None)[0] for i in (x, y)]
    return float(np.corrcoef(*left)[0, 1])


@pytest.mark.parametrize("scale", [1.0, 1e-8, 1e12])
def test_fisher_z(scale: float) -> None:
    data = linear_data(1)
    scaled = data * [scale, 1, 1, 1 / scale, 1, scale] + [0, 1e6, 0, 0, 5, 0]
    names = ["f", "e", "d", "c", "b", "a"]
    test = FisherZ(Moments.of(Table.of(scaled, names=names)), alpha=0.05)
    questions = test.questions(names)
    for x, y, given in [(0, 1, []), (0, 5, [1]), (2, 3, [0, 1]), (4, 1, [0, 2, 3, 5])]:
        r = partial_correlation(data, x, y, given)
        z = abs(math.atanh(r)) * math.sqrt(200 - len(given) - 3)
        found = test.evidence(questions, x, y, given)
        assert found.statistic == pytest.approx(z, rel=1e-7)
        assert found.p_value == pytest.approx(2 * stats.norm.sf(z), abs=1e-9)
        assert questions.ask(x, y, given) is bool(2 * stats.norm.sf(z) >= 0.05)


def test_rank_sees_the_order_of_values_only() -> None:
    data = linear_data(2)
    curved = np.column_stack([np.exp(data[:, 0]), data[:, 1] ** 3, *data[:, 2:].T])
    assert np.allclose(normal_scores(data), normal_scores(curved))
    expected = stats.norm.ppf((stats.rankdata(data[:, 0]) - 0.5) / 200)
    assert np.allclose(normal_scores(data)[:, 0], expected)


@pytest.mark.parametrize("pearson", [False, True])
def test_g_and_chi2_on_a_plain_table(pearson: bool) -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 300)
    b = np.where(rng.random(300) < 0.3, a % 2, rng.integers(0, 2, 300))
    test = GTest(Table.of(pl.DataFrame({"a": a, "b": b})), pearson=pearson)
    found = test.evidence(test.questions(("a", "b")), 0, 1, [])
    table = pd.crosstab(a, b).to_numpy()
    expected = stats.chi2_contingency(table, correction=False, lambda_=None if pearson else "log-likelihood")
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)
    assert (found.df, found.rows) == (2, 300)


def test_mixed_is_a_likelihood_ratio_of_regressions() -> None:
    """Given Z, x continuous and y of three levels: -2 log likelihood ratio of x ~ Z against x ~ Z + y, corrected."""
    rng = np.random.default_rng(4)
    z = rng.standard_normal(150)
    y = rng.integers(0, 3, 150)
    x = z + 0.3 * (y == 1) + rng.standard_normal(150)
    frame = pl.DataFrame({"x": x, "y": np.array(["a", "b", "c"])[y], "z": z})
    test = LikelihoodRatio(Table.of(frame))
    found = test.evidence(test.questions(("x", "y", "z")), 0, 1, [2])
    small = np.column_stack([np.ones(150), z])
    large = np.column_stack([small, y == 1, y == 2])
    rss = [float(np.sum((x - d @ np.linalg.lstsq(d, x, rcond=None)[0]) ** 2)) for d in (small, large)]
    expected = (150 - 1 - 1 - (1 + 2 + 1) / 2) * math.log(rss[0] / rss[1])
    assert found.statistic == pytest.approx(expected, rel=1e-9)
    assert found.df == 2
    assert found.p_value == pytest.approx(stats.chi2.sf(expected, 2), abs=1e-9)


def test_testwise_uses_the_rows_that_are_there() -> None:
    data = linear_data(5, columns=3)
    data[:20, 0] = np.nan
    names = ("a", "b", "c")
    frame = pl.DataFrame({n: data[:, i] for i, n in enumerate(names)}).with_columns(pl.col("a").fill_nan(None))
    test = LikelihoodRatio(Table.of(frame, missing="testwise"), rowwise=True, fisher=True)
    questions = test.questions(names)
    for x, y, given, left in [(0, 1, [2], data[20:]), (1, 2, [], data)]:
        z = abs(math.atanh(partial_correlation(left, x, y, given))) * math.sqrt(len(left) - len(given) - 3)
        found = test.evidence(questions, x, y, given)
        assert found.statistic == pytest.approx(z, rel=1e-9)
        assert found.rows == len(left)


@pytest.mark.parametrize("rowwise", [False, True])
def test_blocks_of_some_variables_in_any_order(rowwise: bool) -> None:
    rng = np.random.default_rng(6)
    z, level = rng.standard_normal(200), rng.integers(0, 4, 200)
    x = z + 0.3 * level + rng.standard_normal(200)
    frame = pl.DataFrame({"z": z, "level": np.array(["k", "l", "m", "n"])[level], "x": x, "b": z > 0.5})
    if rowwise:
        frame = frame.with_columns(pl.when(pl.Series(rng.random(200) > 0.1)).then(pl.col("z")).alias("z"))
    test = LikelihoodRatio(Table.of(frame, missing="testwise"), rowwise=rowwise)
    found = []
    for names in [("b", "level", "x", "z"), ("z", "x", "level", "b"), ("x", "level", "z")]:
        x_at, level_at, z_at = (names.index(name) for name in ("x", "level", "z"))
        found.append(test.evidence(test.questions(names), x_at, level_at, [z_at]))
    for other in found[1:]:
        assert other.statistic == pytest.approx(found[0].statistic, rel=1e-12)
        assert (other.df, other.rows) == (3, found[0].rows)


def test_quantiles_and_tails() -> None:
    assert normal_quantile(0.05) == pytest.approx(stats.norm.isf(0.025), rel=1e-12)
    assert normal_p_values(np.array([2.5])).p_value[0] == pytest.approx(2 * stats.norm.sf(2.5), rel=1e-12)
    assert chi2_quantiles(0.01, 5)[1:] == pytest.approx(stats.chi2.isf(0.01, range(1, 6)), rel=1e-9)
    assert chi2_p_values(np.array([7.0]), np.array([3.0])).p_value[0] == pytest.approx(stats.chi2.sf(7.0, 3), rel=1e-9)
