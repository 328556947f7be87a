"""Questions under weights and clusters, against their definitions by numpy: influence by numbers, sums over groups."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from scipy.stats import f as f_distribution

from ancestral.independence._design_cy import f_distribution_tail
from ancestral.independence._designed_blocks_cy import DesignedBlocks
from ancestral.independence._designed_latent_cy import DesignedLatent
from ancestral.independence._designed_tables_cy import DesignedTables
from ancestral.independence._latent_questions_cy import LatentQuestions

STARTS = [0, 1, 3, 4, 6]  # four variables, of 1, 2, 1 and 2 columns
ROWS, GROUPS = 60, 12


@pytest.mark.parametrize("df", [1, 1.7, 4, 30])
@pytest.mark.parametrize("other", [1, 3.3, 40, 5000])
def test_tails_of_f(df: float, other: float) -> None:
    for ratio in (0.0, 1e-9, 0.3, 1.0, 2.5, 40.0, 1e6):
        assert f_distribution_tail(ratio, df, other) == pytest.approx(f_distribution.sf(ratio, df, other), rel=1e-9)


def some_rows(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Six columns that depend on each other, weights, and the groups of rows in ascending order."""
    rng = np.random.default_rng(seed)
    columns = (rng.standard_normal((ROWS, 6)) @ rng.standard_normal((6, 6))).T
    weights = np.exp(rng.standard_normal(ROWS) * 0.7)
    return columns, weights * (ROWS / weights.sum()), np.sort(rng.integers(0, GROUPS, ROWS))


def standardised(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    centred = columns - np.average(columns, axis=1, weights=weights)[:, None]
    return np.asarray(centred / np.sqrt(np.average(centred**2, axis=1, weights=weights))[:, None] * np.sqrt(weights))


def starts_of(groups: np.ndarray) -> np.ndarray:
    return np.append(np.flatnonzero(np.append(True, np.diff(groups) > 0)), len(groups))


def asked(
    columns: np.ndarray, weights: np.ndarray, groups: np.ndarray, starts: list[int], fisher: bool
) -> DesignedBlocks:
    values = standardised(columns, weights)
    return DesignedBlocks(starts, values @ values.T / ROWS, values, starts_of(groups), ROWS, 0.05, fisher)


def judged(statistic: float, df: int, sums: np.ndarray, spent: int, unit: float) -> tuple[float, float, float, float]:
    """Design effect, both degrees of freedom and the p-value, of sums of groups (a row each)."""
    count, lengths = len(sums), (sums**2).sum(axis=1)
    left = count - 1 - spent
    effect = lengths.sum() / (unit * df) * count / left
    variance = sums.T @ sums
    first = np.trace(variance) ** 2 / np.trace(variance @ variance)
    spread = count * (lengths**2).sum() / lengths.sum() ** 2 - 1
    second = min(left * first, 1.5 * count / spread)
    return effect, first, second, float(f_distribution.sf(statistic / (effect * df), first, second))


def fisher_z(columns: np.ndarray, weights: np.ndarray, given: list[int]) -> float:
    """Fisher's transformation of the weighted partial correlation of columns 0 and 1."""
    precision = np.linalg.inv(np.cov(columns[[0, 1, *given]], aweights=weights))
    return float(np.arctanh(-precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])))


@pytest.mark.parametrize("given", [[], [2], [2, 3, 5]])
@pytest.mark.parametrize("single", [False, True])
def test_the_variance_of_fishers_z_is_that_of_its_derivatives_by_the_weights(given: list[int], single: bool) -> None:
    """What a row adds to z is its derivative by the row's weight: here by differences, not by a formula."""
    columns, weights, groups = some_rows(3)
    groups = np.arange(ROWS) if single else groups
    questions = asked(columns, weights, groups, list(range(7)), fisher=True)
    assert questions.measured(0, 1, given)
    step = 1e-5
    derivative = np.empty(ROWS)
    for row in range(ROWS):
        more, less = weights.copy(), weights.copy()
        more[row] *= 1 + step
        less[row] *= 1 - step
        derivative[row] = (fisher_z(columns, more, given) - fisher_z(columns, less, given)) / (2 * step) * ROWS
    sums = np.bincount(groups, weights=derivative)
    sums = sums[np.unique(groups)][:, None]
    statistic = (ROWS - len(given) - 3) * fisher_z(columns, weights, given) ** 2
    effect, first, second, p_value = judged(statistic, 1, sums, len(given), ROWS)
    assert questions.raw == pytest.approx(statistic, rel=1e-9)
    assert questions.effect == pytest.approx(effect, rel=1e-6)
    assert (questions.shown_df, questions.freedom) == pytest.approx((first, second), rel=1e-6)
    assert questions.statistic == pytest.approx(p_value, rel=1e-6)
    assert questions.ask(0, 1, given) is (p_value > 0.05)


