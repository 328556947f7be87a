"""How a found graph fits as a linear normal model: the deviance of a member of its class, with a corrected p-value.

The deviance of a DAG is a sum over its nodes. Its mean is known exactly: with N rows, and the nodes in an order in
which causes come first, it is

    N Σ_v [ψ((N − 1 − k_v)/2) − ψ((N − 1 − m_v)/2)],

where m_v nodes come before v, k_v of them are adjacent to v, and ψ is the digamma function. For many rows this is the
number of degrees of freedom; for few rows it is larger, so that a chi-squared test of the plain deviance rejects true
graphs. Divided by this mean and multiplied by the degrees of freedom, the deviance has the right mean. For graphs with
edges `<->` this is an approximation.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.checking.check import FitCheck
from ancestral.classes import mag_in
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.errors import GraphError, OptionError
from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.ancestry import ancestor_bits
from ancestral.graphs.marks import CIRCLE, NONE, TAIL
from ancestral.independence.base import Test, column_blocks_of
from ancestral.independence.imputed import ImputedTest
from ancestral.scores.fit import fit_of
from ancestral.search.stage import GraphStage, Stage

__all__ = ["MOST_COLUMNS", "MOST_VARIABLES", "corrected_p_value", "expected_deviance", "fit_check"]

#: Variables of a graph that comes without a member, up to which one is looked for: the rules check it.
MOST_VARIABLES = 100

#: Columns up to which a graph is fitted, which takes some matrix operations: about a second.
MOST_COLUMNS = 1_000

Marks = NDArray[np.uint8]


def fit_check(stage: Stage, test: Test) -> FitCheck | str:
    """The fit of the graph of a stage, or the reason why there is none, as a clause."""
    if isinstance(test, ImputedTest):
        return "missing values were imputed, and the deviance does not count what that leaves uncertain"
    if len(stage.names) > MOST_COLUMNS:
        return f"graphs are fitted up to {MOST_COLUMNS:,} columns"
    try:
        blocks = column_blocks_of(test, stage.names)
    except OptionError:
        return f"the test {test.name} has no Gaussian likelihood of these data"
    columns = int(blocks.widths.sum())
    if columns > MOST_COLUMNS:
        return f"graphs are fitted up to {MOST_COLUMNS:,} columns"
    if blocks.rows <= columns + 3:
        return f"{blocks.rows:,} rows are too few for {columns:,} columns"
    member = member_of(stage)
    if isinstance(member, str):
        return member
    try:
        fit = fit_of(blocks, tuple(stage.names), member)
        deviance = fit.deviance
    except np.linalg.LinAlgError:
        deviance = np.nan
    if not np.isfinite(deviance):
        return "columns are linear combinations of others"
    df = fit.degrees_of_freedom
    worst = next(iter(fit.worst_residuals(1)), None)
    return FitCheck(deviance, df, corrected_p_value(deviance, df, member, blocks), worst)


def member_of(stage: Stage) -> Marks | str:
    """The marks of a MAG of the class without undirected edges, by position, or the reason why there is none."""
    if isinstance(stage, GraphStage) and stage.member is not None:
        member = stage.member
    elif not stage.complete:
        return "the search is not complete"
    elif len(stage.names) > MOST_VARIABLES:
        return f"graphs that come without a member are fitted up to {MOST_VARIABLES:,} variables"
    else:
        try:
            member = mag_in(_class_of(stage)).marks
        except GraphError:
            return "no class has exactly these marks, so there is no member to fit"
    if ((member == TAIL) & (member.T == TAIL)).any():
        return "it has undirected edges"
    return member


def _class_of(stage: Stage) -> PAG:
    """The graph over positions, so that the member does not depend on the order of columns."""
    marks = stage.oriented.marks
    if stage.sufficient:
        return CPDAG(stage.names, np.where(marks == CIRCLE, TAIL, marks))
    return PAG(stage.names, marks)


def corrected_p_value(deviance: float, df: int, member: Marks, blocks: ColumnBlocks) -> float | None:
    """The probability of a deviance as large as this if the graph is true; None without degrees of freedom."""
    if not df:
        return None
    from scipy.special import chdtrc

    return float(chdtrc(df, deviance * df / expected_deviance(member, blocks.widths, blocks.rows)))


def expected_deviance(member: Marks, widths: NDArray[np.integer], rows: int) -> float:
    """The mean of the deviance under this graph, exact for DAGs; rows must outnumber the columns by 3 or more.

    `widths` has the number of columns of each variable. Columns of one variable are adjacent to each other.
    """
    from scipy.special import digamma

    # a cause has fewer ancestors than its effects
    order = np.argsort(np.bitwise_count(ancestor_bits(member)).sum(axis=1), kind="stable")
    adjacent, wide = (member != NONE)[np.ix_(order, order)], widths[order].astype(np.int64)
    within = np.concatenate([np.arange(width) for width in wide.tolist()])
    before = np.repeat(np.cumsum(wide) - wide, wide) + within
    among = np.repeat(np.tril(adjacent, -1) @ wide, wide) + within
    return float(rows * (digamma((rows - 1 - among) / 2) - digamma((rows - 1 - before) / 2)).sum())
