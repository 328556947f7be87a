"""What follows from knowledge about processes, against every series DAG of two processes, and against random ones."""

from collections.abc import Iterable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import DAG, KnowledgeError, Oracle, stages
from ancestral.graphs import SeriesDAG
from ancestral.graphs.window import Window, node_at
from ancestral.knowledge import SeriesKnowledge
from tests.support.knowledge_laws import Truth
from tests.support.series_truth import random_series_dags
from tests.support.stage_laws import false_marks, missing_edges

Truths = NDArray[np.bool_]


class Worlds:
    """Many series DAGs of the same processes at once, by their edges `[world, cause, effect, lag]`, acyclic in a step.

    `caused[world, x, y, lag]`: x at t-lag causes y at t, or is the same; `ever[world, x, y]`: x causes y at some lag.
    """

    def __init__(self, edges: Truths) -> None:
        self.edges = edges
        n, order = edges.shape[1], edges.shape[3] - 1
        once = edges[..., 0] | np.eye(n, dtype=bool)
        for _ in range(n):
            once = once | (once.astype(int) @ once > 0)
        # the last step between two times has some lag, and goes on within a step
        caused = [once.astype(int)]
        for total in range(1, order + 1):
            sums = sum(caused[total - lag] @ edges[..., lag].astype(int) @ caused[0] for lag in range(1, total + 1))
            caused.append((np.asarray(sums) > 0).astype(int))
        self.caused = np.stack(caused, axis=-1) > 0
        ever = edges.any(axis=3) | np.eye(n, dtype=bool)
        for _ in range(n):
            ever = ever | (ever.astype(int) @ ever > 0)
        self.ever = ever

    def keep(self, statements: dict[str, Any], names: tuple[str, ...]) -> Truths:
        """In which worlds all statements hold, each by its definition."""
        at = {name: i for i, name in enumerate(names)}
        own = names if statements["own_past"] == "all" else statements["own_past"]
        kept = np.ones(len(self.edges), dtype=bool)
        for x in own:
            kept &= self.edges[:, at[x], at[x], 1]
        for x, y in statements["forbidden"]:
            kept &= ~self.ever[:, at[x], at[y]]
        for x, lag, y in statements["required"]:
            kept &= self.edges[:, at[x], at[y], lag]
        for item in statements["causes"]:
            x, y = at[item[0]], at[item[-1]]
            kept &= self.caused[:, x, y, item[1]] if len(item) == 3 else self.ever[:, x, y]
        tiers = list(enumerate(statements["tiers"]))
        later = [(x, y) for (i, early), (j, late) in product(tiers, tiers) if i < j for x in late for y in early]
        later += permutations(names, 2) if not statements["within_step"] else []
        for x, y in later:
            kept &= ~self.caused[:, at[x], at[y], 0]
        return kept


def every_world(order: int) -> Worlds:
    """All series DAGs of two processes with lags up to `order`."""
    places = [(x, y, lag) for x, y, lag in product((0, 1), (0, 1), range(order + 1)) if lag or x != y]
    edges = np.zeros((1 << len(places), 2, 2, order + 1), dtype=bool)
    numbers = np.arange(len(edges))
    for i, (x, y, lag) in enumerate(places):
        edges[:, x, y, lag] = numbers >> i & 1
    return Worlds(edges[~(edges[:, 0, 1, 0] & edges[:, 1, 0, 0])])


def draw(rng: np.random.Generator, names: tuple[str, ...], lags: int) -> dict[str, Any]:
    """Statements that may contradict each other."""
    pairs = list(permutations(names, 2))
    lagged = [(x, lag, y) for x, lag, y in product(names, range(lags + 1), names) if lag or x != y]
    few = 1.5 / len(lagged)
    shuffled = [str(name) for name in rng.permutation(names)]
    return {
        "own_past": "all" if rng.random() < 0.2 else [name for name in names if rng.random() < 0.2],
        "forbidden": [pair for pair in pairs if rng.random() < 0.8 / len(names)],
        "required": [item for item in lagged if rng.random() < few],
        "causes": [item for item in (*lagged, *pairs) if rng.random() < few],
        "tiers": [shuffled[:1], shuffled[1:]] if rng.random() < 0.3 else [],
        "within_step": bool(rng.random() < 0.8),
    }


