"""Random graphs and data: DAGs as in the ICD paper, small difficult DAGs, series DAGs, and rows drawn from them.

The rows can be Gaussian, nonlinear, discrete, mixed or ordinal; those of series are linear or nonlinear.
`intervene` and `experiment` draw from systems on which something is done.

>>> from ancestral import simulate
>>> dag = simulate.random_dag(nodes=15, degree=2, seed=1)
>>> len(dag.observed) + len(dag.latent)
15
>>> rows = simulate.linear_gaussian(dag, rows=1000, seed=1)
>>> tuple(rows.columns) == dag.observed
True
"""

from ancestral.simulate import trouble
from ancestral.simulate.discrete import discrete
from ancestral.simulate.experiments import Experiment, experiment
from ancestral.simulate.gaussian import GaussianModel, gaussian_model, linear_gaussian
from ancestral.simulate.graphs import random_dag
from ancestral.simulate.interventions import intervene
from ancestral.simulate.mixed import mixed
from ancestral.simulate.nonlinear import nonlinear
from ancestral.simulate.nonlinear_series import nonlinear_series
from ancestral.simulate.ordinal import ordinal
from ancestral.simulate.series import SeriesModel, linear_series, series_model
from ancestral.simulate.series_graphs import random_series_dag
from ancestral.simulate.trouble import (
    TROUBLE,
    collider_paths,
    confounded_pairs,
    directed_paths,
    distant_d_sep,
    mixed_trouble,
    selected_pairs,
)

__all__ = [
    "TROUBLE",
    "Experiment",
    "GaussianModel",
    "SeriesModel",
    "collider_paths",
    "confounded_pairs",
    "directed_paths",
    "discrete",
    "distant_d_sep",
    "experiment",
    "gaussian_model",
    "intervene",
    "linear_gaussian",
    "linear_series",
    "mixed",
    "mixed_trouble",
    "nonlinear",
    "nonlinear_series",
    "ordinal",
    "random_dag",
    "random_series_dag",
    "selected_pairs",
    "series_model",
    "trouble",
]
