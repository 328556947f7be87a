import numpy as np
import pytest

from ancestral import DAG, MAG, mag_of
from tests.support.reference import random_dag_marks, separated_by_paths, subsets, true_of


@pytest.mark.parametrize(
    ("text", "latent", "selection", "expected"),
    [
        ("L -> a, L -> b", ["L"], [], "a <-> b"),
        ("a -> s, b -> s", [], ["s"], "a --- b"),
        ("a -> L, L -> b", ["L"], [], "a --> b"),
        # a confounded chain: a and c are joined by an inducing path through the collider b
        ("a -> b, b -> c, L -> b, L -> c", ["L"], [], "a --> b, b --> c, a --> c"),
        ("L -> a, L -> b, M -> b, M -> c", ["L", "M"], [], "a <-> b, b <-> c"),
        # a latent collider that leads to selection
        ("a -> L, b -> L, L -> s", ["L"], ["s"], "a --- b"),
        # selection below one side: the other keeps no arrowhead either
        ("a -> b, b -> s", [], ["s"], "a --- b"),
        ("L -> a, L -> b, a -> s", ["L"], ["s"], "a --> b"),
    ],
)
def test_small_projections(text: str, latent: list[str], selection: list[str], expected: str) -> None:
    assert mag_of(DAG.parse(text, latent=latent, selection=selection)) == MAG.parse(expected)


@pytest.mark.parametrize("seed", range(30))
def test_adjacent_means_inseparable_and_marks_mean_ancestry(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 8))
    names = [f"v{i}" for i in range(size)]
    hidden = names[: int(rng.integers(0, size - 2))]
    cut = int(rng.integers(0, len(hidden) + 1))
    dag = DAG(names, random_dag_marks(rng, size, 0.45), latent=hidden[:cut], selection=hidden[cut:])
    mag = mag_of(dag)
    always = [dag.index(s) for s in dag.selection]
    seen = [dag.index(v) for v in dag.observed]
    for a in seen:
        for b in seen:
            if a >= b:
                continue
            others = [v for v in seen if v not in (a, b)]
            separable = any(separated_by_paths(dag.marks, a, b, [*z, *always]) for z in subsets(others))
            x, y = dag.nodes[a], dag.nodes[b]
            assert (mag.edge(x, y) is None) is separable
            if not separable:
                assert true_of(dag, x, int(mag.marks[mag.index(y), mag.index(x)]), y)
                assert true_of(dag, y, int(mag.marks[mag.index(x), mag.index(y)]), x)


def test_observed_nodes_keep_their_order() -> None:
    assert mag_of(DAG.parse("z -> L, L -> a, m", latent=["L"])).nodes == ("z", "a", "m")
