"""Identifiers, one-hot groups, repeated rows, series and clusters: where they are told, and where nothing may be."""

import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ancestral as an
from ancestral.data import DataWarning, Table
from ancestral.data.doubts.clusters import _explained
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.identifiers import is_name_of_identifier
from ancestral.data.doubts.row_doubts import row_doubts
from ancestral.data.doubts.scales import scales
from ancestral.data.doubts.series import _autocorrelation, _ranks
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.summarize import summarized
from ancestral.data.stats.whole_run import WholeRun
from ancestral.errors import Option
from ancestral.shell import spelled

Rng = np.random.Generator


def doubts_of(**columns: Any) -> list[Doubt]:
    return row_doubts(Table.of(pl.DataFrame(columns)))


def told(**columns: Any) -> list[str]:
    return [doubt.about for doubt in doubts_of(**columns)]


def noise(rng: Rng, rows: int, names: str = "xyz") -> dict[str, Any]:
    return {name: rng.normal(size=rows) for name in names}


def streamed(frame: pl.DataFrame, *cuts: int) -> list[Doubt]:
    edges = [0, *cuts, frame.height]
    parts = [frame[i:j] for i, j in pairwise(edges)]
    stream = stream_of(parts)
    assert stream is not None
    return row_doubts(summarized(stream))


# -- identifiers ------------------------------------------------------------------------------------------------------


def test_numbers_that_rise_from_row_to_row_are_like_an_identifier() -> None:
    rng = np.random.default_rng(1)
    numbers = np.cumsum(rng.integers(1, 10**6, size=40))
    for rising in (numbers, -numbers):
        (doubt,) = doubts_of(k=rising, **noise(rng, 40))
        assert (doubt.about, doubt.columns) == ("identifier", ("k",))
        assert str(doubt).endswith("leave it out: drop=['k']")


@pytest.mark.parametrize("missing_numbers", [0, 60])
def test_shuffled_numbers_without_a_tie_in_a_narrow_range_are_like_an_identifier(missing_numbers: int) -> None:
    rng = np.random.default_rng(2)
    numbers = rng.permutation(120 + missing_numbers)[:120] + 1000
    assert told(k=numbers, **noise(rng, 120)) == ["identifier"]


def test_one_tie_makes_shuffled_numbers_a_measurement() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.permutation(120)
    numbers[numbers == 7] = 8
    assert told(k=numbers, **noise(rng, 120)) == []


def test_an_income_that_differs_in_every_row_is_a_measurement() -> None:
    rng = np.random.default_rng(4)
    income = np.rint(np.exp(rng.normal(10.5, 0.7, size=80)))
    assert np.unique(income).size == 80
    assert told(income=income, **noise(rng, 80)) == []
    assert told(income_id=income, **noise(rng, 80)) == ["identifier"]  # unless its name says so


def test_few_rows_tell_nothing_about_identifiers() -> None:
    rng = np.random.default_rng(5)
    assert told(k=np.arange(11), **noise(rng, 11)) == []
    assert told(k=np.arange(12), **noise(rng, 12)) == ["identifier"]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("id", True), ("ID", True), ("Patient ID", True), ("patient.id", True), ("userId", True), ("Unnamed: 0", True),
        ("row", True), ("__index_level_0__", True), ("customer_key", True), ("acid", False), ("lipid", False),
        ("keyboard", False), ("idea", False), ("age", False), ("body mass index", True), ("", False),
    ],
)  # fmt: skip
def test_names_of_identifiers(name: str, is_one: bool) -> None:
    assert is_name_of_identifier(name) is is_one


def test_a_stream_tells_the_same_identifiers_however_it_was_cut() -> None:
    rng = np.random.default_rng(6)
    frame = pl.DataFrame(
        {"up": np.arange(90) * 3, "mixed": rng.permutation(90), "down": -np.arange(90), **noise(rng, 90)}
    )
    names = [doubt.columns for doubt in row_doubts(Table.of(frame))]
    assert names == [("up",), ("mixed",), ("down",)]
    for cuts in ([45], [30, 60], [1, 2, 89]):
        assert [doubt.columns for doubt in streamed(frame, *cuts)] == names
    broken = frame.with_columns(up=pl.Series([*range(45), *range(44, 89)]), mixed=pl.Series([*range(1, 90), 1]))
    assert [doubt.columns for doubt in streamed(broken, 45)] == [("down",)]


