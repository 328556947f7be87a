"""Weights and clusters as they are read, summed up, added and selected."""

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data.column_kinds import Labels
from ancestral.data.design import Design
from ancestral.data.row_hash import text_bits
from ancestral.data.stats.grouped_moments import GroupedMoments, group_labels
from ancestral.data.stats.grouped_rows import GroupedRows


def frame(rows: int = 200, clusters: int = 20, seed: int = 1) -> pl.DataFrame:
    """Numbers, labels, whole weights (some of them 0) and clusters that are written as text."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(rows)
    return pl.DataFrame(
        {
            "a": a,
            "b": a + rng.standard_normal(rows),
            "c": rng.standard_normal(rows) * 1e3 + 5e3,
            "l": np.array(["red", "green", "blue"])[rng.integers(0, 3, rows)],
            "w": rng.integers(0, 4, rows),
            "s": [f"school {i}" for i in rng.integers(0, clusters, rows)],
        }
    )


def repeated(rows: pl.DataFrame) -> pl.DataFrame:
    """Each row as often as its weight says."""
    return rows.select(pl.all().repeat_by("w")).explode(rows.columns)


# -- reading ---------------------------------------------------------------------------------------------------------


def test_weights_and_clusters_are_no_variables_and_go_with_the_rows() -> None:
    rows = frame()
    table = an.Table.of(rows, weights="w", clusters="s", drop=["l"])
    kept = rows.filter(pl.col("w") > 0)
    assert table.names == ("a", "b", "c")
    assert table.rows == len(kept)  # a row of weight 0 is left out
    assert table.design is not None and table.design.weights is not None and table.design.clusters is not None
    assert table.design.weights.tolist() == kept["w"].to_list()
    assert [table.design.clusters.levels[code] for code in table.design.clusters.codes] == kept["s"].to_list()
    assert table.select(["b"]).design is table.design
    assert an.Table.of(table).design is table.design
    assert an.Table.of(rows, columns=["a", "w"], weights="w", clusters="s").names == ("a",)


def test_one_column_is_not_both_weights_and_clusters() -> None:
    for source in (frame(), [frame()]):
        with pytest.raises(an.OptionError, match=r'weights="w" cannot be combined with clusters="w": one column'):
            an.discover(source, weights="w", clusters="w")


@pytest.mark.parametrize("design", [{"weights": "w"}, {"clusters": "s"}])
def test_a_column_of_the_design_is_not_dropped(design: dict[str, str]) -> None:
    ((option, name),) = design.items()
    for drop in (name, ["l", name]):
        with pytest.raises(an.OptionError) as told:
            an.Table.of(frame(), drop=drop, **design)  # type: ignore[arg-type]
        assert f"drop=['{name}'] cannot be combined with {option}=\"{name}\"" in str(told.value)


def test_a_table_names_its_own_columns_as_weights() -> None:
    once = an.Table.of(frame().drop("l", "s"), weights="w")
    again = an.Table.of(an.Table.of(frame().drop("l", "s")), weights="w")
    assert once.fingerprint == again.fingerprint and once.names == again.names == ("a", "b", "c")


@pytest.mark.parametrize(
    ("value", "said"), [(-1.0, "-1"), (None, "missing"), (float("inf"), "inf"), (float("nan"), "missing")]
)
@pytest.mark.parametrize("streamed", [False, True])
def test_weights_that_cannot_be_used_are_refused_with_the_row(value: float | None, said: str, streamed: bool) -> None:
    rows = frame().with_columns(w=pl.Series([1.5] * 7 + [value] + [1.0] * 192))
    message = rf"the weights in column 'w' must be finite numbers, 0 or more, and one is {said} in row 8; correct it"
    with pytest.raises(an.DataError, match=message):
        an.discover([rows[:5], rows[5:]] if streamed else rows, weights="w")


@pytest.mark.parametrize("streamed", [False, True])
def test_text_is_no_weight(streamed: bool, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    frame().with_columns(w=pl.Series(["1"] * 3 + ["heavy"] + ["2"] * 196)).write_csv(path)
    with pytest.raises(an.DataError, match=r"weights in column 'w' must be finite .* one is 'heavy' in line 5"):
        an.discover([str(path)] if streamed else path, weights="w", drop=["s", "l"])


@pytest.mark.parametrize("streamed", [False, True])
def test_every_row_needs_a_cluster(streamed: bool) -> None:
    rows = frame().with_columns(s=pl.Series(["x"] * 4 + [None] + ["y"] * 195))
    with pytest.raises(an.DataError, match=r"every row must belong to a cluster, and column 's' is missing in row 5"):
        an.discover([rows] if streamed else rows, clusters="s")


def test_not_all_weights_are_zero() -> None:
    with pytest.raises(an.DataError, match="all weights in column 'w' are 0"):
        an.Table.of(frame().with_columns(w=0), weights="w")


@pytest.mark.parametrize("option", ["weights", "clusters"])
def test_an_unknown_column_is_refused_with_the_known_ones(option: str) -> None:
    given: dict[str, Any] = {option: "q"}
    for source in (frame(), [frame()]):  # a table and a stream
        with pytest.raises(an.UnknownName, match=r"unknown column 'q'; there are: 'a', 'b'"):
            an.discover(source, **given)


def test_clusters_may_be_numbers_with_thousands_of_levels() -> None:
    rows = frame(3000).with_columns(s=pl.int_range(3000) // 2)
    table = an.Table.of(rows, clusters="s")
    assert table.design is not None and table.design.facts.cluster_count == 1500
    assert str(table.design.facts) == "1,500 clusters by 's'"


def test_incomplete_rows_are_dropped_with_their_weights() -> None:
    rows = frame().with_columns(b=pl.when(pl.col("a") > 1).then(None).otherwise(pl.col("b")))
    table = an.Table.of(rows, weights="w", clusters="s", missing="drop")
    kept = rows.filter(pl.col("w") > 0).drop_nulls()
    assert table.design is not None and table.design.weights is not None
    assert table.design.weights.tolist() == kept["w"].to_list()
    stream = an.discover([rows[:70], rows[70:]], weights="w", clusters="s", missing="drop", drop=["l"])
    assert stream.test.rows == len(kept)


def test_a_missing_value_in_a_row_of_weight_0_does_not_matter() -> None:
    rows = frame().with_columns(a=pl.when(pl.col("w") == 0).then(None).otherwise(pl.col("a")))
    assert an.discover([rows], weights="w", drop=["l", "s"]).test.rows == (rows["w"] > 0).sum()


def test_the_fingerprint_knows_the_design() -> None:
    rows = frame().drop("l")
    seen = {an.Table.of(rows.drop("w", "s")).fingerprint}
    seen.add(an.Table.of(rows.drop("s"), weights="w").fingerprint)
    seen.add(an.Table.of(rows.drop("w"), clusters="s").fingerprint)
    seen.add(an.Table.of(rows, weights="w", clusters="s").fingerprint)
    other = rows.with_columns(s=pl.col("s").reverse())
    seen.add(an.Table.of(other, weights="w", clusters="s").fingerprint)
    assert len(seen) == 5


# -- sums ------------------------------------------------------------------------------------------------------------


def test_weighted_moments_are_those_of_repeated_rows() -> None:
    rows = frame().drop("l")
    weighted = an.Moments.of(rows.drop("s"), weights="w")
    exact = an.Moments.of(repeated(rows.drop("s")).drop("w"))
    assert weighted.rows == (rows["w"] > 0).sum() < exact.rows
    assert weighted.mean is not None and exact.mean is not None
    np.testing.assert_allclose(weighted.mean, exact.mean, rtol=1e-12)
    np.testing.assert_allclose(weighted.comoments, exact.comoments, rtol=1e-12)
    np.testing.assert_allclose(weighted.correlation, exact.correlation, rtol=1e-12)
    clustered = an.Moments.of(rows, weights="w", clusters="s")
    np.testing.assert_allclose(clustered.comoments, exact.comoments, rtol=1e-12)
    count = weighted.rows
    np.testing.assert_allclose(weighted.covariance, np.cov(repeated(rows).select("a", "b", "c").to_numpy().T, ddof=0) * count / (count - 1), rtol=1e-12)  # fmt: skip  # noqa: E501


def test_weighted_counts_are_those_of_repeated_rows() -> None:
    rows = frame().select(pl.col("l"), m=pl.col("a") > 0, w="w", s="s")
    exact = an.Counts.of(repeated(rows).drop("w", "s"))
    designs: list[dict[str, Any]] = [{"weights": "w"}, {"weights": "w", "clusters": "s"}]
    for options in designs:
        source = rows.select("l", "m", *options.values())
        weighted = an.Counts.of(source, **options)
        np.testing.assert_allclose(weighted.weighted_table(["l", "m"]), exact.table(["l", "m"]), rtol=1e-12)
        parts = an.Counts.of(source[:80], **options) + an.Counts.of(source[80:], **options)
        np.testing.assert_allclose(parts.select(["m"]).weighted_table(["m"]), exact.table(["m"]), rtol=1e-12)
        assert parts.rows == (rows["w"] > 0).sum()


def test_moments_of_parts_add_up() -> None:
    rows = frame().drop("l")
    whole = an.Moments.of(rows, weights="w", clusters="s")
    parts = an.Moments.of(rows[:50], weights="w", clusters="s") + an.Moments.of(rows[50:], weights="w", clusters="s")
    np.testing.assert_allclose(parts.comoments, whole.comoments, rtol=1e-12)
    found, expected = (an.discover(one, test="fisher-z").evidence("a", "c", ["b"]).p_value for one in (parts, whole))
    assert found == pytest.approx(expected, rel=1e-9)
    plain = an.Moments.of(rows.drop("w", "s"))
    with pytest.raises(an.DataError, match="add up with others of such rows only"):
        whole + plain


def groups_by_brute_force(rows: pl.DataFrame, names: list[str]) -> dict[str, np.ndarray]:
    """For each cluster the sum of w v v', v being values less the weighted mean of all over its standard deviation."""
    values, weights = rows.select(names).to_numpy(), rows["w"].to_numpy().astype(float)
    centred = values - np.average(values, axis=0, weights=weights)
    centred = centred / np.sqrt(np.average(centred**2, axis=0, weights=weights))
    scaled = weights * ((weights > 0).sum() / weights.sum())
    out: dict[str, np.ndarray] = {}
    for label, row, weight in zip(rows["s"].to_list(), centred, scaled, strict=True):
        out[label] = out.get(label, np.zeros((len(names), len(names)))) + weight * np.outer(row, row)
    return out


