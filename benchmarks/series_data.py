"""Random linear time series with latent processes, on which searches are compared.

The design is that of Gerhardus & Runge (2020, section 5): as many cross links as there are processes, 30 % of them
within a step, the others with lags of 1 to 3 steps; at most 30 % of the processes are latent. Needs numpy alone, so
that programs in other virtual environments draw the same data.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: A cause, the number of steps until it acts, and its effect; processes are numbered.
Link = tuple[int, int, int]

#: Largest lag of a link, and of the windows that are searched.
LAGS = 3
#: Level of the tests in all searches.
ALPHA = 0.01
#: Share of the processes that are latent, and share of the cross links that act within a step.
LATENT, CONTEMPORANEOUS = 0.3, 0.3
#: Range of the absolute coefficients of cross links.
STRENGTH = (0.2, 0.6)
#: Coefficients of a process on its own last step are drawn from an interval of this length.
SPREAD = 0.3
#: Range of the standard deviations of the noise.
NOISE = (0.5, 2.0)
#: A model counts as stationary if no eigenvalue of its transitions is larger; 0.99^BURN_IN is below 0.01.
LARGEST_EIGENVALUE = 0.99
#: Steps that are simulated before the first row.
BURN_IN = 500

#: Seeds for choosing methods and options, and seeds for the page. They have nothing in common.
TUNING = range(1000, 1040)
REPORTING = range(5000, 5100)


@dataclass(frozen=True)
class Cell:
    """Data sets of one size: observed processes, rows, largest coefficient of a process on its own last step."""

    observed: int
    rows: int
    autocorrelation: float
    tuning: range = TUNING
    reporting: range = REPORTING

    @property
    def processes(self) -> int:
        """The number of all processes, observed and latent."""
        return math.floor(self.observed / (1 - LATENT) + 1e-9)

    @property
    def name(self) -> str:
        """What the cell is called in files and on the command line."""
        return f"n{self.observed}-t{self.rows}-a{self.autocorrelation:g}"


CELLS = {
    cell.name: cell
    for cell in (
        *(Cell(4, 500, autocorrelation) for autocorrelation in (0.0, 0.5, 0.9, 0.95)),
        Cell(4, 200, 0.9),
        Cell(7, 500, 0.5),
        Cell(7, 500, 0.9),
        Cell(10, 500, 0.9, tuning=TUNING[:10], reporting=REPORTING[:30]),
    )
}


@dataclass(frozen=True, eq=False)
class Series:
    """The links of a model, its observed processes in the order of columns, and rows of these columns."""

    processes: int
    links: tuple[Link, ...]
    observed: tuple[int, ...]
    values: NDArray[np.float64]


def draw(cell: Cell, seed: int) -> Series:
    """The data set of a cell and a seed.

    Models that have a cycle within a step, or that are not stationary, are drawn again.
    """
    rng = np.random.default_rng([seed, cell.observed, cell.rows, round(100 * cell.autocorrelation)])
    while True:
        weights = _weights(rng, cell.processes, cell.autocorrelation)
        if not _has_cycle(weights[0]) and _largest_eigenvalue(weights) <= LARGEST_EIGENVALUE:
            break
    observed = tuple(int(i) for i in np.sort(rng.permutation(cell.processes)[: cell.observed]))
    values = simulate(rng, weights, cell.rows)
    links = tuple((int(cause), int(lag), int(effect)) for lag, effect, cause in np.argwhere(weights))
    return Series(cell.processes, links, observed, np.ascontiguousarray(values[:, observed]))


def simulate(rng: np.random.Generator, weights: NDArray[np.float64], rows: int) -> NDArray[np.float64]:
    """Rows of all processes with Gaussian noise; coefficients are by [lag, effect, cause]."""
    steps = _transitions(weights)
    lags, processes, _ = steps.shape
    noise_scale = rng.uniform(*NOISE, size=processes)
    noise = rng.standard_normal((BURN_IN + rows, processes)) * noise_scale
    shocks = noise @ np.linalg.inv(np.eye(processes) - weights[0]).T
    values = np.zeros((lags + BURN_IN + rows, processes))
    for time in range(lags, len(values)):
        values[time] = shocks[time - lags]
        for lag in range(1, lags + 1):
            values[time] += steps[lag - 1] @ values[time - lag]
    return values[lags + BURN_IN :]


def _weights(rng: np.random.Generator, processes: int, autocorrelation: float) -> NDArray[np.float64]:
    """Coefficients by [lag, effect, cause]."""
    weights = np.zeros((LAGS + 1, processes, processes))
    own = rng.uniform(max(0.0, autocorrelation - SPREAD), autocorrelation, size=processes)
    weights[1][np.diag_indices(processes)] = own
    pairs = [(cause, effect) for cause in range(processes) for effect in range(processes) if cause != effect]
    for chosen in rng.permutation(len(pairs))[:processes]:
        cause, effect = pairs[chosen]
        lag = 0 if rng.random() < CONTEMPORANEOUS else int(rng.integers(1, LAGS + 1))
        weights[lag, effect, cause] = rng.uniform(*STRENGTH) * rng.choice((-1, 1))
    return weights


def _has_cycle(within: NDArray[np.float64]) -> bool:
    """Whether the links within a step, by [effect, cause], form a cycle: then no power of the matrix is zero."""
    power = np.linalg.matrix_power((within != 0).astype(np.int64), len(within))
    return bool(power.any())


def _transitions(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients of the present on earlier steps alone, by [lag - 1, effect, cause]."""
    present = np.linalg.inv(np.eye(weights.shape[1]) - weights[0])
    return np.stack([present @ earlier for earlier in weights[1:]])


def _largest_eigenvalue(weights: NDArray[np.float64]) -> float:
    """The largest absolute eigenvalue of the matrix that maps the last `LAGS` steps to those one step later."""
    steps = _transitions(weights)
    lags, processes, _ = steps.shape
    companion = np.eye(lags * processes, k=-processes)
    companion[:processes] = np.concatenate(list(steps), axis=1)
    return float(np.abs(np.linalg.eigvals(companion)).max())
