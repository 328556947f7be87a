"""The test "regression": what it refuses, what it cannot tell, and the level that it keeps."""

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.errors import OptionError
from ancestral.independence import choose_test
from ancestral.independence.contingency import GTest
from ancestral.independence.regression import RegressionTest

LETTERS = np.array(["a", "b", "c"])


def sample(rng: np.random.Generator, rows: int) -> pl.DataFrame:
    """A number x and a label y that depend on a label and a number, and on nothing else."""
    c, z = rng.integers(0, 3, rows), rng.standard_normal(rows)
    lean = 0.5 * (c - 1 + z)
    x = lean + rng.standard_normal(rows)
    y, v = ((np.outer(lean, [-1, 0, 1]) + rng.gumbel(size=(rows, 3))).argmax(axis=1) for _ in range(2))
    return pl.DataFrame({"x": x, "y": LETTERS[y], "v": LETTERS[v], "c": LETTERS[c], "z": z})


def p_value(test: RegressionTest, x: str, y: str, *given: str) -> float:
    position = {name: i for i, name in enumerate(test.names)}
    return test.evidence(test.questions(test.names), position[x], position[y], [position[z] for z in given]).p_value


def test_labels_keep_the_level_in_fifty_rows() -> None:
    rng = np.random.default_rng(3)
    p = np.array(
        [
            (p_value(test, "x", "y", "c", "z"), p_value(test, "v", "y", "c", "z"))
            for test in (RegressionTest(an.Table.of(sample(rng, 50))) for _ in range(250))
        ]
    )
    for column in p.T:
        decided = column[~np.isnan(column)]
        assert len(decided) > 200
        # twice the standard error; without the correction of labels a tenth of these p-values is below
        assert (decided <= 0.05).mean() < 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(decided))


def test_two_labels_given_nothing_are_compared_by_g() -> None:
    table = an.Table.of(sample(np.random.default_rng(4), 30_000))
    g = GTest(table.select(["y", "v"]))
    expected = g.evidence(g.questions(g.names), 0, 1, [])
    test = RegressionTest(table)
    position = {name: i for i, name in enumerate(test.names)}
    found = test.evidence(test.questions(test.names), position["y"], position["v"], [])
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9) and found.df == expected.df


def test_a_level_that_does_not_occur_in_the_complete_rows_counts_for_nothing() -> None:
    frame = sample(np.random.default_rng(5), 300)
    gone = frame.with_columns(pl.when(pl.col("y") == "c").then(None).otherwise(pl.col("z")).alias("z"))
    kept = frame.filter(pl.col("y") != "c")
    found = p_value(RegressionTest(an.Table.of(gone, missing="testwise")), "x", "y", "z")
    assert found == pytest.approx(p_value(RegressionTest(an.Table.of(kept)), "x", "y", "z"), rel=1e-6)


def test_too_few_rows_for_two_labels_are_no_answer() -> None:
    frame = sample(np.random.default_rng(6), 30)
    test = RegressionTest(an.Table.of(frame))
    assert np.isnan(p_value(test, "v", "y", "c", "z", "x"))
    questions = test.questions(["v", "y", "c", "z", "x"])
    assert questions.ask(0, 1, [2, 3, 4]) is False  # the edge stays
    assert questions.unsupported.tolist() == [0, 0, 0, 1, 0, 0]


def test_separated_levels_leave_the_linear_regression() -> None:
    """The given number separates the levels, so their likelihood is 1 with and without x, which depends on them."""
    rng = np.random.default_rng(8)
    z = rng.standard_normal(4_000)
    side = np.where(z > 0, "up", "down")
    frame = pl.DataFrame({"side": side, "x": z + 0.5 * (z > 0) + rng.standard_normal(4_000), "z": z})
    assert p_value(RegressionTest(an.Table.of(frame)), "x", "side", "z") < 1e-6


def test_it_is_never_chosen_by_itself_and_has_no_likelihood_of_graphs() -> None:
    frame = sample(np.random.default_rng(7), 100)
    assert choose_test(frame).name == "mixed"
    with pytest.raises(OptionError, match="no graph can be scored: the test 'regression' has no Gaussian likelihood"):
        an.discover(frame, test="regression", algorithm="scored")
    with pytest.raises(OptionError, match="needs all rows at once"):
        an.discover([frame], test="regression")
