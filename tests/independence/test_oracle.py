import numpy as np
import pytest

from ancestral import DAG, AncestralError, Oracle, is_separated, mag_of
from tests.support.reference import random_dag_marks


def test_the_oracle_answers_by_separation_in_the_dag_and_in_its_mag() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        names = [f"v{i}" for i in range(9)]
        dag = DAG(names, random_dag_marks(rng, 9, 0.35), latent=names[:2], selection=names[2:4])
        of_dag, of_mag = Oracle(dag), Oracle(mag_of(dag))
        for _ in range(20):
            x, y, *others = rng.permutation(dag.observed).tolist()
            given = set(others[: int(rng.integers(0, 4))])
            expected = is_separated(dag, x, y, given=given)
            assert of_dag.independent(x, y, given) is expected
            assert of_mag.independent(x, y, given) is expected


def test_questions_that_make_no_sense() -> None:
    oracle = Oracle(DAG.parse("L -> a, L -> b, c", latent=["L"]))
    for x, y, given, message in [
        ("a", "q", (), "unknown observed node 'q'"),
        ("a", "L", (), "unknown observed node 'L'"),
        ("a", "a", (), "is on both sides"),
        ("a", "b", ("a",), "on one side and among the given nodes"),
        ("a", "b", "c", "pass a set of names"),
    ]:
        with pytest.raises(AncestralError, match=message):
            oracle.independent(x, y, given)


def test_the_n_oracle_says_dependent_beyond_its_limit() -> None:
    dag = DAG.parse("a -> b, b -> c, d")
    assert Oracle(dag, max_given=1).independent("a", "c", {"b"})
    assert not Oracle(dag, max_given=0).independent("a", "c", {"b"})
    assert Oracle(dag, max_given=0).independent("a", "d")
