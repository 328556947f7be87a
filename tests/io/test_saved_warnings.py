"""The warnings of a search: its result keeps them, they are saved and loaded, and what cannot be one is refused."""

import json
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an

#: `a` and `b` are independent; knowledge says that a causes b, and the data separate them.
ROWS = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=500, seed=1)
#: Has what looks like a code of missing values.
CODED = np.where(np.arange(500) % 10 == 0, -999.0, np.random.default_rng(1).normal(size=500).round(1))
KNOWN = an.Knowledge(required=[("a", "b")])


@cache
def searched(algorithm: str) -> tuple[an.Discovery, tuple[str, ...]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = an.discover(ROWS.with_columns(d=CODED), algorithm=algorithm, knowledge=KNOWN, resamples=0)
    return found, tuple(str(one.message) for one in caught)


def document(algorithm: str = "icd") -> dict[str, Any]:
    return dict(json.loads(searched(algorithm)[0].to_json()))


def loaded(content: dict[str, Any], folder: Path) -> an.Discovery:
    (folder / "run.json").write_text(json.dumps(content))
    return an.load(folder / "run.json")


@pytest.mark.parametrize("algorithm", ["icd", "scored"])
def test_all_that_was_warned_of_is_kept_and_saved(algorithm: str, tmp_path: Path) -> None:
    found, told = searched(algorithm)
    assert tuple(map(str, found.warnings)) == told
    assert {one.kind for one in found.warnings} >= (
        {"DataWarning", "KnowledgeWarning"} if algorithm == "icd" else set()
    )
    again = loaded(document(algorithm), tmp_path)
    assert again.warnings == found.warnings
    assert again.to_json() == found.to_json()


def test_a_contradiction_names_its_pair() -> None:
    contradicted = [one for one in searched("icd")[0].warnings if one.kind == "KnowledgeWarning"]
    assert [one.about for one in contradicted] == [(("a", "b"),)]
    part, names = document()["warnings"], document()["variables"]
    assert [[names[i] for i in pair] for one in part for pair in one["about"]] == [["a", "b"]]


def test_a_run_without_warnings_has_no_such_part() -> None:
    found = an.discover(ROWS, resamples=0)
    assert found.warnings == ()
    assert "warnings" not in json.loads(found.to_json())


def test_a_file_without_the_key_is_read(tmp_path: Path) -> None:
    content = document()
    del content["warnings"]
    assert loaded(content, tmp_path).warnings == ()


def test_warnings_of_one_search_are_not_those_of_the_next() -> None:
    searched("icd")
    assert an.discover(ROWS, resamples=0).warnings == ()


CHANGES: dict[str, Callable[[Any], Any]] = {
    "no list": lambda part: "often",
    "an empty list": lambda part: [],
    "too many": lambda part: part * 1001,
    "another kind": lambda part: [{**part[0], "kind": "SyntaxWarning"}],
    "a number for a text": lambda part: [{**part[0], "text": 3}],
    "an unknown key": lambda part: [{**part[0], "seen": True}],
    "no pairs": lambda part: [{"kind": part[0]["kind"], "text": part[0]["text"]}],
    "a variable that is not there": lambda part: [{**part[0], "about": [[0, 99]]}],
    "three variables": lambda part: [{**part[0], "about": [[0, 1, 2]]}],
    "one variable twice": lambda part: [{**part[0], "about": [[1, 1]]}],
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_cannot_be_a_warning_is_refused(change: str, tmp_path: Path) -> None:
    content = document()
    content["warnings"] = CHANGES[change](content["warnings"])
    with pytest.raises(an.RunError, match="warnings"):
        loaded(content, tmp_path)