def in_window(caused: Truths, window: Window) -> Truths:
    """By nodes of a window, what `caused[x, y, lag]` says by processes; False where y comes before x."""
    places = [window.place(name) for name in window.names]
    at = {name: i for i, name in enumerate(window.processes)}
    return np.array([[k >= m and caused[at[x], at[y], k - m] for y, m in places] for x, k in places])


@pytest.mark.parametrize("lags", [1, 2])
def test_what_follows_is_what_holds_in_every_world(lags: int) -> None:
    rng = np.random.default_rng(lags)
    window = Window(("a", "b"), lags)
    worlds = every_world(lags + 1)  # an unknown lag may be longer than the window
    contradictory = said = 0
    for _ in range(300):
        statements = draw(rng, window.processes, lags)
        kept = worlds.keep(statements, window.processes)
        try:
            known = SeriesKnowledge(**statements)
        except KnowledgeError:
            assert not kept.any(), statements
            contradictory += 1
            continue
        assert kept.any(), statements
        constraints = known.window(window).constraints(window.names, selection_bias=False)
        apart = ~np.eye(len(window.names), dtype=bool)
        always = in_window(np.asarray(worlds.caused[kept].all(axis=0)), window) & apart
        never = ~in_window(np.asarray(worlds.caused[kept].any(axis=0)), window) & apart
        assert np.array_equal(constraints.cause, always), statements
        assert np.array_equal(constraints.no_cause, never), statements
        said += 1
    assert min(contradictory, said) > 80


def world_of(edges: Iterable[tuple[str, int, str]], names: tuple[str, ...], order: int) -> Worlds | None:
    """The world with these edges; None if they form a cycle within a step."""
    found = np.zeros((1, len(names), len(names), order + 1), dtype=bool)
    for x, lag, y in edges:
        found[0, names.index(x), names.index(y), lag] = True
    out = Worlds(found)
    once = out.caused[0, :, :, 0] & ~np.eye(len(names), dtype=bool)
    return None if (once & once.T).any() else out


def test_of_three_processes_whatever_is_left_open_is_possible() -> None:
    """A world in which nothing acts but what is stated, and one thing more, which is not known not to be."""
    rng = np.random.default_rng(7)
    names, lags = ("a", "b", "c"), 2
    window = Window(names, lags)
    opened = contradictory = 0
    for _ in range(60):
        statements = draw(rng, names, lags)
        own = names if statements["own_past"] == "all" else statements["own_past"]
        causes = [item if len(item) == 3 else (item[0], lags + 1, item[1]) for item in statements["causes"]]
        least = [*((x, 1, x) for x in own), *statements["required"], *causes]
        bare = world_of(least, names, lags + 1)
        holds = bare is not None and bare.keep(statements, names).all()
        try:
            known = SeriesKnowledge(**statements)
        except KnowledgeError:
            assert not holds, statements
            contradictory += 1
            continue
        assert holds, statements
        constraints = known.window(window).constraints(window.names, selection_bias=False)
        for x, lag, y in product(names, range(lags + 1), names):
            if x == y and lag == 0:
                continue
            more = world_of([*least, (x, lag, y)], names, lags + 1)
            possible = more is not None and bool(more.keep(statements, names).all())
            for k in range(lags - lag + 1):  # the same at all steps
                nodes = window.names.index(node_at(x, k + lag)), window.names.index(node_at(y, k))
                assert constraints.no_cause[nodes] == (not possible), (statements, x, lag, y)
            opened += possible
    assert opened > 200 and contradictory > 10


