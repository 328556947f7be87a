"""Laws of the search of windows with an oracle: every stage is true, and the last one has what enumeration has."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import MAG, discover_series
from ancestral.graphs import SeriesDAG
from ancestral.graphs.window import node_at
from ancestral.search.series.known_ancestors import KnownAncestors
from ancestral.search.series.run import Round, SeriesSearch
from tests.checks.series import Tally, Truth, again, window_problem
from tests.support.reference import ARROW, ancestors, separated_by_augmentation
from tests.support.series_truth import NAMED, random_series_dags, small_series_dags

#: Named windows in which marks are left to enumeration.
OPEN = {"mirror"}


@pytest.mark.parametrize("name", NAMED)
def test_every_stage_of_named_windows_is_true_and_the_last_one_exact(name: str) -> None:
    tally = Tally()
    tally.add(*NAMED[name])
    assert tally.wrong == []
    assert tally.skipped == 0
    for counts in (tally.first, tally.second):
        assert counts["windows"] == 1
        assert counts["exact"] == (name not in OPEN)


def test_every_stage_of_random_windows_is_true_and_nearly_all_are_exact() -> None:
    tally = Tally(most=300)
    for dag, lags in islice(random_series_dags(11), 55):
        tally.add(dag, lags)
    for dag in islice(small_series_dags(), 0, None, 30):
        tally.add(dag, 2)
    assert tally.wrong == []
    for counts in (tally.first, tally.second):
        assert counts["windows"] > 65
        assert counts["exact at t"] >= 0.95 * counts["windows"]
        assert counts["marks found"] >= 0.99 * counts["marks"]


def test_larger_windows_are_true_at_every_stage() -> None:
    """Beyond what can be enumerated: the edges and the causes are known all the same."""
    checked = 0
    for dag, lags in islice(random_series_dags(12), 60):
        if len(dag.observed) < 4 or lags < 2:
            continue
        truth = Truth(dag, lags, most=0)
        search = SeriesSearch(window_problem(dag, lags))
        stages = list(search.of_oracle())
        for stage in [*stages, *again(search, stages[-1])]:
            assert truth.errors(stage.oriented.marks, stage.complete).total() == 0, (repr(dag), lags, stage.radius)
        checked += 1
    assert checked > 8


def renamed(dag: SeriesDAG, rng: np.random.Generator) -> tuple[SeriesDAG, dict[str, str]]:
    """The same graph with its names dealt out anew and its processes in another order."""
    new = dict(zip(dag.processes, (f"v{i}" for i in rng.permutation(len(dag.processes))), strict=True))
    order = [new[str(name)] for name in rng.permutation(dag.processes)]
    return SeriesDAG(order, [(new[a], lag, new[b]) for a, lag, b in dag.edges], [new[a] for a in dag.latent]), new


def test_names_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    for dag, lags in [*NAMED.values(), *islice(random_series_dags(13), 20)]:
        graph = discover_series(dag, lags=lags).window
        other, new = renamed(dag, rng)
        nodes = [node_at(process, lag) for process in dag.observed for lag in range(lags + 1)]
        renamed_nodes = [node_at(new[process], lag) for process in dag.observed for lag in range(lags + 1)]
        found = discover_series(other, lags=lags).window
        assert np.array_equal(graph.arranged(nodes), found.arranged(renamed_nodes)), (repr(dag), lags)


# -- one root is enough -----------------------------------------------------------------------------------------------


def d_sep(marks: NDArray[np.uint8], root: int, other: int) -> set[int]:
    """The ends of paths from the root whose nodes all cause one of the two, and whose inner nodes are colliders."""
    allowed = ancestors(marks, (root, other)) - {root, other}
    steps = {(root, v) for v in allowed if marks[root, v]}
    while True:
        more = {
            (u, w) for t, u in steps for w in allowed - {t} if marks[t, u] == ARROW and marks[w, u] == ARROW
        } - steps
        if not more:
            return {v for _, v in steps}
        steps |= more


def large_windows(seed: int, count: int) -> Iterator[MAG]:
    for dag, lags in islice(random_series_dags(seed), count):
        yield dag.mag(lags)


def test_d_sep_of_either_root_separates() -> None:
    differ = 0
    for mag in large_windows(14, 25):
        for x, y in combinations(range(len(mag.nodes)), 2):
            if not mag.marks[x, y]:
                sets = [d_sep(mag.marks, x, y), d_sep(mag.marks, y, x)]
                assert all(separated_by_augmentation(mag.marks, x, y, given) for given in sets)
                differ += sets[0] != sets[1]
    assert differ > 100


class OtherRoot:
    """Sets from the earlier of two nodes, in the place of those from the later one."""

    def __init__(self, sets: Any) -> None:
        self._sets = sets

    def separate_given(self, x: int, y: int, base: Any, sides: int) -> Any:
        return self._sets.separate_given(x, y, base, {1: 2, 2: 1, 3: 3}[sides])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sets, name)


def test_sets_from_the_earlier_node_are_as_exact() -> None:
    other_sets = 0
    for dag, lags in [*NAMED.values(), *islice(random_series_dags(15), 25)]:
        usual = SeriesSearch(window_problem(dag, lags))
        last = list(usual.of_oracle())[-1]
        search = SeriesSearch(window_problem(dag, lags))
        this = Round(search, KnownAncestors(search.constraints.cause))
        this.sets = OtherRoot(this.sets)  # type: ignore[assignment]
        for radius in this.radii():
            complete = not this.refine(radius)
            oriented = this.orienter.orient(radius, complete)
            if complete:
                break
        assert np.array_equal(oriented.marks, last.oriented.marks), (repr(dag), lags)
        other_sets += search.tests != usual.tests
    assert other_sets > 5
