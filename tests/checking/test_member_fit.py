"""The fit of a found graph: its deviance, and whether the corrected p-value is calibrated under true graphs."""

import numpy as np
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.checking.member_fit import corrected_p_value, expected_deviance, fit_check
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import ARROW
from ancestral.scores.fit import fit_of
from tests.support.ancestral_graphs import least_deviance
from tests.support.reference import random_dag_marks

Marks = NDArray[np.uint8]


def drawn(rng: np.random.Generator, marks: Marks, rows: int) -> ColumnBlocks:
    """Rows of a linear model with standard normal errors over a DAG."""
    n = len(marks)
    weights = np.where(marks == ARROW, rng.uniform(0.3, 1, (n, n)) * rng.choice([-1, 1], (n, n)), 0)
    values = rng.normal(size=(rows, n)) @ np.linalg.inv(np.eye(n) - weights)
    return ColumnBlocks.single(np.corrcoef(values.T), rows)


def names(n: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(n))


def deviances(n: int, rows: int, repeats: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Under true DAGs: corrected p-values, and deviances divided by their expectation; and the plain alarms at .05."""
    from scipy.stats import chi2

    rng = np.random.default_rng(seed)
    p_values, ratios, plain = [], [], 0
    for _ in range(repeats):
        marks = random_dag_marks(rng, n, 3 / (n - 1))
        blocks = drawn(rng, marks, rows)
        fit = fit_of(blocks, names(n), marks)
        corrected = corrected_p_value(fit.deviance, fit.degrees_of_freedom, marks, blocks)
        assert corrected is not None
        p_values.append(corrected)
        ratios.append(fit.deviance / expected_deviance(marks, blocks.widths, rows))
        plain += chi2.sf(fit.deviance, fit.degrees_of_freedom) < 0.05
    return np.array(p_values), np.array(ratios), plain / repeats


@pytest.mark.parametrize(("n", "rows"), [(15, 60), (15, 300), (30, 60)])
def test_true_graphs_are_rejected_as_often_as_the_level_says(n: int, rows: int) -> None:
    p_values, ratios, plain = deviances(n, rows, repeats=300, seed=n + rows)
    assert 0.02 <= (p_values < 0.05).mean() <= 0.085  # four standard errors of 300 draws at 0.05 are 0.05
    assert ratios.mean() == pytest.approx(1, abs=0.02)
    if rows == 60:
        assert plain > 0.15  # without the correction


def test_the_expectation_is_the_degrees_of_freedom_if_rows_are_many() -> None:
    marks = random_dag_marks(np.random.default_rng(3), 12, 0.3)
    missing = 12 * 11 // 2 - int((marks != 0).sum()) // 2
    assert expected_deviance(marks, np.ones(12, np.intc), 10**7) == pytest.approx(missing, rel=1e-4)


def test_causes_come_first() -> None:
    """In c --> a <-- b, only b and c are apart: the deviance is -N log(1 - r²), and 1 - r² has a beta distribution."""
    from scipy.stats import beta

    rows, collider = 12, an.MAG.parse("c --> a, b --> a").arranged("abc")
    mean = beta((rows - 2) / 2, 1 / 2).expect(lambda share: -rows * np.log(share))
    assert expected_deviance(collider, np.ones(3, np.intc), rows) == pytest.approx(mean, rel=1e-6)


def test_columns_of_one_variable_count_as_adjacent() -> None:
    """Two variables of two columns each, without an edge: the mean over draws is the expectation."""
    rng = np.random.default_rng(4)
    rows, marks = 30, np.zeros((2, 2), np.uint8)
    starts = np.array([0, 2, 4], dtype=np.intc)
    found = []
    for _ in range(2000):
        correlation = np.asarray(np.corrcoef(rng.normal(size=(4, rows))))
        within = [np.linalg.slogdet(correlation[i : i + 2, i : i + 2])[1] for i in (0, 2)]
        found.append(rows * (sum(within) - np.linalg.slogdet(correlation)[1]))
    assert expected_deviance(marks, np.diff(starts), rows) == pytest.approx(np.mean(found), rel=0.03)


def test_the_deviance_is_the_least_one() -> None:
    """Of a graph that was found by questions, by a general optimiser over all models with its member."""
    rows = an.simulate.linear_gaussian(
        an.DAG.parse("a -> c, b -> c, c -> d, l -> d, l -> e", latent=["l"]), 500, seed=3
    )
    found = an.discover(rows, algorithm="icd")
    check = found.check
    assert check is not None and check.fit is not None
    correlation = np.corrcoef(rows.to_numpy().T)
    member = an.mag_in(found.pag)
    least = least_deviance(member.marks, correlation) - np.linalg.slogdet(correlation)[1] - len(correlation)
    assert check.deviance == pytest.approx(500 * least, rel=1e-4)
    assert check.df == 5 * 4 // 2 - len(found.pag.edges())
    a, b, observed, _ = check.fit.worst or ("", "", 0.0, 0.0)
    assert observed == pytest.approx(np.corrcoef(rows[a], rows[b])[0, 1])


def test_the_fit_of_a_scored_graph_is_that_of_its_member() -> None:
    rows = an.simulate.linear_gaussian(an.simulate.random_dag(12, 2, seed=3), 300, seed=3)
    found = an.discover(rows, algorithm="scored")
    check = found.check
    assert check is not None
    assert check.deviance == pytest.approx(found.fit.deviance)
    assert check.df == found.fit.degrees_of_freedom


def reason(found: an.Discovery) -> str:
    assert found.check is not None and found.check.fit is None
    assert found.check.deviance is None and found.check.df is None
    assert found.check.p_value is None and found.check.worst_residual is None
    return found.check.no_fit


@pytest.mark.filterwarnings("ignore:there are only 10 rows")
def test_the_reason_is_told_if_there_is_no_fit() -> None:
    rows = an.simulate.linear_gaussian(an.simulate.random_dag(8, 2, seed=3), 300, seed=3)
    assert reason(an.discover(rows, algorithm="icd", max_radius=0)) == "the search is not complete"
    assert reason(an.discover(rows[:10], algorithm="icd")) == "10 rows are too few for 7 columns"
    labels = an.simulate.discrete(an.simulate.random_dag(5, 2, seed=3), rows=300, seed=3)
    assert reason(an.discover(labels)) == "the test labels has no Gaussian likelihood of these data"
    wide = np.random.default_rng(1).normal(size=(300, 101))
    assert "up to 100 variables" in reason(an.discover(wide, algorithm="icd"))


def test_a_graph_of_no_class_has_no_member() -> None:
    """PC on data of a latent variable: it leaves an edge open that points both ways."""
    dag = an.DAG.parse("age -> diet, l -> diet, l -> sport, region -> sport, diet -> weight", latent=["l"])
    found = an.discover(an.simulate.linear_gaussian(dag, 5000, seed=1), algorithm="pc")
    assert not an.legal(found.pag)
    assert reason(found) == "no class has exactly these marks, so there is no member to fit"


def test_undirected_edges_are_not_fitted() -> None:
    """Four variables, each selected together with the next one: a ring of undirected edges."""
    ring = an.DAG.parse(
        "a -> s, b -> s, b -> t, c -> t, c -> u, d -> u, d -> v, a -> v", selection=["s", "t", "u", "v"]
    )
    rng = np.random.default_rng(5)
    precision = np.eye(4) + 0.35 * np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    rows = rng.multivariate_normal(np.zeros(4), np.linalg.inv(precision), size=3000)
    found = an.discover(rows, names=list("abcd"), algorithm="icd", selection_bias=True)
    assert found.pag == an.pag_of(ring)
    assert reason(found) == "it has undirected edges"


def test_labels_and_numbers_are_fitted_together() -> None:
    rows = an.simulate.mixed(an.simulate.random_dag(6, 2, seed=4), rows=500, seed=4)
    found = an.discover(rows)
    check = found.check
    assert found.settings.test == "mixed" and check is not None and check.fit is not None
    assert check.p_value is not None and 0 <= check.p_value <= 1
    assert fit_check(found.stage, found.test) == check.fit


def test_a_graph_with_all_edges_has_no_p_value() -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b"), 300, seed=1)
    check = an.discover(rows, algorithm="scored").check
    assert check is not None and check.fit is not None
    assert (check.df, check.p_value) == (0, None)
    assert "Fit" not in str(check)
