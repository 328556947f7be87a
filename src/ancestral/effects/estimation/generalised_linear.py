"""Linear and logistic regression, with what each row adds to the error of their coefficients."""

from dataclasses import dataclass

import numpy as np

from ancestral.data import DataError
from ancestral.data.column_kinds import Floats

__all__ = ["GeneralisedLinear"]

#: Steps of Newton's method; more than a dozen are needed only where the likelihood has no maximum.
MOST_STEPS = 50

#: A step that changes no linear predictor by more than this is the last.
SMALL_STEP = 1e-10

#: The smallest eigenvalue of the information, in which all columns have length 1, that is not taken for rounding.
SMALLEST_EIGENVALUE = 1e-10


@dataclass(frozen=True)
class GeneralisedLinear:
    """A fitted regression: linear, or logistic if `binary`.

    `information` is the mean of the second derivatives, and `scores` has what each row adds to the estimating equation,
    both times the weight of the row.
    """

    beta: Floats
    binary: bool
    information: Floats
    scores: Floats

    @classmethod
    def fit(cls, design: Floats, y: Floats, weights: Floats, binary: bool, what: str) -> "GeneralisedLinear":
        """Fit y to the columns of a design. `what` names the regression in errors.

        Raises `DataError` if there are too few rows or collinear columns, and if a logistic regression has no maximum.
        """
        rows, columns = design.shape
        used = weights > 0
        if int(used.sum()) <= columns:
            raise DataError(f"{int(used.sum())} rows are too few for {what}, which has {columns} coefficients")
        lengths = np.sqrt(weights @ design**2)
        lengths[lengths == 0] = 1.0
        unit = design / lengths
        beta = np.zeros(columns)
        for _ in range(MOST_STEPS if binary else 1):
            predicted, slope = _response(unit @ beta, binary)
            information = (unit * (weights * slope)[:, None]).T @ unit
            if np.linalg.eigvalsh(information)[0] < SMALLEST_EIGENVALUE:
                raise DataError(
                    f"{what} has no solution: its variables are collinear, or tell the outcome exactly; adjust for "
                    "fewer variables"
                )
            step = np.linalg.solve(information, unit.T @ (weights * (y - predicted)))
            beta = beta + step
            if np.abs(unit[used] @ step).max() < SMALL_STEP:
                break
        beta = beta / lengths
        predicted, slope = _response(design @ beta, binary)
        information = (design * (weights * slope)[:, None]).T @ design / rows
        return cls(beta, binary, information, design * (weights * (y - predicted))[:, None])

    def predict(self, design: Floats) -> tuple[Floats, Floats, Floats]:
        """The means at the rows of a design, and their first and second derivative by the linear predictor."""
        mean, slope = _response(design @ self.beta, self.binary)
        return mean, slope, slope * (1 - 2 * mean) if self.binary else np.zeros_like(mean)

    def influence(self, gradient: Floats) -> Floats:
        """What each row adds, times its weight, to the error of a function of the coefficients with this gradient."""
        return np.asarray(self.scores @ np.linalg.solve(self.information, gradient))


def _response(eta: Floats, binary: bool) -> tuple[Floats, Floats]:
    """The mean, and its derivative by the linear predictor."""
    if not binary:
        return eta, np.ones_like(eta)
    from scipy.special import expit

    mean = np.asarray(expit(eta))
    return mean, mean * (1 - mean)
