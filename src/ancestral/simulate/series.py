"""Linear models of stationary processes: every process is a weighted sum of its causes at their lags, plus noise.

The model is a structural vector autoregression. It is stationary if the matrix that carries its last steps to the next
one has no eigenvalue of absolute value 1 or more (Lütkepohl 2005, section 2.1).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ancestral.arguments import real, whole_number
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs import SeriesDAG
from ancestral.graphs.series_dag import MOST_LAG
from ancestral.graphs.series_text import Edge, edge_text
from ancestral.graphs.window import Window
from ancestral.simulate.sampling import Seed, streams
from ancestral.simulate.series_sampling import (
    AUTOCORRELATION,
    Floats,
    check_series,
    interval,
    series_frame,
    steps_to_forget,
)

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SeriesModel", "linear_series", "series_model"]

#: The largest absolute eigenvalue of a model that is drawn: what came 1,000 steps before then counts for e⁻¹⁰.
LARGEST_EIGENVALUE = 0.99

#: The number of models to draw in search of a stationary one; after that there is probably none.
MOST_DRAWS = 1000

#: The default range of the absolute coefficients of links.
STRENGTH = (0.2, 0.6)


@dataclass(frozen=True, eq=False)
class SeriesModel:
    """A series DAG with weights; the noise of every process has variance 1.

    Made by `series_model`.

    Attributes:
        dag: The DAG over processes.
        weights: At lag, x, y: the weight of the edge (x, lag, y); 0 without edge. Positions are those in `dag.parents`,
            in which causes come first within a step.

    Examples:
        >>> dag = SeriesDAG.parse("a -1-> a, a -1-> b")
        >>> model = series_model(dag, seed=1, coefficients={("a", 1, "a"): 0.5, ("a", 1, "b"): 1})
        >>> model.transition, model.radius  # the row is the cause: a[t-1] has weight 0.5 in a[t] and 1 in b[t]
        (array([[0.5, 1. ],
               [0. , 0. ]]), 0.5)
        >>> model.shocks  # nothing acts within a step
        array([[1., 0.],
               [0., 1.]])
    """

    dag: SeriesDAG
    weights: Floats

    @cached_property
    def shocks(self) -> Floats:
        """The effect of the noise of x (row) on y (column) within a step."""
        return np.linalg.inv(np.eye(len(self.dag.parents)) - self.weights[0])

    @cached_property
    def transition(self) -> Floats:
        """The matrix by which the last steps, the latest first, side by side, are multiplied to go one step further."""
        steps = max(1, self.dag.order)
        size = len(self.dag.parents)
        out = np.eye(size * steps, k=size)
        for lag in range(1, self.dag.order + 1):
            out[(lag - 1) * size : lag * size, :size] = self.weights[lag] @ self.shocks
        return out

    @property
    def radius(self) -> float:
        """The largest absolute eigenvalue of `transition`: the model is stationary if it is below 1."""
        return float(np.abs(np.linalg.eigvals(self.transition)).max())

    def covariance(self, lags: int) -> Floats:
        """The exact covariance of the observed processes at the steps t-`lags` … t, in the order of `Window.names`.

        Args:
            lags: How many steps the window reaches back, a whole number of at least 0.

        Returns:
            The matrix.

        Raises:
            GraphError: If the model is not stationary.
            OptionError: If `lags` is not such a number.

        Examples:
            >>> dag = SeriesDAG.parse("a -1-> a, a -1-> b")
            >>> model = series_model(dag, seed=1, coefficients={("a", 1, "a"): 0.5, ("a", 1, "b"): 1})
            >>> model.covariance(1)[:2].round(3)  # of a[t-1] and b[t-1] with a[t-1], b[t-1], a[t], b[t]
            array([[1.333, 0.667, 0.667, 1.333],
                   [0.667, 2.333, 0.333, 0.667]])
        """
        whole_number("lags", lags, 0, MOST_LAG)
        if self.radius >= 1:
            raise GraphError(
                f"the model must be stationary, and has an eigenvalue of {self.radius:.3g}; lower the weights"
            )
        size = len(self.dag.parents)
        spread = self.transition
        state = np.zeros_like(spread)
        state[:size, :size] = self.shocks.T @ self.shocks
        while np.abs(spread).max() > 1e-18:  # each round doubles the number of steps that are summed over
            state = state + spread.T @ state @ spread
            spread = spread @ spread
        apart = [state[:size, :size]]  # of an earlier step (row) with a later one (column)
        for _ in range(lags):
            state = state @ self.transition
            apart.append(state[:size, :size])
        names = list(self.dag.parents)
        window = Window(self.dag.observed, lags)
        places = [(names.index(process), lag) for process, lag in map(window.place, window.names)]
        return np.array([[apart[i - j][x, y] if i >= j else apart[j - i][y, x] for y, j in places] for x, i in places])


def series_model(
    dag: SeriesDAG,
    *,
    seed: Seed,
    coefficients: Mapping[Edge, float] | None = None,
    strength: tuple[float, float] = STRENGTH,
    autocorrelation: tuple[float, float] = AUTOCORRELATION,
) -> SeriesModel:
    """The model from which `linear_series` draws its rows if it is given the same seed and options.

    Args:
        dag: The DAG over processes.
        seed: A whole number or a numpy Generator.
        coefficients: As in `linear_series`.
        strength: As in `linear_series`.
        autocorrelation: As in `linear_series`.

    Returns:
        The model.

    Raises:
        OptionError: If an option is not of the form that `linear_series` describes, or if the model is not stationary.
        GraphError: If no stationary model was found.

    Examples:
        >>> model = series_model(SeriesDAG.parse("a -1-> a"), seed=1, coefficients={("a", 1, "a"): 0.5})
        >>> model.covariance(0).round(3)  # 1 / (1 - 0.5 ** 2)
        array([[1.333]])
    """
    check_series(dag)
    return _drawn(dag, streams(seed)[0], coefficients, strength, autocorrelation)


def linear_series(
    dag: SeriesDAG,
    rows: int = 500,
    *,
    seed: Seed,
    coefficients: Mapping[Edge, float] | None = None,
    strength: tuple[float, float] = STRENGTH,
    autocorrelation: tuple[float, float] = AUTOCORRELATION,
    units: int = 1,
    noise: str = "normal",
) -> "pl.DataFrame":
    """Draw rows of the observed processes, in the order of `dag.observed`, from a stationary linear model.

    Args:
        dag: The DAG over processes.
        rows: The number of successive steps, of each unit. They begin after so many steps that it no longer matters how
            the process began.
        seed: A whole number or a numpy Generator. It determines the model and each row: if more rows or units are
            drawn, the first ones stay the same.
        coefficients: Those of some edges, `{("a", 1, "b"): 0.5}`; the others are drawn, again until the model is
            stationary.
        strength: The range of the absolute value of a coefficient that is drawn, uniform in it; the sign is either.
        autocorrelation: The range of the coefficients of processes on their own last step, which are uniform in it.
        units: The number of independent series of the same model. If there are several, the columns `unit` and `time`,
            which count from 1, come first.
        noise: "normal", "uniform" or "laplace", always with variance 1.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or if the given coefficients are not those of a stationary model.
        GraphError: If no stationary model was found.

    Examples:
        >>> dag = SeriesDAG.parse("a -1-> a, a -1-> b, L -0-> b, L -2-> c", latent=["L"])
        >>> rows = linear_series(dag, rows=1000, seed=1)
        >>> rows.columns, rows.height
        (['a', 'b', 'c'], 1000)
        >>> linear_series(dag, rows=100, seed=1, units=3).columns
        ['unit', 'time', 'a', 'b', 'c']
    """
    check_series(dag, rows, units, noise)
    rng, seeds = streams(seed)
    model = _drawn(dag, rng, coefficients, strength, autocorrelation)
    reduced = model.weights @ model.shocks

    def step(past: Floats, shocks: Floats) -> Floats:
        return shocks @ model.shocks + np.einsum("lux,lxy->uy", past, reduced[1:])

    # an eigenvalue of 0 is forgotten only after as many steps as there are in the state
    burn_in = len(model.transition) + steps_to_forget(model.radius)
    return series_frame(dag, step, rows=rows, units=units, noise=noise, burn_in=burn_in, seed=seeds)


def _drawn(
    dag: SeriesDAG,
    rng: np.random.Generator,
    coefficients: Mapping[Edge, float] | None,
    strength: tuple[float, float],
    autocorrelation: tuple[float, float],
) -> SeriesModel:
    """A stationary model with the given coefficients, the others at random."""
    given = _given(dag, coefficients)
    links, own = interval("strength", strength, 0, math.inf), interval("autocorrelation", autocorrelation, 0, 1)
    index = {name: i for i, name in enumerate(dag.parents)}
    for _ in range(MOST_DRAWS):
        weights = np.zeros((dag.order + 1, len(index), len(index)))
        for edge in dag.edges:
            cause, lag, effect = edge
            drawn = rng.uniform(*own) if cause == effect and lag == 1 else rng.uniform(*links) * rng.choice((-1, 1))
            weights[lag, index[cause], index[effect]] = given.get(edge, drawn)
        weights.setflags(write=False)
        model = SeriesModel(dag, weights)
        if model.radius <= LARGEST_EIGENVALUE:
            return model
        if len(given) == len(dag.edges):
            raise OptionError(
                f"must be those of a stationary model: its largest eigenvalue is {model.radius:.3g}, and it must be at "
                f"most {LARGEST_EIGENVALUE}",
                option="coefficients",
                way_out="take smaller ones",
            )
    raise GraphError(
        f"none of {MOST_DRAWS:,} random models of this graph is stationary; pass smaller numbers as ",
        Option("strength"),
        " or ",
        Option("autocorrelation"),
    )


def _given(dag: SeriesDAG, coefficients: Mapping[Edge, float] | None) -> dict[Edge, float]:
    """The given coefficients, if each is a number for an edge of the graph."""
    if coefficients is None:
        return {}
    if not isinstance(coefficients, Mapping):
        raise OptionError(
            "must be a mapping of edges to numbers",
            option="coefficients",
            value=coefficients,
            way_out=["for example ", Option("coefficients", {("a", 1, "b"): 0.5})],
        )
    out = {}
    for edge, value in coefficients.items():
        number = real(value)
        if edge not in dag.edges:
            raise OptionError(f"must be of edges of the graph, got {edge!r}", option="coefficients")
        if number is None or not math.isfinite(number):
            raise OptionError(f"must be finite numbers, got {value!r} for {edge_text(edge)}", option="coefficients")
        out[edge] = number
    return out
