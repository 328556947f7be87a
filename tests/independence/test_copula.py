"""The test "copula": its level, its effective rows, what it refuses, and that resamples and scores agree with it."""

import warnings
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

import ancestral as an
from ancestral.data import DataWarning, Table
from ancestral.errors import OptionError
from ancestral.independence.choice import choose_test
from ancestral.independence.copula import MOST_COLUMNS, Copula
from ancestral.independence.latent import nearest_correlation
from benchmarks.calibration_ordinal import drawn

DAG = an.DAG.parse("a -> c, b -> c, c -> d, d -> e")
ROWS = an.simulate.ordinal(DAG, rows=600, levels={"a": 2, "b": 3}, continuous=["d"], seed=3).select(*"abcde")


@pytest.mark.parametrize(
    ("design", "rows", "k"), [("2 levels", 200, 1), ("3 levels, skewed", 300, 2), ("numbers and 85 : 15", 50, 0)]
)
def test_the_level_is_kept(design: str, rows: int, k: int) -> None:
    rng = np.random.default_rng(7)
    p = []
    for _ in range(300):
        test = Copula.of_table(Table.of(drawn(rng, design, rows, k)[0]))
        p.append(test.evidence(test.questions(test.names), 0, 1, range(2, 2 + k)).p_value)
    decided = np.array(p)[~np.isnan(p)]
    assert len(decided) > 200
    for alpha in (0.01, 0.05):
        assert np.mean(decided <= alpha) <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / len(decided))
    assert np.mean(decided <= 0.3) > 0.15  # and is not bought by never finding anything


def test_latent_correlations_are_those_behind_the_levels() -> None:
    rng = np.random.default_rng(1)
    root = np.linalg.cholesky(
        np.array([[1, 0.7, -0.5, 0.3], [0.7, 1, -0.2, 0.6], [-0.5, -0.2, 1, 0.1], [0.3, 0.6, 0.1, 1]])
    )
    latent = rng.standard_normal((40_000, 4)) @ root.T
    frame = pl.DataFrame(
        {
            "a": np.exp(latent[:, 0]),
            "b": (latent[:, 1] > 0.8).astype(int),
            "c": np.digitize(latent[:, 2], [-0.7, 0.1, 1.0]),
            "d": latent[:, 3] ** 3,
        }
    )
    test = choose_test(frame, kinds={"b": "ordinal", "c": "ordinal"})
    assert isinstance(test, Copula)
    np.testing.assert_allclose(test.correlation, root @ root.T, atol=0.03)


def test_effective_rows_of_unrelated_columns_are_the_shares_of_variance_that_levels_show() -> None:
    """N λ λ, with λ the variance of the mean of a normal variable within its level; here 2/π for halves."""
    rng = np.random.default_rng(2)
    values = rng.standard_normal((20_000, 3))
    cuts = np.array([-np.inf, -0.5, 1.0, np.inf])
    frame = pl.DataFrame({"x": values[:, 0] > 0, "y": np.digitize(values[:, 1], cuts[1:-1]), "z": values[:, 2]})
    test = choose_test(frame, kinds={"x": "ordinal", "y": "ordinal"})
    thirds = sum((norm.pdf(a) - norm.pdf(b)) ** 2 / (norm.cdf(b) - norm.cdf(a)) for a, b in pairwise(cuts))
    questions = test.questions(["x", "y", "z"])
    for x, y, share in ((0, 1, 2 / np.pi * thirds), (0, 2, 2 / np.pi), (1, 2, thirds)):
        questions.ask(x, y, [])
        assert questions.effective == pytest.approx(20_000 * share, rel=0.04)  # type: ignore[attr-defined]


def test_only_the_order_of_numbers_counts() -> None:
    frame = ROWS.with_columns(d=pl.col("d").exp())
    one, two = (choose_test(source) for source in (ROWS, frame))
    for given in ([], [2], [2, 4]):
        first, second = (test.evidence(test.questions("abcde"), 0, 3, given).p_value for test in (one, two))
        assert first == second


