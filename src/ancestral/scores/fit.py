"""The fit of a graph: the covariance that it implies at its maximum likelihood, and how far that is from the data.

All columns are standardised, so covariances are correlations, and coefficients are in units of standard deviations.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import NONE
from ancestral.scores._score_cy import ScoredGraph

__all__ = ["Fit", "fit_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fit:
    """A maximal ancestral graph fitted to data.

    - `names`: the columns, in the order of all matrices. A discrete variable has a column for each level but one.
    - `coefficients[u, v]`: that of column u in the equation of column v.
    - `errors`: the covariance of the errors of the equations.
    - `observed`: the correlations in the data.
    - `ebic`: the extended BIC, up to a constant that depends on the data alone; lower is better.
    - `parameters`: how many parameters the graph has; `rows`: how many rows the data have.
    """

    names: tuple[str, ...]
    coefficients: Floats
    errors: Floats
    observed: Floats
    ebic: float
    parameters: int
    rows: int

    @cached_property
    def implied(self) -> Floats:
        """The covariance that the graph implies."""
        inverse = np.linalg.inv(np.eye(len(self.names)) - self.coefficients)
        return np.asarray(inverse.T @ self.errors @ inverse)

    @cached_property
    def residuals(self) -> Floats:
        """The correlations in the data minus those that the graph implies."""
        return self.observed - self.implied

    @property
    def deviance(self) -> float:
        """Twice the log-likelihood that is lost beside a graph with all edges."""
        sign, model = np.linalg.slogdet(self.implied)
        free = np.linalg.slogdet(self.observed)[1]
        lost = model - free + float(np.trace(np.linalg.solve(self.implied, self.observed))) - len(self.names)
        return float(self.rows * lost) if sign > 0 else float("inf")

    @property
    def degrees_of_freedom(self) -> int:
        """The number of parameters that a graph with all edges has beyond this one."""
        columns = len(self.names)
        return columns * (columns + 1) // 2 - self.parameters


def fit_of(blocks: ColumnBlocks, names: tuple[str, ...], marks: NDArray[np.uint8], gamma: float) -> Fit:
    """Fit a maximal ancestral graph without undirected edges, given by its marks; `names` are those of the columns."""
    scored = ScoredGraph(blocks.correlation, blocks.starts, float(blocks.rows), gamma=gamma)
    scored.load(marks)
    widths = blocks.widths.astype(int)
    a, b = np.nonzero(np.triu(marks != NONE, 1))
    parameters = int((widths[a] * widths[b]).sum() + (widths * (widths + 1) // 2).sum())
    coefficients, precision = scored.parameters()
    return Fit(names, coefficients, np.linalg.inv(precision), blocks.correlation, scored.total, parameters, blocks.rows)
