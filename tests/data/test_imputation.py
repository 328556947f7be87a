"""Imputed tables: what was observed stays, what was missing is drawn from the right distribution."""

import numpy as np
import polars as pl
import pytest

from ancestral.data import Table
from ancestral.data.imputation import imputed_tables

LETTERS = np.array(["a", "b", "c"])


def complete(rows: int, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(rows)
    label = (np.outer(x, [-1, 0, 1]) + rng.gumbel(size=(rows, 3))).argmax(axis=1)
    y = 3 + 2 * (x + (label == 2) + rng.standard_normal(rows))
    return {"label": LETTERS[label], "x": x, "y": y}


def with_gaps(columns: dict[str, np.ndarray], seed: int = 2) -> pl.DataFrame:
    """y and the label are missing where x is large, up to noise: at random."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(columns)
    large = [pl.Series(columns["x"] + rng.standard_normal(len(frame)) > 0.7) for _ in range(2)]
    return frame.with_columns(
        pl.when(gone).then(None).otherwise(pl.col(name)).alias(name)
        for name, gone in zip(("y", "label"), large, strict=True)
    )


def in_words(table: Table) -> pl.DataFrame:
    return pl.DataFrame(
        {
            column.name: column.values if column.levels is None else np.array(column.levels)[column.values]
            for column in table.columns
        }
    )


def test_observed_values_stay_and_nothing_is_missing() -> None:
    frame = with_gaps(complete(80, 1))
    for table in imputed_tables(Table.of(frame, missing="testwise"), count=3):
        filled = in_words(table)
        assert not any(column.has_missing for column in table.columns)
        both = frame.join(filled, on="x", suffix=" filled")
        assert len(both) == 80
        for name in ("y", "label"):
            known = both.filter(pl.col(name).is_not_null())
            assert (known[name] == known[f"{name} filled"]).all()


def test_neither_the_order_of_rows_nor_that_of_columns_matters() -> None:
    frame = with_gaps(complete(60, 2))
    turned = frame[::-1].select("y", "label", "x")
    first, second = (
        [in_words(one) for one in imputed_tables(Table.of(given, missing="testwise"), count=2)]
        for given in (frame, turned)
    )
    for one, other in zip(first, second, strict=True):
        assert one.equals(other)
    assert not first[0].equals(first[1])


def test_rows_without_any_value_are_left_out() -> None:
    frame = with_gaps(complete(40, 3))
    empty = pl.DataFrame({"label": [None], "x": [None], "y": [None]}, schema=frame.schema)
    (table,) = imputed_tables(Table.of(pl.concat([frame, empty]), missing="testwise"), count=1)
    assert table.rows == 40


def test_what_is_missing_at_random_is_made_up_for() -> None:
    """Means of observed values are far off, those of imputed tables are not."""
    columns = complete(4_000, 4)
    frame = with_gaps(columns)
    tables = [in_words(one) for one in imputed_tables(Table.of(frame, missing="testwise"), count=4)]
    true_mean, true_share = columns["y"].mean(), (columns["label"] == "c").mean()
    seen_share = float((frame["label"].drop_nulls() == "c").mean())  # type: ignore[arg-type]
    assert frame["y"].drop_nulls().to_numpy().mean() < true_mean - 0.3
    assert seen_share < true_share - 0.05
    for table in tables:
        assert table["y"].to_numpy().mean() == pytest.approx(true_mean, abs=0.15)
        assert (table["label"] == "c").to_numpy().mean() == pytest.approx(true_share, abs=0.03)
        assert np.corrcoef(table["x"], table["y"])[0, 1] == pytest.approx(
            np.corrcoef(columns["x"], columns["y"])[0, 1], abs=0.03
        )


def test_the_spread_between_tables_is_that_of_what_is_not_known() -> None:
    """The mean of a normal column with gaps, and nothing that predicts it, varies as theory says (Rubin 1987)."""
    rng = np.random.default_rng(5)
    rows, gone = 200, 100
    y = rng.standard_normal(rows)
    y[:gone] = np.nan
    table = Table.of(pl.DataFrame({"x": rng.standard_normal(rows), "y": y}).fill_nan(None), missing="testwise")
    means = [float(one.column("y").values.mean()) for one in imputed_tables(table, count=300)]
    # the mean of the drawn values has the variance of the drawn mean, 1/100, and of 100 residuals, 1/100; half counts
    assert np.var(means, ddof=1) == pytest.approx(0.25 * 0.02 * np.nanvar(y, ddof=1), rel=0.25)


def test_few_rows_and_separated_levels_are_filled_all_the_same() -> None:
    rng = np.random.default_rng(6)
    wide = {f"x{i}": rng.standard_normal(12) for i in range(15)}
    wide["x0"][3] = np.nan
    side = np.where(wide["x1"] > 0, "up", "down").astype(object)
    side[[2, 5]] = None
    frame = pl.DataFrame(wide | {"side": pl.Series(side.tolist(), dtype=pl.String)}).fill_nan(None)
    (table,) = imputed_tables(Table.of(frame, missing="testwise"), count=1)
    assert np.isfinite(table.column("x0").values).all()
    assert set(table.column("side").values.tolist()) <= {0, 1}
