"""Audit: what is wrong with the data, told by name before a search begins.

Errors are faults that make answers meaningless: a column that does not vary, a column that is another in disguise, a
column that others add up to (given those, it is independent of everything), an identifier, a handful of rows. All of
them are told at once. Warnings are doubts: columns that are nearly determined by others, very few rows.

- At least 5 rows are needed; fewer than 10 give a warning.
- Two columns are copies if they agree up to shift and scale (continuous) or up to names of levels (discrete).
- Continuous columns are dependent if a combination of them is constant to a millionth of their spread. Where there are
  more columns than rows, every set of columns is dependent, and only copies are looked for.
- A discrete column with more than 20 levels, and more levels than half the rows, is an identifier.
- A condition number of the correlation matrix above 1e8 is near-singular.

Rows that were summed up and are gone (`Summary`) are looked at through what they left: the same faults are found, only
that a linear relation is seen in the correlations and cannot be checked against the rows.
"""

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data.errors import DataError, DataWarning, listed
from ancestral.data.kinds import Floats
from ancestral.data.stats.moments import Moments
from ancestral.data.stats.summary import Summary
from ancestral.data.table import Column, Table
from ancestral.graphs.names import by_name

__all__ = ["Findings", "audit", "examine", "strongly_non_normal"]

NEEDED_ROWS, FEW_ROWS = 5, 10
IDENTIFIER_LEVELS = 20
EXACT = 1e-6  # a relation holds if what is left is this part of the spread
NEAR_SINGULAR = 1e8
PART = 64  # so many rows of a matrix are worked on at a time
SKEWNESS, KURTOSIS, ENOUGH_ROWS = 2.0, 7.0, 50


