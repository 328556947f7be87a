"""Moments of a linear Gaussian model itself, without the noise of rows: nearly an oracle for data."""

import numpy as np

import ancestral as an
from ancestral.simulate.gaussian import gaussian_model

#: Rows with which an exact covariance is searched: differences of one unit of a score are then real.
NOMINAL = 10**6


def exact_moments(dag: an.DAG, seed: int) -> an.Moments:
    """The covariances of the observed nodes of a random model of this graph, as if of many rows."""
    where = [dag.index(name) for name in dag.observed]
    covariance = gaussian_model(dag, seed=seed).covariance[np.ix_(where, where)]
    return an.Moments(dag.observed, NOMINAL, None, covariance * NOMINAL)
