"""Experiments: samples of one system, the targets that are told, and the joint DAG of the system and the contexts."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral import DAG, OptionError, is_separated
from ancestral.simulate import Experiment, experiment, intervene, random_dag
from tests.simulate.test_discrete import looks_independent
from tests.simulate.test_gaussian import partial_correlation

HIDDEN = DAG.parse("L -> a, L -> b, a -> c, b -> s, c -> s", latent=["L"], selection=["s"])
ACTS: dict[str, Any] = {
    "drug": {"do": {"a": 1}, "shift": {"c": 0.5}},
    "mood": {"do": {"b": "random"}, "shift": {"L": -1.0}},
    "site": {},
}


def pooled(done: Experiment) -> tuple[list[str], NDArray[np.float64]]:
    """All rows, with a column for each context: 1 in the rows of its sample."""
    contexts = list(done.samples)[1:]
    parts = [
        frame.with_columns(pl.lit(float(name == context)).alias(context) for context in contexts)
        for name, frame in done.samples.items()
    ]
    return [*parts[0].columns], pl.concat(parts).cast(pl.Float64).to_numpy()


@pytest.mark.parametrize("system", ["gaussian", "nonlinear", "discrete", "mixed"])
def test_the_samples_are_those_of_intervene(system: str) -> None:
    options: dict[str, Any] = {"discrete": ["c"]} if system == "mixed" else {}
    done = experiment(HIDDEN, ACTS, rows=50, system=system, seed=3, **options)
    assert list(done.samples) == ["control", "drug", "mood", "site"]
    assert done.done == {"control": {}, **ACTS}
    for number, (name, frame) in enumerate(done.samples.items()):
        again = intervene(HIDDEN, 50, system=system, seed=3, sample=number, **done.done[name], **options)
        assert frame.equals(again)
        assert frame.columns == ["a", "b", "c"]


def test_targets_are_told_where_all_are_observed_and_none_is_unknown() -> None:
    done = experiment(HIDDEN, ACTS, rows=5, seed=1)
    assert done.targets == {"drug": ["a", "c"], "site": []}
    assert experiment(HIDDEN, ACTS, rows=5, seed=1, unknown=["drug", "mood"]).targets == {"site": []}


def test_the_joint_dag_has_contexts_and_one_design() -> None:
    done = experiment(HIDDEN, ACTS, rows=5, seed=1)
    assert done.dag == DAG.parse(
        "L -> a, L -> b, a -> c, b -> s, c -> s, drug -> a, drug -> c, mood -> b, mood -> L, design -> drug, "
        "design -> mood, design -> site",
        latent=["L", "design"],
        selection=["s"],
    )
    assert done.dag.observed == ("a", "b", "c", "drug", "mood", "site")
    assert an.discover(an.Oracle(done.dag), progress=False).pag == an.pag_of(done.dag)


def test_one_context_needs_no_design() -> None:
    done = experiment(HIDDEN, {"drug": {"do": {"a": 0}}}, rows=5, seed=1)
    assert done.dag == DAG.parse(f"{HIDDEN}\ndrug -> a")


def test_names_that_are_taken_are_avoided() -> None:
    dag = DAG.parse("e1 -> design, control -> design")
    assert list(experiment(dag, 2, rows=5, seed=1).samples) == ["control", "e_1", "e_2"]
    assert experiment(dag, 2, rows=5, seed=1).dag.latent == {"design_"}
    done = experiment(DAG.parse("a"), {"design": {}, "design_": {}}, rows=5, seed=1)
    assert done.dag.latent == {"design__"}


def test_it_prints_what_was_done() -> None:
    done = experiment(HIDDEN, ACTS, rows=1500, seed=1, unknown=["drug"])
    assert str(done).splitlines() == [
        "control: 1,500 rows, nothing done",
        "drug: 1,500 rows, a set to 1 and c shifted by 0.5; targets not given",
        "mood: 1,500 rows, b drawn at random and L shifted by -1.0; targets not given",
        "site: 1,500 rows, nothing done",
    ]
    assert repr(done) == "<Experiment: 4 samples, 6,000 rows>"


# -- random experiments -------------------------------------------------------------------------------------------


def test_random_samples_act_on_one_or_two_observed_nodes() -> None:
    dag = random_dag(nodes=6, seed=1, latent=2)
    hows: Counter[str] = Counter()
    counts: Counter[int] = Counter()
    nodes: Counter[str] = Counter()
    for seed in range(60):
        done = experiment(dag, 4, rows=2, system="mixed", seed=seed)
        assert list(done.targets) == ["e1", "e2", "e3", "e4"] == list(done.samples)[1:]
        for name, on in done.targets.items():
            assert set(on) <= set(dag.observed)
            assert done.dag.neighbours(name, "-->") == set(on)
            counts[len(on)] += 1
            nodes.update(on)
            hows.update(how for how, acts in done.done[name].items() for _ in acts)
            assert all(0.5 <= abs(by) <= 2 for by in done.done[name].get("shift", {}).values())
            numbers = [value for value in done.done[name].get("do", {}).values() if not isinstance(value, str)]
            assert all(0.5 <= abs(value) <= 2 for value in numbers)
    assert set(counts) == {1, 2} and min(counts.values()) > 80
    assert set(hows) == {"do", "shift"} and min(hows.values()) > 130
    assert set(nodes) == set(dag.observed) and min(nodes.values()) > 50


def test_random_samples_on_latent_nodes() -> None:
    dag = DAG.parse("L -> a, L -> b, M -> b, M -> c", latent=["L", "M"])
    on_latent = total = 0
    for seed in range(50):
        done = experiment(dag, 4, rows=2, seed=seed, latent_targets=0.4)
        for name, acts in done.done.items():
            on = [node for nodes in acts.values() for node in nodes]
            assert (name in done.targets) == (bool(on) and not {"L", "M"} & set(on))
            on_latent, total = on_latent + len({"L", "M"} & set(on)), total + len(on)
    assert 0.3 < on_latent / total < 0.5
    always = experiment(dag, 20, rows=2, seed=1, latent_targets=1.0)
    assert always.targets == {}
    assert all({"L", "M"} >= {*acts.get("do", {}), *acts.get("shift", {})} for acts in always.done.values())


def test_the_seed_decides_and_the_way_the_dag_is_written_does_not() -> None:
    other = DAG.parse("s, c, a -> c, c -> s, b -> s, L -> b, L -> a", latent=["L"], selection=["s"])
    one, two = (experiment(dag, 5, rows=20, seed=2, latent_targets=0.5) for dag in (HIDDEN, other))
    assert one.done == two.done
    assert all(frame.equals(two.samples[name].select(frame.columns)) for name, frame in one.samples.items())
    assert one.done != experiment(HIDDEN, 5, rows=20, seed=3, latent_targets=0.5).done


def test_a_single_node_can_be_acted_on_once() -> None:
    assert experiment(DAG.parse("a"), 10, rows=2, seed=1).targets == {f"e{i}": ["a"] for i in range(1, 11)}


# -- the rows of all samples together satisfy the separations of the joint DAG ------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_shifted_gaussian_samples_have_the_separations_of_the_joint_dag(seed: int) -> None:
    dag = DAG.parse("L -> a, L -> b, a -> c, c -> d, b -> d, a -> f", latent=["L"])
    acts: dict[str, Any] = {"one": {"shift": {"a": 2.0}}, "two": {"shift": {"L": -2.0, "d": 1.5}}}
    done = experiment(dag, acts, rows=10_000, seed=seed)
    names, values = pooled(done)
    _compare(
        done.dag, names, lambda x, y, given: abs(partial_correlation(values, x, y, given)) < 5 / np.sqrt(len(values))
    )


@pytest.mark.parametrize("seed", range(2))
def test_discrete_samples_have_the_separations_of_the_joint_dag(seed: int) -> None:
    dag = DAG.parse("L -> a, L -> b, a -> c, c -> d, b -> s", latent=["L"], selection=["s"])
    acts: dict[str, Any] = {"one": {"do": {"a": 1}}, "two": {"do": {"c": "random"}, "shift": {"b": 1.0}}}
    done = experiment(dag, acts, rows=20_000, system="discrete", seed=seed)
    names, values = pooled(done)
    whole = values.astype(np.int64)
    _compare(done.dag, names, lambda x, y, given: looks_independent(whole, x, y, given), dependent=False)


def _compare(dag: DAG, names: list[str], independent: Any, *, dependent: bool = True) -> None:
    """Separated pairs are independent; adjacent ones are dependent given nothing, if `dependent`."""
    assert set(names) == set(dag.observed)
    separated = 0
    for x, y in combinations(range(len(names)), 2):
        others = [z for z in range(len(names)) if z not in (x, y)]
        for size in range(4):
            for given in combinations(others, size):
                if is_separated(dag, names[x], names[y], given=[names[z] for z in given]):
                    separated += 1
                    assert independent(x, y, given), (names[x], names[y], given)
        if dependent and dag.has(names[x], "*-*", names[y]):
            assert not independent(x, y, ()), (names[x], names[y])
    assert separated > 5


# -- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "samples must be a whole number of at least 1, got 0"),
        ({"samples": 1001}, "samples must be a whole number from 1 to 1,000"),
        ({"samples": "drug"}, "samples must be a whole number of at least 1, got 'drug'"),
        ({"samples": {"control": {}}}, "samples must not be called 'control', the name of the sample in which nothing"),
        ({"samples": {"a": {}}}, "samples must not be called 'a', the name of a node; rename it"),
        ({"samples": {1: {}}}, "samples must have names that are strings, got 1; for example samples="),
        ({"samples": {"": {}}}, "samples must have names that are strings, got ''"),
        ({"samples": {"d": {"dose": {}}}}, "samples must say what is done by 'do' and 'shift', got .* for 'd'"),
        ({"samples": {"d": 3}}, "samples must say what is done by 'do' and 'shift', got 3 for 'd'; for example"),
        ({"samples": {"d": {"do": 3}}}, "samples must map nodes to values in 'do' and 'shift', got"),
        ({"samples": {"d": {"shift": {"a": 0.0}}}}, "got a shift by 0 of 'a' for 'd'; leave it out"),
        (
            {"samples": {"d": {"do": {"q": 1}}}},
            "samples cannot be used for 'd': do must name nodes of the DAG, .* no 'q'",
        ),
        ({"samples": {"d": {"do": {"s": 1}}}}, "samples cannot be used for 'd': do must not name selection nodes"),
        (
            {"unknown": ["e3"]},
            "unknown must name samples in which something is done, not 'e3'; there are: 'e1' and 'e2'",
        ),
        ({"unknown": ["control"]}, "unknown must name samples in which something is done, not 'control'"),
        ({"unknown": 3}, "unknown must be a list of names, got 3"),
        ({"latent_targets": 1.5}, "latent_targets must be from 0 to 1, got 1.5"),
        ({"latent_targets": 0.5, "samples": {"d": {}}}, "latent_targets is for random samples; leave it out"),
        ({"rows": 0}, "rows must be a whole number"),
        ({"system": "ordinal"}, "system must be one of"),
        ({"levels": 3}, "levels cannot be combined with"),
        ({"dag": 3}, "dag must be a DAG"),
        ({"seed": None}, "seed must be"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        experiment(**{"dag": HIDDEN, "samples": 2, "rows": 10, "seed": 1, **options})