def inverse_root(matrix: np.ndarray) -> np.ndarray:
    roots, vectors = np.linalg.eigh(matrix)
    return np.asarray(vectors / np.sqrt(roots) @ vectors.T)


@pytest.mark.parametrize(("x", "y", "given"), [(0, 1, []), (1, 3, [0]), (3, 0, [2, 1]), (1, 3, [0, 2]), (0, 2, [3])])
def test_blocks(x: int, y: int, given: list[int]) -> None:
    """With symmetric roots in the place of elimination: traces do not depend on the basis."""
    columns, weights, groups = some_rows(5)
    questions = asked(columns, weights, groups, STARTS, fisher=False)
    assert questions.measured(x, y, given)
    values = standardised(columns, weights)
    block = [list(range(STARTS[v], STARTS[v + 1])) for v in range(4)]
    z = [c for v in given for c in block[v]]
    left = [values[block[v]] for v in (x, y)]
    if z:
        left = [part - part @ values[z].T @ np.linalg.inv(values[z] @ values[z].T) @ values[z] for part in left]
    e_x, e_y = (inverse_root(part @ part.T / ROWS) @ part for part in left)
    common = e_x @ e_y.T / ROWS
    p, q = common.shape
    statistic = -(ROWS - 1 - len(z) - (p + q + 1) / 2) * np.linalg.slogdet(np.eye(p) - common @ common.T)[1]
    sums = []
    for group in np.unique(groups):
        a, b = e_x[:, groups == group], e_y[:, groups == group]
        added = a @ b.T - 0.5 * (a @ a.T @ common + common @ b @ b.T)
        sums.append((added / (1 - common[0, 0] ** 2) if p == q == 1 else added).ravel())
    effect, first, second, p_value = judged(statistic, p * q, np.array(sums), len(z), ROWS)
    assert questions.raw == pytest.approx(statistic, rel=1e-9)
    assert questions.effect == pytest.approx(effect, rel=1e-9)
    assert questions.shown_df == pytest.approx(first, rel=1e-9)
    assert questions.freedom == pytest.approx(second, rel=1e-9)
    assert questions.statistic == pytest.approx(p_value, rel=1e-8)


def test_copies_of_rows_in_their_own_clusters_bring_nothing() -> None:
    columns, weights, _ = some_rows(7)
    once = asked(columns, weights, np.arange(ROWS), list(range(7)), fisher=True)
    assert once.measured(0, 1, [2])
    values = np.repeat(standardised(columns, weights), 3, axis=1)
    starts = np.arange(0, 3 * ROWS + 1, 3)
    correlation = values @ values.T / (3 * ROWS)
    thrice = DesignedBlocks(list(range(7)), correlation, values, starts, 3 * ROWS, 0.05, True)
    assert thrice.measured(0, 1, [2])
    assert thrice.effect == pytest.approx(3 * once.effect, rel=1e-9)
    assert thrice.freedom == pytest.approx(once.freedom, rel=1e-9)


def test_a_question_with_more_given_columns_than_groups_is_not_supported() -> None:
    columns, weights, _ = some_rows(1)
    groups = np.sort(np.arange(ROWS) % 6)
    questions = asked(columns, weights, groups, list(range(7)), fisher=True)
    assert questions.measured(0, 1, [2, 3])
    assert questions.ask(0, 1, [2, 3, 4]) is False
    assert np.isnan(questions.statistic)
    assert questions.unsupported.tolist() == [0, 0, 0, 1, 0, 0, 0]


# -- tables ----------------------------------------------------------------------------------------------------------