@pytest.mark.parametrize(
    "values", [[1, 2, 3], [3, 2, 1], [1, 3, 2], [2], [4, 4, 1, 4], [1, 1, 2, 2, 3], [-3, 0, -3, 0, 0, 0]]
)
def test_levels_are_the_run_of_the_same_numbers(values: list[int]) -> None:
    numbers = np.array(values, dtype=np.float64)
    run = WholeRun.of_levels(numbers, min(values), max(values))
    assert run is not None
    assert (run.count, run.low, run.high) == (len(values), min(values), max(values))
    assert (run.first, run.last) == (values[0], values[-1])
    assert run.rising == (values == sorted(set(values)))
    assert run.takes_each_once == (sorted(values) == list(range(min(values), max(values) + 1)))


def test_levels_beyond_the_exact_numbers_are_no_run() -> None:
    assert WholeRun.of_levels(np.array([1e300, 1e300, 1e300]), 1e300, 1e300) is None


def test_a_run_takes_each_number_of_its_range_once() -> None:
    rng = np.random.default_rng(7)
    numbers = rng.permutation(np.arange(-50, 70_000)).astype(float)
    whole = WholeRun.of(numbers)
    assert whole is not None
    assert whole.takes_each_once
    other = numbers.copy()
    other[other == 3] = 4.0
    twice = WholeRun.of(other)
    assert twice is not None
    assert not twice.takes_each_once
    first, second = WholeRun.of(numbers[:999]), WholeRun.of(numbers[999:])
    assert first is not None
    assert second is not None
    assert first + second == whole
    assert WholeRun.of(np.array([1.0, 2.5])) is None
    assert WholeRun.of(np.array([1.0, np.nan])) is None


# -- one-hot groups ---------------------------------------------------------------------------------------------------


def one_hot_frame(rng: Rng, rows: int = 150) -> pl.DataFrame:
    colour, size = rng.integers(0, 4, size=rows), rng.integers(0, 3, size=rows)
    columns: dict[str, Any] = {f"colour_{i}": (colour == i).astype(int) for i in range(4)}
    columns |= {f"size_{i}": size == i for i in range(3)}
    return pl.DataFrame(columns | {"other": rng.integers(0, 2, size=rows)} | noise(rng, rows, "x"))


def test_each_one_hot_group_is_told_with_all_its_columns() -> None:
    frame = one_hot_frame(np.random.default_rng(8))
    groups = [("colour_0", "colour_1", "colour_2", "colour_3"), ("size_0", "size_1", "size_2")]
    assert sorted(doubt.columns for doubt in row_doubts(Table.of(frame))) == groups
    assert sorted(doubt.columns for doubt in streamed(frame, 40, 77)) == groups
    labels_only = frame.drop("x")
    assert sorted(doubt.columns for doubt in streamed(labels_only, 40, 77)) == groups


def test_a_group_with_one_level_left_out_or_one_row_of_two_is_none() -> None:
    frame = one_hot_frame(np.random.default_rng(9))
    less = frame.drop("colour_2", "size_0")
    assert row_doubts(Table.of(less)) == []
    assert streamed(less, 40) == []
    row = int(np.flatnonzero(frame["colour_1"].to_numpy())[-1])  # beyond the first rows
    two = frame.with_columns(colour_2=frame["colour_2"].scatter(row, 1)).drop("size_0")
    assert row_doubts(Table.of(two)) == []
    assert streamed(two, 40) == []


def test_rare_columns_that_exclude_each_other_by_chance_are_no_group_and_hide_none() -> None:
    rng = np.random.default_rng(10)
    rare = {f"rare_{i}": (np.arange(150) == i).astype(int) for i in range(20)}
    frame = one_hot_frame(rng).with_columns(**{name: pl.Series(values) for name, values in rare.items()})
    assert len(row_doubts(Table.of(frame.drop("x")))) == 2
    assert row_doubts(Table.of(pl.DataFrame(rare))) == []


# -- repeated rows ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("continuous", [1, 2, 5])
def test_a_table_that_was_stacked_on_itself_repeats_its_rows(continuous: int) -> None:
    rng = np.random.default_rng(11)
    places = rng.permutation(np.tile(np.arange(60), 20))
    columns = {f"x{i}": rng.normal(size=60)[places] for i in range(continuous)}
    columns["label"] = rng.choice(list("abc"), size=60)[places]
    (doubt,) = doubts_of(**columns)
    assert doubt.about == "repeated rows"
    assert "only 60 of 1,200 rows differ, as if each was there 20 times" in str(doubt)


