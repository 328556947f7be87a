"""Resamples of a run: how they are searched, stopped, continued and saved, and what `discover` does by itself."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm, rankdata

import ancestral as an
from ancestral.certainty import resamples as module
from ancestral.certainty.repeats import Repeats, weights_of
from ancestral.certainty.resamples import DEFAULT_RESAMPLES, default_resamples
from ancestral.independence.base import BaseTest
from ancestral.independence.choice import choose_test
from ancestral.show.emphasis import edge_strengths
from ancestral.show.summary import belief


def readings(frame: pl.DataFrame, **options: Any) -> dict[str, Any]:
    """The resamplers of the readings of a frame."""
    test = choose_test(frame, **options)
    assert isinstance(test, BaseTest)
    return dict(test.readings())


def matrices(found: an.Discovery) -> list[list[Any]]:
    """The marks of all resamples of a run."""
    return [graphs.tolist() for graphs in found.certainty().resamples.matrices]


@pytest.fixture(scope="module")
def found(rows: pl.DataFrame) -> an.Discovery:
    """A run with twelve resamples, which no test changes."""
    return an.discover(rows, resamples=12, progress=False)


# -- readings ---------------------------------------------------------------------------------------------------------


def scores(values: Any) -> Any:
    """Normal scores, by scipy."""
    return norm.ppf((rankdata(values) - 0.5) / len(values))


def test_numbers_are_read_as_measured_and_as_normal_scores(rows: pl.DataFrame) -> None:
    weights = weights_of(3, 5, rows.height, None)
    drawn = rows[np.repeat(np.arange(rows.height), weights)]
    expected = {
        "as measured": np.corrcoef([drawn[name] for name in sorted(rows.columns)]),
        "normal scores": np.corrcoef([scores(drawn[name].to_numpy()) for name in sorted(rows.columns)]),
    }
    found = readings(rows)
    assert list(found) == list(expected)
    for reading, correlation in expected.items():
        test = found[reading].test(weights)
        np.testing.assert_allclose(test.column_blocks(sorted(rows.columns)).correlation, correlation, atol=1e-12)


def test_whoever_asks_for_ranks_gets_normal_scores_alone(rows: pl.DataFrame) -> None:
    assert list(readings(rows, test="rank")) == ["normal scores"]


def test_only_the_numbers_of_a_mixed_table_have_scores(rows: pl.DataFrame) -> None:
    mixed = rows.with_columns(pl.when(pl.col("a") < 0).then(pl.lit("low")).otherwise(pl.lit("high")).alias("a"))
    found = readings(mixed)
    assert list(found) == ["as measured", "normal scores"]
    weights = np.ones(mixed.height, dtype=np.int64)
    blocks = found["normal scores"].test(weights).column_blocks(["b", "c"])
    np.testing.assert_allclose(blocks.correlation[0, 1], np.corrcoef(scores(mixed["b"]), scores(mixed["c"]))[0, 1])
    labels = mixed.select("a", pl.Series("q", ["x", "y"] * (mixed.height // 2)))
    assert list(readings(labels)) == ["as measured"]


def test_a_reading_can_be_sent_to_workers(rows: pl.DataFrame) -> None:
    for source in readings(rows).values():
        copy = pickle.loads(pickle.dumps(source))
        assert copy.names == source.names and copy.rows == source.rows


# -- searching --------------------------------------------------------------------------------------------------------


def test_resamples_can_be_added_to(rows: pl.DataFrame, found: an.Discovery) -> None:
    run = an.discover(rows, resamples=0, progress=False)
    assert run.resampled == 0 and run.known_certainty is None
    assert run.certainty(5, progress=False).repeats == 5
    assert run.certainty().repeats == 5 and run.certainty(3).repeats == 5, "nothing is searched again"
    assert run.certainty(12, progress=False).repeats == 12
    assert matrices(run) == matrices(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_it_makes_no_difference_who_searches(rows: pl.DataFrame, found: an.Discovery, workers: int) -> None:
    run = an.discover(rows, resamples=12, workers=workers, progress=False)
    assert matrices(run) == matrices(found)


def test_an_executor_searches_the_same(rows: pl.DataFrame, found: an.Discovery) -> None:
    run = an.discover(rows, resamples=0, progress=False)
    with ProcessPoolExecutor(2) as pool:
        run.certainty(12, executor=pool, progress=False)
    assert matrices(run) == matrices(found)


def test_another_seed_draws_other_rows(rows: pl.DataFrame, found: an.Discovery) -> None:
    run = an.discover(rows, resamples=0, progress=False)
    assert run.certainty(12, seed=2, progress=False).resamples.seed == 2
    assert matrices(run) != matrices(found)
    assert run.certainty().resamples.seed == 2
    assert run.certainty(12, seed=1, progress=False).resamples.seed == 1 and matrices(run) == matrices(found)


def test_graphs_of_icd_are_judged_by_score(rows: pl.DataFrame, found: an.Discovery) -> None:
    run = an.discover(rows, algorithm="icd", progress=False)
    assert run.resampled == 0
    run.certainty(12, progress=False)
    assert matrices(run) == matrices(found)


def test_knowledge_is_kept_in_resamples(rows: pl.DataFrame) -> None:
    run = an.discover(rows, knowledge=an.Knowledge(tiers=[["f"], ["e"]]), resamples=10, progress=False)
    e, f = run.stage.names.index("e"), run.stage.names.index("f")
    for graphs in run.certainty().resamples.matrices:
        assert (graphs[:, e, f] != 3).any() and not (graphs[:, f, e] == 3).any(), "e is no cause of f"


def test_time_and_ctrl_c_leave_what_is_done(rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    run = an.discover(rows, resamples=0, progress=False)
    assert run.certainty(5000, time_limit=0.5, progress=False).stopped == "time limit"
    assert 0 < run.resampled < 5000
    run = an.discover(rows, resamples=0, progress=False)
    graph, calls = Repeats.graph, []

    def interrupted(self: Repeats, number: int, watch: Any) -> Any:
        calls.append(number)
        if len(calls) > 7:
            raise KeyboardInterrupt
        return graph(self, number, watch)

    monkeypatch.setattr(Repeats, "graph", interrupted)
    with pytest.warns(an.RunWarning, match="resamples that were done: 3"):
        assert run.certainty(20, progress=False).stopped == "interrupt"
    assert run.resampled == 3, "seven graphs in two readings"


def test_progress_is_told(rows: pl.DataFrame) -> None:
    told: list[Any] = []
    an.discover(rows, resamples=3, progress=told.append)
    assert any(progress.label == "resamples" for progress in told)
    run = an.discover(rows, resamples=0, progress=False)
    repeats: list[Any] = []
    run.certainty(3, progress=repeats.append)
    assert (repeats[-1].done, repeats[-1].repeats) == (6, 6), "three in each of two readings"


def test_pictures_fade_each_edge_and_each_mark_by_its_share(found: an.Discovery) -> None:
    readings = found.certainty().resamples.matrices
    names, marks = found.stage.names, found.stage.oriented.marks
    for (a, b), strength in edge_strengths(found).items():
        x, y = names.index(a), names.index(b)
        edge = min((graphs[:, x, y] != 0).mean() for graphs in readings)
        at_a, at_b = (min((graphs[:, u, v] == marks[u, v]).mean() for graphs in readings) for u, v in ((y, x), (x, y)))
        assert strength == (edge, at_a, at_b)


def test_the_shell_lists_the_edges_that_are_not_firm(rows: pl.DataFrame) -> None:
    """Names may end with a bracket, as doubts do."""
    run = an.discover(rows.rename({name: f"log({name})" for name in rows.columns}), resamples=12, progress=False)
    listed = [line for line in belief(run, for_shell=True) if line.startswith("  ")]
    certainty = run.certainty()
    shares = {
        (a, b): [certainty.edge(a, b), *(share for _, _, share in certainty.marks_of(a, b))]
        for a, _, b in run.pag.edges()
    }
    weak = [edge for edge, some in shares.items() if min(some) < 0.9]
    assert len(listed) == len(weak) < len(run.pag.edges())
    assert all(line.endswith(" %)") for line in listed)


def test_an_effect_names_a_missing_edge_that_is_not_firm() -> None:
    """Of two missing edges at x, the one that many resamples have is a doubt about the effect, the other is none."""
    rng = np.random.default_rng(3)
    x, z = rng.standard_normal((2, 300))
    table = pl.DataFrame({"x": x, "y": 0.13 * x + rng.standard_normal(300), "z": z})
    run = an.discover(table, progress=False)
    assert run.pag.edges() == []
    readings = run.certainty().resamples.matrices
    names = run.stage.names
    absent = {a: min((graphs[:, names.index("x"), names.index(a)] == 0).mean() for graphs in readings) for a in "yz"}
    assert absent["y"] < 0.9 <= absent["z"]
    doubt = f"not firm in resamples: no edge between x and y ({100 * absent['y']:.0f} %)"
    assert run.effect("x", "y").doubt == run.identify("x", "y").doubt == run.adjustment_set("x", "y").doubt == doubt
    assert run.effect("x", "z").doubt is None


# -- what cannot be resampled -----------------------------------------------------------------------------------------


def test_reasons_why_there_is_no_certainty(rows: pl.DataFrame) -> None:
    oracle = an.discover(an.Oracle(an.DAG.parse("a -> b")))
    with pytest.raises(an.OptionError, match="no certainty can be computed"):
        oracle.certainty()
    assert str(oracle.causes("a", "b")) == "possibly", "an oracle needs no certainty"
    with pytest.raises(an.OptionError, match="no rows to draw"):
        an.discover(an.Moments.of(rows)).certainty()
    with pytest.raises(an.OptionError, match="nothing is known to be firm"):
        _ = oracle.firm
    with pytest.raises(an.OptionError, match="complete search"):
        an.discover(rows, algorithm="icd", max_radius=0, progress=False).certainty()


# -- what `discover` does by itself -----------------------------------------------------------------------------------


def test_small_scored_searches_are_resampled(rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    run = an.discover(rows, resamples=0, progress=False)
    assert default_resamples(run.stage, run.test, run.settings) == DEFAULT_RESAMPLES
    asked = an.discover(rows, algorithm="icd", progress=False)
    assert default_resamples(asked.stage, asked.test, asked.settings) == 0 == asked.resampled
    for limit, least in (("MOST_VARIABLES", 5), ("MOST_VALUES", 1199), ("MOST_EDGES", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, least)
            assert default_resamples(run.stage, run.test, run.settings) == 0, limit
    moments = an.discover(an.Moments.of(rows), progress=False)
    assert moments.settings.algorithm == "scored" and moments.resampled == 0


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_run_file_keeps_the_resamples(found: an.Discovery, tmp_path: Path) -> None:
    found.save(tmp_path / "run.json")
    loaded = an.load(tmp_path / "run.json")
    assert matrices(loaded) == matrices(found) and loaded.firm == found.firm
    assert str(loaded) == str(found)
    for a in found.pag.nodes:
        for b in found.pag.nodes:
            assert str(loaded.causes(a, b)) == str(found.causes(a, b))
    with pytest.raises(an.OptionError, match="does not hold the data"):
        loaded.certainty(100)


def test_resuming_a_run_goes_on_with_its_resamples(rows: pl.DataFrame, found: an.Discovery, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    an.discover(rows, resamples=4, save=file, progress=False)
    assert an.load(file).resampled == 4
    resumed = an.discover(rows, resume=file, resamples=12, progress=False)
    assert matrices(resumed) == matrices(found) and an.load(file).resampled == 12
    other = tmp_path / "other.json"
    found.save(other)
    assert file.read_bytes() == other.read_bytes()
