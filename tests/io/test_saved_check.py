"""The check in run files: it is saved and loaded, files without one are read, and what cannot be one is refused."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ancestral as an

ROWS = an.simulate.linear_gaussian(an.simulate.random_dag(9, 2.5, seed=2), rows=300, seed=2)
ROWS = ROWS.select(ROWS.columns[::-1])  # the order of columns is not that of names
OLD = Path(__file__).parent / "old_runs"


@cache
def found(algorithm: str) -> an.Discovery:
    return an.discover(ROWS, algorithm=algorithm)


def document(algorithm: str) -> dict[str, Any]:
    out: dict[str, Any] = json.loads(found(algorithm).to_json())
    return out


def loaded(content: dict[str, Any], folder: Path) -> an.Discovery:
    path = folder / "run.json"
    path.write_text(json.dumps(content))
    return an.load(path)


@pytest.mark.parametrize("algorithm", ["icd", "scored", "pc"])
def test_a_loaded_run_shows_the_check_that_was_saved(algorithm: str, tmp_path: Path) -> None:
    run = found(algorithm)
    again = loaded(document(algorithm), tmp_path)
    assert run.check is not None and again.check == run.check
    assert str(again) == str(run) and again.to_json() == run.to_json()


def test_the_file_holds_the_numbers_of_the_check() -> None:
    check = found("icd").check
    assert check is not None and check.denied and check.fit is not None and check.fit.worst is not None
    part, names = document("icd")["check"], document("icd")["variables"]
    assert [part[key] for key in ("dependences", "denied", "beyond_chance")] == [
        check.dependences, check.denied, check.beyond_chance,
    ]  # fmt: skip
    pairs = [(names[a], names[b]) for a, b in zip(part["denied_pairs"]["a"], part["denied_pairs"]["b"], strict=True)]
    assert pairs == [(a, b) for a, b, _ in check.denied_pairs]
    assert (part["fit"]["deviance"], part["fit"]["worst"]["a"]) == (check.fit.deviance, check.fit.worst.a)


@pytest.mark.parametrize("algorithm", ["icd", "scored"])
def test_a_file_without_the_key_is_read_and_has_no_check(algorithm: str, tmp_path: Path) -> None:
    content = document(algorithm)
    del content["check"]
    run = loaded(content, tmp_path)
    assert run.check is None and run.pag == found(algorithm).pag
    assert "denies" not in str(run)
    # with the data it is computed
    assert an.discover(ROWS, resume=tmp_path / "run.json").check == found(algorithm).check


def test_a_file_of_version_3_has_no_check() -> None:
    assert an.load(OLD / "icd_complete.json").check is None


def test_the_run_of_an_oracle_is_saved_without_a_check(tmp_path: Path) -> None:
    run = an.discover(an.Oracle(an.DAG.parse("a -> b")), save=tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())["check"] is None
    assert run.check is an.load(tmp_path / "run.json").check is None


def test_a_resumed_run_has_the_check_of_one_that_was_not_stopped(tmp_path: Path) -> None:
    an.discover(ROWS, algorithm="icd", max_radius=0, save=tmp_path / "run.json")
    assert an.discover(ROWS, resume=tmp_path / "run.json").check == found("icd").check
    assert (tmp_path / "run.json").read_text() == found("icd").to_json()


def test_stages_of_many_pairs_are_saved_on_the_way_without_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ancestral.result.MOST_PAIRS", 5)
    run = an.discover(ROWS, algorithm="icd", max_radius=0)
    assert json.loads(run.to_json())["check"] is not None
    run.stopped = "interrupt"
    assert json.loads(run.to_json())["check"] is None


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "unknown key": (lambda c: c.update(passed=True), "check.passed is not known here"),
    "missing key": (lambda c: c.pop("denied"), "check.denied is missing"),
    "not an object": (lambda c: c.update(denied_pairs=[]), "check.denied_pairs must be an object"),
    "alpha": (lambda c: c.update(alpha=1), "check.alpha must be a number between 0 and 1"),
    "more than the pairs": (lambda c: c.update(dependences=10**6), "check.dependences must be a whole number"),
    "denied more than implied": (lambda c: c.update(implied=0), "check must be a check whose numbers agree"),
    "claimed more than joined": (lambda c: c.update(claimed=36), "a check whose numbers agree|a whole number"),
    "beyond more than denied": (
        lambda c: c.update(beyond_chance=c["denied"] + 1),
        "check.beyond_chance must be a whole",
    ),
    "too many contradictions": (lambda c: c.update(contradictions=["…"] * 22), "a check whose numbers agree"),
    "no text": (lambda c: c.update(contradictions=[1]), "check.contradictions.0. must be a string"),
    "fewer pairs": (lambda c: c["denied_pairs"].update(a=[]), "check.denied_pairs.a must be a list of"),
    "same variable": (lambda c: c["denied_pairs"].update(a=c["denied_pairs"]["b"]), "pairs of different variables"),
    "p-value": (
        lambda c: c["denied_pairs"]["p_value"].__setitem__(0, 2.0),
        "check.denied_pairs.p_value must be numbers",
    ),
    "p-value of the fit": (lambda c: c["fit"].update(p_value=-0.1), "check.fit.p_value must be a number from 0 to 1"),
    "deviance": (lambda c: c["fit"].update(deviance="large"), "check.fit.deviance must be a finite number"),
    "residual": (lambda c: c["fit"]["worst"].pop("implied"), "check.fit.worst.implied is missing"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_cannot_be_a_check_is_refused(change: str, tmp_path: Path) -> None:
    content = document("icd")
    make, message = CHANGES[change]
    make(content["check"])
    with pytest.raises(an.RunError, match=message):
        loaded(content, tmp_path)
