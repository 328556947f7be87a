"""From what the user has to a test: the choice, the overrides, and what is refused."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ancestral as an
from ancestral.errors import Option
from ancestral.independence import TESTS, choose_test

RNG = np.random.default_rng(0)
NUMBERS = pl.DataFrame({name: RNG.standard_normal(100) for name in "abc"})
LEVELS = pl.DataFrame({name: RNG.integers(0, 3, 100) for name in "def"})
BOTH = pl.concat([NUMBERS, LEVELS], how="horizontal")


@pytest.mark.parametrize(("frame", "test"), [(NUMBERS, "fisher-z"), (LEVELS, "labels"), (BOTH, "mixed")])
def test_the_kinds_of_columns_choose(frame: pl.DataFrame, test: str) -> None:
    assert choose_test(frame).name == test


@pytest.mark.parametrize("test", ["fisher-z", "rank", "mixed"])
def test_a_test_by_name(test: str) -> None:
    assert choose_test(NUMBERS, test=test).name == test
    assert choose_test(BOTH, test=test, kinds="continuous").name == test


def sources(folder: Path) -> dict[str, Any]:
    """The same table in all the ways in which it can come."""
    NUMBERS.write_csv(folder / "n.csv")
    NUMBERS.write_csv(folder / "n.tsv", separator="\t")
    NUMBERS.write_parquet(folder / "n.parquet")
    return {
        "polars": NUMBERS,
        "lazy": NUMBERS.lazy(),
        "pandas": NUMBERS.to_pandas(),
        "pyarrow": NUMBERS.to_arrow(),
        "csv": folder / "n.csv",
        "tsv": str(folder / "n.tsv"),
        "parquet": folder / "n.parquet",
        "table": an.Table.of(NUMBERS),
        "moments": an.Moments.of(NUMBERS),
        "covariance": an.Moments.from_covariance(np.cov(NUMBERS.to_numpy().T), rows=100, names=["a", "b", "c"]),
        "correlation": an.Moments.from_correlation(np.corrcoef(NUMBERS.to_numpy().T), rows=100, names=["a", "b", "c"]),
    }


def test_every_source_gives_the_same_answer(tmp_path: Path) -> None:
    expected = an.discover(NUMBERS.to_numpy(), names=["a", "b", "c"], alpha=0.2)
    for name, source in sources(tmp_path).items():
        found = an.discover(source, alpha=0.2)
        assert found.pag == expected.pag, name
        assert found.evidence("a", "b", given="c").p_value == pytest.approx(
            expected.evidence("a", "b", given="c").p_value, abs=1e-9
        )
    assert isinstance(pa.table({"a": [1]}), pa.Table) and isinstance(pd.DataFrame(), pd.DataFrame)


def test_a_file_with_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    lines = [";".join(f"{v:.6f}".replace(".", ",") for v in row) for row in NUMBERS.rows()]
    (tmp_path / "n.csv").write_text("\n".join(["a;b;c", *lines]), encoding="utf-8")
    given: list[dict[str, Any]] = [{}, {"separator": ";", "decimal": ","}]
    for options in given:
        assert an.discover(tmp_path / "n.csv", alpha=0.2, **options).pag == an.discover(NUMBERS, alpha=0.2).pag


@pytest.mark.parametrize("test", ["fisher-z", "rank", "mixed"])
def test_a_table_that_was_read_testwise_is_searched_testwise(test: str) -> None:
    holed = NUMBERS.with_columns(pl.when(pl.col("b") > 1).then(None).otherwise(pl.col("a")).alias("a"))
    direct = an.discover(holed, test=test, missing="testwise", alpha=0.2)
    handed_on = an.discover(an.Table.of(holed, missing="testwise"), test=test, alpha=0.2)
    assert handed_on.pag == direct.pag
    assert handed_on.evidence("a", "b", given="c") == direct.evidence("a", "b", given="c")
    assert handed_on.evidence("a", "b", given="c").rows == 100 - holed["a"].null_count() < 100


def test_columns_and_drop() -> None:
    assert choose_test(BOTH, columns=["c", "a"]).names == ("c", "a")
    assert choose_test(BOTH, drop=["d", "e", "f"]).name == "fisher-z"
    assert choose_test(an.Moments.of(NUMBERS), drop=["a"]).names == ("b", "c")


def test_a_function_of_names() -> None:
    dag = an.simulate.random_dag(nodes=9, degree=2, seed=4)
    oracle = an.Oracle(dag)
    asked = []

    def p_value(x: str, y: str, given: tuple[str, ...]) -> float:
        asked.append((frozenset((x, y)), given))
        return 1.0 if oracle.independent(x, y, given) else 0.0

    found = an.discover(p_value, names=dag.observed, colliders="first")
    assert found.pag == an.pag_of(dag)
    assert len(asked) == found.tests.total() + found.verify_tests.total()
    assert len({(pair, frozenset(given)) for pair, given in asked}) == len(asked)
    frame = pl.DataFrame({name: RNG.standard_normal(20) for name in dag.observed})
    assert an.discover(frame, test=p_value).pag == an.pag_of(dag)


def test_an_object_that_follows_the_protocol() -> None:
    dag = an.simulate.random_dag(nodes=8, degree=2, seed=5)

    class Mine:
        names = dag.observed

        def independent(self, x: str, y: str, given: tuple[str, ...]) -> bool:
            return an.is_separated(dag, x, y, given=set(given))

    assert an.discover(Mine()).pag == an.pag_of(dag)


def test_errors_of_a_function_come_through() -> None:
    def broken(x: str, y: str, given: tuple[str, ...]) -> float:
        raise ZeroDivisionError("my own fault")

    with pytest.raises(ZeroDivisionError, match="my own fault"):
        an.discover(broken, names=["a", "b"])


@pytest.mark.parametrize("said", [2.0, -0.1, "no", "nan", [0.5], {}])
def test_a_p_value_that_is_none_is_refused(said: object) -> None:
    with pytest.raises(an.OptionError, match=r"a p-value must be .* between 0 and 1; .* for a and b given nothing"):
        an.discover(lambda x, y, given: said, names=["a", "b"])


@pytest.mark.parametrize("said", [float("nan"), np.float32("nan"), np.array(float("nan")), None])
def test_no_p_value_means_that_the_data_cannot_support_the_question(said: object) -> None:
    dag = an.DAG.parse("a -> b, b -> c, c -> d, b -> d")

    def p_value(x: str, y: str, given: tuple[str, ...]) -> Any:
        if len(given) > 1 or {x, y} == {"c", "d"}:
            return said
        return float(an.is_separated(dag, x, y, given=given))

    found = an.discover(p_value, names=dag.observed)
    assert found.pag.edge("c", "d")  # of which nothing is known
    assert found.pag.edge("a", "c") is None
    assert found.unsupported[0] == 1
    assert "not supported by the data, so answered 'dependent': 1 given 0" in str(found)
    assert np.isnan(found.evidence("c", "d", given=[]).p_value)
    for workers in (1, 2):
        other = an.discover(p_value, names=dag.observed[::-1], workers=workers)
        assert other.pag == found.pag
        assert (other.tests, other.unsupported) == (found.tests, found.unsupported)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            NUMBERS,
            {"test": "t-test"},
            f"test must be one of {', '.join(map(repr, TESTS))}, got 't-test'",
        ),
        (
            NUMBERS,
            {"test": "g"},
            "test=\"g\" is for discrete columns, and 'a', 'b' and 'c' are not; pass test=\"fisher-z\"",
        ),
        (
            BOTH,
            {"test": "fisher-z"},
            "test=\"fisher-z\" is for continuous columns, and 'd', 'e' and 'f' are not; pass test=\"mixed\", leave the "
            "columns out with drop=['d', 'e', 'f'], or override how they are read with "
            "kinds={'d': 'continuous', 'e': 'continuous', 'f': 'continuous'}",
        ),
        (NUMBERS, {"alpha": 0}, "alpha must be between 0 and 1, got 0"),
        (NUMBERS, {"alpha": 1.0}, "alpha must be between 0 and 1, got 1.0"),
        (NUMBERS, {"alpha": "5%"}, "alpha must be between 0 and 1, got '5%'"),
        (NUMBERS, {"columns": ["z"]}, "unknown column 'z'"),
        (NUMBERS, {"kinds": {"a": "blue"}}, "blue"),
        (NUMBERS, {"missing": "guess"}, "missing must be one of 'refuse', 'drop', 'testwise', 'impute', got 'guess'"),
        (an.Moments.of(NUMBERS), {"test": "g"}, "test must be 'fisher-z' where the source is moments, got 'g'"),
        (an.Oracle(an.DAG.parse("a -> b")), {"test": "g"}, 'test="g" does not apply to an existing test'),
        (lambda x, y, given: 1.0, {}, "a function as a source needs names="),
        (object(), {}, "source must be a table, got <object"),
        ("nowhere.csv", {}, "nowhere.csv"),
    ],
)
def test_what_cannot_be_used_is_refused(source: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(an.AncestralError) as error:
        an.discover(source, **options)
    assert message in str(error.value)


def refusal(source: Any, test: str, **options: Any) -> str:
    """What is said about a test that is not for all columns."""
    with pytest.raises(an.OptionError) as error:
        choose_test(source, test=test, **options)
    return str(error.value)


def test_dropping_is_offered_only_if_two_columns_are_left() -> None:
    assert "drop=" not in refusal(NUMBERS, "labels")
    assert "drop=" not in refusal(BOTH, "labels", columns=["a", "b", "d"])
    assert "leave the columns out with drop=['a', 'b']" in refusal(BOTH, "labels", columns=["a", "b", "d", "e"])
    told = refusal(BOTH, "labels", columns=["a", "d", "e"])
    assert told.endswith("""'a' is not; pass test="mixed", or leave the column out with drop=['a']""")
    assert choose_test(BOTH, test="labels", columns=["a", "d", "e"], drop=["a"]).names == ("d", "e")


def test_columns_are_offered_to_be_read_as_labels_only_if_they_would_not_be_refused_as_identifiers() -> None:
    ages = NUMBERS.with_columns(a=pl.Series(RNG.integers(20, 60, 100)), b=pl.Series(RNG.integers(0, 2, 100)))
    told = refusal(ages, "labels", columns=["a", "b"])
    assert told.endswith("""'a' is not; pass test="mixed", or override how it is read with kinds={'a': 'discrete'}""")
    assert choose_test(ages, test="labels", columns=["a", "b"], kinds={"a": "discrete"}).name == "labels"
    assert "kinds=" not in refusal(ages, "labels", columns=["c", "b"])  # 100 levels in 100 rows
    assert "kinds=" not in refusal(iter([ages]), "labels", columns=["a", "b"])  # how many levels is not known


def test_some_columns_are_left_out_and_others_read_otherwise() -> None:
    words = LEVELS.with_columns(town=pl.Series(["x", "y", "z", "y"] * 25))
    told = refusal(words, "fisher-z")
    assert told == (
        "test=\"fisher-z\" is for continuous columns, and 'd', 'e', 'f' and 'town' are not; pass test=\"labels\", or "
        "leave out only 'town' with drop=['town'], and override how the others are read with "
        "kinds={'d': 'continuous', 'e': 'continuous', 'f': 'continuous'}"
    )
    numbers = {"d": "continuous", "e": "continuous", "f": "continuous"}
    assert choose_test(words, test="fisher-z", drop=["town"], kinds=numbers).name == "fisher-z"
    assert "kinds=" not in refusal(words, "fisher-z", columns=["d", "town"])  # nothing to compare would be left


def test_long_lists_of_columns_are_shortened_but_not_what_is_to_be_copied() -> None:
    many = pl.DataFrame({f"x{i}": RNG.standard_normal(60) for i in range(12)}).with_columns(
        a=pl.Series([0, 1, 1] * 20), b=pl.Series([0, 1] * 30)
    )
    told = refusal(many, "labels")
    assert "'x7' and 4 more are not" in told
    assert told.endswith(f"leave the columns out with drop={[f'x{i}' for i in range(12)]!r}")


def test_far_from_normal_is_said_and_rank_offered() -> None:
    frame = NUMBERS.with_columns(pl.col("a").mul(2).exp())
    with pytest.warns(an.DataWarning, match="far from normal: 'a'.*test=\"rank\""):
        an.discover(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        an.discover(frame, test="rank")


def test_what_the_data_cannot_support_is_said() -> None:
    dag = an.DAG.parse("a -> b, b -> c, c -> d, a -> d, a -> e, b -> e, c -> e")
    found = an.discover(an.simulate.discrete(dag, rows=60, levels=4, seed=1), alpha=0.5)
    assert found.unsupported.total() > 0
    assert "not supported by the data, so answered 'dependent': " in str(found)


# -- what is advised about missing values can be followed -------------------------------------------------------------


def with_gaps(frame: pl.DataFrame, rows: dict[str, list[int]]) -> pl.DataFrame:
    """The frame without the values in these rows of some columns."""
    number = pl.int_range(pl.len())
    return frame.with_columns(pl.when(~number.is_in(some)).then(pl.col(name)) for name, some in rows.items())


FEW, MANY = {0: [3, 5]}, {0: list(range(30))}
EVERY_ROW = {0: list(range(0, 100, 2)), 1: list(range(1, 100, 2))}


@pytest.mark.parametrize("gaps", [FEW, MANY, EVERY_ROW])
@pytest.mark.parametrize("missing", ["refuse", "drop", "testwise", "impute"])
@pytest.mark.parametrize("test", [None, *TESTS])
def test_advice_about_missing_values_can_be_followed(
    test: str | None, missing: str, gaps: dict[int, list[int]]
) -> None:
    frame = LEVELS if test is not None and not TESTS[test].takes("continuous") else NUMBERS
    source = with_gaps(frame, {frame.columns[place]: rows for place, rows in gaps.items()})
    given: dict[str, Any] = {"test": test, "missing": missing}
    try:
        choose_test(source, **given)
    except an.AncestralError as error:
        advised = [part for part in error.args[1:] if isinstance(part, Option)]
        for option in advised:
            if option.name == "drop":
                given["columns"] = [frame.columns[place] for place in (0, 2)]
                given["missing"] = "drop"
                choose_test(source, **given)
            else:
                choose_test(source, **{**given, option.name: option.value})
        assert advised


def test_a_function_is_not_advised_to_impute() -> None:
    source = with_gaps(NUMBERS, {"a": MANY[0]})
    with pytest.raises(an.DataError) as told:
        choose_test(source, test=lambda x, y, given: 0.5)
    assert "testwise" in str(told.value) and "impute" not in str(told.value)


def test_gaps_of_weighted_rows_in_a_stream_can_only_be_dropped() -> None:
    source = with_gaps(NUMBERS, {"a": FEW[0]}).with_columns(w=pl.lit(1.0))
    with pytest.raises(an.DataError) as told:
        choose_test([source[:50], source[50:]], weights="w")
    assert 'missing="drop"' in str(told.value) and "testwise" not in str(told.value)
