"""Linear relations between columns: copies, columns that others add up to, and near-singularity.

Relations are found in the correlations, and checked against the rows where there are any.
"""

from collections.abc import Iterator

import numpy as np

from ancestral.data.column_kinds import Floats
from ancestral.data.stats.column_moments import ColumnMoments
from ancestral.data.stats.comoments import MATRIX_ROWS
from ancestral.data.stats.moments import Moments
from ancestral.data.table import Table
from ancestral.graphs.names import by_name

__all__ = ["EXACT", "NEAR_SINGULAR", "LinearRelations", "is_well_conditioned"]

#: A relation holds if the spread of what is left is at most this share of the spread of its terms.
EXACT = 1e-6

#: A correlation matrix with a condition number above this is nearly singular.
NEAR_SINGULAR = 1e8


def is_well_conditioned(correlation: Floats) -> bool:
    """A quick check that a condition number is below `NEAR_SINGULAR`; False if in doubt.

    It is estimated from the Cholesky factor and how much its inverse stretches a vector: three rounds of inverse
    iteration turn a vector towards the eigenvector of the smallest eigenvalue, unless it was orthogonal to it, and a
    factor of ten makes up for the rest. No eigenvalue is greater than the Frobenius norm.
    """
    try:
        factor = np.linalg.cholesky(correlation)
    except np.linalg.LinAlgError:
        return False
    n = len(correlation)
    # einsum, since for products as small as these the threads of BLAS would only wait for each other
    parts = [slice(first, min(first + MATRIX_ROWS, n)) for first in range(0, n, MATRIX_ROWS)]
    vector = np.random.default_rng(0).normal(size=n)
    for _ in range(3):
        vector = vector / np.linalg.norm(vector)
        for part in parts:
            vector[part] -= np.einsum("ij,j", factor[part, : part.start], vector[: part.start])
            vector[part] = np.linalg.solve(factor[part, part], vector[part])
        for part in reversed(parts):
            vector[part] = np.linalg.solve(factor[part, part].T, vector[part])
            vector[: part.start] -= np.einsum("i,ij", vector[part], factor[part, : part.start])
    return bool(10.0 * np.linalg.norm(correlation) * np.linalg.norm(vector) < NEAR_SINGULAR)


def _extreme_pairs(moments: Moments, least: float) -> Iterator[tuple[int, int, float]]:
    """The pairs x < y whose correlation is at least `least` in absolute value, in their order, with its sign."""
    if isinstance(moments, ColumnMoments):
        yield from moments.extreme_pairs(least)
        return
    correlation = moments.correlation
    for first in range(0, len(correlation), MATRIX_ROWS):
        some = correlation[first : first + MATRIX_ROWS, first:]
        if max(some.max(), -some.min()) >= least:
            for x, y in np.argwhere(np.triu(np.abs(some) >= least, 1)).tolist():
                yield first + x, first + y, float(np.sign(correlation[first + x, first + y]))


