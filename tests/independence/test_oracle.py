from itertools import combinations

import numpy as np
import pytest

from ancestral import DAG, AncestralError, OptionError, Oracle, UnknownName, is_separated, mag_of
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
        ("a", "b", "c", "given must be a set of names"),
    ]:
        with pytest.raises(AncestralError, match=message):
            oracle.independent(x, y, given)


def test_the_n_oracle_says_dependent_beyond_its_limit() -> None:
    dag = DAG.parse("a -> b, b -> c, d")
    assert Oracle(dag, max_given=1).independent("a", "c", {"b"})
    assert not Oracle(dag, max_given=0).independent("a", "c", {"b"})
    assert Oracle(dag, max_given=0).independent("a", "d")


def test_an_oracle_of_tables_answers_inside_one_of_them_only() -> None:
    dag = DAG.parse("a -> b, b -> c, c -> d")
    tables = [{"a", "b", "c"}, {"b", "c", "d"}, {"d", "a"}]
    oracle = Oracle(dag, together=tables)
    names = ["d", "c", "b", "a"]
    questions, unsupported = oracle.questions(names), 0
    for x, y in combinations(range(4), 2):
        others = [v for v in range(4) if v not in (x, y)]
        for given in ((), *((v,) for v in others), tuple(others)):
            asked = {names[v] for v in (x, y, *given)}
            answers = any(asked <= table for table in tables)
            expected = is_separated(dag, names[x], names[y], given={names[v] for v in given}) if answers else None
            assert oracle.independent(names[x], names[y], {names[v] for v in given}) is expected
            assert questions.ask(x, y, given) == bool(expected)
            assert np.isnan(questions.statistic) == (not answers)
            unsupported += not answers
    assert questions.unsupported.sum() == unsupported > 0


def test_the_sets_of_an_oracle_are_checked() -> None:
    dag = DAG.parse("a -> b, b -> c")
    with pytest.raises(UnknownName, match="unknown observed node 'q'"):
        Oracle(dag, together=[["a", "b"], ["c", "q"]])
    with pytest.raises(OptionError, match="'c' is in none of the sets; add it"):
        Oracle(dag, together=[["a", "b"]])
    with pytest.raises(OptionError, match="together must be sets of nodes"):
        Oracle(dag, together="abc")
    with pytest.raises(OptionError, match="together must be a list of names"):
        Oracle(dag, together=[1, 2])  # type: ignore[list-item]
    assert Oracle(dag, together=[["b", "a"], ["a"], ["c", "b"], ["a", "b"]]).together == (("a", "b"), ("b", "c"))


def test_an_oracle_of_tables_is_another_source() -> None:
    dag = DAG.parse("a -> b, b -> c")
    plain, one, other = (
        Oracle(dag),
        Oracle(dag, together=[["a", "b"], ["b", "c"]]),
        Oracle(dag, together=[["a", "c"], ["b", "c"]]),
    )
    assert len({plain.fingerprint, one.fingerprint, other.fingerprint}) == 3
    assert one.fingerprint == Oracle(dag, together=[["c", "b"], ["b", "a"]]).fingerprint
    assert repr(one) == f"Oracle({dag!r}, together=[['a', 'b'], ['b', 'c']])"
