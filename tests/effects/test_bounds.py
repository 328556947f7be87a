"""Bounds of P(y | do(x)) against systems with a hidden cause, by the truncated product."""

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an

LEVELS = ("no", "yes")


def test_every_system_is_within_the_bounds_and_some_come_close() -> None:
    """u causes x and y, x causes y: P(y | do(x)) is the mean of P(y | x, u) over u."""
    rng = np.random.default_rng(1)
    nearest = [1.0, 1.0]
    for _ in range(300):
        u = rng.dirichlet(np.ones(4))
        x_given_u = rng.beta(0.2, 0.2, 4)
        y_given_xu = rng.beta(0.2, 0.2, (2, 4))
        p_x = np.stack([1 - x_given_u, x_given_u])
        joint = np.stack([(u * p_x * (1 - y_given_xu)).sum(axis=1), (u * p_x * y_given_xu).sum(axis=1)], axis=1)
        truth = y_given_xu @ u
        counts = np.round(joint * 1e9).astype(np.int64)
        found = an.effect_bounds(_counts(counts), "x", "y")
        for i, cause in enumerate(LEVELS):
            bound = found.bound(cause, "yes")
            assert bound.low - 1e-6 <= truth[i] <= bound.high + 1e-6
            assert bound.high - bound.low == pytest.approx(1 - joint[i].sum(), abs=1e-6)
            other = found.bound(cause, "no")
            assert (other.low, other.high) == pytest.approx((1 - bound.high, 1 - bound.low))
            nearest = [min(nearest[0], truth[i] - bound.low), min(nearest[1], bound.high - truth[i])]
    assert max(nearest) < 0.02  # neither bound could be moved by more


def _counts(table: NDArray[np.int64]) -> an.Counts:
    frame = pl.DataFrame({"x": ["no", "no", "yes", "yes"], "y": ["no", "yes"] * 2})
    one = an.Counts.of(frame)
    words, _ = one.segments[0]
    order = [(int(one.packing.unpacked(words, 0)[k]), int(one.packing.unpacked(words, 1)[k])) for k in range(4)]
    weights = np.array([table[i, j] for i, j in order])
    return an.Counts(one.names, one.levels, ((words, weights),))


def trial(rows: int = 2000) -> pl.DataFrame:
    rng = np.random.default_rng(2)
    u = rng.random(rows) < 0.5
    drug = rng.random(rows) < np.where(u, 0.7, 0.3)
    dose = np.where(drug, rng.integers(1, 3, rows), 0)
    well = rng.random(rows) < 0.2 + 0.3 * drug + 0.3 * u
    age = rng.choice(["old", "young"], rows)
    return pl.DataFrame({"dose": dose.astype(str), "well": np.where(well, "yes", "no"), "age": age})


def test_a_run_on_labels_has_the_bounds_of_its_rows() -> None:
    frame = trial()
    found = an.discover(frame)
    bounds = found.effect_bounds("dose", "well")
    assert [(b.cause, b.outcome) for b in bounds.bounds] == [(d, w) for d in "012" for w in ("no", "yes")]
    for b in bounds.bounds:
        both = frame.filter((pl.col("dose") == b.cause) & (pl.col("well") == b.outcome)).height
        against = frame.filter((pl.col("dose") == b.cause) & (pl.col("well") != b.outcome)).height
        assert b.low == pytest.approx(both / 2000)
        assert b.high == pytest.approx(1 - against / 2000)
    assert bounds.rows == 2000
    assert bounds == an.effect_bounds(an.Counts.of(frame), "dose", "well")
    assert an.discover(an.Counts.of(frame)).effect_bounds("dose", "well") == bounds
    assert "P(well = yes | do(dose = 2))" in str(bounds)
    assert bounds.to_frame().columns == ["cause", "outcome", "low", "high"]
    assert bounds.to_frame(library="pandas").shape == (6, 4)
    assert bounds._repr_html_().count("<tr>") == 7


def test_rows_with_a_missing_value_are_left_out() -> None:
    frame = trial(100).with_columns(well=pl.when(pl.int_range(100) < 10).then(None).otherwise("well"))
    found = an.discover(frame, missing="testwise").effect_bounds("dose", "well")
    assert found.rows == 90
    assert found == an.effect_bounds(an.Counts.of(frame[10:].select("dose", "well")), "dose", "well")


def test_weights_count() -> None:
    frame = trial(400).with_columns(w=pl.Series(np.where(np.arange(400) < 200, 1.0, 3.0)))
    found = an.discover(frame, weights="w").effect_bounds("dose", "well")
    both = float(frame.filter((pl.col("dose") == "1") & (pl.col("well") == "yes"))["w"].to_numpy().sum()) / 800
    assert found.bound("1", "yes").low == pytest.approx(both)


def test_two_columns_with_levels_among_numbers() -> None:
    frame = trial().with_columns(weight=pl.Series(np.random.default_rng(3).standard_normal(2000)))
    found = an.discover(frame)
    assert found.effect_bounds("dose", "well") == an.discover(trial()).effect_bounds("dose", "well")
    with pytest.raises(an.OptionError, match="column 'weight' is continuous; bounds are for columns with levels"):
        found.effect_bounds("weight", "well")


def test_refusals() -> None:
    frame = trial()
    found = an.discover(frame)
    with pytest.raises(an.OptionError, match=r"found.effect_bounds\(x, y\) has the bounds that hold in every graph"):
        found.possible_effects("dose", "well")
    with pytest.raises(an.OptionError, match=r"found.effect_bounds\(x, y\) has the bounds"):
        found.sensitivity("dose", "well")
    with pytest.raises(an.OptionError, match="the two variables must differ, got 'dose' twice"):
        found.effect_bounds("dose", "dose")
    with pytest.raises(an.UnknownName, match="'doze'"):
        found.effect_bounds("doze", "well")
    with pytest.raises(an.OptionError, match="cause must be one of '0', '1', '2', got '7'"):
        found.effect_bounds("dose", "well").bound("7", "yes")
    with pytest.raises(an.OptionError, match="the test 'oracle' counts no rows; bounds are for columns with levels"):
        an.discover(an.Oracle(an.DAG.parse("a -> b"))).effect_bounds("a", "b")
