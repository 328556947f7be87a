"""Edges that stay although questions about them could not be answered: counted pair by pair, told, saved, resumed."""

import math
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.checking import UnansweredEdge
from ancestral.show.report.content import content
from tests.support.command_line import ran

NAMES = ["a", "b", "c", "d", "e"]


class Silent:
    """Everything is dependent; no answer about the pairs `about` given as many variables as `sizes` has."""

    names = NAMES

    def __init__(self, about: set[frozenset[str]], sizes: set[int]) -> None:
        self.about, self.sizes = about, sizes
        self.unanswered: Counter[frozenset[str]] = Counter()

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> float:
        if frozenset((x, y)) in self.about and len(given) in self.sizes:
            self.unanswered[frozenset((x, y))] += 1
            return math.nan
        return 1e-9


AB, CD = frozenset("ab"), frozenset("cd")
EVERY = {frozenset(pair) for pair in combinations(NAMES, 2)}


@pytest.mark.parametrize("algorithm", ["icd", "fci", "rfci", "fci+", "pc"])
def test_each_edge_counts_its_own_questions_without_an_answer(algorithm: str) -> None:
    test = Silent({AB, CD}, {1, 2})
    found = an.discover(test, algorithm=algorithm)
    asked = test.unanswered.copy()  # the check asks nothing again
    assert found.check is not None and asked[AB] > 1
    told = {frozenset((edge.a, edge.b)): edge.questions for edge in found.check.unanswered_edges}
    assert told == dict(asked)
    assert (found.check.unanswered, found.check.untold) == (2, 0)
    assert sum(told.values()) == found.unsupported.total()


class Arbitrary:
    """Answers at random, the same question always alike, and often not at all; remembers what it was asked in vain."""

    names = NAMES

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.in_vain: set[tuple[frozenset[str], frozenset[str]]] = set()

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> float:
        question = f"{self.seed} {min(x, y)} {max(x, y)} {sorted(given)}"
        drawn = np.random.default_rng(list(question.encode())).random()
        if drawn < 0.3:
            self.in_vain.add((frozenset((x, y)), frozenset(given)))
            return math.nan
        return 0.5 if drawn > 0.8 else 1e-6


@pytest.mark.parametrize("algorithm", ["icd", "fci", "rfci", "fci+", "pc"])
@pytest.mark.parametrize("options", [{}, {"stable": False}])
def test_every_question_about_an_edge_is_counted(algorithm: str, options: dict[str, Any]) -> None:
    exact = 0
    for seed in range(25):
        test = Arbitrary(seed)
        found = an.discover(test, algorithm=algorithm, **options)
        edges = {frozenset((a, b)) for a, _, b in found.pag.edges()}
        asked = Counter(pair for pair, _ in test.in_vain if pair in edges)
        assert found.check is not None
        told = {frozenset((edge.a, edge.b)): edge.questions for edge in found.check.unanswered_edges}
        assert told.keys() == asked.keys()
        assert all(asked[pair] <= told[pair] for pair in asked)  # FCI may ask a question in both of its phases
        exact += told == dict(asked)
    assert exact == 25 or (exact > 12 and (algorithm == "fci" or options))


def test_why_says_which_edges_could_not_be_told() -> None:
    found = an.discover(Silent({AB}, {0, 1, 2, 3}), algorithm="icd")
    assert "a o-o b: could not be told from these data: none of " in str(found.why("a", "b"))
    assert "dependent given every set" not in str(found.why("a", "b"))
    assert "c o-o d: dependent given every set asked up to radius 3; closest" in str(found.why("c", "d"))
    found = an.discover(Silent({AB}, {2}), algorithm="icd")
    said = str(found.why("a", "b"))
    assert "for which these data have an answer; closest to independent" in said
    assert "3 questions about it could not be told from these data" in said


