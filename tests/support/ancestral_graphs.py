"""Ancestral graphs without undirected edges, by definition: random ones, legality, districts, the likelihood."""

from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ancestral import DAG
from ancestral.simulate import random_dag
from tests.support.reference import ARROW, TAIL, ancestors, simple_paths

Marks = NDArray[np.uint8]
Floats = NDArray[np.float64]


def is_ancestral(marks: Marks) -> bool:
    """No node is an ancestor of one from which it gets an arrowhead."""
    above = [ancestors(marks, [v]) for v in range(len(marks))]
    return not any(v in above[u] for u, v in np.argwhere(marks == ARROW).tolist())


def is_induced(marks: Marks, x: int, y: int) -> bool:
    """Whether a path between two nodes has only colliders inside, each an ancestor of one of the two."""
    above = ancestors(marks, [x, y])
    return any(
        all(
            marks[u, v] == ARROW and marks[w, v] == ARROW and v in above
            for u, v, w in zip(p, p[1:], p[2:], strict=False)
        )
        for p in simple_paths(marks, x, y)
        if len(p) > 2
    )


def is_maximal(marks: Marks) -> bool:
    """No two nodes without an edge have an inducing path."""
    return not any(marks[x, y] == 0 and is_induced(marks, x, y) for x, y in combinations(range(len(marks)), 2))


def is_legal(marks: Marks) -> bool:
    """Whether a graph is ancestral and maximal."""
    return is_ancestral(marks) and is_maximal(marks)


def districts_of(marks: Marks) -> list[list[int]]:
    """The sets of nodes that bidirected edges connect."""
    both = (marks == ARROW) & (marks.T == ARROW)
    left, out = set(range(len(marks))), []
    while left:
        found = {left.pop()}
        while more := {int(v) for u in found for v in np.flatnonzero(both[u])} - found:
            found |= more
        left -= found
        out.append(sorted(found))
    return out


def every_pair(n: int) -> NDArray[np.intp]:
    """The pairs of n nodes, as rows a, b with a < b."""
    return np.argwhere(np.triu(np.ones((n, n)), 1))


def singles(n: int) -> NDArray[np.intc]:
    """Where the columns of n variables begin, if each has one."""
    return np.arange(n + 1, dtype=np.intc)


def set_type(marks: Marks, a: int, b: int, kind: int) -> None:
    marks[a, b], marks[b, a] = ((0, 0), (ARROW, TAIL), (TAIL, ARROW), (ARROW, ARROW))[kind]


def random_mag(rng: np.random.Generator, n: int, share: float = 0.5) -> Marks:
    """A maximal ancestral graph: random types, each kept if the graph is still both."""
    marks = np.zeros((n, n), dtype=np.uint8)
    for _ in range(4 * n):
        a, b = rng.choice(n, 2, replace=False).tolist()
        before = marks.copy()
        set_type(marks, a, b, int(rng.integers(1, 4)) if rng.random() < share else 0)
        if not is_legal(marks):
            marks = before
    return marks


def confounded_mag(rng: np.random.Generator, n: int) -> Marks:
    """A maximal ancestral graph with a large district: a chain of bidirected edges, and random types of other pairs."""
    marks = np.zeros((n, n), dtype=np.uint8)
    order = rng.permutation(n).tolist()
    for a, b in pairwise(order):
        set_type(marks, a, b, 3)
    for _ in range(n):
        a, b = rng.choice(n, 2, replace=False).tolist()
        before = marks.copy()
        if marks[a, b] == 0:
            set_type(marks, a, b, int(rng.integers(1, 4)))
        if not is_legal(marks):
            marks = before
    return marks


