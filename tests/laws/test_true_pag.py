"""The PAG by the rules is the PAG by definition, and what it says is true of the DAG."""

import numpy as np
import pytest

from ancestral import DAG, mag_of, pag_of, simulate
from ancestral.classes.equivalence import class_pag
from tests.support.classes import agreed_marks, classes, oriented_marks, skeletons
from tests.support.reference import random_dag_marks, true_of


@pytest.mark.parametrize(("n", "mags", "class_count"), [(2, 5, 2), (3, 72, 11), (4, 3045, 251)])
def test_rules_find_the_class_of_every_small_mag(n: int, mags: int, class_count: int) -> None:
    every = list(classes(skeletons(n)))
    assert (sum(map(len, every)), len(every)) == (mags, class_count)
    for members in every:
        expected = agreed_marks(members)
        for mag in members:
            assert np.array_equal(oriented_marks(mag), expected), mag


def hidden_dag(seed: int, observed: int) -> DAG:
    """A random DAG with so many observed nodes and up to five latent or selection nodes."""
    rng = np.random.default_rng(seed)
    size = observed + int(rng.integers(0, 6))
    names = [f"v{i}" for i in range(size)]
    hidden = rng.permutation(names)[: size - observed].tolist()
    cut = int(rng.integers(0, len(hidden) + 1))
    return DAG(names, random_dag_marks(rng, size, rng.uniform(0.2, 0.7)), latent=hidden[:cut], selection=hidden[cut:])


@pytest.mark.parametrize("observed", [3, 4, 5])
def test_rules_find_the_class_of_random_dags(observed: int) -> None:
    for seed in range(150):
        dag = hidden_dag(seed, observed)
        assert pag_of(dag) == class_pag(dag), dag


def assert_true(dag: DAG) -> None:
    pag = pag_of(dag)
    assert np.array_equal(pag.marks != 0, mag_of(dag).arranged(pag.nodes) != 0)
    for x, y in np.argwhere(pag.marks > 1):
        assert true_of(dag, pag.nodes[y], int(pag.marks[x, y]), pag.nodes[x]), dag


@pytest.mark.parametrize("make", simulate.trouble.TROUBLE, ids=lambda make: make.__name__)
def test_every_mark_is_true_of_troubled_dags(make: simulate.trouble.Trouble) -> None:
    for seed in range(100):
        assert_true(make(seed=seed))


def test_every_mark_is_true_of_larger_dags() -> None:
    for seed in range(15):
        assert_true(simulate.random_dag(nodes=30, degree=3, seed=seed))


def test_a_thousand_nodes() -> None:
    dag = simulate.random_dag(nodes=1000, degree=2, seed=1)
    pag = pag_of(dag)
    assert len(pag.nodes) == len(dag.observed)
    tails = np.argwhere(pag.marks == 3)[:50]
    assert len(tails) == 50
    for x, y in tails:
        assert true_of(dag, pag.nodes[y], 3, pag.nodes[x])