def test_the_check_names_them_and_does_not_say_that_nothing_was_found() -> None:
    check = an.discover(Silent({AB, CD}, {0, 1, 2, 3}), algorithm="icd").check
    assert check is not None and check.is_doubtful
    assert check.headlines()[0] == (
        "2 edges rest on questions that these data could not answer, 2 of them on no answer at all: a–b, c–d."
    )
    check = an.discover(Silent({AB}, {2}), algorithm="icd").check
    assert check is not None and not check.is_doubtful
    assert check.headlines()[0] == "1 edge rests on questions that these data could not answer: a–b."
    assert not any("Nothing was found" in line for line in check.headlines())
    check = an.discover(Silent(EVERY, {3}), algorithm="icd").check
    assert check is not None and check.headlines()[0].endswith(": a–b, a–c, a–d, a–e, b–c, 5 more.")


def test_those_without_any_answer_come_first_then_those_with_most_questions() -> None:
    class Two(Silent):
        def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> float:
            if {x, y} == {"d", "e"}:
                return math.nan
            return super().p_value(x, y, given)

    check = an.discover(Two({AB}, {1, 2}), algorithm="icd").check
    assert check is not None and (check.unanswered, check.untold) == (2, 1)
    assert check.unanswered_edges == (UnansweredEdge("d", "e", 8, False), UnansweredEdge("a", "b", 6, True))


def test_an_edge_that_is_known_rests_on_no_answer() -> None:
    found = an.discover(Silent({AB}, {0, 1, 2, 3}), algorithm="icd", knowledge=an.Knowledge(required=[("a", "b")]))
    assert found.check is not None and found.check.unanswered == 0
    assert "known to be adjacent" in str(found.why("a", "b"))


def test_a_search_without_any_answer_warns() -> None:
    with pytest.warns(an.RunWarning, match="these data could answer none of .* questions, so every edge stays"):
        found = an.discover(Silent(EVERY, {0, 1, 2, 3}), algorithm="icd")
    assert found.check is not None and found.check.untold == 10


# -- files and pages --------------------------------------------------------------------------------------------------


def clustered(clusters: int = 6) -> pl.DataFrame:
    """One hidden cause of all columns, in so few clusters that sets of three cannot be asked about."""
    rng = np.random.default_rng(1)
    cause = rng.standard_normal(300)
    columns: dict[str, Any] = {name: cause + rng.standard_normal(300) for name in NAMES}
    return pl.DataFrame({**columns, "s": np.arange(300) % clusters})


@pytest.mark.filterwarnings("ignore:there are only 6 clusters")
def test_a_file_holds_them_and_a_run_resumes_to_the_same_file(tmp_path: Path) -> None:
    options: dict[str, Any] = {"clusters": "s", "alpha": 0.2}
    whole = an.discover(clustered(), **options, save=tmp_path / "whole.json")
    assert whole.check is not None and whole.check.unanswered > 3
    loaded = an.load(tmp_path / "whole.json")
    assert loaded.check == whole.check
    assert loaded.decisions.unanswered.tolist() == whole.decisions.unanswered.tolist()
    assert str(loaded.why("a", "b")) == str(whole.why("a", "b"))
    an.discover(clustered(), **options, max_radius=3, save=tmp_path / "part.json")
    an.discover(clustered(), **options, resume=tmp_path / "part.json", save=tmp_path / "resumed.json")
    assert (tmp_path / "resumed.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_a_report_has_the_sentence_of_each_edge() -> None:
    page = content(an.discover(Silent({AB}, {2}), algorithm="icd"))
    assert page["unanswered"] == [[0, 1, "edge, in part", "3 questions"]]
    assert page["check"]["lines"][0].startswith("1 edge rests on questions that these data could not answer")
    assert all(row[2] in page["sentences"] for row in page["unanswered"])


@pytest.mark.filterwarnings("ignore:these data could answer none of 6 questions")
def test_strict_refuses_edges_about_which_nothing_can_be_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "data.csv"
    pl.DataFrame({name: rng.integers(0, 12, 40) for name in "abc"}).write_csv(path)  # 40 rows in 144 cells
    done = ran("discover", path, "--discrete", "*", "--test", "g", "--strict", "--quiet")
    assert done.code == 4
    assert "warning: these data could answer none of 6 questions" in done.err
    assert "--strict: the graph has 3 edges about which these data cannot tell" in done.err
