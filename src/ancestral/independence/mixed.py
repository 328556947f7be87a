"""The likelihood-ratio test on blocks of columns: for tables with continuous and discrete columns together.

A discrete variable enters as indicator columns, one for each level but the most frequent one, and all columns are
treated as jointly Gaussian (degenerate Gaussian; Andrews, Ramsey & Cooper 2019). It needs nothing but moments of those
columns, so it also asks what knows only these (`Summed`): the summary of rows that are gone, or a resample. Where
values are missing and each question is to use the rows that are complete for it, the columns themselves are kept: then
it also does the work of Fisher's z.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.errors import DataError, underflowing
from ancestral.data.kinds import Kind
from ancestral.data.read.deadline import check
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.moments import Portions, moments_of_columns
from ancestral.data.stats.summary import check_levels
from ancestral.graphs.names import by_name
from ancestral.independence._blocks_cy import Blocks
from ancestral.independence.evidence import (
    Evidence,
    Evidences,
    Scale,
    checked_alpha,
    chi2_quantiles,
    normal_quantile,
    single_evidence,
    weigh_chi2,
    weigh_normal,
)
from ancestral.independence.gaps import Gaps
from ancestral.independence.gaussian import normal_scores

__all__ = ["LikelihoodRatio", "Summed", "block_columns", "check_indicators"]


#: Bytes that the indicators of a table may take where all rows of them are needed at once.
MOST_BYTES = 1 << 31


@dataclass(frozen=True)
class _Indicator:
    """The column that is 1 in the rows with a level and 0 in the others; rows are made when they are wanted."""

    codes: NDArray[np.integer]
    level: int

    def __getitem__(self, rows: slice) -> NDArray[np.float64]:
        return (self.codes[rows] == self.level).astype(np.float64)


def _block(table: Table, name: str, scores: bool = False) -> list[Portions]:
    """The columns that stand for a variable, missing values aside."""
    column = table.column(name)
    if column.levels is None:
        values = np.asarray(column.values, dtype=np.float64)
        return [normal_scores(values[:, None])[:, 0] if scores else values]
    codes = np.asarray(column.values, dtype=np.int64)
    counts = np.bincount(codes[codes >= 0], minlength=len(column.levels))
    others = [level for level in range(len(column.levels)) if level != int(np.argmax(counts)) and counts[level]]
    return [_Indicator(codes, level) for level in others]


def block_columns(table: Table, name: str, scores: bool = False) -> NDArray[np.float64]:
    """The columns, one per row, that stand for a variable; NaN where it is missing."""
    block = _block(table, name, scores)
    out = np.array([part[:] for part in block], dtype=np.float64).reshape(len(block), table.rows)
    if table.column(name).levels is not None:
        out[:, table.column(name).missing] = np.nan
    return out


def check_indicators(table: Table, *, batch_size: bool) -> None:
    """Raise if the discrete columns of a table have too many levels, or would take too much memory `batch_size`."""
    levels = {column.name: len(column.levels) for column in table.columns if column.levels is not None}
    if "continuous" in table.kinds:
        check_levels(levels)
    total = sum(levels.values())
    if batch_size and 8 * total * table.rows > MOST_BYTES:
        most = sorted(levels, key=lambda name: -levels[name])[:8]
        raise DataError(
            f"the discrete columns have {total:,} levels together, of which {table.rows:,} rows would take "
            f"{8 * total * table.rows / 2**30:.1f} GiB; leave out those with most: "
            + ", ".join(f"{name!r} ({levels[name]:,})" for name in most)
        )


def _starts(sizes: Sequence[int]) -> NDArray[np.integer]:
    return np.concatenate([[0], np.cumsum(sizes)])


def _correlation(columns: Sequence[Portions]) -> NDArray[np.float64]:
    about = []
    for column in columns:
        check()
        about.append(Deviations.of(column[:]))
    return moments_of_columns([f"{i}" for i in range(len(columns))], columns, about).correlation


class Summed(Protocol):
    """What knows the correlations of blocks, and no rows."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each."""

    @property
    def rows(self) -> int:
        """How many rows there were."""

    @property
    def fingerprint(self) -> str:
        """Of their content."""

    def blocks(self) -> tuple[Mapping[str, int], NDArray[np.float64]]:
        """How many columns stand for each variable, by name, and the correlations of all these columns."""


class LikelihoodRatio:
    """Asks the blocks of a table, or of what knows their correlations.

    `rowwise`: each question uses the rows complete for it; `fisher`: by Fisher's z.
    """

    def __init__(
        self,
        table: Table | Summed,
        alpha: float = 0.01,
        *,
        rowwise: bool = False,
        fisher: bool = False,
        scores: bool = False,
    ) -> None:
        self.table = table
        self.rows = table.rows
        self.alpha = checked_alpha(alpha)
        self.rowwise = rowwise
        self.fisher = fisher
        self.scores = scores
        self.name = ("rank" if scores else "fisher-z") if fisher else "mixed"
        self.scale = Scale.NORMAL if fisher else Scale.CHI2
        self._gaps: Gaps | None = None
        self._correlation: NDArray[np.float64] | None = None
        if not isinstance(table, Table):
            sizes, self._correlation = table.blocks()
            firsts = _starts(list(sizes.values()))
            self._places = {
                name: np.arange(first, first + size) for (name, size), first in zip(sizes.items(), firsts, strict=False)
            }
            return
        check_indicators(table, batch_size=rowwise)
        if not rowwise and (tiny := [column.name for column in table.columns if column.underflows]):
            raise underflowing(tiny)
        # in the order of their names, so that no number depends on the order of the columns
        order = sorted(table.names, key=by_name)
        blocks = [_block(table, name, scores) for name in order]
        starts = _starts([len(block) for block in blocks])
        self._places = {
            name: np.arange(first, first + len(b)) for name, first, b in zip(order, starts, blocks, strict=False)
        }
        if rowwise:
            self._gaps = Gaps.of(np.concatenate([block_columns(table, name, scores) for name in order]), starts)
        else:
            self._correlation = _correlation([column for block in blocks for column in block])

    @property
    def names(self) -> tuple[str, ...]:
        """The variables one can ask about."""
        return self.table.names

    @property
    def kinds(self) -> dict[str, str]:
        """Which variables are continuous and which discrete."""
        return dict(zip(self.table.names, self.table.kinds, strict=True))

    def without_rows(self) -> "LikelihoodRatio":
        """The same for those who only ask: what was made of the table, and no table."""
        asking = copy(self)
        del asking.table
        return asking

    def questions(self, names: Sequence[str]) -> Blocks:
        """The questions about these variables, numbered in this order."""
        blocks = [self._places[name] for name in names]
        places = np.concatenate(blocks)
        starts = _starts([len(block) for block in blocks])
        quantiles = chi2_quantiles(self.alpha, max(len(block) for block in blocks) ** 2)
        correlation = None if self._correlation is None else self._correlation[np.ix_(places, places)]
        values = self._gaps
        if values is not None and list(names) != list(self._places):
            values = Gaps.of(values.values[places], starts)
        quantile = normal_quantile(self.alpha)
        return Blocks(starts, correlation, values, self.rows, quantiles, quantile, self.fisher)

    def evidence(self, questions: Blocks, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer rests on."""
        return single_evidence(questions, self.p_values, x, y, given, self.rows)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """What these statistics say; Fisher's z shows the root, which is normal."""
        return weigh_normal(np.sqrt(raw[:, 0])) if self.fisher else weigh_chi2(raw)

    @property
    def fingerprint(self) -> str:
        """Of the content that is asked."""
        return self.table.fingerprint
