"""The fit of a graph: against a general optimiser and regressions, of discrete variables, and of what was found."""

from pathlib import Path

import numpy as np
import pytest

import ancestral as an
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.scores.fit import Fit, fit_of
from tests.support.ancestral_graphs import least_deviance, random_correlation, random_mag

NAMES = ("a", "b", "c", "d")

#: A DAG whose equations can be fitted one by one.
CHAIN = an.MAG.parse("a --> b, b --> c, a --> d")


@pytest.mark.parametrize("seed", range(3))
def test_the_implied_covariance_has_the_largest_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks, correlation = random_mag(rng, 4, 0.6), random_correlation(rng, 4)
    fit = fit_of(ColumnBlocks.single(correlation, 500), NAMES, marks, 0.5)
    least = least_deviance(marks, correlation)
    free = np.linalg.slogdet(correlation)[1] + 4
    assert fit.deviance == pytest.approx(500 * (least - free), abs=0.01)
    assert fit.degrees_of_freedom == 6 - int(np.triu(marks != 0).sum())


@pytest.mark.parametrize("starts", [[0, 1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 4]])
def test_a_graph_with_all_edges_fits_exactly(starts: list[int]) -> None:
    correlation = random_correlation(np.random.default_rng(1), 4)
    n = len(starts) - 1  # some variables have several columns
    marks = np.triu(np.full((n, n), 2, dtype=np.uint8), 1) + np.tril(np.full((n, n), 3, dtype=np.uint8), -1)
    fit = fit_of(ColumnBlocks(correlation, np.array(starts, dtype=np.intc), 500), NAMES[:n], marks, 0.5)
    assert fit.degrees_of_freedom == 0
    assert np.abs(fit.residuals).max() < 1e-9 and abs(fit.deviance) < 1e-6
    assert "0 degrees of freedom, EBIC" in str(fit)


def regressed(rows: np.ndarray, mag: an.MAG) -> tuple[np.ndarray, np.ndarray, float]:
    """Coefficients and error variances of a DAG, each equation by least squares; its extended BIC with gamma = .5."""
    count, n = rows.shape
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    weights, variances = np.zeros((n, n)), np.zeros(n)
    for v in range(n):
        parents = np.flatnonzero((mag.marks[:, v] == ARROW) & (mag.marks[v] == TAIL))
        weights[parents, v] = np.linalg.lstsq(standard[:, parents], standard[:, v], rcond=None)[0]
        variances[v] = np.mean((standard[:, v] - standard @ weights[:, v]) ** 2)
    edges = len(mag.edges())
    return weights, variances, count * np.sum(np.log(variances) + 1) + edges * (np.log(count) + 2 * np.log(n))


def test_the_fit_of_a_dag_is_one_regression_after_the_other() -> None:
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((200, 4)) @ rng.standard_normal((4, 4))
    fit = fit_of(ColumnBlocks.single(np.asarray(np.corrcoef(rows.T)), 200), NAMES, CHAIN.marks)
    weights, variances, ebic = regressed(rows, CHAIN)
    assert np.allclose(fit.coefficients, weights)
    assert np.allclose(fit.errors, np.diag(variances))
    assert fit.ebic == pytest.approx(ebic, abs=1e-6)
    # by hand: a chain implies the product of correlations
    r = np.asarray(np.corrcoef(rows.T))
    assert fit.implied[0, 2] == pytest.approx(r[0, 1] * r[1, 2])
    assert fit.implied[2, 3] == pytest.approx(r[0, 1] * r[1, 2] * r[0, 3])
    assert np.allclose(fit.residuals, r - fit.implied)
    model = np.linalg.slogdet(fit.implied)[1] - np.linalg.slogdet(r)[1]
    assert fit.deviance == pytest.approx(200 * model)  # the trace is the number of columns at the maximum


def test_the_worst_residuals_come_first() -> None:
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((200, 4)) @ rng.standard_normal((4, 4))
    fit = fit_of(ColumnBlocks.single(np.asarray(np.corrcoef(rows.T)), 200), NAMES, CHAIN.marks)
    worst = fit.worst_residuals(10)
    assert len(worst) == 6 and len(fit.worst_residuals()) == 5 and fit.worst_residuals(0) == []
    sizes = [abs(residual.difference) for residual in worst]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == pytest.approx(np.abs(fit.residuals).max())
    first = worst[0]
    place = NAMES.index(first.a), NAMES.index(first.b)
    assert first.observed == fit.observed[place] and first.implied == fit.implied[place]
    assert f"largest residual: {first.a} and {first.b}, {first.observed:.2f} in the data, " in str(fit)
    assert repr(fit) == f"<Fit: deviance {fit.deviance:.1f} on 3 degrees of freedom>"


