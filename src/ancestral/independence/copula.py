"""The test "copula": partial correlations of latent normal variables, for continuous, ordinal and binary columns.

Every column is a monotone function of a normal variable, and these are jointly normal: of a continuous column only the
order of values counts, and a level of an ordinal column is an interval between two thresholds. The correlations of the
latent variables are estimated pair by pair (`latent`). x and y are called independent given Z if the partial
correlation of their latent variables, as Fisher's z, is not larger than its standard error allows. The standard error
is that of the question (`_latent_questions_cy`), since latent correlations of coarse columns vary more than those of
numbers: the fewer levels, and the more conditions have few levels, the smaller the effective number of rows.

Under a design, margins and tables are weighted, and a question is judged by how much what its rows add varies between
groups (`_designed_latent_cy`).

Scores need one number of rows for the whole table: the harmonic mean of the effective rows of all pairs, each given the
two variables that have most to do with it, which is about what a score compares. They also need correlations that fit
together well, since a variable that others seem to determine has a likelihood without bounds: eigenvalues below 0.02,
which coarse columns show by chance, are raised. Both were chosen on simulated graphs.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ancestral.data import DataWarning, Table
from ancestral.data.design import DesignFacts
from ancestral.data.fingerprint import fingerprint
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.data.stats.grouped_moments import GroupedMoments
from ancestral.data.stats.summary import Summary
from ancestral.data.stats.weighted import Weights
from ancestral.errors import Option
from ancestral.given_warnings import warn
from ancestral.graphs.names import in_order
from ancestral.independence._designed_latent_cy import DesignedLatent
from ancestral.independence._latent_questions_cy import LatentQuestions
from ancestral.independence.base import (
    Data,
    DataFacts,
    DataTest,
    Makers,
    MomentsSource,
    Resampler,
    Test,
    no_effect,
)
from ancestral.independence.evidence import Scale, normal_quantile
from ancestral.independence.latent import Floats, LatentColumns, LatentEstimate, RowGroups, nearest_correlation
from ancestral.independence.resamplers import TableResampler, table_to_draw

__all__ = ["COPULA", "Copula"]

#: The effective rows that a question needs, less those that its conditions cost.
FEWEST_EFFECTIVE_ROWS = 10
#: The largest number of columns: the covariances of the correlations of 100 columns take 200 MB.
MOST_COLUMNS = 100
#: The smallest eigenvalue of correlations that are scored.
LEAST_SCORED_EIGENVALUE = 0.02
#: A change of a correlation, needed to make all of them positive definite, that is worth a warning.
LARGE_CHANGE = 0.1
#: The reading of columns by which latent correlations are resampled.
LATENT = "latent normal"


class Copula(DataTest):
    """Asks the latent correlations of data."""

    name = "copula"
    scale = Scale.LATENT
    judged_by_score = True

    def __init__(
        self, data: Data, estimate: LatentEstimate, alpha: float = 0.01, effective_share: float | None = None
    ) -> None:
        """`effective_share`: the effective rows of the table as a share of its rows, if it is known already."""
        super().__init__(data, alpha)
        self._facts = _Facts.of(estimate, effective_share)
        self._sampled: DesignFacts | None = None

    @classmethod
    def of_table(cls, table: Table, alpha: float = 0.01) -> "Copula":
        """The test of a table without missing values in which at least two columns vary."""
        # in the order of their names, so that no number depends on the order of the columns
        estimate = LatentColumns.of(table.select(in_order(table.names))).estimate()
        assert estimate is not None
        return cls(table, estimate, alpha)._under(None if table.design is None else table.design.facts)

    @classmethod
    def of_summary(cls, summary: Summary, alpha: float = 0.01) -> "Copula":
        """The test of the summary of a stream in which no column is continuous."""
        assert summary.counts is not None and not isinstance(summary.design, GroupedMoments)
        counts, design = summary.counts.select(in_order(summary.names)), summary.design
        columns = LatentColumns.of_counts(counts) if design is None else LatentColumns.of_grouped_counts(counts, design)
        estimate = columns.estimate()
        assert estimate is not None
        return cls(summary, estimate, alpha)._under(None if design is None else design.facts)

    def _under(self, sampled: DesignFacts | None) -> "Copula":
        """This test, told how its rows were sampled."""
        self._sampled = sampled
        if sampled is not None:
            self.scale = Scale.P_VALUE
        return self

    @property
    def design(self) -> DesignFacts | None:
        """Rows, weights and clusters, and how many independent rows they are worth; None if all count the same."""
        if self._sampled is None:
            return None
        return replace(self._sampled, effective=min(self.rows, self.rows / self._facts.design_effect))

    @property
    def correlation(self) -> Floats:
        """The latent correlations, positive definite, in the order of the names."""
        return self._facts.correlation

    @property
    def largest_change(self) -> float:
        """By how much a correlation was changed at most to make all of them positive definite."""
        return self._facts.largest_change

    def for_workers(self) -> "Copula":
        """The same test without the rows."""
        other = copy(self)
        other._facts = self._facts.without_rows()
        other._data = DataFacts(self.fingerprint)
        return other

    def questions(self, names: Sequence[str]) -> LatentQuestions | DesignedLatent:
        """The questions about these variables, numbered in this order."""
        facts = self._facts
        places = [facts.position[name] for name in self.checked_names(names)]
        pairs = None
        if places != list(range(len(facts.names))):
            n = len(facts.names)
            row = np.zeros((n, n), dtype=np.intp)
            row[np.triu_indices(n, 1)] = np.arange(n * (n - 1) // 2)
            row += row.T
            x, y = np.triu_indices(len(places), 1)
            pairs = row[np.array(places)[x], np.array(places)[y]]
        if facts.groups is not None:
            gamma = np.zeros((1, 1))  # sums over groups take its place
        else:
            gamma = facts.gamma if pairs is None else facts.gamma[np.ix_(pairs, pairs)]
        latent = LatentQuestions(
            facts.correlation[np.ix_(places, places)], gamma, facts.shown[places], self.rows,
            normal_quantile(self.alpha), FEWEST_EFFECTIVE_ROWS, len(places),
        )  # fmt: skip
        if facts.groups is None:
            return latent
        sums, groups = facts.unit_sums, facts.groups
        return DesignedLatent(
            latent, sums if pairs is None else sums[pairs], groups.second, groups.fourth, groups.count, self.rows,
            self.alpha, FEWEST_EFFECTIVE_ROWS,
        )  # fmt: skip

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """The latent correlations of these variables, a column for each, with the effective rows of the table."""
        places = [self._facts.position[name] for name in self.checked_names(names)]
        rows = max(1, round(self._facts.effective_share * self.rows))
        return ColumnBlocks.single(self._facts.scored_correlation[np.ix_(places, places)], rows)

    def resampler(self) -> Resampler:
        """Weights the rows of the table; under a design, draws clusters or rows.

        Raises `OptionError` where only sums of rows are known.
        """
        table = table_to_draw(self._data)
        if table.design is not None:
            return TableResampler.of(table, partial(Copula.of_table, alpha=self.alpha))
        table = table.select(in_order(table.names))
        kinds = dict(zip(table.names, table.kinds, strict=True))
        return _CopulaResampler(LatentColumns.of(table), kinds, self.alpha, self._facts.effective_share)

    def readings(self) -> Mapping[str, Resampler]:
        """Latent correlations alone: they depend on the order of values only. Raises as `resampler` does."""
        return {LATENT: self.resampler()}

    def effect_moments(self) -> MomentsSource:
        """Refuse: latent variables have no units."""
        raise no_effect(
            "the test 'copula' is about latent variables, which have no units; pass ",
            Option("test", "fisher-z"),
            " with columns of numbers if relations are linear",
            robust=True,
        )


@dataclass(frozen=True)
class _Facts:
    """What questions and scores need of the estimate; `estimate` is None where its rows stayed behind."""

    names: tuple[str, ...]
    correlation: Floats
    shown: Floats
    largest_change: float
    groups: RowGroups | None
    estimate: LatentEstimate | None

    @classmethod
    def of(cls, estimate: LatentEstimate, effective_share: float | None) -> "_Facts":
        change = float(np.abs(estimate.positive - estimate.correlation).max())
        out = cls(estimate.names, estimate.positive, estimate.shown, change, estimate.groups, estimate)
        if effective_share is not None:
            out.__dict__["effective_share"] = effective_share
        return out

    @cached_property
    def position(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def unit_sums(self) -> Floats:
        """What the groups of a design add to each correlation."""
        assert self.estimate is not None
        return self.estimate.unit_sums

    @cached_property
    def design_effect(self) -> float:
        assert self.estimate is not None
        return self.estimate.design_effect()

    @cached_property
    def gamma(self) -> Floats:
        """Computed when the first questions are asked; scores do not need it."""
        assert self.estimate is not None
        return self.estimate.gamma

    @cached_property
    def effective_share(self) -> float:
        """The effective rows of the table, as a share of its rows; no pair counts as less than one row."""
        assert self.estimate is not None
        each = np.maximum(self.estimate.effective_rows(), 1.0)
        return float(len(each) / (1 / each).sum()) / self.estimate.rows

    @cached_property
    def scored_correlation(self) -> Floats:
        return nearest_correlation(self.correlation, LEAST_SCORED_EIGENVALUE)

    def without_rows(self) -> "_Facts":
        other = _Facts(self.names, self.correlation, self.shown, self.largest_change, self.groups, None)
        other.__dict__.update(effective_share=self.effective_share)
        if self.groups is None:
            other.__dict__.update(gamma=self.gamma)
        else:
            other.__dict__.update(unit_sums=self.unit_sums, design_effect=self.design_effect)
        return other


@dataclass(frozen=True)
class _CopulaResampler:
    """Makes the test of weighted rows: thresholds, ranks and tables are weighted sums."""

    columns: LatentColumns
    kinds: Mapping[str, str]
    alpha: float
    effective_share: float

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns.names

    @property
    def rows(self) -> int:
        return len(self.columns.weights)

    def test(self, weights: Weights) -> Test | None:
        estimate = self.columns.estimate(weights)
        if estimate is None:
            return None
        kinds = tuple(self.kinds[name] for name in estimate.names)
        drawn = _Drawn(estimate.names, kinds, estimate)
        return Copula(drawn, estimate, self.alpha, self.effective_share)


@dataclass(frozen=True)
class _Drawn:
    """The data of a resample, of which only the estimate is known."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    estimate: LatentEstimate

    @property
    def rows(self) -> int:
        return self.estimate.rows

    @property
    def fingerprint(self) -> str:
        return fingerprint("latent correlations", [*self.names, self.estimate.correlation])


def _of_table(table: Table, alpha: float) -> Test:
    return _told(Copula.of_table(table, alpha))


def _of_summary(summary: Summary, alpha: float) -> Test:
    return _told(Copula.of_summary(summary, alpha))


def _told(test: Copula) -> Test:
    """The test; warns if its correlations had to be changed much to fit together."""
    if test.largest_change > LARGE_CHANGE:
        warn(
            DataWarning(
                "the latent correlations, estimated pair by pair, do not fit together, and were changed by up to "
                f"{test.largest_change:.2f}; there may be too few rows for so many columns, or levels that are rare: "
                "merge rare levels, or pass ",
                Option("test", "rank"),
            ),
            stacklevel=7,  # of the caller of discover()
        )
    return test


COPULA = Makers(
    of_table=_of_table,
    of_summary=_of_summary,
    summed_kinds=frozenset({"ordinal", "binary"}),
    incomplete=False,
    imputable=False,
    most_columns=MOST_COLUMNS,
    designs=True,
)
