"""Latent correlations of pairs: the bivariate normal, likelihoods, and influence by moving the weight of a row."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from ancestral.independence._latent_cy import LatentPairs
from ancestral.independence._latent_questions_cy import LatentQuestions

Floats = NDArray[np.float64]


@pytest.mark.parametrize("r", [-0.99, -0.5, 0.0, 0.3, 0.92, 0.995])
@pytest.mark.parametrize(("h", "k"), [(0.0, 0.0), (-1.2, 0.7), (2.5, 2.4)])
def test_the_bivariate_normal_by_integration(h: float, k: float, r: float) -> None:
    def inner(x: float) -> float:
        return float(norm.pdf(x) * norm.cdf((k - r * x) / np.sqrt(1 - r * r)))

    expected = quad(inner, -np.inf, h, epsabs=1e-12, limit=200)[0]
    assert LatentPairs(2).probability(h, k, r) == pytest.approx(expected, abs=1e-9)


def cells(of_x: Floats, of_y: Floats, r: float) -> Floats:
    """The probabilities of the cells of a table, by integration over x."""
    x, y = np.concatenate([[-9.0], of_x, [9.0]]), np.concatenate([[-np.inf], of_y, [np.inf]])
    root = np.sqrt(1 - r * r)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    out = np.empty((len(x) - 1, len(y) - 1))
    for a in range(len(x) - 1):
        at = 0.5 * (x[a + 1] - x[a]) * nodes + 0.5 * (x[a + 1] + x[a])
        upto = norm.cdf((y[:, None] - r * at) / root)
        out[a] = 0.5 * (x[a + 1] - x[a]) * (np.diff(upto, axis=0) * norm.pdf(at) * weights).sum(axis=1)
    return out


def margin(shares: Floats) -> Floats:
    return np.asarray(norm.ppf(np.cumsum(shares)[:-1]))


TABLES = [
    np.array([[40, 10.0], [12, 38]]),
    np.array([[30, 12, 3.0], [11, 25, 9], [2, 8, 40], [1, 5, 30]]),
    np.array([[5, 9, 30.0], [70, 20, 2]]),
]


@pytest.mark.parametrize("table", TABLES, ids=["2 x 2", "4 x 3", "2 x 3, negative"])
def test_the_polychoric_correlation_is_the_largest_likelihood(table: Floats) -> None:
    shares = table / table.sum()
    of_x, of_y = margin(shares.sum(axis=1)), margin(shares.sum(axis=0))
    found = LatentPairs(4).polychoric(shares, of_x, of_y, np.empty(table.shape))

    def loss(r: float) -> float:
        return -float((shares * np.log(cells(of_x, of_y, r))).sum())

    expected = minimize_scalar(loss, bounds=(-0.99, 0.99), method="bounded", options={"xatol": 1e-8}).x
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("table", TABLES, ids=["2 x 2", "4 x 3", "2 x 3, negative"])
def test_the_influence_of_a_cell_is_what_one_more_row_changes(table: Floats) -> None:
    """Thresholds are estimated anew, so the influence must have what a row does to both margins."""
    kernel = LatentPairs(4)

    def estimate(counts: Floats) -> tuple[float, Floats]:
        shares, out = counts / counts.sum(), np.empty(counts.shape)
        r = kernel.polychoric(shares, margin(shares.sum(axis=1)), margin(shares.sum(axis=0)), out)
        return r, out

    # a table that is as the model says, at which the expected and the observed information are the same
    of_x, of_y = margin(table.sum(axis=1) / table.sum()), margin(table.sum(axis=0) / table.sum())
    exact = cells(of_x, of_y, 0.45)
    exact /= exact.sum()
    r, influence = estimate(exact)
    assert r == pytest.approx(0.45, abs=1e-6)
    step = 1e-5
    for cell in np.ndindex(exact.shape):
        moved = (1 - step) * exact
        moved[cell] += step
        back = (1 + step) * exact
        back[cell] -= step
        slope = (estimate(moved)[0] - estimate(back)[0]) / (2 * step)
        assert influence[cell] == pytest.approx(slope, abs=2e-3)


def test_an_empty_corner_gives_a_correlation_below_1() -> None:
    found = LatentPairs(2).polychoric(
        np.array([[0.5, 0.0], [0.1, 0.4]]), [0.0], margin(np.array([0.6, 0.4])), np.empty((2, 2))
    )
    assert 0.99 < found <= 0.995


def scores(count: int) -> Floats:
    z = norm.ppf((np.arange(count) + 0.5) / count)
    return np.asarray(z / np.sqrt(np.mean(z**2)))


def test_the_polyserial_correlation_is_the_largest_likelihood() -> None:
    z = scores(60)
    latent = 0.6 * z + 0.8 * np.random.default_rng(1).permutation(z)
    codes = np.digitize(latent, [-0.6, 0.5]).astype(np.intc)
    weights = np.random.default_rng(2).integers(0, 4, 60).astype(float)
    thresholds = margin(np.bincount(codes, weights) / weights.sum())
    found, _ = LatentPairs(3).polyserial(z, codes, weights, thresholds, np.empty(2), np.empty(257))
    cuts = np.concatenate([[-np.inf], thresholds, [np.inf]])

    def loss(r: float) -> float:
        low, high = ((cuts[codes + i] - r * z) / np.sqrt(1 - r * r) for i in (0, 1))
        return -float(weights @ np.log(norm.cdf(high) - norm.cdf(low)))

    expected = minimize_scalar(loss, bounds=(-0.99, 0.99), method="bounded", options={"xatol": 1e-8}).x
    assert found == pytest.approx(expected, abs=1e-5)


def test_the_influence_of_a_row_on_a_polyserial_correlation_by_its_definition() -> None:
    """The score over the information, and what the row does to the thresholds and to the normal scores.

    A contamination of the population by a share of rows at (z, level) moves the thresholds, and the normal score of
    every value: the correlation that solves the score equation of the contaminated population is found anew.
    """
    r, cuts, step = 0.5, np.array([-0.4, 0.9]), 1e-4
    kernel, effects, grid = LatentPairs(3), np.empty(2), np.empty(257)
    u = np.linspace(-7, 7, 1401)
    share = np.diff(norm.cdf((np.r_[-np.inf, cuts, np.inf][:, None] - r * u) / np.sqrt(1 - r * r)), axis=0)
    density = norm.pdf(u) / norm.pdf(u).sum()

    def solved(at: float, level: int, amount: float) -> float:
        """The correlation in the contaminated population, whose margins are estimated."""
        seen = (1 - amount) * norm.cdf(u) + amount * (u > at) + 0.5 * amount * (u == at)
        z, own = norm.ppf(seen), norm.ppf((1 - amount) * norm.cdf(at) + amount * 0.5)
        upto = (1 - amount) * norm.cdf(cuts) + amount * (level <= np.arange(2))
        t = np.r_[-np.inf, norm.ppf(upto), np.inf]

        def score(rho: float) -> float:
            def logarithm(value: float) -> float:
                root = np.sqrt(1 - value * value)
                inside = np.diff(norm.cdf((t[:, None] - value * z) / root), axis=0)
                alone = np.diff(norm.cdf((t - value * own) / root))[level]
                return float((1 - amount) * (density * share * np.log(inside)).sum() + amount * np.log(alone))

            return (logarithm(rho + 1e-4) - logarithm(rho - 1e-4)) / 2e-4

        low, high = r - 0.05, r + 0.05
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if score(middle) > 0 else (low, middle)
        return 0.5 * (low + high)

    rows = np.array([[-1.5, 0], [0.3, 2], [1.0, 1]])
    codes = rows[:, 1].astype(np.intc)
    # the effects of the margins at the true correlation: those of a population that is exactly as the model says
    population = np.concatenate([u, u, u])
    levels = np.repeat(np.arange(3), len(u)).astype(np.intc)
    found, information = kernel.polyserial(population, levels, (density * share).ravel(), cuts, effects, grid)
    assert found == pytest.approx(r, abs=1e-6)
    out = np.empty(3)
    kernel.serial_influence(rows[:, 0], codes, cuts, found, information, effects, grid, out)
    for (at, level), influence in zip(rows, out, strict=True):
        slope = (solved(at, int(level), step) - solved(at, int(level), 0.0)) / step
        assert influence == pytest.approx(slope, abs=0.02)


def correlated(n: int, seed: int) -> Floats:
    values = np.random.default_rng(seed).standard_normal((4 * n, n))
    values[:, 1:] += 0.7 * values[:, :-1]
    return np.asarray(np.corrcoef(values.T))


def partial(correlation: Floats, x: int, y: int, given: list[int]) -> float:
    chosen = [x, y, *given]
    inverse = np.linalg.inv(correlation[np.ix_(chosen, chosen)])
    return float(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))


@pytest.mark.parametrize("given", [[], [3], [3, 0], [5, 0, 3]])
def test_a_question_has_the_variance_of_the_delta_method(given: list[int]) -> None:
    n, rows = 6, 500.0
    correlation = correlated(n, 1)
    pairs = list(zip(*np.triu_indices(n, 1), strict=True))
    root = np.random.default_rng(2).standard_normal((len(pairs), 40))
    gamma = 3 * root @ root.T / 40
    x, y = 4, 1
    gradient = np.zeros(len(pairs))
    for e, (a, b) in enumerate(pairs):
        for sign in (1, -1):
            moved = correlation.copy()
            moved[a, b] += sign * 1e-6
            moved[b, a] = moved[a, b]
            gradient[e] += sign * partial(moved, x, y, given) / 2e-6
    r = partial(correlation, x, y, given)
    variance = gradient @ gamma @ gradient / (1 - r * r) ** 2
    expected = abs(np.arctanh(r)) * np.sqrt((rows - len(given) - 3) / variance)
    assert variance > 1  # otherwise the bound would decide
    questions = LatentQuestions(correlation, gamma, np.ones(n), rows, 1.96, 1.0, n)
    assert questions.ask(x, y, given) == (expected <= 1.96)
    assert questions.statistic == pytest.approx(expected, rel=1e-5)


def test_no_question_has_more_rows_than_its_levels_show() -> None:
    questions = LatentQuestions(np.array([[1, 0.1], [0.1, 1]]), np.zeros((1, 1)), [0.5, 0.8], 103, 1.96, 1.0, 2)
    questions.ask(0, 1, [])
    assert questions.effective == pytest.approx(100 * 0.5 * 0.8)


def test_too_few_effective_rows_and_singular_sets_cannot_tell() -> None:
    correlation = np.array([[1, 0.1, 1 - 1e-9], [0.1, 1, 0.1], [1 - 1e-9, 0.1, 1]])
    gamma = np.eye(3) * 20
    questions = LatentQuestions(correlation, gamma, np.ones(3), 213, 1.96, 10.0, 3)
    questions.ask(0, 1, [])
    assert np.isfinite(questions.statistic) and questions.unsupported.tolist()[:2] == [0, 0]
    assert not questions.ask(0, 1, [2]) and np.isnan(questions.statistic)
    assert questions.unsupported.tolist()[:2] == [0, 1]
    few = LatentQuestions(correlation, gamma, np.ones(3), 200, 1.96, 10.0, 3)
    assert not few.ask(0, 1, []) and np.isnan(few.statistic)
    assert not few.ask(0, 1, [2])
