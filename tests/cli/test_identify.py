"""`ancestral identify` and `ancestral effect`: what Python says, in the words of the shell."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> x, b -> x, x -> y, c -> y, y -> z")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    an.simulate.linear_gaussian(DAG, rows=1000, seed=3).write_csv(tmp_path / "data.csv")
    an.discover(tmp_path / "data.csv", resamples=0).save(tmp_path / "run.json")
    return tmp_path


def test_what_is_printed_is_what_python_says(folder: Path) -> None:
    found, run = an.discover(folder / "data.csv", resamples=0), folder / "run.json"
    assert ran("identify", run, "x", "z").out == f"{found.identify('x', 'z')}\n"
    assert ran("identify", run, "x", "z", "--latex").out == f"{found.identify('x', 'z').latex}\n"
    assert ran("identify", run, "a", "z", "--within", "x").out == f"{found.identify('a', 'z', within='x')}\n"
    assert ran("effect", run, "x", "z").out == f"{found.effect('x', 'z')}\n"
    formula = ran("effect", run, "x", "z", "--how", "formula", "--confidence", 0.9)
    assert formula.out == f"{found.effect('x', 'z', how='formula', confidence=0.9)}\n"
    given = ran("effect", run, "x", "z", "--given", "a,c", "--estimator", "regression")
    assert given.out == f"{found.effect('x', 'z', given=['a', 'c'], estimator='regression')}\n"


def test_a_refusal_names_the_way_on(folder: Path) -> None:
    refused = ran("identify", folder / "run.json", "a", "z")
    assert refused.code == 0
    assert "not from this graph, by any formula" in refused.out
    assert refused.out.endswith(
        "Within levels it is identified: --within x (which leaves out what a may do through x)\n"
    )
    none = ran("effect", folder / "run.json", "a", "z")
    assert none.code == 2
    assert "pass --within x (which leaves out what a may do through x); ancestral possible has the values" in none.err
    inside = ran("effect", folder / "run.json", "a", "z", "--within", "x")
    assert inside.out.splitlines() == [
        "Effect of a on z: none, by the graph.",
        "  At fixed values of x.",
        "  Left out: what a may do through x.",
    ]
    assert "ancestral sensitivity says how strong" in none.err
    wrong = ran("effect", folder / "run.json", "x", "z", "--how", "magic")
    assert wrong.code == 2 and "--how must be" in wrong.err


def test_a_graph_in_a_file_is_asked_too(tmp_path: Path) -> None:
    (tmp_path / "dag.txt").write_text("u -> x, u -> y, x -> m, m -> y\nlatent: u\n")
    said = ran("identify", tmp_path / "dag.txt", "x", "y")
    assert said.out.splitlines()[0] == "P(y | do(x)) = sum_{m} P(m | x) sum_{x'} P(x') P(y | m, x')"


def test_levels_are_compared_as_they_are_named(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    a, b = rng.random(4000) < 0.5, rng.random(4000) < 0.4
    x = np.where(rng.random(4000) < 0.15 + 0.35 * a + 0.35 * b, "high", "low")
    y = np.where(rng.random(4000) < 0.2 + 0.5 * (x == "high"), "ill", "well")
    pl.DataFrame({"a": a.astype(str), "b": b.astype(str), "x": x, "y": y}).write_csv(tmp_path / "levels.csv")
    found = an.discover(tmp_path / "levels.csv")
    found.save(tmp_path / "run.json")
    done = ran("effect", tmp_path / "run.json", "x", "y", "--levels", "high,low", "--event", "ill")
    assert done.out == f"{found.effect('x', 'y', levels=('high', 'low'), event='ill')}\n"
    assert "high against low" in done.out


def test_data_of_another_kind_are_not_those_of_the_run(folder: Path) -> None:
    pl.DataFrame({"x": ["a", "b"] * 20, "z": ["c", "d", "d", "c"] * 10}).write_csv(folder / "other.csv")
    done = ran("effect", folder / "run.json", "x", "z", "--data", folder / "other.csv")
    assert done.code == 2
    assert "was made from other data: its test 'fisher-z' does not take these as they are" in done.err
