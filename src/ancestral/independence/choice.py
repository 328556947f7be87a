"""From a source to a test: the source decides what can be asked, the kinds of its columns decide how.

Which test is for which columns is written in the registry (module `registry`). A source that is read some rows at a
time is summed up in one pass; the tests that need nothing but sums can be asked about it.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Unpack

from ancestral.arguments import whole_number
from ancestral.data import Combined, Counts, Moments, Table
from ancestral.data.audit import audit, audited_summary, audited_table, has_bad_squares
from ancestral.data.column_names import chosen_names
from ancestral.data.read.file_lists import located
from ancestral.data.read.kinds import MATRIX
from ancestral.data.read.matrix_files import is_matrix
from ancestral.data.read.streams import stream_to_sum
from ancestral.data.series import Windows
from ancestral.data.stats.column_moments import moments_to_search
from ancestral.data.stats.moments import moments_in_file, moments_of_rows
from ancestral.data.stats.summary import Summary
from ancestral.errors import UNSET, Option, OptionError
from ancestral.given_warnings import warn
from ancestral.graphs.names import in_order
from ancestral.independence.base import BaseTest, Makers, Test, check_protocol
from ancestral.independence.custom import CustomTest, names_of_object
from ancestral.independence.design_checks import check_design, knowing_designs
from ancestral.independence.evidence import checked_alpha
from ancestral.independence.imputed import imputed_test, not_imputable
from ancestral.independence.misfits import levels_of, misfits_in_words, ways_out_of
from ancestral.independence.registry import TESTS, default_test
from ancestral.independence.sources import DECIDED_DATA, checked_test, kind_of_source
from ancestral.options import SourceKeywords, SourceKind, SourceOptions

__all__ = ["choose_test", "chosen_name", "chosen_test", "is_incomplete", "kinds_by_column", "test_of_windows"]


#: How a source that comes in parts is read as a whole, as the end of a way out.
_AS_ONE_TABLE = (Option("in_memory", True), " to read all rows as one table")


def choose_test(source: Any, **options: Unpack[SourceKeywords]) -> Test:
    """The test that answers questions about this source; an option that the source has no use for is refused."""
    return chosen_test(source, SourceOptions.from_keywords("choose_test", options))


def chosen_test(source: Any, options: SourceOptions, among: Collection[str] | None = None) -> Test:
    """As `choose_test`, with the options as an object.

    `among`: if no test is asked for, only one of these is chosen. One that is asked for is refused by the search.
    """
    checked_test(options.test)
    source = located(source)
    if is_matrix(source, options):
        options.refuse_unused(MATRIX)
        return _of_moments(moments_in_file(source, options), options)
    kind = kind_of_source(source)
    if kind.name == "test":
        check_protocol(source)
        kind = SourceKind(kind.name, kind.what, kind.takes, source.alpha)
    options.refuse_unused(kind)
    if kind.name in _MAKERS:
        return _MAKERS[kind.name](source, options)
    return _of_data(source, options, among)


def _of_test(source: Any, options: SourceOptions) -> Test:
    """A test as it is, if its members hold what a search expects."""
    names_of_object(source)
    whole_number(f"{type(source).__name__}.rows", source.rows, 0)
    if source.alpha is not None:
        checked_alpha(source.alpha)
    test: Test = source
    return test


def _of_object(source: Any, options: SourceOptions) -> Test:
    names = chosen_names(names_of_object(source), options.columns, options.drop)
    return CustomTest.from_object(source, options.alpha, names)


def _of_function(source: Any, options: SourceOptions) -> Test:
    if options.names is None:
        raise OptionError(["a function as a source needs ", Option("names"), ", the variables it can be asked about"])
    return CustomTest(source, chosen_names(tuple(options.names), options.columns, options.drop), options.alpha)


def _of_moments(source: Moments, options: SourceOptions) -> Test:
    make = _made_of("moments", options.test, lambda makers: makers.of_moments)
    audit(source)
    everything = options.columns is None and options.drop is None
    names = chosen_names(source.names, options.columns, options.drop)
    return make(source if everything else source.select(names), options.alpha, None)


def _of_counts(source: Counts, options: SourceOptions) -> Test:
    make = _made_of("counts", options.test, lambda makers: makers.of_counts)
    if options.columns is not None or options.drop is not None:
        source = source.select(chosen_names(source.names, options.columns, options.drop))
    source = source.without_empty_levels()
    audit(Summary.of_counts(source))
    return make(source, options.alpha)


def _of_combined(source: Combined, options: SourceOptions) -> Test:
    """The test of tables with overlapping columns, which takes missing values and knows what was measured together."""
    if options.test is not None and not isinstance(options.test, str):
        raise OptionError(
            "must be the name of a test where tables are combined",
            option="test",
            way_out="a function of your own does not see which table has which columns",
        )
    names = chosen_names(source.names, options.columns, options.drop)
    tables = [tuple(name for name in names if name in own) for own in source.columns]
    table = source.table.select(names)
    test = _test_of_table(table, options.test, options.alpha, None, told=is_incomplete(table))
    assert isinstance(test, BaseTest)
    test.together = tuple(own for own in dict.fromkeys(tables) if len(own) > 1)
    return test


def chosen_name(data: Table | Summary | Moments, among: Collection[str] | None = None) -> str:
    """The name of the test that is chosen for data for which none is asked for, without the number of imputations.

    `among`: only one of these. For missing values a test is chosen that takes them, even if they are to be imputed: the
    answers of others cannot be combined.
    """
    if isinstance(data, Moments):
        return next(name for name, kind in TESTS.items() if kind.makers.of_moments is not None)
    if data.design is not None:
        among = [name for name in knowing_designs() if among is None or name in among]
    columns = kinds_by_column(data)
    return default_test(
        set(columns.values()),
        columns=len(columns),
        streamed=isinstance(data, Summary),
        incomplete=is_incomplete(data),
        among=among,
    )


def _made_of(what: str, test: Any, maker: Callable[[Makers], Callable[..., Test] | None]) -> Callable[..., Test]:
    """The maker of the test of this name, or of the first one, among those that can be made of moments, or counts."""
    wanted = TESTS if test is None else [test] if isinstance(test, str) else []
    for name in wanted:
        if (make := maker(TESTS[name].makers)) is not None:
            return make
    can = [name for name, kind in TESTS.items() if maker(kind.makers) is not None]
    raise OptionError(
        f"must be {' or '.join(map(repr, can))} where the source is {what}",
        option="test",
        value=test,
        way_out="other tests need the rows",
    )


def _of_data(source: Any, options: SourceOptions, among: Collection[str] | None) -> Test:
    """The test of rows: of a table, or of a source that is read some rows at a time."""
    test, alpha = options.test, options.alpha
    name = test if isinstance(test, str) else None
    if test is not None and name is None and not callable(getattr(test, "p_value", test)):
        options.refuse_unused(DECIDED_DATA)
    stream = stream_to_sum(source, options)
    if stream is not None:
        if test is not None and (name is None or TESTS[name].makers.of_summary is None):
            needs = "needs all rows at once, and this source is read some rows at a time"
            raise OptionError(
                f"as a function {needs}" if name is None else needs,
                option="test",
                value=UNSET if name is None else name,
                assigned=name is not None,
                way_out=["choose another test, or pass ", *_AS_ONE_TABLE],
            )
        return _test_of_summary(audited_summary(stream, options), name, alpha, among)
    table = audited_table(source, options, **_cures_of_gaps(test))
    impute = options.missing == "impute" and is_incomplete(table)
    if impute and test is not None and name is None:
        raise OptionError(
            "does not apply to a function of your own, which does not see the imputed values",
            option="missing",
            value="impute",
            assigned=True,
            way_out=["pass the name of a test, or ", Option("missing", "testwise")],
        )
    if table.design is not None:
        check_design(table.design, test, missing=options.missing if is_incomplete(table) else None)
    if test is None or name is not None:
        return _test_of_table(table, name, alpha, among, impute)
    return CustomTest.of_table(test, table, alpha)


def _cures_of_gaps(test: Any) -> dict[str, bool]:
    """What can be done about missing values for this test, or function, besides leaving rows out."""
    if isinstance(test, str):
        makers = TESTS[test].makers
        return {"testwise": makers.incomplete, "impute": makers.imputable}
    return {"testwise": True, "impute": test is None}


_MAKERS: Mapping[str, Callable[[Any, SourceOptions], Test]] = {
    "test": _of_test,
    "object": _of_object,
    "deciding": _of_object,
    "function": _of_function,
    "moments": _of_moments,
    "counts": _of_counts,
    "combined": _of_combined,
}


def _suitable(
    data: Table | Summary, test: str | None, among: Collection[str] | None, *, imputed: bool = False
) -> Makers:
    """The makers of the test for these kinds of columns, or of the one that was asked for, if it is for all of them.

    `imputed`: the test is asked about tables without missing values.
    """
    if test is None:
        return TESTS[chosen_name(data, among)].makers
    columns = kinds_by_column(data)
    streamed = isinstance(data, Summary)
    incomplete = is_incomplete(data) and not imputed
    kinds, count = set(columns.values()), len(columns)
    chosen = TESTS[test]
    makers = chosen.makers
    others = [name for name, kind in columns.items() if not chosen.takes(kind)]
    instead: list[str | Option] = ["pass ", Option("test", chosen_name(data))]
    if others:
        reason = misfits_in_words(others, chosen.kinds)
        instead = ways_out_of(data, others, chosen.kinds, chosen_name(data))
    elif incomplete and not makers.incomplete:
        reason = "needs complete rows, and values are missing"
        instead += _without_gaps(data)
    elif makers.most_columns is not None and count > makers.most_columns:
        reason = f"takes at most {makers.most_columns} columns, and there are {count}"
        instead += [", or choose columns with ", Option("columns")]
    elif streamed and not makers.takes_sums(kinds):
        reason = "needs all rows at once where columns are continuous, and this source is read some rows at a time"
        instead += [", or ", *_AS_ONE_TABLE]
    else:
        return makers
    raise OptionError(reason, option="test", value=test, assigned=True, way_out=instead)


def _without_gaps(data: Table | Summary) -> list[str | Option]:
    """The advice to leave incomplete rows out, as a part of a way out; empty if no row is complete."""
    return [", or ", Option("missing", "drop")] if isinstance(data, Table) and data.complete_rows().rows else []


def kinds_by_column(data: Table | Summary) -> dict[str, str]:
    """The kind of each column by name; "binary" for a discrete one with two levels, whose order does not matter."""
    out: dict[str, str] = {}
    for name, kind in zip(data.names, data.kinds, strict=True):
        out[name] = "binary" if kind == "discrete" and len(levels_of(data, name)) <= 2 else kind
    return out


def is_incomplete(data: Table | Summary | Moments) -> bool:
    """Whether values are missing; only a table keeps them."""
    return isinstance(data, Table) and data.has_missing


def _test_of_table(
    table: Table,
    test: str | None,
    alpha: float,
    among: Collection[str] | None,
    impute: bool = False,
    *,
    told: bool = False,
) -> Test:
    """The test of a table; `told`: it was audited, as the tables of which it was combined were."""
    makers = _suitable(table, test, among, imputed=impute)
    if impute and test is not None and not makers.imputable:
        keep = [", or ", Option("missing", "testwise")] if makers.incomplete else _without_gaps(table)
        raise not_imputable(test, Option("test", chosen_name(table, among)), *keep)
    complete = not is_incomplete(table)
    moments = None
    if makers.of_moments is not None and complete and table.design is None and not has_bad_squares(table):
        # columns in the order of their names, as a search asks for them, so that no matrix is rearranged
        moments = moments_to_search(table.select(in_order(table.names)))
    if not told:
        audit(table, moments=moments, squares=complete and makers.takes_sums({"continuous"}))
    _warn(makers, table)
    if impute:
        return imputed_test(table, partial(_made_of_complete, makers, alpha))
    if makers.of_moments is not None and moments is not None:
        return makers.of_moments(moments.standardised(), alpha, table)
    return makers.of_table(table, alpha)


def test_of_windows(windows: Windows, options: SourceOptions) -> Test:
    """The test of windows of time series, which were audited: of their moments if that is enough, or of their rows."""
    test = checked_test(options.test)
    name = test if isinstance(test, str) else None
    if test is not None and name is None:
        raise OptionError(
            "must be the name of a test",
            option="test",
            value=test,
            way_out="a function of your own can be asked about a frame with lagged columns, by discover()",
        )
    moments, table = windows.moments, windows.table
    suited = TESTS[name or next(iter(TESTS))].makers if moments is not None else None
    if moments is not None and suited is not None and suited.of_moments is not None:
        return suited.of_moments(moments.standardised(), options.alpha, table)
    if table is None:
        return _made_of("moments", name, lambda makers: makers.of_moments)(moments, options.alpha, None)
    makers = _suitable(table, name, None)
    _warn(makers, table)
    return makers.of_table(table, options.alpha)


def _made_of_complete(makers: Makers, alpha: float, table: Table) -> Test:
    """The test of a table without missing values, whose columns are in the order of their names."""
    if makers.of_moments is None:
        return makers.of_table(table, alpha)
    return makers.of_moments(moments_of_rows(table).standardised(), alpha, table)


def _test_of_summary(summary: Summary, test: str | None, alpha: float, among: Collection[str] | None) -> Test:
    """The test that answers from sums over rows that are gone."""
    if summary.design is not None:
        check_design(summary.design.facts, test)
    makers = _suitable(summary, test, among)
    assert makers.of_summary is not None
    audit(summary)
    _warn(makers, summary)
    return makers.of_summary(summary, alpha)


def _warn(makers: Makers, data: Table | Summary) -> None:
    doubt = makers.doubt(data)
    if doubt is not None:
        warn(doubt, stacklevel=6)  # of the caller of discover()
