"""ICD with its repair: exact at the end, true at every stage, and blind to the order of columns."""

import os
import subprocess
import sys

import numpy as np
import pytest

from ancestral import DAG, MAG, Oracle, discover, simulate, stages
from tests.support.classes import classes, skeletons
from tests.support.example_graphs import HARD_GRAPHS, SEVEN_NODES
from tests.support.stage_laws import SOUND, assert_sound, relabeled


@pytest.mark.parametrize("name", HARD_GRAPHS)
def test_the_hard_graphs_under_many_labelings(name: str) -> None:
    for seed in range(8):
        assert_sound(relabeled(HARD_GRAPHS[name], seed))


def test_every_class_of_four_nodes() -> None:
    checked = 0
    for members in classes(skeletons(4)):
        assert_sound(MAG([f"v{i}" for i in range(4)], members[0]))
        checked += 1
    assert checked == 251


@pytest.mark.parametrize("make", simulate.trouble.TROUBLE, ids=lambda make: make.__name__)
def test_troubled_dags(make: simulate.trouble.Trouble) -> None:
    for seed in range(60):
        dag = make(seed=seed)
        if len(dag.observed) <= 10:
            assert_sound(dag, SOUND if seed % 4 == 0 else SOUND[seed % 6 : seed % 6 + 1])


@pytest.mark.parametrize("nodes", [10, 15, 20])
def test_random_dags_of_the_paper(nodes: int) -> None:
    for seed in range(10):
        assert_sound(simulate.random_dag(nodes=nodes, degree=2, seed=seed), SOUND[:4])


def test_an_oracle_of_the_mag_is_as_good_as_one_of_the_dag() -> None:
    assert_sound(SEVEN_NODES)


def as_told(dag: DAG) -> list[tuple[object, ...]]:
    """Everything a run says, by name."""
    said: list[tuple[object, ...]] = []
    for stage in stages(Oracle(dag)):
        pairs = [(a, b) for a in sorted(stage.pag.nodes) for b in sorted(stage.pag.nodes) if a < b]
        sets = [(a, b, tuple(sorted(s.given)) if (s := stage.separation(a, b)) else None) for a, b in pairs]
        reasons = sorted((o.x, o.y, o.mark, o.rule, o.because) for o in stage.trace.orientations)
        said.append((stage.radius, str(stage.pag), sets, sorted(stage.tests.items()), reasons))
    return said


@pytest.mark.parametrize("seed", range(6))
def test_permuting_nodes_permutes_nothing_but_the_columns(seed: int) -> None:
    dag = simulate.trouble.distant_d_sep(seed=seed)
    order = np.random.default_rng(seed).permutation(len(dag.nodes))
    moved = DAG([dag.nodes[i] for i in order], dag.marks[np.ix_(order, order)], dag.latent, dag.selection)
    assert as_told(dag) == as_told(moved)
    assert discover(Oracle(moved)).pag.nodes == moved.observed


def test_nothing_depends_on_the_hash_seed() -> None:
    script = (
        "import ancestral as an; found = an.discover(an.Oracle(an.simulate.random_dag(nodes=20, degree=3, seed=5)));"
        "names = sorted(found.pag.nodes); print(found, found.tests, found.verify_tests);"
        "print([sorted(s) for a in names for b in names if a < b and (s := found.sepset(a, b)) is not None]);"
        "print([str(found.why(a, b)) for a in names for b in names if a < b])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(told) == 1