def some_codes(seed: int, rows: int = 240) -> tuple[np.ndarray, list[int], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    levels = [2, 3, 2, 3]
    codes = np.stack([rng.integers(0, k, rows) for k in levels])
    codes[1] = np.where(rng.random(rows) < 0.2, codes[0], codes[1])
    weights = np.exp(rng.standard_normal(rows) * 0.6)
    return codes, levels, weights * (rows / weights.sum()), np.sort(rng.integers(0, 30, rows))


def vectors(
    codes: np.ndarray, levels: list[int], weights: np.ndarray, x: int, y: int, given: list[int], *, single: bool
) -> tuple[float, float, int, np.ndarray, np.ndarray]:
    """G, Pearson's statistic and df by strata; and what each row adds, around the mean and around independence."""
    stratum = np.zeros(codes.shape[1], dtype=int)
    for z in given:
        stratum = stratum * levels[z] + codes[z]
    g, pearson, df, around, plain = 0.0, 0.0, 0, [], []
    for s in np.unique(stratum):
        inside = stratum == s
        w = np.where(inside, weights, 0.0)
        total = w.sum()
        p_x = np.array([w[codes[x] == a].sum() for a in range(levels[x])]) / total
        p_y = np.array([w[codes[y] == b].sum() for b in range(levels[y])]) / total
        table = np.array(
            [[w[(codes[x] == a) & (codes[y] == b)].sum() for b in range(levels[y])] for a in range(levels[x])]
        )
        expected = np.outer(p_x, p_y) * total
        pearson += float(((table - expected) ** 2 / expected).sum())
        g += 2 * float((table * np.log(np.maximum(table, 1e-300) / expected)).sum())
        df += (levels[x] - 1) * (levels[y] - 1)
        m = total**2 / (w**2).sum()
        small = m / (m - 1) if single else 1.0  # twice: of the variance both factors, so its root once
        for a in range(levels[x]):
            for b in range(levels[y]):
                own = ((codes[x] == a) - p_x[a]) * ((codes[y] == b) - p_y[b])
                scale = w * small / np.sqrt(total * p_x[a] * p_y[b])
                plain.append(own * scale)
                around.append((own - (table[a, b] - expected[a, b]) / total) * scale)
    return g, pearson, df, np.array(around), np.array(plain)


@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(("x", "y", "given"), [(0, 1, []), (0, 1, [2]), (1, 3, [2]), (0, 2, [1, 3])])
def test_tables(pearson: bool, single: bool, x: int, y: int, given: list[int]) -> None:
    codes, levels, weights, groups = some_codes(2)
    rows = codes.shape[1]
    powers = np.stack([weights, weights**2, weights**4])
    starts = None if single else starts_of(groups)
    count = rows if single else len(np.unique(groups))
    questions = DesignedTables(codes, levels, powers, starts, rows, count, rows, 0.05, pearson, 5)
    assert questions.measured(x, y, given)
    g, chi2, df, around, plain = vectors(codes, levels, weights, x, y, given, single=single)
    statistic = chi2 if pearson else g
    sums = around.T if single else np.stack([around[:, groups == one].sum(axis=1) for one in np.unique(groups)])
    effect, first, second, p_value = judged(statistic, df, sums, 0, 1.0)
    if single:  # evenness is told around independence
        variance = plain @ plain.T
        first = np.trace(variance) ** 2 / np.trace(variance @ variance)
        lengths = (sums**2).sum(axis=1)
        second = min((rows - 1) * first, 1.5 * rows / (rows * (lengths**2).sum() / lengths.sum() ** 2 - 1))
        p_value = float(f_distribution.sf(statistic / (effect * df), first, second))
    assert questions.raw == pytest.approx(statistic, rel=1e-9)
    assert questions.effect == pytest.approx(effect, rel=1e-9)
    assert questions.shown_df == pytest.approx(first, rel=1e-9)
    assert questions.freedom == pytest.approx(second, rel=1e-9)
    assert questions.statistic == pytest.approx(p_value, rel=1e-8)


@pytest.mark.parametrize("pearson", [False, True])
def test_with_equal_weights_the_statistic_is_that_of_scipy(pearson: bool) -> None:
    codes, levels, _, _ = some_codes(4)
    rows = codes.shape[1]
    questions = DesignedTables(codes, levels, np.ones((3, rows)), None, rows, rows, rows, 0.05, pearson, 5)
    assert questions.measured(0, 1, [])
    table = np.zeros((2, 3))
    np.add.at(table, (codes[0], codes[1]), 1)
    found = chi2_contingency(table, correction=False, lambda_=None if pearson else "log-likelihood")
    assert questions.raw == pytest.approx(found.statistic, rel=1e-9)
    assert questions.effect == pytest.approx(1.0, abs=0.1)


def test_sums_of_rows_with_the_same_levels_in_a_group_serve_as_rows() -> None:
    codes, levels, weights, groups = some_codes(6)
    rows = codes.shape[1]
    kinds, place = np.unique(np.vstack([groups, codes]), axis=1, return_inverse=True)
    sums = np.bincount(place.ravel(), weights=weights)
    one = DesignedTables(codes, levels, np.stack([weights] * 3), starts_of(groups), rows, 30, rows, 0.05, True, 5)
    two = DesignedTables(kinds[1:], levels, np.stack([sums] * 3), starts_of(kinds[0]), rows, 30, rows, 0.05, True, 5)
    for questions in (one, two):
        assert questions.measured(1, 3, [0, 2])
    assert one.statistic == pytest.approx(two.statistic, rel=1e-9)


def test_a_table_that_is_too_large_for_the_effective_rows_is_not_supported() -> None:
    codes, levels, weights, groups = some_codes(8)
    powers = np.stack([weights, weights**2, weights**4])
    for supported, expected in ((240, True), (19, False)):
        questions = DesignedTables(codes, levels, powers, starts_of(groups), 240, 30, supported, 0.05, True, 5)
        assert questions.measured(1, 3, []) is expected  # four degrees of freedom need 20 rows


# -- latent correlations ---------------------------------------------------------------------------------------------


def partial(correlation: np.ndarray, x: int, y: int, given: list[int]) -> float:
    chosen = [x, y, *given]
    inverse = np.linalg.inv(correlation[np.ix_(chosen, chosen)])
    return float(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))


