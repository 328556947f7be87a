"""The p-value of each decision: of the separation, or the largest one that was met."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.independence.fisher_z import FisherZ
from ancestral.search.marginals import pair_number

Asked = dict[frozenset[str], list[tuple[float, frozenset[str]]]]


def listening(values: np.ndarray, alpha: float) -> tuple[Any, list[str], Asked]:
    """A function that answers like Fisher's z, and everything that it is asked about each pair."""
    test = FisherZ(an.Moments.of(values), alpha)
    questions = test.questions(test.names)
    position = {name: i for i, name in enumerate(test.names)}
    asked: Asked = {}

    def p_value(x: str, y: str, given: tuple[str, ...]) -> float:
        i, j = sorted((position[x], position[y]))
        p = test.evidence(questions, i, j, sorted(position[z] for z in given)).p_value
        asked.setdefault(frozenset((x, y)), []).append((p, frozenset(given)))
        return p

    return p_value, list(test.names), asked


@pytest.mark.parametrize("options", [{}, {"stable": False}, {"verify": False}, {"possible_ancestors": "off"}])
@pytest.mark.parametrize("seed", range(4))
def test_the_p_value_is_that_of_the_separation_or_the_largest_met(seed: int, options: dict[str, Any]) -> None:
    dag = an.simulate.random_dag(nodes=9, degree=3, seed=seed)
    values = an.simulate.linear_gaussian(dag, rows=150, seed=seed).to_numpy()
    function, names, asked = listening(values, 0.05)
    found = an.discover(function, names=names, alpha=0.05, **options)
    before = sum(map(len, asked.values()))
    frame = found.to_frame()
    assert sum(map(len, asked.values())) == before  # a slow function is not asked again
    assert len(frame) == len(names) * (len(names) - 1) // 2
    for row in frame.iter_rows(named=True):
        met = asked[frozenset((row["a"], row["b"]))]
        assert row["edge"] == found.pag.edge(row["a"], row["b"])
        if row["edge"] is None:
            given = frozenset(row["sepset"])
            assert given == found.sepset(row["a"], row["b"])
            assert (row["p_value"], given) in met
            assert row["p_value"] > 0.05
            assert row["radius"] >= len(given)
            assert row["closest"] is None
        else:
            assert row["p_value"] == max(p for p, _ in met)
            assert (row["p_value"], frozenset(row["closest"])) in met
            assert row["p_value"] <= 0.05
            assert row["sepset"] is None
            assert row["radius"] is None


@pytest.mark.parametrize(("seed", "a", "b"), [(11, "x3", "x5"), (52, "x5", "x9"), (65, "x2", "x5")])
def test_the_largest_p_value_may_be_met_by_verification(seed: int, a: str, b: str) -> None:
    dag = an.simulate.random_dag(nodes=10, degree=4, seed=seed)
    values = an.simulate.linear_gaussian(dag, rows=100, seed=seed).to_numpy()
    function, names, asked = listening(values, 0.1)
    found = an.discover(function, names=names, alpha=0.1)
    (row,) = found.to_frame("edges").filter(pl.col("a") == a, pl.col("b") == b).iter_rows(named=True)
    assert row["p_value"] == max(p for p, _ in asked[frozenset((a, b))])
    assert found.verify_tests[len(row["closest"])] > 0


@pytest.mark.parametrize("test", ["labels", "g", "chi2"])
def test_p_values_of_tables_of_different_sizes_are_compared(test: str) -> None:
    """At radius 1 every neighbour of either end is asked about; with as many levels, as many degrees of freedom."""
    rng = np.random.default_rng(0)
    hidden = 0.35 * rng.normal(size=1500)
    columns = {f"v{k}": np.digitize(hidden + rng.normal(size=1500), np.linspace(-1, 1, 1 + k % 3)) for k in range(9)}
    table = an.Table.of(pl.DataFrame(columns), kinds="discrete")
    options: dict[str, Any] = {"test": test, "alpha": 0.05, "verify": False, "max_radius": 1}
    before, found = an.stages(table, **options)  # stage 0 and 1
    final = an.discover(table, **options)
    assert final.pag == found.pag
    differ = 0
    for row in final.to_frame("edges").iter_rows(named=True):
        near = before.pag.neighbours(row["a"]) | before.pag.neighbours(row["b"])
        sets = [[], *([v] for v in near - {row["a"], row["b"]})]
        met = [final.evidence(row["a"], row["b"], given=given) for given in sets]
        largest = max((e for e in met if not math.isnan(e.p_value)), key=lambda e: (e.p_value, -e.statistic))
        assert row["p_value"] == pytest.approx(largest.p_value, rel=1e-9)
        differ += len({e.df for e in met[1:]}) > 1 and row["p_value"] > 1e-12
    assert differ > 3


