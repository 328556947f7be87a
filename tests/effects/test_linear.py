"""Effects against the algebra of linear systems, and against regression by least squares on the rows."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.effects import regression_effect
from ancestral.graphs.visible import visible_steps
from tests.effects.linear_systems import Floats, LinearSystem
from tests.support import knowledge_laws


def coefficients(covariance: Floats, xs: list[int], y: int, given: list[int]) -> Floats:
    """Of X in the regression of y on X and Z, in the population."""
    both = [*xs, *given]
    return np.asarray(np.linalg.solve(covariance[np.ix_(both, both)], covariance[both, y])[: len(xs)])


def test_the_adjusted_coefficient_is_the_true_effect_on_thousands_of_graphs() -> None:
    rng = np.random.default_rng(20)
    counts = Counter[str]()
    for _ in range(2000):
        size = int(rng.integers(7, 14))
        system = LinearSystem(rng, size, hidden=int(rng.integers(0, 3)))
        dag = system.dag
        pag = an.pag_of(dag)
        chosen = rng.permutation(dag.observed).tolist()
        at = 1 + int(rng.random() < 0.5)  # one cause or two
        if visible := np.argwhere(visible_steps(pag.marks)).tolist():  # effects are rare among random pairs
            x, y = (pag.nodes[i] for i in visible[rng.integers(len(visible))])
            chosen = [x, *(v for v in chosen if v not in (x, y))]
            chosen.insert(at, y)
        xs, y = chosen[:at], chosen[at]
        answer = an.adjustment_set(pag, xs, y, limit=4)
        counts["yes" if answer.exists else "no"] += 1
        positions = [dag.index(x) for x in xs]
        truth = system.effects(positions, dag.index(y))
        if answer.no_effect:
            counts["no effect"] += 1
            assert np.abs(truth).max() < 1e-12
        if not answer.exists:
            continue
        if not answer.no_effect:
            counts["joint" if at > 1 else "single"] += 1
        covariance = system.covariance()
        for given in {*answer.minimal, answer.canonical, answer.nearest} - {None}:
            z = [dag.index(name) for name in given or ()]
            found = coefficients(covariance, positions, dag.index(y), z)
            np.testing.assert_allclose(found, truth, atol=1e-8, rtol=1e-8)
            counts["sets"] += 1
    assert counts["sets"] > 2000
    assert min(counts["single"], counts["joint"], counts["no effect"]) > 50


@pytest.mark.parametrize("kind", ["tiers", "order", "forbidden", "required", "exogenous", "all but no_edge"])
def test_so_it_is_where_something_is_known_beside_the_data(kind: str) -> None:
    rng = np.random.default_rng(5)
    counts = Counter[str]()
    for _ in range(25):
        system = LinearSystem(rng, int(rng.integers(5, 8)), hidden=int(rng.integers(0, 3)))
        dag, covariance = system.dag, system.covariance()
        known = knowledge_laws.draw(dag, rng, kind, selection_bias=False)
        found = an.discover(an.Oracle(dag), knowledge=known, selection_bias=False)
        free = an.pag_of(dag)
        for x, y in permutations(dag.observed, 2):
            answer = found.adjustment_set(x, y, limit=4)
            if not answer.exists:
                continue
            counts["gained"] += not an.adjustment_set(free, x, y, limit=1).exists
            truth = system.effects([dag.index(x)], dag.index(y))
            for given in {*answer.minimal, answer.canonical, answer.nearest} - {None}:
                z = [dag.index(name) for name in given or ()]
                got = coefficients(covariance, [dag.index(x)], dag.index(y), z)
                np.testing.assert_allclose(got, truth, atol=1e-8, rtol=1e-8)
                counts["sets"] += 1
    assert counts["sets"] > 200
    assert counts["gained"] > 5


def test_pairs_without_a_separating_set_leave_effects_open() -> None:
    known = an.Knowledge(no_edge=[("a", "c")])
    found = an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c")), knowledge=known)
    with pytest.raises(an.OptionError, match="the pairs of no_edge have none"):
        found.adjustment_set("a", "b")


def test_a_set_that_is_refused_gives_another_number() -> None:
    """In a DAG, where the criterion is complete for every choice of coefficients but a few."""
    rng = np.random.default_rng(21)
    counts = Counter[bool]()
    for _ in range(500):
        system = LinearSystem(rng, 6, hidden=int(rng.integers(0, 2)))
        dag = system.dag
        x, y, *others = rng.permutation(dag.observed).tolist()
        given = [z for z in others if rng.random() < 0.4]
        found = coefficients(system.covariance(), [dag.index(x)], dag.index(y), [dag.index(z) for z in given])
        true = bool(np.abs(found - system.effects([dag.index(x)], dag.index(y))).max() < 1e-9)
        counts[allowed := an.is_adjustment_set(dag, x, y, given)] += 1
        assert true or not allowed
        if true and not allowed:  # a number that is right by luck: no effect, or a descendant of x that tells nothing
            assert y not in dag.descendants(x) or set(given) & dag.descendants(x), (dag, x, y, given)
    assert min(counts.values()) > 100


STUDY = an.DAG.parse("a -> x, b -> x, b -> y, x -> y, c -> y, c -> b")


def rows_of(count: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    a, c = rng.normal(5, 2, count), rng.normal(0, 1, count)
    b = 0.8 * c + rng.normal(0, 1, count)
    x = 100 * (0.9 * a - 0.7 * b + rng.normal(0, 1, count))
    y = 0.02 * x + 1.1 * b + 0.9 * c + rng.normal(0, 1, count)
    return pl.DataFrame({"a": a, "b": b, "c": c, "x": x, "y": y})


def test_an_effect_is_that_of_least_squares_in_the_units_of_the_columns() -> None:
    frame = rows_of(4000, seed=3)
    found = an.discover(frame)
    sets = found.adjustment_set("x", "y")
    assert sets.exists
    effect = found.effect("x", "y")
    assert effect.given == sets.best
    given = sorted(effect.given or ())
    design = np.column_stack([np.ones(4000), frame["x"], *(frame[z] for z in given)])
    beta, _, _, _ = np.linalg.lstsq(design, frame["y"].to_numpy(), rcond=None)
    rest = frame["y"].to_numpy() - design @ beta
    spread = rest @ rest / (4000 - design.shape[1])
    error = np.sqrt(spread * np.linalg.inv(design.T @ design)[1, 1])
    assert effect.estimate == pytest.approx(beta[1], rel=1e-9)
    assert effect.error == pytest.approx(error, rel=1e-9)
    low, high = effect.interval
    assert low < 0.02 < high
    assert (high - low) / effect.error == pytest.approx(2 * 1.9605, rel=1e-3)  # Student's t with 3996 degrees
    wider = found.effect("x", "y", confidence=0.99).interval
    assert wider[0] < low < high < wider[1]


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    """Given the graph, with 8 rows, where Student's t and the normal distribution differ."""
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(2000):
        z = rng.standard_normal(8)
        x = z + rng.standard_normal(8)
        y = 0.5 * x + z + rng.standard_normal(8)
        moments = an.Moments.of(np.column_stack([x, y, z]))
        low, high = regression_effect(moments, ["x1"], "x2", frozenset({"x3"}), confidence=0.9).interval
        hits += low < 0.5 < high
    assert abs(hits / 2000 - 0.9) < 3 * np.sqrt(0.9 * 0.1 / 2000)