def test_it_is_chosen_where_levels_are_ordered() -> None:
    assert choose_test(ROWS).name == "copula"
    assert choose_test(ROWS.with_columns(sex=pl.Series(["f", "m"] * 300))).name == "copula"
    town = ROWS.with_columns(town=pl.Series(["x", "y", "z"] * 200))
    assert choose_test(town).name == "rank"
    assert choose_test([ROWS.drop("d")]).name == "copula"
    assert choose_test([ROWS]).name == "mixed"  # numbers need all rows
    assert choose_test(ROWS, kinds="continuous").name == "fisher-z"
    assert an.discover(ROWS).settings.algorithm == "scored"


def test_levels_without_an_order_are_refused_by_name() -> None:
    town = ROWS.with_columns(town=pl.Series(["x", "y", "z"] * 200))
    with pytest.raises(OptionError) as refused:
        choose_test(town, test="copula")
    assert str(refused.value) == (
        'test="copula" is for binary, continuous or ordinal columns, and \'town\' is not; pass test="rank", leave the '
        "column out with drop=['town'], or if its levels have an order, pass them in this order, as in "
        "kinds={'town': ['x', 'y', 'z']}"
    )
    assert choose_test(town, test="copula", kinds={"town": ["x", "y", "z"]}).name == "copula"


def test_fisher_z_refuses_ordinal_columns_with_a_way_out() -> None:
    with pytest.raises(OptionError) as refused:
        choose_test(ROWS, test="fisher-z")
    named = [name for name in ROWS.columns if name != "d"]
    assert str(refused.value) == (
        "test=\"fisher-z\" is for continuous columns, and 'a', 'b', 'c' and 'e' are not; pass test=\"copula\", or "
        f"override how they are read with kinds={dict.fromkeys(named, 'continuous')!r}"
    )


def test_all_levels_without_an_order_are_named_and_numbers_need_no_list() -> None:
    rows = ROWS.with_columns(
        town=pl.Series(["x", "y", "z"] * 200),
        visits=pl.Series([0, 1, 2, 3] * 150),
        street=pl.Series([f"s{i % 11:02d}" for i in range(600)]),
    )
    with pytest.raises(OptionError) as refused:
        choose_test(rows, test="copula")
    assert str(refused.value).endswith(
        "and 'town', 'visits' and 'street' are not; pass test=\"rank\", leave the columns out with "
        "drop=['town', 'visits', 'street'], or leave out only 'street' with drop=['street'], and if the levels of the "
        "others have an order, pass them in this order, as in kinds={'town': ['x', 'y', 'z'], 'visits': 'ordinal'}"
    )


@pytest.mark.parametrize("test", ["g", "chi2", "mixed", "rank"])
def test_other_tests_take_ordinal_columns(test: str) -> None:
    frame = ROWS.drop("d") if test in ("g", "chi2") else ROWS
    assert choose_test(frame, test=test).kinds == {
        name: "continuous" if name == "d" else "ordinal" for name in frame.columns
    }


def test_streams_with_numbers_and_missing_values_are_refused() -> None:
    with pytest.raises(
        OptionError, match=r'"copula" needs all rows at once where columns are continuous.*pass test="mixed"'
    ):
        choose_test([ROWS], test="copula")
    gaps = ROWS.with_columns(d=pl.when(pl.int_range(pl.len()) % 50 == 0).then(None).otherwise(pl.col("d")))
    with pytest.raises(
        OptionError, match=r'needs complete rows, and values are missing; pass test="rank", or missing="drop"'
    ):
        choose_test(gaps, test="copula", missing="testwise")
    assert choose_test(gaps, missing="testwise").name == "rank"
    assert choose_test(gaps, missing="drop").name == "copula"


def test_very_many_columns_are_refused() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"x{i}": rng.integers(0, 3, 50) for i in range(MOST_COLUMNS + 1)})
    with pytest.raises(OptionError, match=r'takes at most 100 columns, and there are 101; pass test="rank", or choose'):
        choose_test(frame, test="copula", kinds="ordinal")
    assert choose_test(frame, kinds="ordinal").name == "rank"


