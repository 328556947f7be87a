"""Questions about two variables are answered in words of the page, also where the answer is a refusal."""

import re
from pathlib import Path

import pytest

import ancestral as an
from ancestral.studio.asking import QUESTIONS, asked

#: An option or command of the shell, or a call or option of Python; arrows of graphs are none of them.
NOT_OF_THE_PAGE = re.compile(r"(?<![-<|/o])--[a-z]|\bancestral \w|\bfound\.|\ban\.\w|\w=['\"\[{]")


def place_of(tmp_path: Path, dag: str, *, discrete: bool = False) -> str:
    """The folder of an answer about the DAG; its data stand beside it."""
    simulated = an.simulate.discrete if discrete else an.simulate.linear_gaussian
    simulated(an.DAG.parse(dag), rows=2000, seed=1).write_csv(tmp_path / "study.csv")
    an.discover(tmp_path / "study.csv", algorithm="icd", progress=False, save=tmp_path / "run.json")
    return str(tmp_path)


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("dag", ["a -> b, b -> c", "a -> c, b -> c, c -> d"])
def test_no_answer_names_what_the_page_has_not(tmp_path: Path, dag: str, discrete: bool) -> None:
    place = place_of(tmp_path, dag, discrete=discrete)
    nodes = an.load(tmp_path / "run.json").pag.nodes
    for a in nodes:
        for b in nodes:
            for what in QUESTIONS:
                said = asked(place, str(tmp_path / "study.csv"), what, a, b)["text"]
                assert not NOT_OF_THE_PAGE.search(said), said


def test_a_refused_effect_leads_to_buttons_that_answer(tmp_path: Path) -> None:
    place, source = place_of(tmp_path, "a -> b, b -> c"), str(tmp_path / "study.csv")
    refused = asked(place, source, "effect", "a", "c")
    assert not refused["ok"]
    assert {"“Identify”", "“Possible effects”", "“Sensitivity”"} <= set(re.findall("“[^”]*”", refused["text"]))
    for what in ("identify", "possible", "sensitivity"):
        assert asked(place, source, what, "a", "c")["ok"]


def test_an_effect_that_is_identified_within_levels_comes_with_their_formula(tmp_path: Path) -> None:
    place = place_of(tmp_path, "a -> b, b -> c")
    within = an.load(tmp_path / "run.json").identify("a", "c", within="b")
    said = asked(place, None, "identify", "a", "c")["text"]
    assert "not from this graph" in said and f"Within levels of 'b' it is identified:\n{within}" in said
    assert "Within" not in asked(place, None, "identify", "a", "b")["text"]  # nothing lies between


def test_a_page_without_the_data_says_so(tmp_path: Path) -> None:
    place = place_of(tmp_path, "a -> b, b -> c")
    assert "no longer in the project folder" in asked(place, None, "sensitivity", "a", "c")["text"]