# -- true statements, and searches that keep to them ----------------------------------------------------------------


def true_statements(dag: SeriesDAG, lags: int, rng: np.random.Generator) -> dict[str, Any]:
    """Some statements that are true of a series DAG, latent processes among them."""
    truth = Truth(dag.window(lags))
    names = dag.observed
    ever = {name: {name} for name in dag.processes}
    for _ in dag.processes:
        for cause, _, effect in dag.edges:
            ever[effect] |= ever[cause]
    pairs = list(permutations(names, 2))
    lagged = [(x, lag, y) for x, lag, y in product(names, range(lags + 1), names) if lag or x != y]
    direct = [(x, k, y) for x, k, y in lagged if truth.causes_by_no_other(node_at(x, k), node_at(y, 0))]
    known = [(x, k, y) for x, k, y in lagged if truth.causes(node_at(x, k), node_at(y, 0))]
    at_once = [(x, y) for x, k, y in known if k == 0]
    order = sorted(names, key=lambda name: sum(y == name for _, y in at_once))

    def some(items: list[Any]) -> list[Any]:
        return [item for item in items if rng.random() < 0.4]

    own = [x for x, k, y in direct if x == y and k == 1]
    cut = int(rng.integers(0, len(order)))
    return {
        "own_past": "all" if len(own) == len(names) and rng.random() < 0.5 else some(own),
        "forbidden": some([(x, y) for x, y in pairs if x not in ever[y]]),
        "required": some(direct),
        "causes": some([*known, *((x, y) for x, y in pairs if x in ever[y])]),
        "tiers": [order[:cut], order[cut:]],
        "within_step": bool(at_once) or bool(rng.random() < 0.5),
    }


def test_true_statements_are_never_refused_and_say_nothing_false() -> None:
    rng = np.random.default_rng(3)
    told = 0
    for (dag, lags), _ in zip(random_series_dags(11), range(60), strict=False):
        window = Window(dag.observed, lags)
        known = SeriesKnowledge(**true_statements(dag, lags, rng)).window(window)
        truth = Truth(dag.window(lags))
        constraints = known.constraints(window.names, selection_bias=False)
        for i, j in permutations(range(len(window.names)), 2):
            x, y = window.names[i], window.names[j]
            assert not (constraints.cause[i, j] and not truth.causes(x, y)), (dag, known, x, y)
            assert not (constraints.no_cause[i, j] and truth.causes(x, y)), (dag, known, x, y)
        mag = dag.mag(lags)
        assert all(mag.edge(a, b) for a, b in known.required), (dag, known)
        told += len(known.required) + len(known.causes)
    assert told > 200


def searched(dag: SeriesDAG, lags: int, statements: dict[str, Any], algorithm: str) -> int:
    """Search a window with an oracle, assert that every stage is true, and return the number of marks at the end."""
    whole: DAG = dag.window(lags)
    known = SeriesKnowledge(**statements).window(Window(dag.observed, lags))
    for stage in stages(Oracle(whole), knowledge=known, algorithm=algorithm, selection_bias=False):
        assert not false_marks(whole, stage), (dag, known)
        assert not missing_edges(whole, stage), (dag, known)
        assert not known.violations(stage.pag, selection_bias=False), (dag, known)
    return int((stage.oriented.marks > 1).sum())


@pytest.mark.parametrize("algorithm", ["icd", "fci"])
def test_a_search_with_true_statements_finds_nothing_false_and_no_less(algorithm: str) -> None:
    rng = np.random.default_rng(4)
    more = 0
    for (dag, lags), _ in zip(random_series_dags(12), range(20), strict=False):
        if len(dag.observed) * (lags + 1) > 9:
            continue
        without = searched(dag, lags, {}, algorithm)
        found = searched(dag, lags, true_statements(dag, lags, rng), algorithm)
        assert found >= without
        more += found - without
    assert more > 10
