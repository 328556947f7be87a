"""Each kind of source takes the options that mean something to it; every other option is refused, none is ignored."""

import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ancestral as an
from ancestral.data.read.kinds import MATRIX
from ancestral.independence.sources import DECIDED_DATA, kind_of_source
from ancestral.options import SourceOptions

RNG = np.random.default_rng(5)
NUMBERS = pl.DataFrame({name: RNG.standard_normal(60) for name in "abc"})
LEVELS = pl.DataFrame({name: RNG.integers(0, 2, 200) for name in "abc"})
DAG = an.DAG.parse("a -> c, b -> c")


class Answers:
    """A test of a user's own: it knows the truth, and counts what it is asked."""

    names: Any = ("a", "b", "c")

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        self.asked.append((x, y))
        return 1.0 if an.is_separated(DAG, x, y, given=set(given)) else 0.0


class Decides:
    names = ("a", "b", "c")

    def independent(self, x: str, y: str, given: tuple[str, ...]) -> bool:
        return an.is_separated(DAG, x, y, given=set(given))


class Questions:
    """An object that fulfils the protocol `Test` by handing everything to another test."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        if name in ("p_value", "independent") or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.inner, name)


def function(x: str, y: str, given: tuple[str, ...]) -> float:
    return 1.0 if an.is_separated(DAG, x, y, given=set(given)) else 0.0


SOURCES: dict[str, Callable[[], Any]] = {
    "test": lambda: an.Oracle(DAG),
    "object": Answers,
    "deciding": Decides,
    "function": lambda: function,
    "moments": lambda: an.Moments.of(NUMBERS),
    "counts": lambda: an.Counts.of(LEVELS),
    "table": lambda: an.Table.of(NUMBERS),
    "frame": lambda: NUMBERS,
    "array": lambda: NUMBERS.to_numpy(),
}
#: For each option a value that would mean something to a source that takes it.
GIVEN: dict[str, Any] = {
    "test": "g",
    "alpha": 0.3,
    "names": ["a", "b", "c"],
    "columns": ["a", "b"],
    "drop": ["c"],
    "kinds": "continuous",
    "missing": "drop",
    "separator": ";",
    "decimal": ",",
    "na": ["-999"],
    "encoding": "latin-1",
    "in_memory": True,
    "matrix": "covariance",
    "rows": 50,
    "weights": "c",
    "clusters": "c",
}


@pytest.mark.parametrize("option", GIVEN)
@pytest.mark.parametrize("kind", SOURCES)
def test_an_option_is_used_or_refused(kind: str, option: str) -> None:
    assert kind_of_source(SOURCES[kind]()).name == kind
    options = {option: GIVEN[option]}
    if kind in ("function", "array"):
        options.setdefault("names", ["a", "b", "c"])
    if option in kind_of_source(SOURCES[kind]()).takes:
        if option in ("test", "weights"):
            return  # which tests suit which source: test_choose; which numbers are weights: test_sampling_designs
        found = an.discover(SOURCES[kind](), **options)
        if option in ("columns", "drop"):
            assert found.pag.nodes == ("a", "b")
        if option == "alpha":
            assert found.settings.alpha == 0.3
    else:
        searches: list[Callable[..., Any]] = [an.discover, an.stages]
        for search in searches:
            with pytest.raises(an.OptionError, match=f"{option}=.*does not apply to .*leave {option}= out"):
                search(SOURCES[kind](), **options)


def test_every_option_of_reading_and_asking_is_declared() -> None:
    assert set(SourceOptions.__dataclass_fields__) == set(GIVEN)
    kinds = [*(kind_of_source(make()) for make in SOURCES.values()), kind_of_source(iter([NUMBERS])), DECIDED_DATA]
    kinds.append(MATRIX)
    assert {option for kind in kinds for option in kind.takes} == set(GIVEN)


@pytest.mark.parametrize("option", ["names", "separator", "decimal", "encoding"])
def test_options_of_text_are_refused_alike_by_all_readers(option: str, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    NUMBERS.write_parquet(path)
    other = tmp_path / "y.csv"
    NUMBERS.write_csv(other)
    sources: list[tuple[Callable[[], Any], str]] = [
        (lambda: path, "a parquet file"),
        (lambda: str(path), "a parquet file"),
        (lambda: [path], "a parquet file"),
        (lambda: iter([path]), "a parquet file"),
        (lambda: tmp_path, "parquet and csv files together"),
        (lambda: iter([NUMBERS]), "a source of frames"),
        (lambda: [NUMBERS], "a source of frames"),
        (lambda: NUMBERS, "a frame"),
        (lambda: an.Table.of(NUMBERS), "a Table"),
    ]
    value = {option: GIVEN[option]}
    readers: list[Callable[..., Any]] = [
        an.discover, an.stages, an.bootstrap, an.Table.of, an.Moments.of, an.Counts.of
    ]  # fmt: skip
    for make, what in sources:
        said = set()
        for read in readers:
            with pytest.raises(an.OptionError, match=f"does not apply to {what}: .*; leave {option}= out") as refusal:
                read(make(), **value)
            assert refusal.value.option == option
            said.add(str(refusal.value))
        assert len(said) == 1


def test_a_made_test_has_its_own_alpha() -> None:
    made = an.discover(NUMBERS, alpha=0.2).test
    assert an.discover(made).settings.alpha == 0.2
    assert an.discover(made, alpha=0.2).settings.alpha == 0.2
    for alpha in (0.5, 0.01):  # also where the default is said on purpose
        with pytest.raises(an.OptionError, match=r"it was made with alpha=0.2; leave alpha= out"):
            an.discover(made, alpha=alpha)


def test_alpha_decides_nothing_where_an_object_decides() -> None:
    with pytest.raises(an.OptionError, match=r"alpha=0.05 does not apply to data whose test is an object"):
        an.discover(NUMBERS, test=Decides(), alpha=0.05)


def test_columns_choose_the_variables_of_an_object_and_of_a_function() -> None:
    cases: list[dict[str, Any]] = [{"columns": ["b", "c"]}, {"drop": ["a"]}, {"drop": "a"}, {"columns": iter("bc")}]
    for chosen in cases:
        answers = Answers()
        assert an.discover(answers, **chosen).pag.nodes == ("b", "c")
        assert {name for pair in answers.asked for name in pair} == {"b", "c"}
        assert an.discover(function, names=iter("abc"), **_again(chosen)).pag.nodes == ("b", "c")
    with pytest.raises(an.UnknownName):
        an.discover(Answers(), columns=["z"])
    with pytest.raises(an.UnknownName):
        an.discover(Answers(), drop=["z"])


def _again(options: dict[str, Any]) -> dict[str, Any]:
    return {"columns": ["b", "c"]} if "columns" in options else options


@pytest.mark.parametrize("wrong", [0.05, True, ("chi2",), 3, b"g", {"a": 1}, object(), NUMBERS])
def test_what_is_no_test_is_refused(wrong: object) -> None:
    searches: list[Callable[..., Any]] = [an.discover, an.bootstrap, an.stages]
    for search in searches:
        with pytest.raises(
            an.OptionError,
            match=r"test must be the name of a test .'fisher-z', .*, a function .*, got ",
        ):
            search(NUMBERS, test=wrong)


def test_an_object_is_asked_about_the_columns_of_data() -> None:
    answers = Answers()
    found = an.discover(NUMBERS, test=answers)
    assert found.pag == an.pag_of(DAG) and answers.asked and found.settings.test == "Answers"
    assert an.discover(NUMBERS, test=Decides()).pag == an.pag_of(DAG)
    assert an.discover(NUMBERS, test=an.Oracle(DAG)).pag == an.pag_of(DAG)
    fewer = Answers()
    fewer.names = iter(["a", "b"])
    with pytest.raises(
        an.OptionError, match=r"Answers must have every column .* lacks 'c'; leave it out: drop=\['c'\]$"
    ):
        an.discover(NUMBERS, test=fewer)
    fewer.names = iter(["a"])
    with pytest.raises(an.OptionError, match=r"lacks 'b' and 'c'; leave them out: drop=\['b', 'c'\]$"):
        an.discover(NUMBERS, test=fewer)
    fewer.names = None  # an object may leave the names to the data
    assert an.discover(NUMBERS, test=fewer).pag == an.pag_of(DAG)


def test_an_object_has_no_rows_to_draw() -> None:
    cases: list[tuple[Any, Any]] = [(NUMBERS, Answers()), (NUMBERS, function), (Answers(), None), (Decides(), None)]
    for source, test in cases:
        with pytest.raises(an.OptionError, match="does not see which rows are drawn"):
            an.bootstrap(source, test=test)
    summed = an.discover([NUMBERS]).test
    with pytest.raises(an.OptionError, match="sums have no rows to draw"):
        an.bootstrap(summed)


def test_an_object_with_questions_of_its_own_is_searched() -> None:
    assert an.discover(Questions(an.Oracle(DAG))).pag == an.pag_of(DAG)
    inner = an.discover(NUMBERS, alpha=0.2)
    assert an.discover(Questions(inner.test)).settings == inner.settings
    boot = an.bootstrap(Questions(inner.test), repeats=3)
    assert boot.graphs == an.bootstrap(NUMBERS, alpha=0.2, repeats=3).graphs


def test_what_a_test_lacks_is_named() -> None:
    lacking = types.SimpleNamespace(questions=len, evidence=len, names=["a", "b"], name="mine", alpha=None)
    missing = "kinds, rows, scale, fingerprint, p_values, for_workers, resampler, effect_moments"
    searches: list[Callable[..., Any]] = [an.discover, an.bootstrap, an.stages]
    for search in searches:
        with pytest.raises(an.OptionError, match=f"SimpleNamespace lacks {missing}; inherit from .*BaseTest"):
            search(lacking)


def test_a_test_is_the_source_not_the_option() -> None:
    made = an.discover(NUMBERS).test
    with pytest.raises(an.OptionError, match="FisherZ is an existing test; pass it as the source"):
        an.discover(NUMBERS, test=made)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["p_value", "independent", "questions", "names", "columns", "evidence"])
def test_a_column_may_be_called_like_a_method_of_a_test(word: str) -> None:
    values = NUMBERS.to_numpy()
    for frame in (
        pd.DataFrame(values, columns=["a", "b", word]),
        pd.DataFrame(
            {"a": values[:, 0], "questions": values[:, 1], "evidence": values[:, 2], "p_values": values[:, 0] ** 2}
        ),
        pl.DataFrame(values, schema=["a", "b", word]),
        pa.table({"a": values[:, 0], "b": values[:, 1], word: values[:, 2]}),
    ):
        names = frame.column_names if isinstance(frame, pa.Table) else list(frame.columns)
        found = an.discover(frame, test="rank")
        assert list(found.pag.nodes) == names and found.settings.test == "rank"
        boot = an.bootstrap(frame, test="rank", repeats=2)
        assert list(boot.nodes) == names and boot.repeats == 2


def test_a_subclass_of_a_frame_is_a_frame() -> None:
    class Mine(pd.DataFrame):  # type: ignore[misc]
        def p_value(self) -> float:
            return 0.5

    assert an.discover(Mine(NUMBERS.to_numpy(), columns=["a", "b", "c"])).settings.test == "fisher-z"


def test_a_class_is_not_one_of_its_objects() -> None:
    with pytest.raises(an.OptionError, match=r"Answers is a class; pass one of its objects, as in Answers\(…\)"):
        an.discover(Answers)
    with pytest.raises(an.OptionError, match="Decides is a class"):
        an.discover(NUMBERS, test=Decides)


def test_iterators_are_used_once() -> None:
    """What a run remembers, and what a bootstrap draws, is what the search has used."""
    found = an.discover(NUMBERS, drop=iter(["a"]))
    assert found.pag.nodes == ("b", "c") and found.reading.drop == ("a",)
    boot = an.bootstrap(NUMBERS, drop=iter(["a"]), repeats=2)
    assert boot.nodes == ("b", "c")
    boot = an.bootstrap(NUMBERS.to_numpy(), names=iter("abc"), columns=iter("ca"), repeats=2)
    assert boot.nodes == ("c", "a") and boot.found is not None and boot.found.reading.columns == ("c", "a")
    assert an.discover(NUMBERS, drop="a").reading.drop == ("a",)


@pytest.mark.parametrize("said", [0.03, "no", float("nan"), 1, None, np.float64(0.5)])
def test_a_decision_is_true_or_false(said: object) -> None:
    class Test(Decides):
        def independent(self, x: str, y: str, given: tuple[str, ...]) -> Any:
            return said

    cases: list[tuple[Any, dict[str, Any]]] = [(Test(), {}), (NUMBERS, {"test": Test()})]
    for source, options in cases:
        with pytest.raises(an.OptionError, match=r"must return True or False; .* answered .* given nothing"):
            an.discover(source, **options)


def test_a_decision_may_be_one_of_numpy() -> None:
    class Test(Decides):
        def independent(self, x: str, y: str, given: tuple[str, ...]) -> Any:
            return np.bool_(super().independent(x, y, given))

    assert an.discover(Test()).pag == an.pag_of(DAG)


@pytest.mark.parametrize("said", ["0.5", b"0.5", [0.5], 10**400])
def test_a_p_value_is_a_number(said: object) -> None:
    with pytest.raises(an.OptionError, match="a p-value must be a number between 0 and 1"):
        an.discover(lambda x, y, given: said, names=["a", "b"])


@pytest.mark.parametrize("rows", [-5, 1.5, "many", None, True])
def test_the_rows_of_an_object_are_a_count(rows: object) -> None:
    test = Answers()
    test.rows = rows  # type: ignore[attr-defined]
    with pytest.raises(an.OptionError, match=r"Answers\.rows must be a whole number of at least 0, got"):
        an.discover(test)
    test.rows = np.int64(40)  # type: ignore[attr-defined]
    assert an.discover(test).test.rows == 40


@pytest.mark.parametrize("alpha", [5e-324, 1e-310, 1e-301])
def test_a_level_too_small_to_compare_with_is_refused(alpha: float) -> None:
    for source in (NUMBERS, LEVELS):
        with pytest.raises(an.OptionError, match=r"alpha must be at least 1e-300, got"):
            an.discover(source, alpha=alpha)
    assert an.discover(NUMBERS, alpha=1e-300).pag.edges() is not None
    assert an.discover(LEVELS, alpha=1e-300).pag.edges() is not None
