"""Control of false discoveries among edges: which edges stay, what is recorded, and where it is refused."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import false_discovery_control

import ancestral as an
from ancestral.independence.choice import choose_test
from ancestral.search.false_discoveries import discoveries

ASKING = ["icd", "fci", "rfci", "fci+", "pc"]


def rows_of(seed: int, nodes: int = 12, rows: int = 300) -> pl.DataFrame:
    dag = an.simulate.random_dag(nodes, 2.5, seed=seed)
    return an.simulate.linear_gaussian(dag, rows=rows, seed=seed)


def pairs_of(frame: pl.DataFrame) -> dict[frozenset[str], float]:
    """The pairs of a frame, with their p-values."""
    return {frozenset((a, b)): p for a, b, p in frame.select("a", "b", "p_value").iter_rows()}


def edges_of(found: an.Discovery) -> dict[frozenset[str], float]:
    return pairs_of(found.to_frame("edges", library="polars"))


@pytest.mark.parametrize("seed", range(5))
def test_the_procedure_is_that_of_benjamini_and_hochberg(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p_values = np.concatenate([rng.uniform(size=8), rng.uniform(0, 0.01, size=5)])
    others = 20  # pairs without an edge, whose p-values are above the level
    adjusted = false_discovery_control(np.concatenate([p_values, np.ones(others)]))
    for level in (0.01, 0.05, 0.2):
        kept = discoveries(p_values, len(p_values) + others, level)
        assert kept.tolist() == (adjusted[: len(p_values)] <= level).tolist()


def test_an_edge_without_a_p_value_is_kept_and_does_not_count() -> None:
    assert discoveries(np.array([np.nan, 0.02]), 3, 0.05).tolist() == [True, False]  # 0.02 > 0.05 / 3
    assert discoveries(np.array([0.015, np.nan]), 3, 0.05).tolist() == [True, True]
    assert discoveries(np.zeros(0), 3, 0.05).tolist() == []


@pytest.mark.parametrize("algorithm", ASKING)
def test_the_edges_that_stay_are_those_of_the_procedure_over_all_pairs(algorithm: str) -> None:
    removed = 0
    for seed in (1, 2, 3):
        rows = rows_of(seed)
        screened = edges_of(an.discover(rows, alpha=0.2, algorithm=algorithm, progress=False))
        found = an.discover(rows, fdr=0.05, algorithm=algorithm, progress=False)
        pairs = rows.width * (rows.width - 1) // 2
        p_values = np.array([*screened.values(), *[1.0] * (pairs - len(screened))])
        expected = false_discovery_control(p_values)[: len(screened)] <= 0.05
        kept = edges_of(found)
        assert kept.keys() <= {pair for pair, stays in zip(screened, expected, strict=True) if stays}
        assert max(kept.values()) <= 0.05 * len(kept) / pairs
        apart = found.to_frame("separated", library="polars").filter(pl.col("found_by") == "fdr")
        assert {frozenset(pair) for pair in apart.select("a", "b").iter_rows()} <= screened.keys()
        for pair, p_value in pairs_of(apart).items():
            assert p_value == pytest.approx(screened[pair])  # the largest p-value of all that were asked
        removed += apart.height
    assert removed > 0


def test_the_removed_edges_are_gone_before_marks_are_written() -> None:
    found = an.discover(rows_of(2), fdr=0.05, progress=False)
    assert found.complete
    assert an.consistent(found.pag)
    for pair in found.to_frame("separated", library="polars").filter(pl.col("found_by") == "fdr").iter_rows(named=True):
        assert found.pag.edge(pair["a"], pair["b"]) is None
        assert found.sepset(pair["a"], pair["b"]) == frozenset(pair["sepset"])


class Answers:
    """p-values by pair, given any set; other pairs have 0.9."""

    names = tuple("abcd")

    def __init__(self, **p_values: float) -> None:
        self.p_values = {frozenset(pair): p for pair, p in p_values.items()}

    def __call__(self, x: str, y: str, given: tuple[str, ...]) -> float:
        return self.p_values.get(frozenset((x, y)), 0.9)


def search(test: Answers, **options: Any) -> an.Discovery:
    return an.discover(test, names=test.names, fdr=0.05, **options)


def test_what_is_known_does_not_count_among_the_pairs() -> None:
    weak = Answers(ab=0.001, cd=0.02)
    assert {*edges_of(search(weak))} == {frozenset("ab")}  # 0.02 > 0.05 * 2 / 6
    apart = an.Knowledge(no_edge=[("a", "c"), ("b", "d")])
    assert {*edges_of(search(weak, knowledge=apart))} == {frozenset("ab"), frozenset("cd")}  # 0.02 < 0.05 * 2 / 4
    required = an.Knowledge(required=[("c", "d")])
    assert {*edges_of(search(weak, knowledge=required))} == {frozenset("ab"), frozenset("cd")}
    weaker = Answers(ab=0.012, cd=0.02)
    assert {*edges_of(search(weaker, knowledge=required))} == {frozenset("cd")}  # 0.012 > 0.05 / 5


def test_a_question_without_an_answer_keeps_its_edge() -> None:
    assert {*edges_of(search(Answers(ab=float("nan"), cd=0.02)))} == {frozenset("ab")}


def test_alpha_screens_at_no_less_than_the_level() -> None:
    rows = rows_of(1)
    assert an.discover(rows, fdr=0.01, progress=False).settings.alpha == 0.2
    assert an.discover(rows, fdr=0.3, progress=False).settings.alpha == 0.3
    assert an.discover(rows, fdr=0.2, alpha=0.01, progress=False).settings.alpha == 0.01
    assert an.discover(choose_test(rows, alpha=0.03), fdr=0.2, progress=False).settings.alpha == 0.03
    *_, last = an.stages(rows, fdr=0.05, progress=False)
    assert last.pag == an.discover(rows, fdr=0.05, progress=False).pag
    assert an.discover(rows, progress=False, alpha=0.05).settings.fdr is None


def test_the_check_does_not_take_the_screening_for_a_level() -> None:
    check = an.discover(rows_of(1), fdr=0.05, progress=False).check
    assert check is not None
    assert check.alpha == 0.01


def test_it_is_chosen_to_ask() -> None:
    found = an.discover(rows_of(1), fdr=0.05, progress=False)
    assert (found.settings.algorithm, found.settings.algorithm_reason) == ("icd", "fdr")


@pytest.mark.parametrize(("algorithm", "why"), [("scored", "asks no questions"), ("gfci", "a score has joined")])
def test_algorithms_without_p_values_of_all_pairs_refuse_it(algorithm: str, why: str) -> None:
    with pytest.raises(an.OptionError, match=rf'^fdr=0.05 cannot be combined with algorithm="{algorithm}"; .*{why}'):
        an.discover(rows_of(1), fdr=0.05, algorithm=algorithm)


def test_tests_without_p_values_refuse_it() -> None:
    with pytest.raises(
        an.OptionError, match=r"^fdr=0.05 does not apply to an oracle: it needs p-values; leave fdr= out"
    ):
        an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c")), fdr=0.05)

    class Decides:
        names = tuple("abc")

        def independent(self, x: str, y: str, given: tuple[str, ...]) -> bool:
            return False

    with pytest.raises(an.OptionError, match="which only tells yes or no: it needs p-values"):
        an.discover(Decides(), fdr=0.05)


def test_a_run_file_says_what_was_controlled_and_resumes(tmp_path: Path) -> None:
    rows, path = rows_of(2), tmp_path / "run.json"
    whole = an.discover(rows, fdr=0.05, progress=False, save=path)
    assert any(by == "fdr" for by in whole.to_frame("separated", library="polars")["found_by"])
    loaded = an.load(path)
    assert loaded.settings == whole.settings
    assert loaded.to_json() == whole.to_json()
    assert str(loaded) == str(whole)
    part = tmp_path / "part.json"
    an.discover(rows, fdr=0.05, max_radius=1, progress=False, save=part)
    resumed = an.discover(rows, fdr=0.05, progress=False, resume=part)
    assert resumed.to_json() == whole.to_json()
    an.discover(rows, fdr=0.05, max_radius=1, progress=False, save=part)
    with pytest.raises(an.RunError, match=r"is a run with fdr=0.05, not fdr=0.1"):
        an.discover(rows, fdr=0.1, progress=False, resume=part)


def test_the_closest_set_may_be_empty_in_a_file(tmp_path: Path) -> None:
    found = search(Answers(ab=0.001, cd=0.02))
    assert found.sepset("c", "d") == frozenset()
    found.save(tmp_path / "run.json")
    loaded = an.load(tmp_path / "run.json")
    assert loaded.pag == found.pag
    assert loaded.to_frame("separated", library="polars").equals(found.to_frame("separated", library="polars"))
    text = (tmp_path / "run.json").read_text().replace('"fdr":0.05,', "").replace('"fdr": 0.05,', "")
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(an.RunError, match="since false discoveries were not controlled"):
        an.load(tmp_path / "run.json")


def test_words_say_what_was_removed_and_how_to_repeat_it(tmp_path: Path) -> None:
    rows = rows_of(2)
    rows.write_csv(tmp_path / "data.csv")
    found = an.discover(tmp_path / "data.csv", fdr=0.05, progress=False)
    apart = found.to_frame("separated", library="polars").filter(pl.col("found_by") == "fdr")
    assert f"false discoveries among edges controlled at 0.05: {apart.height} edge" in str(found)
    assert "the control of false discoveries does not keep this edge" in str(found.why(*apart.row(0)[:3:2]))
    found.report(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text()
    assert "--alpha 0.2 --fdr 0.05" in page
    assert "controlled at 0.05" in page
    stopped = an.discover(rows, fdr=0.05, max_radius=0, progress=False)
    assert "false discoveries are to be controlled at 0.05 when the search is complete" in str(stopped)
    clear = search(Answers(ab=1e-9))
    assert "controlled at 0.05: no edge had to be removed" in str(clear)


def test_threads_and_executors_change_nothing() -> None:
    rows = rows_of(3)
    alone = an.discover(rows, fdr=0.05, progress=False)
    assert an.discover(rows, fdr=0.05, progress=False, workers=2).to_json() == alone.to_json()
    with ThreadPoolExecutor(2) as pool:
        assert an.discover(rows, fdr=0.05, progress=False, executor=pool).to_json() == alone.to_json()


def test_a_bootstrap_controls_every_resample() -> None:
    rows = rows_of(1, nodes=6)
    plain = an.bootstrap(rows, alpha=0.05, repeats=10, progress=False)
    controlled = an.bootstrap(rows, fdr=0.01, repeats=10, progress=False)
    assert controlled.found is not None
    assert controlled.found.pag == an.discover(rows, fdr=0.01, progress=False).pag
    assert controlled.frequencies.edges.sum() < plain.frequencies.edges.sum()
