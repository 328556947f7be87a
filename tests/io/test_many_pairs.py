"""Run files of so many pairs that only some have their evidence given nothing; the bound is lowered."""

import json
import re
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.checking import check_run
from ancestral.io import run_writer

NAMES = [f"x{i}" for i in range(30)]


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_writer, "MOST_PAIRS", 10)
    monkeypatch.setattr(check_run, "MOST_PAIRS", 10)


def table(kinds: str = "continuous") -> an.Table:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(200, 30))
    for v in range(1, 30):
        values[:, v] += rng.uniform(-1, 1) * values[:, rng.integers(v)]
    return an.Table.of(values > 0 if kinds == "discrete" else values, names=NAMES, kinds=kinds)


def searched(**options: Any) -> an.Discovery:
    return an.discover(table(options.pop("kinds", "continuous")), algorithm="icd", progress=False, **options)


@pytest.mark.parametrize("kinds", ["continuous", "discrete"])
def test_a_file_has_what_decided_about_pairs(kinds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = searched(kinds=kinds)
    found.save(tmp_path / "all.json")
    monkeypatch.setattr(run_writer, "MOST_PAIRS", 10)
    found.save(tmp_path / "some.json")
    every, some = an.load(tmp_path / "all.json"), an.load(tmp_path / "some.json")
    assert (tmp_path / "some.json").stat().st_size < (tmp_path / "all.json").stat().st_size
    assert some.pag == every.pag and some.check == every.check and str(some) == str(every)
    assert some.to_frame(pairs="edges").equals(every.to_frame(pairs="edges"))
    by_nothing = 0
    for a, b in combinations(NAMES, 2):
        words = str(every.why(a, b))
        if every.sepset(a, b) == frozenset():  # only the p-value of these is gone
            words = re.sub(r"found at radius 0; .*\)", "found at radius 0)", words)
            by_nothing += 1
        assert str(some.why(a, b)) == words
    assert by_nothing > 100
    written = json.loads((tmp_path / "some.json").read_text())["marginal"]
    kept = {(NAMES[a], NAMES[b]) for a, b in zip(written["a"], written["b"], strict=True)}
    assert kept == {pair for pair in combinations(NAMES, 2) if every.sepset(*pair) != frozenset()}
    some.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "some.json").read_bytes()


@pytest.mark.usefixtures("many")
def test_with_its_data_a_file_knows_all(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    found = searched(save=path)
    resumed = an.discover(table(), algorithm="icd", resume=path, progress=False)
    a, b = next(pair for pair in combinations(NAMES, 2) if found.sepset(*pair) == frozenset())
    assert "p = " in str(found.why(a, b)) and str(resumed.why(a, b)) == str(found.why(a, b))


@pytest.mark.usefixtures("many")
def test_a_resumed_run_ends_with_the_same_file(tmp_path: Path) -> None:
    searched(save=tmp_path / "whole.json")
    searched(save=tmp_path / "part.json", max_radius=0)
    searched(resume=tmp_path / "part.json")
    assert (tmp_path / "part.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


@pytest.mark.usefixtures("many")
def test_a_function_is_not_asked_again(tmp_path: Path) -> None:
    oracle = an.Oracle(an.DAG.parse(", ".join(f"{a} -> {b}" for a, b in pairwise(NAMES))))
    an.discover(oracle, save=tmp_path / "run.json", progress=False)
    marginal = json.loads((tmp_path / "run.json").read_text())["marginal"]
    assert marginal.keys() == {"number", "df"}


def test_the_check_looks_at_dependent_pairs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for known in (None, an.Knowledge.parse("x1 | x0\nrandomised: x20")):
        every = searched(knowledge=known, alpha=0.05).check
        monkeypatch.setattr(check_run, "MOST_PAIRS", 10)
        assert searched(knowledge=known, alpha=0.05).check == every
        monkeypatch.setattr(check_run, "MOST_PAIRS", 10**9)


def twice(document: dict[str, Any]) -> None:
    for name in ("a", "b", "number"):
        document["marginal"][name].append(document["marginal"][name][0])


HOSTILE: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "a pair twice": ("marginal must be about different pairs", twice),
    "a variable that is not there": ("marginal.a", lambda d: d["marginal"]["a"].__setitem__(0, 30)),
    "a pair of one": ("marginal", lambda d: d["marginal"]["b"].__setitem__(0, d["marginal"]["a"][0])),
    "a number too few": ("marginal.number must be a list of", lambda d: d["marginal"]["number"].pop()),
    "no other ends": ("marginal", lambda d: d["marginal"].pop("b")),
    "a test of one's own": ("about every pair of variables", lambda d: d.update(scale="p-value")),
}


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("what", HOSTILE)
def test_what_cannot_be_is_refused(what: str, tmp_path: Path) -> None:
    message, change = HOSTILE[what]
    path = tmp_path / "run.json"
    searched(save=path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(an.RunError, match=message):
        an.load(path)


@pytest.mark.usefixtures("many")
def test_too_many_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ancestral.io import run_reader

    searched(save=tmp_path / "run.json")
    monkeypatch.setattr(run_reader, "MOST_NODES", 29)
    with pytest.raises(an.RunError, match="variables must be at most 29 names"):
        an.load(tmp_path / "run.json")