def test_the_order_of_columns_is_that_of_the_user_and_changes_no_number() -> None:
    correlation = random_correlation(np.random.default_rng(2), 4)
    marks = random_mag(np.random.default_rng(2), 4, 0.6)
    blocks = ColumnBlocks.single(correlation, 300)
    one, other = fit_of(blocks, NAMES, marks), fit_of(blocks, NAMES, marks, columns=("c", "a", "d", "b"))
    assert other.names == other.variables == ("c", "a", "d", "b")
    where = [NAMES.index(name) for name in other.names]
    for mine, theirs in ((one.implied, other.implied), (one.observed, other.observed), (one.errors, other.errors)):
        assert np.allclose(mine[np.ix_(where, where)], theirs)
    assert (one.ebic, one.parameters, one.deviance) == pytest.approx((other.ebic, other.parameters, other.deviance))


def test_a_discrete_variable_has_a_column_for_each_level_but_the_most_frequent() -> None:
    rows = an.simulate.mixed(an.DAG.parse("x -> y, y -> z"), rows=400, levels=3, seed=6)
    test = LikelihoodRatio(an.Table.of(rows))
    kinds = test.kinds or {}
    discrete = [name for name in rows.columns if kinds[name] == "discrete"]
    assert discrete
    mag = an.MAG.parse("x --> y, y --> z")
    fit = fit_of(test.column_blocks(("x", "y", "z")), ("x", "y", "z"), mag.arranged(("x", "y", "z")))
    for name in discrete:
        counts = rows[name].value_counts().sort("count", descending=True)[name].to_list()
        assert {label for label, owner in zip(fit.names, fit.variables, strict=True) if owner == name} == {
            f"{name}={level}" for level in counts[1:]
        }
    width = {name: fit.variables.count(name) for name in "xyz"}
    every = sum(width.values())
    blocks = sum(w * (w + 1) // 2 for w in width.values())
    assert fit.parameters == blocks + width["x"] * width["y"] + width["y"] * width["z"]
    assert fit.degrees_of_freedom == width["x"] * width["z"] == every * (every + 1) // 2 - fit.parameters
    same = np.array(fit.variables)[:, None] == np.array(fit.variables)
    assert np.abs(fit.residuals[same]).max() < 1e-6  # of one variable all is free
    owner = dict(zip(fit.names, fit.variables, strict=True))
    assert {(owner[r.a], owner[r.b]) for r in fit.worst_residuals(100)} == {("x", "y"), ("x", "z"), ("y", "z")}
    assert fit.rows == 400 and "over 3 variables to 400 rows" in str(fit)


def test_an_undirected_edge_is_refused() -> None:
    mag = an.MAG.parse("a --- b, c, d")
    with pytest.raises(an.GraphError, match="must have no undirected edges to be fitted, got a --- b"):
        fit_of(ColumnBlocks.single(np.eye(4), 50), NAMES, mag.marks)


# -- the fit of what was found ----------------------------------------------------------------------------------------

ROWS = an.simulate.linear_gaussian(an.DAG.parse("d -> a, b -> a, a -> c"), rows=400, seed=4)


def test_the_found_graph_has_a_fit() -> None:
    found = an.discover(ROWS.select("c", "d", "a", "b"), algorithm="scored")
    assert isinstance(found.fit, Fit) and found.fit is found.fit
    assert found.fit.names == ("c", "d", "a", "b") == found.pag.nodes
    assert found.fit.ebic == pytest.approx(found.score, abs=0.01)
    assert np.allclose(found.fit.observed, np.corrcoef(ROWS.select("c", "d", "a", "b").to_numpy().T))
    assert found.fit.degrees_of_freedom == 6 - len(found.pag.edges())
    for a, b in (("c", "d"), ("d", "b")):
        i, j = found.fit.names.index(a), found.fit.names.index(b)
        assert found.mag is not None
        if an.is_separated(found.mag, a, b):
            assert found.fit.implied[i, j] == pytest.approx(0, abs=1e-6)
    turned = an.discover(ROWS, algorithm="scored").fit
    assert turned.ebic == found.fit.ebic and turned.deviance == pytest.approx(found.fit.deviance, abs=1e-9)


def test_streams_and_ranks_have_a_fit_too() -> None:
    assert an.discover(ROWS, algorithm="scored", test="rank").fit.rows == 400
    moments = an.discover(an.Moments.of(ROWS), algorithm="scored").fit
    assert moments.ebic == pytest.approx(an.discover(ROWS, algorithm="scored").fit.ebic, abs=1e-6)


def test_without_data_or_a_graph_there_is_no_fit(tmp_path: Path) -> None:
    with pytest.raises(
        an.OptionError, match=r'a fit needs a graph, and algorithm="icd" ended without found\.mag; pass'
    ):
        an.discover(ROWS, algorithm="icd").fit  # noqa: B018
    found = an.discover(ROWS, algorithm="scored")
    found.save(tmp_path / "run.json")
    with pytest.raises(an.OptionError, match="a run file does not hold the data; discover"):
        an.load(tmp_path / "run.json").fit  # noqa: B018
    again = an.discover(ROWS, algorithm="scored", resume=tmp_path / "run.json")
    assert again.fit.ebic == pytest.approx(found.fit.ebic)
