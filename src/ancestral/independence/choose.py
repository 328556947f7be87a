"""From whatever the user has to a test: the source decides what can be asked, the kinds of its columns how.

| columns | test |
| --- | --- |
| all continuous | `fisher-z` |
| all discrete | `g` |
| both | `mixed` |

A source that is read some rows at a time is summed up in one pass; these three and `chi2` can be asked of the sums.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Counts, DataWarning, Moments, Table
from ancestral.data.audit import audit, strongly_non_normal
from ancestral.data.chunks import chunks_of, summarized
from ancestral.data.summary import Summary
from ancestral.data.table import Missing, chosen_names
from ancestral.errors import OptionError
from ancestral.graphs import MixedGraph
from ancestral.graphs.names import by_name
from ancestral.independence.custom import CustomTest
from ancestral.independence.discrete import GTest
from ancestral.independence.evidence import Evidence, Scale, Weighed, checked_alpha
from ancestral.independence.gaussian import FisherZ, normal_scores
from ancestral.independence.mixed import LikelihoodRatio
from ancestral.independence.oracle import Oracle

__all__ = ["TESTS", "Test", "choose_test"]

TESTS = ("fisher-z", "rank", "g", "chi2", "mixed")


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

    def weigh(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Weighed:
        """The evidence of many questions at once: rows `statistic, df` as questions leave them, and sizes of sets."""


def choose_test(
    source: Any,
    *,
    test: str | Callable[..., float] | None = None,
    alpha: float = 0.01,
    names: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str | None = None,
) -> Test:
    """The test that answers questions about this source."""
    checked_alpha(alpha)
    if isinstance(test, str) and test not in TESTS:
        raise OptionError(
            f"test={test!r} is not known; choose one of {', '.join(map(repr, TESTS))}, or pass a function"
        )
    if isinstance(source, (Oracle, FisherZ, GTest, LikelihoodRatio, CustomTest)):
        _refuse(f"a {type(source).__name__}", test=test, columns=columns, drop=drop, kinds=kinds)
        return source
    if isinstance(source, MixedGraph):
        raise OptionError(f"a {type(source).__name__} is a graph, no data; pass an Oracle, as in an.Oracle(dag)")
    if isinstance(source, Moments):
        if test not in (None, "fisher-z"):
            raise OptionError(f"test={test!r} needs the rows; moments answer 'fisher-z' only")
        _refuse("Moments", kinds=kinds)
        audit(source)
        everything = columns is None and drop is None
        return FisherZ(source if everything else source.select(chosen_names(source.names, columns, drop)), alpha)
    if isinstance(source, Counts):
        _refuse("Counts", kinds=kinds)
        if callable(test) or test not in (None, "g", "chi2"):
            raise OptionError(f"test={test!r} is not for counts, which answer 'g' and 'chi2'; leave it out")
        if columns is not None or drop is not None:
            source = source.select(chosen_names(source.names, columns, drop))
        return _test_of_summary(Summary.of_counts(source.without_empty_levels()), test, alpha)
    chunks = chunks_of(source, names=names, separator=separator, decimal=decimal)
    if chunks is not None:
        if test == "rank" or callable(test):
            what = "test='rank' orders all rows" if test == "rank" else "a function as a test is of one table"
            raise OptionError(
                f"{what}, and this source is read some rows at a time; choose another test, or read all rows as one "
                "table"
            )
        summary = summarized(chunks, columns=columns, drop=drop, kinds=kinds, missing=missing)
        return _test_of_summary(summary, test, alpha)
    if callable(source) and not hasattr(source, "columns"):
        if names is None:
            raise OptionError("a function as a source needs `names`: the variables it can be asked about")
        _refuse("a function", test=test, kinds=kinds)
        return CustomTest(source, chosen_names(tuple(names), columns, drop), alpha)
    if hasattr(source, "p_value") or hasattr(source, "independent"):
        return CustomTest.from_object(source, alpha)
    table = Table.of(
        source,
        names=names,
        columns=columns,
        drop=drop,
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
    )
    if callable(test):
        return CustomTest(test, table.names, alpha, table=table)
    return _test_of_table(table, test, alpha)


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
            stacklevel=5,
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


def _refuse(what: str, **options: object) -> None:
    for option, value in options.items():
        if value is not None:
            raise OptionError(f"{option}= says how to read a table; the source is {what}, so leave it out")