def tables() -> dict[str, tuple[Any, dict[str, Any]]]:
    dag = an.simulate.random_dag(nodes=9, degree=3, seed=5)
    gaussian = an.simulate.linear_gaussian(dag, rows=300, seed=1)
    holes = gaussian.to_numpy().copy()
    holes[np.random.default_rng(1).random(holes.shape) < 0.03] = np.nan
    return {
        "fisher-z": (gaussian, {}),
        "rank": (gaussian, {"test": "rank"}),
        "g": (an.simulate.discrete(dag, rows=2000, levels=3, seed=1), {}),
        "chi2": (an.simulate.discrete(dag, rows=2000, levels=3, seed=1), {"test": "chi2"}),
        "mixed": (an.simulate.mixed(dag, rows=600, seed=1), {}),
        "testwise": (holes, {"missing": "testwise"}),
    }


@pytest.mark.parametrize("kind", tables())
def test_every_test_says_what_it_decided_on(kind: str) -> None:
    source, options = tables()[kind]
    found = an.discover(source, algorithm="icd", **options)
    frame = found.to_frame()
    kept = frame.filter(pl.col("edge").is_not_null())
    assert len(kept) == len(found.pag.edges())
    for row in frame.iter_rows(named=True):
        given = row["sepset"] if row["edge"] is None else row["closest"]
        evidence = found.evidence(row["a"], row["b"], given=given)
        assert row["p_value"] == pytest.approx(evidence.p_value, rel=1e-9)
        assert row["statistic"] == pytest.approx(evidence.statistic, rel=1e-9)
        assert row["df"] == evidence.df
        assert (row["p_value"] > 0.01) == (row["edge"] is None)


@pytest.mark.parametrize("kind", tables())
def test_no_question_of_one_condition_about_an_edge_has_a_larger_p_value(kind: str) -> None:
    """A check from outside: at radius 1 every neighbour of either end was asked about."""
    source, options = tables()[kind]
    found = an.discover(source, algorithm="icd", **options)
    # the sets of radius 1 are the neighbours in the graph after radius 0, which contain the final ones
    for row in found.to_frame("edges").iter_rows(named=True):
        near = (found.pag.neighbours(row["a"]) | found.pag.neighbours(row["b"])) - {row["a"], row["b"]}
        sets = [[], *([v] for v in near)]
        p_values = [found.evidence(row["a"], row["b"], given=given).p_value for given in sets]
        assert row["p_value"] >= max(p for p in p_values if not math.isnan(p)) * (1 - 1e-9)


def test_pairs_can_be_chosen() -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a, b, a -> c, b -> c, c -> d")))
    assert found.to_frame("edges")["edge"].to_list() == ["o->", "o->", "-->"]
    assert found.to_frame("separated").select("a", "b").rows() == [("a", "b"), ("a", "d"), ("b", "d")]
    assert found.to_frame(involving="d").select("a", "b").rows() == [("a", "d"), ("b", "d"), ("c", "d")]
    assert found.to_frame("edges", involving=["a", "b"]).height == 2
    with pytest.raises(an.UnknownName, match="unknown variable 'e'"):
        found.to_frame(involving=["e"])
    with pytest.raises(an.OptionError, match="pairs must be one of 'all', 'edges', 'separated', got 'some'"):
        found.to_frame("some")  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="library must be one of 'polars', 'pandas', 'pyarrow', got 'excel'"):
        found.to_frame(library="excel")  # type: ignore[arg-type]


def test_the_frame_is_of_the_library_that_came_in() -> None:
    import pandas as pd
    import pyarrow as pa

    rows = an.simulate.linear_gaussian(an.DAG.parse("a, b, a -> c, b -> c"), rows=200, seed=1)
    assert isinstance(an.discover(rows).to_frame(), pl.DataFrame)
    assert isinstance(an.discover(rows.to_arrow()).to_frame(), pa.Table)
    frame = an.discover(pd.DataFrame(rows.to_dict(as_series=False))).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert pd.isna(frame["edge"][0])
    assert list(frame["edge"][1:]) == ["o->", "o->"]
    assert isinstance(an.discover(rows).to_frame(library="pandas"), pd.DataFrame)


def test_a_million_pairs_are_not_built_unless_asked_for() -> None:
    n = 500
    found = an.discover(an.Moments.from_correlation(np.eye(n), rows=1000), max_radius=0)
    with pytest.warns(an.DataWarning, match="500 variables have 124,750 pairs, so these are the edges only"):
        assert found.to_frame().height == 0
    assert found.to_frame(involving="x1").height == n - 1
    assert found.to_frame("all").height == n * (n - 1) // 2


def test_pairs_are_numbered_like_the_upper_triangle() -> None:
    for n in (2, 3, 7):
        x, y = np.triu_indices(n, 1)
        assert pair_number(n, x, y).tolist() == list(range(n * (n - 1) // 2))
