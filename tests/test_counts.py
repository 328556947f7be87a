"""The exact counts of `make count` are those of the record in the repository, and `compare` says which are not.

The expected counts are recorded ones: a record against regressions, not a proof that they are right. That they are is
for the tests of each algorithm; `test_radius_0_asks_about_every_pair_once` holds the record itself against arithmetic.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from math import comb
from typing import Any

import pytest

import ancestral as an
from benchmarks import counting
from benchmarks.count_cases import CASES, counts_of, prepared
from benchmarks.recorded_counts import Record

RECORDED = Record.read()
HERE = {"python": "3.12.1", "numpy": "2.0.0", "gcc": "12.2.0", "machine": "x86_64"}


def record(counts: Mapping[str, Any], instructions: Mapping[str, int] | None = None, **changed: str) -> Record:
    return Record("0.1.0", "2026-01-01", HERE | changed, counts, instructions or {})


@pytest.mark.parametrize("case", [name for name, one in CASES.items() if one.quick])
def test_the_counts_are_as_recorded(case: str) -> None:
    assert RECORDED.differences(record({case: counts_of(case)})) == []


def test_every_case_is_recorded_and_nothing_else() -> None:
    assert list(RECORDED.counts) == list(CASES)
    assert list(RECORDED.instructions) == [name for name, one in CASES.items() if one.measured]


@pytest.mark.parametrize("case", ["oracle 70", "discrete 20 x 1000", "algorithm fci", "algorithm pc", "stream, mixed"])
def test_radius_0_asks_about_every_pair_once(case: str) -> None:
    variables = len(prepared(case)().pag.nodes)
    assert str(RECORDED.counts[case]["by radius"]).split()[0] == f"0:{comb(variables, 2)}"


def test_a_count_that_differs_is_told_with_its_case_and_by_how_much() -> None:
    known = record({"a": {"questions": 200, "edges": 3, "by radius": "0:200"}, "b": {"questions": 1}})
    now = record({"a": {"questions": 210, "edges": 3, "by radius": "0:210"}})
    (questions, by_radius) = known.differences(now)
    assert questions.text == "a: questions 200 -> 210 (+5.0%)" and questions.worse
    assert by_radius.text == "a: by radius '0:200' -> '0:210'" and by_radius.worse


def test_fewer_questions_are_a_difference_too() -> None:
    (one,) = record({"a": {"questions": 200}}).differences(record({"a": {"questions": 199}}))
    assert one.worse


def test_a_case_or_a_count_that_is_not_recorded_is_told() -> None:
    known = record({"a": {"questions": 200, "edges": 1}})
    assert [one.text for one in known.differences(record({"b": {"questions": 1}}))] == ["b: not recorded"]
    assert [one.text for one in known.differences(record({"a": {"questions": 200}}))] == ["a: edges 1 -> None"]


@pytest.mark.parametrize(("after", "told"), [(1_019, []), (1_021, [True]), (981, []), (979, [False])])
def test_instructions_may_grow_by_two_per_cent(after: int, told: list[bool]) -> None:
    known = record({}, {"a": 1_000})
    assert [one.worse for one in known.differences(record({}, {"a": after}))] == told


def test_instructions_of_another_compiler_are_not_compared() -> None:
    known = record({}, {"a": 1_000})
    (one,) = known.differences(record({}, {"a": 2_000}, gcc="14.1.0"))
    assert "not compared" in one.text and not one.worse


def test_a_record_is_read_as_it_was_written(tmp_path: Any) -> None:
    one = record({"a": {"questions": 200, "by radius": "0:200"}}, {"a": 1_000})
    one.write(tmp_path / "counts.json")
    assert Record.read(tmp_path / "counts.json") == one


def test_the_command_fails_if_a_count_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = "oracle 15, off"
    monkeypatch.setattr(counting, "CASES", {case: CASES[case]})
    monkeypatch.setattr(sys, "argv", ["counting", "--without-instructions"])
    counting.main()
    assert "Everything is as recorded." in capsys.readouterr().out
    known = dict(RECORDED.counts) | {case: {**RECORDED.counts[case], "questions": 900}}
    monkeypatch.setattr(Record, "read", lambda: record(known))
    with pytest.raises(SystemExit) as end:
        counting.main()
    assert end.value.code == 1
    assert "- WORSE: oracle 15, off: questions 900 -> 936 (+4.0%)" in capsys.readouterr().out


def test_a_search_that_asks_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = an.Oracle(an.simulate.random_dag(nodes=70, degree=2, seed=4))
    monkeypatch.setitem(CASES, "oracle 70", replace(CASES["oracle 70"], source=lambda: other))
    assert RECORDED.differences(record({"oracle 70": counts_of("oracle 70")}))
