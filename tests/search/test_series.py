"""The search of windows: pictures of what it must see, and what must not matter to it."""

from collections.abc import Callable
from itertools import islice

import numpy as np
import polars as pl
import pytest

from ancestral import PAG, KnowledgeWarning, discover_series
from ancestral.graphs import SeriesDAG
from ancestral.graphs.window import Window, node_at
from ancestral.knowledge import SeriesKnowledge
from ancestral.series.result import SeriesDiscovery
from ancestral.simulate import linear_series
from tests.support.series_truth import NAMED, random_series_dag, random_series_dags

# -- pictures ---------------------------------------------------------------------------------------------------------


def window_of(name: str) -> PAG:
    dag, lags = NAMED[name]
    return discover_series(dag, lags=lags).window


def test_an_edge_of_the_beginning_is_neither_copied_to_t_nor_forgotten() -> None:
    """A two steps back drives A and B one step back; only that A[t-1] <-> B[t-1] makes A[t-1] a non-collider."""
    graph = window_of("echo")
    assert graph == PAG.parse('"A[t-1]" --> "A[t]", "A[t-1]" --> "B[t]", "A[t-1]" <-> "B[t-1]"')


def test_a_mark_is_carried_from_copy_to_copy() -> None:
    """B[t-1] and A[t] are separated by A[t-1], and B[t] makes A[t] a collider; so B[t-1] points at A[t-1], too."""
    graph = window_of("carry")
    assert graph.has("A[t-1]", "-->", "A[t]")
    assert graph.has("B[t]", "o->", "A[t]")
    assert graph.has("B[t-1]", "o->", "A[t-1]")


def test_a_set_that_leaves_the_window_separates_no_earlier_copy() -> None:
    """B[t-1] and B[t] are separated by A[t-2]; for the copy one step earlier, A[t-3] would be needed."""
    graph = discover_series(SeriesDAG.parse("A-1->A, A-2->B"), lags=2).window
    assert graph.edge("B[t-1]", "B[t]") is None
    assert graph.edge("B[t-2]", "B[t-1]") is not None


def test_an_early_copy_is_asked_about_on_its_own() -> None:
    """Where a set moved back leaves the window, another one may separate: the named graph has such a pair."""
    dag, lags = NAMED["unasked past"]
    truth = dag.mag(lags)
    graph = window_of("unasked past")
    assert {frozenset((a, b)) for a, _, b in graph.edges()} == {frozenset((a, b)) for a, _, b in truth.edges()}
    assert graph.has("A[t-1]", "-->", "A[t]")


def test_time_runs_from_the_first_row_to_the_last() -> None:
    dag = SeriesDAG.parse("A-1->A, A-2->B")
    rows = linear_series(dag, rows=1000, seed=4, coefficients={("A", 1, "A"): 0.5, ("A", 2, "B"): 0.8})
    found = discover_series(rows, lags=2)
    assert {(a, b) for a, _, b in found.pag.edges()} == {("A[t-2]", "B[t]"), ("A[t-1]", "A[t]")}
    steps = pl.DataFrame({"day": np.arange(1000)})
    backwards = pl.concat([steps, rows], how="horizontal").reverse()
    assert discover_series(backwards, lags=2, time="day").window == found.window


# -- what does not matter ---------------------------------------------------------------------------------------------


def panel(seed: int, units: int = 3) -> tuple[pl.DataFrame, int]:
    """Rows of several units, in the columns `unit` and `time` and those of the processes, and lags."""
    rng = np.random.default_rng(seed)
    while len((dag := random_series_dag(rng)).observed) < 3:
        pass
    return linear_series(dag, rows=120, seed=seed, units=units, autocorrelation=(0.3, 0.9)), int(rng.integers(1, 4))


def searched(rows: pl.DataFrame | list[pl.DataFrame] | dict[str, pl.DataFrame], lags: int) -> SeriesDiscovery:
    one = rows if isinstance(rows, pl.DataFrame) else next(iter(rows if isinstance(rows, list) else rows.values()))
    return discover_series(rows, lags=lags, time="time", unit="unit" if "unit" in one.columns else None)


