"""The choice of the algorithm, at every front door; tests/search/test_algorithm_choice.py has the rule itself."""

import json
import pickle
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import ancestral as an
from ancestral.search import algorithm_choice
from ancestral.show.rerun import command, python_call
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> c, b -> c, c -> d, e -> d")
NUMBERS = an.simulate.linear_gaussian(DAG, rows=500, seed=1)
LABELS = an.simulate.discrete(DAG, rows=500, seed=1)
MIXED = an.simulate.mixed(DAG, rows=500, seed=1)


def chosen(found: an.Discovery) -> tuple[str, str | None]:
    return found.settings.algorithm, found.settings.algorithm_reason


def p_value(x: str, y: str, given: tuple[str, ...]) -> float:
    return float(an.is_separated(DAG, x, y, given))


SOURCES: list[tuple[Any, dict[str, Any], tuple[str, str | None]]] = [
    (NUMBERS, {}, ("scored", "numbers")),
    (an.Moments.of(NUMBERS), {}, ("scored", "numbers")),
    ([NUMBERS[:200], NUMBERS[200:]], {}, ("scored", "numbers")),
    (NUMBERS, {"test": "rank"}, ("scored", "numbers")),
    (MIXED, {}, ("scored", "numbers and labels")),
    ([MIXED[:200], MIXED[200:]], {}, ("scored", "numbers and labels")),
    (NUMBERS, {"selection_bias": False}, ("scored", "numbers")),
    (LABELS, {}, ("icd", "labels")),
    (an.Counts.of(LABELS), {}, ("icd", "labels")),
    (an.Oracle(DAG), {}, ("icd", "test")),
    (p_value, {"names": list("abcde")}, ("icd", "test")),
    (NUMBERS, {"test": p_value}, ("icd", "test")),
    (an.discover(NUMBERS, algorithm="icd").test, {}, ("icd", "test")),
    (NUMBERS, {"alpha": 0.01}, ("icd", "alpha")),
    (NUMBERS, {"verify": False}, ("icd", "verify")),
    (NUMBERS, {"selection_bias": True}, ("icd", "selection_bias")),
    (NUMBERS, {"missing": "testwise"}, ("icd", "missing")),
    (NUMBERS[:10], {}, ("icd", "rows")),
    (NUMBERS, {"algorithm": "icd"}, ("icd", None)),
    (NUMBERS, {"algorithm": "scored"}, ("scored", None)),
]


@pytest.mark.parametrize(("source", "options", "expected"), SOURCES)
def test_discover_and_stages_choose(source: Any, options: dict[str, Any], expected: tuple[str, str | None]) -> None:
    found = an.discover(source, **options)
    assert chosen(found) == expected
    *_, last = an.stages(source, **options)
    assert last.pag == found.pag and (last.radius is None) == (expected[0] == "scored")


def test_an_executor_asks_questions_unless_it_searches_resamples() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert chosen(an.discover(NUMBERS, executor=executor)) == ("icd", "executor")
        with pytest.raises(an.OptionError, match='executor cannot be combined with algorithm="scored"'):
            an.discover(NUMBERS, algorithm="scored", executor=executor)
        there = an.bootstrap(NUMBERS, repeats=3, executor=executor, progress=False)
    here = an.bootstrap(NUMBERS, repeats=3, progress=False)
    assert (here.settings.algorithm, here.settings.algorithm_reason) == ("scored", "numbers")
    assert there.to_json() == here.to_json()
    assert an.bootstrap(NUMBERS, repeats=2, alpha=0.05, progress=False).settings.algorithm == "icd"


def test_labels_would_be_searched_with_a_test_that_has_a_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algorithm_choice, "LABELS_BY_SCORE", True)
    found = an.discover(LABELS)
    assert (chosen(found), found.settings.test) == (("scored", "labels"), "mixed")
    assert an.discover(LABELS, alpha=0.01).settings.test == "labels"


def test_the_summary_and_the_report_say_which_and_why(tmp_path: Path) -> None:
    found = an.discover(NUMBERS)
    first, second, *_ = str(found).splitlines()
    assert first == "Scored search on 5 variables and 500 rows, score EBIC + prior"
    assert second == (
        "chosen because the columns are numbers and no option asks for another one; it assumes an unselected sample "
        "(docs/choosing.md)"
    )
    assert "chosen" not in str(an.discover(NUMBERS, algorithm="scored"))
    assert str(an.bootstrap(NUMBERS, repeats=2, progress=False)).splitlines()[1] == second
    found.save(tmp_path / "run.json")
    assert str(an.load(tmp_path / "run.json")) == str(found)
    found.report(tmp_path / "run.html")
    assert f"Scored search, {second}" in (tmp_path / "run.html").read_text(encoding="utf-8")


# -- files, and how to repeat a run -----------------------------------------------------------------------------------


