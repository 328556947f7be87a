"""Rows that look like clusters: groups of a column whose rows resemble each other in most other columns.

The intraclass correlation of a column is the share of its variance that lies between groups. Groups of more than ten
kinds that explain a tenth of the variance of most other columns, beyond chance, look like schools or patients with
several rows each: such rows are not independent. A column of whole numbers or ordered levels, which may be a
measurement like age, is taken for groups only if neighbouring ones differ as much as any: the variance between groups
is then computed from the differences of neighbours, which are small where a measurement has a smooth effect.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import MOST_LEVELS, Floats
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.seen_rows import SeenRows, numbers_in
from ancestral.errors import Option
from ancestral.printing import counted, listed

__all__ = ["clusters"]

#: The number of groups from which on a column may be one of clusters; a label with fewer is an ordinary variable.
FEWEST_GROUPS = MOST_LEVELS + 1
#: Rows for each group that are needed on average.
FEWEST_PER_GROUP = 2.0
#: The intraclass correlation that counts as much, and the standard errors by which it must differ from 0.
MUCH, BEYOND = 0.1, 4.0
#: Rows from which the correlations are computed: about as many, at equal distances.
MOST_ROWS = 4096
#: Columns at equal distances that are looked at first: where groups explain none of them, the others are not.
SCREENED = 8
#: Columns besides the groups that are needed to tell.
FEWEST_OTHERS = 2

Groups = NDArray[np.int64]


def clusters(seen: SeenRows) -> list[Doubt]:
    """The doubt about the column whose groups explain most, if there is one."""
    found: dict[str, tuple[list[str], float]] = {}
    step = -(-seen.rows // MOST_ROWS)
    matrix: tuple[list[str], Floats] | None = None
    for column in seen.table.columns:
        is_label = column.kind == "discrete"
        if column.levels is not None and len(column.levels) >= FEWEST_GROUPS and not column.has_missing:
            values: Groups = np.asarray(column.values[::step], dtype=np.int64)
        elif column.name in seen.whole:
            values = seen.whole[column.name][::step]
        else:
            continue
        groups = np.unique(values, return_inverse=True)[1]
        if not FEWEST_GROUPS <= int(groups.max()) + 1 <= values.size / FEWEST_PER_GROUP:
            continue
        names, numbers = matrix = matrix or _matrix(seen, step)
        few = slice(None, None, max(1, len(names) // SCREENED))
        neighbours = not is_label
        if max(_explained(names[few], numbers[:, few], groups, neighbours=neighbours).values(), default=0.0) < MUCH:
            continue  # groups that explain most columns explain some of these
        shares = _explained(names, numbers, groups, neighbours=neighbours)
        shares.pop(column.name, None)
        much = [name for name, share in shares.items() if share >= MUCH]
        if len(shares) >= FEWEST_OTHERS and 2 * len(much) > len(shares):
            found[column.name] = much, float(np.median(list(shares.values())))
    if not found:
        return []
    # a property of the clusters, such as the size of a school, makes the same groups as their names, which come first
    labels = [name for name in found if seen.table.column(name).kind == "discrete"]
    name = max(labels or found, key=lambda name: (len(found[name][0]), found[name][1]))
    much, median = found[name]
    count = np.unique(seen.table.column(name).values).size
    return [
        Doubt(
            "clusters",
            [name],
            f"the {counted(count, 'group')} of {name!r} explain much of most other columns (intraclass correlation "
            f"{median:.2f} in the median; above {MUCH} for {listed(much, 3)}), so rows look like clusters and are not "
            "independent, and p-values are too small; if rows of a group were sampled together, pass ",
            Option("clusters", name),
        )
    ]


def _matrix(seen: SeenRows, step: int) -> tuple[list[str], Floats]:
    """The names of the columns that have numbers without a gap, and these in some of the rows, less their means."""
    parts = {
        column.name: numbers
        for column in seen.table.columns
        if not column.has_missing and (numbers := numbers_in(column, step)) is not None
    }
    with np.errstate(over="ignore", invalid="ignore"):
        return list(parts), np.stack([numbers - numbers.mean() for numbers in parts.values()], axis=1)


def _explained(names: list[str], numbers: Floats, groups: Groups, *, neighbours: bool) -> dict[str, float]:
    """The intraclass correlation of each column that varies; 0 where it is not beyond chance.

    `neighbours`: the variance between groups is computed from the differences of neighbouring ones.
    """
    sizes = np.bincount(groups).astype(np.float64)
    rows, count = float(sizes.sum()), len(sizes)
    typical = (rows - float(sizes @ sizes) / rows) / (count - 1)  # of groups of different sizes
    order = np.argsort(groups, kind="stable")
    starts = np.append(0, np.cumsum(sizes)[:-1]).astype(np.intp)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total = np.einsum("ij,ij->j", numbers, numbers)
        means = np.add.reduceat(numbers[order], starts, axis=0) / sizes[:, None]
        between = sizes @ means**2 / (count - 1)
        within = np.maximum(total - (count - 1) * between, 0.0) / (rows - count)
        if neighbours:
            weights = 1 / (1 / sizes[1:] + 1 / sizes[:-1])
            between = (np.diff(means, axis=0) ** 2 * weights[:, None]).mean(axis=0)
        above = between / within - 1
    # what the groups determine, as a property of the school, says nothing about rows
    varies = np.isfinite(total) & (total > 0) & (within > 1e-12 * total / rows)
    beyond = BEYOND * np.sqrt((3 if neighbours else 2) / (count - 1))
    return {
        name: float(above[i] / (above[i] + typical)) if above[i] > beyond else 0.0
        for i, name in enumerate(names)
        if varies[i]
    }
