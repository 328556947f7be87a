"""Every test of the package keeps the promises of the protocol, in every way in which it can be made."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data import Counts, Moments, Table
from ancestral.independence import TESTS, Test, choose_test
from ancestral.independence.custom import CustomTest
from ancestral.testing import Check, checks_of_test

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e", latent=["L"])
NUMBERS = an.simulate.linear_gaussian(DAG, rows=300, seed=3)
LEVELS = an.simulate.discrete(DAG, rows=600, levels=2, seed=5)
BOTH = an.simulate.mixed(DAG, rows=400, seed=4)
ORDERED = an.simulate.ordinal(DAG, rows=400, levels={"a": 2, "c": 3, "d": 4}, continuous=["b"], seed=6)
ALL = BOTH.with_columns(e=ORDERED["d"])


def with_gaps(frame: pl.DataFrame) -> Table:
    rng = np.random.default_rng(5)
    holed = frame.with_columns(
        pl.when(pl.Series(rng.random(len(frame)) < 0.03)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )
    return Table.of(holed, missing="testwise")


#: Data for each kind of columns that a test may be for.
FRAMES = {
    frozenset({"continuous"}): NUMBERS,
    frozenset({"discrete"}): LEVELS,
    frozenset({"continuous", "discrete"}): BOTH,
    frozenset({"continuous", "ordinal", "binary"}): ORDERED,
    frozenset({"continuous", "discrete", "ordinal"}): ALL,
}
#: Data of which a summary is enough, where not all kinds of columns can be summed up.
SUMMED = {"copula": ORDERED.drop("b")}


def named(name: str) -> Callable[[Table], Test]:
    return lambda table: choose_test(table, test=name, alpha=0.05)


def imputed(name: str) -> Callable[[Table], Test]:
    return lambda table: choose_test(table, test=name, alpha=0.05, missing="impute")


def of_stream(name: str) -> Callable[[Table], Test]:
    """The test of the same rows, read some at a time."""

    def make(table: Table) -> Test:
        columns = {
            column.name: column.values if column.levels is None else np.array(column.levels)[column.values]
            for column in table.columns
        }
        frame = pl.DataFrame(columns)
        kinds = {one.name: (one.levels or ()) if one.ordered else one.kind for one in table.columns}
        return choose_test([frame[:150], frame[150:]], test=name, alpha=0.05, kinds=kinds)

    return make


def function(x: str, y: str, given: tuple[str, ...]) -> float:
    """Separation in the graph, for a test that can be pickled."""
    return 0.75 if an.is_separated(DAG, x, y, given=set(given)) else 0.001


def decide(x: str, y: str, given: tuple[str, ...]) -> bool:
    return an.is_separated(DAG, x, y, given=set(given))


CASES: dict[str, tuple[Any, Any]] = {
    **{name: (named(name), FRAMES[kind.kinds]) for name, kind in TESTS.items()},
    **{
        f"{name}, testwise": (named(name), with_gaps(FRAMES[kind.kinds]))
        for name, kind in TESTS.items()
        if kind.makers.incomplete
    },
    "rank, numbers": (named("rank"), NUMBERS),
    "rank, numbers, testwise": (named("rank"), with_gaps(NUMBERS)),
    **{
        f"{name}, streamed": (of_stream(name), SUMMED.get(name, FRAMES[kind.kinds]))
        for name, kind in TESTS.items()
        if kind.makers.of_summary is not None
    },
    **{f"{name}, imputed": (imputed(name), with_gaps(FRAMES[TESTS[name].kinds])) for name in ("fisher-z", "g")},
    "moments": (lambda table: choose_test(Moments.of(table), alpha=0.05), NUMBERS),
    "counts": (lambda table: choose_test(Counts.of(table), alpha=0.05), LEVELS),
    "oracle": (an.Oracle(DAG), None),
    "n-oracle of a MAG": (an.Oracle(an.mag_of(DAG), max_given=1), None),
    "function": (CustomTest(function, list("abcde")), None),
    "decisions": (CustomTest(decide, list("abcde"), decides=True), None),
    "function beside a table": (lambda table: CustomTest.of_table(function, table, 0.05), NUMBERS),
}
#: A function of names does not look at the data. A resample of imputed tables has their rows; gaps are not filled anew.
NOT_OF_DATA = {"function beside a table": ("level", "power")} | {
    case: ("drawn_rows",) for case in CASES if case.endswith(", imputed")
}


def checks() -> list[Any]:
    return [
        pytest.param(check, id=f"{case}-{check}")
        for case, (test, data) in CASES.items()
        for check in checks_of_test(test, data)
        if check.name not in NOT_OF_DATA.get(case, ())
    ]


@pytest.mark.parametrize("check", checks())
def test_a_test_keeps_its_promises(check: Check) -> None:
    check()
