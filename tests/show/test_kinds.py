"""The summary and the report say which columns were read as which kind."""

import json
import re

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.show.kinds import BOXES, kinds_in_words
from ancestral.show.report import report_page
from ancestral.show.summary import summary

RNG = np.random.default_rng(1)
NUMBERS = pl.DataFrame({name: RNG.normal(size=100) for name in ("age", "body weight")})
MIXED = NUMBERS.with_columns(sex=pl.Series(RNG.choice(["f", "m"], size=100)))


def facts_and_lessons(found: an.Discovery) -> tuple[dict[str, str], list[str]]:
    held = re.search(r'id="content">(.*?)</script>', report_page(found), re.DOTALL)
    assert held is not None
    values = json.loads(held[1])
    return dict(values["facts"]), [sentence for _, sentence in values["lessons"]]


@pytest.mark.parametrize("for_shell", [False, True])
def test_a_summary_names_the_columns_of_each_kind(for_shell: bool) -> None:
    found = an.discover(MIXED, resamples=0)
    line = '2 columns were read as continuous (age, "body weight"), 1 as discrete (sex)'
    assert line in summary(found, for_shell=for_shell).splitlines()


def test_a_summary_of_one_kind_has_no_list() -> None:
    assert "both columns were read as continuous" in str(an.discover(NUMBERS, resamples=0))


def test_an_oracle_reads_no_columns() -> None:
    assert "read as" not in str(an.discover(an.Oracle(an.DAG.parse("a -> b"))))


def test_of_many_columns_the_first_are_named() -> None:
    kinds = {f"x{i}": "continuous" for i in range(30)} | {"sex": "discrete"}
    assert kinds_in_words(kinds) == (
        "30 columns were read as continuous (x0, x1, x2, x3, x4, x5, x6, x7 and 22 more), 1 as discrete (sex)"
    )


def test_a_report_names_them_and_explains_its_boxes() -> None:
    facts, lessons = facts_and_lessons(an.discover(MIXED, resamples=0))
    assert (facts["Read as continuous"], facts["Read as discrete"]) == ("age and body weight", "sex")
    assert BOXES in lessons
    facts, lessons = facts_and_lessons(an.discover(NUMBERS, resamples=0))
    assert facts["Variables"] == "2 continuous"
    assert not any(fact.startswith("Read as") for fact in facts)
    assert BOXES not in lessons
