"""Whatever the data, no printed statement contradicts another one: noise, near-copies, outliers, few rows."""

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ancestral as an

NAMES = "abcdef"


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """A small table of numbers: a random linear model, with some columns spoiled."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    width, rows = draw(st.integers(3, 6)), draw(st.sampled_from([8, 20, 60, 300]))
    weights = np.triu(rng.normal(size=(width, width)) * (rng.random((width, width)) < 0.5), 1)
    values = rng.standard_normal((rows, width)) @ np.linalg.inv(np.eye(width) - weights)
    for column in range(width):
        spoil = draw(st.sampled_from(["", "", "noise", "near-copy", "outlier", "exponential", "rounded"]))
        if spoil == "noise":
            values[:, column] = rng.standard_normal(rows)
        elif spoil == "near-copy" and column:
            values[:, column] = values[:, column - 1] + 1e-3 * rng.standard_normal(rows)
        elif spoil == "outlier":
            values[0, column] += 50
        elif spoil == "exponential":
            values[:, column] = np.exp(np.clip(values[:, column], -20, 20))
        elif spoil == "rounded":
            values[:, column] = np.round(values[:, column], 1) + 0.001 * rng.standard_normal(rows)
    return pl.DataFrame(values, schema=list(NAMES[:width]))


def check_answers(found: an.Discovery) -> None:
    """What is said of each two variables agrees, in words and in frames."""
    frame = found.relations(library="polars")
    for row in frame.iter_rows(named=True):
        a, b = row["a"], row["b"]
        forth, back, confounded = found.causes(a, b), found.causes(b, a), found.confounded(a, b)
        assert (forth.verdict, back.verdict, confounded.verdict) == (
            row["a_causes_b"], row["b_causes_a"], row["confounded"],
        )  # fmt: skip
        assert not (forth.verdict == "yes" and back.verdict == "yes"), "each would cause the other"
        assert not (str(forth).startswith(("yes", "probably (")) and str(back).startswith(("yes", "probably (")))
        edge = found.pag.edge(a, b)
        if edge == "-->":
            assert forth.verdict != "no" and back.verdict == "no"
        if edge == "<->":
            assert forth.verdict == back.verdict == "no" and confounded.verdict == "yes"
        if edge is None:
            assert confounded.verdict == "no"
        for answer in (forth, back, confounded):
            assert str(answer) not in ("yes", "no", "possibly"), "data never answer without a condition"


@pytest.mark.parametrize("algorithm", ["scored", "icd", "fci", "rfci", "fci+", "gfci"])
@given(rows=tables())
@settings(max_examples=15, deadline=None)
def test_no_statement_contradicts_another(algorithm: str, rows: pl.DataFrame) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = an.discover(rows, algorithm=algorithm, resamples=0, progress=False)
        except an.DataError:  # a column does not vary, or is a copy to the last digit
            return
        if algorithm == "scored":
            found.certainty(10, progress=False)
            assert an.legal(found.pag)
    assert an.consistent(found.pag)
    assert found.check is not None and not found.check.contradictions
    check_answers(found)
    printed = str(found)
    assert "passed" not in printed and "is true" not in printed.replace("what it says is true", "")
    if not found.allows_selection:
        assert "selected on" not in printed and "the selection" not in printed
