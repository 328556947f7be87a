"""Records of delimited text against a regular expression that says what a regular one is, and against Python's csv."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ancestral.data.read._records_cy import Record, Survey

ALPHABET = st.sampled_from([b"a", b"7", b",", b",", b"\n", b"\n", b"\r\n", b"\r", b'"', b'"', b'""', b" ", b"\t", b"\0", "é".encode(), b"xyz" * 20])  # fmt: skip # noqa: E501
TEXTS = st.lists(ALPHABET, max_size=60).map(b"".join)


def regular(width: int, separator: bytes) -> re.Pattern[bytes]:
    cut = re.escape(separator)
    field = rb'(?:"(?:[^"\0]|"")*"|[^"\r\n\0' + cut + rb"]*)"
    return re.compile(field + rb"(?:" + cut + field + rb"){" + str(width - 1).encode() + rb"}\r?\n")


@settings(deadline=None, max_examples=400)
@given(TEXTS, st.integers(1, 3), st.integers(0, 70), st.sampled_from([b",", b"\t", b" "]))
def test_a_survey_stops_before_the_first_record_that_is_not_regular(
    text: bytes, width: int, shift: int, separator: bytes
) -> None:
    text = text.replace(b",", separator)
    data = b"-" * shift + text
    one = regular(width, separator)
    end, records, lines = shift, 0, 0
    while (found := one.match(data, end)) is not None:
        end, records, lines = found.end(), records + 1, lines + found.group().count(b"\n")
    survey = Survey(data, shift, width, separator[0])
    assert (survey.end, survey.records, survey.lines) == (end, records, lines)
    rest = Record(data, end, separator[0])
    may_go_on = rest.end == len(data) and data.endswith(b"\r")  # a line feed may follow
    if rest.complete and not may_go_on:  # a record that has ended and was not passed is irregular
        assert survey.irregular


@settings(deadline=None, max_examples=400)
@given(TEXTS)
def test_a_record_is_that_of_csv(text: bytes) -> None:
    text = text.replace(b"\0", b"")
    rows = list(csv.reader(io.StringIO(text.decode(), newline="")))
    at = 0
    for row in rows:
        found = Record(text, at, ord(","))
        assert found.fields == max(1, len(row))
        assert found.blank == (len(row) <= 1 and not "".join(row).strip(" \t") and b'"' not in text[at : found.end])
        bounds = np.zeros((found.fields, 2), dtype=np.int64)
        Record(text, at, ord(","), bounds)
        raw = [text[a:b].decode() for a, b in bounds.tolist()]
        if not (found.trailing or found.spaced or found.open):
            assert [plain(field) for field in raw] == (row or [""])
        at = found.end
    assert at == len(text)


def plain(field: str) -> str:
    return field[1:-1].replace('""', '"') if field.startswith('"') else field


@pytest.mark.parametrize(
    ("text", "what", "suspect"),
    [
        (b'a,"b"c\n', "trailing", 5),
        (b'a,"say \\"yes"\n', "trailing", 9),
        (b'a,"b" \n', "spaced", -1),
        (b'a,b"c\n', "bare", -1),
        (b'a,"b\nc\n', "open", 2),
        (b"a,b\0\n", "null", 3),
    ],
)
def test_what_is_not_regular_is_named(text: bytes, what: str, suspect: int) -> None:
    found = Record(text, 0, ord(","))
    flags = ("trailing", "spaced", "bare", "open", "null")
    assert [flag for flag in flags if getattr(found, flag)] in ([what], [what, "bare"])
    assert found.suspect == suspect
    assert Survey(text, 0, 2, ord(",")).records == 0


def test_long_records_cross_many_words() -> None:
    row = b'"' + b"x" * 1000 + b'""\n' + b'"",' * 50 + b'",' + b"7" * 500 + b"\n"
    survey = Survey(row * 9, 0, 2, ord(","))
    assert (survey.records, survey.lines, survey.irregular) == (9, 18, False)
    assert Survey(row * 9 + b"1,2,3\n", 0, 2, ord(",")).irregular


@pytest.mark.parametrize("odd", [b"\r", b'"', b'"z"z', b"\0", b'""'], ids=["return", "mark", "closed", "zero", "marks"])
def test_nothing_slips_through_between_two_words(odd: bytes) -> None:
    """Wherever in a word of 64 bytes it stands, what is not regular is seen, and what is regular is not."""
    for before in range(1, 130):
        start = b"x" * before
        text = start + b"," + start + odd + b"y\n" if odd != b'"z"z' else start + b"," + odd + b"\n"
        survey = Survey(text, 0, 2, ord(","))
        assert (survey.records, survey.irregular) == (0, True), before
        good = start + b',"' + start + b'""\r"\r\n'
        survey = Survey(good * 2, 0, 2, ord(","))
        assert (survey.records, survey.irregular, survey.end) == (2, False, 2 * len(good)), before
