"""Scores of graphs found in time series: counted by hand, the truth by unrolling, errors by their formula."""

import json
import signal

import numpy as np
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.graphs.window import node_at
from benchmarks import series_worker
from benchmarks.series_data import CELLS, LAGS, Cell, Link, draw, simulate
from benchmarks.series_pages import differences, f1, table, wrong_marks
from benchmarks.series_scores import Counts, Run, Truth, causes, difference, ending_now, score, truth_of

#: 0 causes 1 after a step, 2 causes 0 within a step, and something latent affects 1 and 2 at the same time.
TRUTH = Truth(
    adjacent=frozenset({(0, 0, 1), (0, 1, 1), (0, 2, 0), (1, 2, 0)}),
    causes=frozenset({(0, 0, 1), (0, 1, 1), (2, 0, 0), (2, 1, 1)}),
)


def test_a_graph_that_says_all_that_is_true_has_full_marks() -> None:
    counts = score({(0, 0, 1): "-->", (0, 1, 1): "-->", (0, 2, 0): "<--", (1, 2, 0): "<->"}, TRUTH)
    assert counts == Counts(true=3, found=3, shared=3, ends=5, given=5, right=5, right_shared=5)
    assert (counts.f1, counts.marks_right, counts.marks_found, counts.wrong) == (1, 1, 1, 0)


def test_edges_and_marks_are_counted_as_by_hand() -> None:
    # right: the arrowhead at 2, wrong: the arrowhead at 0 on the edge with 1; 2 o-> 1 after a step is not adjacent
    counts = score({(0, 1, 1): "<->", (1, 2, 0): "o->", (2, 1, 1): "o->"}, TRUTH)
    assert counts == Counts(true=3, found=3, shared=2, ends=5, given=2, right=1, right_shared=1)
    assert counts.precision == counts.recall == counts.f1 == pytest.approx(2 / 3)
    assert (counts.marks_right, counts.marks_found, counts.wrong) == (1 / 2, 1 / 5, 1)


def test_edges_of_a_process_with_its_own_past_do_not_count() -> None:
    assert score({(0, 0, 1): "-->", (1, 1, 2): "<->"}, TRUTH) == Counts(true=3, ends=5)


def test_the_arrowhead_that_the_order_of_time_gives_does_not_count() -> None:
    assert score({(0, 1, 1): "o->"}, TRUTH).given == 0


def test_a_true_mark_on_a_false_edge_is_right_but_not_found() -> None:
    counts = score({(2, 1, 1): "-->"}, TRUTH)
    assert (counts.right, counts.right_shared, counts.wrong, counts.shared) == (1, 0, 0, 0)


def test_nothing_to_find_and_nothing_found_is_perfect() -> None:
    counts = score({}, Truth(frozenset(), frozenset()))
    assert (counts.f1, counts.precision, counts.recall, counts.marks_right, counts.marks_found) == (1, 1, 1, 1, 1)


def test_edges_of_a_graph_are_read_from_the_earlier_node_and_only_at_t() -> None:
    graph = an.PAG.parse("b[t] <-o a[t-1], a[t] --> b[t], a[t-1] --> b[t-1], b[t-1] o-> b[t]")
    assert ending_now(graph, ["b", "a"], 1) == {(1, 0, 1): "o->", (0, 1, 0): "<--", (0, 0, 1): "o->"}


def test_an_early_edge_of_the_window_is_not_one_at_t() -> None:
    # A causes itself and B one step later, so the step before the window confounds A and B at its beginning alone
    truth = truth_of([(0, 1, 0), (0, 1, 1)], [0, 1], 1)
    assert truth == Truth(frozenset({(0, 0, 1), (0, 1, 1)}), frozenset({(0, 0, 1), (0, 1, 1)}))


@pytest.mark.parametrize("seed", range(12))
def test_the_truth_is_that_of_the_graph_unrolled_far_into_the_past(seed: int) -> None:
    series = draw(Cell(3 + seed % 2, 1, 0.9), seed)
    dag = unrolled(series.processes, series.links, series.observed, steps=12)
    truth = truth_of(series.links, series.observed, LAGS)
    names = [str(process) for process in series.observed]
    assert truth.adjacent == ending_now(an.mag_of(dag), names, LAGS).keys()
    numbered = [(i, j, lag) for i in range(len(names)) for j in range(len(names)) for lag in range(LAGS + 1)]
    different = [(i, j, lag) for i, j, lag in numbered if i != j or lag]
    expected = {(i, j, lag) for i, j, lag in different if node_at(names[i], lag) in dag.ancestors(node_at(names[j], 0))}
    assert truth.causes == expected


