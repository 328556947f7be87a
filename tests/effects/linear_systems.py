"""Random linear systems: their covariances and true effects, by algebra alone."""

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from tests.support.reference import ARROW, random_dag_marks

__all__ = ["Floats", "LinearSystem"]

Floats = NDArray[np.float64]


class LinearSystem:
    """A DAG with random coefficients and error variances: its covariance and its true effects, by algebra alone."""

    def __init__(
        self, rng: np.random.Generator, size: int, hidden: int, density: tuple[float, float] = (0.15, 0.4)
    ) -> None:
        names = [f"v{i}" for i in range(size)]
        marks = random_dag_marks(rng, size, rng.uniform(*density))
        self.dag = an.DAG(names, marks, latent=rng.permutation(names)[:hidden].tolist())
        # coefficients[u, v]: what v gains when u rises by one
        self.coefficients = np.where(marks == ARROW, rng.uniform(0.3, 1.5, (size, size)), 0.0)
        self.coefficients *= rng.choice([-1.0, 1.0], (size, size))
        self.variances = rng.uniform(0.5, 2.0, size)

    def covariance(self) -> Floats:
        total = np.linalg.inv(np.eye(len(self.coefficients)) - self.coefficients)
        return np.asarray(total.T @ np.diag(self.variances) @ total)

    def effects(self, xs: list[int], y: int) -> Floats:
        """Cut all edges into X, then read the total effects: what happens to y when X is set."""
        cut = self.coefficients.copy()
        cut[:, xs] = 0.0
        return np.asarray(np.linalg.inv(np.eye(len(cut)) - cut)[xs, y])
