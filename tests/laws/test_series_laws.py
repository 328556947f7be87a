"""What repeats in windows of time series, and what does not; and what may be added to a separating set."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import MAG, is_separated, mag_of
from ancestral.classes import equivalent_mags
from ancestral.graphs import SeriesDAG
from ancestral.graphs.marks import ARROW
from ancestral.graphs.window import Window, node_at
from tests.support.classes import agreed_marks
from tests.support.series_truth import (
    NAMED,
    canonical,
    random_series_dags,
    small_series_dags,
    true_window_pag,
    unrolled,
)

Copy = tuple[str, str]


def copies(window: Window) -> Iterator[list[Copy]]:
    """All pairs of nodes, grouped by their processes and the lag between them; those that end at t first."""
    for lag in range(window.lags + 1):
        for first in window.processes:
            for second in window.processes:
                if lag or first < second:
                    yield [(node_at(first, lag + k), node_at(second, k)) for k in range(window.lags - lag + 1)]


def windows(seed: int, count: int) -> Iterator[tuple[SeriesDAG, Window, MAG]]:
    for dag, lags in islice(random_series_dags(seed), count):
        yield dag, Window(dag.observed, lags), dag.mag(lags)


def test_ancestry_repeats() -> None:
    for dag, window, mag in windows(21, 100):
        above = {node: mag.ancestors(node) for node in mag.nodes}
        for pairs in copies(window):
            assert len({a in above[b] for a, b in pairs}) == 1, repr(dag)
            assert len({b in above[a] for a, b in pairs}) == 1, repr(dag)
            assert len({edge for a, b in pairs if (edge := mag.edge(a, b))}) <= 1, repr(dag)


def test_adjacent_late_is_adjacent_early_and_not_the_other_way_round() -> None:
    only_early = 0
    for dag, window, mag in windows(22, 100):
        for pairs in copies(window):
            adjacent = [mag.edge(a, b) is not None for a, b in pairs]
            assert adjacent == sorted(adjacent), repr(dag)
            only_early += len(set(adjacent)) == 2
    assert only_early > 100


def test_a_longer_window_separates_more_and_connects_nothing() -> None:
    removed = 0
    for dag, window, mag in windows(23, 60):
        longer = dag.mag(window.lags + 1)
        for pairs in copies(window):
            for a, b in pairs:
                assert mag.edge(a, b) or not longer.edge(a, b), repr(dag)
                removed += bool(mag.edge(a, b) and not longer.edge(a, b))
    assert removed > 100


def separating_sets(mag: MAG, rng: np.random.Generator, count: int) -> Iterator[tuple[str, str, set[str]]]:
    """Random nodes and sets that separate them."""
    for _ in range(count):
        x, y, *others = (str(node) for node in rng.permutation(mag.nodes))
        given = {node for node in others if rng.random() < 0.4}
        if is_separated(mag, x, y, given=given):
            yield x, y, given


def test_adding_ancestors_of_the_ends_never_connects() -> None:
    rng = np.random.default_rng(1)
    asked = 0
    for _, _, mag in windows(24, 60):
        for x, y, given in separating_sets(mag, rng, 40):
            above = (mag.ancestors(x) | mag.ancestors(y)) - {x, y} - given
            added = {node for node in sorted(above) if rng.random() < 0.5}
            asked += bool(added)
            assert is_separated(mag, x, y, given=given | added)
    assert asked > 150


def test_adding_one_node_that_is_no_ancestor_may_connect() -> None:
    collider = SeriesDAG.parse("A-1->C, B-1->C").mag(1)
    assert is_separated(collider, "A[t-1]", "B[t-1]")
    assert not is_separated(collider, "A[t-1]", "B[t-1]", given={"C[t]"})
    rng = np.random.default_rng(1)
    lost = 0
    for _, _, mag in windows(24, 60):
        for x, y, given in separating_sets(mag, rng, 40):
            others = sorted(set(mag.nodes) - mag.ancestors(x) - mag.ancestors(y) - given)
            lost += bool(others) and not is_separated(mag, x, y, given=given | {str(rng.choice(others))})
    assert lost > 20


# -- truth by enumeration -------------------------------------------------------------------------------------------


def last_links(mag: MAG) -> dict[tuple[str, int, str], tuple[int, int]]:
    """The marks of the edges that end at t, at the earlier and at the later node."""
    window = Window.of(mag.nodes)
    out = {}
    for pairs in copies(window):
        a, b = (mag.index(name) for name in pairs[0])
        (first, lag), (second, _) = map(window.place, pairs[0])
        if mag.marks[a, b]:
            out[first, lag, second] = int(mag.marks[b, a]), int(mag.marks[a, b])
    return out


def in_time_order(links: dict[tuple[str, int, str], tuple[int, int]]) -> bool:
    """Whether every edge has an arrowhead at its later node, and those within a step have one at all."""
    return all(marks[1] == ARROW or (lag == 0 and marks[0] == ARROW) for (_, lag, _), marks in links.items())


def test_the_mag_of_a_window_reproduces_itself() -> None:
    for dag, window, mag in windows(25, 150):
        assert canonical(last_links(mag), window).mag(window.lags) == mag, repr(dag)


def by_definition(dag: SeriesDAG, lags: int) -> NDArray[np.uint8]:
    """The marks on which all MAGs agree that entail the same separations and that a process with a long past has."""
    mag = dag.mag(lags)
    members = []
    for other in equivalent_mags(mag):
        links = last_links(other)
        if in_time_order(links) and mag_of(unrolled(canonical(links, Window.of(mag.nodes)), lags, 12)) == other:
            members.append(other.arranged(mag.nodes))
    return agreed_marks(members)


@pytest.mark.parametrize("name", ["echo", "carry", "mirror", "half edge", "names"])
def test_the_truth_of_named_windows_is_that_of_the_definition(name: str) -> None:
    dag, lags = NAMED[name]
    truth = true_window_pag(dag, lags)
    assert truth is not None and np.array_equal(truth.marks, by_definition(dag, lags))


def test_the_truth_of_small_windows_is_that_of_the_definition() -> None:
    for dag in islice(small_series_dags(), 0, None, 25):
        truth = true_window_pag(dag, 1)
        assert truth is not None and np.array_equal(truth.marks, by_definition(dag, 1)), repr(dag)


def test_a_mark_that_only_stationarity_gives() -> None:
    """In a class of MAGs in the order of time, the edge from A one step back could be <->; none of these repeats."""
    dag, lags = NAMED["mirror"]
    truth = true_window_pag(dag, lags)
    assert truth is not None and truth.has("A[t-1]", "-->", "A[t]")
    members = [mag for mag in equivalent_mags(dag.mag(lags)) if in_time_order(last_links(mag))]
    assert any(mag.has("A[t-1]", "<->", "A[t]") for mag in members)


def test_beyond_the_largest_number_of_candidates_there_is_no_truth() -> None:
    dag, lags = NAMED["latent loop"]
    assert true_window_pag(dag, lags, most=1) is None
    assert true_window_pag(dag, lags) is not None


def test_there_are_so_many_small_series_dags() -> None:
    """Counted apart: graphs of two to four edges have 1,922 windows of 1 and 2 lags, without 188 of the largest."""
    sizes = [(len(dag.observed), len(dag.edges)) for dag in small_series_dags()]
    large = sum(size == (3, 4) for size in sizes)
    assert 2 * sum(edges >= 2 for _, edges in sizes) - large == 1922
