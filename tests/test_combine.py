"""Searches of tables with overlapping columns: what is said, refused, saved and resumed, and how far it is true."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.show.report.content import content
from tests.support.overlapping import random_family
from tests.support.reference import ARROW, TAIL
from tests.support.stage_laws import tails_are_true

DAG = an.DAG.parse("a -> c, b -> c, c -> d")
ROWS = an.simulate.linear_gaussian(DAG, rows=2000, seed=1)


def split(rows: pl.DataFrame, *tables: str, **options: Any) -> an.Combined:
    """As many rows for each table, with these columns."""
    size = len(rows) // len(tables)
    frames = {f"t{i}": rows[i * size : (i + 1) * size].select(list(own)) for i, own in enumerate(tables)}
    return an.combine(frames, **options)


@pytest.fixture(scope="module")
def both() -> an.Combined:
    return split(ROWS, "abc", "bcd")


@pytest.fixture(scope="module")
def found(both: an.Combined) -> an.Discovery:
    return an.discover(both, progress=False)


def test_what_was_never_measured_together_stays_open_and_is_said(found: an.Discovery) -> None:
    assert str(found.pag) == "a o-> c\na o-o d\nb o-> c\nc --> d"
    assert found.settings.algorithm == "icd" and found.settings.algorithm_reason == "combined"
    assert str(found.why("a", "d")).startswith("a o-o d: never measured together: no table has both")
    assert "no table has all their columns" in str(found.why("c", "d"))
    said = str(found)
    assert "2 tables; never measured together, so that their edges are open: a–d" in said
    assert "complete: all was asked that some table can answer; if every test was right, what it says is true" in said
    assert "contradictory" not in said
    check = found.check
    assert check is not None and (check.untold, check.never) == (1, 1) and check.is_doubtful
    assert "1 of them on no answer at all (1 never measured together): a–d" in str(check)
    assert found.causes("c", "d").verdict == "yes" and found.causes("d", "c").verdict == "no"
    assert found.causes("a", "d").verdict == "possibly"
    page = content(found)
    assert [*page["unanswered"][0][:3]] == [0, 2, "edge, in part of tables"]
    assert [0, 3, "edge, never"] in [row[:3] for row in page["unanswered"]]
    assert ("Tables", "2 tables; never measured together, so that their edges are open: a–d") in [
        tuple(fact) for fact in page["facts"]
    ]


def test_an_oracle_of_tables_says_the_same() -> None:
    found = an.discover(an.Oracle(DAG, together=[["a", "b", "c"], ["b", "c", "d"]]))
    assert str(found.pag) == "a o-> c\na o-o d\nb o-> c\nc --> d"
    assert "never measured together" in str(found.why("a", "d"))
    assert "complete: all was asked that some table can answer; what it says is true" in str(found)


def test_a_run_file_keeps_what_was_measured_together(found: an.Discovery, both: an.Combined, tmp_path: Path) -> None:
    found.save(tmp_path / "run.json")
    again = an.load(tmp_path / "run.json")
    assert again.settings == found.settings and again.check == found.check
    assert str(again.why("a", "d")) == str(found.why("a", "d"))
    with pytest.raises(an.RunError, match=r"different data|other tables"):
        an.discover(split(ROWS, "abc", "abcd"), resume=tmp_path / "run.json", progress=False)


@pytest.mark.parametrize("colliders", ["first", "agreed"])
def test_a_run_that_is_resumed_ends_alike(both: an.Combined, colliders: Any, tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=8, degree=2.5, seed=3)
    names = list(dag.observed)
    rows = an.simulate.linear_gaussian(dag, rows=3000, seed=3)
    source = an.combine([rows[:1500].select(names[:5]), rows[1500:].select(names[2:])])
    whole = an.discover(source, colliders=colliders, progress=False, save=tmp_path / "whole.json")
    for radius in (0, 1):
        part = tmp_path / f"{radius}.json"
        an.discover(source, colliders=colliders, max_radius=radius, progress=False, save=part)
        resumed = an.discover(source, colliders=colliders, resume=part, progress=False)
        assert resumed.pag == whole.pag and resumed.tests == whole.tests


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "pc"}, 'algorithm="pc" does not apply to combined tables: it takes every edge for a cause'),
        ({"algorithm": "scored"}, 'algorithm="scored" does not apply to combined tables: it scores rows'),
        ({"algorithm": "gfci"}, 'algorithm="gfci" does not apply to combined tables: it scores rows'),
        ({"verify": False}, "verify=False does not apply to combined tables"),
        ({"fdr": 0.1}, "fdr=0.1 does not apply to combined tables"),
        ({"missing": "drop"}, 'missing="drop" does not apply to combined tables'),
        ({"test": lambda x, y, given: 0.5}, "must be the name of a test where tables are combined"),
        ({"test": "copula"}, 'test="copula" needs complete rows'),
    ],
)
def test_what_is_not_sound_is_refused_by_name(both: an.Combined, options: dict[str, Any], words: str) -> None:
    with pytest.raises(an.OptionError) as raised:
        an.discover(both, progress=False, **options)
    assert words in str(raised.value)


def test_the_same_options_are_refused_for_an_oracle_of_tables() -> None:
    oracle = an.Oracle(DAG, together=[["a", "b", "c"], ["b", "c", "d"]])
    for options in ({"algorithm": "pc"}, {"verify": False}):
        with pytest.raises(an.OptionError, match="does not apply to combined tables"):
            an.discover(oracle, **options)


def test_questions_about_effects_and_confounding_are_not_answered_beyond_what_is_known(found: an.Discovery) -> None:
    for ask in (found.adjustment_set, found.identify, found.effect):
        with pytest.raises(an.OptionError, match="effects need a graph whose edges were all asked about"):
            ask("c", "d")
    whole = an.discover(ROWS, algorithm="icd", progress=False)
    assert whole.confounded("c", "d").verdict == "no"  # the edge is visible
    assert found.confounded("c", "d").verdict == "possibly" and found.confounded("a", "b").verdict == "no"


def test_a_description_is_of_one_table(both: an.Combined) -> None:
    with pytest.raises(an.OptionError, match="one table is described at a time"):
        an.describe(both)


def test_a_bootstrap_keeps_to_what_was_measured_together(both: an.Combined) -> None:
    boot = an.bootstrap(both, repeats=10, seed=1, progress=False)
    assert boot.edge("a", "d").edge == 1.0 and str(boot.consensus().edge("a", "d")) == "o-o"
    assert str(boot.consensus().edge("c", "d")) == "-->"


def test_columns_can_be_chosen(both: an.Combined) -> None:
    found = an.discover(both, drop=["b"], progress=False)
    assert found.settings.together == (("a", "c"), ("c", "d"))
    assert found.pag == an.discover(both, columns=["a", "c", "d"], progress=False).pag


def test_one_table_with_all_columns_is_an_ordinary_search() -> None:
    names = "".join(ROWS.columns)
    both = split(ROWS, names, names)
    for options in ({}, {"colliders": "first"}, {"algorithm": "fci"}):
        plain = an.discover(ROWS, **{"algorithm": "icd", **options}, progress=False)  # type: ignore[arg-type]
        assert an.discover(both, progress=False, **options).pag == plain.pag  # type: ignore[arg-type]


def test_questions_use_the_rows_of_all_tables_that_have_the_columns(found: an.Discovery) -> None:
    assert found.evidence("b", "c", given=[]).rows == 2000
    assert found.evidence("a", "c", given=["b"]).rows == 1000
    whole = an.discover(ROWS[:1000].select("a", "b", "c"), algorithm="icd", progress=False)
    one, other = found.evidence("a", "b", given=["c"]), whole.evidence("a", "b", given=["c"])
    assert one.p_value == pytest.approx(other.p_value)


@pytest.mark.parametrize("test", ["labels", "g", "chi2", "mixed", "regression", "rank"])
def test_labels_are_searched_testwise(test: str) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, (2, 3000))
    c = np.where(rng.random(3000) < 0.85, a | b, 1 - (a | b))
    d = np.where(rng.random(3000) < 0.9, c, 1 - c)
    rows = pl.DataFrame(
        {name: np.where(values, "yes", "no") for name, values in zip("abcd", (a, b, c, d), strict=True)}
    )
    found = an.discover(split(rows, "abc", "bcd"), test=test, algorithm="icd", progress=False)
    assert str(found.pag) == "a o-> c\na o-o d\nb o-> c\nc --> d"


def test_a_collider_of_three_tables_of_two_columns() -> None:
    """No table has a, b and c, so that no set with b could be asked about: three answers decide."""
    dag = an.DAG.parse("a -> b, c -> b")
    rows = an.simulate.linear_gaussian(dag, rows=3000, seed=2)
    found = an.discover(split(rows, "ab", "bc", "ac"), progress=False)
    assert str(found.pag) == "a o-> b\nc o-> b"


def test_no_false_certainty_in_simulated_tables() -> None:
    """The share of false marks is about that of a search in which every row has all columns, and fewer are said."""
    shares: dict[str, list[int]] = {"whole": [0, 0], "combined": [0, 0]}
    for seed in range(30):
        dag = an.simulate.random_dag(nodes=9, degree=2.5, seed=seed)
        rows = an.simulate.linear_gaussian(dag, rows=6000, seed=seed)
        tables = random_family(np.random.default_rng(seed), dag.observed, share=0.75)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", an.DataWarning)
            both = split(rows, *tables)  # type: ignore[arg-type]
        for what, source in (("whole", rows), ("combined", both)):
            stage = an.discover(source, algorithm="icd", progress=False).stage
            tails, marks = tails_are_true(dag, list(stage.names)), stage.oriented.marks
            shares[what][0] += int(((marks.T == TAIL) & ~tails).sum() + ((marks.T == ARROW) & tails).sum())
            shares[what][1] += int(((marks == TAIL) | (marks == ARROW)).sum())
    assert shares["combined"][1] < shares["whole"][1]
    assert shares["combined"][0] <= shares["whole"][0] + 5


def test_a_resumed_search_goes_on_with_marks_that_are_not_shown(tmp_path: Path) -> None:
    """v3 and v4 were never measured together; what the rules know of that pair decides which sets are asked about."""
    dag = an.DAG.parse("v0 -> v4, v1 -> v4, v1 -> v7, v2 -> v4, v3 -> v0, v3 -> v1, v3 -> v5, v5 -> v0")
    oracle = an.Oracle(dag, together=[[f"v{i}" for i in (0, 1, 2, 4, 5, 7)], [f"v{i}" for i in (0, 1, 2, 3, 5, 7)]])
    whole = an.discover(oracle)
    for radius in (1, 2):
        part = tmp_path / f"{radius}.json"
        an.discover(oracle, max_radius=radius, save=part)
        resumed = an.discover(oracle, resume=part)
        assert (resumed.pag, resumed.tests, resumed.unsupported) == (whole.pag, whole.tests, whole.unsupported)