def unrolled(processes: int, links: tuple[Link, ...], observed: tuple[int, ...], steps: int) -> an.DAG:
    """The DAG of the last steps of all processes; all but the observed ones in the window are latent."""
    nodes = [node_at(str(process), lag) for lag in range(steps) for process in range(processes)]
    marks = np.zeros((len(nodes), len(nodes)), dtype=np.uint8)
    for cause, lag, effect in links:
        for step in range(steps - lag):
            x, y = (step + lag) * processes + cause, step * processes + effect
            marks[x, y], marks[y, x] = ARROW, TAIL
    shown = {node_at(str(process), lag) for process in observed for lag in range(LAGS + 1)}
    return an.DAG(nodes, marks, latent=[node for node in nodes if node not in shown])


def test_causes_are_paths_of_exactly_so_many_steps() -> None:
    assert causes([(0, 1, 0), (0, 0, 1), (1, 3, 2)], 3) == {
        *((0, 1, 0), (0, 2, 0), (0, 3, 0)),
        *((0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1)),
        *((1, 3, 2), (0, 3, 2)),
    }


def test_the_error_of_a_difference_of_averages_is_the_textbook_one() -> None:
    rng = np.random.default_rng(3)
    wrong = rng.integers(0, 5, size=(2, 9))
    ours, theirs = ([Run(Counts(given=int(count)), 0.0, 0) for count in row] for row in wrong)
    value, error = difference(wrong_marks, ours, theirs)
    paired = wrong[0] - wrong[1]
    assert value == pytest.approx(paired.mean())
    assert error == pytest.approx(paired.std(ddof=1) / 3)


def test_a_method_does_not_differ_from_itself() -> None:
    runs = [Run(Counts(true=4, found=3, shared=shared), 0.0, 0) for shared in (0, 1, 3)]
    assert difference(f1, runs, runs) == (0, 0)


def test_failed_runs_are_counted_and_cost_time_but_are_not_scored() -> None:
    runs = {1: Run(Counts(true=2, found=2, shared=1), 1.0, 10), 2: Run(None, 100.0, 0)}
    *_, line = table({"a": runs})
    assert line == "| a | 0.500 | 0.500 | 0.500 | 1.000 | 1.000 | 0.00 | 50.500 | 10 | 1 |"
    *_, line = differences({Cell(4, 500, 0.9): {"a": runs, "b": runs}}, [("a", "b")])
    assert "| 1 | +0.000 ± nan | +0.00 ± nan | 1.000 |" in line


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_models_have_the_stated_design(cell: Cell) -> None:
    series = draw(cell, 0)
    cross = [link for link in series.links if link[0] != link[2]]
    own = [link for link in series.links if link[0] == link[2]]
    assert series.values.shape == (cell.rows, cell.observed)
    assert len(cross) == cell.processes and all(0 <= lag <= LAGS for _, lag, _ in cross)
    assert own == ([(i, 1, i) for i in range(cell.processes)] if cell.autocorrelation else [])
    assert cell.processes == {4: 5, 7: 10, 10: 14}[cell.observed]


def test_rows_follow_the_coefficients_of_the_model() -> None:
    weights = np.zeros((LAGS + 1, 2, 2))
    weights[1] = [[0.9, 0.0], [0.0, 0.5]]
    weights[0][1, 0], weights[3][0, 1] = 0.4, -0.3
    values = simulate(np.random.default_rng(1), weights, 20_000)
    assert regressed(values[3:, 0], values[2:-1, 0], values[:-3, 1]) == pytest.approx([0.9, -0.3], abs=0.03)
    assert regressed(values[1:, 1], values[:-1, 1], values[1:, 0]) == pytest.approx([0.5, 0.4], abs=0.03)


def regressed(y: NDArray[np.float64], *columns: NDArray[np.float64]) -> list[float]:
    """Coefficients of least squares."""
    return [float(slope) for slope in np.linalg.lstsq(np.column_stack(columns), y, rcond=None)[0]]


def test_a_search_that_takes_too_long_is_stopped_and_one_that_breaks_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(values: NDArray[np.float64]) -> tuple[list[series_worker.Edge], int]:
        while values.shape[1] == 4:
            pass
        return [], 0

    def broken(values: NDArray[np.float64]) -> tuple[list[series_worker.Edge], int]:
        if values.shape[1] == 4:
            raise AssertionError("no")
        return [], 0

    monkeypatch.setattr(series_worker, "PATIENCE", 0.05)
    before = signal.getsignal(signal.SIGPROF)
    try:
        for method in ("slow", "broken"):
            series_worker.serve({"slow": slow, "broken": broken}, [method, "n4-t200-a0.9", "1"])
    finally:
        signal.signal(signal.SIGPROF, before)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["failed"] for line in lines] == ["stopped after 0.05 s", "AssertionError: no"]
