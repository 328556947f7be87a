"""The test "rank" on numbers, ordered levels and labels together."""

import warnings

import numpy as np
import polars as pl
import pytest
from scipy.stats import chi2, norm, rankdata

import ancestral as an
from ancestral.data import DataWarning, Table
from ancestral.errors import OptionError
from ancestral.independence.choice import choose_test
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio

DAG = an.DAG.parse("a -> c, b -> c, c -> d, d -> e")


def mixed_rows(rows: int, seed: int) -> pl.DataFrame:
    """Numbers a and d, labels b and e, ordered levels c."""
    frame = an.simulate.mixed(DAG, rows=rows, discrete=["b", "e"], seed=seed)
    codes = np.digitize(frame["c"].to_numpy(), np.quantile(frame["c"].to_numpy(), [0.3, 0.5, 0.8]))
    words = ["low", "mid", "high", "top"]
    return frame.with_columns(c=pl.Series(words, dtype=pl.Enum(words)).gather(codes))


ROWS = mixed_rows(400, 1)


def test_only_the_order_counts() -> None:
    other = ROWS.with_columns(a=pl.col("a").exp(), d=pl.col("d") ** 3)
    one, two = (choose_test(frame, test="rank") for frame in (ROWS, other))
    renamed = choose_test(ROWS.with_columns(c=2 ** ROWS["c"].to_physical()), test="rank", kinds={"c": "ordinal"})
    for x, y, given in ((0, 1, []), (0, 3, [2]), (2, 4, [3]), (1, 4, [2, 3])):
        p = [t.evidence(t.questions("abcde"), x, y, given).p_value for t in (one, two, renamed)]
        assert p[0] == p[1] == p[2]


def test_a_pair_is_judged_by_the_likelihood_ratio_of_scores_and_indicators() -> None:
    """−N log(1 − R²) of the regression of scores on indicators, with Bartlett's correction."""
    test = choose_test(ROWS, test="rank")
    labels = ROWS["b"].to_numpy()
    for name, values in (("a", ROWS["a"].to_numpy()), ("c", ROWS["c"].to_physical().to_numpy())):
        scores = norm.ppf((rankdata(values) - 0.5) / 400)
        design = np.column_stack([np.ones(400)] + [labels == level for level in np.unique(labels)[1:]])
        rest = scores - design @ np.linalg.lstsq(design, scores, rcond=None)[0]
        share = 1 - rest @ rest / ((scores - scores.mean()) @ (scores - scores.mean()))
        df = design.shape[1] - 1
        statistic = -(400 - 1 - (1 + df + 1) / 2) * np.log1p(-share)
        found = test.evidence(test.questions([name, "b"]), 0, 1, [])
        assert found.df == df
        assert found.p_value == pytest.approx(chi2.sf(statistic, df), rel=1e-6)


def test_numbers_alone_stay_with_fisher_z() -> None:
    test = choose_test(an.simulate.linear_gaussian(DAG, rows=100, seed=1), test="rank")
    assert isinstance(test, FisherZ) and test.name == "rank"


def test_the_level_is_kept_with_outliers_in_all_columns() -> None:
    rng = np.random.default_rng(3)
    p = []
    for _ in range(200):
        z = rng.standard_t(1.5, 150)
        x = np.argsort(np.argsort(z)) / 50 + rng.standard_t(1.5, 150)
        codes = np.digitize(norm.ppf((rankdata(z) - 0.5) / 150) + rng.standard_normal(150), [-1, 0, 1])
        table = Table.of(pl.DataFrame({"x": x, "y": codes, "z": z}), kinds={"y": "ordinal"})
        test = LikelihoodRatio(table, 0.05, scores=True)
        p.append(test.evidence(test.questions("xyz"), 0, 1, [2]).p_value)
    assert 0.01 < np.mean(np.array(p) <= 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_missing_values_are_left_out_question_by_question() -> None:
    holed = ROWS.with_columns(
        pl.when(pl.int_range(pl.len()) % 9 == i).then(None).otherwise(pl.col(name)).alias(name)
        for i, name in enumerate("ac")
    )
    test = choose_test(holed, test="rank", missing="testwise")
    found = test.evidence(test.questions("abcde"), 0, 2, [])
    assert found.rows == sum(1 for i in range(400) if i % 9 > 1)
    full = choose_test(ROWS, test="rank", missing="testwise")
    assert full.evidence(full.questions("abcde"), 0, 2, []).rows == 400


@pytest.mark.filterwarnings("ignore::ancestral.data.DataWarning")  # a resample repeats rows
def test_scores_and_resamples() -> None:
    test = choose_test(ROWS, test="rank")
    blocks = test.column_blocks(["c", "b"])  # type: ignore[attr-defined]
    assert blocks.widths.tolist() == [1, 2]
    found = an.discover(ROWS, test="rank", algorithm="scored", resamples=2)
    assert found.certainty().readings == ("normal scores",)
    weights = np.bincount(np.random.default_rng(1).integers(0, 400, 400), minlength=400)
    one = test.resampler().test(weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # rows repeat each other
        two = choose_test(ROWS[np.repeat(np.arange(400), weights).tolist()], test="rank")
    assert one is not None
    for x, y, given in ((0, 1, []), (0, 3, [2]), (2, 4, [3])):
        p = [t.evidence(t.questions("abcde"), x, y, given).p_value for t in (one, two)]
        assert p[0] == pytest.approx(p[1], rel=1e-9)
    with pytest.raises(OptionError, match="looks at the order of values only"):
        found.effect("c", "d", estimator="linear")


def test_the_warning_of_mixed_names_it() -> None:
    skewed = ROWS.with_columns(a=(3 * pl.col("a")).exp()).with_columns(c=pl.col("c").cast(pl.String))
    with pytest.warns(
        DataWarning, match=r"""'a'; the test mixed may be misled, test="rank" looks at the order of values only$"""
    ):
        choose_test(skewed, test="mixed")
    with pytest.warns(DataWarning, match=r"only, if all rows are read as one table$"):
        choose_test([skewed], test="mixed")
