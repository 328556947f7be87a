"""What is continuous and what is discrete, and how levels are named and ordered."""

from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancestral.data import DataError, Table
from ancestral.data.column_kinds import kind_of_values, label_of, labels_of_numbers, labels_of_text
from ancestral.errors import OptionError, UnknownName

NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 1, 0], "discrete"),
        (list(range(10)), "discrete"),
        (list(range(11)), "continuous"),
        ([1, 2, NAN, 3], "discrete"),
        ([0.5, 1.0], "continuous"),
        ([1.0] * 5000 + [1.5], "continuous"),  # what the first rows do not show
        (list(range(-5, 5)) * 1000, "discrete"),
        ([*[1.0] * 100, *range(11)], "continuous"),
        ([1e15, 2e15], "discrete"),
    ],
)
def test_the_rule(values: list[float], expected: str) -> None:
    assert kind_of_values(np.array(values, dtype=float)) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [(["a", "b"], "discrete"), ([True, False], "discrete"), ([1, 2], "discrete"), ([1.5, 2.5], "continuous")],
)
def test_the_rule_for_columns_of_a_frame(values: list[object], expected: str) -> None:
    assert Table.of(pl.DataFrame({"x": values})).kinds == (expected,)


def test_kinds_can_be_overruled() -> None:
    frame = pl.DataFrame({"stage": [1, 2, 3], "dose": [0.5, 1.5, 0.5], "on": [True, False, True]})
    table = Table.of(frame, kinds={"stage": "continuous", "dose": "discrete", "on": "continuous"})
    assert table.kinds == ("continuous", "discrete", "continuous")
    assert table.column("dose").levels == ("0.5", "1.5")
    assert table.column("on").values.tolist() == [1.0, 0.0, 1.0]
    assert Table.of(frame, kinds="continuous").kinds == ("continuous",) * 3


def test_wrong_kinds_are_refused() -> None:
    frame = pl.DataFrame({"stage": [1, 2], "word": ["low", "high"]})
    with pytest.raises(OptionError, match="'ordinal' or a list of levels for each column, got 'nominal' for 'stage'"):
        Table.of(frame, kinds={"stage": "nominal"})
    with pytest.raises(UnknownName, match="unknown column 'stag'; did you mean 'stage'"):
        Table.of(frame, kinds={"stag": "discrete"})
    with pytest.raises(DataError, match=r"column 'word' cannot be continuous, since 'low' \(row 1\) is not a number"):
        Table.of(frame, kinds={"word": "continuous"})
    with pytest.raises(OptionError, match=r"kinds must be .* or a mapping of columns"):
        Table.of(frame, kinds=["discrete"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "levels"),
    [
        (["x10", "x2", "x1"], ("x1", "x2", "x10")),
        (["10", "9", "-1"], ("-1", "9", "10")),
        (["low", "high", "mid"], ("high", "low", "mid")),
        (["10", "9", "many"], ("many", "9", "10")),
    ],
)
def test_levels_are_in_natural_order(words: list[str], levels: tuple[str, ...]) -> None:
    assert labels_of_text(pl.Series(words)).levels == levels


@given(st.lists(st.one_of(st.none(), st.integers(-1500, 1500), st.floats(-2, 2).map(lambda v: round(v, 1)))))
def test_labels_of_numbers_can_be_read_back(values: list[float | None]) -> None:
    numbers = np.array([NAN if value is None else value for value in values], dtype=float)
    labels = labels_of_numbers(numbers)
    assert list(labels.levels) == [label_of(v) for v in sorted({value for value in values if value is not None})]
    read = [None if code < 0 else float(labels.levels[code]) for code in labels.codes]
    assert read == values


@given(st.lists(st.one_of(st.none(), st.text("ab12", min_size=1, max_size=3))), st.randoms())
def test_levels_do_not_depend_on_the_order_of_rows(words: list[str | None], random: Random) -> None:
    order = list(range(len(words)))
    random.shuffle(order)
    labels = labels_of_text(pl.Series(words, dtype=pl.String))
    shuffled = labels_of_text(pl.Series([words[i] for i in order], dtype=pl.String))
    assert shuffled.levels == labels.levels
    assert shuffled.codes.tolist() == [labels.codes[i] for i in order]
    assert [None if code < 0 else labels.levels[code] for code in labels.codes] == words
