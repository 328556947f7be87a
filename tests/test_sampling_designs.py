"""Rows with weights or in clusters, from the front door to effects: `discover(rows, weights="w", clusters="s")`."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm, rankdata

import ancestral as an
from ancestral.certainty.repeats import drawn_rows
from ancestral.data import Table
from ancestral.independence.choice import choose_test
from ancestral.independence.copula import Copula
from ancestral.independence.features import Features
from ancestral.independence.registry import TESTS
from benchmarks.calibration_design import Cell, p_values
from tests.support.command_line import ran

BOTH: dict[str, Any] = {"weights": "w", "clusters": "s"}
DESIGNS: list[dict[str, Any]] = [{"weights": "w"}, {"clusters": "s"}, BOTH]


def sampled(rows: int = 1000, clusters: int = 40, seed: int = 0) -> pl.DataFrame:
    """a -> c <- b, c -> d, in clusters, with weights that have nothing to do with the values."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(rows) * clusters // rows

    def part() -> np.ndarray:
        return np.asarray(0.5 * rng.standard_normal(clusters)[cluster] + rng.standard_normal(rows))

    a, b = part(), part()
    c = a + b + part()
    d = c + part()
    weights = np.exp(rng.standard_normal(rows) * 0.6)
    return pl.DataFrame({"a": a, "b": b, "c": c, "d": d, "w": weights, "s": [f"s{i}" for i in cluster]})


