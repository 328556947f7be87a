"""Products of residuals against least squares, eigenvalues and the definition of each design by numpy."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy.stats import f as f_distribution

from ancestral.data import Table
from ancestral.independence._curves_cy import BasisProducts, FourierProducts
from ancestral.independence.features import Features

NAMES = ["a", "b", "c", "d"]


def some_columns(seed: int, rows: int = 90) -> np.ndarray:
    rng = np.random.default_rng(seed)
    a, b, c, d = rng.standard_normal((4, rows))
    return np.array([a, b + a**2, c + np.sin(2 * a), d - a * b])


def features_of(columns: np.ndarray) -> Features:
    table = Table.of(columns.T.copy(), names=NAMES, kinds="continuous", missing="testwise")
    return Features.of(table, degree=3, decay=0.8)


def residuals(targets: np.ndarray, design: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What least squares leaves of each target, a row each, and what it fits."""
    full = np.column_stack([np.ones(targets.shape[1]), *design])
    fitted = (full @ np.linalg.lstsq(full, targets.T, rcond=1e-9)[0]).T
    return targets - fitted, fitted


def standard(rows: np.ndarray) -> np.ndarray:
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / rows.std(axis=1, keepdims=True))


def whitened(rows: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Uncorrelated in the order of the rows, by the triangular factor of their covariance."""
    factor = np.linalg.cholesky(rows @ rows.T / rows.shape[1])
    return np.asarray(scales[:, None] * np.linalg.solve(factor, rows))


def block(features: Features, v: int) -> np.ndarray:
    return features.tested[features.tested_starts[v] : features.tested_starts[v + 1]]


def terms(features: Features, v: int, degree: int) -> np.ndarray:
    return features.terms[features.term_starts[v] :][:degree]


def expected(
    features: Features, kept: np.ndarray, x: int, y: int, given: list[int], design: np.ndarray, most_powers: int
) -> tuple[float, int]:
    """The statistic and its degrees of freedom; the design is that of the complete rows `kept`."""
    rows = np.count_nonzero(kept)
    scales = 0.8 ** np.arange(3)
    targets = [standard(block(features, v)[:, kept]) for v in (x, y)]
    if given:
        fits = [residuals(own, design)[1] for own in targets]
        powers: list[np.ndarray] = []
        for fitted in (own[j] for j in range(3) for own in fits):
            cut = np.clip(fitted / fitted.std(), -4, 4)
            powers += [cut**2, cut**3]
        design = np.array([*design, *powers[:most_powers]])
    left = [whitened(residuals(own, design)[0], scales) for own in targets]
    products = [r * s for r in left[0] for s in left[1]]
    products += (
        [products[0] * own for own in standard(np.array([terms(features, v, 1)[0] for v in given])[:, kept])]
        if given
        else []
    )
    u = np.array(products)
    mean_square = u @ u.T / rows
    eigenvalues = np.linalg.eigvalsh(mean_square)
    one, two, three = (float(np.sum(eigenvalues**power)) for power in (1, 2, 3))
    with_itself = float(np.mean(np.sum(u**2, axis=0) ** 2))
    unbiased = max((rows * two - with_itself) / (rows - 1), one**2 / len(u))
    three *= (unbiased / two) ** 3
    freedom = rows - 1 - (np.linalg.matrix_rank(design - design.mean(axis=1, keepdims=True)) if given else 0)
    total = float(np.sum(u.sum(axis=1) ** 2)) * freedom / rows**2
    df = min(len(u), max(1, int(unbiased**3 / three**2 + 0.5)))
    return max(0.0, df + (total - one) * np.sqrt(df / unbiased)), df


def basis_design(features: Features, kept: np.ndarray, given: list[int], degree: int, pairs: bool) -> np.ndarray:
    columns = [own[kept] for v in given for own in terms(features, v, degree)]
    if pairs:
        columns += [(terms(features, b, 1)[0] * terms(features, a, 1)[0])[kept] for a, b in combinations(given, 2)]
    return np.array(columns)


QUESTIONS = [  # with 90 rows there is room for 22 columns, of which 5 are for powers: of 5 functions, so many fit
    (0, 1, [], 0, False),
    (0, 1, [2], 5, False),
    (3, 1, [0], 5, False),
    (1, 2, [0, 3], 5, True),
]


@pytest.mark.parametrize("seed", range(3))
def test_the_statistic_of_a_basis(seed: int) -> None:
    features = features_of(some_columns(seed))
    questions = BasisProducts(features, np.arange(4, dtype=np.intc), np.full(257, 20.0))
    everywhere = np.ones(90, dtype=bool)
    for x, y, given, degree, pairs in QUESTIONS:
        design = basis_design(features, everywhere, given, degree, pairs)
        statistic, df = expected(features, everywhere, min(x, y), max(x, y), given, design, 5)
        assert questions.measured(x, y, given)
        assert questions.df == df
        assert questions.statistic == pytest.approx(statistic, rel=1e-6, abs=1e-6)
        assert questions.used == 90
        assert questions.ask(x, y, given) is bool(statistic <= 20.0)


def test_each_question_uses_the_rows_that_are_complete_for_it() -> None:
    columns = some_columns(5, rows=98)
    columns[0, :8] = np.nan
    features = features_of(columns)
    questions = BasisProducts(features, np.arange(4, dtype=np.intc), np.full(257, 20.0))
    kept = np.arange(98) >= 8
    design = basis_design(features, kept, [0], 5, False)
    statistic, df = expected(features, kept, 1, 2, [0], design, 5)
    assert questions.measured(1, 2, [0])
    assert (questions.used, questions.df) == (90, df)
    assert questions.statistic == pytest.approx(statistic, rel=1e-6)
    assert questions.measured(1, 2, [3]) and questions.used == 98


def test_the_statistic_of_fourier_features() -> None:
    features = features_of(some_columns(1))
    rng = np.random.default_rng(0)
    frequencies = rng.standard_normal((20, len(features.terms)))
    phases = rng.uniform(0, 6, 20)
    questions = FourierProducts(features, np.arange(4, dtype=np.intc), np.full(257, 20.0), frequencies, phases)
    everywhere = np.ones(90, dtype=bool)
    given = [0, 3]
    median = 2 * (1 - 2 / 18) ** 3  # of chi-squared with two degrees of freedom, after Wilson and Hilferty
    waves = [
        np.cos(
            phases[f]
            + sum(frequencies[f, features.term_starts[v]] * terms(features, v, 1)[0] for v in given)
            / np.sqrt(2 * median)
        )
        for f in range(9)
    ]  # 22 columns, less 5 for powers and 2 · 4 functions of one variable
    design = np.array([*basis_design(features, everywhere, given, 4, False), *waves])
    statistic, df = expected(features, everywhere, 1, 2, given, design, 5)
    assert questions.measured(1, 2, given)
    assert questions.df == df
    assert questions.statistic == pytest.approx(statistic, rel=1e-5)


def test_too_few_rows_cannot_tell() -> None:
    features = features_of(some_columns(2, rows=24))
    questions = BasisProducts(features, np.arange(4, dtype=np.intc), np.full(257, 20.0))
    assert questions.measured(0, 1, [])
    assert not questions.measured(0, 1, [2, 3])
    assert questions.ask(0, 1, [2, 3]) is False
    assert questions.unsupported.tolist() == [0, 0, 1, 0, 0]


# -- weights and clusters ---------------------------------------------------------------------------------------------


def expected_p_value(
    features: Features, weights: np.ndarray, groups: np.ndarray, given: list[int], design: np.ndarray, most_powers: int
) -> float:
    """Of the first two variables, by weighted least squares and sums over groups."""
    rows, root = len(weights), np.sqrt(weights)

    def centred(columns: np.ndarray) -> np.ndarray:
        columns = columns - np.average(columns, axis=1, weights=weights)[:, None]
        return np.asarray(columns / np.sqrt(np.average(columns**2, axis=1, weights=weights))[:, None])

    def fits(targets: np.ndarray, columns: np.ndarray) -> np.ndarray:
        full = (np.column_stack([np.ones(rows), *columns]).T * root).T
        return np.asarray((full @ np.linalg.lstsq(full, (targets * root).T, rcond=1e-9)[0]).T / root)

    targets = [centred(block(features, v)) for v in (0, 1)]
    spent = 0.0
    if given:
        first = [fits(own, design) for own in targets]
        for own in centred(design):
            inside = [weights[groups == g].sum() for g in np.unique(groups)]
            sums = [(weights * own)[groups == g].sum() for g in np.unique(groups)]
            spent += float(np.sum(np.square(sums) / inside)) / rows
        basis = design
        powers: list[np.ndarray] = []
        for fitted in (own[j] for j in range(3) for own in first):
            cut = np.clip(fitted / np.sqrt(np.average(fitted**2, weights=weights)), -4, 4)
            powers += [cut**2, cut**3]
        for power in powers[:most_powers]:
            left = power - fits(power[None], basis)[0]
            left /= np.sqrt(np.sum(weights * left**2))
            inside = [weights[groups == g].sum() for g in np.unique(groups)]
            sums = [(weights * left)[groups == g].sum() for g in np.unique(groups)]
            spent += float(np.sum(np.square(sums) / inside))
            basis = np.array([*basis, power])
        design = basis
    rest = [whitened((own - fits(own, design)) * root, 0.8 ** np.arange(3)) for own in targets]
    products = [r * s for r in rest[0] for s in rest[1]]
    if given:
        products += [products[0] * own for own in centred(np.array([terms(features, v, 1)[0] for v in given]))]
    u = np.stack([np.array(products)[:, groups == g].sum(axis=1) for g in np.unique(groups)], axis=1)
    count = u.shape[1]
    eigenvalues = np.linalg.eigvalsh(u @ u.T / rows)
    one, two, three = (float(np.sum(eigenvalues**power)) for power in (1, 2, 3))
    lengths = np.sum(u**2, axis=0)
    unbiased = max((two - np.sum(lengths**2) / rows**2) * count / (count - 1), one**2 / len(u))
    df = min(len(u), max(1, int(unbiased**3 / (three * (unbiased / two) ** 3) ** 2 + 0.5)))
    left_groups = count - 1 - spent
    total = float(np.sum(u.sum(axis=1) ** 2)) / rows * left_groups / count
    scale = np.sqrt(unbiased / df)
    start = one - scale * df
    freedom = min(left_groups * one**2 / unbiased, 1.5 * count / (count * np.sum(lengths**2) / lengths.sum() ** 2 - 1))
    share = min(1.0, (total - start) / total)
    return float(f_distribution.sf((total - start) / scale / df, df, freedom * share**2))


@pytest.mark.parametrize(("weighted", "clustered"), [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_p_value_under_a_design(weighted: bool, clustered: bool, seed: int) -> None:
    rows, rng = 90, np.random.default_rng(seed)
    columns = some_columns(seed)
    frame = pl.DataFrame(dict(zip(NAMES, columns, strict=True))).with_columns(
        w=pl.Series(np.exp(rng.standard_normal(rows) / 2)), s=pl.Series(rng.permutation(rows) % 30)
    )
    drop = [] if weighted and clustered else ["s"] if weighted else ["w"]
    table = Table.of(frame, weights="w" if weighted else None, clusters="s" if clustered else None, drop=drop)
    features = Features.of(table, degree=3, decay=0.8)
    assert table.design is not None
    groups = frame["s"].to_numpy() if clustered else np.arange(rows)
    questions = BasisProducts(features, np.arange(4, dtype=np.intc), np.full(257, 20.0), 0.05)
    for given, degree in (([], 0), ([2], 5)):
        design = basis_design(features, np.ones(rows, dtype=bool), given, degree, False)
        p_value = expected_p_value(features, table.design.scaled, groups, given, design, 5)
        assert questions.measured(0, 1, given)
        assert questions.statistic == pytest.approx(p_value, rel=1e-5)
        assert questions.ask(0, 1, given) is bool(p_value > 0.05)
        assert questions.measured(1, 0, given)
        assert questions.statistic == pytest.approx(p_value, rel=1e-5)


def test_columns_that_are_the_same_in_each_group_must_leave_enough_groups() -> None:
    rng = np.random.default_rng(3)
    school = np.arange(120) % 8
    frame = pl.DataFrame({"a": rng.standard_normal(120), "b": rng.standard_normal(120), "s": school})
    of_rows, of_schools = rng.standard_normal((3, 120)), rng.standard_normal((3, 8))[:, school]
    for given, expected in ((of_rows, True), (of_schools, False)):
        columns = {f"z{i}": pl.Series(own) for i, own in enumerate(given)}
        table = Table.of(frame.with_columns(**columns), clusters="s", kinds="continuous")
        questions = BasisProducts(Features.of(table, 3, 0.8), np.arange(5, dtype=np.intc), np.full(257, 20.0), 0.05)
        assert questions.measured(0, 1, [2, 3, 4]) is expected
