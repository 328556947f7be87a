"""Ordinal columns: where their order comes from, what is refused, and that everything carries the order."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ancestral as an
from ancestral.data import Counts, DataError, Table
from ancestral.data.column_kinds import merged_levels
from ancestral.errors import OptionError
from ancestral.independence.choice import choose_test

WORDS = ["mid", "low", None, "high", "low"]
ORDER = ["low", "mid", "never", "high"]


def dictionary(words: list[Any], order: list[Any], ordered: bool = True) -> pa.DictionaryArray:
    codes = pa.array([None if word is None else order.index(word) for word in words], pa.int8())
    return pa.DictionaryArray.from_arrays(codes, pa.array(order), ordered=ordered)


FRAMES = {
    "pandas": pd.DataFrame({"agree": pd.Categorical(WORDS, categories=ORDER, ordered=True)}),
    "polars": pl.DataFrame({"agree": pl.Series(WORDS, dtype=pl.Enum(ORDER))}),
    "pyarrow": pa.table({"agree": dictionary(WORDS, ORDER)}),
    "text and its levels": pl.DataFrame({"agree": WORDS}),
}


@pytest.mark.parametrize("name", FRAMES)
def test_ordered_categories_are_ordinal_in_their_order(name: str) -> None:
    kinds = {"agree": ORDER} if name == "text and its levels" else None
    column = Table.of(FRAMES[name], kinds=kinds, missing="testwise").column("agree")
    assert (column.kind, column.levels) == ("ordinal", ("low", "mid", "high"))
    assert column.values.tolist() == [1, 0, -1, 2, 0]
    assert column.describe() == "agree: ordinal, 3 levels (low < mid < high), 1 missing"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"agree": pd.Categorical(["b", "a", "c"], categories=["c", "b", "a"])}),
        pl.DataFrame({"agree": pl.Series(["b", "a", "c"], dtype=pl.Categorical)}),
        pa.table({"agree": dictionary(["b", "a", "c"], ["c", "b", "a"], ordered=False)}),
        pl.DataFrame({"agree": [2, 1, 3]}),
    ],
    ids=["pandas", "polars", "pyarrow", "numbers"],
)
def test_what_has_no_order_of_its_own_stays_discrete(frame: Any) -> None:
    column = Table.of(frame).column("agree")
    assert column.kind == "discrete" and column.values.tolist() == [1, 0, 2]


def test_categories_that_are_numbers_keep_the_order_of_the_categories() -> None:
    frame = pd.DataFrame({"grade": pd.Categorical([1, 6, 2], categories=[6, 2, 1], ordered=True)})
    assert Table.of(frame).column("grade").levels == ("6", "2", "1")


def test_numbers_are_ordered_by_value() -> None:
    frame = pl.DataFrame({"stage": [10, 9, 100, 9], "dose": [0.5, 2.5, 0.5, 1.0], "ill": [True, False, True, True]})
    table = Table.of(frame, kinds="ordinal")
    assert table.kinds == ("ordinal",) * 3
    assert [column.levels for column in table.columns] == [("9", "10", "100"), ("0.5", "1", "2.5"), ("False", "True")]
    assert Table.of(pl.DataFrame({"stage": ["10", "9", "10"]}), kinds="ordinal").column("stage").levels == ("9", "10")


@pytest.mark.parametrize("source", ["frame", "frames", "file", "files"])
def test_text_without_a_known_order_is_refused(source: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"agree": ["low", "mid", "high"] * 20, "x": np.arange(60.0) ** 1.5})
    frame.write_csv(tmp_path / "a.csv")
    path = str(tmp_path / "a.csv")
    sources = {"frame": frame, "frames": [frame[:30], frame[30:]], "file": path, "files": [path]}
    with pytest.raises(DataError) as refused:
        an.discover(sources[source], kinds={"agree": "ordinal"})
    assert str(refused.value) == (
        "column 'agree' cannot be ordinal, since the order of its levels 'high', 'low' and 'mid' is not known; make it "
        "an ordered categorical or numbers, or pass its levels from the lowest to the highest, as in "
        "kinds={'agree': ['high', 'low', 'mid']}"
    )


def test_the_order_of_two_levels_does_not_matter() -> None:
    table = Table.of(pl.DataFrame({"sex": ["m", "f", "f"]}), kinds={"sex": "ordinal"})
    assert table.column("sex").levels == ("f", "m") and table.kinds == ("ordinal",)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("values", [["low", "mid", "higher", "low"] * 20, [1, 2, 3, 1] * 20])
def test_levels_that_were_not_told_are_named(values: list[Any], streamed: bool) -> None:
    frame = pl.DataFrame({"agree": values, "b": ["x", "y"] * 40})
    told: Any = ["low", "mid", "high"] if isinstance(values[0], str) else [1, 2]
    extra = "higher" if isinstance(values[0], str) else "3"
    with pytest.raises(DataError, match=rf"column 'agree' must have no other levels than .*, got '{extra}' as well"):
        an.discover([frame] if streamed else frame, kinds={"agree": told})


@pytest.mark.parametrize("levels", [["low"], ["low", "low"], []])
def test_a_list_of_levels_must_have_two_different_ones(levels: list[str]) -> None:
    with pytest.raises(OptionError, match="must have at least two levels, each once, for an ordinal column"):
        Table.of(pl.DataFrame({"agree": ["low"]}), kinds={"agree": levels})


def test_levels_may_be_told_as_numbers() -> None:
    told: Any = {"grade": [6, 2.5, 1.0]}
    column = Table.of(pl.DataFrame({"grade": [1.0, 2.5, 6.0]}), kinds=told).column("grade")
    assert column.levels == ("6", "2.5", "1") and column.values.tolist() == [2, 1, 0]


ROWS = an.simulate.ordinal(an.DAG.parse("a -> c, b -> c, c -> d"), rows=400, levels={"a": 2, "c": 3}, seed=1)


def test_tables_carry_the_order() -> None:
    table = Table.of(ROWS)
    assert table.kinds == ("ordinal",) * 4 and "4 ordinal columns" in repr(table)
    assert table.select(["c", "a"]).column("c").ordered
    kept = table.column("d").keep(np.flatnonzero(table.column("d").values >= 2))
    assert (kept.kind, kept.levels) == ("ordinal", ("3", "4", "5"))
    assert Table.of(table, kinds={"d": "discrete"}).kinds == ("ordinal", "ordinal", "ordinal", "discrete")
    assert Table.of(table, kinds={"d": "continuous"}).column("d").values.max() == 5


def test_a_discrete_column_has_its_levels_in_the_usual_order_again() -> None:
    frame = pl.DataFrame({"agree": pl.Series(["low", "mid", "high"], dtype=pl.Enum(["low", "mid", "high"]))})
    for source in (frame, Table.of(frame)):
        column = Table.of(source, kinds="discrete").column("agree")
        assert (column.levels, column.values.tolist()) == (("high", "low", "mid"), [1, 2, 0])


def test_the_order_is_part_of_the_fingerprint() -> None:
    frame = pl.DataFrame({"agree": ["low", "mid", "high", "low"]})
    kinds: list[Any] = ["discrete", {"agree": ["low", "mid", "high"]}, {"agree": ["mid", "low", "high"]}]
    prints = [Table.of(frame, kinds=kind).fingerprint for kind in kinds]
    assert len(set(prints)) == 3
    assert Table.of(frame[::-1], kinds=kinds[1]).fingerprint == prints[1]
    unused = Table.of(frame, kinds={"agree": ["lowest", "low", "mid", "high"]})
    assert unused.fingerprint == prints[1]


CUTS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "enums": lambda frame: [frame[:100], frame[100:]],
    "pandas": lambda frame: [frame[:100].to_pandas(), frame[100:].to_pandas()],
    "arrow": lambda frame: iter([as_arrow(frame[:100]), as_arrow(frame[100:])]),
}


def as_arrow(frame: pl.DataFrame) -> pa.Table:
    types: dict[str, Any] = dict(frame.schema)
    return pa.table({name: dictionary(frame[name].to_list(), list(types[name].categories)) for name in types})


@pytest.mark.parametrize("how", CUTS)
@pytest.mark.parametrize("test", ["copula", "g", "mixed"])
def test_a_stream_is_the_table(how: str, test: str) -> None:
    whole = choose_test(ROWS, test=test)
    stream = choose_test(CUTS[how](ROWS), test=test)
    assert stream.fingerprint == whole.fingerprint and stream.kinds == whole.kinds == dict.fromkeys("abcd", "ordinal")
    for given in ([], [2], [2, 3]):
        one, two = (t.evidence(t.questions("abcd"), 0, 1, given).p_value for t in (whole, stream))
        assert one == pytest.approx(two, rel=1e-9)


def test_a_stream_of_numbers_is_ordered_by_value() -> None:
    frame = ROWS.cast(pl.String).cast(pl.Int64)
    whole = choose_test(frame, kinds="ordinal")
    stream = choose_test([frame[:100], frame[100:]], kinds="ordinal")
    assert whole.name == stream.name == "copula" and whole.fingerprint == stream.fingerprint
    assert choose_test([frame[:100], frame[100:]]).kinds == dict.fromkeys("abcd", "discrete")


def test_parts_must_agree_on_the_order() -> None:
    one = pl.DataFrame({"agree": pl.Series(["low", "mid"], dtype=pl.Enum(["low", "mid", "high"]))})
    two = pl.DataFrame({"agree": pl.Series(["low", "mid"], dtype=pl.Enum(["mid", "low", "high"]))})
    with pytest.raises(DataError, match=r"in the order low < mid < high in one part and mid < low < high in another"):
        choose_test([one, two])
    with pytest.raises(DataError, match="has ordered categories in row 1 and others in row 3"):
        choose_test([one, two.cast(pl.Categorical)])
    assert merged_levels("x", ("2", "10"), ("3", "5")) == ("2", "3", "5", "10")


def test_counts_carry_the_order() -> None:
    one, two = (Counts.of(ROWS[:200]), Counts.of(ROWS[200:]))
    orders = {"d": ("5", "4", "3", "2", "1")}
    both = one.with_order(orders) + two.with_order(orders)
    assert both.kinds == ("discrete", "discrete", "discrete", "ordinal") and both.select(["d"]).ordered == {"d"}
    assert both.table(["d"]).tolist() == (one + two).table(["d"]).tolist()[::-1]
    with pytest.raises(DataError, match="give all parts the same ordered categories"):
        one.with_order(orders) + two.with_order({"d": ("1", "2", "3", "5", "4")})


def test_run_files_and_words_carry_it(tmp_path: Path) -> None:
    frame = ROWS.cast(pl.String)
    frame.write_csv(tmp_path / "rows.csv")
    kinds = {"a": "ordinal", "b": "ordinal", "c": ["1", "2", "3"], "d": "ordinal"}
    found = an.discover(str(tmp_path / "rows.csv"), kinds=kinds, save=tmp_path / "run.json")
    assert found.settings.test == "copula" and found.test.kinds == dict.fromkeys("abcd", "ordinal")
    again = an.load(tmp_path / "run.json")
    assert again.test.kinds == found.test.kinds and again.pag == found.pag
    assert again.reading.kinds == kinds | {"c": ("1", "2", "3")}
    resumed = an.discover(frame, kinds=kinds, resume=tmp_path / "run.json")
    assert resumed.pag == found.pag
    again.report(tmp_path / "report.html")
    assert "4 ordinal" in (tmp_path / "report.html").read_text("utf-8")


def test_discoverer_takes_it() -> None:
    pytest.importorskip("sklearn")
    frame = ROWS.to_pandas().astype(str)
    assert (
        an.Discoverer(kinds={"a": "ordinal", "b": "ordinal", "c": ["1", "2", "3"], "d": "ordinal"})
        .fit(frame)
        .discovery_.settings.test
        == "copula"
    )
