"""What a source is, and which options it takes: determined once, by its type, before anything is read.

A frame is a frame whatever its columns are called, so no attribute is looked up on a source that a library of tables
made.
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from ancestral.arguments import one_of
from ancestral.data import Combined, Counts, Moments, Table
from ancestral.data.read.kinds import FRAME, TABLE, kind_of_data
from ancestral.data.read.matrix_files import is_matrix
from ancestral.errors import OptionError
from ancestral.graphs import MixedGraph
from ancestral.independence.base import BaseTest, check_protocol
from ancestral.independence.custom import Decider, PValues
from ancestral.independence.registry import TESTS, quoted_names
from ancestral.options import SourceKind, SourceOptions
from ancestral.printing import shown_type

__all__ = [
    "DECIDED_DATA",
    "TestChoice",
    "check_rows_to_draw",
    "checked_test",
    "kind_of_source",
]

#: What `test=` may be.
TestChoice = str | Callable[..., Any] | PValues | Decider | None

#: An object with all of these methods of the protocol of a test is a test; one with some of them is meant to be one.
TEST_METHODS = ("questions", "evidence", "p_values")

#: Packages whose objects are tables. Attributes of their objects may be columns.
TABLE_PACKAGES = frozenset(
    ("pandas", "polars", "pyarrow", "dask", "dask_expr", "duckdb", "_duckdb", "modin", "cudf", "ibis", "pyspark")
)
#: Methods by which tables of other packages are known; they are looked up on the type.
TABLE_METHODS = ("__narwhals_dataframe__", "__narwhals_lazyframe__", "__dataframe__", "__arrow_c_stream__")


def _kind(name: str, what: str, takes: str) -> SourceKind:
    return SourceKind(name, what, frozenset(takes.split()))


#: Kinds of sources other than data (`kind_of_data`), and the options they take. Some values of an option may still not
#: suit a source, such as test="g" of moments.
TEST = _kind("test", "an existing test", "")
OBJECT = _kind("object", "an object with p_value(x, y, given)", "alpha columns drop")
DECIDING = _kind("deciding", "an object with independent(x, y, given)", "columns drop")
FUNCTION = _kind("function", "a function", "alpha names columns drop")
MOMENTS = _kind("moments", "Moments", "alpha test columns drop")
COUNTS = _kind("counts", "Counts", "alpha test columns drop")
COMBINED = _kind("combined", "combined tables", "alpha test columns drop")

#: Data of any kind, where an object decides about them.
DECIDED_DATA = _kind(
    "decided data",
    "data whose test is an object with independent(x, y, given)",
    "test names columns drop kinds missing separator decimal na encoding",
)


def kind_of_source(source: Any) -> SourceKind:
    """The kind of a source; nothing is read of it."""
    if isinstance(source, BaseTest):
        return TEST
    if isinstance(source, MixedGraph):
        raise OptionError(
            f"a source must be data or a test, and {shown_type(source)} is a graph; pass an Oracle, as in "
            "an.Oracle(dag)"
        )
    for kind, types in ((MOMENTS, Moments), (COUNTS, Counts), (TABLE, Table), (COMBINED, Combined)):
        if isinstance(source, types):
            return kind
    data = kind_of_data(source)
    if data is not FRAME or _is_frame(source):
        return data
    if _has_methods(source, all):
        return TEST
    if _answers(source):
        return OBJECT if callable(getattr(source, "p_value", None)) else DECIDING
    if _has_methods(source, any):
        return TEST  # not a whole one, which is said when its members are checked
    if callable(source):
        return FUNCTION
    return FRAME  # anything else is refused when it is read


def _is_frame(source: object) -> bool:
    packages = {base.__module__.split(".")[0] for base in type(source).__mro__}
    return bool(packages & TABLE_PACKAGES) or any(hasattr(type(source), method) for method in TABLE_METHODS)


def _has_methods(thing: object, quantifier: Callable[[Iterable[bool]], bool]) -> bool:
    """Whether an object has all, or any, of the methods by which a test is known."""
    if not quantifier(callable(getattr(thing, method, None)) for method in TEST_METHODS):
        return False
    _refuse_class(thing)
    return True


def _answers(thing: object) -> bool:
    """Whether an object has one of the methods of a user's test."""
    if not any(callable(getattr(thing, method, None)) for method in ("p_value", "independent")):
        return False
    _refuse_class(thing)
    return True


def _refuse_class(thing: object) -> None:
    if inspect.isclass(thing):
        raise OptionError(f"{thing.__name__} is a class; pass one of its objects, as in {thing.__name__}(…)")


def checked_test(test: Any) -> Any:
    """The value of `test=`: None, a name, a function, or an object with `p_value` or `independent`.

    Raises `OptionError` for anything else.
    """
    if isinstance(test, str):
        return one_of("test", test, TESTS)
    if test is None or _answers(test):
        return test
    if _has_methods(test, all):
        raise OptionError(f"{type(test).__name__} is an existing test; pass it as the source, as in discover(test)")
    if callable(test):
        return test
    raise OptionError(
        f"must be the name of a test ({quoted_names()}), a function (x, y, given) -> p-value, or an object with "
        "p_value(x, y, given) or independent(x, y, given)",
        option="test",
        value=test,
    )


#: Why a source of some kind has no rows that a bootstrap could draw.
_NO_ROWS = {
    "moments": "moments have no rows to draw; pass the rows that they were made of",
    "counts": "counts have no rows to draw; pass the rows that they were made of",
    "matrix": "the file of a matrix has no rows to draw; pass the rows that the matrix was computed from",
} | dict.fromkeys(
    ("object", "deciding", "function"),
    "a function does not see which rows are drawn; draw rows in a loop of your own, with discover() on each sample, or "
    "use one of the tests that have a name",
)


def check_rows_to_draw(source: Any, options: SourceOptions) -> None:
    """Raise `OptionError` if a bootstrap cannot draw rows of this source, before anything is read or asked."""
    test = checked_test(options.test)
    kind = "matrix" if is_matrix(source, options) else kind_of_source(source).name
    if kind == "test":
        check_protocol(source)
        source.resampler()
    if kind not in _NO_ROWS and not (test is None or isinstance(test, str)):
        kind = "function"
    if kind in _NO_ROWS:
        raise OptionError(_NO_ROWS[kind])