def confounded_dag(seed: int, share: float = 0.7) -> DAG:
    """A random DAG in which this share of the edges have become latent causes of their two ends."""
    rng = np.random.default_rng(seed)
    dag = random_dag(8, 2.0, seed=seed, latent=0)
    edges, latent = [], []
    for number, (u, v) in enumerate(np.argwhere((dag.marks == ARROW) & (dag.marks.T == TAIL)).tolist()):
        a, b = dag.nodes[u], dag.nodes[v]
        if rng.random() < share:
            latent.append(f"L{number}")
            edges += [f"L{number} -> {a}", f"L{number} -> {b}"]
        else:
            edges.append(f"{a} -> {b}")
    return DAG.parse(", ".join([*dag.nodes, *edges]), latent=latent)


def random_correlation(rng: np.random.Generator, n: int) -> Floats:
    return np.asarray(np.corrcoef(rng.standard_normal((40, n)) @ rng.standard_normal((n, n)), rowvar=False))


def model_correlation(rng: np.random.Generator, marks: Marks, offset: NDArray[np.intc], rows: int = 300) -> Floats:
    """The correlations of rows drawn from a random model of a graph; variable v has the columns from `offset[v]` on."""
    variable = np.repeat(np.arange(len(marks)), np.diff(offset))
    columns = len(variable)
    directed = ((marks == ARROW) & (marks.T == TAIL))[np.ix_(variable, variable)]
    strength = rng.uniform(0.5, 1.0, (columns, columns)) * rng.choice([-1, 1], (columns, columns))
    errors = rng.standard_normal((rows, columns))
    spouses = np.triu((marks == ARROW) & (marks.T == ARROW)) | np.eye(len(marks), dtype=bool)
    for a, b in np.argwhere(spouses).tolist():  # a latent cause of all columns of both, or of one variable
        errors += np.outer(rng.standard_normal(rows), strength[0] * ((variable == a) | (variable == b)))
    values = errors @ np.linalg.inv(np.eye(columns) - strength * directed)
    return np.asarray(np.corrcoef(values, rowvar=False))


def implied_covariance(marks: Marks, values: Floats) -> Floats:
    """The covariance of the linear model of a graph; `values`: coefficients, variances and covariances of errors."""
    n = len(marks)
    directed = np.argwhere((marks == ARROW) & (marks.T == TAIL))
    spouses = np.argwhere(np.triu((marks == ARROW) & (marks.T == ARROW)))
    paths, errors = np.eye(n), np.diag(np.exp(values[len(directed) : len(directed) + n]))
    for (u, v), value in zip(directed.tolist(), values, strict=False):
        paths[v, u] -= value
    for (u, v), value in zip(spouses.tolist(), values[len(directed) + n :], strict=True):
        errors[u, v] = errors[v, u] = value
    inverse = np.linalg.inv(paths)
    return np.asarray(inverse @ errors @ inverse.T)


def deviance(coefficients: Floats, precision: Floats, covariance: Floats) -> float:
    """log det(model) + tr(model^-1 covariance) of a linear model.

    `coefficients[u, v]` is that of u in the equation of v, `precision` the inverse covariance of the errors.
    """
    paths = np.eye(len(covariance)) - coefficients
    inverse = paths @ precision @ paths.T
    return float(np.trace(inverse @ covariance) - np.linalg.slogdet(inverse)[1])


def least_deviance(marks: Marks, covariance: Floats) -> float:
    """The minimum of log det(model) + tr(model^-1 covariance), by a general optimiser, from several starts."""
    n = len(marks)
    count = int(np.triu(marks != 0).sum())

    def deviance_at(values: Floats) -> float:
        model = implied_covariance(marks, values)
        if np.linalg.eigvalsh(model)[0] < 1e-9:
            return 1e6
        return float(np.linalg.slogdet(model)[1] + np.trace(np.linalg.solve(model, covariance)))

    rng = np.random.default_rng(0)
    starts = [np.zeros(count + n), *(0.2 * rng.standard_normal((3, count + n)))]
    best = min(
        (minimize(deviance_at, start, method="BFGS", options={"gtol": 1e-9}) for start in starts), key=lambda m: m.fun
    )
    polished = minimize(
        deviance_at, best.x, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 20000}
    )
    return float(min(best.fun, polished.fun))