def test_a_run_file_names_the_algorithm(tmp_path: Path) -> None:
    settings = json.loads(an.discover(NUMBERS).to_json())["settings"]
    assert (settings["algorithm"], settings["algorithm_reason"]) == ("scored", "numbers")
    settings = json.loads(an.discover(NUMBERS, algorithm="scored").to_json())["settings"]
    assert settings["algorithm"] == "scored" and "algorithm_reason" not in settings


def test_a_reason_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    text = an.discover(NUMBERS).to_json()
    assert text.count('"algorithm_reason":"numbers"') == 1
    path.write_text(text.replace('"algorithm_reason":"numbers"', '"algorithm_reason":"\\u001b[1m"'), encoding="utf-8")
    with pytest.raises(an.RunError, match=r"settings.algorithm_reason must be one of .*\"numbers\""):
        an.load(path)


@pytest.mark.parametrize("algorithm", ["icd", "fci", "scored", "pc"])
def test_a_run_is_resumed_by_its_own_algorithm(algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    an.discover(NUMBERS, algorithm=algorithm, time_limit=1e-9, save=path)
    assert an.load(path).stopped == "time limit"
    found = an.discover(NUMBERS, resume=path)
    assert chosen(found) == (algorithm, None)
    assert found.pag == an.discover(NUMBERS, algorithm=algorithm).pag
    other = "icd" if algorithm != "icd" else "scored"
    with pytest.raises(an.RunError, match=f'is a run with algorithm="{algorithm}", not algorithm="{other}"'):
        an.discover(NUMBERS, algorithm=other, resume=path)


def test_the_reason_is_that_of_the_run_that_was_begun(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    an.discover(NUMBERS, alpha=0.05, save=whole)
    an.discover(NUMBERS, alpha=0.05, max_radius=0, save=part)
    assert chosen(an.discover(NUMBERS, algorithm="icd", alpha=0.05, resume=part)) == ("icd", "alpha")
    assert part.read_bytes() == whole.read_bytes()


def test_options_that_the_algorithm_of_a_file_does_not_have_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    an.discover(NUMBERS, time_limit=1e-9, save=path)
    with pytest.raises(an.OptionError, match='max_radius=2 cannot be combined with algorithm="scored"'):
        an.discover(NUMBERS, resume=path, max_radius=2)
    with pytest.raises(an.RunError, match=r"is a run with alpha=0\.01, not alpha=0\.05"):
        an.discover(NUMBERS, resume=path, alpha=0.05)


def test_what_repeats_a_run_names_its_algorithm(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    NUMBERS.write_csv(path)
    found = an.discover(path)
    words = command(found.settings, found.reading)
    assert words == f"ancestral discover {path} --algorithm scored --test fisher-z --alpha 0.01"
    done = ran(*shlex.split(words)[1:], "--save", tmp_path / "again.json", "--quiet")
    assert done.code == 0 and an.load(tmp_path / "again.json").settings == found.settings
    assert python_call(found.settings, found.reading) == (
        f"an.discover('{path}', algorithm='scored', test='fisher-z', alpha=0.01)"
    )


def test_the_command_line_chooses_too(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    NUMBERS.write_csv(path)
    assert "by the data and the other options" in " ".join(an.discover.__doc__.split())  # type: ignore[union-attr]
    for options, title in (
        ([], "Scored search on 5"),
        (["--alpha", "0.01"], "ICD on 5"),
        (["--selection-bias"], "ICD on 5"),
        (["--no-selection-bias"], "Scored search on 5"),
        (["--max-radius", "1"], "ICD on 5"),
        (["--no-verify"], "ICD on 5"),
        (["--algorithm", "fci"], "FCI on 5"),
    ):
        assert ran("discover", path, *options).err.startswith(title), options
    done = ran("bootstrap", path, "--repeats", 2, "--save", tmp_path / "boot.json", "--quiet")
    assert done.code == 0
    assert an.load_bootstrap(tmp_path / "boot.json").settings.algorithm == "scored"


# -- the estimator ----------------------------------------------------------------------------------------------------


def test_the_estimator_tells_a_level_that_is_given_from_the_default() -> None:
    plain, given = an.Discoverer(), an.Discoverer(alpha=0.01)
    for copy in (lambda estimator: estimator, clone, lambda estimator: pickle.loads(pickle.dumps(estimator))):
        assert copy(plain).fit(NUMBERS).discovery_.settings.algorithm == "scored"
        assert copy(given).fit(NUMBERS).discovery_.settings.algorithm == "icd"
    assert plain.get_params()["alpha"] is None and plain.get_params()["algorithm"] is None
    assert repr(given) == "Discoverer(alpha=0.01)"


def test_a_grid_compares_levels_of_one_algorithm_and_algorithms() -> None:
    data = pl.DataFrame(NUMBERS).to_pandas()
    grid = GridSearchCV(an.Discoverer(), {"alpha": [0.01, 0.05]}, cv=2).fit(data)
    assert grid.best_estimator_.discovery_.settings.algorithm == "icd"
    grid = GridSearchCV(an.Discoverer(), {"algorithm": [None, "pc"]}, cv=2, refit=False).fit(data)
    assert np.isfinite(grid.cv_results_["mean_test_score"]).all()