class LinearRelations:
    """Linear relations between the columns of moments, checked against the rows of a table if there is one.

    A relation is a mapping from the positions of columns to weights: the sum of the standardised columns times these
    weights is constant.
    """

    def __init__(self, moments: Moments, data: Table | None) -> None:
        self.names = moments.names
        self.mean = moments.mean
        self.scale = moments.lengths / np.sqrt(max(moments.rows - 1, 1))
        self.moments = moments
        self.data = data

    def copies(self) -> list[tuple[str, str, str]]:
        """Pairs of columns that agree up to shift and scale: the first by name, its copy, and their equation."""
        least = 1 - (1e-10 if self.data is not None else EXACT**2)
        out: list[tuple[str, str, str]] = []
        copied: set[int] = set()
        for x, y, sign in _extreme_pairs(self.moments, least):
            if x in copied or y in copied:
                continue
            relation = {y: -1.0, x: sign}
            if self._residual(relation) <= EXACT:
                copied.add(y)
                out.append((self.names[x], self.names[y], self._written(relation, y)))
        return out

    def circuits(self, null: Floats, positions: list[int]) -> list[dict[int, float]]:
        """Relations between as few columns as can be found, from a basis of the null space of the correlations.

        `null` has a basis vector in each column, over the columns at these positions. Gauss-Jordan elimination gives
        each relation a column that is in no other. The remaining columns are independent, and a column is a unique
        combination of independent ones. Then relations are subtracted from each other as long as one gets shorter:
        grand = a + b + c becomes grand = total + c where total = a + b.
        """
        rows = null.T.copy()
        for i in range(len(rows)):
            r, c = divmod(int(np.argmax(np.abs(rows[i:]))), rows.shape[1])
            rows[[i, i + r]] = rows[[i + r, i]]
            rows[i] /= rows[i, c]
            others = np.arange(len(rows)) != i
            rows[others] -= np.outer(rows[others, c], rows[i])
        rows[np.abs(rows) < EXACT] = 0.0
        shorter = len(rows) <= 50
        while shorter:
            shorter = False
            for i in range(len(rows)):
                for j in range(len(rows)):
                    for c in np.flatnonzero(rows[j]) if i != j else ():
                        trial = rows[i] - rows[i, c] / rows[j, c] * rows[j]
                        trial[np.abs(trial) < EXACT * np.abs(trial).max()] = 0.0
                        if rows[i, c] and 0 < np.count_nonzero(trial) < np.count_nonzero(rows[i]):
                            rows[i] = trial
                            shorter = True
        return [{positions[int(c)]: float(row[c]) for c in np.flatnonzero(row)} for row in rows]

    def equation(self, relation: dict[int, float], taken: set[str]) -> tuple[str, str] | None:
        """A column to stand on the left, not one of those taken, and the equation; None if it does not hold."""
        if len(relation) < 2 or self._residual(relation) > 10 * EXACT:
            return None

        def simplicity(left: int) -> tuple[int, int, object]:
            terms = [-_tidy(c / self.scale[i] / relation[left] * self.scale[left]) for i, c in relation.items()
                     if i != left]  # fmt: skip
            return sum(c < 0 for c in terms), sum(abs(c) != 1 for c in terms), by_name(self.names[left])

        left = min((i for i in relation if self.names[i] not in taken), key=simplicity, default=None)
        return None if left is None else (self.names[left], self._written(relation, left))

    def _residual(self, relation: dict[int, float]) -> float:
        """The spread of a combination of standardised columns, as a share of its largest weight."""
        if self.data is None:
            where, weights = np.array(list(relation)), np.array(list(relation.values()))
            correlation = self.moments.select([self.names[i] for i in where]).correlation
            square = weights @ correlation @ weights
            return float(np.sqrt(max(square, 0.0)) / np.abs(weights).max())
        total = np.zeros(self.data.rows)
        for i, weight in relation.items():
            values = np.asarray(self.data.column(self.names[i]).values, dtype=np.float64)
            total += weight / self.scale[i] * (values - values.mean())
        return float(np.std(total) / max(map(abs, relation.values())))

    def _written(self, relation: dict[int, float], left: int) -> str:
        """The relation as an equation in the units of the columns, with one column on the left: total = a + b."""
        raw = {i: _tidy(-c / self.scale[i] / (relation[left] / self.scale[left])) for i, c in relation.items()}
        right = sorted((i for i in raw if i != left), key=lambda i: by_name(self.names[i]))
        constant = 0.0
        if self.mean is not None:
            size = sum(abs(raw[i] * self.mean[i]) + abs(raw[i]) * self.scale[i] for i in raw)
            constant = _tidy(float(self.mean[left] - sum(raw[i] * self.mean[i] for i in right)))
            constant = 0.0 if abs(constant) < 1e-9 * size else constant
        if all(raw[i] == -1 for i in right) and len(right) > 1:  # parts of a whole
            parts = sorted([left, *right], key=lambda i: by_name(self.names[i]))
            return _terms([(1.0, self.names[i]) for i in parts]) + f" = {constant:.6g}"
        return f"{self.names[left]} = " + _terms([*((raw[i], self.names[i]) for i in right), (constant, "")])


def _tidy(number: float) -> float:
    """The number, or the whole number from which only rounding keeps it."""
    whole = round(number)
    return float(whole) if abs(number - whole) <= 1e-6 * max(1.0, abs(number)) and 0 < abs(whole) <= 1000 else number


def _terms(terms: list[tuple[float, str]], most: int = 12) -> str:
    out = ""
    shown = [(c, name) for c, name in terms if c]
    for count, (coefficient, name) in enumerate(shown):
        if count == most:
            return out + f" + … ({len(shown)} terms)"
        size = "" if abs(coefficient) == 1 and name else f"{abs(coefficient):.4g}"
        sign = (" - " if coefficient < 0 else " + ") if out else ("-" if coefficient < 0 else "")
        out += sign + " ".join(part for part in (size, name) if part)
    return out or "0"