@dataclass(frozen=True)
class Findings:
    """What an audit found, each a sentence with the way out."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]


def audit(source: Table | Moments | Summary, *, moments: Moments | None = None) -> None:
    """Raise `DataError` with all faults of the data, or warn (`DataWarning`) of each doubt.

    `moments` are those of the continuous columns of a table, if they are known already.
    """
    found = examine(source, moments=moments)
    if len(found.errors) == 1:
        raise DataError(found.errors[0])
    if found.errors:
        raise DataError("the data cannot be searched as they are:\n- " + "\n- ".join(found.errors))
    for doubt in found.warnings:
        warnings.warn(doubt, DataWarning, stacklevel=2)


def examine(source: Table | Moments | Summary, *, moments: Moments | None = None) -> Findings:
    """All faults and doubts, without raising; moments, which do not change, are looked at once."""
    if not isinstance(source, Moments):
        return _examined(source, moments)
    if source not in _LOOKED_AT:
        _LOOKED_AT[source] = _examined(source, None)
    return _LOOKED_AT[source]


_LOOKED_AT: WeakKeyDictionary[Moments, Findings] = WeakKeyDictionary()


def _examined(source: Table | Moments | Summary, moments: Moments | None) -> Findings:
    errors: list[str] = []
    doubts: list[str] = []
    rows = source.rows
    if rows < NEEDED_ROWS:
        errors.append(f"there are {rows} rows; a search needs at least {NEEDED_ROWS}: collect more data")
    elif rows < FEW_ROWS:
        doubts.append(f"there are only {rows} rows; hardly any dependence can be seen in them")
    table = source if isinstance(source, Table) else None
    constant = _constant(source)
    if constant:
        single = len(constant) == 1
        errors.append(
            f"column{'' if single else 's'} {listed(constant, most=20)} {'has' if single else 'have'} a single value; "
            f"leave {'it' if single else 'them'} out: drop={constant!r}"
        )
    if isinstance(source, Summary):
        errors.extend(_faults_of_levels(source, set(constant)))
    if table is not None:
        errors.extend(_discrete_faults(table, set(constant)))
    linear = source.moments if isinstance(source, Summary) else source
    names = () if linear is None else linear.names
    if table is not None:
        names = tuple(column.name for column in table.columns if column.levels is None)
    left_out = set(constant)
    if table is not None:  # a test that needs their squares says so
        left_out |= {column.name for column in table.columns if column.underflows}
    varying = [name for name in names if name not in left_out]
    if rows >= NEEDED_ROWS and len(varying) > 1 and linear is not None:
        _linear_faults(linear, sorted(varying, key=by_name), moments, errors, doubts)
    return Findings(tuple(errors), tuple(doubts))


def strongly_non_normal(table: Table | Summary) -> tuple[str, ...]:
    """The continuous columns that are far from normal: skewness beyond ±2 or excess kurtosis above 7, of 50 values."""
    out = []
    if isinstance(table, Summary):
        for name, shape in table.deviations.items():
            if name not in table.continuous or table.rows < ENOUGH_ROWS or table.is_constant(name):
                continue
            if abs(shape.skewness) > SKEWNESS or shape.kurtosis > KURTOSIS:
                out.append(name)
        return tuple(out)
    for column in table.columns:
        if column.levels is not None or column.present.size < ENOUGH_ROWS:
            continue
        shape = column.deviations
        if shape.is_rounding(max(map(abs, column.extremes))):
            continue  # constant
        if abs(shape.skewness) > SKEWNESS or shape.kurtosis > KURTOSIS:
            out.append(column.name)
    return tuple(out)


# -- single columns ----------------------------------------------------------------------------------------------------


def _constant(source: Table | Moments | Summary) -> list[str]:
    if isinstance(source, Summary):
        return [name for name in source.names if source.is_constant(name)]
    if isinstance(source, Moments):
        return [name for name, size in zip(source.names, source.lengths, strict=True) if not size > 0]
    return [column.name for column in source.columns if _is_constant(column)]


def _is_constant(column: Column) -> bool:
    if column.levels is not None:
        return len(column.levels) < 2
    if not column.present.size:
        return True
    low, high = column.extremes
    return high - low <= 8 * float(np.finfo(float).eps) * max(abs(low), abs(high))


def _discrete_faults(table: Table, constant: set[str]) -> Iterator[str]:
    first_of: dict[bytes, list[str]] = {}
    for column in sorted(table.columns, key=lambda column: by_name(column.name)):
        if column.levels is None or column.name in constant:
            continue
        count = len(column.levels)
        if count > IDENTIFIER_LEVELS and count > table.rows / 2:
            yield _like_an_identifier(column.name, count, table.rows)
            continue
        first_of.setdefault(_pattern(column, count).tobytes(), []).append(column.name)
    yield from _told_copies(first_of.values())


def _faults_of_levels(source: Summary, constant: set[str]) -> Iterator[str]:
    """The same, where only sums are left: two columns are alike if no more pairs of levels occur than levels."""
    alike: list[list[str]] = []
    for name in sorted(source.names, key=by_name):
        if source.kinds[source.names.index(name)] != "discrete" or name in constant:
            continue
        count = len(source.levels(name))
        if count > IDENTIFIER_LEVELS and count > source.rows / 2:
            yield _like_an_identifier(name, count, source.rows)
            continue
        tallies = sorted(source.rows_by_level(name).values())
        for group in alike:
            could_be = tallies == sorted(source.rows_by_level(group[0]).values())
            if could_be and source.pairs_of_levels(group[0], name) == count:
                group.append(name)
                break
        else:
            alike.append([name])
    yield from _told_copies(alike)


def _like_an_identifier(name: str, count: int, rows: int) -> str:
    return (
        f"column {name!r} has {count} levels in {rows} rows, like an identifier; leave it out: "
        f"drop=[{name!r}], or, if it is a measurement, say kinds={{{name!r}: 'continuous'}}"
    )


def _told_copies(groups: Iterable[list[str]]) -> Iterator[str]:
    for names in groups:
        if len(names) > 1:
            what = f"columns {listed(names)} are the same up to the names of their levels"
            yield f"{what}; keep one of them: drop={names[1:]!r}"


def _pattern(column: Column, count: int) -> NDArray[np.int32]:
    """The codes in the order in which the levels turn up: equal for columns that tell the same rows apart."""
    codes = np.asarray(column.values, dtype=np.int32)
    turn_up = np.zeros(count + 1, dtype=np.int64)
    turn_up[codes[::-1]] = np.arange(codes.size)[::-1]  # the last one written is the first that occurs
    rank = np.full(count + 1, -1, dtype=np.int32)
    rank[np.argsort(turn_up[:-1])] = np.arange(count)
    return rank[codes]


# -- continuous columns together ---------------------------------------------------------------------------------------


def _linear_faults(
    source: Table | Moments, names: list[str], moments: Moments | None, errors: list[str], doubts: list[str]
) -> None:
    """Copies, linear dependencies, and near-singularity among these columns."""
    data: Table | None = None
    if isinstance(source, Moments):
        moments = source.select(names)
    else:
        data = source.select(names).complete_rows()
        if data.rows < NEEDED_ROWS:
            return
        moments = Moments.of(data) if moments is None else moments.select(names)
        if not (moments.lengths > 0).all():
            return  # constant on the complete rows
    correlation = moments.correlation
    found = _Relations(moments, data)
    copies = found.copies()
    if copies:
        extra = sorted({y for _, y, _ in copies}, key=by_name)
        told = ", ".join(text for *_, text in copies[:8]) + (f" and {len(copies) - 8} more" if len(copies) > 8 else "")
        errors.append(f"some columns are copies of others: {told}; keep one of each: drop={extra!r}")
    gone = {y for _, y, _ in copies}
    rest = [i for i, name in enumerate(names) if name not in gone]
    if moments.rows <= len(rest):
        doubts.append(
            f"there are {len(rest)} continuous columns and only {moments.rows} rows to compare them, so it cannot be "
            "seen whether some of them add up to others"
        )
        return
    if gone:
        correlation = correlation[np.ix_(rest, rest)]
    if _well_conditioned(correlation):
        return
    roots, vectors = np.linalg.eigh(correlation)
    null = int(np.sum(roots < EXACT**2 * max(1.0, roots[-1] / 100)))
    sums: dict[str, str] = {}
    for relation in found.circuits(vectors[:, :null], rest):
        told_sum = found.told(relation, taken=set(sums))
        if told_sum is not None:
            sums[told_sum[0]] = told_sum[1]
    for left, text in sums.items():
        errors.append(f"some columns are determined by others: {text}; leave one of them out: drop=[{left!r}]")
    if not sums and roots[-1] > NEAR_SINGULAR * max(roots[0], 0.0):
        weight = np.abs(vectors[:, 0])
        blamed = [names[rest[i]] for i in np.argsort(-weight, kind="stable") if weight[i] > 0.1 * weight.max()]
        size = roots[-1] / roots[0] if roots[0] > 0 else np.inf
        doubts.append(
            f"columns {listed(sorted(blamed, key=by_name))} nearly determine each other (condition number {size:.1e}), "
            "so answers about them hang on tiny differences; consider leaving one of them out"
        )


def _well_conditioned(correlation: Floats) -> bool:
    """A quick yes, from the Cholesky factor and how much its inverse stretches a vector; no if in doubt.

    Three rounds turn any vector towards the root that is nearest to 0, unless it was at a right angle to it; a reserve
    of ten makes up for what is missing. No root is greater than the Frobenius norm.
    """
    try:
        factor = np.linalg.cholesky(correlation)
    except np.linalg.LinAlgError:
        return False
    n = len(correlation)
    # einsum, since products as small as these would have the threads of BLAS wait for each other
    parts = [slice(first, min(first + PART, n)) for first in range(0, n, PART)]
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


def _extreme_pairs(correlation: Floats, least: float) -> Iterator[tuple[int, int]]:
    """The pairs x < y whose correlation is at least so far from 0, in their order; a few rows at a time."""
    for first in range(0, len(correlation), PART):
        some = correlation[first : first + PART, first:]
        if max(some.max(), -some.min()) >= least:
            for x, y in np.argwhere(np.triu(np.abs(some) >= least, 1)).tolist():
                yield first + x, first + y


class _Relations:
    """Linear relations between columns, found in the correlations, checked against the rows if there are any."""

    def __init__(self, moments: Moments, data: Table | None) -> None:
        self.names = moments.names
        self.mean = moments.mean
        self.scale = moments.lengths / np.sqrt(max(moments.rows - 1, 1))
        self.correlation = moments.correlation
        self.data = data

    def copies(self) -> list[tuple[str, str, str]]:
        """Pairs that agree up to shift and scale: the first by name, its copy, and how they are related."""
        least = 1 - (1e-10 if self.data is not None else EXACT**2)
        out: list[tuple[str, str, str]] = []
        copied: set[int] = set()
        for x, y in _extreme_pairs(self.correlation, least):
            if x in copied or y in copied:
                continue
            relation = {y: -1.0, x: float(np.sign(self.correlation[x, y]))}
            if self._residual(relation) <= EXACT:
                copied.add(y)
                out.append((self.names[x], self.names[y], self._equation(relation, y)))
        return out

    def circuits(self, null: Floats, positions: list[int]) -> list[dict[int, float]]:
        """Minimal sets of dependent columns: combinations in the null space with as few columns as we can find.

        Gauss-Jordan elimination gives each combination a column that is in no other. The remaining columns are
        independent, and writing one column by independent ones takes no more of them than it must. Then combinations
        are played against each other as long as one gets shorter: grand = a + b + c becomes grand = total + c where
        total = a + b.
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

    def told(self, relation: dict[int, float], taken: set[str]) -> tuple[str, str] | None:
        """The column on the left, none that is taken, and the equation; None if the rows do not bear it out."""
        if len(relation) < 2 or self._residual(relation) > 10 * EXACT:
            return None

        def looks(left: int) -> tuple[int, int, object]:
            terms = [-_tidy(c / self.scale[i] / relation[left] * self.scale[left]) for i, c in relation.items()
                     if i != left]  # fmt: skip
            return sum(c < 0 for c in terms), sum(abs(c) != 1 for c in terms), by_name(self.names[left])

        left = min((i for i in relation if self.names[i] not in taken), key=looks, default=None)
        return None if left is None else (self.names[left], self._equation(relation, left))

    def _residual(self, relation: dict[int, float]) -> float:
        """The spread of the combination of standardised columns, as a part of its largest term."""
        if self.data is None:
            where, weights = np.array(list(relation)), np.array(list(relation.values()))
            square = weights @ self.correlation[np.ix_(where, where)] @ weights
            return float(np.sqrt(max(square, 0.0)) / np.abs(weights).max())
        total = np.zeros(self.data.rows)
        for i, weight in relation.items():
            values = np.asarray(self.data.column(self.names[i]).values, dtype=np.float64)
            total += weight / self.scale[i] * (values - values.mean())
        return float(np.std(total) / max(map(abs, relation.values())))

    def _equation(self, relation: dict[int, float], left: int) -> str:
        """The relation in the units of the columns: total = a + b."""
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
    """The number, or the whole number that it is but for rounding."""
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
