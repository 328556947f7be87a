"""From whatever the user has to a test: the source decides what can be asked, the kinds of its columns how.

| columns | test |
| --- | --- |
| all continuous | `fisher-z` |
| all discrete | `g` |
| both | `mixed` |

A source that is read some rows at a time is summed up in one pass; these three and `chi2` can be asked of the sums.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import whole_number
from ancestral.data import Counts, DataWarning, Moments, Table
from ancestral.data.audit import audit, strongly_non_normal
from ancestral.data.read.streams import chunks_of, summarized
from ancestral.data.stats.summary import Summary
from ancestral.data.table import Missing, chosen_names
from ancestral.errors import OptionError
from ancestral.graphs.names import by_name
from ancestral.independence.custom import CustomTest, names_of_object
from ancestral.independence.discrete import GTest
from ancestral.independence.evidence import DEFAULT_ALPHA, Evidence, Evidences, Scale, checked_alpha
from ancestral.independence.gaussian import FisherZ, normal_scores
from ancestral.independence.mixed import LikelihoodRatio
from ancestral.independence.sources import PROTOCOL, SOURCE_KINDS, TESTS, SourceOptions, kind_of_source
from ancestral.printing import shown

__all__ = ["TESTS", "Test", "choose_test", "chosen_test"]


class Test(Protocol):
    """What a search needs: the variables, and questions about them in a given order.

    `alpha` is None where there is no significance level, `rows` 0 where there are none or their number is not known.
    """

    name: str

    @property
    def scale(self) -> Scale:
        """What kind of number its answers rest on."""

    @property
    def alpha(self) -> float | None:
        """The significance level."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the content that is asked, by which a later run knows it again."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables one can ask about."""

    @property
    def kinds(self) -> Mapping[str, str] | None:
        """Which variables are continuous and which discrete; None where there are no columns."""

    def questions(self, names: Sequence[str]) -> Any:
        """The questions about these variables, numbered in this order."""

    def evidence(self, questions: Any, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer to a question rests on."""

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The evidence of many questions at once: rows `statistic, df` as questions leave them, and sizes of sets."""


def choose_test(
    source: Any,
    *,
    test: Any = None,
    alpha: float = DEFAULT_ALPHA,
    names: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    drop: Iterable[str] | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str | None = None,
) -> Test:
    """The test that answers questions about this source; an option that the source has no use for is refused."""
    options = SourceOptions(
        test=test,
        alpha=alpha,
        names=names,
        columns=columns,
        drop=drop,
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
    )
    return chosen_test(source, options)


def chosen_test(source: Any, options: SourceOptions) -> Test:
    """As `choose_test`, with options that are checked already."""
    kind = kind_of_source(source)
    own = source.alpha if kind in ("made", "protocol") else None
    options.refuse_unused(SOURCE_KINDS[kind], own_alpha=own)
    return _MAKERS.get(kind, _of_data)(source, options)


def _as_it_is(source: Any, options: SourceOptions) -> Test:
    """A test of this package."""
    made: Test = source
    return made


def _of_protocol(source: Any, options: SourceOptions) -> Test:
    """An object that brings its own questions, if it has all that a search looks at."""
    for member in PROTOCOL:
        if not hasattr(source, member):
            raise OptionError(
                f"{type(source).__name__} has no `{member}`; a test with questions of its own has "
                + ", ".join(f"`{one}`" for one in PROTOCOL)
            )
    names_of_object(source)
    whole_number(f"{type(source).__name__}.rows", source.rows, 0)
    if source.alpha is not None:
        checked_alpha(source.alpha)
    made: Test = source
    return made


def _of_object(source: Any, options: SourceOptions) -> Test:
    names = chosen_names(names_of_object(source), options.columns, options.drop)
    return CustomTest.from_object(source, options.alpha, names)


def _of_function(source: Any, options: SourceOptions) -> Test:
    if options.names is None:
        raise OptionError("a function as a source needs `names`: the variables it can be asked about")
    return CustomTest(source, chosen_names(options.names, options.columns, options.drop), options.alpha)


def _of_moments(source: Moments, options: SourceOptions) -> Test:
    if options.test not in (None, "fisher-z"):
        raise OptionError(f"test={shown(options.test)} needs the rows; moments answer 'fisher-z' only")
    audit(source)
    everything = options.columns is None and options.drop is None
    names = chosen_names(source.names, options.columns, options.drop)
    return FisherZ(source if everything else source.select(names), options.alpha)


def _of_counts(source: Counts, options: SourceOptions) -> Test:
    if options.test not in (None, "g", "chi2"):
        raise OptionError(f"test={shown(options.test)} is not for counts, which answer 'g' and 'chi2'; leave it out")
    if options.columns is not None or options.drop is not None:
        source = source.select(chosen_names(source.names, options.columns, options.drop))
    return _test_of_summary(Summary.of_counts(source.without_empty_levels()), options.test, options.alpha)


def _of_data(source: Any, options: SourceOptions) -> Test:
    """Rows: a table, or what is read some rows at a time."""
    test, alpha, about = options.test, options.alpha, options.reading
    name = test if isinstance(test, str) else None
    if test is not None and name is None and not callable(getattr(test, "p_value", test)):
        options.refuse_unused(SOURCE_KINDS["deciding data"])
    text = {option: about.pop(option) for option in ("names", "separator", "decimal")}
    chunks = chunks_of(source, **text)
    if chunks is not None:
        if test == "rank" or (test is not None and name is None):
            what = "test='rank' orders all rows" if name else "a function as a test is of one table"
            raise OptionError(
                f"{what}, and this source is read some rows at a time; choose another test, or read all rows as one "
                "table"
            )
        return _test_of_summary(summarized(chunks, **about), name, alpha)
    table = Table.of(source, **text, **about)
    if test is None or name is not None:
        return _test_of_table(table, name, alpha)
    return CustomTest.of_table(test, table, alpha)


_MAKERS: Mapping[str, Callable[[Any, SourceOptions], Test]] = {
    "made": _as_it_is,
    "protocol": _of_protocol,
    "object": _of_object,
    "deciding": _of_object,
    "function": _of_function,
    "moments": _of_moments,
    "counts": _of_counts,
}


def _chosen(table: Table | Summary, test: str | None) -> str:
    """The test that the kinds of the columns want, or the one that was said, if it suits them."""
    kinds = set(table.kinds)
    chosen = test or ("mixed" if len(kinds) > 1 else "fisher-z" if kinds == {"continuous"} else "g")
    wanted = {"fisher-z": "continuous", "rank": "continuous", "g": "discrete", "chi2": "discrete"}.get(chosen)
    others = [name for name, kind in zip(table.names, table.kinds, strict=True) if wanted and kind != wanted]
    if others:
        raise OptionError(
            f"test={chosen!r} is for {wanted} columns, and {others[0]!r} is not; pass test='mixed', leave it out with "
            f"drop=[{others[0]!r}], or override how it is read with kinds={{{others[0]!r}: {wanted!r}}}"
        )
    return chosen


def _test_of_summary(summary: Summary, test: str | None, alpha: float) -> Test:
    """What answers from sums over rows that are gone."""
    chosen = _chosen(summary, test)
    audit(summary)
    _warn_of_strange(summary, chosen)
    if chosen == "mixed":
        return LikelihoodRatio(summary.with_moments(), alpha)
    if summary.counts is not None:
        return GTest(summary.counts, alpha, pearson=chosen == "chi2")
    assert summary.moments is not None
    by_names = summary.moments.select(sorted(summary.names, key=by_name))  # as a search wants them
    return FisherZ(by_names.standardised(), alpha, table=summary)


def _warn_of_strange(source: Table | Summary, test: str) -> None:
    if test == "fisher-z" and (strange := strongly_non_normal(source)):
        way_out = "test='rank' looks at the order of values only"
        if isinstance(source, Summary):
            way_out += ", if all rows are read as one table"
        warnings.warn(
            f"far from normal: {', '.join(map(repr, strange))}; fisher-z may be misled, {way_out}",
            DataWarning,
            stacklevel=6,
        )


def _test_of_table(table: Table, test: str | None, alpha: float) -> Test:
    chosen = _chosen(table, test)
    rowwise = any(table.missing_counts().values())  # what is missing by now is to be left out question by question
    by_names = table.select(sorted(table.names, key=by_name))  # as a search wants them, so that no matrix is rearranged
    moments = Moments.of(by_names) if chosen == "fisher-z" and not rowwise else None
    audit(table, moments=moments)
    _warn_of_strange(table, chosen)
    if chosen in ("g", "chi2"):
        return GTest(table, alpha, pearson=chosen == "chi2")
    if moments is not None:
        return FisherZ(moments.standardised(), alpha, table=table)
    if chosen == "mixed" or rowwise:
        return LikelihoodRatio(table, alpha, rowwise=rowwise, fisher=chosen != "mixed", scores=chosen == "rank")
    values, columns = table.continuous_matrix()
    scores = Table.of(normal_scores(values), names=columns, kinds="continuous")
    return FisherZ(Moments.of(scores).standardised(), alpha, name="rank", table=table)