def some_influences(rows: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Correlations of five variables, influences of rows on the ten pairs, weights, and groups."""
    rng = np.random.default_rng(9)
    values = rng.standard_normal((5, 5)) @ rng.standard_normal((5, 60)) + rng.standard_normal((5, 60))
    correlation = np.asarray(np.corrcoef(values))
    weights = np.exp(0.5 * rng.standard_normal(rows))
    influence = 2 * rng.standard_t(5, (10, rows))
    return correlation, influence, weights * (rows / weights.sum()), np.sort(rng.integers(0, 25, rows))


@pytest.mark.parametrize("given", [[], [3], [4, 0]])
@pytest.mark.parametrize("single", [False, True])
def test_latent_correlations_by_differences(given: list[int], single: bool) -> None:
    """What a group adds to z: its weighted influences times the derivative of z, here by differences."""
    correlation, influence, weights, groups = some_influences()
    x, y, rows = 2, 1, len(weights)
    gradient = np.zeros(10)
    for e, (a, b) in enumerate(zip(*np.triu_indices(5, 1), strict=True)):
        for sign in (1, -1):
            moved = correlation.copy()
            moved[a, b] += sign * 1e-6
            moved[b, a] = moved[a, b]
            gradient[e] += sign * np.arctanh(partial(moved, x, y, given)) / 2e-6
    sums = np.stack([(influence * weights)[:, groups == one].sum(axis=1) for one in np.unique(groups)], axis=1)
    count = rows if single else sums.shape[1]
    latent = LatentQuestions(correlation, np.zeros((1, 1)), np.ones(5), rows, 1.96, 1.0, 5)
    squares, fourth = (weights**2, weights**4) if single else (np.ones(count), np.ones(count))
    questions = DesignedLatent(latent, influence if single else sums, squares, fourth, count, rows, 0.05, 1.0)
    assert questions.measured(x, y, given)
    added = gradient @ (influence * weights) if single else gradient @ sums
    statistic = (rows - len(given) - 3) * np.arctanh(partial(correlation, x, y, given)) ** 2
    effect, first, second, p_value = judged(statistic, 1, added[:, None], len(given), rows)
    assert questions.effect == pytest.approx(effect, rel=1e-5)
    assert (questions.shown_df, questions.freedom) == pytest.approx((first, second), rel=1e-5)
    assert questions.statistic == pytest.approx(p_value, rel=1e-5)
    assert questions.ask(x, y, given) is (p_value > 0.05)


def test_no_latent_question_counts_for_more_than_its_levels_show() -> None:
    correlation, influence, weights, _ = some_influences()
    rows = len(weights)
    latent = LatentQuestions(correlation, np.zeros((1, 1)), np.full(5, 0.5), rows, 1.96, 1.0, 5)
    for size, enough in ((1e-3, True), (3.0, False)):
        few, none = (
            DesignedLatent(latent, size * influence, weights**2, weights**4, rows, rows, 0.05, fewest)
            for fewest in (0.1, 10.0)
        )
        assert few.measured(0, 1, [])
        assert bool(few.effect == pytest.approx(4.0 * rows / (rows - 1), rel=1e-9)) is enough
        assert none.measured(0, 1, []) is enough