@pytest.mark.filterwarnings("ignore::ancestral.data.DataWarning")  # a resample repeats rows
def test_a_resample_is_the_test_of_its_rows() -> None:
    test = choose_test(ROWS)
    rng = np.random.default_rng(1)
    weights = np.bincount(rng.integers(0, 600, 600), minlength=600)
    resampler = test.resampler()
    one = resampler.test(weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # rows repeat each other
        two = choose_test(ROWS[np.repeat(np.arange(600), weights).tolist()])
    assert one is not None and one.names == two.names and one.rows == two.rows == 600
    for x, y, given in ((0, 1, [2]), (0, 3, []), (3, 4, [1, 2])):
        assert one.evidence(one.questions("abcde"), x, y, given).statistic == pytest.approx(
            two.evidence(two.questions("abcde"), x, y, given).statistic, rel=1e-9
        )
    few = np.zeros(600, dtype=np.int64)
    few[np.flatnonzero(ROWS["a"].to_physical().to_numpy() == 0)[:40]] = 1
    drawn_test = resampler.test(few)
    assert drawn_test is not None and "a" not in drawn_test.names  # it does not vary there


def test_scores_have_the_latent_correlations_and_fewer_rows() -> None:
    test = choose_test(ROWS)
    assert isinstance(test, Copula)
    blocks = test.column_blocks(["e", "d", "a"])
    assert blocks.correlation[0, 1] == test.correlation[4, 3]
    assert 100 < blocks.rows < 600
    certainty = an.discover(ROWS, resamples=3).certainty()
    assert certainty.repeats == 3 and certainty.readings == ("latent normal",)
    drawn_test = test.resampler().test(np.ones(600, dtype=np.int64))
    assert drawn_test.column_blocks("abcde").rows == test.column_blocks("abcde").rows  # type: ignore[union-attr]
    exact = choose_test(an.simulate.linear_gaussian(DAG, rows=600, seed=3), test="rank")
    numbers = Copula.of_table(Table.of(an.simulate.linear_gaussian(DAG, rows=600, seed=3)))
    assert 500 < numbers.column_blocks("abcde").rows <= 600 == exact.column_blocks("abcde").rows  # type: ignore[attr-defined]


def test_linear_effects_are_refused() -> None:
    found = an.discover(ROWS)
    with pytest.raises(OptionError, match="latent variables, which have no units"):
        found.effect("c", "e", estimator="linear")
    with pytest.raises(OptionError, match=r"'e' has 5 levels, and one of them must be the event .* pass event=\"5\""):
        found.effect("c", "e")


def test_correlations_that_do_not_fit_together_are_changed_with_a_warning() -> None:
    raw = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    near = nearest_correlation(raw)
    values = np.linalg.eigvalsh(near)
    assert values[0] > 5e-5 and np.all(near.diagonal() == 1) and np.all(near == near.T)
    # by symmetry the nearest one has the same size of correlation everywhere, which is a half
    np.testing.assert_allclose(np.abs(near[np.triu_indices(3, 1)]), 0.5, atol=1e-3)
    assert nearest_correlation(near * 0.5 + 0.5 * np.eye(3)) is not None
    good = np.array([[1, 0.5], [0.5, 1]])
    assert nearest_correlation(good) is good
    rng = np.random.default_rng(4)
    common = rng.standard_normal(30)
    frame = pl.DataFrame(
        {f"x{i}": (common + 0.7 * rng.standard_normal(30) > rng.normal()).astype(int) for i in range(14)}
    )
    varying = frame.select([name for name in frame.columns if frame[name].n_unique() == 2])
    with pytest.warns(DataWarning, match="estimated pair by pair, do not fit together, and were changed by up to 0"):
        choose_test(varying, test="copula")


def test_a_question_about_few_rows_cannot_tell() -> None:
    frame = an.simulate.ordinal(an.DAG.parse("a -> b, b -> c, c -> d"), rows=40, levels=2, seed=2)
    test = choose_test(frame, test="copula")
    questions = test.questions("abcd")
    assert not questions.ask(0, 3, [1, 2]) and np.isnan(questions.statistic)
    assert questions.unsupported[2] == 1


def test_numbers_alone_are_judged_nearly_as_by_rank() -> None:
    frame = an.simulate.linear_gaussian(DAG, rows=2000, seed=5)
    one, two = choose_test(frame, test="copula"), choose_test(frame, test="rank")
    for x, y, given in ((0, 1, []), (0, 3, [2]), (0, 4, [2, 3])):
        first, second = (t.evidence(t.questions("abcde"), x, y, given).statistic for t in (one, two))
        assert first == pytest.approx(second, rel=0.1, abs=0.05)


def test_no_warning_is_given_for_plain_data() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        choose_test(ROWS)