@pytest.mark.parametrize("parts", [1, 3])
def test_sums_of_groups_have_the_products_of_their_rows(parts: int) -> None:
    rows = frame().drop("l").filter(pl.col("w") > 0)
    names = ["a", "b", "c"]
    total: GroupedMoments | None = None
    for part in np.array_split(np.arange(len(rows)), parts):
        table = an.Table.of(rows[part], weights="w", clusters="s")
        assert table.design is not None
        columns: dict[Any, Any] = {name: table.column(name).values for name in names}
        labels = group_labels(table.design, 0, None)
        one = GroupedMoments.of(columns, table.design.row_weights, labels, table.rows, table.design.facts)
        total = one if total is None else total + one
    assert total is not None and total.facts.cluster_count == rows["s"].n_unique()
    expected = groups_by_brute_force(rows, names)
    found = total.as_rows()
    for g, label in enumerate(sorted(total.labels)):
        values = found.values[:, found.starts[g] : found.starts[g + 1]]
        np.testing.assert_allclose(values @ values.T, expected[label[1:]], atol=1e-10)


def test_very_many_clusters_are_put_together_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    import ancestral.data.stats.grouped_moments as module

    monkeypatch.setattr(module, "MOST_GROUPS", 8)
    rows = frame(400, clusters=60).drop("l").filter(pl.col("w") > 0)
    halves = [an.Moments.of(rows[i : i + 150], weights="w", clusters="s") for i in (0, 150)]
    groups = (halves[0] + halves[1]).groups
    assert isinstance(groups, GroupedMoments) and len(groups.labels) <= 8
    whole = groups_by_brute_force(rows[:300], ["a", "b", "c"])
    put = groups.as_rows()
    sums = [put.values[:, i:j] @ put.values[:, i:j].T for i, j in zip(put.starts[:-1], put.starts[1:], strict=True)]
    np.testing.assert_allclose(sum(sums), sum(whole.values()), atol=1e-9)
    # a cluster is in one group: the sum of some clusters makes up each group
    left = np.array([matrix[0, 1] for matrix in whole.values()])
    buckets = {label: text_bits("cluster", f"={label}") % 8 for label in whole}
    expected = [left[[buckets[label] == bucket for label in whole]].sum() for bucket in sorted(set(buckets.values()), key=lambda b: f"#{b}")]  # fmt: skip  # noqa: E501
    np.testing.assert_allclose([matrix[0, 1] for matrix in sums], expected, atol=1e-9)