def labelled(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns((pl.col("a", "b", "d") > 0).cast(pl.Int64), c=pl.col("c").round() // 2 % 3)


def mixed(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(a=pl.col("a").round().clip(-1, 1).cast(pl.String), c=(pl.col("c") > 0))


def ordered(frame: pl.DataFrame) -> pl.DataFrame:
    """a is a number, the others have ordered levels."""
    words = ["low", "mid", "high"]  # not in the order of the alphabet
    codes = {name: frame[name].round().clip(-1, 1).cast(pl.Int64).to_numpy() + 1 for name in "bcd"}
    levels = pl.Series(words, dtype=pl.Enum(words))
    return frame.with_columns(levels.gather(own).alias(name) for name, own in codes.items())


def all_kinds(frame: pl.DataFrame) -> pl.DataFrame:
    """a is a number, b has ordered levels, and c and d have labels."""
    return ordered(frame).with_columns(pl.col("c", "d").cast(pl.String))


def only_ordered(frame: pl.DataFrame) -> pl.DataFrame:
    return ordered(frame).with_columns(a=ordered(frame.with_columns(b=pl.col("a")))["b"])


DATA = {
    "fisher-z": sampled(),
    "rank": sampled(),
    "mixed": mixed(sampled()),
    "g": labelled(sampled()),
    "chi2": labelled(sampled()),
    "labels": labelled(sampled()),
    "copula": ordered(sampled()),
    "basis": mixed(sampled()),
    "kernel": mixed(sampled()),
}


def only(frame: pl.DataFrame, design: dict[str, Any]) -> pl.DataFrame:
    return frame.select("a", "b", "c", "d", *design.values())


def evidence(source: Any, **options: Any) -> list[float]:
    test = choose_test(source, **options)
    names = ["a", "b", "c", "d"]
    questions = test.questions(names)
    asked = [(0, 1, []), (0, 3, [2]), (1, 3, [0, 2]), (0, 2, [])]
    return [test.evidence(questions, x, y, given).p_value for x, y, given in asked]


@pytest.mark.parametrize("design", DESIGNS)
def test_the_graph_is_found_and_the_summary_tells_the_design(design: dict[str, Any]) -> None:
    found = an.discover(only(sampled(), design), **design, resamples=0)
    assert found.pag == an.PAG.parse("a o-> c, b o-> c, c --> d")
    assert found.test.rows == 1000
    said = str(found)
    assert ("weights 'w'" in said) is ("weights" in design)
    assert ("40 clusters by 's'" in said) is ("clusters" in design)
    effective = found.test.design.effective  # type: ignore[attr-defined]
    assert 200 < effective < 900
    assert f"worth {effective:,.0f} independent rows" in said


@pytest.mark.parametrize("test", DATA)
@pytest.mark.parametrize("design", DESIGNS)
def test_neither_the_scale_of_weights_nor_the_order_of_rows_matters(test: str, design: dict[str, Any]) -> None:
    frame = only(DATA[test], design)
    expected = evidence(frame, test=test, **design)
    assert evidence(frame.reverse(), test=test, **design) == pytest.approx(expected, rel=1e-7)
    if "weights" in design:
        scaled = frame.with_columns(w=pl.col("w") * 1e9)
        assert evidence(scaled, test=test, **design) == pytest.approx(expected, rel=1e-9)
    renamed = frame.select("d", "c", "b", "a", *design.values())
    assert evidence(renamed, test=test, **design) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("test", ["fisher-z", "mixed", "g", "chi2"])
@pytest.mark.parametrize("design", DESIGNS)
def test_a_stream_answers_as_its_rows_in_one_table(test: str, design: dict[str, Any]) -> None:
    frame = only(DATA[test], design)
    parts = [frame[:300], frame[300:301], frame[301:]]
    table, stream = (evidence(source, test=test, **design) for source in (frame, parts))
    if test in ("g", "chi2") or "clusters" in design:
        assert stream == pytest.approx(table, rel=1e-7)
    else:  # rows are dealt out to groups, which tell their variance nearly as well
        assert stream == pytest.approx(table, rel=0.35, abs=0.02)
    one, two = (choose_test(source, test=test, **design) for source in (frame, parts))
    assert one.fingerprint == two.fingerprint


def test_a_column_that_turns_out_to_be_continuous_late_is_summed_by_group() -> None:
    rng = np.random.default_rng(4)
    frame = labelled(sampled()).with_columns(a=pl.Series([*rng.integers(0, 5, 600), *rng.integers(0, 90, 400)]))
    parts = [frame[:600], frame[600:]]
    table, stream = (evidence(source, test="mixed", **BOTH) for source in (frame, parts))
    assert stream == pytest.approx(table, rel=1e-7)


@pytest.mark.parametrize("test", DATA)
def test_equal_weights_and_single_rows_as_clusters_are_one_design(test: str) -> None:
    frame = DATA[test].select("a", "b", "c", "d", w=pl.lit(2.0), s=pl.int_range(1000))
    weights, clusters = (evidence(only(frame, design), test=test, **design) for design in DESIGNS[:2])
    # tables of weighted rows have a correction for small cells that sums over clusters do not have
    assert weights == pytest.approx(clusters, rel=0.1 if test in ("g", "chi2", "labels") else 1e-9)
    plain = evidence(only(frame, {}), test=test)
    assert weights == pytest.approx(plain, rel=0.2, abs=0.05)


@pytest.mark.parametrize("design", DESIGNS)
def test_levels_and_labels_among_ranks_are_judged_as_by_mixed_on_their_scores(design: dict[str, Any]) -> None:
    frame = only(all_kinds(sampled()), design)
    weights = frame["w"].to_numpy() if "weights" in design else np.ones(1000)

    def scores(values: np.ndarray) -> np.ndarray:
        """The normal quantile of the weight of smaller values and half that of equal ones."""
        below = np.array([weights[values < one].sum() + weights[values == one].sum() / 2 for one in values])
        return np.asarray(norm.ppf(below / weights.sum()))

    replaced = frame.with_columns(a=pl.Series(scores(frame["a"].to_numpy())), b=pl.Series(scores(frame["b"].to_physical().to_numpy())))  # fmt: skip  # noqa: E501
    expected = evidence(replaced, test="mixed", kinds={"b": "continuous"}, **design)
    assert evidence(frame, test="rank", **design) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("frame", "test"),
    [(ordered(sampled()), "copula"), (only_ordered(sampled()), "copula"), (all_kinds(sampled()), "rank")],
    ids=["numbers", "levels", "labels"],
)
def test_ordered_levels_get_a_test_that_knows_designs_and_orders(frame: pl.DataFrame, test: str) -> None:
    for design in DESIGNS:
        assert choose_test(only(frame, design), **design).name == test


@pytest.mark.parametrize("test", ["labels", "g", "chi2", "mixed"])
def test_tests_for_labels_take_ordered_levels_as_labels(test: str) -> None:
    frame = only_ordered(sampled())
    expected = evidence(frame.with_columns(pl.col("a", "b", "c", "d").cast(pl.String)), test=test, **BOTH)
    assert evidence(frame, test=test, **BOTH) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_stream_of_levels_has_the_latent_correlations_of_its_rows(design: dict[str, Any]) -> None:
    frame = only(only_ordered(sampled()), design)
    table, stream = (evidence(source, test="copula", **design) for source in (frame, [frame[:300], frame[300:]]))
    assert stream == pytest.approx(table, rel=1e-7)


def test_latent_correlations_and_features_of_whole_weights_are_those_of_repeated_rows() -> None:
    times = np.random.default_rng(8).integers(1, 5, 1000)
    frame = ordered(sampled()).with_columns(w=pl.Series(times)).drop("s")
    repeated = frame.select(pl.all().repeat_by("w").list.explode()).drop("w")
    one = choose_test(frame, test="copula", weights="w")
    two = Copula.of_table(Table.of(repeated))
    assert isinstance(one, Copula)
    assert one.correlation == pytest.approx(two.correlation, abs=1e-9)
    numbers = sampled().select("a", "b", w=pl.Series(times))
    features = Features.of(Table.of(numbers, weights="w"), 3, 0.8)
    shares = (rankdata(np.repeat(numbers["a"], times)) - 0.5) / times.sum()
    expected = np.linalg.qr(np.vander(2 * shares - 1, 4, increasing=True))[0].T[1:] * np.sqrt(times.sum())
    found = np.repeat(features.tested[:3], times, axis=1)
    assert found * np.sign(found[:, -1:]) == pytest.approx(expected * np.sign(expected[:, -1:]), rel=1e-6, abs=1e-8)


def test_ranks_are_weighted() -> None:
    """Whole weights give the scores of repeated rows."""
    rng = np.random.default_rng(5)
    values, weights = rng.integers(0, 30, 200).astype(float), rng.integers(1, 5, 200)
    from ancestral.independence.scores import normal_scores

    found = normal_scores(values[:, None], weights.astype(float))[:, 0]
    repeated = normal_scores(np.repeat(values, weights)[:, None])[:, 0]
    assert np.repeat(found, weights) == pytest.approx(repeated, rel=1e-12)


@pytest.mark.parametrize(
    "cell",
    [
        Cell("fisher-z", "icc .3", 1000, 40, 1),
        Cell("chi2", "weights", 200, 0, 1),
        Cell("copula", "icc .3", 1000, 40, 0),
        Cell("rank of levels", "weights", 1000, 0, 0),
        Cell("basis", "icc .3", 1000, 40, 0),
        Cell("kernel", "weights", 1000, 0, 0),
    ],
)
def test_the_level_is_kept_where_ignoring_the_design_breaks_it(cell: Cell) -> None:
    told, ignored = (p_values(cell, 0.0, 150, 3, ignore=ignore) for ignore in (False, True))
    assert np.mean(told <= 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert np.mean(ignored <= 0.05) > 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


# -- what follows from it --------------------------------------------------------------------------------------------


def sandwich(frame: pl.DataFrame, design: dict[str, Any]) -> tuple[float, float]:
    """The coefficient of c in the weighted regression of d on c, a, b and a constant, and its error between groups.

    Stata's formulas (`regress …, vce(robust)` and `vce(cluster …)`), which statsmodels has, too.
    """
    x = np.column_stack([np.ones(len(frame)), frame.select("c", "a", "b").to_numpy()])
    weights = frame["w"].to_numpy() if "weights" in design else np.ones(len(frame))
    groups = frame["s"].to_list() if "clusters" in design else list(range(len(frame)))
    bread = np.linalg.inv((x.T * weights) @ x)
    beta = bread @ (x.T * weights) @ frame["d"].to_numpy()
    residual = frame["d"].to_numpy() - x @ beta
    sums: dict[Any, np.ndarray] = {}
    for group, row, weight, rest in zip(groups, x, weights, residual, strict=True):
        sums[group] = sums.get(group, np.zeros(4)) + weight * rest * row
    variance = bread @ sum(np.outer(one, one) for one in sums.values()) @ bread
    n, count = len(frame), len(sums)
    variance = variance * count / (count - 1) * (n - 1) / (n - 4)
    return float(beta[1]), float(np.sqrt(variance[1, 1]))


@pytest.mark.parametrize("design", DESIGNS)
def test_effects_have_errors_between_groups(design: dict[str, Any]) -> None:
    frame = only(sampled(), design)
    effect = an.discover(frame, **design, resamples=0).effect("c", "d", given=["a", "b"])
    assert (effect.estimate, effect.error) == pytest.approx(sandwich(frame, design), rel=1e-9)
    streamed = an.discover([frame[:400], frame[400:]], **design).effect("c", "d", given=["a", "b"])
    assert streamed.estimate == pytest.approx(effect.estimate, rel=1e-9)
    assert streamed.error == pytest.approx(effect.error, rel=1e-9 if "clusters" in design else 0.25)


def test_clusters_are_drawn_whole() -> None:
    frame = sampled()
    source = choose_test(frame, **BOTH).resampler()
    codes = frame["s"].rank("dense").cast(int).to_numpy()
    for number in range(5):
        times = drawn_rows(source, 1, number, None)
        by_cluster = [set(times[codes == code].tolist()) for code in np.unique(codes)]
        assert all(len(some) == 1 for some in by_cluster)
        assert sum(some.pop() for some in by_cluster) == 40  # as many as there are
    half = drawn_rows(source, 1, 0, 500)
    assert half.max() == 1 and len(set(codes[half > 0].tolist())) == 20


@pytest.mark.filterwarnings("ignore:only .* rows differ")  # a resample repeats rows
@pytest.mark.parametrize("test", ["fisher-z", "g", "copula", "basis"])
def test_the_test_of_a_resample_is_that_of_a_table_with_its_rows(test: str) -> None:
    frame = DATA[test]
    source = choose_test(frame, test=test, **BOTH).resampler()
    times = drawn_rows(source, 1, 0, None)
    copies = [
        frame.filter(pl.Series(times > copy)).with_columns(s=pl.col("s") + f" {copy}") for copy in range(times.max())
    ]
    made = source.test(times)
    assert made is not None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "only .* rows differ", an.DataWarning)
        repeated = evidence(pl.concat(copies), test=test, **BOTH)
    assert evidence(made) == pytest.approx(repeated, rel=1e-7)


@pytest.mark.parametrize("test", ["fisher-z", "chi2"])
def test_bootstrap_and_certainty(test: str) -> None:
    boot = an.bootstrap(DATA[test][:600], test=test, **BOTH, repeats=6, algorithm="icd", progress=False)
    assert boot.edge("c", "d").edge == 1.0
    found = an.discover(DATA[test][:600], test=test, **BOTH)
    certainty = found.certainty(4)
    assert certainty is not None


def test_a_search_by_score_counts_effective_rows() -> None:
    test = choose_test(sampled(), **BOTH)
    blocks = test.column_blocks(["a", "b", "c", "d"])  # type: ignore[attr-defined]
    frame = sampled()
    assert blocks.rows == round(test.design.effective) < 1000  # type: ignore[attr-defined]
    covariance = np.cov(frame.select("a", "b", "c", "d").to_numpy().T, aweights=frame["w"].to_numpy())
    scale = np.sqrt(covariance.diagonal())
    assert blocks.correlation == pytest.approx(covariance / np.outer(scale, scale), rel=1e-9)


def test_a_run_is_saved_with_its_design_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    source = tmp_path / "rows.csv"
    sampled().write_csv(source)
    first = an.discover(source, **BOTH, save=path, algorithm="icd", max_radius=0)
    loaded = an.load(path)
    assert (loaded.reading.weights, loaded.reading.clusters) == ("w", "s")
    again = an.discover(source, **BOTH, resume=path, algorithm="icd", max_radius=2)
    assert again.pag == an.discover(source, **BOTH, algorithm="icd", max_radius=2).pag
    assert first.test.fingerprint == again.test.fingerprint
    with pytest.raises(an.RunError, match="different data"):
        an.discover(source, clusters="s", drop="w", resume=path, algorithm="icd")


def test_the_command_line_names_columns(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    sampled().write_csv(path)
    done = ran("discover", path, "--weights", "w", "--clusters", "s", "--resamples", "0")
    assert done.code == 0 and "c --> d" in done.out
    assert "weights 'w', 40 clusters by 's', worth" in done.err
    wrong = ran("discover", path, "--weights", "a")
    assert wrong.code == 2 and "the weights in column 'a' must be finite numbers" in wrong.err


def test_an_estimator_takes_the_design() -> None:
    frame = sampled().to_pandas()
    found = an.Discoverer(weights="w", clusters="s").fit(frame)
    assert found.pag_ == an.PAG.parse("a o-> c, b o-> c, c --> d")
    assert found.score(frame) == 1.0


# -- what cannot be combined -----------------------------------------------------------------------------------------


def test_tests_that_know_no_designs_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    import ancestral.independence.fisher_z as module

    def function(x: str, y: str, given: tuple[str, ...]) -> float:
        return 0.5

    with pytest.raises(an.OptionError, match=r'test cannot be combined with weights="w": a function or an object'):
        an.discover(sampled(), test=function, **BOTH)
    monkeypatch.setattr(module, "FISHER_Z", replace(module.FISHER_Z, designs=False))
    sources: list[tuple[Any, str]] = [(sampled(), "mixed"), ([sampled()], "mixed")]  # the next one that knows them
    for source, other in sources:
        with pytest.raises(an.OptionError, match=r"test cannot be combined with weights=.*'fisher-z' does not know"):
            an.discover(source, test="fisher-z", **BOTH)
        assert an.discover(source, **BOTH, algorithm="icd").settings.test == other


def test_missing_values_are_not_left_out_question_by_question() -> None:
    frame = sampled().with_columns(a=pl.when(pl.col("b") > 1).then(None).otherwise(pl.col("a")))
    with pytest.raises(an.OptionError, match=r'missing="testwise" cannot be combined with weights="w".*missing="drop"'):
        an.discover(frame, **BOTH, missing="testwise")
    assert an.discover(frame, **BOTH, missing="drop", resamples=0).test.rows == (frame["b"] <= 1).sum()


@pytest.mark.parametrize("option", ["weights", "clusters"])
def test_sources_without_rows_refuse_a_design(option: str) -> None:
    sources = [an.Moments.of(sampled().drop("s")), an.Counts.of(labelled(sampled()).drop("w")), an.Oracle(an.DAG.parse("a -> b"))]  # fmt: skip  # noqa: E501
    given: dict[str, Any] = {option: "a"}
    for source in sources:
        with pytest.raises(an.OptionError, match=f"{option}=.* does not apply to .*: it names a column of rows"):
            an.discover(source, **given)


def test_every_named_test_says_whether_it_knows_designs() -> None:
    knowing = {name for name, kind in TESTS.items() if kind.makers.designs}
    assert knowing >= {"fisher-z", "rank", "mixed", "g", "chi2", "labels", "copula", "basis", "kernel"}
    assert "regression" not in knowing


# -- too few clusters -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", DATA)
@pytest.mark.parametrize("clusters", [1, 3])
def test_too_few_clusters_for_any_question_are_refused_by_name(test: str, clusters: int) -> None:
    frame = DATA[test].drop("w").with_columns(s=pl.int_range(1000) % clusters)
    with pytest.raises(an.DataError, match=rf"{clusters} clusters? in column 's', and with fewer than 4 no question"):
        choose_test(frame, test=test, clusters="s")


@pytest.mark.filterwarnings("ignore:there are only 4 clusters")
def test_four_clusters_can_answer_a_question_given_nothing() -> None:
    frame = sampled(clusters=4).drop("w")
    assert not np.isnan(evidence(frame, clusters="s")[0])


@pytest.mark.parametrize("options", [{}, {"alpha": 0.01}, {"algorithm": "boss"}, {"algorithm": "gfci"}])
def test_no_algorithm_returns_a_graph_of_too_few_clusters(options: dict[str, Any]) -> None:
    frame, refused = sampled(clusters=3).drop("w"), "there are 3 clusters in column 's'"
    sources: list[Any] = [frame, [frame[:300], frame[300:]]]
    for source in sources:
        with pytest.raises(an.DataError, match=refused):
            an.discover(source, clusters="s", **options)
    for source in (an.Moments.of(frame, clusters="s"), an.Counts.of(labelled(frame), clusters="s")):
        with pytest.raises(an.DataError, match=refused):
            an.discover(source)
    assert [refused in str(fault) for fault in an.describe(frame, clusters="s").faults] == [True]


def test_the_shell_refuses_too_few_clusters_in_its_own_words(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    sampled(clusters=3).drop("w").write_csv(path)
    run = ran("discover", path, "--clusters", "s", "--quiet")
    assert run.code != 0
    assert "there are 3 clusters in column 's'" in run.err
    assert "leave --clusters out" in run.err