def test_rounded_measurements_may_repeat_a_row_and_are_told_only_with_many_repeats() -> None:
    rng = np.random.default_rng(12)
    x = np.round(rng.normal(size=(300, 4)), 1)
    assert told(**{f"x{i}": x[:, i] for i in range(4)}) == []
    again = np.vstack([x, x[:60]])
    assert told(**{f"x{i}": again[:, i] for i in range(4)}) == ["repeated rows"]


def test_a_few_rows_that_were_entered_twice_are_not_told() -> None:
    rng = np.random.default_rng(27)
    x = rng.normal(size=(300, 3))
    for twice, doubts in ((10, []), (30, ["repeated rows"])):
        rows = np.vstack([x, x[:twice]])
        assert told(**{f"x{i}": rows[:, i] for i in range(3)}) == doubts


def test_labels_may_repeat_as_often_as_they_like() -> None:
    rng = np.random.default_rng(13)
    labels = {name: rng.integers(0, 3, size=500) for name in "abc"}
    assert told(**labels) == []
    assert told(age=rng.integers(20, 80, size=500), **labels) == []  # 60 values, far fewer than different rows


# -- series -----------------------------------------------------------------------------------------------------------


def autoregressive(rng: Rng, rows: int, share: float) -> Any:
    out = rng.normal(size=rows)
    for t in range(1, rows):
        out[t] = share * out[t - 1] + np.sqrt(1 - share**2) * out[t]
    return out


def test_two_columns_that_resemble_the_row_before_are_a_series() -> None:
    rng = np.random.default_rng(14)
    columns = {"a": autoregressive(rng, 400, 0.8), "b": autoregressive(rng, 400, 0.6), "c": rng.normal(size=400)}
    (doubt,) = doubts_of(**columns)
    assert (doubt.about, doubt.columns) == ("series", ("a", "b"))
    expected = [stats.spearmanr(columns[name][1:], columns[name][:-1]).statistic for name in "ab"]
    assert f"'a' ({expected[0]:.2f}) and 'b' ({expected[1]:.2f})" in str(doubt)


def test_a_series_is_sent_to_the_search_of_series_in_python_and_in_the_shell() -> None:
    rng = np.random.default_rng(14)
    (doubt,) = doubts_of(a=autoregressive(rng, 400, 0.8), b=autoregressive(rng, 400, 0.8))
    assert "in the order of time with an.discover_series, or" in str(doubt)
    assert "in the order of time with ancestral series, or" in doubt.worded(spelled)


def test_two_columns_that_differ_from_the_row_before_are_a_series() -> None:
    rng = np.random.default_rng(27)
    columns = {"a": autoregressive(rng, 400, -0.8), "b": autoregressive(rng, 400, -0.6), "c": rng.normal(size=400)}
    (doubt,) = doubts_of(**columns)
    assert (doubt.about, doubt.columns) == ("series", ("a", "b"))
    expected = [stats.spearmanr(columns[name][1:], columns[name][:-1]).statistic for name in "ab"]
    assert f"'a' ({expected[0]:.2f}) and 'b' ({expected[1]:.2f})" in str(doubt)


def test_series_with_autocorrelations_of_different_signs_do_no_harm() -> None:
    """By simulation, the variance of their correlation is smaller than that of independent rows, 1/n."""
    rng = np.random.default_rng(28)
    found = [np.corrcoef(autoregressive(rng, 100, 0.6), autoregressive(rng, 100, -0.6))[0, 1] for _ in range(300)]
    assert 100 * float(np.var(found)) < 0.7  # (1 - 0.36) / (1 + 0.36) = 0.47
    assert told(a=autoregressive(rng, 400, 0.6), b=autoregressive(rng, 400, -0.6)) == []
    assert told(
        a=autoregressive(rng, 400, 0.6), b=autoregressive(rng, 400, -0.6), c=autoregressive(rng, 400, -0.7)
    ) == ["series"]


def test_rows_that_take_turns_are_no_series() -> None:
    rng = np.random.default_rng(29)
    after = np.arange(400) % 2
    columns = {name: 2 * after + rng.normal(size=400) for name in "xyz"}
    assert all(_autocorrelation(values, None) < -0.3 for values in columns.values())
    assert told(after=[("before", "after")[i] for i in after], **columns) == []