# -- what a design is worth ------------------------------------------------------------------------------------------


def test_effective_rows_of_equal_weights_are_about_the_rows() -> None:
    rng = np.random.default_rng(2)
    values = rng.standard_normal((3, 4000))
    for clusters in (None, np.arange(4000) // 10):
        labels = None if clusters is None else Labels(clusters, tuple(map(str, range(400))))
        design = Design(np.full(4000, 2.5), labels)
        rows = GroupedRows.of("abc", list(values), design)
        assert rows.effective_rows([0, 1, 2]) == pytest.approx(4000, rel=0.1)
        assert design.kish == pytest.approx(4000)


def test_effective_rows_of_copies_are_those_of_one_copy() -> None:
    rng = np.random.default_rng(3)
    values = rng.standard_normal((2, 500))
    once = GroupedRows.of("ab", list(values), Design(np.ones(500)))
    labels = Labels(np.repeat(np.arange(500), 4), tuple(map(str, range(500))))
    copies = GroupedRows.of("ab", list(np.repeat(values, 4, axis=1)), Design(None, labels))
    # one of the four copies of a row is worth a quarter
    assert copies.effective_rows([0, 1]) == pytest.approx(once.rows / once_effect(values), rel=1e-9)


def once_effect(values: np.ndarray) -> float:
    """The design effect of a correlation by its influence function, each row a group."""
    a, b = ((v - v.mean()) / v.std() for v in values)
    r = np.mean(a * b)
    return float(np.mean((a * b - r * (a**2 + b**2) / 2) ** 2) / (1 - r * r) ** 2 * 500 / 499)


def test_a_cluster_that_is_drawn_twice_is_two_clusters() -> None:
    labels = Labels(np.array([0, 0, 1, 2]), ("x", "y", "z"))
    rows, drawn = Design(np.array([1.0, 2.0, 3.0, 4.0]), labels).drawn(np.array([2, 2, 0, 1]))
    assert drawn.weights is not None and drawn.clusters is not None
    assert sorted(rows.tolist()) == [0, 0, 1, 1, 3]
    assert sorted(drawn.weights.tolist()) == [1, 1, 2, 2, 4]
    members: dict[int, list[int]] = {}
    for row, code in zip(rows.tolist(), drawn.clusters.codes.tolist(), strict=True):
        members.setdefault(code, []).append(row)
    assert sorted(members.values()) == [[0, 1], [0, 1], [3]]


def test_few_clusters_are_warned_of() -> None:
    rows = frame(clusters=6).drop("l", "w")
    with pytest.warns(an.DataWarning, match=re.escape("there are only 6 clusters in column 's'")):
        an.discover(rows, clusters="s", resamples=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        an.discover(frame().drop("l", "w"), clusters="s", resamples=0)