SEEDS = range(5)
VARIANTS: dict[str, Callable[[pl.DataFrame], pl.DataFrame | list[pl.DataFrame] | dict[str, pl.DataFrame]]] = {
    "columns in another order": lambda rows: rows.select(sorted(rows.columns, reverse=True)),
    "rows in another order": lambda rows: rows.sample(fraction=1, shuffle=True, seed=1),
    "units in another order": lambda rows: rows.sort("unit", descending=True, maintain_order=True),
    "units under other names": lambda rows: rows.with_columns(unit=pl.format("unit {}", 9 - pl.col("unit"))),
    "times moved": lambda rows: rows.with_columns(time=pl.col("time") + 1000),
    "a list of frames": lambda rows: [part.drop("unit") for part in rows.partition_by("unit", maintain_order=True)],
    "a dictionary of frames": lambda rows: {
        str(name[0]): part.drop("unit") for name, part in rows.partition_by("unit", as_dict=True).items()
    },
    "constants added": lambda rows: rows.with_columns(pl.exclude("unit", "time") + 2.0**20),
    "other scales": lambda rows: rows.with_columns(pl.exclude("unit", "time") * 0.25),
    "a constant for each unit": lambda rows: rows.with_columns(
        pl.exclude("unit", "time") + 64 * pl.col("unit").cast(pl.Float64)
    ),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_series_written_differently_have_the_same_graph(variant: str) -> None:
    for seed in SEEDS:
        rows, lags = panel(seed)
        assert searched(VARIANTS[variant](rows), lags).window == searched(rows, lags).window, seed


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_processes_do_not_matter(seed: int) -> None:
    rows, lags = panel(seed)
    processes = [name for name in rows.columns if name not in ("unit", "time")]
    rng = np.random.default_rng(seed)
    new = dict(zip(processes, (f"v{i}" for i in rng.permutation(len(processes))), strict=True))
    graph, other = searched(rows, lags).window, searched(rows.rename(new), lags).window
    nodes = Window(tuple(processes), lags).names
    renamed = [node_at(new[process], lag) for process, lag in map(Window(tuple(processes), lags).place, nodes)]
    assert np.array_equal(graph.arranged(nodes), other.arranged(renamed))


def test_a_window_crosses_neither_units_nor_gaps() -> None:
    """B is A of the step before, in every unit; the joints between units, and a step left out, would show it."""
    rng = np.random.default_rng(5)
    units = [rng.normal(size=(4, 2)) for _ in range(60)]
    for values in units:
        values[1:, 1] = values[:-1, 0] + 1e-3 * rng.normal(size=3)
        values[0, 1] = 100 * rng.normal()
    rows = pl.concat(
        [
            pl.DataFrame({"unit": [i] * 4, "day": np.arange(4), "A": values[:, 0], "B": values[:, 1]})
            for i, values in enumerate(units)
        ]
    )
    by_hand = np.array([[*values[k], *values[k + 1]] for values in units for k in range(3)])
    found = discover_series(rows, lags=1, time="day", unit="unit")
    assert found.windows is not None and found.windows.table is not None
    assert found.windows.table.rows == len(by_hand) == 180
    one = rows.filter(pl.col("unit") == 0)
    longer = pl.concat([one.with_columns(day=pl.col("day") + 5 * k) for k in range(40)]).drop("unit")
    with_gaps = discover_series(
        longer.with_columns(pl.col("A", "B") + pl.Series(rng.normal(size=160))), lags=1, time="day", step=1
    )
    assert with_gaps.windows is not None and with_gaps.windows.table is not None
    assert with_gaps.windows.table.rows == 120


# -- statements that are false ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["oracle", "rows"])
def test_an_own_past_that_is_stated_falsely_is_kept_and_reported(source: str) -> None:
    dag = SeriesDAG.parse("A-1->B, C-1->C")
    series = dag if source == "oracle" else linear_series(dag, rows=500, seed=1)
    with pytest.warns(KnowledgeWarning) as warned:
        found = discover_series(series, lags=1, own_past="all")
    texts = [str(warning.message) for warning in warned]
    assert len(texts) == 2
    for text, name in zip(texts, "AB", strict=True):
        assert f"the data separate {name}[t-1] and {name}[t]" in text
        assert f"the edge stays, since {name}[t-1] --> {name}[t] (required)" in text
    assert all(found.window.has(f"{name}[t-1]", "-->", f"{name}[t]") for name in "ABC")
    assert found.settings.knowledge is not None
    assert found.settings.knowledge.violations(found.window, selection_bias=False) == []
    free = discover_series(series, lags=1)
    denied = found.settings.knowledge.violations(free.window, selection_bias=False)
    assert len(denied) == 2 and "A[t-1]" in denied[0] and "B[t-1]" in denied[1]


def test_an_own_past_that_is_stated_truly_says_more_and_asks_less() -> None:
    dag = SeriesDAG.parse("A-1->A, B-1->B, A-0->B")
    free = discover_series(dag, lags=1)
    stated = discover_series(dag, lags=1, knowledge=SeriesKnowledge(own_past="all"))
    assert stated.tests.total() < free.tests.total()
    assert free.window.has("A[t-1]", "o->", "A[t]")
    assert stated.window.has("A[t-1]", "-->", "A[t]")
    truth = dag.mag(1)
    assert {(a, b) for a, _, b in stated.window.edges()} == {(a, b) for a, _, b in free.window.edges()}
    for a, edge, b in stated.window.edges():
        true = truth.edge(a, b)
        assert true is not None and all(mark in ("o", at) for mark, at in zip(edge, true, strict=True))


# -- data -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [5, 12, 20, 34])
def test_all_copies_of_an_edge_have_the_same_marks_on_data(number: int) -> None:
    """In some of these data sets, decisions about colliders contradict each other from copy to copy."""
    dag, lags = next(islice(random_series_dags(32), number, None))
    found = discover_series(linear_series(dag, rows=300, seed=number, autocorrelation=(0.3, 0.9)), lags=lags)
    window = Window(found.processes, found.lags)
    marks: dict[tuple[str, str, int], set[str]] = {}
    for a, edge, b in found.window.edges():
        for first, second, mark in ((a, b, edge[0]), (b, a, edge[2])):
            (x, early), (y, late) = window.place(first), window.place(second)
            marks.setdefault((x, y, early - late), set()).add("arrowhead" if mark in "<>" else mark)
    assert all(len(some) == 1 for some in marks.values())
