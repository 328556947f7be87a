"""What an audit tells, and where it must keep silent."""

import re
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ancestral.data import DataError, DataWarning, Moments, Table
from ancestral.data.audit import audit, examine, strongly_non_normal

RNG = np.random.default_rng(20)
A, B, C, D = RNG.normal(size=(4, 200)) * np.array([[1.0], [3.0], [0.5], [2.0]]) + 5
PARTS = RNG.dirichlet([2.0, 3.0, 4.0], size=200).T
LETTERS = RNG.choice(list("uvw"), size=200)


def table_of(**columns: Any) -> Table:
    return Table.of(pl.DataFrame(columns))


def test_good_data_pass_in_silence() -> None:
    audit(table_of(a=A, b=B, c=A + B + C, g=LETTERS))  # warnings are errors here
    audit(Moments.of(table_of(a=A, b=B, c=A + B + C)))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": A, "k": [7] * 200}, "column 'k' has a single value; leave it out: drop=['k']"),
        ({"a": A, "k": [0.1] * 200, "l": ["x"] * 200}, "columns 'k' and 'l' have a single value; leave them out"),
        ({"a": A, "a2": A}, "some columns are copies of others: a2 = a; keep one of each: drop=['a2']"),
        ({"a": A, "minus": -A, "b": B}, "copies of others: minus = -a; keep"),
        ({"celsius": A, "fahrenheit": 1.8 * A + 32}, "fahrenheit = 1.8 celsius + 32;"),
        ({"a": A, "a2": 2 * A, "a10": A + 1}, "a2 = 2 a, a10 = a + 1; keep one of each: drop=['a2', 'a10']"),
        ({"a": A, "b": B, "c": C, "total": A + B}, "determined by others: total = a + b; leave one of them out: drop"),
        ({"income": A + B, "spent": A, "left": B}, "income = left + spent;"),
        ({"a": A, "b": B, "mean": (A + B) / 2}, "mean = 0.5 a + 0.5 b;"),
        ({"a": A, "b": B, "score": 3 * A + 2 * B + 10}, "score = 3 a + 2 b + 10;"),
        ({"x": PARTS[0], "y": PARTS[1], "z": PARTS[2], "d": D}, "x + y + z = 1;"),
        ({"a": 1e-8 * A, "b": 1e12 * B, "sum": A + B}, "sum = 1e+08 a + 1e-12 b;"),
        ({"a": A, "id": [f"p{i}" for i in range(200)]}, "column 'id' has 200 levels in 200 rows, like an identifier"),
        ({"g": LETTERS, "h": [{"u": 3, "v": 1, "w": 2}[x] for x in LETTERS]}, "columns 'g' and 'h' are the same up to"),
        ({"a": A[:4], "b": B[:4]}, "there are 4 rows; a search needs at least 5"),
    ],
)  # fmt: skip
def test_faults(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        audit(table_of(**columns))


def test_the_smallest_sets_are_named() -> None:
    found = examine(table_of(a=A, b=B, c=C, total=A + B, grand=A + B + C))
    told = {str(error).split(": ")[1].split(";")[0] for error in found.errors}
    assert told == {"grand = c + total", "total = a + b"}


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sets(st.integers(0, 7), min_size=2, max_size=5))
def test_a_planted_sum_is_found_with_exactly_its_columns(seed: int, chosen: set[int]) -> None:
    rng = np.random.default_rng(seed)
    data = rng.normal(size=(60, 8)) * 10.0 ** rng.integers(-3, 4, size=8)
    weights = rng.choice([-2.0, -1.0, 1.0, 3.0], size=8) * np.isin(np.arange(8), list(chosen))
    weights /= data.std(axis=0)
    table = Table.of(np.column_stack([data, data @ weights]))
    (error,) = examine(table).errors
    named = set(re.findall(r"x\d", str(error).split("drop=")[0]))
    assert named == {f"x{i + 1}" for i in chosen} | {"x9"}


def test_all_faults_are_told_at_once() -> None:
    table = table_of(a=A, copy=A, k=[1] * 200, b=B, sum=A + B, id=[f"p{i}" for i in range(200)])
    with pytest.raises(DataError) as caught:
        audit(table)
    lines = str(caught.value).splitlines()
    assert lines[0] == "the data cannot be used as they are:"
    assert [line[:22] for line in lines[1:]] == [
        "- column 'k' has a sin", "- column 'id' has 200 ", "- some columns are cop", "- some columns are det"
    ]  # fmt: skip


def test_following_the_advice_is_enough() -> None:
    table = table_of(a=A, copy=A, b=B, c=C, sum=A + B, k=[1] * 200, grand=A + B + C)
    dropped = {name for error in examine(table).errors for name in re.findall(r"'(\w+)'", str(error).split("drop=")[1])}
    audit(table.select([name for name in table.names if name not in dropped]))


def test_moments_are_audited_like_rows() -> None:
    table = table_of(a=A, b=B, copy=2 * A, total=A + B, k=[1.0] * 200)
    errors = "\n".join(map(str, examine(Moments.of(table)).errors))
    assert "'k' has a single value" in errors and "copy = 2 a" in errors and "total = a + b" in errors
    numbers = table.select(["a", "b", "copy", "total"])
    with_moments = examine(numbers, moments=Moments.of(numbers))
    assert list(map(str, with_moments.errors)) == list(map(str, examine(numbers).errors))


def test_a_correlation_matrix_alone_is_enough() -> None:
    r = np.sqrt(0.5)
    moments = Moments.from_correlation([[1, 0, r], [0, 1, r], [r, r, 1]], rows=100, names=["a", "b", "c"])
    assert re.search(r"c = 0\.7071 a \+ 0\.7071 b", str(examine(moments).errors[0]))


def test_nearly_singular_data_are_named_in_a_warning() -> None:
    with pytest.warns(DataWarning, match="columns 'a' and 'b' nearly determine each other"):
        audit(table_of(a=A, b=A + 1e-5 * B, c=C))


def test_few_rows() -> None:
    with pytest.warns(DataWarning, match="only 9 rows"):
        audit(table_of(a=A[:9], b=B[:9]))
    wide = Table.of(np.random.default_rng(1).normal(size=(20, 30)))
    with pytest.warns(DataWarning, match="30 continuous columns and only 20 rows"):
        audit(wide)


def test_missing_values_are_left_aside() -> None:
    gaps = A.copy()
    gaps[::7] = np.nan
    table = Table.of(pl.DataFrame({"a": gaps, "b": B, "sum": A + B}), missing="testwise")
    assert "sum = a + b" in str(examine(table).errors[0])


def test_many_levels_are_no_identifier_if_they_return() -> None:
    audit(table_of(a=A, city=[f"c{i % 60}" for i in range(200)]))


def test_columns_far_from_normal() -> None:
    rng = np.random.default_rng(3)
    table = table_of(
        normal=rng.normal(size=500),
        uniform=rng.uniform(size=500),
        lognormal=np.exp(1.5 * rng.normal(size=500)),
        heavy=rng.standard_t(2, size=500),
        group=rng.choice(["a", "b"], size=500),
    )
    assert strongly_non_normal(table) == ("lognormal", "heavy")
    few = Table.of(np.exp(3 * rng.normal(size=(49, 1))))
    assert strongly_non_normal(few) == ()