def test_joint_effects() -> None:
    frame = rows_of(4000, seed=4)
    moments = an.Moments.of(frame)
    effect = regression_effect(moments, ["x", "b"], "y", frozenset({"c"}))
    assert effect.lows[0] < 0.02 < effect.highs[0]
    assert effect.lows[1] < 1.1 < effect.highs[1]
    assert len(str(effect).splitlines()) == 4
    with pytest.raises(an.OptionError, match="this is the joint effect of 2 variables; see estimates"):
        _ = effect.estimate


def test_moments_alone_suffice_and_say_the_same() -> None:
    frame = rows_of(3000, seed=5)
    by_rows, by_moments = an.discover(frame), an.discover(an.Moments.of(frame))
    assert by_rows.effect("x", "y").estimate == pytest.approx(by_moments.effect("x", "y").estimate, rel=1e-9)


def test_given_sets_are_held_to_the_criterion() -> None:
    found = an.discover(rows_of(4000, seed=3))
    canonical = found.adjustment_set("x", "y").canonical
    assert canonical is not None
    assert found.effect("x", "y", given=canonical).given == canonical
    with pytest.raises(an.GraphError, match="given= must be an adjustment set, got"):
        found.effect("x", "y", given={"a"})
    none = found.effect("y", "a")
    assert (none.estimate, none.interval, none.given) == (0.0, (0.0, 0.0), None)
    assert "none, by the graph" in str(none)


def test_refusals(tmp_path: Path) -> None:
    frame = rows_of(1000, seed=3)
    found = an.discover(frame)
    found.save(tmp_path / "run.json")
    runs = {
        "a run file does not hold the data": an.load(tmp_path / "run.json"),
        "an oracle knows the graph and no numbers": an.discover(an.Oracle(STUDY)),
        "order of values": an.discover(frame, test="rank"),
    }
    for message, run in runs.items():
        with pytest.raises(an.OptionError, match=message):
            run.effect("x", "y")
    with pytest.raises(an.GraphError, match=r"P\(y \| do\(a\)\) is not identified: .*possible_effects"):
        found.effect("a", "y")
    with pytest.raises(an.GraphError, match="not by adjustment: not amenable"):
        found.effect("a", "y", how="adjustment")
    with pytest.raises(an.OptionError, match=r"given=.* does not apply to a formula"):
        found.effect("x", "y", how="formula", given=["b"])
    with pytest.raises(an.OptionError, match=r"y must be the name of one variable, got .*; ask for one at a time"):
        found.effect("x", ["y", "b"])  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match=r"confidence must be between 0 and 1, got 2; a common choice is 0.95"):
        found.effect("x", "y", confidence=2)
    with pytest.raises(an.OptionError, match=r"confidence must be between 0 and 1, got '95%'"):
        found.effect("x", "y", confidence="95%")  # type: ignore[arg-type]
    moments = an.Moments.of(frame)
    few = an.Moments.from_covariance(moments.covariance, rows=4, names=moments.names)
    with pytest.raises(an.DataError, match="4 rows are too few"):
        regression_effect(few, ["x"], "y", frozenset({"a", "b"}))
    same = frame.with_columns(z=pl.col("x") * 2)
    with pytest.raises(an.DataError, match="collinear"):
        regression_effect(an.Moments.of(same), ["x"], "y", frozenset({"z"}))
    flat = frame.with_columns(z=pl.lit(1.0))
    with pytest.raises(an.DataError, match="'z' has a single value"):
        regression_effect(an.Moments.of(flat), ["x"], "y", frozenset({"z"}))


def test_an_early_end_is_doubted() -> None:
    found = an.discover(rows_of(2000, seed=3), max_radius=1)
    assert not found.complete
    assert "stopped early" in str(found.adjustment_set("x", "y"))