def test_runs_of_three_rows_are_no_series_of_turns() -> None:
    """Independent values of three rows, less their mean, have an autocorrelation of -1/3."""
    rng = np.random.default_rng(30)
    group = np.repeat(np.arange(300), 3)
    columns = {name: rng.normal(size=300)[group] + rng.normal(size=900) for name in "xyz"}
    assert all(_autocorrelation(values, None) > 0.3 for values in columns.values())
    assert all(_autocorrelation(values, group) < -0.3 for values in columns.values())
    assert "series" not in told(group=[f"g{i}" for i in group], **columns)


def test_one_series_beside_independent_rows_does_no_harm() -> None:
    rng = np.random.default_rng(15)
    assert told(a=autoregressive(rng, 400, 0.9), **noise(rng, 400)) == []


def test_the_columns_of_a_series_are_correlated_more_often_than_their_p_values_say() -> None:
    """The reason for the warning, by simulation: the variance of a correlation grows by (1 + ab) / (1 - ab)."""
    rng = np.random.default_rng(16)
    found = [np.corrcoef(autoregressive(rng, 100, 0.6), autoregressive(rng, 100, 0.6))[0, 1] for _ in range(300)]
    inflation = 100 * float(np.var(found))
    assert 1.5 < inflation < 2.8  # (1 + 0.36) / (1 - 0.36) = 2.1


def test_rows_that_are_sorted_by_a_column_of_the_table_are_no_series() -> None:
    rng = np.random.default_rng(17)
    site = np.sort(rng.integers(0, 5, size=300))
    effect = {name: site + rng.normal(size=300) for name in "xy"}
    assert told(site=[f"s{i}" for i in site], **effect) == []
    assert told(**effect) == ["series"]  # what they were sorted by is not there
    dose = np.sort(rng.normal(size=300))
    assert told(dose=dose, x=dose + rng.normal(size=300) / 3, y=dose + rng.normal(size=300) / 3) == []


def test_a_series_with_its_time_is_a_series() -> None:
    rng = np.random.default_rng(18)
    columns = {"year": np.arange(1700, 1900), "a": autoregressive(rng, 200, 0.8), "b": autoregressive(rng, 200, 0.8)}
    doubts = {doubt.about: doubt.columns for doubt in doubts_of(**columns)}
    assert doubts.keys() == {"identifier", "series"}
    assert set(doubts["series"]) == {"a", "b"}


def test_neighbouring_outliers_are_no_series() -> None:
    rng = np.random.default_rng(19)
    shock = rng.normal(size=200)
    shock[100:102] = 1e6
    assert told(a=shock + rng.normal(size=200), b=shock + rng.normal(size=200)) == []


def test_a_few_ones_side_by_side_among_zeros_are_no_series() -> None:
    rng = np.random.default_rng(26)
    rare = {name: np.isin(np.arange(200), places).astype(int) for name, places in PAIRS_OF_ONES.items()}
    assert all(_autocorrelation(values.astype(float), None) > 0.35 for values in rare.values())
    assert told(**rare, **noise(rng, 200)) == []


PAIRS_OF_ONES = {"a": [10, 11, 50, 51, 90], "b": [20, 70, 71, 130, 131]}


def test_autocorrelations_with_gaps_leave_the_gaps_out() -> None:
    rng = np.random.default_rng(20)
    values = autoregressive(rng, 5000, 0.7)
    with_gaps = np.where(rng.uniform(size=5000) < 0.02, np.nan, values)
    assert _autocorrelation(with_gaps, None) == pytest.approx(0.7 * 0.98, abs=0.03)
    assert np.nanmax(np.abs(_ranks(with_gaps) - stats.rankdata(with_gaps, nan_policy="omit"))) == 0


# -- clusters ---------------------------------------------------------------------------------------------------------


def schools(rng: Rng, share: float, *, as_numbers: bool) -> dict[str, Any]:
    school = rng.permutation(np.repeat(np.arange(40), 25))
    effects = rng.normal(size=(40, 4)) * np.sqrt(share)
    values = effects[school] + rng.normal(size=(1000, 4)) * np.sqrt(1 - share)
    names = rng.permutation(40)[school] if as_numbers else [f"school {i}" for i in school]
    return {"school": names, **{f"x{i}": values[:, i] for i in range(4)}}


@pytest.mark.parametrize("as_numbers", [True, False])
def test_groups_that_explain_most_columns_are_clusters(as_numbers: bool) -> None:
    rng = np.random.default_rng(21)
    (doubt,) = doubts_of(**schools(rng, 0.3, as_numbers=as_numbers))
    assert (doubt.about, doubt.columns) == ("clusters", ("school",))
    assert str(doubt).startswith("the 40 groups of 'school' explain much of most other columns")
    assert doubt.args[-1] == Option("clusters", "school")
    assert told(**schools(rng, 0.02, as_numbers=as_numbers)) == []


