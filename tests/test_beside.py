"""The comparison with other packages: its scores, its protocol, and its page, on our own searches."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ancestral as an
from benchmarks.beside import results
from benchmarks.beside.others import lingam, pdag
from benchmarks.beside.page import best_others, page, table
from benchmarks.beside.plan import BOSS, FIRST_SEED, ICD, METHODS, PC, Cell, Method, cells, coded, truth_of
from benchmarks.beside.results import Run, complete, runs
from benchmarks.beside.scores import Score, marks_of, score
from benchmarks.beside.worker import Rows

#: a and b cause c, which causes d; something latent affects a and e.
DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> a, L -> e", latent=["L"])
TINY = Cell("paper", "gaussian", 6, 300, 2)


def test_claims_are_held_against_the_generating_dag() -> None:
    truth = truth_of(DAG, an.PAG.parse("a o-> c, b o-> c, c --> d, a o-o e"))
    a, b, c, d, e = (DAG.observed.index(name) for name in "abcde")
    # right: tail at a, arrow at c, arrows between a and e; false: tail at d, arrow at c of c–d, and a–b is no edge
    edges = [(a, c, "-->"), (d, c, "-->"), (a, e, "<->"), (a, b, "o-o")]
    # true marks found: arrow at c from a; ends of the truth: 8; edges in common: 3 of 4 and 4
    assert score(edges, "PAG", truth) == Score(0.75, 1 / 8, 1, 1, 3, 1)


def test_undirected_edges_of_a_cpdag_claim_nothing() -> None:
    dag = an.DAG.parse("a -> b, c -> d, e -> d")
    truth = truth_of(dag, an.pag_of(dag))
    at = dag.observed.index
    edges = [(at("a"), at("b"), "---"), (at("c"), at("d"), "-->"), (at("d"), at("e"), "<--")]
    assert score(edges, "CPDAG", truth) == Score(1.0, 1.0, 2, 0, 2, 0)
    # of the DAG they are claims: both tails, of which that at b is false
    assert score(edges, "DAG", truth) == Score(1.0, 5 / 6, 3, 1, 2, 0)


def test_with_something_latent_all_searches_aim_at_the_pag() -> None:
    pag = an.pag_of(DAG)
    truth = truth_of(DAG, pag)
    assert np.array_equal(truth.target("CPDAG"), pag.arranged(DAG.observed))


def test_edges_are_read_from_left_to_right() -> None:
    marks = marks_of([(0, 1, "o->"), (2, 1, "<--")], 3, "PAG")
    assert str(an.PAG(["x", "y", "z"], marks)) == str(an.PAG.parse("x o-> y, y --> z"))
    assert pdag([(0, 1)], [(1, 2)]) == [(0, 1, "-->"), (1, 2, "---")]


def test_matrices_of_lingam_have_effects_in_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Model:
        adjacency_matrix_ = np.array([[0, 0.5, 0], [0, 0, np.nan], [0, np.nan, 0]])

        def fit(self, _values: object) -> "Model":
            return self

    monkeypatch.setitem(sys.modules, "lingam", type("lingam", (), {"RCD": Model}))
    assert lingam(Rows(np.zeros((2, 3))), "RCD") == [(1, 0, "-->"), (1, 2, "<->")]


def test_seeds_and_names_of_cells_are_their_own() -> None:
    assert len({cell.folder for cell in cells()}) == len(list(cells()))
    assert all(cell.seeds[0] == FIRST_SEED for cell in cells())
    assert all(cell.reference in METHODS[cell.kind] for cell in cells())


def test_labels_are_numbered_and_named() -> None:
    rows, _ = Cell("paper", "mixed, 3 levels", 6, 50, 1).draw(1)
    assert rows.labels
    assert all(set(np.unique(rows.values[:, i])) <= {0, 1, 2} for i in rows.labels)
    frame = an.simulate.discrete(an.DAG.parse("a -> b"), rows=20, levels=2, seed=1)
    assert coded(frame).labels == (0, 1)


def test_a_run_keeps_its_results_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "KEPT", tmp_path)
    results.sets.cache_clear()
    theirs = Method("ancestral", "pc", "PC (another package)", "CPDAG")
    found = {TINY: {}}  # type: ignore[var-annotated]
    for method in (ICD, PC):
        complete(method, [TINY])
        found[TINY][method] = list(runs(method, TINY))
    (file,) = tmp_path.glob("ancestral-*/icd-*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["seed"] for line in lines] == [FIRST_SEED, FIRST_SEED + 1]
    assert lines[0]["versions"]["ancestral"] == an.__version__
    # the same search of the same rows, by the package
    rows, truth = TINY.draw(FIRST_SEED)
    pag = an.discover(rows.values, algorithm="icd", alpha=0.01, selection_bias=False, progress=False).pag
    assert np.array_equal(marks_of(lines[0]["edges"], len(pag.nodes), "PAG"), pag.marks)
    assert found[TINY][ICD][0].score == score(lines[0]["edges"], "PAG", truth)
    # what is kept is not searched again, what was found in other data is
    file.write_text("".join(json.dumps(line | {"seconds": 7.0}) + "\n" for line in lines[:1]))
    complete(ICD, [TINY])
    again = list(runs(ICD, TINY))
    assert again[0].seconds == 7.0 and again[1].seconds != 7.0
    file.write_text("".join(json.dumps(line | {"seconds": 7.0, "data": "other"}) + "\n" for line in lines))
    complete(ICD, [TINY])
    assert all(run.seconds != 7.0 for run in runs(ICD, TINY))
    assert theirs.ours and len(list(table(found[TINY]))) == 4
    results.sets.cache_clear()


def test_a_search_that_was_stopped_twice_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def ask(_worker: results.Worker, one: results.Set) -> dict[str, object]:
        asked.append(one.seed)
        return {"edges": [], "seconds": 10.0, "failed": "stopped after 10 s", "versions": {}}

    small, large = Cell("paper", "gaussian", 10, 2000, 3), Cell("paper", "gaussian", 20, 2000, 3)
    monkeypatch.setattr(results, "KEPT", tmp_path)
    monkeypatch.setattr(results, "cells", lambda: iter([small, large]))
    monkeypatch.setattr(results.Worker, "ask", ask)
    results.sets.cache_clear()
    complete(ICD, [small, large])
    assert asked == [FIRST_SEED, FIRST_SEED + 1]
    assert [run.failed for run in runs(ICD, small)] == ["stopped after 10 s"] * 2 + ["not tried after 2 stops"]
    assert {run.failed for run in runs(ICD, large)} == {"not tried, stopped on all data sets of 10 nodes"}
    results.sets.cache_clear()


def test_a_worker_reports_what_goes_wrong(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.zeros((30, 3)))  # constant columns are refused
    command = [sys.executable, "-m", "benchmarks.beside.ours", "icd", "5"]
    job = json.dumps({"file": str(tmp_path / "rows.npy"), "labels": []}) + "\n"
    answer = subprocess.run(command, input=job, capture_output=True, text=True, check=True)
    line = json.loads(answer.stdout)
    assert line["edges"] == [] and "single value" in line["failed"]


def test_the_page_shows_where_others_are_better() -> None:
    theirs = Method("peer", "boss", "BOSS (peer)", "CPDAG")
    cell = Cell("nothing latent", "gaussian", 10, 500, 3)

    def made(f1: float, seconds: float) -> list[Run]:
        versions = {"Python": "3", "numpy": "2", "peer": "1.5"}
        return [Run(Score(f1 + i / 1000, 0.5, 1, 0, 1, 0), seconds, "", versions) for i in range(3)]

    stopped = [Run(None, None, "stopped after 10 s", {})] * 3
    found = {cell: {BOSS: made(0.7, 1.0), theirs: made(0.9, 4.0), ICD: stopped}}
    by_name = {one.measure.name: one for one in best_others(found)}
    assert by_name["F1 of edges"].clear and by_name["F1 of edges"].gain == pytest.approx(0.2)
    assert by_name["CPU seconds"].clear and by_name["CPU seconds"].gain == pytest.approx(-3)
    assert not by_name["marks"].clear
    text = page(found, {}, ["tigramite"])
    ahead = text.partition("## Where others are better")[2].partition("## Time series")[0]
    behind = text.partition("## Where ours is better")[2].partition("## Not run here")[0]
    assert "**BOSS (peer)** | 0.901 | 0.701" in ahead and "CPU seconds" not in ahead
    assert "CPU seconds" in behind and "F1 of edges" not in behind
    assert "peer 1.5" in text and "not compared: tigramite" in text
    assert "3 of 3: stopped after 10 s" in text
