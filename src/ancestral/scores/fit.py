"""The fit of a graph: the covariance that it implies at its maximum likelihood, and how far that is from the data.

All columns are standardised, so covariances are correlations, and coefficients are in units of standard deviations.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import whole_number
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.errors import GraphError
from ancestral.graphs.marks import NONE, TAIL
from ancestral.graphs.names import quoted
from ancestral.printing import counted, visible
from ancestral.scores._score_cy import ScoredGraph

__all__ = ["GAMMA", "Fit", "Residual", "fit_of"]

Floats = NDArray[np.float64]

#: The weight of the number of variables in the extended BIC; 0 would be the BIC.
GAMMA = 0.5


class Residual(NamedTuple):
    """The covariance of two standardised columns in the data, their correlation, and the one that a graph implies."""

    a: str
    b: str
    observed: float
    implied: float

    @property
    def difference(self) -> float:
        """Observed minus implied."""
        return self.observed - self.implied


@dataclass(frozen=True, eq=False)
class Fit:
    """A maximal ancestral graph fitted to data by its maximum likelihood; print it for a summary.

    Made by `Discovery.fit`.

    Attributes:
        names: The columns, in the order of all matrices: those of the graph's variables. A discrete variable has a
            column for each level but the most frequent one, such as `colour=red`, which is 1 in the rows with that
            level.
        variables: The variable of each column.
        coefficients: At u, v: that of column u in the equation of column v; columns are standardised.
        errors: The covariance of the errors of the equations.
        observed: The correlations in the data.
        ebic: The extended BIC of the graph, up to a constant that depends on the data alone; lower is better.
        parameters: The number of parameters of the graph.
        rows: The number of rows.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> fit = an.discover(rows, resamples=0).fit
        >>> fit.degrees_of_freedom  # of the 6 pairs, 3 have no edge
        3
        >>> fit.deviance > 0, bool(np.allclose(fit.residuals, fit.observed - fit.implied))
        (True, True)
        >>> worst = fit.worst_residuals(1)[0]
        >>> bool(abs(worst.observed - worst.implied) == max(abs(fit.residuals[np.triu_indices(4, 1)])))
        True
    """

    names: tuple[str, ...]
    variables: tuple[str, ...]
    coefficients: Floats
    errors: Floats
    observed: Floats
    ebic: float
    parameters: int
    rows: int

    @cached_property
    def implied(self) -> Floats:
        """The covariance that the graph implies. Variances need not be 1 exactly if there are bidirected edges."""
        inverse = np.linalg.inv(np.eye(len(self.names)) - self.coefficients)
        return np.asarray(inverse.T @ self.errors @ inverse)

    @cached_property
    def residuals(self) -> Floats:
        """The covariances in the data minus those that the graph implies."""
        return self.observed - self.implied

    def worst_residuals(self, count: int = 5) -> list[Residual]:
        """The pairs of columns, of different variables, whose residuals are largest in size, the largest first.

        Args:
            count: How many are wanted.

        Returns:
            The pairs, each with its `observed` and `implied` covariance.

        Raises:
            OptionError: If `count` is not a whole number of at least 0.
        """
        whole_number("count", count, 0)
        a, b = np.triu_indices(len(self.names), 1)
        owner = np.unique(np.array(self.variables, dtype=object), return_inverse=True)[1]
        a, b = a[owner[a] != owner[b]], b[owner[a] != owner[b]]
        order = np.argsort(-np.abs(self.residuals[a, b]), kind="stable")[:count]
        return [
            Residual(self.names[i], self.names[j], float(self.observed[i, j]), float(self.implied[i, j]))
            for i, j in zip(a[order].tolist(), b[order].tolist(), strict=True)
        ]

    @cached_property
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

    def __str__(self) -> str:
        df, variables = self.degrees_of_freedom, len(set(self.variables))
        ratio = f" ({self.deviance / df:.2f} for each)" if df else ""
        lines = [
            f"Fit of a graph over {counted(variables, 'variable')} to {counted(self.rows, 'row')}",
            f"  deviance {self.deviance:.1f} on {counted(df, 'degree')} of freedom{ratio}, EBIC {self.ebic:.1f}",
        ]
        for worst in self.worst_residuals(1):
            pair = f"{quoted(worst.a)} and {quoted(worst.b)}"
            lines.append(
                f"  largest residual: {pair}, {worst.observed:.2f} in the data, {worst.implied:.2f} by the graph"
            )
        return "\n".join(map(visible, lines))

    def __repr__(self) -> str:
        return f"<Fit: deviance {self.deviance:.1f} on {counted(self.degrees_of_freedom, 'degree')} of freedom>"


def fit_of(
    blocks: ColumnBlocks,
    names: tuple[str, ...],
    marks: NDArray[np.uint8],
    gamma: float = GAMMA,
    *,
    columns: tuple[str, ...] | None = None,
) -> Fit:
    """Fit a maximal ancestral graph without undirected edges, given by its marks.

    `names` are those of the variables, in the order of the blocks and the marks; `columns` are the same in the order of
    the result. The numbers do not depend on it. Raises `GraphError` if the graph has an undirected edge.
    """
    undirected = np.argwhere((marks == TAIL) & (marks.T == TAIL))
    if len(undirected):
        a, b = (names[v] for v in undirected[0])
        raise GraphError(f"a graph must have no undirected edges to be fitted, got {quoted(a)} --- {quoted(b)}")
    scored = ScoredGraph(blocks.correlation, blocks.starts, float(blocks.rows), gamma=gamma)
    scored.load(marks)
    widths = blocks.widths.astype(int)
    first, second = np.nonzero(np.triu(marks != NONE, 1))
    parameters = int((widths[first] * widths[second]).sum() + (widths * (widths + 1) // 2).sum())
    coefficients, precision = scored.parameters()
    position = {name: v for v, name in enumerate(names)}
    own = [np.arange(blocks.starts[v], blocks.starts[v + 1]) for v in (position[name] for name in columns or names)]
    order = np.concatenate(own)
    labels = blocks.labels(names)
    return Fit(
        names=tuple(labels[c] for c in order.tolist()),
        variables=tuple(name for name, some in zip(columns or names, own, strict=True) for _ in some),
        coefficients=coefficients[np.ix_(order, order)],
        errors=np.linalg.inv(precision)[np.ix_(order, order)],
        observed=np.asarray(blocks.correlation)[np.ix_(order, order)],
        ebic=scored.total,
        parameters=parameters,
        rows=blocks.rows,
    )