def test_the_names_of_clusters_come_before_a_property_of_theirs() -> None:
    columns = schools(np.random.default_rng(21), 0.3, as_numbers=False)
    sizes = np.random.default_rng(5).permutation(40) + 100
    number = [int(name.split()[1]) for name in columns["school"]]
    (doubt,) = doubts_of(size=sizes[number], **columns)
    assert (doubt.about, doubt.columns) == ("clusters", ("school",))


def test_a_measurement_in_whole_numbers_with_smooth_effects_is_no_cluster() -> None:
    rng = np.random.default_rng(22)
    age = rng.integers(18, 90, size=1500)
    wave, bend = np.sin(age / 8), (age - 50) ** 2 / 400
    assert told(age=age, a=wave + rng.normal(size=1500) / 3, b=bend + rng.normal(size=1500) / 3, c=bend - wave) == []


def test_a_label_that_explains_one_column_of_three_is_no_cluster() -> None:
    rng = np.random.default_rng(23)
    country = rng.integers(0, 15, size=900)
    columns = noise(rng, 900)
    columns["x"] = columns["x"] + country
    assert told(country=[f"c{i}" for i in country], **columns) == []


def test_intraclass_correlations_are_those_of_an_analysis_of_variance() -> None:
    rng = np.random.default_rng(24)
    groups = np.sort(rng.integers(0, 20, size=300))
    values = rng.normal(size=20)[groups] + rng.normal(size=300)
    share = _explained(["x"], (values - values.mean())[:, None], groups, neighbours=False)["x"]
    ratio = stats.f_oneway(*(values[groups == g] for g in range(20))).statistic
    sizes = np.bincount(groups)
    size = (300 - (sizes**2).sum() / 300) / 19
    assert share == pytest.approx((ratio - 1) / (ratio - 1 + size))


# -- what they have in common -----------------------------------------------------------------------------------------


def normal(rng: Rng) -> dict[str, Any]:
    x = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5))
    return {f"x{i}": x[:, i] for i in range(5)}


def whole(rng: Rng) -> dict[str, Any]:
    age = rng.integers(20, 80, size=200)
    pressure = np.rint(100 + 0.6 * age + rng.normal(0, 12, size=200))
    return {"age": age, "pressure": pressure, "visits": rng.poisson(8 + age / 10), "kids": rng.poisson(1.5, size=200)}


def heavy(rng: Rng) -> dict[str, Any]:
    shared = rng.standard_cauchy(200)
    return {"a": shared, "b": shared + rng.standard_cauchy(200), "c": shared * rng.normal(size=200)}


def binary(rng: Rng) -> dict[str, Any]:
    ill = rng.normal(size=150)
    return {f"b{i}": (ill + rng.normal(size=150) > rng.normal()).astype(int) for i in range(10)}


@pytest.mark.parametrize("design", [normal, whole, heavy, binary])
def test_independent_rows_raise_no_doubt(design: Callable[[Rng], dict[str, Any]]) -> None:
    for seed in range(60):
        assert told(**design(np.random.default_rng(seed))) == []


def test_a_search_warns_and_goes_on() -> None:
    rng = np.random.default_rng(25)
    frame = pl.DataFrame({"id": np.arange(100), **noise(rng, 100)})
    with pytest.warns(DataWarning, match="column 'id' has another whole number in each of 100 rows, rising"):
        found = an.discover(frame, resamples=0, progress=False)
    assert "id" in found.pag.nodes
    with pytest.warns(DataWarning, match="column 'id'"):
        an.discover([frame[:50], frame[50:]], resamples=0, progress=False)


def test_a_doubt_survives_being_sent_to_another_process() -> None:
    doubt = Doubt("clusters", ["school"], "pass ", Option("clusters", "school"))
    copy = pickle.loads(pickle.dumps(doubt))
    assert (str(copy), copy.about, copy.columns) == ('pass clusters="school"', "clusters", ("school",))


def test_scales_are_whole_numbers_up_to_ten_and_not_yes_or_no() -> None:
    levels = {"q1": "12345", "q2": "1245", "sex": "01", "year": ("2001", "2002", "2003"), "g": "abc", "nps": "012"}
    assert scales(levels) == [(("q1", "q2"), ("1", "2", "3", "4", "5")), (("nps",), ("0", "1", "2"))]
